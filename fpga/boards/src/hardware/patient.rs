//! A core that leaves memory alone until it may run.
//!
//! A hart that is held has not executed anything, but its instruction cache has fetched its first line already. In
//! simulation the program is there by then; on a board it comes later.

use hdl::{Bundle, Module, hardware};
use units::core::HartCore;
use units::data_port::DataPort;
use units::hart::rvfi::Rvfi;
use units::observer::LinkPort;
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
        core.hart.set(io.hart);
        core.run.set(io.run);
        core.ram_last.set(io.ram_last);
        core.mtime.set(io.mtime);
        core.timer_pending.set(io.timer_pending);
        core.software_pending.set(io.software_pending);
        core.observed_pending.drive(&io.observed_pending);
        let links = core.link.iter().zip(io.link.iter());
        links.for_each(|(inner, outer)| LinkPort::join(inner, outer));
        core.held.set(io.held);
        DataPort::join(&io.data, &core.data);
        io.fetch.request.connect(&core.fetch.request.halt_when(!io.run));
        core.fetch.response_valid.set(io.fetch.response_valid);
        core.fetch.response_line.set(io.fetch.response_line);
        io.rvfi.drive(&core.rvfi);
        io.wait.drive(&core.wait);
        io
    }
}

impl Core for PatientCore {
    type Rvfi = Rvfi;

    fn rvfi(&self) -> Rvfi {
        self.0.rvfi()
    }
}
