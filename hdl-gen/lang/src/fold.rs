//! Constant folding: which nodes of a module always have the same value.
//!
//! Checks and back ends ask this to warn of conditions that never change and to keep comparisons
//! out of the Verilog that lint would call constant. Only pure operations are followed: what comes
//! out of a wire, register, memory or instance counts as unknown.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::ir::{Module, NodeId, Op};
use crate::limbs;
use crate::ranks::Ranks;

/// The constant values of a module's nodes.
pub(crate) struct Constants {
    /// The nodes that have one.
    known: Ranks,
    /// The values of these, in the order of the nodes.
    pool: Vec<Bits>,
}

impl Constants {
    /// Folds all nodes, in one pass.
    pub(crate) fn of(module: &Module) -> Constants {
        Constants::given(module, &HashMap::new())
    }

    /// As [`Constants::of`], and through what a single statement drives, as `driver` tells it. None
    /// where that finds nothing more.
    pub(crate) fn through_wires(
        &self,
        module: &Module,
        driver: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Option<Constants> {
        let known = |constants: &Constants| -> HashMap<NodeId, Bits> {
            (0..module.nodes.len() as u32)
                .map(NodeId)
                .filter(|&id| module.node(id).op.is_driven() && !module.node(id).op.is_state())
                .filter_map(|id| Some((id, constants.get(driver(id)?)?.clone())))
                .filter(|(id, value)| module.node(*id).width == value.width())
                .collect()
        };
        let mut wires = known(self);
        if wires.is_empty() {
            return None;
        }
        loop {
            let constants = Constants::given(module, &wires);
            let more = known(&constants);
            if more.len() == wires.len() {
                return Some(constants);
            }
            wires = more;
        }
    }

    fn given(module: &Module, wires: &HashMap<NodeId, Bits>) -> Constants {
        let mut constants = Constants {
            known: Ranks::with_room_for(module.nodes.len()),
            pool: Vec::with_capacity(module.constants.len()),
        };
        for id in (0..module.nodes.len() as u32).map(NodeId) {
            let wire = if wires.is_empty() { None } else { wires.get(&id).cloned() };
            let value = wire.or_else(|| constants.fold(module, id));
            constants.known.push(value.is_some());
            constants.pool.extend(value);
        }
        constants
    }

    /// The value of the node if it is a constant.
    pub(crate) fn get(&self, id: NodeId) -> Option<&Bits> {
        self.known.get(id.index()).map(|place| &self.pool[place])
    }

    fn fold(&self, module: &Module, id: NodeId) -> Option<Bits> {
        let node = module.node(id);
        match node.op {
            Op::Const(index) => return Some(module.constants[index as usize].clone()),
            Op::Cat { start, len } => {
                let parts = &module.operands[start as usize..(start + len) as usize];
                return self.concatenation(node.width, parts);
            }
            _ => {}
        }
        let (operands, _) = node.op.operands();
        let values = operands.map(|operand| operand.and_then(|id| self.get(id)));
        let known = values.iter().flatten().count();
        let [Some(_), ..] = operands else { return None };
        if known == operands.iter().flatten().count() {
            let values = values.map(|value| value.map_or(&[][..], Bits::words));
            let width = operands[0].map_or(0, |id| module.node(id).width);
            return Some(compute(node.op, node.width, width, values));
        }
        self.absorb(module, node.op, node.width)
    }

    fn concatenation(&self, width: u32, parts: &[NodeId]) -> Option<Bits> {
        if !parts.iter().all(|&part| self.get(part).is_some()) {
            return None;
        }
        let mut bits = Bits::zero(width);
        let mut lo = width;
        for part in parts.iter().filter_map(|&part| self.get(part)) {
            lo -= part.width();
            limbs::insert(bits.words_mut(), lo, part.words(), part.width());
        }
        Some(bits)
    }

    /// The value of an operation whose result does not depend on its unknown operands.
    fn absorb(&self, module: &Module, op: Op, width: u32) -> Option<Bits> {
        use Op::*;
        let zero = |id| self.get(id).is_some_and(Bits::is_zero);
        let ones = |id| self.get(id).is_some_and(Bits::is_ones);
        let lowest = |id| self.get(id).is_some_and(is_lowest_signed);
        let highest = |id| self.get(id).is_some_and(is_highest_signed);
        let past = |by, width: u32| {
            self.get(by).is_some_and(|by| limbs::amount(by.words()) >= u64::from(width))
        };
        let to_zero = |absorbed: bool| absorbed.then(|| Bits::zero(width));
        let to_ones = |absorbed: bool| absorbed.then(|| Bits::ones(width));
        match op {
            And(a, b) | Mul(a, b) => to_zero(zero(a) || zero(b)),
            Or(a, b) => to_ones(ones(a) || ones(b)),
            Xor(a, b) | Sub(a, b) | Ne(a, b) => to_zero(a == b),
            Eq(a, b) => to_ones(a == b),
            Ult(a, b) => to_zero(a == b || zero(b) || ones(a)),
            Ule(a, b) => to_ones(a == b || zero(a) || ones(b)),
            Slt(a, b) => to_zero(a == b || lowest(b) || highest(a)),
            Sle(a, b) => to_ones(a == b || lowest(a) || highest(b)),
            Shl(a, by) | Shr(a, by) => to_zero(zero(a) || past(by, width)),
            Sra(a, _) => to_zero(zero(a)).or_else(|| to_ones(ones(a))),
            BitAt { from, index } => to_zero(zero(from) || past(index, module.node(from).width)),
            Mux(select, then, otherwise) => match self.get(select) {
                Some(select) => self.get(if select.is_zero() { otherwise } else { then }).cloned(),
                None => {
                    let then = self.get(then)?;
                    (self.get(otherwise)? == then).then(|| then.clone())
                }
            },
            _ => None,
        }
    }
}

fn is_lowest_signed(value: &Bits) -> bool {
    let mut lowest = Bits::zero(value.width());
    let sign = value.width() - 1;
    limbs::insert(lowest.words_mut(), sign, &[1], 1);
    *value == lowest
}

fn is_highest_signed(value: &Bits) -> bool {
    let mut highest = Bits::ones(value.width());
    let sign = value.width() - 1;
    limbs::insert(highest.words_mut(), sign, &[0], 1);
    *value == highest
}

/// The result, `width` bits wide, of an operation on known operands, the first `from` bits wide.
fn compute(op: Op, width: u32, from: u32, operands: [&[u64]; 3]) -> Bits {
    use Op::*;
    let mut bits = Bits::zero(width);
    let to = bits.words_mut();
    let [a, b, c] = operands;
    match op {
        Not(_) => limbs::not(to, a, width),
        Neg(_) => limbs::neg(to, a, width),
        RedAnd(_) => to[0] = limbs::red_and(a, from).into(),
        RedOr(_) => to[0] = limbs::red_or(a).into(),
        RedXor(_) => to[0] = limbs::red_xor(a).into(),
        And(..) => limbs::and(to, a, b),
        Or(..) => limbs::or(to, a, b),
        Xor(..) => limbs::xor(to, a, b),
        Add(..) => limbs::add(to, a, b, width),
        Sub(..) => limbs::sub(to, a, b, width),
        Mul(..) => limbs::mul(to, a, b),
        Eq(..) => to[0] = (a == b).into(),
        Ne(..) => to[0] = (a != b).into(),
        Ult(..) => to[0] = limbs::ult(a, b).into(),
        Ule(..) => to[0] = limbs::ule(a, b).into(),
        Slt(..) => to[0] = limbs::slt(a, b, from).into(),
        Sle(..) => to[0] = limbs::sle(a, b, from).into(),
        Shl(..) => limbs::shl(to, a, limbs::amount(b), width),
        Shr(..) => limbs::shr(to, a, limbs::amount(b), width),
        Sra(..) => limbs::sra(to, a, limbs::amount(b), width),
        Mux(..) => to.copy_from_slice(if limbs::red_or(a) { b } else { c }),
        Slice { lo, .. } => limbs::slice(to, a, lo, width),
        BitAt { .. } => to[0] = limbs::bit(a, limbs::amount(b)).into(),
        Repeat(_) => limbs::repeat(to, a, from, width),
        Zext(_) => limbs::zext(to, a),
        Sext(_) => limbs::sext(to, a, from, width),
        Poison
        | Const(_)
        | Input
        | Output
        | Wire
        | Reg
        | InstIn(..)
        | InstOut(..)
        | MemRead(_)
        | Cat { .. } => unreachable!("{op:?} has no fixed operands"),
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Frame;
    use crate::diag::Loc;

    /// A module of one unknown input and the nodes a test adds.
    struct Circuit {
        frame: Frame,
        x: NodeId,
    }

    impl Circuit {
        fn new(width: u32) -> Circuit {
            let mut frame =
                Frame::new("folded".into(), String::new(), String::new(), Loc::caller());
            let x = frame.push(Op::Input, width, Loc::caller());
            Circuit { frame, x }
        }

        fn constant(&mut self, width: u32, value: u128) -> NodeId {
            self.frame.constant(Bits::truncated(width, value), Loc::caller())
        }

        fn push(&mut self, op: Op, width: u32) -> NodeId {
            self.frame.push(op, width, Loc::caller())
        }

        fn value(&self, id: NodeId) -> Option<Bits> {
            Constants::of(&self.frame.module).get(id).cloned()
        }
    }

    #[test]
    fn operations_on_constants_are_constants() {
        let mut c = Circuit::new(8);
        let (a, b) = (c.constant(100, 7), c.constant(100, 9));
        let sum = c.push(Op::Add(a, b), 100);
        let product = c.push(Op::Mul(sum, a), 200);
        let less = c.push(Op::Ult(a, b), 1);
        let picked = c.push(Op::Mux(less, product, product), 200);
        assert_eq!(c.value(picked), Bits::new(200, 112));
    }

    #[test]
    fn a_concatenation_is_constant_when_all_its_parts_are() {
        let mut c = Circuit::new(8);
        let parts = [c.constant(4, 0xA), c.constant(68, 0xB), c.x];
        c.frame.module.operands.extend(parts);
        let known = c.push(Op::Cat { start: 0, len: 2 }, 72);
        let unknown = c.push(Op::Cat { start: 1, len: 2 }, 76);
        assert_eq!(c.value(known), Bits::new(72, 0xA << 68 | 0xB));
        assert_eq!(c.value(unknown), None);
    }

    #[test]
    fn operands_that_cannot_matter_are_ignored() {
        for width in [1u32, 8, 64, 65, 130] {
            let mut c = Circuit::new(width);
            let x = c.x;
            let zero = c.constant(width, 0);
            let max = c.push(Op::Not(zero), width);
            let one = c.constant(width, 1);
            let top = c.constant(32, u128::from(width) - 1);
            let lowest = c.push(Op::Shl(one, top), width);
            let highest = c.push(Op::Not(lowest), width);
            let far = c.constant(32, u128::from(width));
            let always = [
                Op::Eq(x, x),
                Op::Ule(x, x),
                Op::Ule(zero, x),
                Op::Ule(x, max),
                Op::Sle(lowest, x),
                Op::Sle(x, highest),
            ];
            let never = [
                Op::Ne(x, x),
                Op::Ult(x, zero),
                Op::Ult(max, x),
                Op::Slt(x, lowest),
                Op::Slt(highest, x),
                Op::BitAt { from: x, index: far },
            ];
            let nothing = [
                Op::And(x, zero),
                Op::Xor(x, x),
                Op::Sub(x, x),
                Op::Shl(x, far),
                Op::Shr(x, far),
                Op::Shr(zero, x),
                Op::Sra(zero, x),
            ];
            let everything = [Op::Or(max, x), Op::Sra(max, x)];
            for op in always {
                let id = c.push(op, 1);
                assert_eq!(c.value(id), Some(Bits::ones(1)), "{op:?} at {width} bits");
            }
            for op in never {
                let id = c.push(op, 1);
                assert_eq!(c.value(id), Some(Bits::zero(1)), "{op:?} at {width} bits");
            }
            for op in nothing {
                let id = c.push(op, width);
                assert_eq!(c.value(id), Some(Bits::zero(width)), "{op:?} at {width} bits");
            }
            for op in everything {
                let id = c.push(op, width);
                assert_eq!(c.value(id), Some(Bits::ones(width)), "{op:?} at {width} bits");
            }
        }
    }

    #[test]
    fn a_multiplexer_folds_by_its_select_or_by_equal_arms() {
        let mut c = Circuit::new(1);
        let (on, five, six) = (c.constant(1, 1), c.constant(4, 5), c.constant(4, 6));
        let other = c.push(Op::Input, 4);
        let five_again = c.constant(4, 5);
        let by_select = c.push(Op::Mux(on, five, other), 4);
        let unknown_arm = c.push(Op::Mux(on, other, five), 4);
        let equal_arms = c.push(Op::Mux(c.x, five, five_again), 4);
        let different = c.push(Op::Mux(c.x, five, six), 4);
        assert_eq!(c.value(by_select), Bits::new(4, 5));
        assert_eq!(c.value(unknown_arm), None);
        assert_eq!(c.value(equal_arms), Bits::new(4, 5));
        assert_eq!(c.value(different), None);
    }

    #[test]
    fn values_from_outside_are_unknown() {
        let mut c = Circuit::new(8);
        let nodes = [c.push(Op::Wire, 8), c.push(Op::Reg, 8), c.x];
        for id in nodes {
            assert_eq!(c.value(id), None);
        }
        let inverse = c.push(Op::Not(c.x), 8);
        assert_eq!(c.value(inverse), None);
    }
}
