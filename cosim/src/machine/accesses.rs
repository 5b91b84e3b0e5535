//! Every data access in the machine's order, for models that watch all of memory.
//!
//! An access shows twice: where it takes its place in the order, and where its instruction ends. Each
//! hart's accesses end in the order of their places (docs/machine.md §5).

use std::collections::VecDeque;

use golden::isa::Retired;
use golden::machine::Accessed;
use golden::memory::{BusKind, HitKind};
use golden::{HartId, Mode, Pc};

use super::export::Observed;

/// A place in the order.
#[derive(Clone, Copy, Debug)]
struct Place {
    hart: usize,
    address: u32,
    write: bool,
    /// The instruction, once it has ended.
    ended: Option<(u32, Mode)>,
}

/// The accesses so far.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    order: Vec<Place>,
    /// For each hart the accesses that have not ended: places in `order`, or none for what is no
    /// access to memory.
    open: Vec<VecDeque<Option<usize>>>,
}

impl Accesses {
    pub fn new(harts: usize) -> Self {
        Self { order: Vec::new(), open: vec![VecDeque::new(); harts] }
    }

    /// One cycle: first the bus, then hits by hart number, then what ended.
    pub fn cycle(&mut self, observed: &Observed<'_>) {
        if let Some(grant) = observed.bus() {
            let hart = usize::from(grant.requester);
            match grant.kind {
                BusKind::Read => self.place(hart, grant.address, false),
                BusKind::ReadX | BusKind::Upgrade => self.place(hart, grant.address, true),
                BusKind::Device => {
                    if let Some(open) = self.open.get_mut(hart) {
                        open.push_back(None);
                    }
                }
                BusKind::Fetch | BusKind::HostRead | BusKind::HostWrite => {}
            }
        }
        for hart in 0..self.open.len() {
            if let Some(hit) = observed.hit(hart) {
                match hit.kind {
                    HitKind::Load | HitKind::LoadReserved => self.place(hart, hit.address, false),
                    HitKind::Store | HitKind::Sc | HitKind::Amo => {
                        self.place(hart, hit.address, true);
                    }
                    HitKind::FailingSc => self.open[hart].push_back(None),
                }
            }
            if let Some(record) = observed.retired(hart).filter(accesses_memory)
                && let Some(Some(place)) = self.open[hart].pop_front()
            {
                self.order[place].ended = Some((record.pc_rdata, record.mode));
            }
        }
    }

    fn place(&mut self, hart: usize, address: u32, write: bool) {
        self.open[hart].push_back(Some(self.order.len()));
        self.order.push(Place { hart, address, write, ended: None });
    }

    /// All accesses that ended; at most one of each hart had not.
    pub fn finish(self) -> Vec<Accessed> {
        let ended = |place: Place| {
            let (pc, mode) = place.ended?;
            Some(Accessed {
                hart: HartId(place.hart as u32),
                pc: Pc(pc.into()),
                mode,
                address: place.address,
                write: place.write,
            })
        };
        self.order.into_iter().filter_map(ended).collect()
    }
}

/// Whether an instruction was a load, a store, LR, SC or AMO, and did not trap.
fn accesses_memory(record: &Retired) -> bool {
    const LOAD: u32 = 0x03;
    const STORE: u32 = 0x23;
    const AMO: u32 = 0x2f;
    !record.trap && matches!(record.insn & 0x7f, LOAD | STORE | AMO)
}
