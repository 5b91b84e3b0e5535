//! What the drain handler does, seen from outside: when it runs, and how many entries it takes.

use border::map::MONITORS;
use border::monitor::{Index, Word};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cosim::machine::{Observed, Observer};
use golden::Mode;

const MRET: u32 = 0x3020_0073;
/// What was seen of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Interrupts whose handler took entries.
    pub traps: u64,
    /// From the instruction before such an interrupt to the return, all harts together.
    pub cycles: u64,
    /// Entries that these handlers took.
    pub entries: u64,
    /// Loads, stores and atomics of the program.
    pub memory_operations: u64,
    /// The last cycle in which the program did something.
    pub program_end: u64,
    /// Edges offered to tables.
    pub edges: u64,
    /// Those that found their table full.
    pub lost: u64,
}

/// Where a hart is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    last_retired: u64,
    trapped: bool,
    /// When the handler began that runs, and what it took so far.
    handler: Option<(u64, u64)>,
}

/// Looks on, and can be asked afterwards.
#[derive(Clone, Default)]
pub struct Watch {
    seen: Arc<Mutex<Seen>>,
}

impl Watch {
    /// What to give to the run.
    pub fn observer(&self, harts: usize) -> Observer {
        let watch = self.clone();
        let mut places = vec![Place::default(); harts];
        Box::new(move |cycle, observed| {
            let mut seen = watch.lock();
            if let Some(tap) = observed.tap() {
                seen.edges += 1;
                seen.lost += u64::from(tap.lost);
            }
            for (hart, place) in places.iter_mut().enumerate() {
                look(cycle, hart, observed, place, &mut seen);
            }
        })
    }

    /// What was seen.
    pub fn seen(&self) -> Seen {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn look(cycle: u64, hart: usize, observed: &Observed<'_>, place: &mut Place, seen: &mut Seen) {
    let Some(record) = observed.retired(hart) else { return };
    if record.intr && !place.trapped {
        place.handler = Some((place.last_retired, 0));
    }
    if let Some((began, taken)) = &mut place.handler {
        let pops = record.mem_rmask != 0
            && MONITORS.contains(record.mem_addr)
            && Index::at_offset(record.mem_addr - MONITORS.base) == Word::KindAndHarts.into();
        *taken += u64::from(pops);
        if record.insn == MRET {
            if *taken > 0 {
                seen.traps += 1;
                seen.cycles += cycle - *began;
                seen.entries += *taken;
            }
            place.handler = None;
        }
    }
    if record.mode == Mode::User {
        seen.program_end = cycle;
        let accesses = record.mem_rmask | record.mem_wmask;
        seen.memory_operations += u64::from(accesses != 0);
    }
    place.trapped = record.trap;
    place.last_retired = cycle;
}
