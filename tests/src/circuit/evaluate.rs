//! The reference: what a circuit does, cycle by cycle, from the documented meaning of the language.
//!
//! Written for clarity on big integers, and from the documentation alone: it shares no code with
//! the simulators it judges.

use std::collections::HashMap;

use num_bigint::BigUint;

use super::{Binary, Circuit, Id, Item, Kind, MemId, Op, Shift, Stmt, Unary, Unit, mask};

/// A circuit at some moment between two clock edges.
pub struct Reference<'a> {
    circuit: &'a Circuit,
    state: State,
}

impl<'a> Reference<'a> {
    /// The circuit at power-up: registers are zero, memories hold their first contents.
    pub fn new(circuit: &'a Circuit) -> Self {
        let top = circuit.modules.len() - 1;
        Reference { circuit, state: State::power_up(circuit, top) }
    }

    /// One cycle: the outputs that `inputs` give before the clock edge, which then happens.
    pub fn cycle(&mut self, reset: bool, inputs: &[BigUint]) -> Vec<BigUint> {
        let outputs = self.state.settle(self.circuit, inputs);
        self.state.edge(self.circuit, reset);
        outputs
    }
}

/// The state of one module of the hierarchy, and the values of the current cycle.
struct State {
    unit: usize,
    values: HashMap<Id, BigUint>,
    /// What registers and synchronous reads hold.
    held: HashMap<Id, BigUint>,
    /// What they will hold after the edge, if it differs.
    next: HashMap<Id, BigUint>,
    memories: HashMap<MemId, Vec<BigUint>>,
    writes: Vec<Write>,
    /// Instances in source order.
    children: Vec<State>,
}

struct Write {
    mem: MemId,
    row: usize,
    data: BigUint,
    lanes: BigUint,
}

impl State {
    fn power_up(circuit: &Circuit, unit: usize) -> State {
        let mut state = State {
            unit,
            values: HashMap::new(),
            held: HashMap::new(),
            next: HashMap::new(),
            memories: HashMap::new(),
            writes: Vec::new(),
            children: Vec::new(),
        };
        for item in &circuit.modules[unit].items {
            match item {
                Item::Reg { id, .. } | Item::RegNext { id, .. } => {
                    state.held.insert(*id, BigUint::ZERO);
                }
                Item::Read { id, enable: Some(_), .. } => {
                    state.held.insert(*id, BigUint::ZERO);
                }
                Item::Memory { mem, depth, init, .. } => {
                    let mut rows = init.clone();
                    rows.resize(*depth as usize, BigUint::ZERO);
                    state.memories.insert(*mem, rows);
                }
                Item::Instance { unit, .. } => state.children.push(State::power_up(circuit, *unit)),
                _ => {}
            }
        }
        state
    }

    /// Computes every value of this cycle, and what the edge will do.
    fn settle(&mut self, circuit: &Circuit, inputs: &[BigUint]) -> Vec<BigUint> {
        let unit = &circuit.modules[self.unit];
        self.values = self.held.clone();
        self.next.clear();
        self.writes.clear();
        for ((id, _), value) in unit.inputs.iter().zip(inputs) {
            self.values.insert(*id, value.clone());
        }
        let widths = widths(unit);
        let mut child = 0;
        for item in &unit.items {
            match item {
                Item::Let { id, width, op, .. } => {
                    let value = self.operation(op, *width, &widths);
                    assert!(value <= mask(*width), "{item:?} gives {value}");
                    self.values.insert(*id, value);
                }
                Item::RegNext { id, next, .. } => {
                    let next = self.values[next].clone();
                    self.next.insert(*id, next);
                }
                Item::Read { id, mem, addr, enable, .. } => {
                    let row = self.row(*mem, *addr);
                    let value = row.map_or(BigUint::ZERO, |row| self.memories[mem][row].clone());
                    match enable {
                        None => drop(self.values.insert(*id, value)),
                        Some(enable) if self.is_set(*enable) => drop(self.next.insert(*id, value)),
                        Some(_) => {}
                    }
                }
                Item::Block(body) => self.run(body, &widths),
                Item::Instance { inputs, drive, outputs, .. } => {
                    self.run(drive, &widths);
                    let inputs: Vec<BigUint> =
                        inputs.iter().map(|(id, _)| self.values[id].clone()).collect();
                    let results = self.children[child].settle(circuit, &inputs);
                    child += 1;
                    for ((id, _), value) in outputs.iter().zip(results) {
                        self.values.insert(*id, value);
                    }
                }
                Item::Reg { .. } | Item::Wire { .. } | Item::Memory { .. } => {}
            }
        }
        unit.outputs.iter().map(|output| self.values[&output.value].clone()).collect()
    }

