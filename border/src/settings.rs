//! Settings: what the host may set in a linked program before it runs, in the program's parameter block.
//!
//! The defaults are in `firmware/boot/parameters.c` and nowhere else: settings are read from a
//! [`Program`](crate::Program), changed, and written back into it.

use object::read::elf::{ElfFile32, ElfSection32};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

/// The name of the block in a program's symbol table.
const SYMBOL: &str = "crosstalk_parameters";
const MAGIC: u32 = u32::from_le_bytes(*b"XTLK");
const VERSION: u32 = 1;
const SEED: usize = 14 * 4;
const HEADER_BYTES: usize = 16 * 4;
const ARGUMENT_COUNT: usize = 17 * 4;
const CONFIG_HASH: usize = 18 * 4;
const ELF_HASH: usize = CONFIG_HASH + 32;
const ARGUMENTS: usize = ELF_HASH + 32;
const ARGUMENT_BYTES: usize = 1024;
pub(crate) const BLOCK_BYTES: usize = ARGUMENTS + ARGUMENT_BYTES;

/// Why there are no settings.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The program was not linked with the runtime.
    #[error("the program has no parameter block: {0}")]
    NoBlock(String),
    /// It was, but with another version of it, or was damaged since.
    #[error("the program's parameter block cannot be used: {0}")]
    BadBlock(String),
    /// The arguments are too long.
    #[error(
        "the program's arguments take {bytes} bytes, with a zero after each; at most {ARGUMENT_BYTES}"
    )]
    LongArguments {
        /// How long.
        bytes: usize,
    },
    /// A zero byte ends an argument.
    #[error("argument {number} of the program has a zero byte in it")]
    ZeroByte {
        /// Which.
        number: usize,
    },
}

/// Who reads the communication tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drain {
    /// Nobody: the simulation's tap does.
    Off = 0,
    /// Each hart its own, when it is filled to the watermark.
    Watermark = 1,
    /// Each hart its own, when it is full.
    Full = 2,
    /// The last hart, which runs no thread.
    Spare = 3,
}

/// Where console and records go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    /// To the host, through `tohost`.
    Host = 0,
    /// To the serial port.
    Uart = 1,
}

/// What is sent of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Records {
    /// Nothing.
    None = 0,
    /// The record stream.
    Framed = 1,
    /// The record stream without its edges; these as they are, to descriptor 4: a third of the cycles.
    Bare = 2,
}

/// What the host may set. `docs/firmware.md` says what each means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// At most this many harts; 0: all.
    pub harts: u32,
    /// 0: found out at boot.
    pub ram_bytes: u32,
    /// What the program takes the `time` CSR for.
    pub ticks_per_second: u32,
    /// Console and records.
    pub out: Out,
    /// The monitors' control register; 0: off.
    pub monitor: u32,
    /// Monitored text; 0..0: the program without the library.
    pub range: std::ops::Range<u32>,
    /// Who reads the tables.
    pub drain: Drain,
    /// For [`Drain::Watermark`]; 0: three quarters of the table.
    pub watermark: u32,
    /// Edges that a hart keeps before it sends them.
    pub buffer_entries: u32,
    /// Bytes of a thread's stack.
    pub thread_stack: u32,
    /// Bytes of the first thread's stack.
    pub main_stack: u32,
    /// Of the schedule; like the rest of these, for the record's header.
    pub seed: u64,
    /// Events of a context.
    pub events: u8,
    /// Bits of a pc.
    pub pc_bits: u8,
    /// Bits of a timestamp.
    pub time_bits: u8,
    /// What is sent of records.
    pub records: Records,
    /// SHA-256 of the configuration.
    pub config_hash: [u8; 32],
    /// SHA-256 of the program's file.
    pub elf_hash: [u8; 32],
    /// The program's arguments, its name first.
    pub arguments: Vec<Vec<u8>>,
}

