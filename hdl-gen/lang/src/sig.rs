//! `Sig`: a value in the circuit, and the operators on it.
//!
//! A signal is a fixed number of bits without a sign. Widths never adjust themselves: an operator
//! that needs equal widths reports a WIDTH MISMATCH otherwise, and [`Sig::zext`], [`Sig::sext`] and
//! [`Sig::trunc`] are the only ways to change one. Integers take the width of the signal they meet
//! and must fit it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Bound, Mul, Neg, Not, RangeBounds, Shl, Shr, Sub};

use crate::bits::Bits;
use crate::builder::{Builder, with_builder, with_frame};
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::ir::{NodeId, Op, Stmt};

/// A value in the circuit being described: a cheap handle, to be copied freely.
///
/// | expression | width | meaning |
/// |---|---|---|
/// | `a + b`, `a - b`, `-a` | W | modulo 2^W; both operands W wide |
/// | `a.add_wide(b)` | W + 1 | with the carry |
/// | `a * b` | Wa + Wb | full unsigned product |
/// | `a & b`, `a \| b`, `a ^ b`, `!a` | W | bitwise |
/// | `a << n`, `a >> n`, `a.sra(n)` | W | `n` an integer or an unsigned signal of any width |
/// | `a.eq(b)`, `ne`, `lt`, `le`, `gt`, `ge`, `lt_signed` … | 1 | unsigned unless it says signed |
/// | `a.all()`, `a.any()`, `a.none()`, `a.parity()` | 1 | over all bits |
/// | `c.mux(a, b)` | W | `a` where the one-bit `c` is 1, else `b` |
/// | `a.bit(i)`, `a.bits(lo..hi)`, `a.at(index)` | 1, hi − lo, 1 | `at` gives 0 past the end |
/// | `a.zext(w)`, `a.sext(w)`, `a.trunc(w)` | w | the only ways to resize |
/// | `cat([high, low])`, `a.repeat(n)` | sum | concatenation |
#[derive(Clone, Copy)]
pub struct Sig {
    pub(crate) serial: u32,
    pub(crate) node: u32,
    pub(crate) width: u32,
    /// Handles mean something on one thread only.
    not_send: PhantomData<*const ()>,
}

impl fmt::Debug for Sig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sig({} bits)", self.width)
    }
}

/// What may stand on the right of an operator: a signal, an integer or a [`Bits`].
pub trait Operand {
    /// The signal. `width` is what the place asks of an integer.
    #[doc(hidden)]
    fn node(self, builder: &mut Builder, width: u32, loc: Loc) -> NodeId;
}

impl Operand for Sig {
    fn node(self, builder: &mut Builder, _width: u32, loc: Loc) -> NodeId {
        builder.own(self, loc)
    }
}

impl Operand for &Bits {
    fn node(self, builder: &mut Builder, _width: u32, loc: Loc) -> NodeId {
        builder.frame().constant(self.clone(), loc)
    }
}

fn integer(builder: &mut Builder, width: u32, value: i128, loc: Loc) -> NodeId {
    match Bits::new_signed(width, value) {
        Some(bits) => builder.frame().constant(bits, loc),
        None => {
            // An integer has 64 bits at most, so a width that it does not fit has fewer.
            let (min, max) = (-(1i128 << (width - 1)), (1i128 << width) - 1);
            let range = match value < 0 {
                true => format!("{min} to {max}"),
                false => format!("0 to {max}"),
            };
            builder.diagnostics.push(
                Diagnostic::new(
                    Code::ValueOutOfRange,
                    format!("{value} does not fit {}", bits(width)),
                    format!(
                        "constants of {} are {range}: widen the signal or change this one",
                        bits(width)
                    ),
                )
                .at(loc, "this constant"),
            );
            builder.poison(width, loc)
        }
    }
}

macro_rules! integer_operands {
    ($($ty:ty)*) => {$(
        impl Operand for $ty {
            fn node(self, builder: &mut Builder, width: u32, loc: Loc) -> NodeId {
                integer(builder, width, self as i128, loc)
            }
        }
    )*};
}
integer_operands!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool);

/// How a shift amount may be given.
pub trait ShiftAmount {
    #[doc(hidden)]
    fn amount(self, builder: &mut Builder, loc: Loc) -> NodeId;
}

impl ShiftAmount for Sig {
    fn amount(self, builder: &mut Builder, loc: Loc) -> NodeId {
        builder.own(self, loc)
    }
}

