//! Which outputs of each module are needed when some outputs of the top are left open.
//!
//! The machine exports what it does for models that watch it. A board leaves those ports open, and
//! what only they need is not built. Modules are synthesized one by one, so that has to be known for
//! each of them beforehand: from the top down, an output is needed if any instance's is.

use hdl::ir::{Design, Direction, Module, NodeId, Op, Stmt};

/// For each module of the design, for each of its ports: whether it is needed. Inputs always are.
pub fn ports(design: &Design, is_open: impl Fn(&str) -> bool) -> Vec<Vec<bool>> {
    let inputs = |module: &Module| {
        module.ports.iter().map(|port| port.direction == Direction::Input).collect()
    };
    let mut needed: Vec<Vec<bool>> = design.modules.iter().map(inputs).collect();
    let top = design.top();
    for (port, needed) in top.ports.iter().zip(&mut needed[design.top.index()]) {
        *needed |= !is_open(top.given_name(port.node).unwrap_or_default());
    }
    // Children come before their parents.
    for index in (0..design.modules.len()).rev() {
        let module = &design.modules[index];
        let live = live(module, &needed[index]);
        for instance in &module.instances {
            let of_child = &mut needed[instance.module.index()];
            for (needed, node) in of_child.iter_mut().zip(&instance.connections) {
                *needed |= live[node.index()];
            }
        }
    }
    needed
}

/// Whether each node of a module has to do with the ports that are needed.
pub fn live(module: &Module, needed: &[bool]) -> Vec<bool> {
    let drivers = Drivers::of(module);
    let outputs = module.ports.iter().zip(needed);
    let outputs = outputs
        .filter(|(port, needed)| **needed && port.direction == Direction::Output)
        .map(|(port, _)| port.node);
    let mut pending: Vec<NodeId> = outputs.collect();
    let mut live = vec![false; module.nodes.len()];
    while let Some(id) = pending.pop() {
        if std::mem::replace(&mut live[id.index()], true) {
            continue;
        }
        match module.node(id).op {
            Op::InstOut(instance, _) => {
                let connections = module.instances[instance.index()].connections.iter();
                let is_input = |id: &&NodeId| matches!(module.node(**id).op, Op::InstIn(..));
                pending.extend(connections.filter(is_input));
            }
            Op::MemRead(read) => {
                let read = &module.reads[read as usize];
                pending.push(read.addr);
                pending.extend(read.sync);
                pending.extend(&drivers.of_memory[read.mem.index()]);
            }
            op if op.is_driven() => pending.extend(&drivers.of_node[id.index()]),
            _ => pending.extend(module.operands_of(id)),
        }
    }
    live
}

/// What statements make of what.
struct Drivers {
    of_node: Vec<Vec<NodeId>>,
    of_memory: Vec<Vec<NodeId>>,
}

impl Drivers {
    fn of(module: &Module) -> Self {
        let mut drivers = Self {
            of_node: vec![Vec::new(); module.nodes.len()],
            of_memory: vec![Vec::new(); module.memories.len()],
        };
        drivers.collect(&module.body, &mut Vec::new());
        drivers
    }

    /// Properties are left out: synthesis does without them.
    fn collect(&mut self, body: &[Stmt], under: &mut Vec<NodeId>) {
        for statement in body {
            match statement {
                Stmt::Assign { target, value, .. } => {
                    let list = &mut self.of_node[target.index()];
                    list.push(*value);
                    list.extend(under.iter());
                }
                Stmt::When { cond, then, otherwise, .. } => {
                    under.push(*cond);
                    self.collect(then, under);
                    self.collect(otherwise, under);
                    under.pop();
                }
                Stmt::Switch { subject, arms, default, .. } => {
                    under.push(*subject);
                    arms.iter().for_each(|arm| self.collect(&arm.body, under));
                    self.collect(default.as_deref().unwrap_or_default(), under);
                    under.pop();
                }
                Stmt::MemWrite { mem, addr, data, mask, .. } => {
                    let list = &mut self.of_memory[mem.index()];
                    list.extend([*addr, *data]);
                    list.extend(mask);
                    list.extend(under.iter());
                }
                Stmt::Property { .. } => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Config;
    use units::Place;

    fn needed_of(open: &[String]) -> (Design, Vec<Vec<bool>>) {
        let design = units::design_for(Place::Board, &Config::default(), "soc").unwrap();
        let needed = ports(&design, |name| open.iter().any(|open| name.starts_with(open.as_str())));
        (design, needed)
    }

    fn is_needed((design, needed): &(Design, Vec<Vec<bool>>), unit: &str, port: &str) -> bool {
        let index = design.modules.iter().position(|module| module.name.starts_with(unit)).unwrap();
        let module = &design.modules[index];
        let named = |id| module.given_name(id) == Some(port);
        let port = module.ports.iter().position(|other| named(other.node)).unwrap();
        needed[index][port]
    }

    #[test]
    fn what_only_an_open_port_needs_is_not_needed() {
        let found =
            needed_of(&units::soc::exports(&units::features::observers(&Config::default())));
        assert!(!is_needed(&found, "soc", "rvfi_insn_0"));
        assert!(!is_needed(&found, "hart_", "rvfi_insn"), "through the core down to the hart");
        assert!(!is_needed(&found, "comm_monitor", "tap_edge_sink_pc"));
        assert!(is_needed(&found, "comm_monitor", "irq"), "software sees interrupts");
        assert!(is_needed(&found, "alu", "result"));
    }

    #[test]
    fn without_open_ports_everything_is_needed_that_anything_uses() {
        let found = needed_of(&[]);
        assert!(is_needed(&found, "hart_", "rvfi_insn"));
        assert!(is_needed(&found, "comm_monitor", "tap_edge_sink_pc"));
    }
}
