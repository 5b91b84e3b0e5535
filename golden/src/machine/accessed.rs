//! The order of data accesses, as models that watch all of memory want to be told it.

use crate::isa::DataAccess;
use crate::{HartId, Mode, Pc};

/// A data access to memory that took its place in the order. An SC that failed is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// By whom.
    pub hart: HartId,
    /// Its instruction.
    pub pc: Pc,
    /// The mode the instruction executed in.
    pub mode: Mode,
    /// Where, as the access has it.
    pub address: u32,
    /// It wrote: a store, an AMO or an SC.
    pub write: bool,
}

impl Accessed {
    /// An access of a hart that has its place in the order, unless it is an SC that failed.
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
