//! The caches and the bus together: one writer or many readers, and the last value written.
//!
//! The proof keeps what docs/machine.md says of one line, whichever the solver likes: in which state
//! each cache has it, the value of one of its words, and its writer. Every grant and every hit must be
//! one that this allows, and every load must return that value. The harts do what the solver likes:
//! loads, stores and swaps of whole words, given up whenever that is allowed.

use config::{Overflow, Update};
use hdl::{
    Bundle, Enum, HwEnum, Inst, Module, Sig, array, assert, cat, connect, cover, hardware, input,
    lit, ports, reg, select, set_when, when,
};

use super::any::chosen_once;
use crate::bugaboo::{Bugaboo, GrantExport};
use crate::bus::{Bus, BusIo, BusKind};
use crate::comm_monitor::CommMonitor;
use crate::data_port::{AccessOp, AmoOp, DataRequest};
use crate::geometry::{ADDRESS_BITS, Geometry, WORD_BITS};
use crate::l1_data::{HitKind, L1Data, L1DataIo, Mesi};
use crate::metadata::{Fields, Metadata};
use crate::observer::{Observers, Opaque};
use crate::one_hot;

const GEOMETRY: Geometry = Geometry { ways: 1, sets: 1, line: 8 };
const FIELDS: Fields = Fields { pc_bits: 1, events: 1, hart_bits: 0, time_bits: 0 };
/// Lines that there are in memory.
const LINES: usize = 2;
/// Words of a line.
const WORDS: usize = 2;
/// Bits that tell words apart: a line and a word of it.
const PLACE_BITS: usize = 2;
/// Bits of a count of cycles.
const CYCLES_BITS: usize = 7;

/// The cycles within which an access ends: its own transaction, and one of each of the others.
const fn longest(harts: usize) -> usize {
    4 + 11 * harts
}

/// What is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// States, values and metadata are right.
    Coherent,
    /// Every access ends. A proof of its own: counting makes the search for an invariant long.
    Responds,
}

/// How much sooner the slowest access that a cover finds ends.
const SLACK: usize = 6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CoherenceProof {
    pub harts: usize,
    pub claim: Claim,
}

/// What one hart does.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct HartChoice {
    valid: Sig,
    /// The number of the word that the hart accesses, counted from the start of RAM.
    place: Sig,
    /// The access stores or swaps; else it loads.
    store: Sig,
    swap: Sig,
    /// The value, of one bit, that the access stores.
    bit: Sig,
    withdraw: Sig,
    /// The hart's monitor says that the access is monitored.
    monitored: Sig,
    writer: Sig,
}

/// What the solver chooses.
#[derive(Clone, Debug, Bundle)]
pub(super) struct Choice {
    /// The number of the word that the proof follows.
    followed: Sig,
    hart: Vec<HartChoice>,
}

/// Caches on a bus, a small memory, and what should be true of one line.
#[hardware]
impl Module for CoherenceProof {
    type Io = Choice;

    fn name(&self) -> String {
        match self.claim {
            Claim::Coherent => format!("prove_coherence_{}", self.harts),
            Claim::Responds => format!("prove_response_{}", self.harts),
        }
    }

    fn build(&self) -> Choice {
        let harts = self.harts;
        let io = ports(Choice {
            followed: input(PLACE_BITS),
            hart: array(harts, |_| HartChoice {
                valid: input(1),
                place: input(PLACE_BITS),
                store: input(1),
                swap: input(1),
                bit: input(1),
                withdraw: input(1),
                monitored: input(1),
                writer: input(1),
            }),
        });
        let followed = chosen_once(io.followed);
        let followed_address = address_of(followed);
        let bus = self.bus().instance();
        let caches = array(harts, |_| {
            let (geometry, observers) = (GEOMETRY, observers());
            let cache = L1Data { geometry, observers, perturbed: false, colored: false }.instance();
            cache
        });
        self.join(&bus, &caches, &io);
        for cache in &caches {
            cache.watch.address.set(followed_address);
        }
        match self.claim {
            Claim::Coherent => self.follow(&bus, &caches, &io, followed_address),
            Claim::Responds => self.responses(&caches, &io),
        }
        io
    }
}

#[hardware]
impl CoherenceProof {
    fn bus(&self) -> Bus {
        let (harts, geometry, observers) = (self.harts, GEOMETRY, observers());
        Bus { harts, geometry, observers, perturbed: false, colored: false }
    }

