//! Selection: which kernel computes a value, by its operation and the widths involved.

use super::graph::{Expr, Graph};
use super::kernel::Kernel;
use crate::bits::words_for;
use crate::ir::{NodeId, Op};

const WORD: u32 = 64;

/// The kernel of a computed value.
pub(super) fn select(graph: &Graph, id: NodeId) -> Kernel {
    let width = graph.width(id);
    let fits = |ids: &[NodeId]| width <= WORD && ids.iter().all(|&id| graph.width(id) <= WORD);
    match graph.expr(id) {
        Expr::Op(op) => select_op(graph, op, width),
        Expr::Insert { .. } if fits(&[]) => Kernel::Insert,
        Expr::Insert { .. } => Kernel::WideInsert,
        Expr::Read { .. } if fits(&[]) => Kernel::Read,
        Expr::Read { .. } => Kernel::WideRead,
        Expr::Lookup { .. } if fits(&[]) => Kernel::Lookup,
        Expr::Lookup { .. } => Kernel::WideLookup,
        Expr::Held | Expr::Const(_) | Expr::Same(_) => unreachable!("not computed"),
    }
}

/// Whether a slice begins at a word and leaves no bits of its last word out, so that it can be read
/// where it is.
fn slice_in_place(from: u32, lo: u32, width: u32) -> bool {
    lo.is_multiple_of(WORD) && (width.is_multiple_of(WORD) || lo + width == from)
}

fn select_op(graph: &Graph, op: Op, width: u32) -> Kernel {
    use Kernel as K;
    let pick = |operand: NodeId, narrow: K, wide: K| {
        if width <= WORD && graph.width(operand) <= WORD { narrow } else { wide }
    };
    match op {
        Op::Not(a) => pick(a, K::Not, K::WideNot),
        Op::Neg(a) => pick(a, K::Neg, K::WideNeg),
        Op::RedAnd(a) => pick(a, K::RedAnd, K::WideRedAnd),
        Op::RedOr(a) => pick(a, K::RedOr, K::WideRedOr),
        Op::RedXor(a) => pick(a, K::RedXor, K::WideRedXor),
        Op::And(a, _) => pick(a, K::And, K::WideAnd),
        Op::Or(a, _) => pick(a, K::Or, K::WideOr),
        Op::Xor(a, _) => pick(a, K::Xor, K::WideXor),
        Op::Add(a, _) => pick(a, K::Add, K::WideAdd),
        Op::Sub(a, _) => pick(a, K::Sub, K::WideSub),
        Op::Mul(a, _) => pick(a, K::Mul, K::WideMul),
        Op::Eq(a, _) => pick(a, K::Eq, K::WideEq),
        Op::Ne(a, _) => pick(a, K::Ne, K::WideNe),
        Op::Ult(a, _) => pick(a, K::Ult, K::WideUlt),
        Op::Ule(a, _) => pick(a, K::Ule, K::WideUle),
        Op::Slt(a, _) => pick(a, K::Slt, K::WideSlt),
        Op::Sle(a, _) => pick(a, K::Sle, K::WideSle),
        Op::Shl(_, by) => pick(by, K::Shl, K::WideShl),
        Op::Shr(_, by) => pick(by, K::Shr, K::WideShr),
        Op::Sra(_, by) => pick(by, K::Sra, K::WideSra),
        Op::Mux(_, then, _) => pick(then, K::Mux, K::WideMux),
        Op::Slice { from, lo } => match graph.width(from) {
            from if slice_in_place(from, lo, width) => K::Alias,
            _ if width > WORD => K::WideSlice,
            _ if lo % WORD + width <= WORD => K::Slice,
            _ => K::SliceSpan,
        },
        Op::BitAt { index, .. } => pick(index, K::BitAt, K::WideBitAt),
        Op::Cat { .. } if width > WORD => K::WideCat,
        Op::Cat { len: 2, .. } => K::Cat,
        Op::Cat { .. } => K::CatMany,
        Op::Repeat(_) if width > WORD => K::WideRepeat,
        Op::Repeat(a) if graph.width(a) == 1 => K::RepeatBit,
        // Copies side by side are a product with a constant.
        Op::Repeat(_) => K::Mul,
        Op::Zext(a) if words_for(graph.width(a)) == words_for(width) => K::Alias,
        Op::Zext(_) => K::WideZext,
        Op::Sext(a) => pick(a, K::Sext, K::WideSext),
        Op::Poison
        | Op::Const(_)
        | Op::Input
        | Op::Output
        | Op::Wire
        | Op::Reg
        | Op::InstIn(..)
        | Op::InstOut(..)
        | Op::MemRead(_) => unreachable!("{op:?} is not computed"),
    }
}

/// The constant whose product with a `from`-bit value is that value repeated up to `width` bits.
pub(super) fn repeat_factor(from: u32, width: u32) -> u64 {
    (0..width).step_by(from as usize).fold(0, |factor, lo| factor | 1 << lo)
}
