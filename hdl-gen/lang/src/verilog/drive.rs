//! Combinational drivers: what a wire, output or instance input is at each moment.
//!
//! Statements become a tree of choices, written as a chain of `?:`. Continuous assignments mean the
//! same in every tool; `always @*` blocks do not wake up for values that never change.

use std::ops::Range;
use std::rc::Rc;

use super::expr::{Around, put_literal, put_part, put_range};
use super::plan::{Plan, statically_taken};
use crate::bits::Bits;
use crate::ir::{NodeId, Op, Stmt};
use crate::text::put_spaces;

/// The value of some bits of a target.
#[derive(Debug)]
pub(crate) enum Tree {
    /// Nothing drives them so far.
    Undriven,
    /// Bits of a node from `lo` up.
    Value { node: NodeId, lo: u32 },
    /// A value already written under a name.
    Named(String),
    /// All tests hold: `then`; else `otherwise`.
    If { tests: Vec<Test>, then: Rc<Tree>, otherwise: Rc<Tree> },
}

/// One condition.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Is(NodeId),
    IsNot(NodeId),
    Equals(NodeId, Vec<Bits>),
}

/// Builds the trees of one target.
struct Lowering<'p, 'a, 'o> {
    plan: &'p mut Plan<'a>,
    target: NodeId,
    lo: u32,
    width: u32,
    /// Helper wires are written on the way.
    out: &'o mut String,
    /// Their names, and where their declarations are.
    helpers: Vec<(String, Range<usize>)>,
}

/// Where a test and the value behind it are in the text.
struct Choice {
    test: Range<usize>,
    value: Range<usize>,
}

