//! A program: the memory contents of an ELF file, parsed once.
//!
//! Everything in the file is validated here, before anything is allocated for it: any file
//! gives a program or an error.

mod isa;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use object::elf::{self, FileHeader32};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

use crate::map::RAM;
use crate::settings::{self, Settings, SettingsError};

/// Size limit of a file: far more than memory has room for, including debug information.
const LARGEST: u64 = 1 << 30;

/// Why a file cannot be used as a program.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be read.
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// It is not a program for this machine.
    #[error("`{}` {what}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why, as the end of a sentence that begins with the file.
        what: String,
    },
}

/// Bytes at an address, followed by zeros.
#[derive(Clone, PartialEq, Eq)]
pub struct Segment {
    /// The address of its first byte.
    pub address: u32,
    /// Its bytes in the file.
    pub bytes: Vec<u8>,
    /// Size in memory, including the zeros.
    pub size: u32,
    /// Offset of its bytes in the file.
    offset: usize,
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}..{:#x}", self.address, self.end())
    }
}

impl Segment {
    /// The address after its last byte.
    fn end(&self) -> u64 {
        u64::from(self.address) + u64::from(self.size)
    }
}

/// Address and size of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The address of its first byte.
    pub address: u32,
    /// Size in bytes; 0 if not in the file.
    pub size: u32,
}

/// A program for the machine.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file it came from, or a name.
    pub path: PathBuf,
    /// Address of the first instruction.
    pub entry: u32,
    /// Contents of memory, by address; segments do not overlap.
    pub segments: Vec<Segment>,
    /// The code: from the lowest to the highest executable address.
    pub text: Range<u32>,
    file: Vec<u8>,
    symbols: BTreeMap<String, Place>,
    /// Offset of the parameter block in the file.
    parameters: Result<usize, SettingsError>,
}

impl Program {
    /// The largest RAM of any machine: for programs whose machine is not known yet.
    pub const ANY_RAM: u32 = 1 << 31;

    /// Reads a program that fits RAM of `ram_bytes`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a program for this machine.
    pub fn read(path: &Path, ram_bytes: u32) -> Result<Self, ProgramError> {
        let unreadable = |reason| ProgramError::Unreadable { path: path.to_owned(), reason };
        let refused = |what: String| ProgramError::Refused { path: path.to_owned(), what };
        let meta = fs::metadata(path).map_err(unreadable)?;
        if !meta.is_file() {
            return Err(refused("is not a file".into()));
        }
        if meta.len() > LARGEST {
            return Err(refused(format!("has {} bytes; expected at most {LARGEST}", meta.len())));
        }
        let file = fs::read(path).map_err(unreadable)?;
        Self::parse(path, file, ram_bytes).map_err(refused)
    }

    /// Parses the bytes of a file; `path` is only a name.
    ///
    /// # Errors
    /// Why not, as the end of a sentence that begins with the file.
    pub fn parse(path: &Path, file: Vec<u8>, ram_bytes: u32) -> Result<Self, String> {
        check_kind(&file)?;
        let header = FileHeader32::<Endianness>::parse(&*file).map_err(damaged)?;
        isa::check_flags(header.e_flags.get(Endianness::Little))?;
        let segments = segments(header, &file)?;
        check_apart(&segments, ram_bytes)?;
        let entry = header.e_entry.get(Endianness::Little);
        let holds = |s: &Segment| (u64::from(s.address)..s.end()).contains(&u64::from(entry));
        if !segments.iter().any(holds) {
            return Err(format!("has its entry point at {entry:#x}, outside its segments"));
        }
        if !entry.is_multiple_of(4) {
            return Err(format!("has its entry point at {entry:#x}, which is not a multiple of 4"));
        }
        let text = text(header, &file)?;
        let (symbols, parameters) = {
            let elf = ElfFile32::<Endianness>::parse(&*file).map_err(damaged)?;
            let attributes = elf.section_by_name(".riscv.attributes").and_then(|s| s.data().ok());
            isa::check_attributes(attributes.unwrap_or_default())?;
            (symbols(&elf), settings::find(&elf, &file))
        };
        let path = path.to_owned();
        let program = Self { path, entry, segments, text, file, symbols, parameters };
        program.check_fits(ram_bytes)?;
        Ok(program)
    }

