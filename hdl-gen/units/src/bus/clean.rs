//! Clean: a data cache has its own line written to memory, and keeps it in M.
//!
//! An ephemeral transaction asks for it before it first writes a line that memory does not have. It is a store's request
//! for a line that the cache has in M already, which no other store makes: so the request needs no word more. It orders
//! nothing, and is not numbered.

use hdl::{Sig, hardware, lit, reg, set_when, when};

use super::grant::Grant;
use super::look::Asks;
use super::phases::{Phase, Registers};
use super::{Bus, BusIo, walk};
use crate::l1_data::{Answer, CacheRequest, Mesi};
use crate::one_hot;

/// The code of a Clean in what the bus exports.
const CODE: u64 = 8;

impl Bus {
    /// Whether a data cache's request for a line is a Clean; nothing where there are none.
    pub(super) fn is_clean(&self, request: CacheRequest, answer: &Answer) -> Option<Sig> {
        self.colored.then(|| request.write & answer.state.is(Mesi::Modified))
    }
}

#[hardware]
impl Bus {
    /// A Clean is over when memory has taken the line.
    pub(super) fn end_clean(&self, io: &BusIo, registers: &Registers, grant: &Grant) {
        let Some(is_clean) = grant.is_clean else { return };
        let phase = registers.phase;
        /// The transaction is a Clean.
        let cleaning = reg(1).reset(0);
        set_when(grant.granting, cleaning, is_clean);
        let written = phase.is(Phase::WriteLine) & io.memory_request.fires();
        when(written & cleaning, || phase.set(Phase::Idle));
    }
}

impl Grant {
    /// The code of the transaction in what the bus exports.
    pub(super) fn exported_kind(&self, asks: &Asks, width: usize) -> Sig {
        let kind = self.kind.sig().zext(width);
        let coded = |kind: Sig, is: Option<Sig>, code: u64| {
            is.map_or(kind, |is| is.mux(lit(width, code), kind))
        };
        coded(coded(kind, asks.is_walk, walk::CODE), self.is_clean, CODE)
    }

    /// The address that the bus exports: that of the line.
    pub(super) fn exported_address(&self, bus: &Bus, address: Sig) -> Sig {
        match self.is_clean {
            Some(is_clean) => is_clean.mux(bus.geometry.line_address(address), address),
            None => address,
        }
    }

    /// The caches whose line moves, a bit each.
    pub(super) fn giver(&self, asks: &Asks) -> Sig {
        let supplier = one_hot::together(&self.found.supplier);
        match self.is_clean {
            Some(is_clean) => is_clean.mux(one_hot::together(&asks.asker), supplier),
            None => supplier,
        }
    }
}

/// A signal that is also 1 for a Clean, where there are any.
pub(super) fn with(of: Sig, is_clean: Option<Sig>) -> Sig {
    is_clean.map_or(of, |is_clean| of | is_clean)
}

/// A signal that is 0 for a Clean, where there are any.
pub(super) fn without(of: Sig, is_clean: Option<Sig>) -> Sig {
    is_clean.map_or(of, |is_clean| of & !is_clean)
}
