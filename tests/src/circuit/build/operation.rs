//! The operations of a circuit in the language under test.

use hdl::{Sig, cat, constant, select};

use super::{Describe, bits};
use crate::circuit::{Binary, Id, Op, Shift, Unary};

impl Describe<'_> {
    /// The constant behind a value, if it is one that is written as a number.
    fn number(&self, id: Id) -> Option<i64> {
        i64::try_from(self.constants.get(&id)?).ok()
    }

    pub(super) fn operation(&self, op: &Op, width: u32) -> Sig {
        let width = width as usize;
        match op {
            Op::Const(value) => constant(&bits(value, width as u32)),
            Op::Unary(op, a) => unary(*op, self.sig(*a)),
            Op::Binary(op, a, b) => match self.number(*b) {
                Some(number) => binary(*op, self.sig(*a), number),
                None => binary(*op, self.sig(*a), self.sig(*b)),
            },
            Op::Mul(a, b) => self.sig(*a) * self.sig(*b),
            Op::Shift(op, a, by) => shift(*op, self.sig(*a), self.sig(*by)),
            Op::ShiftBy(op, a, by) => shift(*op, self.sig(*a), *by),
            Op::Mux(select, a, b) => self.sig(*select).mux(self.sig(*a), self.sig(*b)),
            Op::Slice(a, lo) if width == 1 => self.sig(*a).bit(*lo as usize),
            Op::Slice(a, lo) => self.sig(*a).bits(*lo as usize..*lo as usize + width),
            Op::At(a, index) => self.sig(*a).at(self.sig(*index)),
            Op::Cat(parts) => cat(parts.iter().map(|&part| self.sig(part))),
            Op::Repeat(a, count) => self.sig(*a).repeat(*count as usize),
            Op::Zext(a) => self.sig(*a).zext(width),
            Op::Sext(a) => self.sig(*a).sext(width),
            Op::Trunc(a) => self.sig(*a).trunc(width),
            Op::Select(index, items) => {
                let items: Vec<Sig> = items.iter().map(|&item| self.sig(item)).collect();
                select(self.sig(*index), &items)
            }
            Op::Is(a, _, variant) => self.values[a].is(*variant),
        }
    }
}

fn unary(op: Unary, a: Sig) -> Sig {
    match op {
        Unary::Not => !a,
        Unary::Neg => -a,
        Unary::All => a.all(),
        Unary::Any => a.any(),
        Unary::None => a.none(),
        Unary::Parity => a.parity(),
    }
}

fn binary(op: Binary, a: Sig, b: impl hdl::Operand) -> Sig {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::AddWide => a.add_wide(b),
        Binary::Eq => a.eq(b),
        Binary::Ne => a.ne(b),
        Binary::Lt => a.lt(b),
        Binary::Le => a.le(b),
        Binary::Gt => a.gt(b),
        Binary::Ge => a.ge(b),
        Binary::LtSigned => a.lt_signed(b),
        Binary::LeSigned => a.le_signed(b),
        Binary::GtSigned => a.gt_signed(b),
        Binary::GeSigned => a.ge_signed(b),
    }
}

fn shift(op: Shift, a: Sig, by: impl hdl::ShiftAmount) -> Sig {
    match op {
        Shift::Left => a << by,
        Shift::Right => a >> by,
        Shift::Arithmetic => a.sra(by),
    }
}