    /// A program without a file: bytes at addresses, of which the first are its code.
    pub fn of_pieces(name: &str, pieces: impl IntoIterator<Item = (u32, Vec<u8>)>) -> Self {
        let segment = |(address, bytes): (u32, Vec<u8>)| {
            let size = bytes.len() as u32;
            Segment { address, bytes, size, offset: 0 }
        };
        let segments: Vec<_> = pieces.into_iter().map(segment).collect();
        let code = segments.first();
        let text = code.map_or(0..0, |code| code.address..code.address + code.size);
        let (path, entry) = (name.into(), text.start);
        let parameters = Err(SettingsError::NoBlock("it was not read from a file".into()));
        let (file, symbols) = (Vec::new(), BTreeMap::new());
        Self { path, entry, segments, text, file, symbols, parameters }
    }

    /// Checks that the whole program is in RAM of `ram_bytes`.
    ///
    /// # Errors
    /// Why not, as the end of a sentence that begins with the file.
    pub fn check_fits(&self, ram_bytes: u32) -> Result<(), String> {
        check_inside(&self.segments, ram_bytes)?;
        for (name, place) in [("tohost", self.tohost()), ("fromhost", self.fromhost())] {
            let Some(Place { address, .. }) = place else { continue };
            let inside = (u64::from(RAM.base)..=u64::from(RAM.base) + u64::from(ram_bytes) - 8)
                .contains(&u64::from(address));
            if !inside || !address.is_multiple_of(8) {
                return Err(format!(
                    "has `{name}` at {address:#x}; expected an address in RAM that is a multiple of 8"
                ));
            }
        }
        Ok(())
    }

    /// The whole file, for source lines and debuggers.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// The word in which the program sends requests to the host.
    pub fn tohost(&self) -> Option<Place> {
        self.place("tohost")
    }

    /// The word in which the host answers.
    pub fn fromhost(&self) -> Option<Place> {
        self.place("fromhost")
    }

    /// Address and size of a symbol.
    pub fn place(&self, name: &str) -> Option<Place> {
        self.symbols.get(name).copied()
    }

    /// The address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u32> {
        self.place(name).map(|place| place.address)
    }

    /// Whether the program has bytes at any of these addresses.
    pub fn occupies(&self, range: Range<u64>) -> bool {
        self.segments.iter().any(|s| u64::from(s.address) < range.end && range.start < s.end())
    }

    /// The settings in its parameter block.
    ///
    /// # Errors
    /// If it has no parameter block of a known version.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        Settings::read(&self.file[self.parameters.clone()?..])
    }

    /// Writes settings into its parameter block, in memory and in the file.
    ///
    /// # Errors
    /// If it has no parameter block of a known version, or the arguments do not fit.
    pub fn set(&mut self, settings: &Settings) -> Result<(), SettingsError> {
        let at = self.parameters.clone()?;
        settings.write(&mut self.file[at..])?;
        let block = at..at + settings::BLOCK_BYTES;
        for segment in &mut self.segments {
            let stored = segment.offset..segment.offset + segment.bytes.len();
            let both = block.start.max(stored.start)..block.end.min(stored.end);
            if let Some(bytes) = self.file.get(both.clone()) {
                let start = both.start - segment.offset;
                segment.bytes[start..start + bytes.len()].copy_from_slice(bytes);
            }
        }
        Ok(())
    }
}

/// The symbols by name; the first of several with the same name.
fn symbols(elf: &ElfFile32<'_, Endianness>) -> BTreeMap<String, Place> {
    let mut symbols = BTreeMap::new();
    for symbol in elf.symbols() {
        if let (Ok(name), Ok(address)) = (symbol.name(), u32::try_from(symbol.address()))
            && !name.is_empty()
        {
            let size = u32::try_from(symbol.size()).unwrap_or(0);
            symbols.entry(name.to_owned()).or_insert(Place { address, size });
        }
    }
    symbols
}

fn damaged(error: object::read::Error) -> String {
    format!("is a damaged ELF file: {error}")
}

