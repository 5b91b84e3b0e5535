//! Lowering: statements become the value each driven node takes.
//!
//! The statements of a module are executed once with values in place of bits. Where branches meet,
//! a target that they drive differently becomes a multiplexer, or a table if a switch has many
//! arms. Wires that are driven in parts are kept in parts, so that one part may depend on another.

use super::graph::{Expr, Graph, Property, Write};
use crate::bits::Bits;
use crate::ir::{Arm, Module, NodeId, Op, PropertyKind, Stmt};

/// Lowers the statements of one module in its place.
pub(super) fn lower(graph: &mut Graph, module: &Module, frame: usize, first_memory: u32) {
    let base = graph.frames[frame].base;
    let mut lowering = Lowering {
        graph,
        module,
        base,
        frame: frame as u32,
        first_memory,
        parts: Vec::new(),
        first_part: vec![NOT_DRIVEN; module.nodes.len()],
        now: Vec::new(),
        changes: Vec::new(),
        tests: Vec::new(),
    };
    lowering.declare();
    lowering.block(&module.body);
    lowering.finish();
}

const NOT_DRIVEN: u32 = u32::MAX;

/// A part of a driven node that is always driven as a whole.
struct Part {
    node: NodeId,
    lo: u32,
    width: u32,
}

/// A condition around the statements at hand.
struct Test<'m> {
    kind: TestKind<'m>,
    /// The conjunction of this test and all around it, once asked for.
    all: Option<NodeId>,
}

