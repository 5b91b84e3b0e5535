//! From instructions to code points, fast, and from code points to all that is known of them.

use super::dwarf::Program;
use super::files::FileNames;
use super::source::Sources;
use super::{CodePoint, InlinedAt, Location, PointKey, tidy};
use crate::Error;
use hashbrown::HashMap;
use kit::cache::sha256;
use record::Pc;
use std::path::{Path, PathBuf};

/// Where code points come from.
#[derive(Clone, Debug, Default)]
pub struct CodeOptions {
    /// The program that ran.
    pub elf: Option<PathBuf>,
    /// Folders with its sources; the program's own and the current one are looked at after these.
    pub sources: Vec<PathBuf>,
    /// Beginnings of paths whose code belongs to a library.
    pub library: Vec<String>,
    /// Beginnings of paths whose code is of interest though it lies with the library's.
    pub interest: Vec<String>,
}

/// Which instruction belongs to which code point.
#[derive(Default)]
pub struct CodeMap {
    program: Option<Program>,
    elf_hash: Option<record::Hash>,
    /// Ranges of addresses in order, each with its line.
    ranges: Vec<(u64, u64, u32)>,
    /// All lines, sorted by file and number.
    lines: Vec<Location>,
    /// What its files are called.
    files: FileNames,
    /// From what the monitor keeps of a pc to the pc, where it keeps a hash.
    hashed: Option<HashMap<u64, u64>>,
    sources: Sources,
    library: Vec<String>,
    interest: Vec<String>,
}

impl CodeMap {
    /// Nothing is known: every instruction is a code point of its own.
    pub fn addresses() -> Self {
        Self::default()
    }

    /// Reads the program and its debug information.
    pub fn load(options: &CodeOptions) -> Result<Self, Error> {
        let mut folders = options.sources.clone();
        let Some(path) = &options.elf else { return Ok(Self::addresses()) };
        folders.extend(path.parent().map(Path::to_owned));
        folders.push(".".into());
        let bytes = std::fs::read(path).map_err(|error| Error::file(path, &error))?;
        let program = Program::parse(&bytes)
            .map_err(|reason| Error::Program { path: path.clone(), reason })?;
        let elf_hash = Some(sha256(&bytes));
        let sources = Sources::new(folders);
        let CodeOptions { library, interest, .. } = options.clone();
        let mut map = Self { elf_hash, sources, library, interest, ..Self::default() };
        map.index(&program);
        map.program = Some(program);
        Ok(map)
    }

    fn index(&mut self, program: &Program) {
        let ranges = program.lines();
        let shown = |file: &str| self.sources.shown(file);
        let located: Vec<_> = ranges
            .iter()
            .map(|range| Location { file: shown(&range.file), line: range.line })
            .collect();
        let mut lines = located.clone();
        lines.sort();
        lines.dedup();
        self.ranges = ranges
            .iter()
            .zip(&located)
            .filter_map(|(range, location)| {
                let line = lines.binary_search(location).ok()?;
                Some((range.start, range.end, line as u32))
            })
            .collect();
        self.files = FileNames::of(lines.iter().map(|line| line.file.as_str()));
        self.lines = lines;
    }

    /// For runs that keep fewer bits of a pc than it has: finds instructions by what is kept of them.
    /// Where two share a hash, the first of the program counts.
    pub fn with_pc_bits(mut self, pc_bits: u8) -> Self {
        const CORE_PC_BITS: u32 = 32;
        let pc_bits = u32::from(pc_bits);
        let Some(program) = &self.program else { return self };
        if pc_bits == 0 || pc_bits >= CORE_PC_BITS {
            return self;
        }
        let hash = golden::PcHash::new(CORE_PC_BITS, pc_bits);
        let mut hashed = HashMap::new();
        // Instructions with lines first; then those that have only a symbol, or nothing.
        let lines = self.ranges.iter().map(|(start, end, _)| *start..*end);
        for range in lines.chain(program.symbols().code().cloned()) {
            for pc in range.step_by(2) {
                hashed.entry(hash.of(golden::Pc(pc)).0).or_insert(pc);
            }
        }
        self.hashed = Some(hashed);
        self
    }

    /// Refuses a program that is not the one that ran.
    pub fn check(&self, elf: &record::Hash, path: Option<&Path>) -> Result<(), Error> {
        match (&self.elf_hash, path) {
            (Some(hash), Some(path)) if *elf != [0; 32] && hash != elf => {
                let reason = "this is not the program of these runs (its hash differs)".into();
                Err(Error::Program { path: path.to_owned(), reason })
            }
            _ => Ok(()),
        }
    }

