//! Kernels: the operations of a compiled program, and the groups that they are applied to.
//!
//! A program is a list of groups. The values of a group are computed by the same kernel, are stored
//! side by side and depend only on values stored before the group, so that one dispatch serves all
//! of them and the storage splits into what is read and what is written.

/// What computes a value. The comment gives the fields of its record; places are indices of words.
/// Kernels named `Wide…` have an operand or result past 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kernel {
    /// Nothing to compute: the value lies inside another. Never in a program.
    Alias,
    /// Values that depend on each other. Never in a program.
    Loop,
    /// place, -, unused top bits
    Not,
    /// place, -, unused top bits
    Neg,
    /// place, -, unused top bits
    RedAnd,
    /// place
    RedOr,
    /// place
    RedXor,
    /// place, place
    And,
    /// place, place
    Or,
    /// place, place
    Xor,
    /// place, place, unused top bits
    Add,
    /// place, place, unused top bits
    Sub,
    /// place, place
    Mul,
    /// place, place
    Eq,
    /// place, place
    Ne,
    /// place, place
    Ult,
    /// place, place
    Ule,
    /// place, place, unused top bits
    Slt,
    /// place, place, unused top bits
    Sle,
    /// place, place of the amount, unused top bits
    Shl,
    /// place, place of the amount
    Shr,
    /// place, place of the amount, unused top bits
    Sra,
    /// place of the select, place, place
    Mux,
    /// place, lowest bit, unused top bits
    Slice,
    /// place of the first of two words, lowest bit, unused top bits
    SliceSpan,
    /// place, place of the index, width of the first
    BitAt,
    /// place of the upper part, place of the lower, width of the lower
    Cat,
    /// One value in as many records as it has parts, highest first: place, width
    CatMany,
    /// place, -, unused top bits
    RepeatBit,
    /// place, unused top bits before, and after
    Sext,
    /// place, place of the part, lowest bit and 256 × width of the part
    Insert,
    /// memory, place of the address
    Read,
    /// place of the subject, first entry, last entry
    Lookup,
    /// place
    WideNot,
    /// place
    WideNeg,
    /// place
    WideRedAnd,
    /// place
    WideRedOr,
    /// place
    WideRedXor,
    /// place, place
    WideAnd,
    /// place, place
    WideOr,
    /// place, place
    WideXor,
    /// place, place
    WideAdd,
    /// place, place
    WideSub,
    /// place, place
    WideMul,
    /// place, place
    WideEq,
    /// place, place
    WideNe,
    /// place, place
    WideUlt,
    /// place, place
    WideUle,
    /// place, place
    WideSlt,
    /// place, place
    WideSle,
    /// place, place of the amount, words of the amount
    WideShl,
    /// place, place of the amount, words of the amount
    WideShr,
    /// place, place of the amount, words of the amount
    WideSra,
    /// place of the select, place, place
    WideMux,
    /// place, lowest bit
    WideSlice,
    /// place, place of the index, words of the index
    WideBitAt,
    /// One value in as many records as it has parts: place, width, lowest bit
    WideCat,
    /// place
    WideRepeat,
    /// place
    WideZext,
    /// place
    WideSext,
    /// place, place of the part, lowest bit
    WideInsert,
    /// memory, place of the address
    WideRead,
    /// place of the subject, first entry, last entry
    WideLookup,
}

impl Kernel {
    /// How many there are.
    pub const COUNT: usize = Kernel::WideLookup as usize + 1;
}

/// The operands of one value.
pub(super) type Record = [u32; 3];

/// Values computed by one kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub kernel: Kernel,
    /// The width of the results.
    pub width: u32,
    /// For wide kernels the width of the first operand that the width of the result does not give;
    /// of the part for `WideInsert`.
    pub from: u32,
    /// Where the results go.
    pub to: u32,
    /// The first record, and how many.
    pub start: u32,
    pub len: u32,
}

/// Where the rows of a memory lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub start: usize,
    pub depth: usize,
    /// Words a row.
    pub words: usize,
}

impl Rows {
    /// The row at `addr`, or none past the depth.
    pub fn at(&self, addr: u64) -> Option<std::ops::Range<usize>> {
        let row = usize::try_from(addr).ok().filter(|&row| row < self.depth)?;
        let start = self.start + row * self.words;
        Some(start..start + self.words)
    }
}

/// What kernels read besides the values.
pub(super) struct Context<'a> {
    /// Which memory lies where in `contents`.
    pub memories: &'a [Rows],
    pub contents: &'a [u64],
    /// Places that `Lookup` chooses from.
    pub tables: &'a [u32],
}
