//! Circuits described in the language under test.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use hdl::ir::Design;
use hdl::{
    Bits, Bundle, Diagnostics, Enum, HwEnum, Leaf, Mem, Module, Path, Sig, Switch, cat, constant,
    elaborate, input, memory, output, ports, reg, reg_next, select, switch, when, wire,
};
use num_bigint::BigUint;

use super::{
    Binary, Circuit, Id, Item, Kind, MemId, Op, Output, Shift, Stmt, Unary, Unit, to_words,
};

/// Two variants in one bit.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum Phase {
    Low,
    High,
}

/// Three variants in two bits: one code is none of them.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum Light {
    Red,
    Amber,
    Green,
}

/// Five variants in three bits: three codes are none of them.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, HwEnum)]
pub enum Step {
    Fetch,
    Decode,
    Execute,
    Access,
    Retire,
}

const PHASES: [Phase; 2] = [Phase::Low, Phase::High];
const LIGHTS: [Light; 3] = [Light::Red, Light::Amber, Light::Green];
const STEPS: [Step; 5] = [Step::Fetch, Step::Decode, Step::Execute, Step::Access, Step::Retire];

/// Elaborates a circuit by itself, under the given name.
pub fn design(name: &str, circuit: &Arc<Circuit>) -> Result<Design, Diagnostics> {
    elaborate(Part::top(name, circuit))
}

/// One module of a circuit, as the language sees it.
#[derive(Clone)]
pub struct Part {
    name: String,
    circuit: Arc<Circuit>,
    unit: usize,
}

impl Part {
    /// The top module of a circuit; its name begins the names of all its modules.
    pub fn top(name: &str, circuit: &Arc<Circuit>) -> Part {
        Part { name: name.to_owned(), circuit: circuit.clone(), unit: circuit.modules.len() - 1 }
    }

    /// Another module of the same circuit.
    pub fn child(&self, unit: usize) -> Part {
        Part { unit, ..self.clone() }
    }

    /// What the module is made of.
    pub fn unit(&self) -> &Unit {
        &self.circuit.modules[self.unit]
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.name == other.name
            && self.unit == other.unit
            && (Arc::ptr_eq(&self.circuit, &other.circuit) || self.circuit == other.circuit)
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Part {{ circuit: {:?}, unit: {} }}", self.name, self.unit)
    }
}

/// Ports under names made at run time.
#[derive(Clone, Debug)]
pub struct Ports {
    /// Names and signals.
    pub inputs: Vec<(String, Sig)>,
    /// Names and signals.
    pub outputs: Vec<(String, Sig)>,
}

impl Bundle for Ports {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        let mut group = |ports: &[(String, Sig)]| {
            let each = ports
                .iter()
                .map(|(name, sig)| (name.clone(), path.field(name, "", |path| sig.map(path, f))));
            each.collect::<Vec<_>>()
        };
        Ports { inputs: group(&self.inputs), outputs: group(&self.outputs) }
    }
}

impl Module for Part {
    type Io = Ports;

    fn name(&self) -> String {
        if self.unit + 1 == self.circuit.modules.len() {
            self.name.clone()
        } else {
            format!("{}_unit{}", self.name, self.unit)
        }
    }

    fn build(&self) -> Ports {
        let unit = self.unit();
        let name = |letter: char, place: usize| format!("{letter}{place}");
        let io = ports(Ports {
            inputs: (unit.inputs.iter().enumerate())
                .map(|(place, (_, width))| (name('i', place), input(*width as usize)))
                .collect(),
            outputs: (unit.outputs.iter().enumerate())
                .map(|(place, out)| (name('o', place), output(out.width as usize)))
                .collect(),
        });
        let mut describe = Describe {
            part: self,
            values: HashMap::new(),
            memories: HashMap::new(),
            constants: HashMap::new(),
            ports: HashMap::new(),
        };
        for ((id, _), (_, sig)) in unit.inputs.iter().zip(&io.inputs) {
            describe.values.insert(*id, Hw::Sig(*sig));
        }
        for (Output { value, direct, .. }, (_, sig)) in unit.outputs.iter().zip(&io.outputs) {
            if *direct {
                describe.ports.insert(*value, *sig);
            }
        }
        unit.items.iter().for_each(|item| describe.item(item));
        for (out, (_, sig)) in unit.outputs.iter().zip(&io.outputs) {
            if !out.direct {
                sig.set(describe.sig(out.value));
            }
        }
        io
    }
}

/// A value as the language holds it.
#[derive(Clone, Copy)]
enum Hw {
    Sig(Sig),
    Phase(Enum<Phase>),
    Light(Enum<Light>),
    Step(Enum<Step>),
}

impl Hw {
    fn sig(self) -> Sig {
        match self {
            Hw::Sig(sig) => sig,
            Hw::Phase(held) => held.sig(),
            Hw::Light(held) => held.sig(),
            Hw::Step(held) => held.sig(),
        }
    }