impl Plan<'_> {
    /// The assignments that drive `target` combinationally.
    pub fn drivers(&mut self, out: &mut String, target: NodeId) {
        let module = self.module;
        let whole = module.node(target).width;
        if let Some(value) = self.sites.sole_value(target)
            && module.node(value).width == whole
        {
            let start = out.len();
            add!(out, "  assign ", self.name(target), " = ");
            self.layout(out, value, out.len() - start);
            *out += ";\n";
            return;
        }
        let mut tops: Vec<u32> = self.sites.tops(target).collect();
        tops.reverse();
        tops.dedup();
        for (lo, width) in self.segments(target) {
            let helpers = Vec::new();
            let mut lowering = Lowering { plan: self, target, lo, width, out, helpers };
            let mut tree = Rc::new(Tree::Undriven);
            for &top in &tops {
                tree = lowering.block(std::slice::from_ref(&module.body[top as usize]), tree);
            }
            let helpers = lowering.helpers;
            let start = out.len();
            *out += "  assign ";
            put_part(out, self.name(target), lo, width, whole);
            *out += " = ";
            self.tree(out, &tree, width, out.len() - start);
            *out += ";\n";
            // A later statement may have overridden all that a helper is for.
            for (name, declaration) in helpers.into_iter().rev() {
                if !mentions(&out[declaration.end..], &name) {
                    out.replace_range(declaration, "");
                }
            }
        }
    }

    /// Writes the tree as an expression that starts at column `indent`.
    fn tree(&mut self, out: &mut String, tree: &Tree, width: u32, indent: usize) {
        match tree {
            Tree::If { .. } => {
                let start = out.len();
                let mut choices = Vec::new();
                let last = self.chain(out, tree, width, Some(&mut choices));
                if choices.len() == 1 && indent + out.len() - start <= 100 {
                    return;
                }
                let flat = out.split_off(start);
                let text = |range: &Range<usize>| &flat[range.start - start..range.end - start];
                let widest = choices.iter().map(|choice| choice.test.len()).max().unwrap_or(0);
                let widest = widest.min(40);
                for Choice { test, value } in &choices {
                    put!(out, "{:widest$} ? {} :\n", text(test), text(value));
                    put_spaces(out, indent);
                }
                *out += &flat[last - start..];
            }
            Tree::Value { node, lo } if *lo == 0 && width == self.module.node(*node).width => {
                self.layout(out, *node, indent)
            }
            _ => self.leaf(out, tree, width, Around::Nothing),
        }
    }

    /// Writes a tree in one line, following its `otherwise` side; returns where the end of that is.
    fn chain(
        &mut self,
        out: &mut String,
        mut tree: &Tree,
        width: u32,
        mut choices: Option<&mut Vec<Choice>>,
    ) -> usize {
        while let Tree::If { tests, then, otherwise } = tree {
            let start = out.len();
            self.tests(out, tests);
            let test = start..out.len();
            *out += " ? ";
            let start = out.len();
            match &**then {
                inner @ Tree::If { .. } => {
                    out.push('(');
                    self.chain(out, inner, width, None);
                    out.push(')');
                }
                leaf => self.leaf(out, leaf, width, Around::Operator),
            }
            let value = start..out.len();
            choices
                .iter_mut()
                .for_each(|all| all.push(Choice { test: test.clone(), value: value.clone() }));
            *out += " : ";
            tree = otherwise;
        }
        let last = out.len();
        self.leaf(out, tree, width, Around::Operator);
        last
    }

    fn leaf(&mut self, out: &mut String, tree: &Tree, width: u32, around: Around) {
        match tree {
            Tree::Value { node, lo } if *lo == 0 && width == self.module.node(*node).width => {
                self.expr(out, *node, around)
            }
            Tree::Value { node, lo } => self.bits_of(out, *node, *lo, width),
            Tree::Named(name) => *out += name,
            Tree::Undriven => put_literal(out, &Bits::zero(width)),
            Tree::If { .. } => unreachable!("a choice is not a leaf"),
        }
    }

    fn tests(&mut self, out: &mut String, tests: &[Test]) {
        if let [test] = tests {
            return self.test(out, test, Around::Operator);
        }
        for (place, test) in tests.iter().enumerate() {
            *out += if place == 0 { "(" } else { " && " };
            self.test(out, test, Around::Chain("&&"));
        }
        out.push(')');
    }

    fn test(&mut self, out: &mut String, test: &Test, around: Around) {
        match test {
            Test::Is(node) => self.expr(out, *node, around),
            Test::IsNot(node) => {
                out.push('!');
                let start = out.len();
                self.expr(out, *node, Around::Operator);
                let text = &out[start..];
                let plain = text.starts_with('(')
                    || text.bytes().all(|c| c.is_ascii_alphanumeric() || b"_[]:".contains(&c));
                if !plain {
                    out.insert(start, '(');
                    out.push(')');
                }
            }
            Test::Equals(subject, labels) => {
                let subject_text = self.expr_text(*subject, Around::Operator);
                for (place, label) in labels.iter().enumerate() {
                    *out += if place == 0 { "(" } else { " || " };
                    add!(out, &subject_text, " == ");
                    self.label(out, *subject, label);
                }
                out.push(')');
            }
        }
    }

    /// Writes a case label, by its enum's name where it has one.
    pub fn label(&mut self, out: &mut String, subject: NodeId, label: &Bits) {
        let def = self.enum_of(subject);
        match def.zip(label.to_u64()).and_then(|(def, code)| self.variant(def, code)) {
            Some(variant) => *out += &variant,
            None => put_literal(out, label),
        }
    }

    /// Writes the expression of a node, over several lines if one is too long.
    pub fn layout(&mut self, out: &mut String, id: NodeId, indent: usize) {
        if self.declared[id.index()] || self.constants.get(id).is_some() {
            return self.expr(out, id, Around::Nothing);
        }
        self.definition(out, id, indent)
    }

    /// Writes what computes a node, over several lines if one is too long.
    pub fn definition(&mut self, out: &mut String, id: NodeId, indent: usize) {
        if let Some(value) = self.constants.get(id) {
            return put_literal(out, value);
        }
        let start = out.len();
        self.operation(out, id, Around::Nothing);
        if indent + out.len() - start <= 100 {
            return;
        }
        let module = self.module;
        match module.node(id).op {
            Op::Cat { .. } => {
                out.truncate(start);
                let texts: Vec<String> = module
                    .operands_of(id)
                    .map(|part| self.expr_text(part, Around::Nothing))
                    .collect();
                fill(out, &texts, indent);
            }
            Op::Mux(..) => {
                out.truncate(start);
                let mut next = id;
                while let (Op::Mux(select, then, otherwise), true) = (
                    module.node(next).op,
                    next == id
                        || !self.declared[next.index()] && self.constants.get(next).is_none(),
                ) {
                    self.expr(out, select, Around::Operator);
                    *out += " ? ";
                    self.expr(out, then, Around::Operator);
                    *out += " :\n";
                    put_spaces(out, indent);
                    next = otherwise;
                }
                self.expr(out, next, Around::Operator);
            }
            op => {
                if let Some(operator) = chain_operator(op, module.node(id).width) {
                    out.truncate(start);
                    let mut parts = Vec::new();
                    self.chain_parts(id, &mut parts);
                    for (place, part) in parts.into_iter().enumerate() {
                        if place > 0 {
                            out.push('\n');
                            put_spaces(out, indent);
                            add!(out, operator, " ");
                        }
                        self.expr(out, part, Around::Operator);
                    }
                }
            }
        }
    }

    /// The operands of a chain of one operator, left to right.
    fn chain_parts(&self, id: NodeId, parts: &mut Vec<NodeId>) {
        let like = std::mem::discriminant(&self.module.node(id).op);
        for operand in self.module.operands_of(id) {
            let by_name = self.declared[operand.index()] || self.constants.get(operand).is_some();
            if !by_name && std::mem::discriminant(&self.module.node(operand).op) == like {
                self.chain_parts(operand, parts);
            } else {
                parts.push(operand);
            }
        }
    }
}

