//! Smaller circuits that may still show the same disagreement.
//!
//! Genes shrink first (see [`super::genes`]); this works on the tree itself and so reaches inside
//! blocks, where genes are too coarse.

use std::collections::HashSet;

use num_bigint::BigUint;

use super::{Circuit, Id, Item, Op, Stmt};

/// The smallest circuit found for which `fails` still holds, in at most `steps` tries.
pub fn reduce(circuit: &Circuit, steps: usize, mut fails: impl FnMut(&Circuit) -> bool) -> Circuit {
    let mut best = circuit.clone();
    let mut left = steps;
    loop {
        let size = size(&best);
        let smaller = candidates(&best).into_iter().find(|candidate| {
            let worth = candidate != &best && self::size(candidate) < size && left > 0;
            left -= usize::from(worth);
            worth && fails(candidate)
        });
        match smaller {
            Some(candidate) => best = candidate,
            None => return best,
        }
    }
}

/// What shrinking makes smaller: the length of the description, with simple things counting less.
fn size(circuit: &Circuit) -> usize {
    fn stmt(it: &Stmt) -> usize {
        4 + it.bodies().into_iter().flatten().map(stmt).sum::<usize>() + 2 * it.bodies().len()
    }
    fn item(it: &Item) -> usize {
        match it {
            Item::Let { op: Op::Const(value), .. } => 1 + usize::from(*value != BigUint::ZERO),
            Item::Let { op: Op::Select(_, items) | Op::Cat(items), .. } => 4 + items.len(),
            Item::Block(body) => 1 + body.iter().map(stmt).sum::<usize>(),
            Item::Instance { drive, .. } => 6 + drive.iter().map(stmt).sum::<usize>(),
            Item::Memory { init, .. } => 4 + init.len(),
            Item::Reg { reset, .. } => 4 + usize::from(reset.is_some()),
            _ => 4,
        }
    }
    let units = circuit.modules.iter();
    units
        .map(|unit| {
            20 + unit.items.iter().map(item).sum::<usize>()
                + 3 * (unit.outputs.len() + unit.inputs.len())
        })
        .sum()
}

/// Circuits one step simpler, boldest first.
fn candidates(circuit: &Circuit) -> Vec<Circuit> {
    let mut found = Vec::new();
    for index in 0..circuit.modules.len() {
        one_output(circuit, index, &mut found);
    }
    for index in 0..circuit.modules.len() {
        for place in 0..circuit.modules[index].items.len() {
            simpler_item(circuit, index, place, &mut found);
        }
    }
    found.iter_mut().for_each(prune);
    found
}

/// Keeps a single output of the top, or leaves one out of a child.
fn one_output(circuit: &Circuit, index: usize, found: &mut Vec<Circuit>) {
    let top = index + 1 == circuit.modules.len();
    for place in 0..circuit.modules[index].outputs.len() {
        let mut smaller = circuit.clone();
        if top {
            let outputs = &mut smaller.modules[index].outputs;
            if outputs.len() == 1 {
                continue;
            }
            *outputs = vec![outputs[place]];
            found.push(smaller);
            continue;
        }
        let read = circuit.modules.iter().any(|unit| {
            let mut used = used(unit.items.iter());
            used.extend(unit.outputs.iter().map(|output| output.value));
            unit.items.iter().any(|item| {
                matches!(item, Item::Instance { unit, outputs, .. }
                    if *unit == index && used.contains(&outputs[place].0))
            })
        });
        if !read {
            smaller.modules[index].outputs.remove(place);
            for item in smaller.modules.iter_mut().flat_map(|unit| &mut unit.items) {
                if let Item::Instance { unit, outputs, .. } = item
                    && *unit == index
                {
                    outputs.remove(place);
                }
            }
            found.push(smaller);
        }
    }
}

