//! The access that the cache works on: its registers, and how they change.

use hdl::{Bundle, Sig, hardware, lit, reg, set_when, when};

use super::order::Cycle;
use super::{L1Data, L1DataIo};
use crate::data_port::{AccessOp, DataRequest};
use crate::geometry::ADDRESS_BITS;

/// The access under way, and what kind of access it is.
#[derive(Clone, Copy)]
pub(super) struct Current {
    /// There is an access; everything else counts only with this.
    pub busy: Sig,
    /// The request, as the hart made it.
    pub access: DataRequest,
    /// Its transaction was granted.
    pub granted: Sig,
    /// It needs a transaction.
    pub missed: Sig,
    /// An observer refused its last attempt.
    pub table_full: Sig,
    /// The arrays show the set of this access, as it is now.
    pub fresh: Sig,
    /// The address that the arrays were read with in the cycle before.
    pub shown_address: Sig,
    /// It must not be ordered in this cycle.
    pub held_back: Sig,
    pub is_device: Sig,
    /// A load or an LR.
    pub is_read: Sig,
    pub is_amo: Sig,
    /// An SC.
    pub is_conditional: Sig,
}

#[hardware]
impl L1Data {
    /// The registers of the access.
    pub(super) fn current(&self, io: &L1DataIo) -> Current {
        /// An access is under way.
        let busy = reg(1).reset(0);
        /// The request under way; valid while `busy`.
        let access = reg(DataRequest::shape(self.observers.need_origin()));
        /// The transaction of the access was granted, which orders the access.
        let granted = reg(1).reset(0);
        /// The lookup missed: the access needs a transaction.
        let missed = reg(1).reset(0);
        /// An observer refused the last attempt of the access.
        let table_full = reg(1).reset(0);
        /// The arrays show the current contents of the set of the access.
        let fresh = reg(1).reset(0);
        /// The address that the arrays were read with in the cycle before.
        let shown_address = reg(ADDRESS_BITS);

        let held_back = io.hold.unwrap_or_else(|| lit(1, 0));
        let op = access.op;
        let is_device = !access.address.bit(ADDRESS_BITS - 1);
        let is_read = op.is(AccessOp::Load) | op.is(AccessOp::LoadReserved);
        let is_amo = op.is(AccessOp::Amo);
        let is_conditional = op.is(AccessOp::StoreConditional);
        Current {
            busy,
            access,
            granted,
            missed,
            table_full,
            fresh,
            shown_address,
            held_back,
            is_device,
            is_read,
            is_amo,
            is_conditional,
        }
    }

    /// Ends the access, notes what the bus says to it, and takes the next one. Returns whether one is
    /// taken in this cycle.
    pub(super) fn advance(&self, cycle: &Cycle<'_>, withdrawn: Sig) -> Sig {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (request, verdict) = (io.data.request, io.bus.verdict);
        let Current { busy, access, granted, missed, table_full, is_device, .. } = *current;
        let (asking, done) = (lookup.asking, outcome.done);
        set_when(done | withdrawn, busy, 0);
        when(asking & verdict.granted, || {
            granted.set(1);
            table_full.set(0);
        });
        set_when(asking & verdict.stalled, table_full, 1);
        set_when(busy & outcome.misses & !is_device, missed, 1);
        let takes = request.fires();
        when(takes, || {
            busy.set(1);
            access.drive(&request.payload);
        });
        when(takes | done | withdrawn, || {
            granted.set(0);
            missed.set(0);
            table_full.set(0);
            outcome.amo_ready.set(0);
        });
        takes
    }
}