enum TestKind<'m> {
    Is(NodeId),
    IsNot(NodeId),
    /// The subject equals a label of this arm.
    OneOf(NodeId, &'m Arm),
    /// The subject equals no label of these arms.
    NoneOf(NodeId, &'m [Arm]),
}

struct Lowering<'g, 'm> {
    graph: &'g mut Graph,
    module: &'m Module,
    base: u32,
    frame: u32,
    first_memory: u32,
    /// Parts of driven nodes; those of one node are together, lowest first.
    parts: Vec<Part>,
    /// For each node of the module its first part.
    first_part: Vec<u32>,
    /// What drives each part, as of the statement at hand.
    now: Vec<NodeId>,
    /// What `now` held before, to be able to go back to where a branch began.
    changes: Vec<(u32, NodeId)>,
    tests: Vec<Test<'m>>,
}

impl<'m> Lowering<'_, 'm> {
    fn value(&self, id: NodeId) -> NodeId {
        NodeId(self.base + id.0)
    }

    /// Makes the parts of all driven nodes and what drives them before the first statement.
    fn declare(&mut self) {
        let mut cuts = Vec::new();
        collect_cuts(self.module, &self.module.body, &mut cuts);
        cuts.sort_unstable();
        cuts.dedup();
        let mut cuts = cuts.into_iter().peekable();
        for (index, node) in self.module.nodes.iter().enumerate() {
            if !node.op.is_driven() {
                continue;
            }
            let id = NodeId(index as u32);
            self.first_part[index] = self.parts.len() as u32;
            let mut lo = 0;
            while let Some((_, cut)) = cuts.next_if(|&(node, _)| node == id) {
                self.parts.push(Part { node: id, lo, width: cut - lo });
                lo = cut;
            }
            self.parts.push(Part { node: id, lo, width: node.width - lo });
        }
        for part in &self.parts {
            let before = match self.module.node(part.node).op {
                Op::Reg => NodeId(self.base + part.node.0),
                _ => self.graph.zero(part.width),
            };
            self.now.push(before);
        }
    }

    /// Gives every driven node its value.
    fn finish(&mut self) {
        let base = self.base;
        let first = self.graph.states.partition_point(|state| state.value.0 < base);
        let mut states = first;
        let mut at = 0;
        while at < self.parts.len() {
            let node = self.parts[at].node;
            let count = self.parts[at..].iter().take_while(|part| part.node == node).count();
            let to = self.value(node);
            if self.module.node(node).op == Op::Reg {
                // States are in the order of their nodes, so each search goes on from the last.
                while self.graph.states[states].value != to {
                    states += 1;
                }
                self.graph.states[states].next = self.now[at];
            } else if count == 1 {
                self.graph.values[to.index()].expr = Expr::Same(self.now[at]);
            } else {
                let highest_first: Vec<NodeId> =
                    self.now[at..at + count].iter().rev().copied().collect();
                let (start, len) = self.graph.list(&highest_first);
                self.graph.values[to.index()].expr = Expr::Op(Op::Cat { start, len });
            }
            at += count;
        }
    }

    fn block(&mut self, block: &'m [Stmt]) {
        for stmt in block {
            match stmt {
                Stmt::Assign { target, lo, value, .. } => {
                    let value = self.value(*value);
                    self.assign(*target, *lo, value);
                }
                Stmt::When { cond, then, otherwise, .. } => self.when(*cond, then, otherwise),
                Stmt::Switch { subject, arms, default, full, .. } => {
                    self.switch(*subject, arms, default.as_deref(), *full);
                }
                Stmt::MemWrite { mem, addr, data, mask, .. } => {
                    let write = Write {
                        memory: self.first_memory + mem.0,
                        enable: self.guard(),
                        addr: self.value(*addr),
                        data: self.value(*data),
                        mask: mask.map(|mask| self.value(mask)),
                    };
                    self.graph.writes.push(write);
                }
                Stmt::Property { kind, cond, label, message, loc } => {
                    let cond = self.value(*cond);
                    let event = match kind {
                        PropertyKind::Cover => cond,
                        PropertyKind::Assert | PropertyKind::Assume => {
                            self.graph.op(Op::Not(cond), 1)
                        }
                    };
                    let fires = match self.guard() {
                        Some(guard) => self.graph.op(Op::And(guard, event), 1),
                        None => event,
                    };
                    self.graph.properties.push(Property {
                        kind: *kind,
                        fires,
                        frame: self.frame,
                        label: label.to_string(),
                        message: message.to_string(),
                        loc: *loc,
                    });
                }
            }
        }
    }

    fn assign(&mut self, target: NodeId, lo: u32, value: NodeId) {
        let width = self.graph.width(value);
        let first = self.first_part[target.index()] as usize;
        if self.module.node(target).op == Op::Reg {
            let whole = width == self.module.node(target).width;
            let next = if whole {
                value
            } else {
                let into = self.now[first];
                self.graph.push(Expr::Insert { into, part: value, lo }, self.parts[first].width)
            };
            self.change(first, next);
            return;
        }
        let mut at =
            first + self.parts[first..].partition_point(|part| part.node == target && part.lo < lo);
        while let Some(part) = self.parts.get(at) {
            if part.node != target || part.lo >= lo + width {
                break;
            }
            let piece = if part.width == width {
                value
            } else {
                let op = Op::Slice { from: value, lo: part.lo - lo };
                let width = part.width;
                self.graph.op(op, width)
            };
            self.change(at, piece);
            at += 1;
        }
    }

    fn change(&mut self, part: usize, value: NodeId) {
        self.changes.push((part as u32, self.now[part]));
        self.now[part] = value;
    }

    /// Executes a branch and takes its effects back; gives what it changed, by part.
    fn branch(&mut self, test: TestKind<'m>, block: &'m [Stmt]) -> Vec<(u32, NodeId)> {
        let before = self.changes.len();
        self.tests.push(Test { kind: test, all: None });
        self.block(block);
        self.tests.pop();
        let mut parts: Vec<u32> = self.changes[before..].iter().map(|&(part, _)| part).collect();
        parts.sort_unstable();
        parts.dedup();
        let effects = parts.into_iter().map(|part| (part, self.now[part as usize])).collect();
        for (part, value) in self.changes.drain(before..).rev() {
            self.now[part as usize] = value;
        }
        effects
    }

    fn when(&mut self, cond: NodeId, then: &'m [Stmt], otherwise: &'m [Stmt]) {
        let cond = self.value(cond);
        let then = self.branch(TestKind::Is(cond), then);
        let otherwise = self.branch(TestKind::IsNot(cond), otherwise);
        let (mut then, mut otherwise) =
            (then.into_iter().peekable(), otherwise.into_iter().peekable());
        loop {
            let part = match (then.peek(), otherwise.peek()) {
                (Some(&(a, _)), Some(&(b, _))) => a.min(b),
                (Some(&(part, _)), None) | (None, Some(&(part, _))) => part,
                (None, None) => break,
            };
            let old = self.now[part as usize];
            let one = then.next_if(|&(at, _)| at == part).map_or(old, |(_, value)| value);
            let zero = otherwise.next_if(|&(at, _)| at == part).map_or(old, |(_, value)| value);
            let value = self.mux(cond, one, zero);
            self.change(part as usize, value);
        }
    }

    fn mux(&mut self, cond: NodeId, one: NodeId, zero: NodeId) -> NodeId {
        if one == zero {
            return one;
        }
        let width = self.graph.width(one);
        self.graph.op(Op::Mux(cond, one, zero), width)
    }

    fn switch(
        &mut self,
        subject: NodeId,
        arms: &'m [Arm],
        default: Option<&'m [Stmt]>,
        full: bool,
    ) {
        let subject = self.value(subject);
        // In a full switch a code without a name takes the last arm, so that one is the default.
        let (arms, default) = match arms.split_last() {
            Some((last, others)) if full => (others, Some(&last.body[..])),
            _ => (arms, default),
        };
        let effects: Vec<Vec<(u32, NodeId)>> =
            arms.iter().map(|arm| self.branch(TestKind::OneOf(subject, arm), &arm.body)).collect();
        let others = match default {
            Some(block) => self.branch(TestKind::NoneOf(subject, arms), block),
            None => Vec::new(),
        };
        let mut parts: Vec<u32> =
            effects.iter().flatten().chain(&others).map(|&(part, _)| part).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut hits = vec![None; arms.len()];
        for part in parts {
            let old = self.now[part as usize];
            let found = |effects: &[(u32, NodeId)]| {
                effects
                    .binary_search_by_key(&part, |&(part, _)| part)
                    .map_or(old, |at| effects[at].1)
            };
            let other = found(&others);
            let choices: Vec<(usize, NodeId)> = effects
                .iter()
                .map(|effects| found(effects))
                .enumerate()
                .filter(|&(_, value)| value != other)
                .collect();
            let value = match table(arms, &choices, other) {
                Some(table) if self.graph.width(subject) <= 64 => {
                    let (start, len) = self.graph.list(&table);
                    let width = self.graph.width(other);
                    self.graph.push(Expr::Lookup { subject, start, len }, width)
                }
                _ => choices.into_iter().rev().fold(other, |rest, (arm, value)| {
                    let hit = *hits[arm].get_or_insert_with(|| self.hit(subject, &arms[arm]));
                    self.mux(hit, value, rest)
                }),
            };
            self.change(part as usize, value);
        }
    }

    /// One bit: the subject equals a label of the arm.
    fn hit(&mut self, subject: NodeId, arm: &Arm) -> NodeId {
        let mut any = None;
        for label in &arm.labels {
            let label = self.graph.constant(label.clone());
            let equal = self.graph.op(Op::Eq(subject, label), 1);
            any = Some(match any {
                Some(any) => self.graph.op(Op::Or(any, equal), 1),
                None => equal,
            });
        }
        any.unwrap_or_else(|| self.graph.zero(1))
    }

    /// One bit: all conditions around the statement at hand hold. None outside all conditions.
    fn guard(&mut self) -> Option<NodeId> {
        let known = self.tests.iter().rposition(|test| test.all.is_some());
        let mut all = known.and_then(|at| self.tests[at].all);
        for at in known.map_or(0, |at| at + 1)..self.tests.len() {
            let test = match self.tests[at].kind {
                TestKind::Is(cond) => cond,
                TestKind::IsNot(cond) => self.graph.op(Op::Not(cond), 1),
                TestKind::OneOf(subject, arm) => self.hit(subject, arm),
                TestKind::NoneOf(subject, arms) => {
                    let mut any = self.graph.zero(1);
                    for arm in arms {
                        let hit = self.hit(subject, arm);
                        any = self.graph.op(Op::Or(any, hit), 1);
                    }
                    self.graph.op(Op::Not(any), 1)
                }
            };
            all = Some(match all {
                Some(all) => self.graph.op(Op::And(all, test), 1),
                None => test,
            });
            self.tests[at].all = all;
        }
        all
    }
}