macro_rules! shift_amounts {
    ($($ty:ty)*) => {$(
        impl ShiftAmount for $ty {
            fn amount(self, builder: &mut Builder, loc: Loc) -> NodeId {
                let value = self as i128;
                if value < 0 {
                    builder.diagnostics.push(
                        Diagnostic::new(
                            Code::ValueOutOfRange,
                            format!("a shift by {value}"),
                            "an amount is 0 or more: shift the other way",
                        )
                        .at(loc, "shifted here"),
                    );
                    return builder.poison(1, loc);
                }
                let width = (128 - value.max(1).leading_zeros()).min(64);
                integer(builder, width, value, loc)
            }
        }
    )*};
}
shift_amounts!(u32 usize i32);

type Binary = fn(NodeId, NodeId) -> Op;

impl Sig {
    pub(crate) fn of(serial: u32, node: u32, width: u32) -> Sig {
        Sig { serial, node, width, not_send: PhantomData }
    }

    /// A width without a signal: what [`crate::bundle::Shape`] is made of.
    pub(crate) fn shape(width: u32) -> Sig {
        Sig::of(0, 0, width)
    }

    /// The width in bits.
    pub fn width(self) -> usize {
        self.width as usize
    }

    fn unary(self, op: fn(NodeId) -> Op, width: u32, loc: Loc) -> Sig {
        with_builder(|b| {
            let from = b.own(self, loc);
            let id = b.push(op(from), width, loc);
            b.frame().handle(id)
        })
    }

    fn binary(
        self,
        what: &str,
        op: Binary,
        rhs: impl Operand,
        width: Option<u32>,
        loc: Loc,
    ) -> Sig {
        with_builder(|b| {
            let left = b.own(self, loc);
            let beside = b.integer_width(left);
            let right = rhs.node(b, beside, loc);
            let id = if b.same_width(what, left, right, loc) {
                b.push(op(left, right), width.unwrap_or(self.width), loc)
            } else {
                b.poison(width.unwrap_or(self.width), loc)
            };
            b.frame().handle(id)
        })
    }

    fn shift(self, op: Binary, by: impl ShiftAmount, loc: Loc) -> Sig {
        with_builder(|b| {
            let left = b.own(self, loc);
            let right = by.amount(b, loc);
            let id = b.push(op(left, right), self.width, loc);
            b.frame().handle(id)
        })
    }

    fn resize(self, what: &str, to: usize, allowed: bool, op: fn(NodeId) -> Op, loc: Loc) -> Sig {
        with_builder(|b| {
            let from = b.own(self, loc);
            let Some(width) = b.checked_width(to as u64, loc) else {
                let id = b.poison(1, loc);
                return b.frame().handle(id);
            };
            if width == self.width {
                return b.frame().handle(from);
            }
            let id = if allowed || b.is_poison(self) {
                b.push(op(from), width, loc)
            } else {
                let made = b.frame().module.node(from).loc;
                b.diagnostics.push(
                    Diagnostic::new(
                        Code::WidthMismatch,
                        format!("`{what}({to})` of a signal of {}", bits(self.width)),
                        "`zext` and `sext` widen, `trunc` narrows",
                    )
                    .at(loc, "resized here")
                    .at(made, bits(self.width)),
                );
                b.poison(width, loc)
            };
            b.frame().handle(id)
        })
    }

