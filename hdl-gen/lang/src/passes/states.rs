//! UNREACHABLE STATE: variants that a state register can never hold.
//!
//! A search from the reset value over the constants that the register is set to. The conditions
//! around an assignment say in which states it applies, as far as they compare the register with
//! constants; all else counts as possible.

use crate::diag::{Code, Diagnostic};
use crate::ir::{EnumDef, Module, NodeId, Op, Stmt};

use super::cover::Places;
use super::flat::{Assign, Flat, OUTERMOST, Test};
use super::words;

/// Some variants of an enum: one flag for each.
type States = Vec<bool>;

/// A state register with a reset value.
struct Machine {
    register: NodeId,
    def: &'static EnumDef,
    reset: u64,
    /// Assignments: in which states they apply, what they lead to. `None` if that is unknown.
    moves: Option<Vec<(States, States)>>,
}

/// Warns of every variant that no path from reset leads to.
pub(crate) fn check(module: &Module, places: &Places, flat: &Flat, findings: &mut Vec<Diagnostic>) {
    let mut machines = machines(module);
    if machines.is_empty() {
        return;
    }
    let mut machine_of_place = vec![usize::MAX; places.nodes.len()];
    for (index, machine) in machines.iter().enumerate() {
        machine_of_place[places.of_node(machine.register)] = index;
    }
    for assign in &flat.assigns {
        if let Some(machine) = machines.get_mut(machine_of_place[places.of_node(assign.target)])
            && let Some(moves) = &mut machine.moves
        {
            let (register, count) = (machine.register, machine.def.variants.len());
            match targets(module, register, count, assign) {
                Some(to) => moves.push((sources(module, flat, register, count, assign), to)),
                None => machine.moves = None,
            }
        }
    }
    findings.extend(machines.iter().filter_map(|machine| machine.finding(module)));
}

fn machines(module: &Module) -> Vec<Machine> {
    let mut machines: Vec<Machine> = Vec::new();
    for &(register, def) in &module.enums {
        if module.node(register).op != Op::Reg {
            continue;
        }
        let known = machines.last().is_some_and(|machine| machine.register == register);
        let reset = module.resets.binary_search_by_key(&register, |&(node, _)| node);
        if let (false, Ok(place)) = (known, reset)
            && let Some(reset) = module.resets[place].1.to_u64()
        {
            machines.push(Machine { register, def, reset, moves: Some(Vec::new()) });
        }
    }
    machines
}

impl Machine {
    fn finding(&self, module: &Module) -> Option<Diagnostic> {
        let moves = self.moves.as_ref().filter(|moves| !moves.is_empty())?;
        let mut reached: States = vec![false; self.def.variants.len()];
        *reached.get_mut(usize::try_from(self.reset).ok()?)? = true;
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (from, to) in moves {
                if from.iter().zip(&reached).any(|(&from, &reached)| from && reached) {
                    for (reached, _) in reached.iter_mut().zip(to).filter(|(_, to)| **to) {
                        grown |= !std::mem::replace(reached, true);
                    }
                }
            }
        }
        let lost: Vec<String> = self
            .def
            .variants
            .iter()
            .zip(&reached)
            .filter(|(_, reached)| !**reached)
            .map(|(variant, _)| format!("`{}::{variant}`", self.def.name))
            .collect();
        if lost.is_empty() {
            return None;
        }
        let name = module.given_name(self.register).unwrap_or("?");
        let start = self.def.variant(self.reset).unwrap_or("?");
        Some(
            Diagnostic::new(
                Code::UnreachableState,
                format!("register `{name}` never becomes {}", words::list(&lost, "or")),
                "set the register to the state somewhere on a path from reset, or remove it",
            )
            .at(module.node(self.register).loc, format!("starts in `{}::{start}`", self.def.name)),
        )
    }
}

/// The states that an assignment leads to; `None` if they cannot be told.
fn targets(module: &Module, register: NodeId, count: usize, assign: &Assign) -> Option<States> {
    let mut states = vec![false; count];
    let mut pending = vec![assign.value];
    // A tree of multiplexers that shares parts could be visited over and over.
    let mut budget = 1000;
    while let Some(value) = pending.pop() {
        budget -= 1;
        match module.node(value).op {
            _ if budget == 0 => return None,
            _ if value == register => {}
            Op::Const(index) if module.node(value).width == module.node(register).width => {
                let code = module.constants[index as usize].to_u64()?;
                if let Some(state) = states.get_mut(usize::try_from(code).ok()?) {
                    *state = true;
                }
            }
            Op::Mux(_, then, otherwise) => pending.extend([then, otherwise]),
            _ => return None,
        }
    }
    Some(states)
}

/// The states in which the conditions around an assignment let it apply.
fn sources(
    module: &Module,
    flat: &Flat,
    register: NodeId,
    count: usize,
    assign: &Assign,
) -> States {
    let mut states = vec![true; count];
    let mut context = assign.context;
    while context != OUTERMOST {
        let outer = &flat.contexts[context as usize];
        let allowed = match &outer.test {
            Test::One(_) => where_bit(module, register, count, outer.subject, true, 8),
            Test::Zero(_) => where_bit(module, register, count, outer.subject, false, 8),
            Test::Case(arm) if outer.subject == register => {
                Some((0..count).map(|c| arm.labels.iter().any(|l| is_code(l, c))).collect())
            }
            Test::Default(Stmt::Switch { arms, .. }) if outer.subject == register => Some(
                (0..count)
                    .map(|c| !arms.iter().flat_map(|arm| &arm.labels).any(|l| is_code(l, c)))
                    .collect(),
            ),
            Test::Case(_) | Test::Default(_) => None,
        };
        if let Some(allowed) = allowed {
            states.iter_mut().zip(allowed).for_each(|(state, allowed)| *state &= allowed);
        }
        context = outer.outer;
    }
    states
}

fn is_code(label: &crate::bits::Bits, code: usize) -> bool {
    label.to_u64() == Some(code as u64)
}

/// The states in which the one-bit `cond` can be `value`; `None` if it could be in any.
fn where_bit(
    module: &Module,
    register: NodeId,
    count: usize,
    cond: NodeId,
    value: bool,
    depth: u32,
) -> Option<States> {
    let equal = |a: NodeId, b: NodeId, value: bool| {
        let other = if a == register {
            b
        } else if b == register {
            a
        } else {
            return None;
        };
        let Op::Const(index) = module.node(other).op else { return None };
        let constant = &module.constants[index as usize];
        Some((0..count).map(|code| is_code(constant, code) == value).collect())
    };
    if depth == 0 {
        return None;
    }
    let part = |id, value| where_bit(module, register, count, id, value, depth - 1);
    let one_bit = module.node(cond).width == 1;
    match module.node(cond).op {
        Op::Eq(a, b) => equal(a, b, value),
        Op::Ne(a, b) => equal(a, b, !value),
        Op::Not(a) if one_bit => part(a, !value),
        // Both must hold: each narrows the states down.
        Op::And(a, b) if value => combine(part(a, value), part(b, value), |a, b| a && b),
        Op::Or(a, b) if !value => combine(part(a, value), part(b, value), |a, b| a && b),
        // One of two is enough: both must be known to say anything.
        Op::And(a, b) | Op::Or(a, b) => {
            let (a, b) = (part(a, value)?, part(b, value)?);
            combine(Some(a), Some(b), |a, b| a || b)
        }
        _ => None,
    }
}

fn combine(a: Option<States>, b: Option<States>, f: fn(bool, bool) -> bool) -> Option<States> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()),
        (known, None) | (None, known) => known,
    }
}