/// Where combinational targets are cut by assignments to a part of them.
fn collect_cuts(module: &Module, block: &[Stmt], cuts: &mut Vec<(NodeId, u32)>) {
    for stmt in block {
        match stmt {
            Stmt::Assign { target, lo, value, .. } => {
                let node = module.node(*target);
                if node.op != Op::Reg {
                    let hi = lo + module.node(*value).width;
                    cuts.extend((*lo > 0).then_some((*target, *lo)));
                    cuts.extend((hi < node.width).then_some((*target, hi)));
                }
            }
            Stmt::When { then, otherwise, .. } => {
                collect_cuts(module, then, cuts);
                collect_cuts(module, otherwise, cuts);
            }
            Stmt::Switch { arms, default, .. } => {
                arms.iter().for_each(|arm| collect_cuts(module, &arm.body, cuts));
                default.iter().for_each(|block| collect_cuts(module, block, cuts));
            }
            Stmt::MemWrite { .. } | Stmt::Property { .. } => {}
        }
    }
}

/// What each code of the subject selects, the rest at the end; none where a chain of multiplexers
/// is shorter.
fn table(arms: &[Arm], choices: &[(usize, NodeId)], other: NodeId) -> Option<Vec<NodeId>> {
    const FEWEST_LABELS: usize = 4;
    const LONGEST: u64 = 1024;
    const SPARSEST: u64 = 8;
    let labels = |&(arm, value): &(usize, NodeId)| {
        arms[arm].labels.iter().map(move |label: &Bits| (label.to_u64(), value))
    };
    let count = choices.iter().flat_map(labels).count();
    if count < FEWEST_LABELS {
        return None;
    }
    let highest = choices.iter().flat_map(labels).map(|(label, _)| label).max()??;
    if choices.iter().flat_map(labels).any(|(label, _)| label.is_none())
        || highest >= LONGEST.min(SPARSEST * count as u64)
    {
        return None;
    }
    let mut table = vec![other; highest as usize + 2];
    for (label, value) in choices.iter().flat_map(labels) {
        table[label? as usize] = value;
    }
    Some(table)
}
