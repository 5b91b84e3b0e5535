//! The circuit as plain data: what elaboration makes and every back end reads.
//!
//! A design is a list of modules, children before parents. A module is a list of nodes (values), a
//! tree of statements (what drives what, under which condition) and the memories and instances they
//! refer to. Nothing here knows of threads, closures or handles: see [`crate::builder`] for how it
//! is filled in.
//!
//! Invariants after elaboration: the operands of a pure operation precede it in `nodes`; widths are
//! as documented at each [`Op`]; every drivable node is driven in every bit on every path; there is
//! no combinational loop through any bit.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

use crate::bits::Bits;
use crate::diag::{Diagnostic, Loc};

/// Index into [`Module::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Index into [`Design::modules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// Index into [`Module::memories`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemId(pub u32);

/// Index into [`Module::instances`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstId(pub u32);

impl NodeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ModuleId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl MemId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl InstId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A whole elaborated circuit.
#[derive(Clone, Debug)]
pub struct Design {
    /// Children before parents; equal parameters share one module.
    pub modules: Vec<Module>,
    /// The module nothing instantiates.
    pub top: ModuleId,
    /// Findings that did not stop elaboration.
    pub warnings: Vec<Diagnostic>,
}

impl Design {
    /// The top module.
    pub fn top(&self) -> &Module {
        &self.modules[self.top.index()]
    }

    /// Bits of state: registers, the output registers of synchronous reads, and memories, over
    /// the whole hierarchy.
    pub fn storage_bits(&self) -> u64 {
        let mut totals: Vec<u64> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let own: u64 = module.registers().map(|node| u64::from(module.node(node).width)).sum();
            let memories: u64 = module.memories.iter().map(Memory::bits).sum();
            let children: u64 = module.instances.iter().map(|i| totals[i.module.index()]).sum();
            totals.push(own + memories + children);
        }
        totals[self.top.index()]
    }
}

/// One module.
#[derive(Clone, Debug)]
pub struct Module {
    /// The Verilog module name, derived from the parameters.
    pub name: String,
    /// The parameters, for the header.
    pub parameters: String,
    /// What it is for.
    pub doc: String,
    /// Where it is described.
    pub loc: Loc,
    /// Values, operands before users.
    pub nodes: Vec<Node>,
    /// Operand lists of [`Op::Cat`], most significant first.
    pub operands: Vec<NodeId>,
    /// Values of [`Op::Const`].
    pub constants: Vec<Bits>,
    /// Names that [`Node::name`] refers to.
    pub names: Vec<String>,
    /// Doc comments of nodes.
    pub docs: Vec<(NodeId, Cow<'static, str>)>,
    /// The enum a node holds, for names in Verilog and waveforms.
    pub enums: Vec<(NodeId, &'static EnumDef)>,
    /// Ports in declaration order, without clock and reset.
    pub ports: Vec<Port>,
    /// Reset values of registers. A register not listed is not touched by reset: its statements
    /// apply as in any other cycle, as do writes to memories.
    pub resets: Vec<(NodeId, Bits)>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Read ports of memories.
    pub reads: Vec<MemRead>,
    /// Instances.
    pub instances: Vec<Instance>,
    /// What drives what.
    pub body: Vec<Stmt>,
    /// Whether this module or one below it has state, so needs `clk`.
    pub needs_clock: bool,
    /// Whether this module or one below it has a reset or a property, so needs `rst`.
    pub needs_reset: bool,
}

impl Module {
    /// The node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The name given in the source, if any.
    pub fn given_name(&self, id: NodeId) -> Option<&str> {
        self.node(id).name.map(|name| self.names[name.index()].as_str())
    }

    /// What holds a value from one cycle to the next, besides memories: registers, and the output
    /// registers of synchronous reads.
    pub fn registers(&self) -> impl Iterator<Item = NodeId> + '_ {
        let holds = |op: Op| match op {
            Op::MemRead(read) => self.reads[read as usize].sync.is_some(),
            op => op.is_state(),
        };
        (0..self.nodes.len() as u32).map(NodeId).filter(move |&id| holds(self.node(id).op))
    }

    /// The operands of a node, most significant first for [`Op::Cat`].
    pub fn operands_of(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let (fixed, pool) = self.node(id).op.operands();
        let pooled = pool
            .map_or(&[][..], |(start, len)| &self.operands[start as usize..(start + len) as usize]);
        fixed.into_iter().flatten().chain(pooled.iter().copied())
    }
}

/// One value.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// How it comes about.
    pub op: Op,
    /// Its width in bits, never 0.
    pub width: u32,
    /// Its name, if the source gives one.
    pub name: Option<Name>,
    /// Where it was made.
    pub loc: Loc,
}