/// Replaces or simplifies one item.
fn simpler_item(circuit: &Circuit, index: usize, place: usize, found: &mut Vec<Circuit>) {
    let unit = &circuit.modules[index];
    let mut replacements: Vec<Vec<Item>> = Vec::new();
    let mut replace = |items: Vec<Item>| replacements.push(items);
    let zero =
        |id: Id, width: u32| Item::Let { id, width, op: Op::Const(BigUint::ZERO), named: false };
    let widths: std::collections::HashMap<Id, u32> =
        unit.inputs.iter().copied().chain(unit.items.iter().flat_map(Item::makes)).collect();
    match &unit.items[place] {
        Item::Let { op: Op::Const(_), id, width, .. } => replace(vec![zero(*id, *width)]),
        Item::Let { id, width, op, .. } => {
            replace(vec![zero(*id, *width)]);
            let mut operands = Vec::new();
            op.operands(&mut |operand| operands.push(operand));
            for operand in operands {
                if widths[&operand] == *width {
                    let mut smaller = circuit.clone();
                    let unit = &mut smaller.modules[index];
                    unit.items.remove(place);
                    rename(unit, *id, operand);
                    found.push(smaller);
                }
            }
        }
        Item::Read { id, width, .. } | Item::RegNext { id, width, .. } => {
            replace(vec![zero(*id, *width)]);
        }
        Item::Reg { id, width, kind: None, .. } | Item::Wire { id, width, kind: None } => {
            let mut smaller = circuit.clone();
            let unit = &mut smaller.modules[index];
            unit.items[place] = zero(*id, *width);
            unit.outputs.iter_mut().filter(|output| output.value == *id).for_each(|output| {
                output.direct = false;
            });
            for item in &mut unit.items {
                if let Item::Block(body) = item {
                    drop_sets(body, *id);
                }
            }
            found.push(smaller);
        }
        item @ Item::Instance { .. } => {
            replace(item.makes().iter().map(|(id, width)| zero(*id, *width)).collect());
        }
        Item::Memory { mem, depth, width, init } if !init.is_empty() => {
            replace(vec![Item::Memory { mem: *mem, depth: *depth, width: *width, init: vec![] }]);
        }
        Item::Block(body) => {
            for body in simpler_bodies(body) {
                replace(vec![Item::Block(body)]);
            }
        }
        _ => {}
    }
    if let Item::Instance { unit, inputs, drive, outputs } = &unit.items[place] {
        for drive in simpler_bodies(drive) {
            let (unit, inputs, outputs) = (*unit, inputs.clone(), outputs.clone());
            replace(vec![Item::Instance { unit, inputs, drive, outputs }]);
        }
    }
    for items in replacements {
        let mut smaller = circuit.clone();
        smaller.modules[index].items.splice(place..=place, items);
        found.push(smaller);
    }
}

/// The statements with one left out, or put in the place of what encloses it.
fn simpler_bodies(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    for place in 0..body.len() {
        let with = |stmts: Vec<Stmt>| {
            let mut body = body.to_vec();
            body.splice(place..=place, stmts);
            body
        };
        found.push(with(Vec::new()));
        for inner in body[place].bodies() {
            found.push(with(inner.clone()));
        }
        match &body[place] {
            Stmt::When { arms, otherwise: Some(_) } => {
                found.push(with(vec![Stmt::When { arms: arms.clone(), otherwise: None }]));
            }
            Stmt::Write { mem, addr, data, mask: Some(_) } => {
                found.push(with(vec![Stmt::Write {
                    mem: *mem,
                    addr: *addr,
                    data: *data,
                    mask: None,
                }]));
            }
            _ => {}
        }
        for inner in 0..body[place].bodies().len() {
            for simpler in simpler_bodies(body[place].bodies()[inner]) {
                let mut stmt = body[place].clone();
                *stmt.bodies_mut()[inner] = simpler;
                found.push(with(vec![stmt]));
            }
        }
    }
    found
}

fn used<'a>(items: impl Iterator<Item = &'a Item>) -> HashSet<Id> {
    let mut used = HashSet::new();
    items.for_each(|item| item.reads(&mut |id| _ = used.insert(id)));
    used
}

