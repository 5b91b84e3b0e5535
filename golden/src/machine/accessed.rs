//! Data accesses in order, for models that watch all of memory.

use crate::isa::DataAccess;
use crate::{HartId, Mode, Pc};

/// An ordered data access to memory. A failed SC is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The hart that made the access.
    pub hart: HartId,
    /// Address of the instruction.
    pub pc: Pc,
    /// The mode the instruction executed in.
    pub mode: Mode,
    /// Byte address of the access.
    pub address: u32,
    /// True for a store, an AMO or a successful SC.
    pub write: bool,
}

impl Accessed {
    /// An ordered access of a hart; `None` for a failed SC.
    pub(super) fn of(hart: usize, access: &DataAccess, write: bool) -> Option<Self> {
        (write || !access.kind.is_store()).then(|| Self {
            hart: HartId(hart as u32),
            pc: Pc(access.pc.into()),
            mode: access.mode,
            address: access.address,
            write,
        })
    }
}
