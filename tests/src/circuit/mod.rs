//! Random circuits as plain data, apart from the language that describes hardware.
//!
//! A [`Circuit`] is what the differential tests make up, hand to every simulator and shrink. It
//! has types of its own so that the reference evaluator ([`evaluate`]) and the language under test
//! share nothing but this tree: [`build`] describes it in the language, [`print`] writes that
//! description down for a person.
//!
//! Well-formed circuits have no combinational loop by construction: an item uses only values of
//! items before it, and a wire is driven by the first block after it.

pub mod build;
pub mod evaluate;
pub mod genes;
pub(crate) mod grow;
pub mod print;
pub mod reduce;
mod value;
mod walk;

use num_bigint::BigUint;

pub use genes::{Gene, Genome, genomes};
pub use grow::grow;
pub use value::{from_words, mask, to_words, words_of};

/// The widest value a circuit has.
pub const MAX_WIDTH: u32 = 300;

/// A value of a module; unique in the module, not dense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

/// A memory of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemId(pub u32);

/// A hierarchy of modules; the last one is the top, and each instantiates only earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    /// Children before parents.
    pub modules: Vec<Unit>,
}

impl Circuit {
    /// The module that nothing instantiates.
    pub fn top(&self) -> &Unit {
        self.modules.last().expect("a circuit has a module")
    }
}

/// One module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// Input ports.
    pub inputs: Vec<(Id, u32)>,
    /// What it holds and does, in source order.
    pub items: Vec<Item>,
    /// Output ports.
    pub outputs: Vec<Output>,
}

/// An output port.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// What it shows.
    pub value: Id,
    /// The width of that value.
    pub width: u32,
    /// The value is a wire of this unit and the port stands in its place: statements drive the
    /// port itself, and others read it.
    pub direct: bool,
}

/// A step of a module's description.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A combinational value.
    Let {
        /// The result.
        id: Id,
        /// Its width.
        width: u32,
        /// How it comes about.
        op: Op,
        /// Asked to be a signal of its own in the Verilog; others may be folded into expressions.
        named: bool,
    },
    /// A register, driven by later blocks.
    Reg {
        /// Its value.
        id: Id,
        /// Its width.
        width: u32,
        /// Its value after reset; kept through reset if absent.
        reset: Option<BigUint>,
        /// The enum it holds.
        kind: Option<Kind>,
    },
    /// A register that always takes `next`.
    RegNext {
        /// Its value.
        id: Id,
        /// Its width.
        width: u32,
        /// What it takes at each edge.
        next: Id,
    },
    /// A wire, driven on every path by the next block.
    Wire {
        /// Its value.
        id: Id,
        /// Its width.
        width: u32,
        /// The enum it holds.
        kind: Option<Kind>,
    },
    /// A memory.
    Memory {
        /// The memory.
        mem: MemId,
        /// Rows.
        depth: u32,
        /// Bits a row.
        width: u32,
        /// First rows at power-up.
        init: Vec<BigUint>,
    },
    /// A read port.
    Read {
        /// What is read.
        id: Id,
        /// Bits of a row.
        width: u32,
        /// From where.
        mem: MemId,
        /// The row, as wide as the memory's depth needs.
        addr: Id,
        /// One cycle later where this is 1; within the cycle if absent.
        enable: Option<Id>,
    },
    /// Statements.
    Block(Vec<Stmt>),
    /// An instance of an earlier module.
    Instance {
        /// Which module.
        unit: usize,
        /// Its inputs, to be driven.
        inputs: Vec<(Id, u32)>,
        /// Statements that drive them on every path.
        drive: Vec<Stmt>,
        /// Its outputs.
        outputs: Vec<(Id, u32)>,
    },
}

