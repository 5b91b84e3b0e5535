//! The counters of events.
//!
//! What they count happens in the pipeline, of which this model knows nothing. So a value comes from outside, and
//! what is known of it is between which two values it must be: a counter never goes back, and counts at most
//! one event a cycle.

use super::environment::Half;
use border::event::{COUNTER_BITS, Event};

/// A counter as it was last seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counter {
    /// It was at least this.
    value: u64,
    /// And at most this in that cycle.
    at: u64,
}

/// The counters of a hart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Events([Counter; Event::ALL.len()]);

impl Events {
    fn of(event: Event) -> usize {
        (event.number() - Event::FetchMiss.number()) as usize
    }

    /// The least and the most that a counter can be.
    pub fn bounds(&self, event: Event, now: u64) -> (u64, u64) {
        let Counter { value, at } = self.0[Self::of(event)];
        (value, value + now.saturating_sub(at))
    }

    /// Records the observed value of a half.
    pub fn saw(&mut self, event: Event, half: Half, value: u32, now: u64) {
        let counter = &mut self.0[Self::of(event)];
        match half {
            Half::Low => {
                counter.value += u64::from(value.wrapping_sub(counter.value as u32));
                // After a time in which it may have carried, one half does not say what it is.
                if now.saturating_sub(counter.at) <= u64::from(u32::MAX) {
                    counter.at = now;
                }
            }
            Half::High => {
                let value = u64::from(value) % (1 << (COUNTER_BITS - 32));
                counter.value = counter.value.max(value << 32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_stays_between_what_it_was_and_one_event_a_cycle() {
        let mut events = Events::default();
        assert_eq!(events.bounds(Event::DataMiss, 100), (0, 100));
        events.saw(Event::DataMiss, Half::Low, 40, 100);
        assert_eq!(events.bounds(Event::DataMiss, 100), (40, 40));
        assert_eq!(events.bounds(Event::DataMiss, 160), (40, 100));
        assert_eq!(events.bounds(Event::Mispredict, 160), (0, 160));
    }

    #[test]
    fn the_lower_half_carries_into_the_upper_one() {
        let (mut events, now) = (Events::default(), u64::from(u32::MAX));
        events.saw(Event::BusWait, Half::Low, u32::MAX, now);
        events.saw(Event::BusWait, Half::Low, 4, now + 5);
        assert_eq!(events.bounds(Event::BusWait, now + 5), ((1 << 32) + 4, (1 << 32) + 4));
        events.saw(Event::BusWait, Half::High, 3, now + 9);
        assert_eq!(events.bounds(Event::BusWait, now + 9).0, 3 << 32);
    }

    #[test]
    fn a_lower_half_alone_does_not_say_what_a_counter_is_after_a_long_time() {
        let (mut events, now) = (Events::default(), 7 << 32);
        events.saw(Event::BusWait, Half::Low, 9, now);
        let (least, most) = events.bounds(Event::BusWait, now);
        assert!(least == 9 && most >= (6 << 32) + 9, "{least} to {most}");
    }
}
