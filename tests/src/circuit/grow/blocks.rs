//! Growth of statements and instances.

use super::{Grower, Mem, Value, ops, width_of};
use crate::circuit::grow::dice::Values as _;
use crate::circuit::{Gene, Id, Item, Kind, MemId, Output, Stmt};
use kit::Dice;

/// What the statements of a block may drive.
struct Targets {
    driven: Vec<Value>,
    /// How many more statements the block may have.
    budget: usize,
}

/// Statements in a block, nested ones included, besides those that cover its wires.
const BUDGET: usize = 8;

impl Grower<'_> {
    /// Some new wires, and statements that drive them, registers and memories.
    pub(super) fn block(&mut self, gene: &Gene) {
        let mut dice = Dice::new(u64::from(gene.seed) << 16 | u64::from(gene.pick[0]));
        let wires = match (gene.pick[1] % 4, self.regs.is_empty() && self.mems.is_empty()) {
            (0, false) => 0,
            (3, _) => 2,
            _ => 1,
        };
        let mut body = Vec::new();
        let mut targets = Targets { driven: Vec::new(), budget: BUDGET };
        let mut made = Vec::new();
        for _ in 0..wires {
            let kind = dice.one_in(5).then(|| Kind::ALL[dice.below(3)]);
            let width = kind.map_or_else(|| width_of(gene.size ^ dice.selector()), Kind::width);
            let id = self.fresh();
            self.unit.items.push(Item::Wire { id, width, kind });
            if kind.is_none() && dice.one_in(4) {
                self.unit.outputs.push(Output { value: id, width, direct: true });
            }
            made.push(Value { id, width, kind });
        }
        for &wire in &made {
            let drive = self.cover(wire, None, 2, &mut dice);
            body.extend(drive);
        }
        targets.driven.extend(&made);
        for reg in self.regs.clone() {
            if !dice.one_in(3) {
                targets.driven.push(reg);
            }
        }
        let count = usize::from(gene.pick[2] % 5);
        let more = self.statements(count, 3, &mut targets, &mut dice);
        body.extend(more);
        if !body.is_empty() {
            self.unit.items.push(Item::Block(body));
        }
        self.values.extend(made);
    }

    /// Drives a register that no block drives, under a condition.
    pub(super) fn drive_register(&mut self, reg: Value, gene: &Gene) {
        let mut dice = Dice::new(u64::from(gene.seed) << 32 | u64::from(reg.id.0));
        let set = self.set(reg, None, &mut dice);
        let body = if dice.one_in(2) {
            let enable = self.pick_as(dice.selector(), 1, dice.selector());
            vec![Stmt::When { arms: vec![(enable, vec![set])], otherwise: None }]
        } else {
            vec![set]
        };
        self.unit.items.push(Item::Block(body));
    }

    /// An instance of an earlier module.
    pub(super) fn instance(&mut self, unit: usize, gene: &Gene) {
        self.instances += 1;
        let mut dice = Dice::new(u64::from(gene.seed) << 16 | u64::from(gene.pick[1]));
        let child = &self.earlier[unit];
        let (ins, outs): (Vec<u32>, Vec<u32>) = (
            child.inputs.iter().map(|(_, width)| *width).collect(),
            child.outputs.iter().map(|output| output.width).collect(),
        );
        let inputs: Vec<(Id, u32)> = ins.iter().map(|&width| (self.fresh(), width)).collect();
        let mut drive = Vec::new();
        for &(id, width) in &inputs {
            let stmts = self.cover(Value { id, width, kind: None }, None, 1, &mut dice);
            drive.extend(stmts);
        }
        let outputs: Vec<(Id, u32)> = outs.iter().map(|&width| (self.fresh(), width)).collect();
        self.unit.items.push(Item::Instance {
            unit,
            inputs: inputs.clone(),
            drive,
            outputs: outputs.clone(),
        });
        let read_back = dice.one_in(6);
        let readable = if read_back { &inputs[..] } else { &[] };
        for &(id, width) in readable.iter().chain(&outputs) {
            self.offer(id, width, None);
        }
    }

    /// Drives `part` of the target (all of it if absent) once.
    fn set(&mut self, target: Value, part: Option<(u32, u32)>, dice: &mut Dice) -> Stmt {
        match (target.kind, part) {
            (Some(kind), None) if dice.one_in(2) => {
                let variant = dice.below(ops::variants(kind) as usize) as u32;
                Stmt::SetVariant { target: target.id, kind, variant }
            }
            _ => {
                let width = part.map_or(target.width, |(_, width)| width);
                let value = self.pick_as(dice.selector(), width, dice.selector());
                Stmt::Set { target: target.id, part, value }
            }
        }
    }

    /// Statements that drive the part on every path.
    fn cover(
        &mut self,
        target: Value,
        part: Option<(u32, u32)>,
        depth: u32,
        dice: &mut Dice,
    ) -> Vec<Stmt> {
        let (lo, width) = part.unwrap_or((0, target.width));
        let choice = if depth == 0 { 0 } else { dice.below(8) };
        match choice {
            1 if width > 1 => {
                let cut = 1 + dice.below(width as usize - 1) as u32;
                let mut low = self.cover(target, Some((lo, cut)), depth - 1, dice);
                let high = self.cover(target, Some((lo + cut, width - cut)), depth - 1, dice);
                low.extend(high);
                low
            }
            2 => {
                let cond = self.pick_as(dice.selector(), 1, dice.selector());
                let then = self.cover(target, part, depth - 1, dice);
                let otherwise = Some(self.cover(target, part, depth - 1, dice));
                vec![Stmt::When { arms: vec![(cond, then)], otherwise }]
            }
            3 => {
                let (subject, kind, labels) = self.subject(dice);
                let complete = dice.one_in(2) && all_labels(subject.width, kind).is_some();
                let labels = match all_labels(subject.width, kind) {
                    Some(all) if complete => all,
                    _ => labels,
                };
                let arms = grouped(labels, dice)
                    .into_iter()
                    .map(|labels| (labels, self.cover(target, part, depth - 1, dice)))
                    .collect();
                let default = (!complete).then(|| self.cover(target, part, depth - 1, dice));
                vec![Stmt::Switch { subject: subject.id, kind, arms, default }]
            }
            _ => vec![self.set(target, part, dice)],
        }
    }

    /// Something to switch on, and some labels for it.
    fn subject(&mut self, dice: &mut Dice) -> (Value, Option<Kind>, Vec<u64>) {
        let held: Vec<Value> = self.values.iter().copied().filter(|v| v.kind.is_some()).collect();
        let (value, kind) = if !held.is_empty() && dice.one_in(2) {
            let value = held[dice.below(held.len())];
            (value, value.kind)
        } else {
            let value = self.pick(dice.selector());
            let width = if dice.one_in(4) { value.width } else { value.width.min(3) };
            let id = self.fit(value, width, dice.selector());
            (Value { id, width, kind: None }, None)
        };
        let count = 1 + dice.below(4);
        let mut labels: Vec<u64> = Vec::new();
        for _ in 0..count {
            let label = match kind {
                Some(kind) => dice.below(kind.variants().len()) as u64,
                None => dice.roll() >> (64 - value.width.min(63)),
            };
            let label = if dice.one_in(3) && kind.is_none() { label & 7 } else { label };
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        (value, kind, labels)
    }

    fn statements(
        &mut self,
        count: usize,
        depth: u32,
        targets: &mut Targets,
        dice: &mut Dice,
    ) -> Vec<Stmt> {
        (0..count).filter_map(|_| self.statement(depth, targets, dice)).collect()
    }

    fn statement(&mut self, depth: u32, targets: &mut Targets, dice: &mut Dice) -> Option<Stmt> {
        targets.budget = targets.budget.checked_sub(1)?;
        match if depth == 0 { dice.below(4) } else { dice.below(10) } {
            0 if !self.mems.is_empty() => Some(self.write(dice)),
            0..4 => self.assignment(targets, dice),
            4..7 => {
                let arms = 1 + dice.below(3);
                let arms = (0..arms)
                    .map(|_| {
                        let cond = self.pick_as(dice.selector(), 1, dice.selector());
                        let count = 1 + dice.below(2);
                        (cond, self.statements(count, depth - 1, targets, dice))
                    })
                    .collect();
                let count = 1 + dice.below(2);
                let otherwise =
                    dice.one_in(2).then(|| self.statements(count, depth - 1, targets, dice));
                Some(Stmt::When { arms, otherwise })
            }
            _ => {
                let (subject, kind, labels) = self.subject(dice);
                let labels = match all_labels(subject.width, kind) {
                    Some(all) if dice.one_in(2) => all,
                    _ => labels,
                };
                let full =
                    all_labels(subject.width, kind).is_some_and(|all| all.len() == labels.len());
                let arms = grouped(labels, dice)
                    .into_iter()
                    .map(|labels| {
                        let count = dice.below(3);
                        (labels, self.statements(count, depth - 1, targets, dice))
                    })
                    .collect();
                let default =
                    (!full && dice.one_in(2)).then(|| self.statements(1, depth - 1, targets, dice));
                Some(Stmt::Switch { subject: subject.id, kind, arms, default })
            }
        }
    }

    fn assignment(&mut self, targets: &mut Targets, dice: &mut Dice) -> Option<Stmt> {
        if targets.driven.is_empty() {
            return None;
        }
        let target = targets.driven[dice.below(targets.driven.len())];
        let part = (target.width > 1 && dice.one_in(3)).then(|| {
            let lo = dice.below(target.width as usize) as u32;
            (lo, 1 + dice.below((target.width - lo) as usize) as u32)
        });
        let part = part.filter(|&(_, width)| width < target.width);
        Some(self.set(target, part, dice))
    }

    fn write(&mut self, dice: &mut Dice) -> Stmt {
        let Mem { id: mem, depth, width, .. } = self.mems[dice.below(self.mems.len())];
        let addr = self.pick_as(dice.selector(), super::address_width(depth), dice.selector());
        let data = self.pick_as(dice.selector(), width, dice.selector());
        let most = if dice.one_in(6) { width.min(64) } else { width.min(8) };
        let lanes: Vec<u32> = (1..=most).filter(|lanes| width % lanes == 0).collect();
        let mask = dice.one_in(2).then(|| {
            let lanes = lanes[dice.below(lanes.len())];
            self.pick_as(dice.selector(), lanes, dice.selector())
        });
        Stmt::Write { mem: MemId(mem.0), addr, data, mask }
    }
}

/// Every label a subject can have, where they are few.
fn all_labels(width: u32, kind: Option<Kind>) -> Option<Vec<u64>> {
    match kind {
        Some(kind) => Some((0..kind.variants().len() as u64).collect()),
        None if width <= 3 => Some((0..1 << width).collect()),
        None => None,
    }
}

/// Labels put into arms, one or two to an arm.
fn grouped(labels: Vec<u64>, dice: &mut Dice) -> Vec<Vec<u64>> {
    let mut arms: Vec<Vec<u64>> = Vec::new();
    for label in labels {
        match arms.last_mut() {
            Some(arm) if dice.one_in(4) => arm.push(label),
            _ => arms.push(vec![label]),
        }
    }
    arms
}