/// How a combinational value comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A constant.
    Const(BigUint),
    /// One operand.
    Unary(Unary, Id),
    /// Two operands of equal width.
    Binary(Binary, Id, Id),
    /// Full product.
    Mul(Id, Id),
    /// Shift by a signal.
    Shift(Shift, Id, Id),
    /// Shift by a number.
    ShiftBy(Shift, Id, u32),
    /// `Mux(select, then, otherwise)`.
    Mux(Id, Id, Id),
    /// Bits from `.1` up.
    Slice(Id, u32),
    /// The bit of `.0` that `.1` names.
    At(Id, Id),
    /// Most significant first.
    Cat(Vec<Id>),
    /// Copies side by side.
    Repeat(Id, u32),
    /// Zeros on top, or nothing.
    Zext(Id),
    /// Copies of the sign bit on top, or nothing.
    Sext(Id),
    /// The low bits.
    Trunc(Id),
    /// The item that the first operand names; the last one past the end.
    Select(Id, Vec<Id>),
    /// Whether a value that holds an enum is this variant.
    Is(Id, Kind, u32),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Not,
    Neg,
    All,
    Any,
    None,
    Parity,
}

impl Unary {
    /// All of them.
    pub const ALL: [Unary; 6] =
        [Unary::Not, Unary::Neg, Unary::All, Unary::Any, Unary::None, Unary::Parity];

    /// The width of the result.
    pub fn width(self, operand: u32) -> u32 {
        if matches!(self, Unary::Not | Unary::Neg) { operand } else { 1 }
    }
}

/// Operators of two operands of equal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    And,
    Or,
    Xor,
    AddWide,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LtSigned,
    LeSigned,
    GtSigned,
    GeSigned,
}

impl Binary {
    /// All of them.
    pub const ALL: [Binary; 16] = [
        Binary::Add,
        Binary::Sub,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::AddWide,
        Binary::Eq,
        Binary::Ne,
        Binary::Lt,
        Binary::Le,
        Binary::Gt,
        Binary::Ge,
        Binary::LtSigned,
        Binary::LeSigned,
        Binary::GtSigned,
        Binary::GeSigned,
    ];

    /// The width of the result.
    pub fn width(self, operand: u32) -> u32 {
        match self {
            Binary::Add | Binary::Sub | Binary::And | Binary::Or | Binary::Xor => operand,
            Binary::AddWide => operand + 1,
            _ => 1,
        }
    }
}

/// Shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Shift {
    Left,
    Right,
    Arithmetic,
}

/// The enums that circuits use, which must be known to the compiler: see [`build`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two variants in one bit: no code is unused.
    Phase,
    /// Three variants in two bits.
    Light,
    /// Five variants in three bits.
    Step,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Phase, Kind::Light, Kind::Step];

    /// Names of the variants.
    pub fn variants(self) -> &'static [&'static str] {
        match self {
            Kind::Phase => &["Low", "High"],
            Kind::Light => &["Red", "Amber", "Green"],
            Kind::Step => &["Fetch", "Decode", "Execute", "Access", "Retire"],
        }
    }

    /// Bits that hold a variant.
    pub fn width(self) -> u32 {
        match self {
            Kind::Phase => 1,
            Kind::Light => 2,
            Kind::Step => 3,
        }
    }
}

/// A statement; later ones win.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Drives a whole target, or the bits from `lo` up that `value` has.
    Set {
        /// A wire, a register or an input of an instance.
        target: Id,
        /// The lowest bit driven and how many; all if absent.
        part: Option<(u32, u32)>,
        /// What to drive, exactly as wide.
        value: Id,
    },
    /// Drives a target that holds an enum.
    SetVariant {
        /// The target.
        target: Id,
        /// Its enum.
        kind: Kind,
        /// Which variant.
        variant: u32,
    },
    /// The first arm whose condition is 1, else `otherwise`.
    When {
        /// One-bit conditions and their statements; at least one.
        arms: Vec<(Id, Vec<Stmt>)>,
        /// Where none holds.
        otherwise: Option<Vec<Stmt>>,
    },
    /// The arm with the label that the subject equals.
    Switch {
        /// What is compared.
        subject: Id,
        /// The enum it holds.
        kind: Option<Kind>,
        /// Labels, all different, and their statements.
        arms: Vec<(Vec<u64>, Vec<Stmt>)>,
        /// Where no label matches.
        default: Option<Vec<Stmt>>,
    },
    /// Writes a memory at the clock edge.
    Write {
        /// The memory.
        mem: MemId,
        /// The row.
        addr: Id,
        /// A whole row.
        data: Id,
        /// A bit for each lane.
        mask: Option<Id>,
    },
}
