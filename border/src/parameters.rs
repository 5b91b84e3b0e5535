//! The parameter block: what the host may set in a linked program before it runs.

/// The name of the block in a program's symbol table.
pub const SYMBOL: &str = "crosstalk_parameters";
/// What the block begins with: "XTLK".
pub const MAGIC: u32 = u32::from_le_bytes(*b"XTLK");
/// The version of the block's layout.
pub const VERSION: u32 = 1;
/// Room for the program's arguments, in bytes.
pub const ARGUMENT_BYTES: u32 = 1024;
/// Bytes of the whole block.
pub const BLOCK_BYTES: u32 = Parameter::Arguments.offset() + Parameter::Arguments.bytes();

numbered! {
    /// Who reads the communication tables.
    pub enum Drain {
        /// nobody: the simulation's tap collects the edges
        Off = 0,
        /// each hart its own, when it is filled to the watermark
        Watermark = 1,
        /// each hart its own, when it is full
        Full = 2,
        /// the last hart, which runs no thread, reads all tables in turn
        Spare = 3,
    }
}

numbered! {
    /// Where console and records go.
    pub enum Out {
        /// to the host, through `tohost`
        Host = 0,
        /// to the UART
        Uart = 1,
    }
}

numbered! {
    /// What is sent of records.
    pub enum Records {
        /// nothing
        None = 0,
        /// the record stream
        Framed = 1,
        /// the record stream without its edges; these bare, to descriptor 4 (host only)
        Bare = 2,
    }
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A byte.
    U8,
    /// A little-endian word of 32 bits.
    U32,
    /// A SHA-256 digest.
    Hash,
    /// Strings, each with a zero byte at its end.
    Strings,
}

/// What a parameter is in a program that was just linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// A number; 0 for a digest: all zeros.
    Number(u32),
    /// One string.
    Text(&'static str),
}

/// One row of the block's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The name in snake case.
    pub name: &'static str,
    /// Bytes from the start of the block.
    pub offset: u32,
    /// The type.
    pub kind: Type,
    /// The initial value.
    pub initial: Initial,
    /// What it means, as one line of Markdown.
    pub doc: &'static str,
}

macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $Variant:ident = $offset:literal, $kind:ident, $initial:expr;)+) => {
        numbered! {
            /// A parameter; its number is its offset in the block.
            pub enum Parameter {
                $($(#[doc = $doc])+ $Variant = $offset,)+
            }
        }

        /// The layout of the block, by offset, without gaps.
        pub const LAYOUT: &[Layout] = &[$(Layout {
            name: snake_name!($Variant),
            offset: $offset,
            kind: Type::$kind,
            initial: $initial,
            doc: $crate::numbered::one_line(concat!($($doc),+)),
        }),+];

        impl Parameter {
            /// Its type.
            pub const fn kind(self) -> Type {
                match self {
                    $(Self::$Variant => Type::$kind,)+
                }
            }
        }
    };
}

parameters! {
    /// `XTLK`
    Magic = 0, U32, Initial::Number(MAGIC);
    /// version of this block
    Version = 4, U32, Initial::Number(VERSION);
    /// most harts to use; 0: all
    Harts = 8, U32, Initial::Number(0);
    /// bytes of RAM; 0: found at boot
    RamBytes = 12, U32, Initial::Number(0);
    /// ticks of the `time` CSR in a second
    TicksPerSecond = 16, U32, Initial::Number(1_000_000);
    /// where console and records go
    Out = 20, U32, Initial::Number(Out::Host.number());
    /// value of each monitor's `control` register; 0: off
    Monitor = 24, U32, Initial::Number(3);
    /// monitored text, first pc; both ends 0: the program without the library
    RangeLow = 28, U32, Initial::Number(0);
    /// monitored text, end (exclusive)
    RangeHigh = 32, U32, Initial::Number(0);
    /// drain mode
    Drain = 36, U32, Initial::Number(Drain::Watermark.number());
    /// watermark of drain mode 1, in edges; 0: ¾ of the table's depth
    Watermark = 40, U32, Initial::Number(0);
    /// edges in a hart's buffer
    BufferEntries = 44, U32, Initial::Number(2048);
    /// bytes of a thread's stack
    ThreadStack = 48, U32, Initial::Number(256 << 10);
    /// bytes of the first thread's stack
    MainStack = 52, U32, Initial::Number(1 << 20);
    /// for the record's header: seed of the schedule, low half
    SeedLow = 56, U32, Initial::Number(0);
    /// for the record's header: seed of the schedule, high half
    SeedHigh = 60, U32, Initial::Number(0);
    /// for the record's header: events of a context
    Events = 64, U8, Initial::Number(5);
    /// for the record's header: bits of a pc
    PcBits = 65, U8, Initial::Number(32);
    /// for the record's header: bits of a timestamp
    TimeBits = 66, U8, Initial::Number(32);
    /// what is sent of records
    Records = 67, U8, Initial::Number(Records::Framed.number());
    /// number of arguments
    ArgumentCount = 68, U32, Initial::Number(1);
    /// for the record's header: SHA-256 of the configuration
    ConfigHash = 72, Hash, Initial::Number(0);
    /// for the record's header: SHA-256 of the program
    ElfHash = 104, Hash, Initial::Number(0);
    /// arguments, each with a zero byte at its end
    Arguments = 136, Strings, Initial::Text("program");
}

impl Type {
    /// How many bytes it takes.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 => 1,
            Self::U32 => 4,
            Self::Hash => 32,
            Self::Strings => ARGUMENT_BYTES,
        }
    }
}

impl Parameter {
    /// Bytes from the start of the block.
    pub const fn offset(self) -> u32 {
        self.number()
    }

    /// How many bytes it takes.
    pub const fn bytes(self) -> u32 {
        self.kind().bytes()
    }

    /// The bytes of the block that hold it.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.offset() as usize..(self.offset() + self.bytes()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_has_no_gaps() {
        let mut end = 0;
        for row in LAYOUT {
            assert_eq!(row.offset, end, "{}", row.name);
            end += row.kind.bytes();
        }
        assert_eq!(end, BLOCK_BYTES);
    }

    #[test]
    fn words_are_aligned_so_that_the_c_struct_has_no_padding() {
        for row in LAYOUT.iter().filter(|row| row.kind == Type::U32) {
            assert_eq!(row.offset % 4, 0, "{}", row.name);
        }
        assert_eq!(BLOCK_BYTES % 4, 0);
    }
}
