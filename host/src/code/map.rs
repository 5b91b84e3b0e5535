//! From instructions to code points, fast, and from code points to all that is known of them.

use super::{CodePoint, InlinedAt, Location, PointKey, tidy};
use crate::Error;
use debuginfo::LineMap;
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
    lines: Option<LineMap>,
    elf_hash: Option<record::Hash>,
    /// From what the monitor keeps of a pc to the pc, where it keeps a hash.
    hashed: Option<HashMap<u64, u64>>,
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
        let lines = LineMap::read(&bytes, folders)
            .map_err(|reason| Error::Program { path: path.clone(), reason })?;
        let (lines, elf_hash) = (Some(lines), Some(sha256(&bytes)));
        let CodeOptions { library, interest, .. } = options.clone();
        Ok(Self { lines, elf_hash, library, interest, ..Self::default() })
    }

    /// For runs that keep fewer bits of a pc than it has: finds instructions by what is kept of them.
    /// Where two share a hash, the first of the program counts.
    pub fn with_pc_bits(mut self, pc_bits: u8) -> Self {
        const CORE_PC_BITS: u32 = 32;
        let pc_bits = u32::from(pc_bits);
        let Some(program) = &self.lines else { return self };
        if pc_bits == 0 || pc_bits >= CORE_PC_BITS {
            return self;
        }
        let hash = golden::PcHash::new(CORE_PC_BITS, pc_bits);
        let mut hashed = HashMap::new();
        // Instructions with lines first; then those that have only a symbol, or nothing.
        for range in program.ranges().chain(program.symbols().code().cloned()) {
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
        self.lines.as_ref().is_some_and(LineMap::has_lines)
    }

    /// The code point of an instruction.
    pub fn key(&self, pc: Pc) -> PointKey {
        if pc.is_null() {
            return PointKey::Nothing;
        }
        let lines = self.lines.as_ref();
        match lines.and_then(|lines| lines.line(self.address(pc.0))) {
            Some((line, _)) => PointKey::Line(line),
            None => PointKey::Address(pc.0),
        }
    }

    fn location(&self, key: PointKey) -> Option<&Location> {
        match key {
            PointKey::Line(line) => self.lines.as_ref()?.location(line),
            PointKey::Nothing | PointKey::Address(_) => None,
        }
    }

    fn address(&self, pc: u64) -> u64 {
        self.hashed.as_ref().and_then(|hashed| hashed.get(&pc)).copied().unwrap_or(pc)
    }

    /// All that is known of a code point that communicated at these instructions.
    pub fn describe(&self, key: PointKey, pcs: &[Pc]) -> CodePoint {
        let pcs = tidy(pcs);
        let location = self.location(key).cloned();
        let first = pcs.first().map(|pc| self.address(*pc));
        let (function, inlined_at) = match (&self.lines, first) {
            (Some(lines), Some(pc)) => functions(lines, pc),
            _ => (None, Vec::new()),
        };
        let lines = self.lines.as_ref();
        let text = location.as_ref().zip(lines).and_then(|(at, lines)| lines.text(at));
        let library = self.is_library(key, first, location.as_ref());
        let (name, unknown) = match (&location, pcs.first()) {
            (Some(at), _) => {
                let file = lines.map_or(at.file.as_str(), |lines| lines.short(&at.file));
                (format!("{file}:{}", at.line), None)
            }
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
        let Some(program) = &self.lines else {
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

    /// Whether a code point belongs to the thread library.
    pub fn is_library_point(&self, key: PointKey, pc: Pc) -> bool {
        self.is_library(key, Some(self.address(pc.0)), self.location(key))
    }

    fn is_library(&self, key: PointKey, pc: Option<u64>, location: Option<&Location>) -> bool {
        let below = |paths: &[String]| {
            location.is_some_and(|at| paths.iter().any(|start| at.file.starts_with(start.as_str())))
        };
        let by_text = || {
            let own = self.lines.as_ref().and_then(LineMap::own_text);
            own.zip(pc).map(|(own, pc)| !own.contains(&pc))
        };
        key != PointKey::Nothing
            && !below(&self.interest)
            && (below(&self.library) || by_text().unwrap_or(false))
    }
}

/// The function of an instruction, and where it was inlined, innermost first.
fn functions(lines: &LineMap, pc: u64) -> (Option<String>, Vec<InlinedAt>) {
    let frames = lines.frames(pc);
    let function = frames.first().and_then(|frame| frame.function.clone());
    let outer = frames.iter().skip(1).map(|frame| InlinedAt {
        function: frame.function.clone().unwrap_or_else(|| "?".into()),
        location: frame.location.clone(),
    });
    let symbol = || lines.symbols().at(pc).map(|(name, _)| name.to_owned());
    (function.or_else(symbol), outer.collect())
}