    /// The sum with its carry: one bit wider.
    #[track_caller]
    pub fn add_wide(self, rhs: impl Operand) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let left = b.own(self, loc);
            let beside = b.integer_width(left);
            let right = rhs.node(b, beside, loc);
            let same = b.same_width("add_wide", left, right, loc);
            let id = match b.checked_width(u64::from(self.width) + 1, loc) {
                Some(width) if same => {
                    let left = b.push(Op::Zext(left), width, loc);
                    let right = b.push(Op::Zext(right), width, loc);
                    b.push(Op::Add(left, right), width, loc)
                }
                width => b.poison(width.unwrap_or(1), loc),
            };
            b.frame().handle(id)
        })
    }

    /// 1 where equal.
    #[track_caller]
    pub fn eq(self, rhs: impl Operand) -> Sig {
        self.binary("eq", Op::Eq, rhs, Some(1), Loc::caller())
    }

    /// 1 where not equal.
    #[track_caller]
    pub fn ne(self, rhs: impl Operand) -> Sig {
        self.binary("ne", Op::Ne, rhs, Some(1), Loc::caller())
    }

    /// Unsigned `self < rhs`.
    #[track_caller]
    pub fn lt(self, rhs: impl Operand) -> Sig {
        self.binary("lt", Op::Ult, rhs, Some(1), Loc::caller())
    }

    /// Unsigned `self <= rhs`.
    #[track_caller]
    pub fn le(self, rhs: impl Operand) -> Sig {
        self.binary("le", Op::Ule, rhs, Some(1), Loc::caller())
    }

    /// Unsigned `self > rhs`.
    #[track_caller]
    pub fn gt(self, rhs: impl Operand) -> Sig {
        self.binary("gt", |a, b| Op::Ult(b, a), rhs, Some(1), Loc::caller())
    }

    /// Unsigned `self >= rhs`.
    #[track_caller]
    pub fn ge(self, rhs: impl Operand) -> Sig {
        self.binary("ge", |a, b| Op::Ule(b, a), rhs, Some(1), Loc::caller())
    }

    /// Two's complement `self < rhs`.
    #[track_caller]
    pub fn lt_signed(self, rhs: impl Operand) -> Sig {
        self.binary("lt_signed", Op::Slt, rhs, Some(1), Loc::caller())
    }

    /// Two's complement `self <= rhs`.
    #[track_caller]
    pub fn le_signed(self, rhs: impl Operand) -> Sig {
        self.binary("le_signed", Op::Sle, rhs, Some(1), Loc::caller())
    }

    /// Two's complement `self > rhs`.
    #[track_caller]
    pub fn gt_signed(self, rhs: impl Operand) -> Sig {
        self.binary("gt_signed", |a, b| Op::Slt(b, a), rhs, Some(1), Loc::caller())
    }

    /// Two's complement `self >= rhs`.
    #[track_caller]
    pub fn ge_signed(self, rhs: impl Operand) -> Sig {
        self.binary("ge_signed", |a, b| Op::Sle(b, a), rhs, Some(1), Loc::caller())
    }

    /// 1 where every bit is 1.
    #[track_caller]
    pub fn all(self) -> Sig {
        self.unary(Op::RedAnd, 1, Loc::caller())
    }

    /// 1 where some bit is 1.
    #[track_caller]
    pub fn any(self) -> Sig {
        self.unary(Op::RedOr, 1, Loc::caller())
    }

    /// 1 where no bit is 1.
    #[track_caller]
    pub fn none(self) -> Sig {
        let loc = Loc::caller();
        self.unary(Op::RedOr, 1, loc).unary(Op::Not, 1, loc)
    }

    /// 1 where the number of ones is odd.
    #[track_caller]
    pub fn parity(self) -> Sig {
        self.unary(Op::RedXor, 1, Loc::caller())
    }

    /// `then` where this one-bit signal is 1, else `otherwise`, which has the same width.
    #[track_caller]
    pub fn mux(self, then: Sig, otherwise: impl Operand) -> Sig {
        self.mux_at(then, otherwise, Loc::caller())
    }

    pub(crate) fn mux_at(self, then: Sig, otherwise: impl Operand, loc: Loc) -> Sig {
        with_builder(|b| {
            let select = b.own(self, loc);
            let then = b.own(then, loc);
            let width = b.frame().module.node(then).width;
            let beside = b.integer_width(then);
            let otherwise = otherwise.node(b, beside, loc);
            let ok = b.one_bit("the select of `mux`", select, loc)
                & b.same_width("mux", then, otherwise, loc);
            let id = if ok {
                b.push(Op::Mux(select, then, otherwise), width, loc)
            } else {
                b.poison(width, loc)
            };
            b.frame().handle(id)
        })
    }

    /// Arithmetic right shift: the sign bit moves in.
    #[track_caller]
    pub fn sra(self, by: impl ShiftAmount) -> Sig {
        self.shift(Op::Sra, by, Loc::caller())
    }

    /// Zeros on top up to `width` bits.
    #[track_caller]
    pub fn zext(self, width: usize) -> Sig {
        self.resize("zext", width, width >= self.width(), Op::Zext, Loc::caller())
    }

    /// Copies of the sign bit on top up to `width` bits.
    #[track_caller]
    pub fn sext(self, width: usize) -> Sig {
        self.resize("sext", width, width >= self.width(), Op::Sext, Loc::caller())
    }

    /// The low `width` bits.
    #[track_caller]
    pub fn trunc(self, width: usize) -> Sig {
        let loc = Loc::caller();
        if (1..=self.width()).contains(&width) {
            return self.cut(0, width, loc);
        }
        self.resize("trunc", width, false, |from| Op::Slice { from, lo: 0 }, loc)
    }

    /// Bit `index`, counted from the least significant.
    #[track_caller]
    pub fn bit(self, index: usize) -> Sig {
        self.cut(index, index.saturating_add(1), Loc::caller())
    }

    /// The bits in a half-open range: `a.bits(8..16)` is the second byte, `a.bits(1..)` all but the
    /// lowest bit.
    #[track_caller]
    pub fn bits(self, range: impl RangeBounds<usize>) -> Sig {
        let lo = match range.start_bound() {
            Bound::Included(&lo) => lo,
            Bound::Excluded(&lo) => lo + 1,
            Bound::Unbounded => 0,
        };
        let hi = match range.end_bound() {
            Bound::Included(&hi) => hi + 1,
            Bound::Excluded(&hi) => hi,
            Bound::Unbounded => self.width(),
        };
        self.cut(lo, hi, Loc::caller())
    }

    pub(crate) fn cut(self, lo: usize, hi: usize, loc: Loc) -> Sig {
        with_builder(|b| {
            let from = b.own(self, loc);
            if lo == 0 && hi == self.width() {
                return b.frame().handle(from);
            }
            let id = if lo < hi && hi <= self.width() {
                b.slice(from, lo as u32, (hi - lo) as u32, loc)
            } else if b.is_poison(self) {
                b.poison(hi.saturating_sub(lo).max(1) as u32, loc)
            } else {
                b.excuse(self, loc);
                let made = b.frame().module.node(from).loc;
                b.diagnostics.push(
                    Diagnostic::new(
                        Code::ValueOutOfRange,
                        format!("bits {lo}..{hi} of a signal of {}", bits(self.width)),
                        format!("a range is not empty and ends at {} at most", self.width),
                    )
                    .at(loc, "taken here")
                    .at(made, bits(self.width)),
                );
                b.poison(hi.saturating_sub(lo).max(1) as u32, loc)
            };
            b.frame().handle(id)
        })
    }

    /// The bit that `index` names at run time; 0 where there is none.
    #[track_caller]
    pub fn at(self, index: Sig) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let from = b.own(self, loc);
            let index = b.own(index, loc);
            let id = b.push(Op::BitAt { from, index }, 1, loc);
            b.frame().handle(id)
        })
    }

    /// `count` copies side by side.
    #[track_caller]
    pub fn repeat(self, count: usize) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let from = b.own(self, loc);
            let id = match b.checked_width(u64::from(self.width) * count as u64, loc) {
                Some(width) if width == self.width => from,
                Some(width) => b.push(Op::Repeat(from), width, loc),
                None => b.poison(1, loc),
            };
            b.frame().handle(id)
        })
    }

    /// Drives this wire, register, output or instance input, or a slice of one. The last statement
    /// that applies wins.
    #[track_caller]
    pub fn set(self, value: impl Operand) {
        let loc = Loc::caller();
        with_builder(|b| b.assign(self, value, loc));
    }

    /// The value this register takes at reset. Without one, reset does not
    /// touch it: its statements apply as in any other cycle.
    #[track_caller]
    pub fn reset(self, value: impl Operand) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let reg = b.own(self, loc);
            let beside = b.integer_width(reg);
            let value = value.node(b, beside, loc);
            if !b.same_width("reset", reg, value, loc) {
                return;
            }
            let frame = b.frame();
            match (frame.module.node(reg).op, frame.module.node(value).op) {
                (Op::Poison, _) | (_, Op::Poison) => {}
                (Op::Reg, Op::Const(index)) => {
                    let value = frame.module.constants[index as usize].clone();
                    match frame.module.resets.binary_search_by_key(&reg, |&(node, _)| node) {
                        Ok(place) => frame.module.resets[place].1 = value,
                        Err(place) => frame.module.resets.insert(place, (reg, value)),
                    }
                }
                (op, _) => {
                    let what = if op == Op::Reg {
                        "the reset value is not a constant"
                    } else {
                        "only a register has a reset"
                    };
                    b.diagnostics.push(
                        Diagnostic::new(
                            Code::NotAssignable,
                            what,
                            "write `reg(width).reset(constant)`",
                        )
                        .at(loc, "reset here"),
                    );
                }
            }
        });
        self
    }

    /// Names the signal in Verilog and waveforms. Two signals of one module must not ask for the
    /// same name. Inside `#[hardware]` functions `let` does this by itself.
    #[track_caller]
    pub fn named(self, name: &str) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let id = b.own(self, loc);
            b.frame().name(id, name, "".into(), true);
        });
        self
    }
}

