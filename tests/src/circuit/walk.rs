//! What items and statements mention: the one place that knows where operands sit.

use super::{Id, Item, MemId, Op, Stmt};

impl Op {
    /// Every operand, to change.
    pub fn operands_mut(&mut self) -> Vec<&mut Id> {
        match self {
            Op::Const(_) => Vec::new(),
            Op::Unary(_, a)
            | Op::ShiftBy(_, a, _)
            | Op::Slice(a, _)
            | Op::Repeat(a, _)
            | Op::Zext(a)
            | Op::Sext(a)
            | Op::Trunc(a)
            | Op::Is(a, ..) => vec![a],
            Op::Binary(_, a, b) | Op::Mul(a, b) | Op::Shift(_, a, b) | Op::At(a, b) => vec![a, b],
            Op::Mux(a, b, c) => vec![a, b, c],
            Op::Cat(parts) => parts.iter_mut().collect(),
            Op::Select(index, items) => std::iter::once(index).chain(items).collect(),
        }
    }

    /// Visits every operand.
    pub fn operands(&self, f: &mut dyn FnMut(Id)) {
        self.clone().operands_mut().into_iter().for_each(|id| f(*id));
    }
}

impl Stmt {
    /// Visits every value read.
    pub fn reads(&self, f: &mut dyn FnMut(Id)) {
        match self {
            Stmt::Set { value, .. } => f(*value),
            Stmt::SetVariant { .. } => {}
            Stmt::Write { addr, data, mask, .. } => {
                f(*addr);
                f(*data);
                mask.iter().copied().for_each(&mut *f);
            }
            Stmt::When { arms, .. } => arms.iter().for_each(|(cond, _)| f(*cond)),
            Stmt::Switch { subject, .. } => f(*subject),
        }
        for body in self.bodies() {
            body.iter().for_each(|stmt| stmt.reads(f));
        }
    }

    /// Visits every value driven.
    pub fn targets(&self, f: &mut dyn FnMut(Id)) {
        if let Stmt::Set { target, .. } | Stmt::SetVariant { target, .. } = self {
            f(*target);
        }
        for body in self.bodies() {
            body.iter().for_each(|stmt| stmt.targets(f));
        }
    }

    /// Visits every memory written.
    pub fn writes(&self, f: &mut dyn FnMut(MemId)) {
        if let Stmt::Write { mem, .. } = self {
            f(*mem);
        }
        for body in self.bodies() {
            body.iter().for_each(|stmt| stmt.writes(f));
        }
    }

    /// The nested lists of statements.
    pub fn bodies(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::When { arms, otherwise: last } => {
                arms.iter().map(|(_, body)| body).chain(last).collect()
            }
            Stmt::Switch { arms, default: last, .. } => {
                arms.iter().map(|(_, body)| body).chain(last).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The nested lists of statements, to change.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::When { arms, otherwise: last } => {
                arms.iter_mut().map(|(_, body)| body).chain(last).collect()
            }
            Stmt::Switch { arms, default: last, .. } => {
                arms.iter_mut().map(|(_, body)| body).chain(last).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Item {
    /// Visits every value read.
    pub fn reads(&self, f: &mut dyn FnMut(Id)) {
        match self {
            Item::Let { op, .. } => op.operands(f),
            Item::RegNext { next, .. } => f(*next),
            Item::Read { addr, enable, .. } => {
                f(*addr);
                enable.iter().copied().for_each(&mut *f);
            }
            Item::Block(body) | Item::Instance { drive: body, .. } => {
                body.iter().for_each(|stmt| stmt.reads(f));
            }
            Item::Reg { .. } | Item::Wire { .. } | Item::Memory { .. } => {}
        }
    }

    /// What an instance is called: after the first of its values.
    pub fn instance_name(&self) -> String {
        format!("u{}", self.makes().first().map_or(0, |(id, _)| id.0))
    }

    /// The values it makes, with their widths.
    pub fn makes(&self) -> Vec<(Id, u32)> {
        match self {
            Item::Let { id, width, .. }
            | Item::Reg { id, width, .. }
            | Item::RegNext { id, width, .. }
            | Item::Wire { id, width, .. }
            | Item::Read { id, width, .. } => vec![(*id, *width)],
            Item::Instance { inputs, outputs, .. } => [&inputs[..], outputs].concat(),
            Item::Memory { .. } | Item::Block(_) => Vec::new(),
        }
    }
}
