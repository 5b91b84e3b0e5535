//! Circuits described in the language under test.

mod held;
mod operation;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use hdl::ir::Design;
use hdl::{
    Bits, Bundle, Diagnostics, HwEnum, Leaf, Mem, Module, Path, Sig, Switch, elaborate, input,
    memory, output, ports, reg, reg_next, switch, when, wire,
};
use num_bigint::BigUint;

use super::{Circuit, Id, Item, Kind, MemId, Op, Output, Stmt, Unit, to_words};
use held::{Hw, LIGHTS, PHASES, STEPS};
pub use held::{Light, Phase, Step};

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
}

/// The constant in the language's terms.
pub fn bits(value: &BigUint, width: u32) -> Bits {
    Bits::from_words(width, &to_words(value, width))
}
