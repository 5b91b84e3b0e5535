//! Many circuits in one design, so that one build serves all of them.

use std::fmt;
use std::sync::Arc;

use hdl::ir::{Design, Direction};
use hdl::{Bundle as _, Diagnostics, Module, Sig, elaborate, input, output, ports};

use crate::circuit::Circuit;
use crate::circuit::build::{Part, Ports};

/// The name of the module around all circuits.
pub const TOP: &str = "pack";

/// A circuit and the number it goes by in every pack it is part of.
#[derive(Clone, Debug)]
pub struct Member {
    /// Names its ports: `c<number>_…`.
    pub number: usize,
    /// The circuit.
    pub circuit: Arc<Circuit>,
}

/// A port of the pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its width.
    pub width: u32,
}

/// A pack, elaborated and written as Verilog: what simulators are given.
#[derive(Clone)]
pub struct Subject {
    /// The circuits, in the order of their ports.
    pub members: Vec<Member>,
    /// The elaborated pack.
    pub design: Arc<Design>,
    /// File names and Verilog.
    pub files: Vec<(String, String)>,
    /// Inputs without clock and reset.
    pub inputs: Vec<Port>,
    /// Outputs.
    pub outputs: Vec<Port>,
    /// The member that each output belongs to.
    pub owners: Vec<usize>,
    /// Whether the pack has a `clk`.
    pub has_clock: bool,
    /// Whether the pack has a `rst`.
    pub has_reset: bool,
}

impl Subject {
    /// Elaborates the circuits together.
    pub fn new(members: &[Member]) -> Result<Subject, Diagnostics> {
        let design = elaborate(Pack { members: members.to_vec() })?;
        let files = design
            .verilog(&["Random circuits of the differential tests."])
            .into_iter()
            .map(|file| (file.name, file.text))
            .collect();
        let top = design.top();
        let list = |direction| -> Vec<Port> {
            let chosen = top.ports.iter().filter(|port| port.direction == direction);
            let named = chosen.map(|port| Port {
                name: top.given_name(port.node).expect("ports have names").to_owned(),
                width: top.node(port.node).width,
            });
            named.collect()
        };
        let owners = (members.iter().enumerate())
            .flat_map(|(place, member)| vec![place; member.circuit.top().outputs.len()])
            .collect();
        Ok(Subject {
            members: members.to_vec(),
            files,
            inputs: list(Direction::Input),
            outputs: list(Direction::Output),
            owners,
            has_clock: top.needs_clock,
            has_reset: top.needs_reset,
            design: Arc::new(design),
        })
    }

    /// All files, one after the other.
    pub fn verilog(&self) -> String {
        self.files.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

#[derive(Clone)]
struct Pack {
    members: Vec<Member>,
}

impl PartialEq for Pack {
    fn eq(&self, other: &Pack) -> bool {
        let pairs = self.members.iter().zip(&other.members);
        self.members.len() == other.members.len()
            && pairs.into_iter().all(|(a, b)| a.number == b.number && a.circuit == b.circuit)
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<usize> = self.members.iter().map(|member| member.number).collect();
        write!(f, "Pack {{ circuits: {numbers:?} }}")
    }
}

impl Module for Pack {
    type Io = Ports;

    fn name(&self) -> String {
        TOP.into()
    }

    fn build(&self) -> Ports {
        let mut declared = Ports { inputs: Vec::new(), outputs: Vec::new() };
        for Member { number, circuit } in &self.members {
            for (place, (_, width)) in circuit.top().inputs.iter().enumerate() {
                let name = format!("c{number}_i{place}");
                declared.inputs.push((name, input(*width as usize)));
            }
            for (place, out) in circuit.top().outputs.iter().enumerate() {
                declared.outputs.push((format!("c{number}_o{place}"), output(out.width as usize)));
            }
        }
        let io = ports(declared);
        let mut inputs = io.inputs.iter();
        let mut outputs = io.outputs.iter();
        for Member { number, circuit } in &self.members {
            let name = format!("c{number}");
            let inst = Part::top(&name, circuit).instance().named(&name);
            let drive = |to: &Sig, from: &Sig| to.drive(from);
            inst.inputs.iter().zip(&mut inputs).for_each(|((_, to), (_, from))| drive(to, from));
            inst.outputs.iter().zip(&mut outputs).for_each(|((_, from), (_, to))| drive(to, from));
        }
        io
    }
}
