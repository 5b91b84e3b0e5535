//! A program: what an ELF file puts into the machine's memory.
//!
//! Whatever the file says is checked here, before anything is allocated for it: a file from anywhere
//! gives a program or one sentence.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use object::elf::{self, FileHeader32};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol};

/// Where RAM begins.
pub const RAM: u32 = border::map::RAM.base;

/// The largest file that is read: far more than memory has room for, debug information included.
const LARGEST: u64 = 1 << 30;

/// Why a file is not a program for this machine.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be read.
    #[error("`{}` cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// It is not a program for this machine.
    #[error("`{}` {what}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// Bytes at an address, and zeros after them.
#[derive(Clone, PartialEq, Eq)]
pub struct Segment {
    /// Where it begins.
    pub address: u32,
    /// What the file has of it.
    pub bytes: Vec<u8>,
    /// How long it is, zeros included.
    pub size: u32,
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

/// A named place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub address: u32,
    /// How many bytes; 0 when the file does not say.
    pub size: u32,
}

/// A program for the machine.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Where execution starts.
    pub entry: u32,
    /// What is put into memory; no two overlap.
    pub segments: Vec<Segment>,
    /// The code: from the lowest to the highest executable address.
    pub text: Range<u32>,
    /// Where the program talks to the host.
    pub tohost: Option<Place>,
    /// Where the host answers.
    pub fromhost: Option<Place>,
    /// The whole file, for source lines and symbols.
    pub file: Vec<u8>,
}

impl Program {
    /// Reads a program that fits RAM of `ram_bytes`.
    ///
    /// # Errors
    /// If the file cannot be read or is no program for this machine.
    pub fn read(path: &Path, ram_bytes: u32) -> Result<Self, ProgramError> {
        let unreadable = |reason| ProgramError::Unreadable { path: path.to_owned(), reason };
        let refused = |what: String| ProgramError::Refused { path: path.to_owned(), what };
        let meta = fs::metadata(path).map_err(unreadable)?;
        if !meta.is_file() {
            return Err(refused("is not a file".into()));
        }
        if meta.len() > LARGEST {
            return Err(refused(format!("has {} bytes; at most {LARGEST} are read", meta.len())));
        }
        let file = fs::read(path).map_err(unreadable)?;
        Self::parse(path, file, ram_bytes).map_err(refused)
    }

    /// The same from the bytes of a file; `path` is only a name.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence that begins with the file.
    pub fn parse(path: &Path, file: Vec<u8>, ram_bytes: u32) -> Result<Self, String> {
        check_kind(&file)?;
        let header = FileHeader32::<Endianness>::parse(&*file).map_err(damaged)?;
        let segments = segments(header, &file)?;
        check_places(&segments, ram_bytes)?;
        let entry = header.e_entry.get(Endianness::Little);
        let holds = |s: &Segment| (u64::from(s.address)..s.end()).contains(&u64::from(entry));
        if !segments.iter().any(holds) {
            return Err(format!("starts at {entry:#x}, which is in none of its segments"));
        }
        if !entry.is_multiple_of(4) {
            return Err(format!("starts at {entry:#x}, which is not a multiple of 4"));
        }
        let text = text(header, &file)?;
        let (tohost, fromhost) = {
            let elf = ElfFile32::<Endianness>::parse(&*file).map_err(damaged)?;
            let place = |name: &str| {
                let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(name))?;
                let address = u32::try_from(symbol.address()).ok()?;
                Some(Place { address, size: u32::try_from(symbol.size()).unwrap_or(0) })
            };
            (place("tohost"), place("fromhost"))
        };
        for (name, place) in [("tohost", tohost), ("fromhost", fromhost)] {
            let Some(Place { address, .. }) = place else { continue };
            let inside = (u64::from(RAM)..=u64::from(RAM) + u64::from(ram_bytes) - 8)
                .contains(&u64::from(address));
            if !inside || !address.is_multiple_of(8) {
                return Err(format!("has `{name}` at {address:#x}, not a double word of RAM"));
            }
        }
        Ok(Self { path: path.to_owned(), entry, segments, text, tohost, fromhost, file })
    }

    /// The address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u32> {
        let elf = ElfFile32::<Endianness>::parse(&*self.file).ok()?;
        let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(name))?;
        u32::try_from(symbol.address()).ok()
    }

    /// Whether anything of it lies at these addresses.
    pub fn occupies(&self, range: Range<u64>) -> bool {
        self.segments.iter().any(|s| u64::from(s.address) < range.end && range.start < s.end())
    }
}

fn damaged(error: object::read::Error) -> String {
    format!("is a damaged ELF file: {error}")
}

/// Refuses what is no ELF file of this kind of machine, by the first bytes.
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
        return Err(format!("is for another machine (number {}), not RISC-V", half(18)));
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
                "has a segment at {address:#x} with {stored} bytes in the file and {size} in memory"
            ));
        }
        let Ok(bytes) = segment.data(Endianness::Little, file) else {
            let offset = segment.p_offset(Endianness::Little);
            return Err(format!(
                "is truncated: the segment at {address:#x} is {stored} bytes from offset {offset} \
                 of {}",
                file.len()
            ));
        };
        segments.push(Segment { address, bytes: bytes.to_vec(), size });
    }
    if segments.is_empty() {
        return Err("has no segments to load".into());
    }
    segments.sort_by_key(|segment| segment.address);
    Ok(segments)
}

fn check_places(segments: &[Segment], ram_bytes: u32) -> Result<(), String> {
    let ram = u64::from(RAM)..u64::from(RAM) + u64::from(ram_bytes);
    for segment in segments {
        if u64::from(segment.address) < ram.start || segment.end() > ram.end {
            return Err(format!(
                "has a segment at {segment:?}, outside RAM at {:#x}..{:#x}",
                ram.start, ram.end
            ));
        }
    }
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
    // Read by a machine without rights of pages, a program need not mark its code.
    Ok(text.unwrap_or(0..0))
}
