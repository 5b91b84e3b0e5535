//! Times at which interrupts were pending.
//!
//! The hardware decides about an interrupt some cycles before the handler's first instruction retires, and
//! a device changes some cycles after its access was ordered. So the question is whether an
//! interrupt can have been pending, or not pending, at some time in a window.

use crate::memory::Memory;
use border::interrupt::Interrupt;

/// Cycles by which the two views of a device may differ.
const SLACK: u64 = 16;

/// Cycles from the retirement of the previous instruction to that of this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub from: u64,
    pub to: u64,
}

/// One interrupt line: low, then high from cycle `rises`; before that it may have been high once.
#[derive(Clone, Copy, Debug)]
struct Signal {
    rises: u64,
    before: Option<(u64, u64)>,
}

impl Signal {
    const LOW: Self = Self { rises: u64::MAX, before: None };

    /// The line is low from `cycle` until `rises`. A hart's own access is complete when its instruction
    /// retires, so the earlier level is then irrelevant.
    fn set(&mut self, rises: u64, cycle: u64, own: bool) {
        let was_high = self.rises <= cycle;
        if was_high && rises <= cycle {
            return;
        }
        if was_high {
            self.before = Some((self.rises, cycle));
        }
        if own {
            self.before = None;
        }
        self.rises = rises;
    }

    fn can_be_high(&self, window: Window) -> bool {
        let end = window.to + SLACK;
        let before = |(rose, fell): (u64, u64)| fell + SLACK >= window.from && rose <= end;
        self.rises <= end || self.before.is_some_and(before)
    }

    fn can_be_low(&self, window: Window) -> bool {
        let end = window.to + SLACK;
        let low_since = self.before.map_or(0, |(_, fell)| fell);
        let still_low = self.rises.saturating_add(SLACK) > window.from && low_since <= end;
        still_low || self.before.is_some_and(|(rose, _)| rose + SLACK > window.from)
    }
}

/// The interrupt lines of one hart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signals {
    lines: [(Interrupt, Signal); 3],
}

impl Signals {
    pub const NONE: Self = Self {
        lines: [
            (Interrupt::Software, Signal::LOW),
            (Interrupt::Timer, Signal::LOW),
            (Interrupt::Table, Signal::LOW),
        ],
    };

    /// Reads the devices after an access ordered in `cycle`; `own` if this hart made it.
    pub fn refresh(&mut self, memory: &Memory, hart: usize, cycle: u64, own: bool) {
        let level = |high: bool| if high { cycle } else { u64::MAX };
        let to_go = memory.clint().compare(hart).saturating_sub(memory.clint().time(cycle));
        let rises = [
            level(memory.clint().software(hart)),
            cycle.saturating_add(to_go),
            level(memory.table_interrupts(hart)),
        ];
        for ((_, signal), rises) in self.lines.iter_mut().zip(rises) {
            signal.set(rises, cycle, own);
        }
    }

    fn bits(&self, is: impl Fn(&Signal) -> bool) -> u32 {
        self.lines.iter().map(|(line, signal)| if is(signal) { line.bit() } else { 0 }).sum()
    }

    /// Bits of `mip` that may have been set.
    pub fn can_be_high(&self, window: Window) -> u32 {
        self.bits(|signal| signal.can_be_high(window))
    }

    /// Bits of `mip` that may have been clear.
    pub fn can_be_low(&self, window: Window) -> u32 {
        self.bits(|signal| signal.can_be_low(window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAR: u64 = 4 * SLACK;

    /// Whether a line can be (low, high) in a window.
    fn can_be(signal: Signal, from: u64, to: u64) -> (bool, bool) {
        let window = Window { from, to };
        (signal.can_be_low(window), signal.can_be_high(window))
    }

    fn signal(changes: &[(u64, u64, bool)]) -> Signal {
        let mut signal = Signal::LOW;
        for (rises, cycle, own) in changes {
            signal.set(*rises, *cycle, *own);
        }
        signal
    }

    const NEVER: u64 = u64::MAX;

    #[test]
    fn a_line_that_never_rose_is_low() {
        assert_eq!(can_be(Signal::LOW, 0, 1 << 40), (true, false));
    }

    #[test]
    fn a_line_is_uncertain_only_around_its_rise() {
        let signal = signal(&[(1000, 1000, false)]);
        assert_eq!(can_be(signal, 1000 - 2 * FAR, 1000 - FAR), (true, false));
        assert_eq!(can_be(signal, 990, 995), (true, true));
        assert_eq!(can_be(signal, 995, 1010), (true, true));
        assert_eq!(can_be(signal, 1000 + FAR, 1000 + 2 * FAR), (false, true));
        assert_eq!(can_be(signal, 1000 - FAR, 1000 + FAR), (true, true), "a long window has both");
    }

    #[test]
    fn a_line_that_another_lowered_can_have_been_seen_high_for_a_while() {
        let signal = signal(&[(1000, 1000, false), (NEVER, 2000, false)]);
        assert_eq!(can_be(signal, 1500, 1600), (false, true), "looking back");
        assert_eq!(can_be(signal, 1990, 1995), (true, true));
        assert_eq!(can_be(signal, 2005, 2010), (true, true));
        assert_eq!(can_be(signal, 2000 + FAR, 2000 + 2 * FAR), (true, false));
    }

    #[test]
    fn a_line_that_the_hart_lowered_itself_is_low_at_once() {
        let signal = signal(&[(1000, 1000, false), (NEVER, 2000, true)]);
        assert_eq!(can_be(signal, 2001, 2002), (true, false));
    }

    #[test]
    fn a_line_that_stays_high_keeps_its_rise() {
        let signal = signal(&[(1000, 1000, false), (5000, 5000, false)]);
        assert_eq!(can_be(signal, 4990, 5010), (false, true));
    }

    #[test]
    fn a_timer_rises_by_itself_and_can_be_put_off() {
        let timer = signal(&[(3000, 1000, false)]);
        assert_eq!(can_be(timer, 2000, 2100), (true, false));
        assert_eq!(can_be(timer, 3100, 3200), (false, true));
        let mut put_off = timer;
        put_off.set(9000, 4000, true);
        assert_eq!(can_be(put_off, 4001, 4002), (true, false));
        assert_eq!(can_be(put_off, 9100, 9200), (false, true));
    }
}