    /// The clock edge.
    fn edge(&mut self, circuit: &Circuit, reset: bool) {
        self.held.extend(self.next.drain());
        let unit = &circuit.modules[self.unit];
        for item in &unit.items {
            if let Item::Reg { id, reset: Some(value), .. } = item
                && reset
            {
                self.held.insert(*id, value.clone());
            }
        }
        for write in self.writes.drain(..) {
            let row = &mut self.memories.get_mut(&write.mem).expect("made at power-up")[write.row];
            *row = overlay(row, &write.data, &write.lanes);
        }
        for child in &mut self.children {
            child.edge(circuit, reset);
        }
    }

    fn is_set(&self, id: Id) -> bool {
        self.values[&id] != BigUint::ZERO
    }

    /// The row that an address names, if there is one.
    fn row(&self, mem: MemId, addr: Id) -> Option<usize> {
        let row = usize::try_from(&self.values[&addr]).ok()?;
        (row < self.memories[&mem].len()).then_some(row)
    }

    fn run(&mut self, body: &[Stmt], widths: &HashMap<Id, u32>) {
        for stmt in body {
            match stmt {
                Stmt::Set { target, part, value } => {
                    let value = self.values[value].clone();
                    self.drive(*target, *part, value, widths);
                }
                Stmt::SetVariant { target, variant, .. } => {
                    self.drive(*target, None, BigUint::from(*variant), widths);
                }
                Stmt::When { arms, otherwise } => {
                    let taken = arms.iter().find(|(cond, _)| self.is_set(*cond));
                    if let Some(body) = taken.map(|(_, body)| body).or(otherwise.as_ref()) {
                        self.run(body, widths);
                    }
                }
                Stmt::Switch { subject, kind, arms, default } => {
                    let value = &self.values[subject];
                    let taken = arms.iter().find(|(labels, _)| {
                        labels.iter().any(|&label| BigUint::from(label) == *value)
                    });
                    let body = match (taken, default) {
                        (Some((_, body)), _) => Some(body),
                        (None, Some(body)) => Some(body),
                        // All variants are named: a code that is none takes the last arm.
                        (None, None) if names_all_variants(*kind, arms) => {
                            arms.last().map(|(_, body)| body)
                        }
                        (None, None) => None,
                    };
                    if let Some(body) = body {
                        self.run(body, widths);
                    }
                }
                Stmt::Write { mem, addr, data, mask: lanes } => {
                    let Some(row) = self.row(*mem, *addr) else { continue };
                    let width = widths[data];
                    let lanes = match lanes {
                        None => mask(width),
                        Some(lanes) => spread(&self.values[lanes], widths[lanes], width),
                    };
                    let data = self.values[data].clone();
                    self.writes.push(Write { mem: *mem, row, data, lanes });
                }
            }
        }
    }

    /// Registers take the value at the edge, everything else at once.
    fn drive(
        &mut self,
        target: Id,
        part: Option<(u32, u32)>,
        value: BigUint,
        widths: &HashMap<Id, u32>,
    ) {
        let (lo, width) = part.unwrap_or((0, widths[&target]));
        let (place, before) = if self.held.contains_key(&target) {
            let before = self.next.get(&target).unwrap_or(&self.held[&target]).clone();
            (&mut self.next, before)
        } else {
            let before = self.values.get(&target).cloned().unwrap_or_default();
            (&mut self.values, before)
        };
        place.insert(target, overlay(&before, &(value << lo), &(mask(width) << lo)));
    }

    fn operation(&self, op: &Op, width: u32, widths: &HashMap<Id, u32>) -> BigUint {
        let get = |id: &Id| &self.values[id];
        match op {
            Op::Const(value) => value.clone(),
            Op::Unary(op, a) => unary(*op, get(a), widths[a]),
            Op::Binary(op, a, b) => binary(*op, get(a), get(b), widths[a]),
            Op::Mul(a, b) => get(a) * get(b),
            Op::Shift(op, a, by) => shift(*op, get(a), get(by), widths[a]),
            Op::ShiftBy(op, a, by) => shift(*op, get(a), &BigUint::from(*by), widths[a]),
            Op::Mux(select, a, b) => get(if self.is_set(*select) { a } else { b }).clone(),
            Op::Slice(a, lo) => (get(a) >> *lo) & mask(width),
            Op::At(a, index) => match u64::try_from(get(index)) {
                Ok(index) => BigUint::from(get(a).bit(index)),
                Err(_) => BigUint::ZERO,
            },
            Op::Cat(parts) => {
                parts.iter().fold(BigUint::ZERO, |high, part| (high << widths[part]) | get(part))
            }
            Op::Repeat(a, count) => {
                (0..*count).fold(BigUint::ZERO, |high, _| (high << widths[a]) | get(a))
            }
            Op::Zext(a) => get(a).clone(),
            Op::Sext(a) => sign_extend(get(a), widths[a], width),
            Op::Trunc(a) => get(a) & mask(width),
            Op::Select(index, items) => {
                let index = usize::try_from(get(index)).unwrap_or(usize::MAX);
                get(&items[index.min(items.len() - 1)]).clone()
            }
            Op::Is(a, _, variant) => BigUint::from(*get(a) == BigUint::from(*variant)),
        }
    }
}

