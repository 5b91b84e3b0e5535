//! The line of an instruction that the compiler gave none, because it made one of several.

use super::{Line, Names};
use golden::isa::{Op, decode};
use object::{Object, ObjectSection, SectionKind};

/// Instructions on each side of one without a line among which its line is looked for.
const NEARBY: u32 = 64;

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses {
    /// It reads.
    Reads,
    /// It writes, or does both.
    Writes,
}

/// The instructions of a program: each section's address and bytes.
pub(super) struct Code(Vec<(u32, Vec<u8>)>);

impl Code {
    /// Of a linked file; none if it is no program.
    pub fn read(elf: &[u8]) -> Self {
        let file = object::File::parse(elf).ok();
        let sections = file.iter().flat_map(|file| file.sections());
        let code = sections.filter(|section| section.kind() == SectionKind::Text);
        let read = code.filter_map(|section| {
            Some((u32::try_from(section.address()).ok()?, section.data().ok()?.to_vec()))
        });
        Self(read.collect())
    }

    /// What the instruction at an address does to memory.
    fn accesses(&self, pc: u32) -> Option<Accesses> {
        let word = self.0.iter().find_map(|(start, bytes)| {
            let at = pc.checked_sub(*start)? as usize;
            bytes.get(at..at.checked_add(4)?)?.try_into().ok()
        });
        match decode(u32::from_le_bytes(word?)).op {
            Op::Load { .. } | Op::LoadReserved => Some(Accesses::Reads),
            Op::Store(_) | Op::StoreConditional | Op::Amo(_) => Some(Accesses::Writes),
            _ => None,
        }
    }
}

/// An instruction in a function, with its line there.
struct Neighbor {
    pc: u32,
    line: Line,
}

impl Names {
    /// The line that an access without one most likely stands for, among those whose text `mentions` what it accesses. The
    /// functions around it are looked at from the innermost one outward. Of a function's lines, those come first that have
    /// no such access of their own: theirs is the one that was merged.
    pub fn merged(
        &self,
        pc: u32,
        accesses: Accesses,
        mentions: impl Fn(&str) -> bool,
    ) -> Option<Line> {
        let around = self.function_names(pc);
        (0..around.len())
            .find_map(|depth| self.merged_in(&around[depth..], pc, accesses, &mentions))
    }

    /// The same, in one function: the first of these names; the others are those that it was inlined into.
    fn merged_in(
        &self,
        function: &[String],
        pc: u32,
        accesses: Accesses,
        mentions: &impl Fn(&str) -> bool,
    ) -> Option<Line> {
        let near =
            (1..=NEARBY).flat_map(|step| [pc.wrapping_sub(4 * step), pc.wrapping_add(4 * step)]);
        let near = near.filter(|pc| self.function_names(*pc) == function);
        let near: Vec<Neighbor> =
            near.filter_map(|pc| Some(Neighbor { pc, line: self.line(pc)? })).collect();
        let file = &near.first()?.line.file;
        let numbers = near.iter().map(|at| &at.line).filter(|line| line.file == *file);
        let (first, last) =
            (numbers.clone().map(|line| line.line).min()?, numbers.map(|line| line.line).max()?);
        let body = self.body_of(&function[0], file).unwrap_or(first..=last);
        let between = body.map(|line| Line { file: file.clone(), line, column: 0 });
        let lines = near.iter().map(|at| at.line.clone()).chain(between);
        let lines = lines.filter(|line| self.text(line).is_some_and(mentions));
        let has_own = |line: &Line| {
            let same = |at: &&Neighbor| (&at.line.file, at.line.line) == (&line.file, line.line);
            near.iter().filter(same).any(|at| self.code.accesses(at.pc) == Some(accesses))
        };
        // Of equals the first, which is the nearest.
        lines.min_by_key(has_own)
    }

    fn function_names(&self, pc: u32) -> Vec<String> {
        self.functions(pc).into_iter().map(|function| function.name).collect()
    }
}
