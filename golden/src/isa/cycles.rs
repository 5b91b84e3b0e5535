//! `mcycle`.

use super::environment::Half;

/// Distance, in cycles, from a carry into the upper half of `mcycle` within which the order of carry and write
/// is unknown: more than any instruction waits.
const NEAR_CARRY: u32 = 1 << 14;

/// `mcycle`: its value at a cycle, and whether it counts.
///
/// The cycle in which an instruction reads or writes it is known only to within a few. A read-modify-write
/// amplifies that: the half is then uncertain until it is read, or written as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CycleCounter {
    pub value: u64,
    pub at: u64,
    pub stopped: bool,
    pub low_unsure: bool,
    pub high_unsure: bool,
}

impl CycleCounter {
    pub fn read(&self, now: u64) -> u64 {
        if self.stopped { self.value } else { self.value.wrapping_add(now.wrapping_sub(self.at)) }
    }

    /// Captures the current value, before a write to a controlling CSR.
    pub fn hold(&mut self, now: u64) {
        self.high_unsure |= self.is_near_carry(now);
        (self.value, self.at) = (self.read(now), now);
    }

    /// Sets one half; `is_known` is false if the value depends on bits that were not observed.
    pub fn set_half(&mut self, half: Half, value: u32, is_known: bool, now: u64) {
        // The carry may come before or after the write.
        let near = self.is_near_carry(now);
        (self.value, self.at) = (half.replace(self.read(now), value), now);
        match half {
            Half::Low => self.low_unsure = !is_known,
            Half::High => self.high_unsure = !is_known,
        }
        self.high_unsure |= self.low_unsure || near;
    }

    fn is_near_carry(&self, now: u64) -> bool {
        // Until it is written or stopped it equals the cycle number, and no carry is pending.
        let as_after_reset = (self.value, self.at) == (0, 0);
        !as_after_reset && (self.read(now) as u32).wrapping_add(NEAR_CARRY) < 2 * NEAR_CARRY
    }
}