    /// Joins caches, harts and memory; nobody fetches, and the host and the devices are silent.
    fn join(&self, bus: &Inst<BusIo>, caches: &[Inst<L1DataIo>], io: &Choice) {
        let ready: Vec<Sig> = caches.iter().map(|cache| cache.ready).collect();
        bus.ready.set(one_hot::together(&ready).all());
        let monitors = bus.observers.get("monitors").expect("lines have writers");
        for (hart, cache) in caches.iter().enumerate() {
            let does = io.hart[hart];
            connect(&cache.bus, &bus.cache[hart]);
            let request = cache.data.request;
            request.valid.set(does.valid);
            request.payload.drive(&DataRequest {
                address: address_of(does.place),
                op: access_op(does),
                amo: hdl::variant(AmoOp::Swap),
                mask: lit(4, 15),
                load: lit(3, 2),
                data: does.bit.zext(WORD_BITS),
                pc: Some(lit(WORD_BITS, 0)),
                machine_mode: Some(lit(1, 0)),
            });
            cache.data.cancel.set(0);
            cache.data.withdraw.set(does.withdraw);
            monitors.hart[hart].monitored.set(does.monitored);
            let store_meta = monitors.hart[hart].store_meta.as_ref().map(Opaque::get::<Metadata>);
            let store_meta = store_meta.expect("lines have writers");
            store_meta.pc.set(does.writer);
            store_meta.ctx.set(0);
            bus.fetch[hart].request.valid.set(0);
            bus.fetch[hart].request.payload.set(0);
        }
        bus.host_request.valid.set(0);
        bus.host_request.payload.leaves().iter().for_each(|leaf| leaf.sig.set(0));
        bus.host_response.ready.set(1);
        bus.device_data.set(0);

        // Memory takes everything at once and answers in the next cycle. It keeps a bit of each word.
        let rows = array(LINES, |_| {
            let row = reg(WORDS).reset(0);
            row
        });
        let asked = bus.memory_request;
        asked.ready.set(1);
        let row_number = asked.payload.address.bit(GEOMETRY.offset_bits());
        let kept = cat((0..WORDS).rev().map(|word| asked.payload.data.bit(word * WORD_BITS)));
        for (number, row) in rows.iter().enumerate() {
            set_when(asked.fires() & asked.payload.write & row_number.eq(number), *row, kept);
        }
        let answers = reg(1).reset(0);
        answers.set(asked.fires() & !asked.payload.write);
        /// The line that memory returns, a bit for each word.
        let given = reg(WORDS);
        given.set(select(row_number, &rows));
        bus.memory_response.valid.set(answers);
        bus.memory_response
            .payload
            .set(cat((0..WORDS).rev().map(|word| given.bit(word).zext(WORD_BITS))));
    }

    /// What is true of the line that is followed, and what of it shows.
    fn follow(
        &self,
        bus: &Inst<BusIo>,
        caches: &[Inst<L1DataIo>],
        io: &Choice,
        followed_address: Sig,
    ) {
        let same_line =
            |address: Sig| GEOMETRY.line_number(address).eq(GEOMETRY.line_number(followed_address));
        let grant = &bus.export;
        let is = |kind: BusKind| grant.kind.eq(kind.code());
        let granted = grant.valid & same_line(grant.address);
        let evicted = grant.valid & grant.victim & same_line(grant.victim_address);

        /// How each cache should have the line.
        let state = array(self.harts, |_| {
            let state = reg(Mesi::shape()).reset(Mesi::Invalid);
            state
        });
        let requester: Vec<Sig> = (0..self.harts).map(|hart| grant.requester.eq(hart)).collect();
        let valid: Vec<Sig> = state.iter().map(|state| !state.is(Mesi::Invalid)).collect();
        let others: Vec<Sig> =
            valid.iter().zip(&requester).map(|(&valid, &mine)| valid & !mine).collect();
        let held = one_hot::any(&others);
        for (hart, state) in state.iter().enumerate() {
            let (mine, hit) = (requester[hart], caches[hart].hit);
            let hits = hit.valid & same_line(hit.address);
            let writes = hits & (hit.kind.is(HitKind::Store) | hit.kind.is(HitKind::Amo));
            let writable = state.is(Mesi::Exclusive) | state.is(Mesi::Modified);
            assert(
                &format!("hits_what_it_has_{hart}"),
                !hits | valid[hart],
                "a load hits a line that is there",
            );
            assert(
                &format!("writes_what_it_owns_{hart}"),
                !writes | writable,
                "a store hits a line that no other cache has",
            );
            when(writes, || state.set(Mesi::Modified));
            when(granted & is(BusKind::Read), || {
                when(mine, || {
                    state.set(Mesi::Exclusive);
                    when(held, || state.set(Mesi::Shared));
                })
                .elsewhen(valid[hart], || state.set(Mesi::Shared));
            });
            when(granted & !is(BusKind::Read), || {
                state.set(Mesi::Invalid);
                when(mine, || state.set(Mesi::Modified));
            });
            when(evicted & mine, || state.set(Mesi::Invalid));
            let owned = writable & one_hot::any(&self.except(&valid, hart));
            assert(&format!("one_writer_{hart}"), !owned, "an owner is alone");
        }
        when(granted, || {
            assert(
                "holders_are_known",
                grant.holders.eq(one_hot::together(&others)),
                "the bus finds the line where it is",
            );
            let own = Enum::<Mesi>::from_sig(one_hot::choose(
                &requester,
                &state.iter().map(|state| state.sig()).collect::<Vec<_>>(),
            ));
            assert(
                "asks_for_what_it_lacks",
                own.is(Mesi::Invalid) & !is(BusKind::Upgrade)
                    | own.is(Mesi::Shared) & is(BusKind::Upgrade),
                "a transaction is of the kind that the requester's copy makes it",
            );
        });

        // The writer.
        let writers: Vec<Sig> = io.hart.iter().map(|hart| hart.writer).collect();
        /// The pc of the last writer of the followed line; 0 if memory has the line.
        let writer = reg(1).reset(0);
        let supplied = grant.observed.0[0].of.get::<GrantExport>().meta;
        when(granted, || {
            when(!is(BusKind::Read), || writer.set(one_hot::choose(&requester, &writers)))
                .elsewhen(!held, || writer.set(0));
            when(held | is(BusKind::Upgrade), || {
                assert(
                    "same_metadata",
                    supplied.pc.eq(writer) & supplied.ctx.eq(0),
                    "whoever supplies the line, its metadata is the same",
                );
            })
            .otherwise(|| {
                assert("null_from_memory", supplied.pack().eq(0), "memory knows no writer");
            });
        });

        // The word.
        /// The value of the followed word after the last store to it.
        let value = reg(1).reset(0);
        let stores: Vec<Sig> = caches.iter().map(|cache| cache.watch.valid).collect();
        let stored: Vec<Sig> = caches.iter().map(|cache| cache.watch.data).collect();
        assert("one_store", one_hot::at_most_one(&stores), "one cache writes a word at a time");
        set_when(one_hot::any(&stores), value, one_hot::choose(&stores, &stored).bit(0));
        for (hart, cache) in caches.iter().enumerate() {
            /// The access under way.
            let access = reg(cache.data.request.payload);
            when(cache.data.taken, || access.drive(&cache.data.request.payload));
            let reads = cache.data.response_valid
                & !access.op.is(AccessOp::Store)
                & access.address.eq(followed_address);
            let read_word = cache.data.late.mux(cache.data.late_data, cache.data.response_data);
            assert(
                &format!("reads_the_last_value_{hart}"),
                !reads | read_word.eq(value.zext(WORD_BITS)),
                "a load returns what the last store wrote",
            );
            let elsewhere = one_hot::any(&self.except(&valid, hart));
            cover(
                &format!("reads_anothers_{hart}"),
                reads & value & elsewhere & access.op.is(AccessOp::Load),
                "a load reads what is in several caches",
            );
            cover(&format!("evicts_{hart}"), evicted & requester[hart] & value, "a line leaves");
        }
        cover(
            "upgrade",
            granted & is(BusKind::Upgrade) & held & writer,
            "a shared line is written",
        );
        let modified: Vec<Sig> = state.iter().map(|state| state.is(Mesi::Modified)).collect();
        cover(
            "moves_dirty",
            granted & is(BusKind::ReadX) & one_hot::any(&modified) & value,
            "a line moves from writer to writer",
        );
    }

