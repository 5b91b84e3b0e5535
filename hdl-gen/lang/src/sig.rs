//! `Sig`: a value in the circuit, and the operators on it.
//!
//! A signal is a fixed number of bits without a sign. Widths never adjust themselves: an operator
//! that needs equal widths reports a WIDTH MISMATCH otherwise, and [`Sig::zext`], [`Sig::sext`] and
//! [`Sig::trunc`] are the only ways to change one. Integers take the width of the signal they meet
//! and must fit it.

mod build;
mod count;
mod operand;
mod operators;

pub use operand::{Operand, ShiftAmount};

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

use crate::bits::Bits;
use crate::builder::{with_builder, with_frame};
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::ir::{NodeId, Op};

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
/// | `a.next_in(n)`, `a.saturating_next()` | W | the next index of a ring of `n`, one more up to the highest value |
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
