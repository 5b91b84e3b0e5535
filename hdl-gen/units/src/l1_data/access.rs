//! The accesses in the cache: the one that is looked up, and the one that waits or is written.

use hdl::{Bundle, Sig, hardware, lit, reg, set_when, when};

use super::lines::in_lanes;
use super::order::Cycle;
use super::speculation::{Demands, Speculation, adjusted};
use super::{L1Data, L1DataIo};
use crate::data_port::{AccessOp, DataRequest};
use crate::geometry::{ADDRESS_BITS, WORD_BITS};
use crate::one_hot;

/// What kind of access a request is.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub is_device: Sig,
    /// A load or an LR.
    pub is_read: Sig,
    /// A store, not an SC.
    pub is_store: Sig,
    pub is_amo: Sig,
    /// An SC.
    pub is_conditional: Sig,
}

impl Kind {
    /// The kind of a request; `which` begins the names of its signals.
    #[track_caller]
    fn of(access: &DataRequest, which: &str) -> Kind {
        let op = access.op;
        let named = |signal: Sig, name: &str| signal.named(&format!("{which}_{name}"));
        let is_read = op.is(AccessOp::Load) | op.is(AccessOp::LoadReserved);
        Kind {
            is_device: named(!access.address.bit(ADDRESS_BITS - 1), "is_device"),
            is_read: named(is_read, "is_read"),
            is_store: named(op.is(AccessOp::Store), "is_store"),
            is_amo: named(op.is(AccessOp::Amo), "is_amo"),
            is_conditional: named(op.is(AccessOp::StoreConditional), "is_conditional"),
        }
    }
}

impl Kind {
    /// It is an atomic operation or an SC: if it hits, it writes a cycle later than other accesses that wait.
    #[track_caller]
    pub(super) fn takes_two(self) -> Sig {
        self.is_amo | self.is_conditional
    }
}

/// The access whose set the arrays show. Most end here.
#[derive(Clone, Copy)]
pub(super) struct Newest {
    /// An access was taken in the cycle before, or is looked up again.
    pub valid: Sig,
    /// The request.
    pub access: DataRequest,
    /// It is the access that waits, looked up again.
    pub again: Sig,
    /// It counts: nothing that came before it waits.
    pub live: Sig,
    pub kind: Kind,
}

/// The access that was looked up in the cycle before, or longer ago if it waits.
#[derive(Clone, Copy)]
pub(super) struct Older {
    /// It waits.
    pub waits: Sig,
    /// The request.
    pub access: DataRequest,
    /// It asks the bus.
    pub asks: Sig,
    /// Its transaction was granted.
    pub granted: Sig,
    /// An observer refused its last attempt.
    pub table_full: Sig,
    /// It was held back and has to be looked up again.
    pub unseen: Sig,
    /// It waits, and what is known of its line is enough: it is done in this cycle, or, if it is an atomic
    /// operation, in the next.
    pub enough: Sig,
    /// What it writes if it is an atomic operation is computed; whether it fails if it is an SC is known.
    pub computed: Sig,
    /// It is a store that hit: it is written in this cycle.
    pub stores: Sig,
    /// It hit in the cycle before, so it has used its way.
    pub used: Sig,
    /// The way that it is in, or is put in, a bit each.
    pub way: Sig,
    /// The line was Exclusive.
    pub exclusive: Sig,
    /// The words that were read of every way, as [`Lines`](super::Lines) shows them.
    pub lanes: Sig,
    /// The one of them that is in its way.
    pub word: Sig,
    pub kind: Kind,
}

/// Both accesses.
#[derive(Clone, Copy)]
pub(super) struct Current {
    pub newest: Newest,
    pub older: Older,
    /// The address that the arrays were read with in the cycle before.
    pub shown_address: Sig,
    /// No access may be ordered in this cycle, except one whose transaction was granted.
    pub held_back: Sig,
}

