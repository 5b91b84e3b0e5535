//! The name of everything in a module: what the source asked for, made unique and legal.
//!
//! Names asked for exactly come first and are had unchanged. Names taken from `let` come in source
//! order; one that is taken already gets the next free number, so a change in one place renames
//! nothing that is called otherwise.

use std::collections::HashMap;

use crate::ir::{Design, InstId, MemId, Module, Name, NodeId, Op, Stmt};
use crate::keywords::{is_identifier, is_reserved};

const NONE: u32 = u32::MAX;

/// All names of one module.
pub(crate) struct Names {
    strings: Vec<String>,
    nodes: Vec<u32>,
    memories: Vec<u32>,
    instances: Vec<u32>,
    /// How often each name was asked for; what is in here is taken.
    taken: HashMap<String, u32>,
}

impl Names {
    /// Names everything that has, or by its nature needs, a name.
    pub fn of(design: &Design, module: &Module) -> Names {
        let mut names = Names {
            strings: Vec::new(),
            nodes: vec![NONE; module.nodes.len()],
            memories: vec![NONE; module.memories.len()],
            instances: vec![NONE; module.instances.len()],
            taken: HashMap::new(),
        };
        for stmt in &module.body {
            stmt.visit(&mut |stmt| {
                if let Stmt::Property { label, .. } = stmt {
                    names.take(label);
                }
            });
        }
        for exact in [true, false] {
            let given = |name: Option<Name>| {
                name.filter(|name| name.exact == exact)
                    .map(|name| module.names[name.index as usize].as_str())
            };
            for (index, instance) in module.instances.iter().enumerate() {
                if let Some(name) = given(instance.name) {
                    names.instances[index] = names.claim(name, exact);
                }
            }
            for (index, memory) in module.memories.iter().enumerate() {
                if let Some(name) = given(memory.name) {
                    names.memories[index] = names.claim(name, exact);
                }
            }
            for (index, node) in module.nodes.iter().enumerate() {
                if let Some(name) = given(node.name) {
                    // `let count = reg(…)` behind a port `count` is common: say what it is.
                    let register = !exact && node.op == Op::Reg && names.taken.contains_key(name);
                    let name = if register { &format!("{name}_reg") } else { name };
                    names.nodes[index] = names.claim(name, exact);
                }
            }
        }
        for (index, instance) in module.instances.iter().enumerate() {
            let child = &design.modules[instance.module.index()];
            if names.instances[index] == NONE {
                names.instances[index] = names.claim(&child.name, false);
            }
            for (port, &node) in child.ports.iter().zip(&instance.connections) {
                if names.nodes[node.index()] == NONE {
                    let port = child.given_name(port.node).unwrap_or("port");
                    let name = format!("{}_{port}", names.strings[names.instances[index] as usize]);
                    names.nodes[node.index()] = names.claim(&name, false);
                }
            }
        }
        for index in 0..module.memories.len() {
            if names.memories[index] == NONE {
                names.memories[index] = names.claim("memory", false);
            }
        }
        for (index, node) in module.nodes.iter().enumerate() {
            if let (Op::MemRead(read), NONE) = (node.op, names.nodes[index]) {
                let name = format!("{}_data", names.memory(module.reads[read as usize].mem));
                names.nodes[index] = names.claim(&name, false);
            }
        }
        names
    }

    fn claim(&mut self, wanted: &str, exact: bool) -> u32 {
        let name = if exact { self.take(wanted) } else { self.fresh(wanted) };
        self.strings.push(name);
        self.strings.len() as u32 - 1
    }

    fn take(&mut self, wanted: &str) -> String {
        self.taken.entry(wanted.to_owned()).or_insert(1);
        wanted.to_owned()
    }

    /// `wanted`, or `wanted_2`, `wanted_3` … whichever is free first; it is taken from now on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        // Rust allows letters that Verilog does not.
        let legal: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let wanted = if is_identifier(wanted) { wanted } else { &format!("_{legal}") };
        if !is_reserved(wanted) && !self.taken.contains_key(wanted) {
            self.taken.insert(wanted.to_owned(), 1);
            return wanted.to_owned();
        }
        let mut number = self.taken.get(wanted).copied().unwrap_or(1);
        let name = loop {
            number += 1;
            let name = format!("{wanted}_{number}");
            if !self.taken.contains_key(&name) {
                break name;
            }
        };
        self.taken.insert(name.clone(), 1);
        match self.taken.get_mut(wanted) {
            Some(last) => *last = number,
            None => drop(self.taken.insert(wanted.to_owned(), number)),
        }
        name
    }

    /// Names a node that has no name, by what it computes.
    pub fn name_node(&mut self, id: NodeId, wanted: &str) {
        self.nodes[id.index()] = self.claim(wanted, false);
    }

    /// The node's name.
    pub fn node(&self, id: NodeId) -> Option<&str> {
        match self.nodes[id.index()] {
            NONE => None,
            index => Some(&self.strings[index as usize]),
        }
    }

    /// The memory's name.
    pub fn memory(&self, id: MemId) -> &str {
        &self.strings[self.memories[id.index()] as usize]
    }

    /// The instance's name.
    pub fn instance(&self, id: InstId) -> &str {
        &self.strings[self.instances[id.index()] as usize]
    }
}
