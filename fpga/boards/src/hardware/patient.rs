//! A core that does not access memory before the harts may run.
//!
//! A hart that is held has not executed anything, but its instruction cache has already fetched its first line. In
//! simulation the program is there by then; on a board it comes later.

use hdl::{Module, connect, hardware};
use units::core::HartCore;
use units::hart::rvfi::Rvfi;
use units::soc::{Core, CoreIo};

/// A hart with its instruction cache.
#[derive(Clone, Debug, PartialEq)]
pub struct PatientCore(pub HartCore);

/// Holds the core's first fetch until it may run.
#[hardware]
impl Module for PatientCore {
    type Io = CoreIo<Rvfi>;

    fn name(&self) -> String {
        format!("patient_{}", self.0.name())
    }

    fn build(&self) -> CoreIo<Rvfi> {
        let io = CoreIo::ports(&self.0.shape(), self.rvfi());
        let core = self.0.clone().instance();
        let mut inner = CoreIo::clone(&core);
        inner.fetch.request = inner.fetch.request.halt_when(!io.run);
        connect(&io, &inner);
        io
    }
}

impl Core for PatientCore {
    type Rvfi = Rvfi;

    fn rvfi(&self) -> Rvfi {
        self.0.rvfi()
    }
}
