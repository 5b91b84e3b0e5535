//! The communication context: the most recent communication events of a hart.
//!
//! Bugaboo §3 embeds the recent history of communication in every graph node; §4.2.1 keeps it in a
//! short queue in each core.

/// A kind of communication, seen from one hart (Bugaboo §3.1: local or remote, read or write).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// This hart read a line that another cache held.
    LocalRead,
    /// This hart wrote a line that another cache held.
    LocalWrite,
    /// Another hart read a line that this hart's cache held.
    RemoteRead,
    /// Another hart wrote a line that this hart's cache held.
    RemoteWrite,
}

impl Event {
    /// All events, in the order of their codes.
    pub const ALL: [Event; 4] =
        [Event::LocalRead, Event::LocalWrite, Event::RemoteRead, Event::RemoteWrite];

    /// The two-bit code.
    pub fn code(self) -> u32 {
        match self {
            Event::LocalRead => 0,
            Event::LocalWrite => 1,
            Event::RemoteRead => 2,
            Event::RemoteWrite => 3,
        }
    }
}

/// A context as stored with a line or an edge: two bits per event, the newest in the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ctx(pub u32);

/// The last few events of a hart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    /// Newest first; always `length` events.
    codes: Vec<u32>,
}

impl Context {
    /// A context of `length` events at reset. There is no count of valid events: an empty context and
    /// one full of local reads are the same.
    pub fn new(length: usize) -> Context {
        Context { codes: vec![0; length] }
    }

    /// Shifts `event` in and the oldest event out.
    pub fn observe(&mut self, event: Event) {
        self.codes.pop();
        self.codes.insert(0, event.code());
    }

    /// The context as a number: two bits per event, the newest in the lowest.
    pub fn to_bits(&self) -> u32 {
        self.codes.iter().rev().fold(0, |bits, code| bits << 2 | code)
    }

    /// The context as stored with an access now.
    pub fn sample(&self) -> Ctx {
        Ctx(self.to_bits())
    }

    /// One cycle of the register: the software write first, then the event. Returns the context
    /// before both.
    pub fn step(&mut self, write: Option<u32>, event: Option<Event>) -> Ctx {
        let before = self.sample();
        if let Some(bits) = write {
            self.overwrite(bits);
        }
        if let Some(event) = event {
            self.observe(event);
        }
        before
    }

    /// Replaces the whole context, as software does when a thread starts.
    pub fn overwrite(&mut self, bits: u32) {
        for (place, code) in self.codes.iter_mut().enumerate() {
            *code = bits >> (2 * place) & 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_event_is_in_the_lowest_bits() {
        let mut context = Context::new(3);
        context.observe(Event::RemoteWrite);
        context.observe(Event::LocalWrite);
        assert_eq!(context.to_bits(), 0b00_11_01);
    }

    #[test]
    fn the_oldest_event_is_forgotten() {
        let mut context = Context::new(2);
        for event in [Event::RemoteWrite, Event::RemoteRead, Event::LocalWrite] {
            context.observe(event);
        }
        assert_eq!(context.to_bits(), 0b10_01);
    }

    #[test]
    fn an_event_in_the_cycle_of_a_write_comes_after_it() {
        let mut context = Context::new(2);
        context.observe(Event::LocalWrite);
        assert_eq!(context.step(Some(0b11_10), Some(Event::RemoteWrite)), Ctx(0b00_01));
        assert_eq!(context.sample(), Ctx(0b10_11));
    }

    #[test]
    fn overwriting_is_the_inverse_of_reading() {
        let mut context = Context::new(16);
        context.overwrite(0xdead_beef);
        assert_eq!(context.to_bits(), 0xdead_beef);
    }
}