/// A name given in the source. Four bytes: every node has room for one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name(NonZeroU32);

impl Name {
    /// The name at a place of [`Module::names`]. One that is `exact` was asked for by string (or
    /// is a port's): it must be had as it is. Others, taken from `let`, get a number when they are
    /// already in use.
    pub fn new(index: usize, exact: bool) -> Name {
        let index = u32::try_from(index).ok().filter(|&index| index < u32::MAX >> 1);
        let index = index.expect("less than 2^31 names in one module");
        Name(NonZeroU32::MIN.saturating_add(index << 1 | u32::from(exact)))
    }

    /// Its place in [`Module::names`].
    pub fn index(self) -> usize {
        (self.0.get() - 1) as usize >> 1
    }

    /// Whether it must be had as it is.
    pub fn is_exact(self) -> bool {
        (self.0.get() - 1) & 1 == 1
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = f.debug_struct("Name");
        name.field("index", &self.index()).field("exact", &self.is_exact()).finish()
    }
}

/// How a value comes about. `W` below is the node's own width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Result of an erroneous operation; never in an elaborated design.
    Poison,
    /// A constant: index into [`Module::constants`].
    Const(u32),
    /// An input port.
    Input,
    /// An output port: driven by statements, may be read.
    Output,
    /// Driven by statements, combinationally.
    Wire,
    /// Driven by statements, at the clock edge; keeps its value where none applies.
    Reg,
    /// An input of an instance, driven by statements of the parent: instance, port index.
    InstIn(InstId, u32),
    /// An output of an instance: instance, port index.
    InstOut(InstId, u32),
    /// A memory read: index into [`Module::reads`].
    MemRead(u32),
    /// Bitwise not; operand width W.
    Not(NodeId),
    /// Two's complement negation; operand width W.
    Neg(NodeId),
    /// All bits one; W = 1.
    RedAnd(NodeId),
    /// Any bit one; W = 1.
    RedOr(NodeId),
    /// Odd number of ones; W = 1.
    RedXor(NodeId),
    /// Bitwise; operand widths W.
    And(NodeId, NodeId),
    /// Bitwise; operand widths W.
    Or(NodeId, NodeId),
    /// Bitwise; operand widths W.
    Xor(NodeId, NodeId),
    /// Modulo 2^W; operand widths W.
    Add(NodeId, NodeId),
    /// Modulo 2^W; operand widths W.
    Sub(NodeId, NodeId),
    /// Full unsigned product: W is the sum of the operand widths.
    Mul(NodeId, NodeId),
    /// Equal; operand widths equal, W = 1.
    Eq(NodeId, NodeId),
    /// Not equal; operand widths equal, W = 1.
    Ne(NodeId, NodeId),
    /// Unsigned less than; operand widths equal, W = 1.
    Ult(NodeId, NodeId),
    /// Unsigned less or equal; operand widths equal, W = 1.
    Ule(NodeId, NodeId),
    /// Signed less than; operand widths equal, W = 1.
    Slt(NodeId, NodeId),
    /// Signed less or equal; operand widths equal, W = 1.
    Sle(NodeId, NodeId),
    /// Left shift by an unsigned amount of any width, zeros in; operand width W. Amounts of W or
    /// more give zero.
    Shl(NodeId, NodeId),
    /// Logical right shift, zeros in; as `Shl`.
    Shr(NodeId, NodeId),
    /// Arithmetic right shift, sign bits in; amounts of W or more give all sign bits.
    Sra(NodeId, NodeId),
    /// `Mux(select, then, otherwise)`: select has width 1, the others W.
    Mux(NodeId, NodeId, NodeId),
    /// W bits from bit `lo` up.
    Slice {
        /// The value cut from.
        from: NodeId,
        /// The lowest bit taken.
        lo: u32,
    },
    /// Bit `index` of `from` where that exists, else 0; W = 1.
    BitAt {
        /// The value picked from.
        from: NodeId,
        /// Unsigned, any width.
        index: NodeId,
    },
    /// Concatenation of `len` operands from `start` in [`Module::operands`], most significant
    /// first.
    Cat {
        /// First operand's place.
        start: u32,
        /// Number of operands.
        len: u32,
    },
    /// The operand over and over: W is a multiple of its width.
    Repeat(NodeId),
    /// Zeros on top; the operand is narrower than W.
    Zext(NodeId),
    /// Copies of the sign bit on top; the operand is narrower than W.
    Sext(NodeId),
}

