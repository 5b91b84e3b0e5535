//! What a soak has tried so far, in numbers.

use kit::numbers::grouped;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// How much was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Cycles of hardware that were compared with the golden machine.
    pub cycles: u64,
    /// Programs that ran in lockstep, each under a schedule.
    pub programs: u64,
    /// Schedules of hunts and of the bug suite.
    pub schedules: u64,
    /// Damaged inputs, to parsers and to commands.
    pub files: u64,
    /// Command lines.
    pub lines: u64,
    /// Processes that were killed.
    pub kills: u64,
}

impl AddAssign for Tried {
    fn add_assign(&mut self, more: Self) {
        self.cycles += more.cycles;
        self.programs += more.programs;
        self.schedules += more.schedules;
        self.files += more.files;
        self.lines += more.lines;
        self.kills += more.kills;
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.cycles, "cycles"),
            (self.programs, "programs"),
            (self.schedules, "schedules"),
            (self.files, "files"),
            (self.lines, "command lines"),
            (self.kills, "kills"),
        ];
        let parts = parts.map(|(count, what)| format!("{} {what}", grouped(count)));
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_counted_and_told() {
        let mut tried = Tried { cycles: 1_234_567, programs: 12, ..Tried::default() };
        tried += Tried { cycles: 1, schedules: 2, files: 1000, lines: 3, kills: 4, programs: 5 };
        let text =
            "1,234,568 cycles, 17 programs, 2 schedules, 1,000 files, 3 command lines, 4 kills";
        assert_eq!(tried.to_string(), text);
    }
}
