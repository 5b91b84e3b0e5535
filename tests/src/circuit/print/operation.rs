//! Operations as Rust expressions.

use num_bigint::BigUint;

use super::{Printer, constant, operand, variant};
use crate::circuit::{Binary, Id, Item, Op, Shift, Unary};

impl Printer<'_> {
    /// The constant behind a value, with its width, if it is one.
    fn constant_behind(&self, id: Id) -> Option<(&BigUint, u32)> {
        self.unit.items.iter().find_map(|item| match item {
            Item::Let { id: made, op: Op::Const(value), width, .. } if *made == id => {
                Some((value, *width))
            }
            _ => None,
        })
    }

    pub(super) fn operation(&self, op: &Op, width: u32) -> String {
        let n = |id: &Id| self.bits_of(*id);
        match op {
            Op::Const(value) => match u64::try_from(value) {
                Ok(value) if value < 1 << 63 => format!("lit({width}, {value}u64)"),
                _ => format!("constant(&{})", constant(value, width)),
            },
            Op::Unary(op, a) => unary(*op, &n(a)),
            Op::Binary(op, a, b) => {
                let b = match self.constant_behind(*b) {
                    Some((value, width)) => operand(value, width),
                    None => n(b),
                };
                binary(*op, &n(a), &b)
            }
            Op::Mul(a, b) => format!("{} * {}", n(a), n(b)),
            Op::Shift(op, a, by) => shift(*op, &n(a), &n(by)),
            Op::ShiftBy(op, a, by) => shift(*op, &n(a), &by.to_string()),
            Op::Mux(select, a, b) => format!("{}.mux({}, {})", n(select), n(a), n(b)),
            Op::Slice(a, lo) if width == 1 => format!("{}.bit({lo})", n(a)),
            Op::Slice(a, lo) => format!("{}.bits({lo}..{})", n(a), lo + width),
            Op::At(a, index) => format!("{}.at({})", n(a), n(index)),
            Op::Cat(parts) => {
                format!("cat([{}])", parts.iter().map(n).collect::<Vec<_>>().join(", "))
            }
            Op::Repeat(a, count) => format!("{}.repeat({count})", n(a)),
            Op::Zext(a) => format!("{}.zext({width})", n(a)),
            Op::Sext(a) => format!("{}.sext({width})", n(a)),
            Op::Trunc(a) => format!("{}.trunc({width})", n(a)),
            Op::Select(index, items) => {
                let items: Vec<String> = items.iter().map(n).collect();
                format!("select({}, &[{}])", n(index), items.join(", "))
            }
            Op::Is(a, kind, code) => {
                format!("{}.is({})", self.name(*a), variant(*kind, *code as usize))
            }
        }
    }
}

fn unary(op: Unary, a: &str) -> String {
    match op {
        Unary::Not => format!("!{a}"),
        Unary::Neg => format!("-{a}"),
        Unary::All => format!("{a}.all()"),
        Unary::Any => format!("{a}.any()"),
        Unary::None => format!("{a}.none()"),
        Unary::Parity => format!("{a}.parity()"),
    }
}

fn binary(op: Binary, a: &str, b: &str) -> String {
    match op {
        Binary::Add => format!("{a} + {b}"),
        Binary::Sub => format!("{a} - {b}"),
        Binary::And => format!("{a} & {b}"),
        Binary::Or => format!("{a} | {b}"),
        Binary::Xor => format!("{a} ^ {b}"),
        Binary::AddWide => format!("{a}.add_wide({b})"),
        Binary::Eq => format!("{a}.eq({b})"),
        Binary::Ne => format!("{a}.ne({b})"),
        Binary::Lt => format!("{a}.lt({b})"),
        Binary::Le => format!("{a}.le({b})"),
        Binary::Gt => format!("{a}.gt({b})"),
        Binary::Ge => format!("{a}.ge({b})"),
        Binary::LtSigned => format!("{a}.lt_signed({b})"),
        Binary::LeSigned => format!("{a}.le_signed({b})"),
        Binary::GtSigned => format!("{a}.gt_signed({b})"),
        Binary::GeSigned => format!("{a}.ge_signed({b})"),
    }
}

fn shift(op: Shift, a: &str, by: &str) -> String {
    match op {
        Shift::Left => format!("{a} << {by}"),
        Shift::Right => format!("{a} >> {by}"),
        Shift::Arithmetic => format!("{a}.sra({by})"),
    }
}