impl Settings {
    /// Those of a block, which begins `bytes`.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, SettingsError> {
        let block = &bytes[..BLOCK_BYTES];
        let word = |index: usize| {
            let bytes = block[4 * index..4 * index + 4].try_into();
            bytes.map_or(0, u32::from_le_bytes)
        };
        let bytes = |at: usize| block[at..at + 32].try_into().unwrap_or([0; 32]);
        let unknown = |what: &str, value: u32| {
            SettingsError::BadBlock(format!("its {what} is {value}, which means nothing"))
        };
        Ok(Self {
            harts: word(2),
            ram_bytes: word(3),
            ticks_per_second: word(4),
            out: match word(5) {
                0 => Out::Host,
                1 => Out::Uart,
                other => return Err(unknown("way out", other)),
            },
            monitor: word(6),
            range: word(7)..word(8),
            drain: match word(9) {
                0 => Drain::Off,
                1 => Drain::Watermark,
                2 => Drain::Full,
                3 => Drain::Spare,
                other => return Err(unknown("drain mode", other)),
            },
            watermark: word(10),
            buffer_entries: word(11),
            thread_stack: word(12),
            main_stack: word(13),
            seed: u64::from(word(14)) | u64::from(word(15)) << 32,
            events: block[HEADER_BYTES],
            pc_bits: block[HEADER_BYTES + 1],
            time_bits: block[HEADER_BYTES + 2],
            records: match block[HEADER_BYTES + 3] {
                0 => Records::None,
                1 => Records::Framed,
                2 => Records::Bare,
                other => return Err(unknown("way of sending records", other.into())),
            },
            config_hash: bytes(CONFIG_HASH),
            elf_hash: bytes(ELF_HASH),
            arguments: block[ARGUMENTS..]
                .split(|byte| *byte == 0)
                .take(word(17) as usize)
                .map(<[u8]>::to_vec)
                .collect(),
        })
    }

    /// Writes them into a block, which begins `bytes`.
    pub(crate) fn write(&self, bytes: &mut [u8]) -> Result<(), SettingsError> {
        let arguments = self.argument_bytes()?;
        let block = &mut bytes[..BLOCK_BYTES];
        let words = [
            self.harts,
            self.ram_bytes,
            self.ticks_per_second,
            self.out as u32,
            self.monitor,
            self.range.start,
            self.range.end,
            self.drain as u32,
            self.watermark,
            self.buffer_entries,
            self.thread_stack,
            self.main_stack,
        ];
        let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
        for (index, word) in words.iter().enumerate() {
            put(8 + 4 * index, &word.to_le_bytes());
        }
        put(SEED, &self.seed.to_le_bytes());
        put(HEADER_BYTES, &[self.events, self.pc_bits, self.time_bits, self.records as u8]);
        put(ARGUMENT_COUNT, &(self.arguments.len() as u32).to_le_bytes());
        put(CONFIG_HASH, &self.config_hash);
        put(ELF_HASH, &self.elf_hash);
        put(ARGUMENTS, &arguments);
        Ok(())
    }

    fn argument_bytes(&self) -> Result<[u8; ARGUMENT_BYTES], SettingsError> {
        let has_zero = |argument: &Vec<u8>| argument.contains(&0);
        if let Some(number) = self.arguments.iter().position(has_zero) {
            return Err(SettingsError::ZeroByte { number });
        }
        let joined: Vec<u8> = self
            .arguments
            .iter()
            .flat_map(|argument| argument.iter().copied().chain([0]))
            .collect();
        let mut all = [0; ARGUMENT_BYTES];
        let Some(room) = all.get_mut(..joined.len()) else {
            return Err(SettingsError::LongArguments { bytes: joined.len() });
        };
        room.copy_from_slice(&joined);
        Ok(all)
    }
}

/// Where in the file the block is.
pub(crate) fn find(elf: &ElfFile32<'_, Endianness>, file: &[u8]) -> Result<usize, SettingsError> {
    let none = |why: &str| SettingsError::NoBlock(why.into());
    let bad = |why: &str| SettingsError::BadBlock(why.into());
    let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(SYMBOL));
    let symbol =
        symbol.ok_or_else(|| none("it was not linked with the runtime of `crosstalk cc`"))?;
    let section = symbol.section_index().and_then(|index| elf.section_by_index(index).ok());
    let at = section.and_then(|section| place(&section, symbol.address(), file.len()));
    let at = at.ok_or_else(|| bad("it lies outside the file"))?;
    let word = |index: usize| {
        let bytes = file[at + 4 * index..at + 4 * index + 4].try_into();
        bytes.map_or(0, u32::from_le_bytes)
    };
    match (word(0), word(1)) {
        (MAGIC, VERSION) => Ok(at),
        (MAGIC, version) => Err(bad(&format!("its version is {version}; this is for {VERSION}"))),
        _ => Err(bad("it does not begin as it should")),
    }
}

fn place(
    section: &ElfSection32<'_, '_, Endianness>,
    address: u64,
    file_bytes: usize,
) -> Option<usize> {
    let (start, size) = section.file_range()?;
    let inside = address.checked_sub(section.address())?;
    if inside.checked_add(BLOCK_BYTES as u64)? > size {
        return None;
    }
    let at = usize::try_from(start.checked_add(inside)?).ok()?;
    (at.checked_add(BLOCK_BYTES)? <= file_bytes).then_some(at)
}
