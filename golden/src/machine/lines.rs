//! Instruction lines as fetched, decoded.
//!
//! Instruction caches are not coherent: a hart executes the bytes that were current when the line was
//! fetched. Which lines a cache still holds depends on the hardware; here every fetched line stays
//! until FENCE.I. A line fetched again while instructions of the old version are still in the
//! pipeline has two versions for a while.

use crate::isa::{Decoded, decode};
use crate::memory::RAM;

/// Versions stored per line.
const VERSIONS: usize = 4;
/// Instructions that can be in flight between fetch and retirement.
const PIPELINE: u64 = 8;

/// One fetch of a line.
#[derive(Clone, Copy, Debug, Default)]
struct Version {
    /// Cycle of the grant plus one; 0 if never fetched.
    cycle: u64,
    /// Number of instructions of the hart retired by then.
    records: u64,
}

/// The instruction lines of one hart.
#[derive(Clone, Debug)]
pub(super) struct InstructionLines {
    words: usize,
    shift: u32,
    /// For each line of RAM its slot plus one; 0 if never fetched.
    slots: Vec<u32>,
    /// For each slot its versions, newest first, as indices into `code`.
    versions: Vec<[(Version, u32); VERSIONS]>,
    code: Vec<Decoded>,
    /// Versions older than this cycle are dropped.
    fresh_from: u64,
}

impl InstructionLines {
    /// No lines yet, of RAM up to `ram_last`.
    pub fn new(line: u32, ram_last: u32) -> Self {
        Self {
            words: (line / 4) as usize,
            shift: line.trailing_zeros(),
            slots: vec![0; ((ram_last - RAM) / line) as usize + 1],
            versions: Vec::new(),
            code: Vec::new(),
            fresh_from: 0,
        }
    }

    /// Adds a fetched line in RAM.
    pub fn fill(&mut self, address: u32, bytes: &[u8], cycle: u64, records: u64) {
        let line = ((address - RAM) >> self.shift) as usize;
        if self.slots[line] == 0 {
            let first = (self.code.len() / self.words) as u32;
            let nothing = decode(0);
            self.code.resize(self.code.len() + VERSIONS * self.words, nothing);
            self.versions.push(std::array::from_fn(|v| (Version::default(), first + v as u32)));
            self.slots[line] = self.versions.len() as u32;
        }
        let versions = &mut self.versions[self.slots[line] as usize - 1];
        versions.rotate_right(1);
        versions[0].0 = Version { cycle: cycle + 1, records };
        let start = versions[0].1 as usize * self.words;
        let code = &mut self.code[start..start + self.words];
        for (decoded, insn) in code.iter_mut().zip(bytes.chunks_exact(4)) {
            let insn = u32::from_le_bytes([insn[0], insn[1], insn[2], insn[3]]);
            if decoded.insn != insn {
                *decoded = decode(insn);
            }
        }
    }

    /// FENCE.I: drops lines fetched before this cycle.
    pub fn forget(&mut self, before: u64) {
        self.fresh_from = before;
    }

    /// The newest instruction at a pc in RAM.
    #[inline]
    pub fn newest(&self, pc: u32) -> Option<Decoded> {
        let versions = self.versions_of(pc)?;
        let (version, index) = &versions[0];
        (version.cycle > self.fresh_from).then(|| self.instruction(*index, pc))
    }

    /// The instruction at a pc in RAM that retires in `cycle` as number `order` of its hart. If several
    /// versions are possible, the one with the encoding `insn`, else the newest.
    pub fn retiring(&self, pc: u32, cycle: u64, order: u64, insn: u32) -> Option<Decoded> {
        let versions = self.versions_of(pc)?;
        let known = |version: &Version| version.cycle > self.fresh_from && version.cycle <= cycle;
        let mut candidates = versions.iter().filter(|(version, _)| known(version));
        let (version, index) = candidates.next()?;
        let newest = self.instruction(*index, pc);
        let mut replaced_at = version.records;
        if newest.insn == insn {
            return Some(newest);
        }
        for (version, index) in candidates {
            if replaced_at + PIPELINE < order {
                break;
            }
            let older = self.instruction(*index, pc);
            if older.insn == insn {
                return Some(older);
            }
            replaced_at = version.records;
        }
        Some(newest)
    }