#[hardware]
impl L1Data {
    /// The registers of the accesses.
    pub(super) fn current(&self, io: &L1DataIo, speculation: Option<&Speculation>) -> Current {
        let shape = || DataRequest::shape(self.observers.need_origin());
        /// An access is looked up in this cycle.
        let newest_valid = reg(1).reset(0);
        /// The request that is looked up; valid with `newest_valid`.
        let newest = reg(shape());
        let again = if self.looks_again() {
            /// The access looked up in this cycle is the waiting one, looked up again.
            let again = reg(1).reset(0);
            again
        } else {
            lit(1, 0)
        };
        /// The access looked up before is waiting: it did not complete in its first cycle.
        let waits = reg(1).reset(0);
        /// The request that was looked up before.
        let older = reg(shape());
        /// The waiting access requests the bus.
        let asks = reg(1).reset(0);
        /// The transaction of the waiting access was granted, which ordered the access.
        let granted = reg(1).reset(0);
        /// The last attempt of the waiting access was refused: the communication table is full.
        let table_full = reg(1).reset(0);
        let unseen = if self.looks_again() {
            /// The waiting access was held back, and has to be looked up again.
            let unseen = reg(1).reset(0);
            unseen
        } else {
            lit(1, 0)
        };
        /// The waiting access has what it needs: it can complete in this cycle (AMO, SC: in the
        /// next).
        let enough = reg(1).reset(0);
        /// The result of the AMO is computed, or it is known whether the SC fails.
        let computed = reg(1).reset(0);
        /// A store hit in the cycle before, and is written in this one.
        let stores = reg(1).reset(0);
        /// A load or store hit in the cycle before.
        let used = reg(1).reset(0);
        /// The way that holds the line of the older access, or that the line will be put in; one
        /// bit per way.
        let way = reg(self.geometry.ways);
        /// The line of the older access was Exclusive.
        let exclusive = reg(1);
        /// The words that the older access read, one of each way.
        let older_lanes = reg(self.geometry.ways * WORD_BITS);
        let of_lane = |lane: usize| older_lanes.bits(lane * WORD_BITS..(lane + 1) * WORD_BITS);
        let lanes: Vec<Sig> = (0..self.geometry.ways).map(of_lane).collect();
        let place = self.geometry.word(older.address);
        let older_word = one_hot::choose(&in_lanes(&one_hot::apart(way), place), &lanes);
        /// The address that the arrays were read with in the cycle before.
        let shown_address = reg(ADDRESS_BITS);

        /// The access looked up in this cycle is valid: no older access waits.
        let live = newest_valid & (!waits & !io.data.cancel | again);
        let kind = Kind::of(&newest, "newest");
        let newest = Newest { valid: newest_valid, access: newest, again, live, kind };
        let held_back = adjusted(
            io.hold.unwrap_or_else(|| lit(1, 0)),
            speculation,
            |held_back, speculation| held_back | self.holds_back(io, &newest, speculation),
        );
        Current {
            newest,
            older: Older {
                waits,
                access: older,
                asks,
                granted,
                table_full,
                unseen,
                enough,
                computed,
                stores,
                used,
                way,
                exclusive,
                lanes: older_lanes,
                word: older_word,
                kind: Kind::of(&older, "older"),
            },
            shown_address,
            held_back,
        }
    }

    /// Moves the accesses on: takes the next one, keeps what is found out about the newest, notes what the bus
    /// says to the older one, and ends it. `reads_again` looks the one that waits up again.
    pub(super) fn advance(
        &self,
        cycle: &Cycle<'_>,
        withdrawn: Sig,
        reads_again: Sig,
        demands: Option<Demands>,
    ) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (request, verdict) = (io.data.request, io.bus.verdict);
        let Current { newest, older, held_back, .. } = *current;

        let looks_again = reads_again & !withdrawn;
        newest.valid.set(request.fires() | looks_again);
        if self.looks_again() {
            newest.again.set(looks_again);
            newest.access.drive(&hdl::mux(older.waits, &older.access, &request.payload));
        } else {
            newest.access.drive(&request.payload);
        }

        // What was looked up. While an access waits its registers stay, unless it was looked up again.
        when(!older.waits, || {
            older.access.drive(&newest.access);
        });
        let looked_up = newest.live & !held_back;
        older.stores.set(outcome.store_hits);
        older.used.set(outcome.read_hits | outcome.store_hits);
        when(!older.waits | newest.again, || {
            older.waits.set(newest.live & !outcome.fast_done);
            older.asks.set(looked_up & (newest.kind.is_device | outcome.misses));
            older.enough.set(looked_up & !newest.kind.is_device & !outcome.misses);
            older.way.set(one_hot::together(&lookup.matches));
            older.exclusive.set(outcome.first_write);
            older.lanes.set(one_hot::together(&lookup.lines.lane));
            older.granted.set(0);
            older.table_full.set(0);
        });
        if self.looks_again() {
            set_when(!older.waits | newest.again, older.unseen, newest.live & held_back);
            set_when(reads_again | withdrawn, older.unseen, 0);
        }

        // The transaction of the one that waits.
        when(lookup.asking, || {
            older.way.set(one_hot::together(&lookup.chosen));
            older.lanes.set(one_hot::together(&lookup.lines.lane));
        });
        let deciding = verdict.deciding & verdict.mine;
        when(deciding & verdict.granted, || {
            older.granted.set(1);
            older.asks.set(0);
            older.table_full.set(0);
        });
        set_when(deciding & verdict.stalled, older.table_full, 1);
        if let Some(demands) = demands {
            // A Clean orders nothing: the access is looked up again, and then hits.
            when(demands.cleans_first, || {
                older.asks.set(1);
                older.enough.set(0);
            });
            when(self.own_clean(cycle), || {
                older.granted.set(0);
                older.unseen.set(1);
            });
        }
        older.computed.set(older.waits & older.enough & !older.computed);
        // An atomic operation has its word with the line, and computes in the next cycle.
        when(io.bus.fill.valid & older.kind.is_amo, || {
            older.enough.set(1);
            let fill_words = outcome.fill_word.repeat(self.geometry.ways);
            set_when(io.bus.fill.with_line, older.lanes, fill_words);
        });
        when(outcome.late_done | withdrawn, || {
            older.waits.set(0);
            older.asks.set(0);
            older.enough.set(0);
            older.granted.set(0);
        });
    }
}
