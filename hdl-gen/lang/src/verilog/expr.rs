//! Expressions.
//!
//! Every operator is written so that Verilog's own width rules have nothing to decide: operands have
//! the width of the result, extensions are concatenations, and what is signed is so only inside
//! `$signed`.

use super::plan::Plan;
use crate::bits::{Bits, index_width};
use crate::ir::{NodeId, Op};
use crate::text::put_number;

/// Widest shift amount written as it is; wider ones are compared first.
pub(crate) const WIDEST_SHIFT: u32 = 31;

/// What surrounds an expression: whether it needs parentheses.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Around {
    /// Nothing that binds.
    Nothing,
    /// An operator that this one joins in a chain: `a && b && c`.
    Chain(&'static str),
    /// Another operator.
    Operator,
}

/// A literal: values below a thousand in decimal, others in hexadecimal.
pub(crate) fn put_literal(out: &mut String, value: &Bits) {
    put_number(out, value.width().into());
    match value.to_u64() {
        Some(small) if small < 1000 => {
            *out += "'d";
            put_number(out, small);
        }
        _ => add!(out, "'h", &value.hex()),
    }
}

/// As [`put_literal`], on its own.
pub(crate) fn literal(value: &Bits) -> String {
    let mut text = String::new();
    put_literal(&mut text, value);
    text
}

/// `[7:0] `, or nothing for one bit.
pub(crate) fn put_range(out: &mut String, width: u32) {
    if width > 1 {
        out.push('[');
        put_number(out, (width - 1).into());
        *out += ":0] ";
    }
}

/// As [`put_range`], on its own.
pub(crate) fn range(width: u32) -> String {
    let mut text = String::new();
    put_range(&mut text, width);
    text
}

/// `name[7:4]`, `name[3]` or `name`.
pub(crate) fn put_part(out: &mut String, name: &str, lo: u32, width: u32, whole: u32) {
    *out += name;
    if width == whole {
    } else {
        out.push('[');
        if width > 1 {
            put_number(out, (lo + width - 1).into());
            out.push(':');
        }
        put_number(out, lo.into());
        out.push(']');
    }
}

/// As [`put_part`], on its own.
pub(crate) fn part(name: &str, lo: u32, width: u32, whole: u32) -> String {
    let mut text = String::new();
    put_part(&mut text, name, lo, width, whole);
    text
}

