//! Settings: the values in a linked program's parameter block, which the host may change before a run.
//!
//! A linked program's block holds the defaults, from the rows of [`crate::parameters`]: settings are read from
//! a [`Program`](crate::Program), changed, and written back into it.

use object::read::elf::{ElfFile32, ElfSection32};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};

use crate::parameters::{self, ARGUMENT_BYTES, Drain, Out, Parameter, Records};

/// Bytes of the block.
pub(crate) const BLOCK_BYTES: usize = parameters::BLOCK_BYTES as usize;

/// Why a program's settings cannot be read or written.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The program was not linked with the runtime.
    #[error("the program has no parameter block: {0}")]
    NoBlock(String),
    /// The block has another version, or is damaged.
    #[error("the program's parameter block is not valid: {0}")]
    BadBlock(String),
    /// The arguments are too long.
    #[error(
        "the program's arguments take {bytes} bytes, including terminators; expected at most {ARGUMENT_BYTES}"
    )]
    LongArguments {
        /// Their size, including terminators.
        bytes: usize,
    },
    /// An argument contains a zero byte, which is the terminator.
    #[error("argument {number} of the program contains a zero byte")]
    ZeroByte {
        /// Index of the argument.
        number: usize,
    },
}

/// The settings of a program; `docs/firmware.md` documents each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Maximum number of harts to use; 0: all.
    pub harts: u32,
    /// Bytes of RAM; 0: detected at boot.
    pub ram_bytes: u32,
    /// Frequency of the `time` CSR.
    pub ticks_per_second: u32,
    /// Destination of console and records.
    pub out: Out,
    /// Value of the monitors' control register; 0: off.
    pub monitor: u32,
    /// Monitored text; 0..0: the program without the library.
    pub range: std::ops::Range<u32>,
    /// How the communication tables are drained.
    pub drain: Drain,
    /// Watermark for [`Drain::Watermark`]; 0: three quarters of the table.
    pub watermark: u32,
    /// Size of a hart's buffer, in edges.
    pub buffer_entries: u32,
    /// Bytes of a thread's stack.
    pub thread_stack: u32,
    /// Bytes of the first thread's stack.
    pub main_stack: u32,
    /// Seed of the schedule; this and the fields below are for the record's header.
    pub seed: u64,
    /// Events of a context.
    pub events: u8,
    /// Bits of a pc.
    pub pc_bits: u8,
    /// Bits of a timestamp.
    pub time_bits: u8,
    /// Which records are sent.
    pub records: Records,
    /// SHA-256 of the configuration.
    pub config_hash: [u8; 32],
    /// SHA-256 of the program's file.
    pub elf_hash: [u8; 32],
    /// The program's arguments, its name first.
    pub arguments: Vec<Vec<u8>>,
}