    /// No access takes too long.
    fn responses(&self, caches: &[Inst<L1DataIo>], io: &Choice) {
        for (hart, cache) in caches.iter().enumerate() {
            /// An access is under way.
            let waits = reg(1).reset(0);
            /// For how many cycles the access has been under way.
            let cycles = reg(CYCLES_BITS).reset(0);
            set_when(waits, cycles, cycles + 1);
            set_when(cache.data.response_valid, waits, 0);
            set_when(io.hart[hart].withdraw & cache.data.withdrawable, waits, 0);
            when(cache.data.taken, || {
                waits.set(1);
                cycles.set(0);
            });
            assert(
                &format!("ends_in_time_{hart}"),
                !waits | cycles.le(longest(self.harts)),
                "no access waits for ever",
            );
            cover(
                &format!("waits_long_{hart}"),
                cache.data.response_valid & cycles.eq(longest(self.harts) - SLACK),
                "the bound is not much too high",
            );
        }
    }

    /// All but the one of this hart.
    fn except(&self, bits: &[Sig], hart: usize) -> Vec<Sig> {
        let others = bits.iter().enumerate().filter(|(other, _)| *other != hart);
        others.map(|(_, &bit)| bit).collect()
    }
}

/// The smallest metadata there is; the monitors themselves are left out.
fn observers() -> Observers {
    let monitor =
        CommMonitor { core_pc_bits: 32, fields: FIELDS, depth: 1, overflow: Overflow::Discard };
    Observers::none().and(Bugaboo { monitor, update: Update::Miss })
}

/// The address of a word: RAM, the line, the word.
fn address_of(place: Sig) -> Sig {
    let above = ADDRESS_BITS - 1 - PLACE_BITS - 2;
    cat([lit(1, 1), lit(above, 0), place, lit(2, 0)])
}

/// What an access does.
#[hardware]
fn access_op(does: HartChoice) -> Enum<AccessOp> {
    let op = hdl::wire(AccessOp::shape());
    op.set(AccessOp::Load);
    when(does.store, || {
        op.set(AccessOp::Store);
        when(does.swap, || op.set(AccessOp::Amo));
    });
    op
}