    /// Whether there is debug information.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The code point of an instruction.
    pub fn key(&self, pc: Pc) -> PointKey {
        if pc.is_null() {
            return PointKey::Nothing;
        }
        let address = self.address(pc.0);
        let after = self.ranges.partition_point(|(start, ..)| *start <= address);
        match after.checked_sub(1).map(|place| self.ranges[place]) {
            Some((_, end, line)) if address < end => PointKey::Line(line),
            _ => PointKey::Address(pc.0),
        }
    }

    fn address(&self, pc: u64) -> u64 {
        self.hashed.as_ref().and_then(|hashed| hashed.get(&pc)).copied().unwrap_or(pc)
    }

    /// All that is known of a code point that communicated at these instructions.
    pub fn describe(&self, key: PointKey, pcs: &[Pc]) -> CodePoint {
        let pcs = tidy(pcs);
        let location = match key {
            PointKey::Line(line) => self.lines.get(line as usize).cloned(),
            PointKey::Nothing | PointKey::Address(_) => None,
        };
        let first = pcs.first().map(|pc| self.address(*pc));
        let (function, inlined_at) = match (&self.program, first) {
            (Some(program), Some(pc)) => self.functions(program, pc),
            _ => (None, Vec::new()),
        };
        let text = location.as_ref().and_then(|at| self.sources.line(&at.file, at.line));
        let library = self.is_library(key, first, location.as_ref());
        let (name, unknown) = match (&location, pcs.first()) {
            (Some(at), _) => (format!("{}:{}", self.files.short(&at.file), at.line), None),
            (None, Some(pc)) => {
                let (name, reason) = self.without_line(*pc, library);
                (name, Some(reason))
            }
            (None, None) => ("memory".into(), None),
        };
        CodePoint { name, pcs, location, function, inlined_at, text, library, unknown }
    }

    /// What to call an instruction without a source line, and why it has none.
    fn without_line(&self, pc: u64, library: bool) -> (String, &'static str) {
        let Some(program) = &self.program else {
            return (format!("{pc:#010x}"), "no program was given: --elf names it");
        };
        if self.hashed.as_ref().is_some_and(|hashed| !hashed.contains_key(&pc)) {
            let reason = "no instruction of the program has this hash";
            return (format!("unknown code with pc hash {pc:#x}"), reason);
        }
        let address = self.address(pc);
        let symbols = program.symbols();
        match symbols.at(address) {
            Some((name, offset)) => {
                let name = if offset == 0 { name.into() } else { format!("{name}+{offset:#x}") };
                let reason = match library {
                    true => "in the thread library, without a source line",
                    false => "without a source line",
                };
                (name, reason)
            }
            None if !symbols.is_code(address) => {
                (format!("unknown code at {address:#010x}"), "outside the program's code")
            }
            None => (format!("unknown code at {address:#010x}"), "without a symbol or source line"),
        }
    }

    fn functions(&self, program: &Program, pc: u64) -> (Option<String>, Vec<InlinedAt>) {
        let frames = program.frames(pc);
        let function = frames.first().and_then(|frame| frame.function.clone());
        let outer = frames.iter().skip(1).map(|frame| InlinedAt {
            function: frame.function.clone().unwrap_or_else(|| "?".into()),
            location: frame
                .file
                .as_deref()
                .zip(frame.line)
                .map(|(file, line)| Location { file: self.sources.shown(file), line }),
        });
        let symbol = || program.symbols().at(pc).map(|(name, _)| name.to_owned());
        let function = function.or_else(symbol);
        (function, outer.collect())
    }

    /// Whether a code point belongs to the thread library.
    pub fn is_library_point(&self, key: PointKey, pc: Pc) -> bool {
        let location = match key {
            PointKey::Line(line) => self.lines.get(line as usize),
            PointKey::Nothing | PointKey::Address(_) => None,
        };
        self.is_library(key, Some(self.address(pc.0)), location)
    }

    fn is_library(&self, key: PointKey, pc: Option<u64>, location: Option<&Location>) -> bool {
        let below = |paths: &[String]| {
            location.is_some_and(|at| paths.iter().any(|start| at.file.starts_with(start.as_str())))
        };
        let by_text =
            || self.program.as_ref().zip(pc).and_then(|(program, pc)| program.is_library(pc));
        key != PointKey::Nothing
            && !below(&self.interest)
            && (below(&self.library) || by_text().unwrap_or(false))
    }
}