impl Settings {
    /// Reads the block at the start of `bytes`.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, SettingsError> {
        use Parameter as P;
        let field = |parameter: P| &bytes[parameter.range()];
        let word = |parameter: P| field(parameter).try_into().map_or(0, u32::from_le_bytes);
        let byte = |parameter: P| field(parameter).first().copied().unwrap_or(0);
        let hash = |parameter: P| field(parameter).try_into().unwrap_or([0; 32]);
        let unknown = |parameter: P, value: u32| {
            let name = parameter.name();
            SettingsError::BadBlock(format!("its field `{name}` has the unknown value {value}"))
        };
        Ok(Self {
            harts: word(P::Harts),
            ram_bytes: word(P::RamBytes),
            ticks_per_second: word(P::TicksPerSecond),
            out: Out::numbered(word(P::Out)).ok_or_else(|| unknown(P::Out, word(P::Out)))?,
            monitor: word(P::Monitor),
            range: word(P::RangeLow)..word(P::RangeHigh),
            drain: Drain::numbered(word(P::Drain))
                .ok_or_else(|| unknown(P::Drain, word(P::Drain)))?,
            watermark: word(P::Watermark),
            buffer_entries: word(P::BufferEntries),
            thread_stack: word(P::ThreadStack),
            main_stack: word(P::MainStack),
            seed: u64::from(word(P::SeedLow)) | u64::from(word(P::SeedHigh)) << 32,
            events: byte(P::Events),
            pc_bits: byte(P::PcBits),
            time_bits: byte(P::TimeBits),
            records: Records::numbered(byte(P::Records).into())
                .ok_or_else(|| unknown(P::Records, byte(P::Records).into()))?,
            config_hash: hash(P::ConfigHash),
            elf_hash: hash(P::ElfHash),
            arguments: field(P::Arguments)
                .split(|byte| *byte == 0)
                .take(word(P::ArgumentCount) as usize)
                .map(<[u8]>::to_vec)
                .collect(),
        })
    }

    /// Writes the block at the start of `bytes`.
    pub(crate) fn write(&self, bytes: &mut [u8]) -> Result<(), SettingsError> {
        use Parameter as P;
        let arguments = self.argument_bytes()?;
        let words = [
            (P::Harts, self.harts),
            (P::RamBytes, self.ram_bytes),
            (P::TicksPerSecond, self.ticks_per_second),
            (P::Out, self.out.number()),
            (P::Monitor, self.monitor),
            (P::RangeLow, self.range.start),
            (P::RangeHigh, self.range.end),
            (P::Drain, self.drain.number()),
            (P::Watermark, self.watermark),
            (P::BufferEntries, self.buffer_entries),
            (P::ThreadStack, self.thread_stack),
            (P::MainStack, self.main_stack),
            (P::SeedLow, self.seed as u32),
            (P::SeedHigh, (self.seed >> 32) as u32),
            (P::ArgumentCount, self.arguments.len() as u32),
        ];
        let mut put = |parameter: P, value: &[u8]| bytes[parameter.range()].copy_from_slice(value);
        for (parameter, word) in words {
            put(parameter, &word.to_le_bytes());
        }
        put(P::Events, &[self.events]);
        put(P::PcBits, &[self.pc_bits]);
        put(P::TimeBits, &[self.time_bits]);
        put(P::Records, &[self.records.number() as u8]);
        put(P::ConfigHash, &self.config_hash);
        put(P::ElfHash, &self.elf_hash);
        put(P::Arguments, &arguments);
        Ok(())
    }

    fn argument_bytes(&self) -> Result<[u8; ARGUMENT_BYTES as usize], SettingsError> {
        let has_zero = |argument: &Vec<u8>| argument.contains(&0);
        if let Some(number) = self.arguments.iter().position(has_zero) {
            return Err(SettingsError::ZeroByte { number });
        }
        let joined: Vec<u8> = self
            .arguments
            .iter()
            .flat_map(|argument| argument.iter().copied().chain([0]))
            .collect();
        let mut all = [0; ARGUMENT_BYTES as usize];
        let Some(room) = all.get_mut(..joined.len()) else {
            return Err(SettingsError::LongArguments { bytes: joined.len() });
        };
        room.copy_from_slice(&joined);
        Ok(all)
    }
}

/// Offset of the block in the file.
pub(crate) fn find(elf: &ElfFile32<'_, Endianness>, file: &[u8]) -> Result<usize, SettingsError> {
    let none = |why: &str| SettingsError::NoBlock(why.into());
    let bad = |why: &str| SettingsError::BadBlock(why.into());
    let symbol = elf.symbols().find(|symbol| symbol.name() == Ok(parameters::SYMBOL));
    let symbol =
        symbol.ok_or_else(|| none("it was not linked with the runtime of `crosstalk cc`"))?;
    let section = symbol.section_index().and_then(|index| elf.section_by_index(index).ok());
    let at = section.and_then(|section| place(&section, symbol.address(), file.len()));
    let at = at.ok_or_else(|| bad("it is outside the file"))?;
    let word = |parameter: Parameter| {
        file[at..][parameter.range()].try_into().map_or(0, u32::from_le_bytes)
    };
    const KNOWN: u32 = parameters::VERSION;
    match (word(Parameter::Magic), word(Parameter::Version)) {
        (parameters::MAGIC, KNOWN) => Ok(at),
        (parameters::MAGIC, version) => {
            Err(bad(&format!("expected version {KNOWN}, got {version}")))
        }
        _ => Err(bad("expected it to begin with `XTLK`")),
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
