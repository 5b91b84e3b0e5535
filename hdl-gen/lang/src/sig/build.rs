//! How operations get into the circuit: widths are checked, and what is wrong is reported, here.

use super::{Operand, Sig};
use crate::builder::Builder;
use crate::diag::{Code, Diagnostic, Loc, bits};
use crate::ir::{NodeId, Op, Stmt};

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
    pub(super) fn slice(&mut self, from: NodeId, lo: u32, width: u32, loc: Loc) -> NodeId {
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
    pub(super) fn concatenate(&mut self, parts: Vec<NodeId>, width: u32, loc: Loc) -> NodeId {
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