impl Builder {
    /// Reports unless both nodes have the same width.
    pub(crate) fn same_width(&mut self, what: &str, left: NodeId, right: NodeId, loc: Loc) -> bool {
        let (l, r) = (*self.frame().module.node(left), *self.frame().module.node(right));
        if l.width == r.width || l.op.is_poison() || r.op.is_poison() {
            return true;
        }
        let (message, sites) = match what {
            "set" | "reset" => (
                format!("`{what}` of a signal of {} to {}", bits(l.width), bits(r.width)),
                ["set here", "the signal", "the value"],
            ),
            _ => (
                format!("`{what}` of {} and {} bits", l.width, r.width),
                ["combined here", "left", "right"],
            ),
        };
        self.diagnostics.push(
            Diagnostic::new(
                Code::WidthMismatch,
                message,
                "make the widths equal with `zext`, `sext` or `trunc`",
            )
            .at(loc, sites[0])
            .at(l.loc, format!("{}, {}", sites[1], bits(l.width)))
            .at(r.loc, format!("{}, {}", sites[2], bits(r.width))),
        );
        false
    }

    /// Bits `lo ..` of a node; of a concatenation that has no name, the parts they come from.
    fn slice(&mut self, from: NodeId, lo: u32, width: u32, loc: Loc) -> NodeId {
        let module = &self.frame().module;
        let node = *module.node(from);
        if node.width == width {
            return from;
        }
        let (Op::Cat { start, len }, None) = (node.op, node.name) else {
            return self.push(Op::Slice { from, lo }, width, loc);
        };
        let operands = module.operands[start as usize..(start + len) as usize].to_vec();
        let mut high = node.width;
        let mut parts = Vec::new();
        for operand in operands {
            let bits = self.frame().module.node(operand).width;
            let low = high - bits;
            let (first, end) = (low.max(lo), high.min(lo + width));
            if first < end {
                parts.push(self.slice(operand, first - low, end - first, loc));
            }
            high = low;
        }
        self.concatenate(parts, width, loc)
    }

