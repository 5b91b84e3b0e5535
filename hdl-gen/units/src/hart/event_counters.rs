//! Counters of events, a unit beside the hart: what its cycles go to (docs/machine.md, Counters of events).

use border::event::{COUNTER_BITS, Event};
use hdl::{Sig, hardware, lit, reg, set_when};

use super::beside::{Acts, Beside, HartUnit};

/// A counter for each event.
#[derive(Debug)]
pub struct EventCounters;

/// The CSRs of a counter: its lower half, its upper half, and what it counts.
const CSR_BASES: [u64; 3] = [0xb00, 0xb80, 0x320];

impl HartUnit for EventCounters {
    fn name(&self) -> String {
        "counted".into()
    }

    fn csrs(&self) -> Vec<u64> {
        let of = |event: &Event| CSR_BASES.map(|base| base + u64::from(event.number()));
        Event::ALL.iter().flat_map(of).collect()
    }

    fn counts_events(&self) -> bool {
        true
    }

    fn attach(&self, beside: &Beside) -> Acts {
        let csrs = Event::ALL.iter().zip(beside.events.iter());
        let csrs = csrs.flat_map(|(&event, &happens)| counter(event, happens)).collect();
        Acts { csrs, ..Acts::default() }
    }
}

/// Counts an event. Returns what its CSRs read.
#[hardware]
fn counter(event: Event, happens: Sig) -> [Sig; 3] {
    let bits = COUNTER_BITS as usize;
    let happened = reg(1).reset(0).named(&format!("{}_happened", event.name()));
    happened.set(happens);
    let count = reg(bits).reset(0).named(&format!("{}_count", event.name()));
    set_when(happened, count, count + 1);
    let upper = count.bits(32..).zext(32).named(&format!("{}_upper", event.name()));
    [count.trunc(32), upper, lit(32, event.number())]
}
