//! The name of everything in a module: what the source asked for, made unique and legal.
//!
//! Names asked for exactly come first and are had unchanged. Names taken from `let` come in source
//! order; one that is taken already gets the next free number, so a change in one place renames
//! nothing that is called otherwise.

use crate::index::{Absent, Index};
use crate::ir::{Design, InstId, MemId, Module, Name, NodeId, Op, Stmt};
use crate::keywords::{is_identifier, is_reserved};
use crate::text::put_number;

const NONE: u32 = u32::MAX;

/// All names of one module.
pub(crate) struct Names {
    pool: Pool,
    nodes: Vec<u32>,
    memories: Vec<u32>,
    instances: Vec<u32>,
}

/// The names taken so far, each once, one behind the other.
#[derive(Default)]
struct Pool {
    text: String,
    taken: Vec<Taken>,
    /// Finds those that do not end in a number given here.
    index: Index,
    /// A name in the making.
    numbered: String,
}

struct Taken {
    /// Where it ends in `text`.
    end: u32,
    /// The number that was last put behind it.
    last: u32,
}

impl Names {
    /// Names everything that has, or by its nature needs, a name.
    pub fn of(design: &Design, module: &Module) -> Names {
        let mut names = Names {
            pool: Pool::with_room_for(module.nodes.len() / 2),
            nodes: vec![NONE; module.nodes.len()],
            memories: vec![NONE; module.memories.len()],
            instances: vec![NONE; module.instances.len()],
        };
        for stmt in &module.body {
            stmt.visit(&mut |stmt| {
                if let Stmt::Property { label, .. } = stmt {
                    names.pool.take(label);
                }
            });
        }
        for exact in [true, false] {
            let given = |name: Option<Name>| {
                name.filter(|name| name.is_exact() == exact)
                    .map(|name| module.names[name.index()].as_str())
            };
            for (index, instance) in module.instances.iter().enumerate() {
                if let Some(name) = given(instance.name) {
                    names.instances[index] = names.pool.claim(name, exact);
                }
            }
            for (index, memory) in module.memories.iter().enumerate() {
                if let Some(name) = given(memory.name) {
                    names.memories[index] = names.pool.claim(name, exact);
                }
            }
            for (index, node) in module.nodes.iter().enumerate() {
                if let Some(name) = given(node.name) {
                    // `let count = reg(…)` behind a port `count` is common: say what it is.
                    let register = !exact && node.op.is_state() && names.pool.is_taken(name);
                    let name = if register { &format!("{name}_reg") } else { name };
                    names.nodes[index] = names.pool.claim(name, exact);
                }
            }
        }
        for (index, instance) in module.instances.iter().enumerate() {
            let child = &design.modules[instance.module.index()];
            if names.instances[index] == NONE {
                names.instances[index] = names.pool.fresh(&child.name);
            }
            for (port, &node) in child.ports.iter().zip(&instance.connections) {
                if names.nodes[node.index()] == NONE {
                    let port = child.given_name(port.node).unwrap_or("port");
                    let name = format!("{}_{port}", names.pool.get(names.instances[index]));
                    names.nodes[node.index()] = names.pool.fresh(&name);
                }
            }
        }
        for index in 0..module.memories.len() {
            if names.memories[index] == NONE {
                names.memories[index] = names.pool.fresh("memory");
            }
        }
        // Each read port is one node.
        if !module.reads.is_empty() {
            for (index, node) in module.nodes.iter().enumerate() {
                if let (Op::MemRead(read), NONE) = (node.op, names.nodes[index]) {
                    let name = format!("{}_data", names.memory(module.reads[read as usize].mem));
                    names.nodes[index] = names.pool.fresh(&name);
                }
            }
        }
        names
    }

    /// `wanted`, or `wanted_2`, `wanted_3` … whichever is free first; it is taken from now on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let number = self.pool.fresh(wanted);
        self.pool.get(number).to_owned()
    }

    /// Names a node that has no name, by what it computes.
    pub fn name_node(&mut self, id: NodeId, wanted: &str) {
        self.nodes[id.index()] = self.pool.fresh(wanted);
    }

    /// The node's name.
    pub fn node(&self, id: NodeId) -> Option<&str> {
        match self.nodes[id.index()] {
            NONE => None,
            number => Some(self.pool.get(number)),
        }
    }

    /// The memory's name.
    pub fn memory(&self, id: MemId) -> &str {
        self.pool.get(self.memories[id.index()])
    }

    /// The instance's name.
    pub fn instance(&self, id: InstId) -> &str {
        self.pool.get(self.instances[id.index()])
    }
}

impl Pool {
    fn with_room_for(names: usize) -> Pool {
        let text = String::with_capacity(8 * names);
        Pool { text, taken: Vec::with_capacity(names), ..Pool::default() }
    }

    fn get(&self, number: u32) -> &str {
        let start = match number.checked_sub(1) {
            Some(before) => self.taken[before as usize].end,
            None => 0,
        };
        &self.text[start as usize..self.taken[number as usize].end as usize]
    }

    fn find(&self, name: &str) -> Result<u32, Absent> {
        self.index.find(name, |number| self.get(number))
    }

    fn is_taken(&self, name: &str) -> bool {
        self.find(name).is_ok() || self.is_numbered(name)
    }

    /// Whether the name was made of another one and a number. Such names are not in the index: all
    /// numbers up to the last one are taken.
    fn is_numbered(&self, name: &str) -> bool {
        let number = name.rsplit_once('_').filter(|(_, digits)| !digits.starts_with('0'));
        let base = number.and_then(|(base, digits)| Some((base, digits.parse::<u32>().ok()?)));
        base.is_some_and(|(base, number)| {
            let last = self.find(base).map_or(1, |base| self.taken[base as usize].last);
            (2..=last).contains(&number)
        })
    }

    fn add(&mut self, name: &str) -> u32 {
        self.text += name;
        let end = u32::try_from(self.text.len()).expect("less than 4 GiB of names in one module");
        self.taken.push(Taken { end, last: 1 });
        self.taken.len() as u32 - 1
    }

    fn add_to_index(&mut self, name: &str, absent: Absent) -> u32 {
        let number = self.add(name);
        self.index.insert(absent, number);
        number
    }

    fn claim(&mut self, wanted: &str, exact: bool) -> u32 {
        if exact { self.take(wanted) } else { self.fresh(wanted) }
    }

    /// `wanted`, also if it is taken.
    fn take(&mut self, wanted: &str) -> u32 {
        self.find(wanted).unwrap_or_else(|absent| self.add_to_index(wanted, absent))
    }

    fn fresh(&mut self, wanted: &str) -> u32 {
        let base = match self.find(wanted) {
            Ok(base) => base,
            Err(_) if !is_identifier(wanted) => {
                // Rust allows letters that Verilog does not.
                let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
                return self.fresh(&format!("_{}", wanted.chars().map(legal).collect::<String>()));
            }
            Err(absent) => {
                let is_free = !is_reserved(wanted) && !self.is_numbered(wanted);
                let base = self.add_to_index(wanted, absent);
                if is_free {
                    return base;
                }
                base
            }
        };
        let mut name = std::mem::take(&mut self.numbered);
        let mut number = self.taken[base as usize].last;
        loop {
            number += 1;
            name.clear();
            add!(name, wanted, "_");
            put_number(&mut name, number.into());
            if self.find(&name).is_err() {
                break;
            }
        }
        self.taken[base as usize].last = number;
        let fresh = self.add(&name);
        self.numbered = name;
        fresh
    }
}