    /// A concatenation of `width` bits in all.
    fn concatenate(&mut self, parts: Vec<NodeId>, width: u32, loc: Loc) -> NodeId {
        if let [only] = parts[..] {
            return only;
        }
        let frame = self.frame();
        let poisoned = parts.iter().any(|&id| frame.module.node(id).op.is_poison());
        let start = frame.module.operands.len() as u32;
        let len = parts.len() as u32;
        frame.module.operands.extend(parts);
        frame.push(if poisoned { Op::Poison } else { Op::Cat { start, len } }, width, loc)
    }

    /// Reports unless the node is one bit wide.
    pub(crate) fn one_bit(&mut self, what: &str, id: NodeId, loc: Loc) -> bool {
        let node = *self.frame().module.node(id);
        if node.width == 1 || node.op.is_poison() {
            return true;
        }
        self.diagnostics.push(
            Diagnostic::new(
                Code::WidthMismatch,
                format!("{what} has {} bits instead of 1", node.width),
                "reduce it with `any()` or `all()`, or compare it with `eq` or `ne`",
            )
            .at(loc, "used here")
            .at(node.loc, bits(node.width)),
        );
        false
    }

    pub(crate) fn assign(&mut self, target: Sig, value: impl Operand, loc: Loc) {
        let mut target_id = self.own(target, loc);
        if target.serial != self.frame().serial {
            self.excuse(target, loc);
        }
        let beside = self.integer_width(target_id);
        let mut value = value.node(self, beside, loc);
        let fits = self.same_width("set", target_id, value, loc);
        if !fits || self.frame().module.node(value).op.is_poison() {
            // What is wrong has been reported; the target counts as driven all the same.
            value = self.poison(target.width, loc);
        }
        let module = &self.frame().module;
        let mut lo = 0;
        while let Op::Slice { from, lo: offset } = module.node(target_id).op {
            lo += offset;
            target_id = from;
        }
        let node = *module.node(target_id);
        if node.op.is_poison() {
            return;
        }
        if !node.op.is_driven() {
            let what = match node.op {
                Op::Input => "an input is driven from outside",
                Op::InstOut(..) => "an output of an instance is driven by the instance",
                Op::Const(_) => "a constant cannot be driven",
                _ => "the result of an operation cannot be driven",
            };
            self.diagnostics.push(
                Diagnostic::new(
                    Code::NotAssignable,
                    what,
                    "drive a wire, a register, an output or an input of an instance",
                )
                .at(loc, "driven here")
                .at(node.loc, "made here"),
            );
            let operands: Vec<NodeId> = self.frame().module.operands_of(target_id).collect();
            for operand in operands {
                let operand = self.frame().handle(operand);
                self.excuse(operand, loc);
            }
            return;
        }
        self.frame().stmt(Stmt::Assign { target: target_id, lo, value, loc });
    }
}

