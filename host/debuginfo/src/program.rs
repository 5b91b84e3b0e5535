//! Debug information of a program file: lines, functions, what was inlined where.

use crate::elf::{self, Slice};
use crate::symbols::Symbols;
use addr2line::Context;
use object::{Object, ObjectSymbol};
use std::sync::Mutex;

/// A program and its debug information.
pub struct Program {
    /// Lookups fill caches inside, so one at a time.
    context: Mutex<Context<Slice>>,
    /// The program's own text, when it says so.
    text: Option<std::ops::Range<u64>>,
    /// Symbols of code, for instructions without debug information.
    symbols: Symbols,
}

/// A stretch of instructions that belong to one line.
pub struct LineRange {
    pub start: u64,
    pub end: u64,
    pub file: String,
    pub line: u32,
    /// From 1; 0 if it is not known.
    pub column: u32,
}

/// A function that contains an instruction, innermost first.
pub struct RawFrame {
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

/// The symbols around the program's own text; what lies outside is the thread library's.
const TEXT: [&str; 2] = ["__program_text_start", "__program_text_end"];

impl Program {
    /// Reads an ELF file; the error says what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let file = elf::file(bytes)?;
        let context = Context::from_dwarf(elf::dwarf(&file)?);
        let context = context.map_err(|error| elf::unusable(&error))?;
        let address = |name: &str| file.symbol_by_name(name).map(|symbol| symbol.address());
        let text = address(TEXT[0]).zip(address(TEXT[1])).map(|(start, end)| start..end);
        Ok(Self { context: Mutex::new(context), text, symbols: Symbols::of(&file) })
    }

    /// All lines of the program, in the order of their addresses.
    pub fn lines(&self) -> Vec<LineRange> {
        let context = self.context.lock().unwrap_or_else(|broken| broken.into_inner());
        let Ok(ranges) = context.find_location_range(0, u64::MAX) else { return Vec::new() };
        let mut lines: Vec<LineRange> = ranges
            .filter_map(|(start, size, location)| {
                let (file, line) = (location.file?.to_owned(), location.line?);
                let end = start.saturating_add(size);
                let column = location.column.unwrap_or(0);
                (line > 0 && end > start).then_some(LineRange { start, end, file, line, column })
            })
            .collect();
        lines.sort_by_key(|range| (range.start, range.end));
        lines
    }

    /// The functions an instruction is in: what was inlined first, the real function last.
    pub fn frames(&self, pc: u64) -> Vec<RawFrame> {
        // Nothing is there, and the search for what lies before the next address would overflow.
        if pc == u64::MAX {
            return Vec::new();
        }
        let context = self.context.lock().unwrap_or_else(|broken| broken.into_inner());
        let mut frames = Vec::new();
        if let Ok(mut found) = context.find_frames(pc).skip_all_loads() {
            while let Ok(Some(frame)) = found.next() {
                let function = frame
                    .function
                    .as_ref()
                    .and_then(|name| name.raw_name().ok().map(|name| name.into_owned()));
                let location = frame.location;
                frames.push(RawFrame {
                    function,
                    file: location.as_ref().and_then(|at| at.file).map(str::to_owned),
                    line: location.as_ref().and_then(|at| at.line),
                    column: location.as_ref().and_then(|at| at.column),
                });
            }
        }
        frames
    }

    /// The symbols of its code.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The program's own text, if the program says where it is; what lies outside is the thread library's.
    pub fn own_text(&self) -> Option<&std::ops::Range<u64>> {
        self.text.as_ref()
    }
}