    #[inline]
    fn versions_of(&self, pc: u32) -> Option<&[(Version, u32); VERSIONS]> {
        let slot = *self.slots.get(((pc.wrapping_sub(RAM)) >> self.shift) as usize)?;
        self.versions.get((slot as usize).wrapping_sub(1))
    }

    #[inline]
    fn instruction(&self, index: u32, pc: u32) -> Decoded {
        self.code[index as usize * self.words + ((pc as usize / 4) & (self.words - 1))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PC: u32 = RAM + 0x24;

    /// A line of 16 bytes full of one number.
    fn line(word: u32) -> Vec<u8> {
        word.to_le_bytes().repeat(4)
    }

    fn lines() -> InstructionLines {
        InstructionLines::new(16, RAM + 0xff)
    }

    fn insn(found: Option<Decoded>) -> Option<u32> {
        found.map(|decoded| decoded.insn)
    }

    #[test]
    fn a_line_is_there_after_its_grant_and_only_that_line() {
        let mut lines = lines();
        lines.fill(PC, &line(7), 10, 0);
        assert_eq!(insn(lines.retiring(PC, 10, 0, 7)), None, "not in the cycle of the grant");
        assert_eq!(insn(lines.retiring(PC, 11, 0, 7)), Some(7));
        assert_eq!(insn(lines.newest(PC)), Some(7));
        for other in [PC + 16, PC - 16, RAM + 0x100, 0, 0xffff_fffc] {
            assert_eq!((lines.newest(other), lines.retiring(other, 99, 0, 7)), (None, None));
        }
    }

    #[test]
    fn words_of_a_line_are_told_apart() {
        let mut lines = lines();
        let bytes: Vec<u8> = (1u32..5).flat_map(u32::to_le_bytes).collect();
        lines.fill(RAM + 0x20, &bytes, 0, 0);
        let words: Vec<_> = (0..4).map(|word| insn(lines.newest(RAM + 0x20 + 4 * word))).collect();
        assert_eq!(words, [Some(1), Some(2), Some(3), Some(4)]);
    }

    #[test]
    fn what_was_in_the_pipeline_may_be_of_the_version_before() {
        let mut lines = lines();
        lines.fill(PC, &line(1), 10, 0);
        lines.fill(PC, &line(2), 50, 20);
        assert_eq!(insn(lines.retiring(PC, 50, 20, 2)), Some(1), "before the second grant");
        assert_eq!(insn(lines.retiring(PC, 60, 21, 2)), Some(2));
        assert_eq!(insn(lines.retiring(PC, 60, 21, 1)), Some(1), "still under way");
        assert_eq!(insn(lines.retiring(PC, 60, 20 + PIPELINE, 1)), Some(1));
        assert_eq!(insn(lines.retiring(PC, 60, 21 + PIPELINE, 1)), Some(2), "no longer");
        assert_eq!(insn(lines.retiring(PC, 60, 21, 3)), Some(2), "neither: the newest is expected");
    }

    #[test]
    fn versions_before_the_last_four_are_gone() {
        let mut lines = lines();
        for version in 1..=5 {
            lines.fill(PC, &line(version), version.into(), 0);
        }
        let found: Vec<_> = (1..=5).map(|want| insn(lines.retiring(PC, 99, 0, want))).collect();
        assert_eq!(found, [Some(5), Some(2), Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn forgetting_takes_what_was_granted_before() {
        let mut lines = lines();
        lines.fill(PC, &line(1), 10, 0);
        lines.forget(11);
        assert_eq!((lines.newest(PC), lines.retiring(PC, 12, 0, 1)), (None, None));
        lines.fill(PC, &line(2), 11, 0);
        assert_eq!(
            insn(lines.retiring(PC, 12, 0, 1)),
            Some(2),
            "the old version does not come back"
        );
    }
}
