//! The instructions of a program at which a breakpoint can be, with their lines.

use ::evidence::names::Names;
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What an instruction does, as far as a location says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic access: LR, SC or AMO.
    Atomic,
    /// The marker of `<crosstalk/breakpoint.h>`.
    Marker,
    /// A call of a function, or a jump that ends in one.
    Call,
    /// The instruction to which a call returns.
    Return,
    /// Any other.
    Other,
}

impl Kind {
    /// All of them, with their names in a file.
    pub const NAMES: [(&str, Self); 7] = [
        ("load", Self::Load),
        ("store", Self::Store),
        ("atomic", Self::Atomic),
        ("marker", Self::Marker),
        ("call", Self::Call),
        ("return", Self::Return),
        ("instruction", Self::Other),
    ];

    /// Its name in a file.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("instruction", |(name, _)| name)
    }

    fn of(insn: u32) -> Self {
        // SLT with the destination x0 is a hint for custom use.
        let is_marker = insn & 0xfe00_7fff == 0x2033;
        match insn & 0x7f {
            0x03 => Self::Load,
            0x23 => Self::Store,
            0x2f => Self::Atomic,
            _ if is_marker => Self::Marker,
            _ => Self::Other,
        }
    }
}

/// An instruction of the program's own code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its address.
    pub pc: u32,
    /// What it does.
    pub kind: Kind,
    /// Of a call and a return: the function that is called, if it is known.
    pub callee: Option<String>,
    /// Its file: as little of the path as tells it apart.
    pub file: String,
    /// Its line; of a return, that of the call.
    pub line: u32,
    /// The function around it in the source.
    pub function: Option<String>,
    /// The text of the line, with single spaces.
    pub text: Option<String>,
}

/// All of them, in the order of their addresses.
#[derive(Clone, Debug)]
pub struct Places {
    all: Vec<Place>,
    files: BTreeSet<String>,
}

impl Places {
    /// Reads a linked program; its sources are looked for in these folders.
    ///
    /// # Errors
    /// A sentence, if it is no program or its debug information is damaged.
    pub fn read(elf: &[u8], folders: &[PathBuf]) -> Result<Self, String> {
        let names = Names::read(elf, folders).map_err(|error| error.to_string())?;
        let code = Instructions::read(elf).ok_or("the program has no code that can be read")?;
        let mut all = Vec::new();
        for (pc, insn) in code.own() {
            let Some(line) = names.line(pc) else { continue };
            let function = names.functions(pc).into_iter().next().map(|at| at.name);
            let text = names.text(&line).map(single_spaced);
            let place = Place {
                pc,
                kind: Kind::of(insn),
                callee: None,
                file: line.file.to_string(),
                line: line.line,
                function,
                text,
            };
            match code.call(pc, insn) {
                None => all.push(place),
                Some(callee) => {
                    let call = Place { kind: Kind::Call, callee, ..place };
                    if links(insn) {
                        all.push(Place { kind: Kind::Return, pc: pc + 4, ..call.clone() });
                    }
                    all.push(call);
                }
            }
        }
        all.sort_by_key(|place| (place.pc, place.kind));
        let files = all.iter().map(|place| place.file.clone()).collect();
        Ok(Self { all, files })
    }

    /// All places, in the order of their addresses.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.all.iter()
    }

    /// Whether the program has code from a file.
    pub fn has_file(&self, file: &str) -> bool {
        self.files.contains(file)
    }

    /// What an instruction does itself, or what returns to it if `returns`.
    pub fn at(&self, pc: u32, returns: bool) -> Option<&Place> {
        self.all.iter().find(|place| place.pc == pc && (place.kind == Kind::Return) == returns)
    }
}

/// A line's text with single spaces.
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a jump leaves the address behind it in `ra`.
fn links(insn: u32) -> bool {
    insn >> 7 & 31 == 1
}

/// The program's code, and where functions begin.
struct Instructions {
    own: Vec<(u32, u32)>,
    functions: BTreeMap<u32, String>,
}

impl Instructions {
    fn read(elf: &[u8]) -> Option<Self> {
        let elf = ElfFile32::<Endianness>::parse(elf).ok()?;
        let address = |name: &str| elf.symbol_by_name(name).map(|symbol| symbol.address());
        let own = address("__program_text_start")?..address("__program_text_end")?;
        let texts = elf.sections().filter(|section| section.kind() == SectionKind::Text);
        let mut found = Vec::new();
        for section in texts {
            let words = section.data().ok()?.chunks_exact(4).zip(0u64..);
            found.extend(words.filter_map(|(bytes, index)| {
                let pc = section.address() + 4 * index;
                let word = u32::from_le_bytes(bytes.try_into().ok()?);
                own.contains(&pc).then_some((pc as u32, word))
            }));
        }
        found.sort_unstable();
        let mut functions = BTreeMap::<u32, String>::new();
        for symbol in elf.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            let Ok(name) = symbol.name() else { continue };
            let known = functions.entry(symbol.address() as u32).or_insert_with(|| name.to_owned());
            // Of several names, one that a program can use.
            if known.starts_with('_') && !name.starts_with('_') {
                name.clone_into(known);
            }
        }
        Some(Self { own: found, functions })
    }

    fn own(&self) -> impl Iterator<Item = (u32, u32)> {
        self.own.iter().copied()
    }

    /// Whether an instruction calls: the function, if it is known.
    fn call(&self, pc: u32, insn: u32) -> Option<Option<String>> {
        let (rd, rs1) = (insn >> 7 & 31, insn >> 15 & 31);
        match insn & 0x7f {
            0x6f => {
                let target = pc.wrapping_add(jump_offset(insn));
                let begins = self.functions.get(&target);
                let leaves = self.function_of(pc) != self.function_of(target);
                (links(insn) || (rd == 0 && begins.is_some() && leaves)).then(|| begins.cloned())
            }
            // An indirect jump that is not `ret`; its register may have been filled right before.
            0x67 if rs1 != 1 || rd != 0 => {
                let before = self.own.binary_search_by_key(&pc.wrapping_sub(4), |one| one.0);
                let upper = before.ok().map(|index| self.own[index].1);
                let target = upper
                    .filter(|upper| upper & 0x7f == 0x17 && upper >> 7 & 31 == rs1)
                    .map(|upper| (upper & !0xfff).wrapping_add(pc.wrapping_sub(4)))
                    .map(|base| base.wrapping_add(((insn as i32) >> 20) as u32));
                let callee = target.and_then(|target| self.functions.get(&target).cloned());
                (links(insn) || callee.is_some()).then_some(callee)
            }
            _ => None,
        }
    }

    fn function_of(&self, pc: u32) -> Option<u32> {
        self.functions.range(..=pc).next_back().map(|(start, _)| *start)
    }
}

/// The offset of a JAL.
fn jump_offset(insn: u32) -> u32 {
    let sign = ((insn as i32) >> 31) as u32;
    (sign << 20) | (insn & 0xf_f000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7fe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_go_where_the_manual_says() {
        // jal x1, 2048; jal x0, -4.
        assert_eq!(jump_offset(0x0010_00ef), 2048);
        assert_eq!(jump_offset(0xffdf_f06f), (-4i32) as u32);
    }

    #[test]
    fn a_marker_is_no_other_instruction() {
        // slt x0, a0, a1; slt a0, a0, a1; sltu x0, a0, a1.
        let kinds = [0x00b5_2033, 0x00b5_2533, 0x00b5_3033].map(Kind::of);
        assert_eq!(kinds, [Kind::Marker, Kind::Other, Kind::Other]);
    }
}
