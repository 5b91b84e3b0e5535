//! Every data access in the machine's order, for models that watch all of memory.
//!
//! An access is exported twice: when it is ordered, and when its instruction retires. Each hart's
//! accesses retire in the order in which they were ordered (docs/machine.md §5).

use std::collections::VecDeque;

use golden::isa::Retired;
use golden::machine::Accessed;
use golden::memory::{BusKind, HitKind};
use golden::{HartId, Mode, Pc};

use super::export::Observed;

/// An ordered access to memory.
#[derive(Clone, Copy, Debug)]
struct OrderedAccess {
    hart: usize,
    address: u32,
    write: bool,
    /// PC and mode of its instruction, once retired.
    retired: Option<(u32, Mode)>,
}

/// All accesses so far.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    order: Vec<OrderedAccess>,
    /// For each hart the accesses that have not retired: indices into `order`, or `None` for an
    /// access that is not to memory.
    open: Vec<VecDeque<Option<usize>>>,
}

impl Accesses {
    pub fn new(harts: usize) -> Self {
        Self { order: Vec::new(), open: vec![VecDeque::new(); harts] }
    }

    /// Records one cycle: the bus first, then hits by hart number, then retired instructions.
    pub fn cycle(&mut self, observed: &Observed<'_>) {
        if let Some(grant) = observed.bus() {
            let hart = usize::from(grant.requester);
            match grant.kind {
                BusKind::Read => self.push(hart, grant.address, false),
                BusKind::ReadX | BusKind::Upgrade => self.push(hart, grant.address, true),
                BusKind::Device => {
                    if let Some(open) = self.open.get_mut(hart) {
                        open.push_back(None);
                    }
                }
                BusKind::Fetch
                | BusKind::HostRead
                | BusKind::HostWrite
                | BusKind::Walk
                | BusKind::Clean => {}
            }
        }
        for hart in 0..self.open.len() {
            if let Some(hit) = observed.hit(hart) {
                match hit.kind {
                    HitKind::Load | HitKind::LoadReserved => self.push(hart, hit.address, false),
                    HitKind::Store | HitKind::Sc | HitKind::Amo => {
                        self.push(hart, hit.address, true);
                    }
                    HitKind::FailingSc => self.open[hart].push_back(None),
                }
            }
            if let Some(record) = observed.retired(hart).filter(accesses_memory)
                && let Some(Some(index)) = self.open[hart].pop_front()
            {
                self.order[index].retired = Some((record.pc_rdata, record.mode));
            }
        }
    }

    fn push(&mut self, hart: usize, address: u32, write: bool) {
        self.open[hart].push_back(Some(self.order.len()));
        self.order.push(OrderedAccess { hart, address, write, retired: None });
    }

    /// All accesses whose instructions retired.
    pub fn finish(self) -> Vec<Accessed> {
        let retired = |access: OrderedAccess| {
            let (pc, mode) = access.retired?;
            Some(Accessed {
                hart: HartId(access.hart as u32),
                pc: Pc(pc.into()),
                mode,
                address: access.address,
                write: access.write,
            })
        };
        self.order.into_iter().filter_map(retired).collect()
    }
}

/// Whether an instruction was a load, a store, LR, SC or AMO, and did not trap.
fn accesses_memory(record: &Retired) -> bool {
    const LOAD: u32 = 0x03;
    const STORE: u32 = 0x23;
    const AMO: u32 = 0x2f;
    !record.trap && matches!(record.insn & 0x7f, LOAD | STORE | AMO)
}
