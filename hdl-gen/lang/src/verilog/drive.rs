//! Combinational drivers: what a wire, output or instance input is at each moment.
//!
//! Statements become a tree of choices, written as a chain of `?:`. Continuous assignments mean the
//! same in every tool; `always @*` blocks do not wake up for values that never change.

use std::rc::Rc;

use super::expr::{Around, literal, part};
use super::plan::{Plan, statically_taken};
use crate::bits::Bits;
use crate::ir::{NodeId, Op, Stmt};

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
    /// Helper wires written on the way.
    helpers: &'o mut Vec<String>,
}

impl Plan<'_> {
    /// The assignments that drive `target` combinationally.
    pub fn drivers(&mut self, target: NodeId) -> Vec<String> {
        let mut lines = Vec::new();
        let name = self.name(target).to_owned();
        let whole = self.module.node(target).width;
        let tops = self.sites.tops(target);
        for (lo, width) in self.segments(target) {
            let mut helpers = Vec::new();
            let module = self.module;
            let mut lowering = Lowering { plan: self, target, lo, width, helpers: &mut helpers };
            let mut tree = Rc::new(Tree::Undriven);
            for &top in &tops {
                tree = lowering.block(std::slice::from_ref(&module.body[top as usize]), tree);
            }
            lines.append(&mut helpers);
            let left = format!("  assign {} = ", part(&name, lo, width, whole));
            let right = self.tree_text(&tree, width, left.len());
            lines.push(format!("{left}{right};"));
        }
        lines
    }

    /// The tree as an expression that starts at column `indent`.
    fn tree_text(&mut self, tree: &Tree, width: u32, indent: usize) -> String {
        match tree {
            Tree::If { .. } => {
                let mut arms = Vec::new();
                let last = self.chain(tree, width, &mut arms);
                let flat = arms
                    .iter()
                    .map(|(test, value)| format!("{test} ? {value} : "))
                    .collect::<String>()
                    + &last;
                if arms.len() == 1 && indent + flat.len() <= 100 {
                    return flat;
                }
                let pad = " ".repeat(indent);
                let widest = arms.iter().map(|(test, _)| test.len()).max().unwrap_or(0).min(40);
                let mut text = String::new();
                for (place, (test, value)) in arms.iter().enumerate() {
                    let lead = if place == 0 { "" } else { &format!("\n{pad}") };
                    put!(&mut text, "{lead}{test:widest$} ? {value} :");
                }
                text + &format!("\n{pad}{last}")
            }
            Tree::Value { node, lo } if *lo == 0 && width == self.module.node(*node).width => {
                self.layout(*node, indent)
            }
            _ => self.leaf(tree, width, Around::Nothing),
        }
    }

    /// Follows the `otherwise` side of a tree, collecting what it passes; returns the end.
    fn chain(&mut self, tree: &Tree, width: u32, arms: &mut Vec<(String, String)>) -> String {
        let Tree::If { tests, then, otherwise } = tree else {
            return self.leaf(tree, width, Around::Operator);
        };
        let test = self.tests(tests);
        let then = match &**then {
            inner @ Tree::If { .. } => {
                let mut nested = Vec::new();
                let last = self.chain(inner, width, &mut nested);
                let chain: String =
                    nested.iter().map(|(test, value)| format!("{test} ? {value} : ")).collect();
                format!("({chain}{last})")
            }
            leaf => self.leaf(leaf, width, Around::Operator),
        };
        arms.push((test, then));
        self.chain(otherwise, width, arms)
    }

    fn leaf(&mut self, tree: &Tree, width: u32, around: Around) -> String {
        let mut text = String::new();
        match tree {
            Tree::Value { node, lo } if *lo == 0 && width == self.module.node(*node).width => {
                self.expr(&mut text, *node, around)
            }
            Tree::Value { node, lo } => self.bits_of(&mut text, *node, *lo, width),
            Tree::Named(name) => text += name,
            Tree::Undriven => text += &literal(&Bits::zero(width)),
            Tree::If { .. } => unreachable!("a choice is not a leaf"),
        }
        text
    }

    fn tests(&mut self, tests: &[Test]) -> String {
        let around = if tests.len() == 1 { Around::Operator } else { Around::Chain("&&") };
        let parts: Vec<String> = tests
            .iter()
            .map(|test| match test {
                Test::Is(node) => self.expr_text(*node, around),
                Test::IsNot(node) => {
                    let text = self.expr_text(*node, Around::Operator);
                    let plain = text.starts_with('(')
                        || text.chars().all(|c| c.is_ascii_alphanumeric() || "_[]:".contains(c));
                    if plain { format!("!{text}") } else { format!("!({text})") }
                }
                Test::Equals(subject, labels) => {
                    let subject_text = self.expr_text(*subject, Around::Operator);
                    let alternatives: Vec<String> = labels
                        .iter()
                        .map(|label| format!("{subject_text} == {}", self.label(*subject, label)))
                        .collect();
                    format!("({})", alternatives.join(" || "))
                }
            })
            .collect();
        if parts.len() == 1 {
            parts.into_iter().next().unwrap_or_default()
        } else {
            format!("({})", parts.join(" && "))
        }
    }

    /// A case label, by its enum's name where it has one.
    pub fn label(&mut self, subject: NodeId, label: &Bits) -> String {
        let def = self.enums[subject.index()];
        let named = def.zip(label.to_u64()).and_then(|(def, code)| self.variant(def, code));
        named.unwrap_or_else(|| literal(label))
    }

    /// The expression of a node, over several lines if one is too long.
    pub fn layout(&mut self, id: NodeId, indent: usize) -> String {
        if self.declared[id.index()] || self.constants.get(id).is_some() {
            return self.expr_text(id, Around::Nothing);
        }
        self.definition(id, indent)
    }

    /// What computes a node, over several lines if one is too long.
    pub fn definition(&mut self, id: NodeId, indent: usize) -> String {
        if self.constants.get(id).is_some() {
            return literal(self.constants.get(id).expect("a constant"));
        }
        let mut flat = String::new();
        self.operation(&mut flat, id, Around::Nothing);
        if indent + flat.len() <= 100 {
            return flat;
        }
        let pad = " ".repeat(indent);
        match self.module.node(id).op {
            Op::Cat { .. } => {
                let parts: Vec<NodeId> = self.module.operands_of(id).collect();
                let texts: Vec<String> =
                    parts.into_iter().map(|part| self.expr_text(part, Around::Nothing)).collect();
                fill(&texts, &pad, indent)
            }
            Op::Mux(..) => {
                let mut text = String::new();
                let mut next = id;
                while let (Op::Mux(select, then, otherwise), true) = (
                    self.module.node(next).op,
                    next == id
                        || !self.declared[next.index()] && self.constants.get(next).is_none(),
                ) {
                    let (select, then) = (
                        self.expr_text(select, Around::Operator),
                        self.expr_text(then, Around::Operator),
                    );
                    put!(&mut text, "{select} ? {then} :\n{pad}");
                    next = otherwise;
                }
                text + &self.expr_text(next, Around::Operator)
            }
            op => match chain_operator(op, self.module.node(id).width) {
                Some(operator) => {
                    let mut parts = Vec::new();
                    self.chain_parts(id, &mut parts);
                    let texts: Vec<String> = parts
                        .into_iter()
                        .map(|part| self.expr_text(part, Around::Operator))
                        .collect();
                    texts.join(&format!("\n{pad}{operator} "))
                }
                None => flat,
            },
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
fn fill(parts: &[String], pad: &str, indent: usize) -> String {
    let mut text = String::from("{");
    let mut column = indent + 1;
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            text.push(',');
            if column + part.len() + 2 > 100 {
                put!(&mut text, "\n{pad} ");
                column = indent + 1;
            } else {
                text.push(' ');
                column += 2;
            }
        }
        text += part;
        column += part.len();
    }
    text + "}"
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
        let left = format!("  wire {}{name} = ", super::expr::range(self.width));
        let right = self.plan.tree_text(&so_far, self.width, left.len());
        self.helpers.push(format!("{left}{right};"));
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