    fn set_variant(self, variant: u32) {
        let variant = variant as usize;
        match self {
            Hw::Sig(sig) => sig.set(variant),
            Hw::Phase(held) => held.set(PHASES[variant]),
            Hw::Light(held) => held.set(LIGHTS[variant]),
            Hw::Step(held) => held.set(STEPS[variant]),
        }
    }

    fn is(self, variant: u32) -> Sig {
        let variant = variant as usize;
        match self {
            Hw::Sig(sig) => sig.eq(variant),
            Hw::Phase(held) => held.is(PHASES[variant]),
            Hw::Light(held) => held.is(LIGHTS[variant]),
            Hw::Step(held) => held.is(STEPS[variant]),
        }
    }
}

/// A module in the course of being described.
struct Describe<'a> {
    part: &'a Part,
    values: HashMap<Id, Hw>,
    memories: HashMap<MemId, Mem>,
    constants: HashMap<Id, BigUint>,
    /// Outputs that stand in the place of wires.
    ports: HashMap<Id, Sig>,
}

impl Describe<'_> {
    fn sig(&self, id: Id) -> Sig {
        self.values[&id].sig()
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Let { id, width, op, named } => {
                if let Op::Const(value) = op {
                    self.constants.insert(*id, value.clone());
                }
                let sig = self.operation(op, *width);
                let sig = if *named { sig.named(&format!("v{}", id.0)) } else { sig };
                self.values.insert(*id, Hw::Sig(sig));
            }
            Item::Reg { id, width, reset, kind } => {
                let name = format!("r{}", id.0);
                let hw = match kind {
                    None => Hw::Sig(reg(*width as usize).named(&name)),
                    Some(Kind::Phase) => Hw::Phase(reg(Phase::shape())),
                    Some(Kind::Light) => Hw::Light(reg(Light::shape())),
                    Some(Kind::Step) => Hw::Step(reg(Step::shape())),
                };
                hw.sig().named(&name);
                if let Some(value) = reset {
                    hw.sig().reset(&bits(value, *width));
                }
                self.values.insert(*id, hw);
            }
            Item::RegNext { id, next, .. } => {
                let sig = reg_next(&self.sig(*next)).named(&format!("r{}", id.0));
                self.values.insert(*id, Hw::Sig(sig));
            }
            Item::Wire { id, width, kind } => {
                let hw = match (self.ports.get(id), kind) {
                    (Some(port), _) => Hw::Sig(*port),
                    (None, None) => Hw::Sig(wire(*width as usize)),
                    (None, Some(Kind::Phase)) => Hw::Phase(wire(Phase::shape())),
                    (None, Some(Kind::Light)) => Hw::Light(wire(Light::shape())),
                    (None, Some(Kind::Step)) => Hw::Step(wire(Step::shape())),
                };
                if !self.ports.contains_key(id) {
                    hw.sig().named(&format!("w{}", id.0));
                }
                self.values.insert(*id, hw);
            }
            Item::Memory { mem, depth, width, init } => {
                let rows = init.iter().map(|row| bits(row, *width)).collect();
                let made = memory(*depth as usize, *width as usize).named(&format!("m{}", mem.0));
                self.memories.insert(*mem, made.init(rows));
            }
            Item::Read { id, mem, addr, enable, .. } => {
                let (mem, addr) = (self.memories[mem], self.sig(*addr));
                let sig = match enable {
                    None => mem.read_async(addr),
                    Some(enable) => mem.read_sync(addr, self.sig(*enable)),
                };
                self.values.insert(*id, Hw::Sig(sig.named(&format!("q{}", id.0))));
            }
            Item::Block(body) => self.statements(body),
            Item::Instance { unit, inputs, drive, outputs } => {
                let child = self.part.child(*unit);
                let inst = child.instance().named(&item.instance_name());
                for ((id, _), (_, sig)) in inputs.iter().zip(&inst.inputs) {
                    self.values.insert(*id, Hw::Sig(*sig));
                }
                self.statements(drive);
                for ((id, _), (_, sig)) in outputs.iter().zip(&inst.outputs) {
                    self.values.insert(*id, Hw::Sig(*sig));
                }
            }
        }
    }

    fn statements(&self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.statement(stmt));
    }

    fn statement(&self, stmt: &Stmt) {
        match stmt {
            Stmt::Set { target, part, value } => {
                let (target, value) = (self.sig(*target), self.sig(*value));
                match part {
                    None => target.set(value),
                    Some((lo, width)) => {
                        target.bits(*lo as usize..(lo + width) as usize).set(value);
                    }
                }
            }
            Stmt::SetVariant { target, variant, .. } => self.values[target].set_variant(*variant),
            Stmt::When { arms, otherwise } => {
                let (cond, body) = &arms[0];
                let mut chain = when(self.sig(*cond), || self.statements(body));
                for (cond, body) in &arms[1..] {
                    chain = chain.elsewhen(self.sig(*cond), || self.statements(body));
                }
                if let Some(body) = otherwise {
                    chain.otherwise(|| self.statements(body));
                }
            }
            Stmt::Switch { subject, kind: None, arms, default } => {
                switch(self.sig(*subject), |s| self.arms(s, |label| label, arms, default));
            }
            Stmt::Switch { subject, kind: Some(_), arms, default } => match self.values[subject] {
                Hw::Sig(subject) => switch(subject, |s| self.arms(s, |label| label, arms, default)),
                Hw::Phase(subject) => {
                    switch(subject, |s| {
                        self.arms(s, |label| PHASES[label as usize], arms, default)
                    });
                }
                Hw::Light(subject) => {
                    switch(subject, |s| {
                        self.arms(s, |label| LIGHTS[label as usize], arms, default)
                    });
                }
                Hw::Step(subject) => {
                    switch(subject, |s| self.arms(s, |label| STEPS[label as usize], arms, default));
                }
            },
            Stmt::Write { mem, addr, data, mask } => {
                let (mem, addr, data) = (self.memories[mem], self.sig(*addr), self.sig(*data));
                match mask {
                    None => mem.write(addr, data),
                    Some(mask) => mem.write_masked(addr, data, self.sig(*mask)),
                }
            }
        }
    }

    fn arms<S: hdl::Subject>(
        &self,
        s: &mut Switch<S>,
        label: impl Fn(u64) -> S::Label,
        arms: &[(Vec<u64>, Vec<Stmt>)],
        default: &Option<Vec<Stmt>>,
    ) {
        for (labels, body) in arms {
            let labels: Vec<S::Label> = labels.iter().map(|&value| label(value)).collect();
            s.case(&labels[..], || self.statements(body));
        }
        if let Some(body) = default {
            s.default(|| self.statements(body));
        }
    }

    /// The constant behind a value, if it is one that is written as a number.
    fn number(&self, id: Id) -> Option<i64> {
        i64::try_from(self.constants.get(&id)?).ok()
    }

    fn operation(&self, op: &Op, width: u32) -> Sig {
        let width = width as usize;
        match op {
            Op::Const(value) => constant(&bits(value, width as u32)),
            Op::Unary(op, a) => unary(*op, self.sig(*a)),
            Op::Binary(op, a, b) => match self.number(*b) {
                Some(number) => binary(*op, self.sig(*a), number),
                None => binary(*op, self.sig(*a), self.sig(*b)),
            },
            Op::Mul(a, b) => self.sig(*a) * self.sig(*b),
            Op::Shift(op, a, by) => shift(*op, self.sig(*a), self.sig(*by)),
            Op::ShiftBy(op, a, by) => shift(*op, self.sig(*a), *by),
            Op::Mux(select, a, b) => self.sig(*select).mux(self.sig(*a), self.sig(*b)),
            Op::Slice(a, lo) if width == 1 => self.sig(*a).bit(*lo as usize),
            Op::Slice(a, lo) => self.sig(*a).bits(*lo as usize..*lo as usize + width),
            Op::At(a, index) => self.sig(*a).at(self.sig(*index)),
            Op::Cat(parts) => cat(parts.iter().map(|&part| self.sig(part))),
            Op::Repeat(a, count) => self.sig(*a).repeat(*count as usize),
            Op::Zext(a) => self.sig(*a).zext(width),
            Op::Sext(a) => self.sig(*a).sext(width),
            Op::Trunc(a) => self.sig(*a).trunc(width),
            Op::Select(index, items) => {
                let items: Vec<Sig> = items.iter().map(|&item| self.sig(item)).collect();
                select(self.sig(*index), &items)
            }
            Op::Is(a, _, variant) => self.values[a].is(*variant),
        }
    }
}