/// A constant.
#[track_caller]
pub fn lit(width: usize, value: impl Operand) -> Sig {
    let loc = Loc::caller();
    with_builder(|b| {
        let id = match b.checked_width(width as u64, loc) {
            Some(width) => {
                let id = value.node(b, width, loc);
                let node = *b.frame().module.node(id);
                if node.width == width {
                    id
                } else {
                    b.diagnostics.push(
                        Diagnostic::new(
                            Code::WidthMismatch,
                            format!(
                                "`lit` of {} from a value of {}",
                                bits(width),
                                bits(node.width)
                            ),
                            "give a value of exactly this width, or an integer that fits it",
                        )
                        .at(loc, "made here"),
                    );
                    b.poison(width, loc)
                }
            }
            None => b.poison(1, loc),
        };
        b.frame().handle(id)
    })
}

/// A constant of any width.
#[track_caller]
pub fn constant(value: &Bits) -> Sig {
    let loc = Loc::caller();
    with_frame(|f| {
        let id = f.constant(value.clone(), loc);
        f.handle(id)
    })
}

/// Concatenation, most significant first.
#[track_caller]
pub fn cat(parts: impl IntoIterator<Item = Sig>) -> Sig {
    let loc = Loc::caller();
    let parts: Vec<Sig> = parts.into_iter().collect();
    with_builder(|b| {
        let ids: Vec<NodeId> = parts.iter().map(|&sig| b.own(sig, loc)).collect();
        let width = b.checked_width(parts.iter().map(|sig| u64::from(sig.width)).sum(), loc);
        let Some(width) = width else {
            let id = b.poison(1, loc);
            return b.frame().handle(id);
        };
        let id = b.concatenate(ids, width, loc);
        b.frame().handle(id)
    })
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $symbol:literal $op:expr;)*) => {$(
        impl<T: Operand> $trait<T> for Sig {
            type Output = Sig;
            #[track_caller]
            fn $method(self, rhs: T) -> Sig {
                self.binary($symbol, $op, rhs, None, Loc::caller())
            }
        }
    )*};
}
binary_operators! {
    Add add "+" Op::Add;
    Sub sub "-" Op::Sub;
    BitAnd bitand "&" Op::And;
    BitOr bitor "|" Op::Or;
    BitXor bitxor "^" Op::Xor;
}

impl Mul for Sig {
    type Output = Sig;
    #[track_caller]
    fn mul(self, rhs: Sig) -> Sig {
        let loc = Loc::caller();
        with_builder(|b| {
            let (left, right) = (b.own(self, loc), b.own(rhs, loc));
            let id = match b.checked_width(u64::from(self.width) + u64::from(rhs.width), loc) {
                Some(width) => b.push(Op::Mul(left, right), width, loc),
                None => b.poison(1, loc),
            };
            b.frame().handle(id)
        })
    }
}

impl<T: ShiftAmount> Shl<T> for Sig {
    type Output = Sig;
    #[track_caller]
    fn shl(self, by: T) -> Sig {
        self.shift(Op::Shl, by, Loc::caller())
    }
}

impl<T: ShiftAmount> Shr<T> for Sig {
    type Output = Sig;
    #[track_caller]
    fn shr(self, by: T) -> Sig {
        self.shift(Op::Shr, by, Loc::caller())
    }
}

impl Not for Sig {
    type Output = Sig;
    #[track_caller]
    fn not(self) -> Sig {
        self.unary(Op::Not, self.width, Loc::caller())
    }
}

impl Neg for Sig {
    type Output = Sig;
    #[track_caller]
    fn neg(self) -> Sig {
        self.unary(Op::Neg, self.width, Loc::caller())
    }
}
