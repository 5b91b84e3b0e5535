//! Statements that never take effect, which the language refuses, are left out.

use std::collections::HashMap;

use num_bigint::BigUint;

use crate::circuit::{Id, Item, Stmt, Unit, mask};

/// Bits that later statements of the same or an enclosing block set in any case.
type Later = HashMap<Id, BigUint>;

/// Drops every assignment whose bits are all set again further down without a condition.
pub fn drop_overridden(unit: &mut Unit) {
    let widths: HashMap<Id, u32> = unit.items.iter().flat_map(Item::makes).collect();
    let mut later = Later::new();
    for item in unit.items.iter_mut().rev() {
        if let Item::Block(body) | Item::Instance { drive: body, .. } = item {
            block(body, &mut later, &widths);
        }
    }
}

fn block(body: &mut Vec<Stmt>, later: &mut Later, widths: &HashMap<Id, u32>) {
    let mut kept = Vec::with_capacity(body.len());
    for mut stmt in body.drain(..).rev() {
        for inner in stmt.bodies_mut().into_iter().rev() {
            block(inner, &mut later.clone(), widths);
        }
        let (target, part) = match &stmt {
            Stmt::Set { target, part, .. } => (*target, *part),
            Stmt::SetVariant { target, .. } => (*target, None),
            _ => {
                kept.push(stmt);
                continue;
            }
        };
        let (lo, width) = part.unwrap_or((0, widths[&target]));
        let bits = mask(width) << lo;
        let set = later.entry(target).or_default();
        if &*set | &bits != *set {
            *set |= bits;
            kept.push(stmt);
        }
    }
    kept.reverse();
    *body = kept;
}

/// The bits of a register that some statement sets.
pub fn bits_set(unit: &Unit, reg: Id, width: u32) -> BigUint {
    fn within(body: &[Stmt], reg: Id, width: u32) -> BigUint {
        body.iter().fold(BigUint::ZERO, |set, stmt| match stmt {
            Stmt::Set { target, part, .. } if *target == reg => {
                let (lo, width) = part.unwrap_or((0, width));
                set | mask(width) << lo
            }
            Stmt::SetVariant { target, .. } if *target == reg => mask(width),
            _ => stmt.bodies().iter().fold(set, |set, body| set | within(body, reg, width)),
        })
    }
    unit.items.iter().fold(BigUint::ZERO, |set, item| match item {
        Item::Block(body) => set | within(body, reg, width),
        _ => set,
    })
}