/// The constant in the language's terms.
pub fn bits(value: &BigUint, width: u32) -> Bits {
    Bits::from_words(width, &to_words(value, width))
}

fn unary(op: Unary, a: Sig) -> Sig {
    match op {
        Unary::Not => !a,
        Unary::Neg => -a,
        Unary::All => a.all(),
        Unary::Any => a.any(),
        Unary::None => a.none(),
        Unary::Parity => a.parity(),
    }
}

fn binary(op: Binary, a: Sig, b: impl hdl::Operand) -> Sig {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::AddWide => a.add_wide(b),
        Binary::Eq => a.eq(b),
        Binary::Ne => a.ne(b),
        Binary::Lt => a.lt(b),
        Binary::Le => a.le(b),
        Binary::Gt => a.gt(b),
        Binary::Ge => a.ge(b),
        Binary::LtSigned => a.lt_signed(b),
        Binary::LeSigned => a.le_signed(b),
        Binary::GtSigned => a.gt_signed(b),
        Binary::GeSigned => a.ge_signed(b),
    }
}

fn shift(op: Shift, a: Sig, by: impl hdl::ShiftAmount) -> Sig {
    match op {
        Shift::Left => a << by,
        Shift::Right => a >> by,
        Shift::Arithmetic => a.sra(by),
    }
}