impl Plan<'_> {
    /// Writes the value of `id`, by name if it is declared.
    pub fn expr(&mut self, out: &mut String, id: NodeId, around: Around) {
        if self.constants.get(id).is_some() {
            self.constant(out, id);
        } else if self.declared[id.index()] {
            self.reference(out, id, 0, self.module.node(id).width);
        } else {
            self.operation(out, id, around);
        }
    }

    /// The value of `id` as text of its own.
    pub fn expr_text(&mut self, id: NodeId, around: Around) -> String {
        let mut text = String::new();
        self.expr(&mut text, id, around);
        text
    }

    fn constant(&mut self, out: &mut String, id: NodeId) {
        let code = self.constants.get(id).and_then(Bits::to_u64);
        match self.enum_of(id).zip(code).and_then(|(def, code)| self.variant(def, code)) {
            Some(variant) => *out += &variant,
            None => put_literal(out, self.constants.get(id).expect("a constant")),
        }
    }

    /// Writes some bits of a declared value by name.
    pub fn reference(&mut self, out: &mut String, id: NodeId, lo: u32, width: u32) {
        self.note_read(id, lo, width);
        put_part(out, self.name(id), lo, width, self.module.node(id).width);
    }

    /// Writes some bits of any value whose parts can be taken.
    pub fn bits_of(&mut self, out: &mut String, id: NodeId, lo: u32, width: u32) {
        if let Some(value) = self.constants.get(id) {
            let mut cut = Bits::zero(width);
            crate::limbs::slice(cut.words_mut(), value.words(), lo, width);
            put_literal(out, &cut);
        } else if lo == 0 && width == self.module.node(id).width {
            self.expr(out, id, Around::Operator);
        } else {
            let (base, lo) = self.slice_base(id, lo);
            self.reference(out, base, lo, width);
        }
    }

    /// Writes the expression that computes `id`, never its name.
    pub fn operation(&mut self, out: &mut String, id: NodeId, around: Around) {
        let node = *self.module.node(id);
        let one = node.width == 1;
        // Lint finds comparisons odd that can come out one way only.
        if let (Op::Ult(..) | Op::Ule(..), Some(value)) = (node.op, self.fixed(id)) {
            return put_literal(out, value);
        }
        match node.op {
            Op::Not(of) => self.prefix(out, if one { "!" } else { "~" }, of),
            Op::Neg(of) => {
                let open = self.open(out, around, "-");
                self.prefix(out, "-", of);
                close(out, open);
            }
            Op::RedAnd(of) => self.prefix(out, "&", of),
            Op::RedOr(of) => self.prefix(out, "|", of),
            Op::RedXor(of) => self.prefix(out, "^", of),
            Op::And(a, b) => self.infix(out, if one { "&&" } else { "&" }, a, b, around),
            Op::Or(a, b) => self.infix(out, if one { "||" } else { "|" }, a, b, around),
            Op::Xor(a, b) => self.infix(out, "^", a, b, around),
            Op::Add(a, b) => self.infix(out, "+", a, b, around),
            Op::Sub(a, b) => self.infix(out, "-", a, b, around),
            Op::Eq(a, b) => self.infix(out, "==", a, b, around),
            Op::Ne(a, b) => self.infix(out, "!=", a, b, around),
            Op::Ult(a, b) => self.infix(out, "<", a, b, around),
            Op::Ule(a, b) => self.infix(out, "<=", a, b, around),
            Op::Slt(a, b) => self.signed_compare(out, "<", a, b, around),
            Op::Sle(a, b) => self.signed_compare(out, "<=", a, b, around),
            Op::Mul(a, b) => {
                let open = self.open(out, around, "*");
                self.extended(out, a, node.width);
                *out += " * ";
                self.extended(out, b, node.width);
                close(out, open);
            }
            Op::Shl(a, by) | Op::Shr(a, by) | Op::Sra(a, by) => {
                self.shift(out, node.op, a, by, around)
            }
            Op::Mux(select, then, otherwise) => {
                let open = self.open(out, around, "?");
                self.expr(out, select, Around::Operator);
                *out += " ? ";
                self.expr(out, then, Around::Operator);
                *out += " : ";
                self.expr(out, otherwise, Around::Chain("?"));
                close(out, open);
            }
            Op::Slice { from, lo } => self.bits_of(out, from, lo, node.width),
            Op::BitAt { from, index } => self.bit_at(out, from, index, around),
            Op::Cat { .. } => {
                let parts: Vec<NodeId> = self.module.operands_of(id).collect();
                *out += "{";
                for (place, part) in parts.into_iter().enumerate() {
                    if place > 0 {
                        *out += ", ";
                    }
                    self.expr(out, part, Around::Nothing);
                }
                *out += "}";
            }
            Op::Repeat(of) => {
                let count = node.width / self.module.node(of).width;
                put!(out, "{{{count}{{");
                self.expr(out, of, Around::Nothing);
                *out += "}}";
            }
            Op::Zext(of) => self.extended(out, of, node.width),
            Op::Sext(of) => {
                let narrow = self.module.node(of).width;
                if narrow == 1 {
                    put!(out, "{{{}{{", node.width);
                    self.expr(out, of, Around::Nothing);
                    *out += "}}";
                } else {
                    put!(out, "{{{{{}{{", node.width - narrow);
                    self.bits_of(out, of, narrow - 1, 1);
                    *out += "}}, ";
                    self.expr(out, of, Around::Nothing);
                    *out += "}";
                }
            }
            Op::MemRead(read) => {
                let read = &self.module.reads[read as usize];
                let row = self.row(read.mem, read.addr);
                let open = row.contains('?') && self.open(out, around, "?");
                *out += &row;
                close(out, open);
            }
            op => unreachable!("{op:?} is always declared"),
        }
    }

    fn open(&self, out: &mut String, around: Around, operator: &'static str) -> bool {
        let needed = match around {
            Around::Nothing => false,
            Around::Chain(outer) => outer != operator,
            Around::Operator => true,
        };
        if needed {
            out.push('(');
        }
        needed
    }

    fn prefix(&mut self, out: &mut String, operator: &str, of: NodeId) {
        *out += operator;
        // A second prefix operator right behind would read as another one: `&&a`, `--a`.
        let plain = self.declared[of.index()] || self.constants.get(of).is_some();
        let bare = plain
            || matches!(
                self.module.node(of).op,
                Op::Slice { .. } | Op::Cat { .. } | Op::Repeat(_) | Op::Zext(_) | Op::Sext(_)
            );
        let is_prefix = matches!(
            self.module.node(of).op,
            Op::Not(_) | Op::RedAnd(_) | Op::RedOr(_) | Op::RedXor(_)
        );
        if is_prefix && !bare {
            out.push('(');
            self.expr(out, of, Around::Nothing);
            out.push(')');
        } else {
            self.expr(out, of, Around::Operator);
        }
    }

    fn infix(
        &mut self,
        out: &mut String,
        operator: &'static str,
        a: NodeId,
        b: NodeId,
        around: Around,
    ) {
        let chains = matches!(operator, "&&" | "||" | "&" | "|" | "^" | "+");
        let inner = if chains { Around::Chain(operator) } else { Around::Operator };
        let open = self.open(out, around, operator);
        self.expr(out, a, inner);
        add!(out, " ", operator, " ");
        self.expr(out, b, inner);
        close(out, open);
    }

    fn signed_compare(
        &mut self,
        out: &mut String,
        operator: &'static str,
        a: NodeId,
        b: NodeId,
        around: Around,
    ) {
        let open = self.open(out, around, operator);
        *out += "$signed(";
        self.expr(out, a, Around::Nothing);
        put!(out, ") {operator} $signed(");
        self.expr(out, b, Around::Nothing);
        *out += ")";
        close(out, open);
    }

    fn extended(&mut self, out: &mut String, of: NodeId, width: u32) {
        let narrow = self.module.node(of).width;
        if narrow == width {
            return self.expr(out, of, Around::Operator);
        }
        put!(out, "{{{}'d0, ", width - narrow);
        self.expr(out, of, Around::Nothing);
        *out += "}";
    }

    fn shift(&mut self, out: &mut String, op: Op, a: NodeId, by: NodeId, around: Around) {
        let width = self.module.node(a).width;
        let by_width = self.module.node(by).width;
        let fixed = self.constants.get(by).and_then(Bits::to_u64);
        if fixed == Some(0) {
            return self.expr(out, a, around);
        }
        let open = self.open(out, around, "<<");
        if fixed.is_none() && by_width > WIDEST_SHIFT {
            self.bits_of(out, by, WIDEST_SHIFT, by_width - WIDEST_SHIFT);
            put!(out, " != {}'d0 ? ", by_width - WIDEST_SHIFT);
            if let Op::Sra(..) = op {
                put!(out, "{{{width}{{");
                self.bits_of(out, a, width - 1, 1);
                *out += "}} : ";
            } else {
                put!(out, "{width}'d0 : ");
            }
        }
        let (before, operator, after) = match op {
            Op::Shl(..) => ("", "<<", ""),
            Op::Shr(..) => ("", ">>", ""),
            _ => ("$unsigned($signed(", ">>>", ")"),
        };
        *out += before;
        self.expr(out, a, if before.is_empty() { Around::Operator } else { Around::Nothing });
        if !before.is_empty() {
            out.push(')');
        }
        put!(out, " {operator} ");
        match fixed {
            // An arithmetic shift past the end is one to the end.
            Some(amount) => *out += &amount.min(u64::from(width)).to_string(),
            None if by_width > WIDEST_SHIFT => self.bits_of(out, by, 0, WIDEST_SHIFT),
            None => self.expr(out, by, Around::Operator),
        }
        *out += after;
        close(out, open);
    }

    fn bit_at(&mut self, out: &mut String, from: NodeId, index: NodeId, around: Around) {
        let width = self.module.node(from).width;
        if let Some(fixed) = self.fixed(index) {
            return match fixed.to_u64().filter(|&at| at < u64::from(width)) {
                Some(at) => self.bits_of(out, from, at as u32, 1),
                None => put_literal(out, &Bits::zero(1)),
            };
        }
        let index_bits = self.module.node(index).width;
        let needed = index_width(width as usize) as u32;
        let can_miss =
            index_bits > needed || (1u64 << needed) > u64::from(width) && index_bits == needed;
        let open = can_miss && self.open(out, around, "&&");
        if can_miss {
            let limit = Bits::new(index_bits, width.into());
            match limit {
                // Wide enough to hold the width itself, or the guard could not be false.
                Some(limit) => {
                    out.push('(');
                    self.expr(out, index, Around::Operator);
                    put!(out, " < {}) && ", literal(&limit));
                }
                None => unreachable!("an index that can miss holds the width"),
            }
        }
        if width == 1 {
            self.table_name(out, from);
        } else {
            self.table_name(out, from);
            out.push('[');
            if index_bits < needed {
                put!(out, "{{{}'d0, ", needed - index_bits);
                self.expr(out, index, Around::Nothing);
                out.push('}');
            } else if index_bits == needed {
                self.expr(out, index, Around::Nothing);
            } else {
                self.bits_of(out, index, 0, needed);
            }
            out.push(']');
        }
        close(out, open);
    }

    /// The name of a value that is indexed: also a constant has one then.
    fn table_name(&mut self, out: &mut String, from: NodeId) {
        let (base, lo) = self.slice_base(from, 0);
        debug_assert!(base == from && lo == 0, "an indexed value is declared");
        self.reference(out, from, 0, self.module.node(from).width);
    }
}

fn close(out: &mut String, open: bool) {
    if open {
        out.push(')');
    }
}
