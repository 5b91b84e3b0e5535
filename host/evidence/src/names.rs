//! Names for what the order log shows: lines, functions and variables, as the programmer wrote them.
//!
//! Addresses of globals come from debug information alone. What is on the heap or on a stack has no name of
//! its own: it is called as the source calls it where it was accessed, which the columns of the line table
//! and the types of the expressions there tell.

mod access;
mod allocation;
mod caller;
mod expression;
mod merged;
mod object;
mod passed;
mod position;
mod tokens;
mod typed;
mod variable;

pub use merged::Accesses;
pub use variable::{Memory, Variable};

use debuginfo::{LineMap, Location, Variables};
use merged::Code;
use position::{Position, Source};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use typed::Typing;

/// A file is no program, or its debug information is damaged.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the program's names: {0}")]
pub struct NamesError(String);

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// The file: as little of its path as tells it apart.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A function around an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionAt {
    /// Its name.
    pub name: String,
    /// Where in it: of the innermost the instruction's line, of the others the line of the call.
    pub line: Option<Line>,
}

/// The names of a program.
pub struct Names {
    lines: LineMap,
    variables: Variables,
    code: Code,
    /// Sources of the program's own code, by the names that lines have.
    sources: BTreeMap<String, Source>,
    /// Those names, by the short ones.
    short: BTreeMap<Arc<str>, String>,
    /// Files that only the library has code from, without their folders.
    library: BTreeSet<String>,
    /// What was asked for, by instruction, innermost first.
    positions: Mutex<HashMap<u32, Arc<[Position]>>>,
}

impl Names {
    /// Reads the linked file. Sources are looked for in these folders and the current one; without them there
    /// is less to say.
    ///
    /// # Errors
    /// If it is no program, or its debug information is damaged.
    pub fn read(elf: &[u8], sources: &[PathBuf]) -> Result<Self, NamesError> {
        let mut folders = sources.to_vec();
        folders.push(".".into());
        let lines = LineMap::read(elf, folders).map_err(NamesError)?;
        let variables = Variables::read(elf).map_err(NamesError)?;
        let own = lines.own_text().cloned().unwrap_or(0..u64::MAX);
        let files: Vec<String> = lines.files_of(&own).into_iter().map(str::to_owned).collect();
        let bare = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
        let mut library: BTreeSet<String> =
            lines.files_of(&(0..own.start)).into_iter().map(bare).collect();
        library.extend(lines.files_of(&(own.end..u64::MAX)).into_iter().map(bare));
        library.retain(|name| !files.iter().any(|file| bare(file) == *name));
        let short = files.iter().map(|file| (lines.short(file).into(), file.clone())).collect();
        let found = files.into_iter().filter_map(|file| {
            let lines = lines.source(&file)?;
            Some((file, Source::new(lines)))
        });
        let sources = found.collect();
        let code = Code::read(elf);
        Ok(Self { lines, variables, code, sources, short, library, positions: Mutex::default() })
    }

    /// The line of an instruction of the program's own code; of inlined code, its own line.
    pub fn line(&self, pc: u32) -> Option<Line> {
        let own = self.lines.own_text();
        if own.is_some_and(|own| !own.contains(&pc.into())) {
            return None;
        }
        let (line, column) = self.lines.line(pc.into())?;
        Some(self.named(self.lines.location(line)?, column))
    }

    /// The variables and types of the program.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// Whether only the library has code from a file.
    pub fn is_library(&self, file: &str) -> bool {
        self.library.contains(file)
    }

    /// The functions around an instruction: what was inlined first, the real function last.
    pub fn functions(&self, pc: u32) -> Vec<FunctionAt> {
        let frames = self.lines.frames(pc.into()).into_iter();
        let mut found: Vec<FunctionAt> = frames
            .filter_map(|frame| {
                let line = frame.location.map(|at| self.named(&at, frame.column));
                Some(FunctionAt { name: frame.function?, line })
            })
            .collect();
        if found.is_empty() {
            let symbol = self.lines.symbols().at(pc.into());
            let line = self.line(pc);
            found.extend(symbol.map(|(name, _)| FunctionAt { name: name.to_owned(), line }));
        }
        found
    }

    /// The text of a line, trimmed, if its source is at hand.
    pub fn text(&self, line: &Line) -> Option<&str> {
        let source = self.sources.get(self.short.get(&line.file)?)?;
        let text = source.lines.get((line.line as usize).checked_sub(1)?)?;
        Some(text.trim())
    }

    fn named(&self, at: &Location, column: u32) -> Line {
        Line { file: self.lines.short(&at.file).into(), line: at.line, column }
    }

    /// Where an instruction is in the source: its own place first, then the calls that were inlined.
    fn positions(&self, pc: u32) -> Arc<[Position]> {
        let mut known = self.positions.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(pc).or_insert_with(|| self.find_positions(pc)).clone()
    }

    fn find_positions(&self, pc: u32) -> Arc<[Position]> {
        let frames = self.lines.frames(pc.into()).into_iter();
        let positions = frames.filter_map(|frame| {
            let Location { file, line } = frame.location?;
            Some(Position { function: frame.function?, file, line, column: frame.column })
        });
        positions.collect()
    }

    /// The lines of a function of a file.
    fn body_of(&self, function: &str, file: &str) -> Option<RangeInclusive<u32>> {
        self.sources.get(self.short.get(file)?)?.body(function)
    }

    fn source(&self, position: &Position) -> Option<&Source> {
        self.sources.get(&position.file)
    }

    /// Types of the expressions at a position.
    fn typing_at<'a>(&'a self, source: &'a Source, position: &'a Position) -> Typing<'a> {
        let Position { function, file, .. } = position;
        Typing { tokens: &source.tokens, variables: &self.variables, function, file }
    }
}