fn widths(unit: &Unit) -> HashMap<Id, u32> {
    unit.inputs.iter().copied().chain(unit.items.iter().flat_map(Item::makes)).collect()
}

fn names_all_variants(kind: Option<Kind>, arms: &[(Vec<u64>, Vec<Stmt>)]) -> bool {
    let named: usize = arms.iter().map(|(labels, _)| labels.len()).sum();
    kind.is_some_and(|kind| kind.variants().len() == named)
}

/// `over` where `lanes` has ones, else `under`.
fn overlay(under: &BigUint, over: &BigUint, lanes: &BigUint) -> BigUint {
    (under - (under & lanes)) | (over & lanes)
}

/// Each bit of `lanes` as often as it stands for a bit of the row.
fn spread(lanes: &BigUint, count: u32, width: u32) -> BigUint {
    let each = width / count;
    (0..count)
        .filter(|&lane| lanes.bit(lane.into()))
        .fold(BigUint::ZERO, |all, lane| all | (mask(each) << (lane * each)))
}

fn is_negative(value: &BigUint, width: u32) -> bool {
    value.bit(u64::from(width) - 1)
}

fn sign_extend(value: &BigUint, from: u32, to: u32) -> BigUint {
    if is_negative(value, from) { value | (mask(to) - mask(from)) } else { value.clone() }
}

fn unary(op: Unary, a: &BigUint, width: u32) -> BigUint {
    let modulus = BigUint::from(1u8) << width;
    match op {
        Unary::Not => mask(width) - a,
        Unary::Neg => (&modulus - a) % &modulus,
        Unary::All => BigUint::from(*a == mask(width)),
        Unary::Any => BigUint::from(*a != BigUint::ZERO),
        Unary::None => BigUint::from(*a == BigUint::ZERO),
        Unary::Parity => BigUint::from(a.count_ones() % 2),
    }
}

fn binary(op: Binary, a: &BigUint, b: &BigUint, width: u32) -> BigUint {
    let modulus = BigUint::from(1u8) << width;
    // Two's complement order is unsigned order with the sign bits turned over.
    let flip = BigUint::from(1u8) << (width - 1);
    let (sa, sb) = (a ^ &flip, b ^ &flip);
    match op {
        Binary::Add => (a + b) % modulus,
        Binary::Sub => (a + &modulus - b) % modulus,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::AddWide => a + b,
        Binary::Eq => BigUint::from(a == b),
        Binary::Ne => BigUint::from(a != b),
        Binary::Lt => BigUint::from(a < b),
        Binary::Le => BigUint::from(a <= b),
        Binary::Gt => BigUint::from(a > b),
        Binary::Ge => BigUint::from(a >= b),
        Binary::LtSigned => BigUint::from(sa < sb),
        Binary::LeSigned => BigUint::from(sa <= sb),
        Binary::GtSigned => BigUint::from(sa > sb),
        Binary::GeSigned => BigUint::from(sa >= sb),
    }
}

fn shift(op: Shift, a: &BigUint, by: &BigUint, width: u32) -> BigUint {
    let by = u32::try_from(by).unwrap_or(width).min(width);
    match op {
        Shift::Left => (a << by) & mask(width),
        Shift::Right => a >> by,
        Shift::Arithmetic => sign_extend(a, width, 2 * width) >> by & mask(width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(value: u64) -> BigUint {
        BigUint::from(value)
    }

    #[test]
    fn arithmetic_wraps_at_the_width() {
        assert_eq!(binary(Binary::Add, &big(15), &big(1), 4), big(0));
        assert_eq!(binary(Binary::AddWide, &big(15), &big(1), 4), big(16));
        assert_eq!(binary(Binary::Sub, &big(0), &big(1), 4), big(15));
        assert_eq!(unary(Unary::Neg, &big(0), 4), big(0));
        assert_eq!(unary(Unary::Neg, &big(1), 4), big(15));
    }

    #[test]
    fn signed_order_puts_the_sign_bit_below_zero() {
        assert_eq!(binary(Binary::LtSigned, &big(8), &big(7), 4), big(1));
        assert_eq!(binary(Binary::Lt, &big(8), &big(7), 4), big(0));
        assert_eq!(binary(Binary::GeSigned, &big(1), &big(0), 1), big(0));
    }

    #[test]
    fn shifts_past_the_width_leave_zeros_or_signs() {
        let far = BigUint::from(1u8) << 200;
        assert_eq!(shift(Shift::Left, &big(9), &far, 4), big(0));
        assert_eq!(shift(Shift::Right, &big(9), &big(4), 4), big(0));
        assert_eq!(shift(Shift::Arithmetic, &big(9), &far, 4), big(15));
        assert_eq!(shift(Shift::Arithmetic, &big(9), &big(1), 4), big(12));
    }
}