impl Op {
    /// The operands: up to three fixed ones, and a range of the pool for `Cat`.
    pub fn operands(self) -> ([Option<NodeId>; 3], Option<(u32, u32)>) {
        use Op::*;
        match self {
            Poison | Const(_) | Input | Output | Wire | Reg | InstIn(..) | InstOut(..)
            | MemRead(_) => ([None; 3], None),
            Not(a)
            | Neg(a)
            | RedAnd(a)
            | RedOr(a)
            | RedXor(a)
            | Repeat(a)
            | Zext(a)
            | Sext(a)
            | Slice { from: a, .. } => ([Some(a), None, None], None),
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Eq(a, b)
            | Ne(a, b)
            | Ult(a, b)
            | Ule(a, b)
            | Slt(a, b)
            | Sle(a, b)
            | Shl(a, b)
            | Shr(a, b)
            | Sra(a, b)
            | BitAt { from: a, index: b } => ([Some(a), Some(b), None], None),
            Mux(s, a, b) => ([Some(s), Some(a), Some(b)], None),
            Cat { start, len } => ([None; 3], Some((start, len))),
        }
    }

    /// Whether the node stands in for a value that could not be made.
    pub fn is_poison(self) -> bool {
        matches!(self, Op::Poison)
    }

    /// Whether statements drive the node.
    pub fn is_driven(self) -> bool {
        matches!(self, Op::Output | Op::Wire | Op::Reg | Op::InstIn(..))
    }

    /// Whether the node is a register (synchronous reads hold theirs with the memory).
    pub fn is_state(self) -> bool {
        matches!(self, Op::Reg)
    }
}

/// Statements under one condition.
pub type Block = Box<[Stmt]>;

/// A statement. Later ones win over earlier ones.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Drives bits `lo ..` of `target`, as many as `value` has.
    Assign {
        /// A driven node.
        target: NodeId,
        /// Lowest bit driven.
        lo: u32,
        /// What to drive.
        value: NodeId,
        /// Where it stands in the Rust source.
        loc: Loc,
    },
    /// `then` where `cond` is 1, else `otherwise`.
    When {
        /// One bit.
        cond: NodeId,
        /// Statements where it is 1.
        then: Block,
        /// Statements where it is 0.
        otherwise: Block,
        /// Where it stands in the Rust source.
        loc: Loc,
    },
    /// The arm whose label equals `subject`; labels of all arms differ.
    Switch {
        /// What is compared.
        subject: NodeId,
        /// Arms in source order.
        arms: Box<[Arm]>,
        /// Statements where no label matches.
        default: Option<Block>,
        /// The labels name all variants of an enum (or all values): there is no default, and a code
        /// that is no variant takes the last arm.
        full: bool,
        /// Where it stands in the Rust source.
        loc: Loc,
    },
    /// Writes a memory at the clock edge.
    MemWrite {
        /// The memory.
        mem: MemId,
        /// The row; ignored if past the depth.
        addr: NodeId,
        /// A whole row.
        data: NodeId,
        /// One bit for each lane of the row, bit 0 for the lowest; all lanes if absent.
        mask: Option<NodeId>,
        /// Where it stands in the Rust source.
        loc: Loc,
    },
    /// Checked at each clock edge out of reset where the enclosing conditions hold.
    Property {
        /// What it claims.
        kind: PropertyKind,
        /// One bit.
        cond: NodeId,
        /// Identifier, unique in the module.
        label: Box<str>,
        /// What it means.
        message: Box<str>,
        /// Where it stands in the Rust source.
        loc: Loc,
    },
}