/// Checks by the first bytes that it is an ELF file for this kind of machine.
fn check_kind(file: &[u8]) -> Result<(), String> {
    if !file.starts_with(&elf::ELFMAG) {
        return Err("is not an ELF file".into());
    }
    let Some(header) = file.get(..20) else {
        return Err("is a damaged ELF file: it ends within its header".into());
    };
    let half = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    if header[4] != elf::ELFCLASS32 {
        return Err("is a 64-bit ELF file; the machine has 32-bit harts".into());
    }
    if header[5] != elf::ELFDATA2LSB {
        return Err("is a big-endian ELF file; the machine is little-endian".into());
    }
    if half(18) != elf::EM_RISCV {
        let (found, expected) = (half(18), elf::EM_RISCV);
        return Err(format!(
            "is for another processor (ELF machine {found}); expected RISC-V ({expected})"
        ));
    }
    match half(16) {
        elf::ET_EXEC => Ok(()),
        elf::ET_REL => Err("is an object file; link it to a program first".into()),
        _ => Err("is not linked to fixed addresses; link it as a static executable".into()),
    }
}

type Header = FileHeader32<Endianness>;

fn loaded<'a>(
    header: &'a Header,
    file: &'a [u8],
) -> Result<impl Iterator<Item = &'a elf::ProgramHeader32<Endianness>>, String> {
    let all = header.program_headers(Endianness::Little, file).map_err(damaged)?;
    let wanted = |segment: &&elf::ProgramHeader32<Endianness>| {
        segment.p_type(Endianness::Little) == elf::PT_LOAD
            && segment.p_memsz(Endianness::Little) > 0
    };
    Ok(all.iter().filter(wanted))
}

fn segments(header: &Header, file: &[u8]) -> Result<Vec<Segment>, String> {
    let mut segments = Vec::new();
    for segment in loaded(header, file)? {
        let address = segment.p_paddr(Endianness::Little);
        let size = segment.p_memsz(Endianness::Little);
        let stored = segment.p_filesz(Endianness::Little);
        if stored > size {
            return Err(format!(
                "has a segment at {address:#x} with {stored} bytes in the file, but only {size} in memory"
            ));
        }
        let Ok(bytes) = segment.data(Endianness::Little, file) else {
            let offset = segment.p_offset(Endianness::Little);
            return Err(format!(
                "is truncated: the segment at {address:#x} has {stored} bytes at file offset {offset}, \
                 but the file has {}",
                file.len()
            ));
        };
        let offset = segment.p_offset(Endianness::Little) as usize;
        segments.push(Segment { address, bytes: bytes.to_vec(), size, offset });
    }
    if segments.is_empty() {
        return Err("has no segments to load".into());
    }
    segments.sort_by_key(|segment| segment.address);
    Ok(segments)
}

fn check_inside(segments: &[Segment], ram_bytes: u32) -> Result<(), String> {
    let ram = u64::from(RAM.base)..u64::from(RAM.base) + u64::from(ram_bytes);
    for segment in segments {
        if u64::from(segment.address) < ram.start || segment.end() > ram.end {
            return Err(format!(
                "has a segment at {segment:?}, outside RAM at {:#x}..{:#x}",
                ram.start, ram.end
            ));
        }
    }
    Ok(())
}

/// Checks that segments are in RAM and do not overlap.
fn check_apart(segments: &[Segment], ram_bytes: u32) -> Result<(), String> {
    check_inside(segments, ram_bytes)?;
    for pair in segments.windows(2) {
        if pair[0].end() > u64::from(pair[1].address) {
            return Err(format!("has segments that overlap: {:?} and {:?}", pair[0], pair[1]));
        }
    }
    Ok(())
}

/// From the lowest to the highest executable address; the bounds have been checked.
fn text(header: &Header, file: &[u8]) -> Result<Range<u32>, String> {
    let mut text: Option<Range<u32>> = None;
    for segment in loaded(header, file)? {
        if segment.p_flags(Endianness::Little) & elf::PF_X != 0 {
            let start = segment.p_paddr(Endianness::Little);
            let end = start.saturating_add(segment.p_memsz(Endianness::Little));
            text = Some(text.map_or(start..end, |t| t.start.min(start)..t.end.max(end)));
        }
    }
    // Without page permissions, a program need not mark its code.
    Ok(text.unwrap_or(0..0))
}