/// The operator of an operation that can be written as a chain.
fn chain_operator(op: Op, width: u32) -> Option<&'static str> {
    match op {
        Op::And(..) => Some(if width == 1 { "&&" } else { "&" }),
        Op::Or(..) => Some(if width == 1 { "||" } else { "|" }),
        Op::Xor(..) => Some("^"),
        Op::Add(..) => Some("+"),
        _ => None,
    }
}

/// `{a, b, c}` with as many parts on a line as fit.
fn fill(out: &mut String, parts: &[String], indent: usize) {
    out.push('{');
    let mut column = indent + 1;
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            out.push(',');
            if column + part.len() + 2 > 100 {
                out.push('\n');
                put_spaces(out, indent + 1);
                column = indent + 1;
            } else {
                out.push(' ');
                column += 2;
            }
        }
        *out += part;
        column += part.len();
    }
    out.push('}');
}

impl Lowering<'_, '_, '_> {
    fn block(&mut self, stmts: &[Stmt], mut so_far: Rc<Tree>) -> Rc<Tree> {
        for stmt in stmts {
            if let Some(taken) = statically_taken(stmt, &self.plan.constants) {
                so_far = self.block(taken, so_far);
                continue;
            }
            match stmt {
                Stmt::Assign { target, lo, value, .. } if *target == self.target => {
                    let width = self.plan.module.node(*value).width;
                    if *lo <= self.lo && self.lo + self.width <= lo + width {
                        so_far = Rc::new(Tree::Value { node: *value, lo: self.lo - lo });
                    }
                }
                Stmt::When { cond, then, otherwise, .. } if self.concerns(stmt) => {
                    so_far = self.shared(so_far, stmt);
                    let then = self.block(then, so_far.clone());
                    let otherwise = self.block(otherwise, so_far.clone());
                    so_far = choose(Test::Is(*cond), Test::IsNot(*cond), then, otherwise, &so_far);
                }
                Stmt::Switch { subject, arms, default, full, .. } if self.concerns(stmt) => {
                    so_far = self.shared(so_far, stmt);
                    let mut result = match default {
                        Some(body) => self.block(body, so_far.clone()),
                        None => so_far.clone(),
                    };
                    for (place, arm) in arms.iter().enumerate().rev() {
                        let value = self.block(&arm.body, so_far.clone());
                        if *full && place + 1 == arms.len() {
                            result = value;
                        } else if !Rc::ptr_eq(&value, &result) {
                            let tests = vec![Test::Equals(*subject, arm.labels.clone())];
                            result = Rc::new(Tree::If { tests, then: value, otherwise: result });
                        }
                    }
                    so_far = result;
                }
                _ => {}
            }
        }
        so_far
    }

    /// Whether a statement assigns some of the bits.
    fn concerns(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Assign { target, lo, value, .. } => {
                *target == self.target
                    && *lo < self.lo + self.width
                    && self.lo < lo + self.plan.module.node(*value).width
            }
            Stmt::When { then, otherwise, .. } => {
                then.iter().chain(otherwise).any(|stmt| self.concerns(stmt))
            }
            Stmt::Switch { arms, default, .. } => {
                let bodies = arms.iter().map(|arm| &arm.body).chain(default);
                bodies.flatten().any(|stmt| self.concerns(stmt))
            }
            _ => false,
        }
    }

    /// A choice that several branches of `stmt` would repeat is written once, under a name.
    fn shared(&mut self, so_far: Rc<Tree>, stmt: &Stmt) -> Rc<Tree> {
        if !matches!(*so_far, Tree::If { .. }) || self.falls_through(stmt) <= 1 {
            return so_far;
        }
        let base = format!("{}_default", self.plan.name(self.target));
        let name = self.plan.names.fresh(&base);
        let start = self.out.len();
        *self.out += "  wire ";
        put_range(self.out, self.width);
        add!(self.out, &name, " = ");
        self.plan.tree(self.out, &so_far, self.width, self.out.len() - start);
        *self.out += ";\n";
        self.helpers.push((name.clone(), start..self.out.len()));
        Rc::new(Tree::Named(name))
    }

    /// On how many paths through `stmt` the value from before stays.
    fn falls_through(&self, stmt: &Stmt) -> usize {
        let block = |body: &[Stmt]| {
            let mut paths = 1;
            for stmt in body.iter().filter(|stmt| self.concerns(stmt)) {
                paths = match stmt {
                    Stmt::Assign { .. } => 0,
                    inner => paths.min(1) * self.falls_through(inner),
                };
            }
            paths
        };
        match stmt {
            // The `otherwise` of a plain `when` continues the chain; its own paths come on top.
            Stmt::When { then, otherwise, .. } => block(then) + block(otherwise),
            Stmt::Switch { arms, default, full, .. } => {
                let rest = if *full { 0 } else { default.as_deref().map_or(1, block) };
                arms.iter().map(|arm| block(&arm.body)).sum::<usize>() + rest
            }
            _ => 1,
        }
    }
}

/// Whether the name stands in the text by itself.
fn mentions(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside)
    })
}

/// The tree of one test, in the simplest form.
fn choose(yes: Test, no: Test, then: Rc<Tree>, otherwise: Rc<Tree>, before: &Rc<Tree>) -> Rc<Tree> {
    let (test, then, otherwise) =
        if Rc::ptr_eq(&then, before) { (no, otherwise, then) } else { (yes, then, otherwise) };
    if Rc::ptr_eq(&then, &otherwise) {
        return then;
    }
    if let Tree::If { tests, then: inner, otherwise: rest } = &*then
        && Rc::ptr_eq(rest, &otherwise)
    {
        let tests = std::iter::once(test).chain(tests.iter().cloned()).collect();
        return Rc::new(Tree::If { tests, then: inner.clone(), otherwise });
    }
    Rc::new(Tree::If { tests: vec![test], then, otherwise })
}
