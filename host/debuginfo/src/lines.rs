//! From instructions to lines of source, fast, and from there to functions and text.

use crate::files::FileNames;
use crate::program::Program;
use crate::source::Sources;
use crate::symbols::Symbols;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Location {
    /// The file, never an absolute path.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A function around an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its name.
    pub function: Option<String>,
    /// Where in it: of the innermost the instruction's own place, of the others the call of the one before.
    pub location: Option<Location>,
    /// The column there, from 1; 0 if it is not known.
    pub column: u32,
}

/// A stretch of instructions.
#[derive(Clone, Copy, Debug)]
struct Range {
    start: u64,
    end: u64,
    /// Its line's place in the list of lines.
    line: u32,
    column: u32,
}

/// Which instruction belongs to which line.
pub struct LineMap {
    program: Program,
    /// In the order of their addresses.
    ranges: Vec<Range>,
    /// Sorted by file and number.
    lines: Vec<Location>,
    /// What its files are called.
    files: FileNames,
    sources: Sources,
}

impl LineMap {
    /// Reads a program; its sources are looked for in these folders.
    ///
    /// # Errors
    /// If it is no program, or its debug information is damaged: says how.
    pub fn read(bytes: &[u8], folders: Vec<PathBuf>) -> Result<Self, String> {
        let program = Program::parse(bytes)?;
        let sources = Sources::new(folders);
        let found = program.lines();
        let located: Vec<_> = found
            .iter()
            .map(|range| Location { file: sources.shown(&range.file), line: range.line })
            .collect();
        let mut lines = located.clone();
        lines.sort();
        lines.dedup();
        let ranges = found.iter().zip(&located).filter_map(|(range, location)| {
            let line = lines.binary_search(location).ok()? as u32;
            let (start, end, column) = (range.start, range.end, range.column);
            Some(Range { start, end, line, column })
        });
        let ranges = ranges.collect();
        let files = FileNames::of(lines.iter().map(|line| line.file.as_str()));
        Ok(Self { program, ranges, lines, files, sources })
    }

    /// The line of an instruction, by its place in the list of lines, and the column, 0 if unknown.
    pub fn line(&self, pc: u64) -> Option<(u32, u32)> {
        let after = self.ranges.partition_point(|range| range.start <= pc);
        let range = &self.ranges[after.checked_sub(1)?];
        (pc < range.end).then_some((range.line, range.column))
    }

    /// A line by its place in the list.
    pub fn location(&self, line: u32) -> Option<&Location> {
        self.lines.get(line as usize)
    }

    /// Whether there is any line.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Instructions with a line, as ranges of addresses in order.
    pub fn ranges(&self) -> impl Iterator<Item = std::ops::Range<u64>> {
        self.ranges.iter().map(|range| range.start..range.end)
    }

    /// The files that some instruction of these addresses comes from, each once, in order.
    pub fn files_of(&self, addresses: &std::ops::Range<u64>) -> Vec<&str> {
        let ranges = self.ranges.iter().filter(|range| addresses.contains(&range.start));
        let lines = ranges.filter_map(|range| self.location(range.line));
        let mut files: Vec<&str> = lines.map(|line| line.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// As little of a file's path as tells it apart from the program's others.
    pub fn short<'a>(&self, file: &'a str) -> &'a str {
        self.files.short(file)
    }

    /// The functions around an instruction: what was inlined first, the real function last.
    pub fn frames(&self, pc: u64) -> Vec<Frame> {
        let frames = self.program.frames(pc).into_iter().map(|frame| Frame {
            function: frame.function,
            location: frame
                .file
                .zip(frame.line)
                .map(|(file, line)| Location { file: self.sources.shown(&file), line }),
            column: frame.column.unwrap_or(0),
        });
        frames.collect()
    }

    /// The text of a line without the white space around it, if its source is at hand and it is not blank.
    pub fn text(&self, location: &Location) -> Option<String> {
        self.sources.line(&location.file, location.line)
    }

    /// The lines of a source file, if it is at hand.
    pub fn source(&self, file: &str) -> Option<Arc<[String]>> {
        self.sources.lines(file)
    }

    /// The symbols of its code.
    pub fn symbols(&self) -> &Symbols {
        self.program.symbols()
    }

    /// The program's own text; what lies outside is the thread library's. `None` when the program does not say.
    pub fn own_text(&self) -> Option<&std::ops::Range<u64>> {
        self.program.own_text()
    }
}
