//! What the cycles of a hart go to: what it waits for, and, where the machine has counters of events, what delays its
//! instructions inside the pipeline.

use std::ops::AddAssign;

use border::event::Event;

use super::export::Observed;

/// Reasons to wait, as `wait_reason` exports them, from 1; with the rows in which they are shown.
const WAITS: [&str; 6] =
    ["instructions", "the bus", "a device", "room in the table", "an interrupt", "being let go"];

/// Events that are no waits of the whole hart, with the rows in which they are shown.
const EVENTS: [(Event, &str); 5] = [
    (Event::FetchMiss, "fetch misses"),
    (Event::DataMiss, "data misses"),
    (Event::Mispredict, "mispredicted jumps"),
    (Event::OperandWait, "waiting for an operand"),
    (Event::ExecuteWait, "waiting in X"),
];

/// What the cycles of one hart went to, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    waits: [u64; WAITS.len()],
    events: [u64; Event::ALL.len()],
}

/// The place of an event in a list of all.
fn place(event: Event) -> usize {
    (event.number() - Event::ALL[0].number()) as usize
}

impl Spent {
    /// How often an event happened; 0 on a machine without counters of events.
    pub fn event(&self, event: Event) -> u64 {
        self.events[place(event)]
    }

    /// Cycles in which the hart waited for instructions, the bus, a device, room in the table, an interrupt, and for
    /// being let go.
    pub fn waits(&self) -> &[u64] {
        &self.waits
    }

    /// Counts one cycle of a hart.
    pub(super) fn count(&mut self, cycle: &Observed<'_>, hart: usize) {
        let reason = usize::from(cycle.wait(hart).reason);
        if let Some(waits) = reason.checked_sub(1).and_then(|place| self.waits.get_mut(place)) {
            *waits += 1;
        }
        for (count, happens) in self.events.iter_mut().zip(cycle.events(hart)) {
            *count += u64::from(happens);
        }
    }

    /// The rows in which this is shown; `counted` if the machine counts events.
    pub(super) fn rows(&self, counted: bool) -> Vec<(String, u64)> {
        let waits = WAITS.iter().zip(self.waits);
        let waits = waits.map(|(what, cycles)| (format!("waiting for {what}"), cycles));
        let events = EVENTS.iter().filter(|_| counted);
        let events = events.map(|&(event, what)| (what.to_owned(), self.event(event)));
        waits.chain(events).collect()
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.waits.iter_mut().zip(other.waits).for_each(|(sum, more)| *sum += more);
        self.events.iter_mut().zip(other.events).for_each(|(sum, more)| *sum += more);
    }
}
