//! The circuit without hierarchy: one list of values, each an expression of others.
//!
//! Flattening fills it in, [`super::simplify`] shortens it, [`super::compile`] turns it into a
//! program. A [`NodeId`] here, also inside an [`Op`], is an index into [`Graph::values`].

use std::collections::HashMap;

use crate::bits::Bits;
use crate::diag::Loc;
use crate::ir::{Memory, ModuleId, NodeId, Op, PropertyKind};

/// How a value comes about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expr {
    /// Set from outside the combinational logic: an input of the top module, or state.
    Held,
    /// Index into [`Graph::constants`].
    Const(u32),
    /// The same value under another name: a wire, a port, the end of an instance.
    Same(NodeId),
    /// A pure operation.
    Op(Op),
    /// `into` with its bits from `lo` up replaced by `part`.
    Insert { into: NodeId, part: NodeId, lo: u32 },
    /// A row of a memory, as it is before the clock edge.
    Read { memory: u32, addr: NodeId },
    /// The operand that `subject` names in a list of the pool, the last one where it is past the
    /// end.
    Lookup { subject: NodeId, start: u32, len: u32 },
}

/// An expression and its width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub expr: Expr,
    pub width: u32,
}

/// State that takes a next value at each clock edge.
pub(super) struct State {
    pub value: NodeId,
    pub next: NodeId,
    pub kind: StateKind,
}

/// What reset does to a state.
pub(super) enum StateKind {
    /// A register, with its reset value if it has one.
    Register(Option<Bits>),
    /// The output register of a memory, which does not see reset.
    ReadPort,
}

/// A write port of a memory.
pub(super) struct Write {
    pub memory: u32,
    /// The conditions around the statement; always where absent.
    pub enable: Option<NodeId>,
    pub addr: NodeId,
    pub data: NodeId,
    pub mask: Option<NodeId>,
}

/// An `assert`, `assume` or `cover`.
pub(super) struct Property {
    pub kind: PropertyKind,
    /// One bit: the claim is broken, or for a cover the event happens.
    pub fires: NodeId,
    pub frame: u32,
    pub label: String,
    pub message: String,
    pub loc: Loc,
}

/// A module in its place in the hierarchy.
pub(super) struct Frame {
    pub module: ModuleId,
    /// The parent's frame and the place in its list of instances; none for the top.
    pub parent: Option<(u32, u32)>,
    /// The value of the module's first node; the others follow in order.
    pub base: u32,
}

impl Frame {
    /// The value of a node of the module.
    pub fn value(&self, id: NodeId) -> NodeId {
        NodeId(self.base + id.0)
    }
}

/// The flat circuit.
#[derive(Default)]
pub(super) struct Graph {
    pub values: Vec<Value>,
    /// How many values stand for nodes of the source; later ones come from lowering.
    pub source_values: usize,
    /// Operand lists of `Cat` and `Lookup`.
    pub operands: Vec<NodeId>,
    /// The lowest bit that each operand of a `Cat` takes, in step with `operands`.
    pub offsets: Vec<u32>,
    pub constants: Vec<Bits>,
    pub memories: Vec<Memory>,
    pub states: Vec<State>,
    pub writes: Vec<Write>,
    pub properties: Vec<Property>,
    pub frames: Vec<Frame>,
    zeros: HashMap<u32, NodeId>,
}

impl Graph {
    pub fn width(&self, id: NodeId) -> u32 {
        self.values[id.index()].width
    }

    pub fn expr(&self, id: NodeId) -> Expr {
        self.values[id.index()].expr
    }

    pub fn push(&mut self, expr: Expr, width: u32) -> NodeId {
        self.values.push(Value { expr, width });
        NodeId(self.values.len() as u32 - 1)
    }

    pub fn op(&mut self, op: Op, width: u32) -> NodeId {
        self.push(Expr::Op(op), width)
    }

    pub fn constant(&mut self, value: Bits) -> NodeId {
        let width = value.width();
        self.constants.push(value);
        self.push(Expr::Const(self.constants.len() as u32 - 1), width)
    }

    pub fn zero(&mut self, width: u32) -> NodeId {
        if let Some(&id) = self.zeros.get(&width) {
            return id;
        }
        let id = self.constant(Bits::zero(width));
        self.zeros.insert(width, id);
        id
    }

    /// Adds a list of operands, most significant first if it is for a `Cat`; gives its place.
    pub fn list(&mut self, operands: &[NodeId]) -> (u32, u32) {
        let start = self.operands.len() as u32;
        self.operands.extend(operands);
        let mut lo: u64 = operands.iter().map(|&id| u64::from(self.width(id))).sum();
        for &id in operands {
            lo -= u64::from(self.width(id));
            self.offsets.push(lo as u32);
        }
        (start, operands.len() as u32)
    }

    /// The operands of a `Cat` or `Lookup`.
    pub fn listed(&self, start: u32, len: u32) -> &[NodeId] {
        &self.operands[start as usize..(start + len) as usize]
    }

    /// Calls `f` with each operand of a value.
    pub fn each_operand(&self, id: NodeId, mut f: impl FnMut(NodeId)) {
        match self.expr(id) {
            Expr::Held | Expr::Const(_) => {}
            Expr::Same(from) => f(from),
            Expr::Op(op) => {
                let (fixed, pool) = op.operands();
                fixed.into_iter().flatten().for_each(&mut f);
                if let Some((start, len)) = pool {
                    self.listed(start, len).iter().copied().for_each(f);
                }
            }
            Expr::Insert { into, part, .. } => {
                f(into);
                f(part);
            }
            Expr::Read { addr, .. } => f(addr),
            Expr::Lookup { subject, start, len } => {
                f(subject);
                self.listed(start, len).iter().copied().for_each(f);
            }
        }
    }
}

/// A pure operation with each operand replaced; the list of a `Cat` is left to the caller.
pub(super) fn map_operands(op: Op, mut f: impl FnMut(NodeId) -> NodeId) -> Op {
    use Op::*;
    match op {
        Poison
        | Const(_)
        | Input
        | Output
        | Wire
        | Reg
        | InstIn(..)
        | InstOut(..)
        | MemRead(_)
        | Cat { .. } => op,
        Not(a) => Not(f(a)),
        Neg(a) => Neg(f(a)),
        RedAnd(a) => RedAnd(f(a)),
        RedOr(a) => RedOr(f(a)),
        RedXor(a) => RedXor(f(a)),
        And(a, b) => And(f(a), f(b)),
        Or(a, b) => Or(f(a), f(b)),
        Xor(a, b) => Xor(f(a), f(b)),
        Add(a, b) => Add(f(a), f(b)),
        Sub(a, b) => Sub(f(a), f(b)),
        Mul(a, b) => Mul(f(a), f(b)),
        Eq(a, b) => Eq(f(a), f(b)),
        Ne(a, b) => Ne(f(a), f(b)),
        Ult(a, b) => Ult(f(a), f(b)),
        Ule(a, b) => Ule(f(a), f(b)),
        Slt(a, b) => Slt(f(a), f(b)),
        Sle(a, b) => Sle(f(a), f(b)),
        Shl(a, b) => Shl(f(a), f(b)),
        Shr(a, b) => Shr(f(a), f(b)),
        Sra(a, b) => Sra(f(a), f(b)),
        Mux(s, a, b) => Mux(f(s), f(a), f(b)),
        Slice { from, lo } => Slice { from: f(from), lo },
        BitAt { from, index } => BitAt { from: f(from), index: f(index) },
        Repeat(a) => Repeat(f(a)),
        Zext(a) => Zext(f(a)),
        Sext(a) => Sext(f(a)),
    }
}