impl Stmt {
    /// Where it stands.
    pub fn loc(&self) -> Loc {
        match self {
            Stmt::Assign { loc, .. }
            | Stmt::When { loc, .. }
            | Stmt::Switch { loc, .. }
            | Stmt::MemWrite { loc, .. }
            | Stmt::Property { loc, .. } => *loc,
        }
    }

    /// Calls `f` for this statement and all inside it, in source order.
    pub fn visit<'s>(&'s self, f: &mut dyn FnMut(&'s Stmt)) {
        f(self);
        match self {
            Stmt::When { then, otherwise, .. } => {
                then.iter().chain(otherwise).for_each(|stmt| stmt.visit(f))
            }
            Stmt::Switch { arms, default, .. } => {
                arms.iter()
                    .map(|arm| &arm.body)
                    .chain(default)
                    .flatten()
                    .for_each(|stmt| stmt.visit(f));
            }
            _ => {}
        }
    }
}

/// One arm of a [`Stmt::Switch`].
#[derive(Clone, Debug)]
pub struct Arm {
    /// Values, each of the subject's width.
    pub labels: Vec<Bits>,
    /// Statements.
    pub body: Block,
    /// Where it stands in the Rust source.
    pub loc: Loc,
}

/// What a property claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyKind {
    /// The design guarantees it.
    Assert,
    /// The environment guarantees it; checked in simulation, taken for granted in proofs.
    Assume,
    /// It can happen.
    Cover,
}

/// Port direction, seen from inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven from outside.
    Input,
    /// Driven from inside.
    Output,
}

/// A port.
#[derive(Clone, Debug)]
pub struct Port {
    /// An [`Op::Input`] or [`Op::Output`].
    pub node: NodeId,
    /// Which of the two.
    pub direction: Direction,
}

/// A memory of `depth` rows.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its name.
    pub name: Option<Name>,
    /// Doc comment.
    pub doc: &'static str,
    /// Rows, at least 1. Addresses have `index_width(depth)` bits; rows past the depth read as zero
    /// and ignore writes.
    pub depth: u32,
    /// Bits a row.
    pub width: u32,
    /// Contents of the first rows at power-up; the others are zero. Reset does not restore them.
    pub init: Vec<Bits>,
    /// Nothing depends on what a synchronous read finds in a row that is written at the same edge:
    /// synthesis need not see to it.
    pub collisions_ignored: bool,
    /// Where it stands in the Rust source.
    pub loc: Loc,
}

impl Memory {
    /// Bits stored.
    pub fn bits(&self) -> u64 {
        u64::from(self.depth) * u64::from(self.width)
    }
}

/// A read port of a memory.
#[derive(Clone, Debug)]
pub struct MemRead {
    /// Which memory.
    pub mem: MemId,
    /// The row; reads as zero past the depth.
    pub addr: NodeId,
    /// `Some(enable)`: the value appears after the clock edge, as it was before any write at that
    /// edge, and stays while `enable` is 0; zero at power-up, not reset. `None`: the value follows
    /// address and contents within the cycle.
    pub sync: Option<NodeId>,
}

/// An instance of a module.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Name given in the source; else the module's.
    pub name: Option<Name>,
    /// What it is an instance of.
    pub module: ModuleId,
    /// The parent's node for each port of the module, in the module's order.
    pub connections: Vec<NodeId>,
    /// Where it stands in the Rust source.
    pub loc: Loc,
}

/// A named enum: the states of a state machine, the commands of a bus.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumDef {
    /// The Rust name.
    pub name: &'static str,
    /// Variants in source order; the code of a variant is its place.
    pub variants: &'static [&'static str],
}

impl EnumDef {
    /// Bits that hold a variant.
    pub fn width(&self) -> u32 {
        crate::bits::index_width(self.variants.len()) as u32
    }

    /// The variant with this code.
    pub fn variant(&self, code: u64) -> Option<&'static str> {
        self.variants.get(usize::try_from(code).ok()?).copied()
    }
}