fn rename(unit: &mut super::Unit, from: Id, to: Id) {
    let swap = |id: &mut Id| {
        if *id == from {
            *id = to;
        }
    };
    fn in_stmt(stmt: &mut Stmt, swap: &dyn Fn(&mut Id)) {
        match stmt {
            Stmt::Set { value, .. } => swap(value),
            Stmt::SetVariant { .. } => {}
            Stmt::When { arms, .. } => arms.iter_mut().for_each(|(cond, _)| swap(cond)),
            Stmt::Switch { subject, .. } => swap(subject),
            Stmt::Write { addr, data, mask, .. } => {
                swap(addr);
                swap(data);
                mask.iter_mut().for_each(swap);
            }
        }
        for body in stmt.bodies_mut() {
            body.iter_mut().for_each(|stmt| in_stmt(stmt, swap));
        }
    }
    for item in &mut unit.items {
        match item {
            Item::Let { op, .. } => op.operands_mut().into_iter().for_each(swap),
            Item::RegNext { next, .. } => swap(next),
            Item::Read { addr, enable, .. } => {
                swap(addr);
                enable.iter_mut().for_each(swap);
            }
            Item::Block(body) | Item::Instance { drive: body, .. } => {
                body.iter_mut().for_each(|stmt| in_stmt(stmt, &swap));
            }
            Item::Reg { .. } | Item::Wire { .. } | Item::Memory { .. } => {}
        }
    }
    for output in &mut unit.outputs {
        if !output.direct {
            swap(&mut output.value);
        }
    }
}

/// Leaves out what no output depends on.
fn prune(circuit: &mut Circuit) {
    circuit.drop_unused_units();
    let top = circuit.modules.len() - 1;
    for index in 0..circuit.modules.len() {
        while prune_once(&mut circuit.modules[index], index == top) {}
    }
    circuit.drop_unused_units();
}

fn prune_once(unit: &mut super::Unit, top: bool) -> bool {
    let before = (unit.items.len(), unit.inputs.len());
    let mut needed = used(unit.items.iter());
    needed.extend(unit.outputs.iter().map(|output| output.value));
    let mut read_memories = HashSet::new();
    for item in &unit.items {
        if let Item::Read { mem, .. } = item {
            read_memories.insert(*mem);
        }
    }
    unit.items.retain(|item| match item {
        Item::Block(body) => !body.is_empty(),
        Item::Memory { mem, .. } => read_memories.contains(mem),
        Item::Instance { .. } => item.makes().iter().any(|(id, _)| needed.contains(id)),
        _ => item.makes().iter().all(|(id, _)| needed.contains(id)),
    });
    let made: HashSet<Id> = unit.items.iter().flat_map(Item::makes).map(|(id, _)| id).collect();
    for item in &mut unit.items {
        if let Item::Block(body) = item {
            drop_dead(body, &made, &read_memories);
        }
    }
    if top {
        unit.inputs.retain(|(id, _)| needed.contains(id));
    }
    before != (unit.items.len(), unit.inputs.len())
}

/// Leaves out statements that drive `gone`.
fn drop_sets(body: &mut Vec<Stmt>, gone: Id) {
    body.retain_mut(|stmt| {
        stmt.bodies_mut().into_iter().for_each(|inner| drop_sets(inner, gone));
        !matches!(stmt, Stmt::Set { target, .. } if *target == gone)
    });
}

/// Leaves out statements whose targets are gone.
fn drop_dead(body: &mut Vec<Stmt>, made: &HashSet<Id>, memories: &HashSet<super::MemId>) {
    body.retain_mut(|stmt| {
        let nested = !stmt.bodies().is_empty();
        for inner in stmt.bodies_mut() {
            drop_dead(inner, made, memories);
        }
        match stmt {
            Stmt::Set { target, .. } | Stmt::SetVariant { target, .. } => made.contains(target),
            Stmt::Write { mem, .. } => memories.contains(mem),
            _ => nested && stmt.bodies().iter().any(|body| !body.is_empty()),
        }
    });
}
