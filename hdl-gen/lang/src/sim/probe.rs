//! Probes: the ways to name a signal of a running simulation.

use super::Simulator;
use super::directory::SignalId;
use crate::enums::{Enum, HwEnum};
use crate::sig::Sig;

/// What names a signal: a handle of the top module, or what a look-up by name gave.
pub trait Probe: Copy {
    /// The signal. Panics if the handle is not one of the top module.
    #[doc(hidden)]
    fn locate(self, simulator: &Simulator) -> SignalId;
}

impl Probe for SignalId {
    fn locate(self, _: &Simulator) -> SignalId {
        self
    }
}

impl Probe for Sig {
    #[track_caller]
    fn locate(self, simulator: &Simulator) -> SignalId {
        let ours = self.serial != 0
            && simulator.serial.is_none_or(|serial| serial == self.serial)
            && simulator.directory.top_width(self.node) == Some(self.width);
        assert!(ours, "hdl: the signal is not one of the top module of this simulation");
        SignalId { value: self.node, width: self.width }
    }
}

impl<E: HwEnum> Probe for Enum<E> {
    #[track_caller]
    fn locate(self, simulator: &Simulator) -> SignalId {
        self.sig().locate(simulator)
    }
}
