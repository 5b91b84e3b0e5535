//! A module's text: ports, declarations, behaviour, instances.

use super::expr::{literal, part, range};
use super::plan::Plan;
use crate::bits::Bits;
use crate::ir::{Design, Direction, InstId, MemId, Module, NodeId, Op};
use crate::names::Names;

/// Everything after the header.
pub(crate) fn text(design: &Design, module: &Module) -> String {
    let mut plan = Plan::new(module, Names::of(design, module));
    // The behaviour first: what it reads and which enum variants it names shape the declarations.
    let declarations = plan.declarations();
    let behaviour = plan.behaviour(design);
    let unused = plan.unused();

    let mut out = String::with_capacity(declarations.len() + behaviour.len() + 1024);
    out += "`default_nettype none\n\n";
    for line in module.doc.lines() {
        out += format!("// {line}").trim_end();
        out.push('\n');
    }
    plan.header(&mut out);
    for (def, code, name) in plan.localparams.clone() {
        put!(&mut out, "  localparam {}{name} = {}'d{code};\n", range(def.width()), def.width());
    }
    if !plan.localparams.is_empty() {
        out.push('\n');
    }
    out += &declarations;
    out += &behaviour;
    out += &unused;
    out += "endmodule\n\n`default_nettype wire\n";
    out
}

impl<'a> Plan<'a> {
    /// The doc comment of each node.
    fn docs(&self) -> Vec<Option<&'a str>> {
        let mut docs = vec![None; self.module.nodes.len()];
        for (node, doc) in &self.module.docs {
            docs[node.index()] = Some(doc.as_str());
        }
        docs
    }

    fn header(&self, out: &mut String) {
        let module = self.module;
        let docs = self.docs();
        let mut ports: Vec<(String, Option<&str>)> = Vec::new();
        if module.needs_clock {
            ports.push(("input  wire clk".into(), None));
        }
        if module.needs_reset {
            ports.push(("input  wire rst".into(), None));
        }
        for port in &module.ports {
            let direction = match port.direction {
                Direction::Input => "input ",
                Direction::Output => "output",
            };
            let width = module.node(port.node).width;
            ports.push((
                format!("{direction} wire {}{}", range(width), self.name(port.node)),
                docs[port.node.index()],
            ));
        }
        if ports.is_empty() {
            put!(out, "module {};\n\n", module.name);
            return;
        }
        put!(out, "module {} (\n", module.name);
        let last = ports.len() - 1;
        for (place, (port, doc)) in ports.into_iter().enumerate() {
            comment(out, doc, "    ");
            put!(out, "    {port}{}\n", if place == last { "" } else { "," });
        }
        *out += ");\n\n";
    }

    /// Registers, memories, wires and named values, in source order.
    fn declarations(&mut self) -> String {
        let mut out = String::new();
        let module = self.module;
        for (index, memory) in module.memories.iter().enumerate() {
            if !self.live_memory[index] {
                continue;
            }
            comment(&mut out, Some(memory.doc).filter(|doc| !doc.is_empty()), "  ");
            let name = self.names.memory(MemId(index as u32));
            let rows = memory.depth - 1;
            if memory.collisions_ignored {
                // Yosys, Quartus and Vivado each have their own word for it.
                out += "  (* no_rw_check, ramstyle = \"no_rw_check\", rw_addr_collision = \"no\" *)\n";
            }
            put!(
                &mut out,
                "  reg {}{name} [0:{rows}]; // {}:{}\n",
                range(memory.width),
                memory.loc.file(),
                memory.loc.line()
            );
        }
        let docs = self.docs();
        for (index, &doc) in docs.iter().enumerate() {
            let id = NodeId(index as u32);
            if !self.declared[index] || !self.live[index] {
                continue;
            }
            let node = *module.node(id);
            let bits = range(node.width);
            let sync =
                matches!(node.op, Op::MemRead(read) if module.reads[read as usize].sync.is_some());
            match node.op {
                Op::Input | Op::Output => {}
                _ if node.op == Op::Reg || sync => {
                    comment(&mut out, doc, "  ");
                    let name = self.name(id);
                    put!(
                        &mut out,
                        "  reg {bits}{name}; // {}:{}\n",
                        node.loc.file(),
                        node.loc.line()
                    );
                    if self.resets[index].is_none() {
                        put!(
                            &mut out,
                            "  initial {name} = {};\n",
                            literal(&Bits::zero(node.width))
                        );
                    }
                }
                Op::Wire | Op::InstIn(..) | Op::InstOut(..) => {
                    comment(&mut out, doc, "  ");
                    put!(&mut out, "  wire {bits}{};\n", self.name(id));
                }
                _ => {
                    comment(&mut out, doc, "  ");
                    let left = format!("  wire {bits}{} = ", self.name(id));
                    let right = self.definition(id, left.len());
                    put!(&mut out, "{left}{right};\n");
                }
            }
        }
        for (index, memory) in module.memories.iter().enumerate() {
            if self.live_memory[index] {
                self.initial(
                    &mut out,
                    MemId(index as u32),
                    memory.depth,
                    memory.width,
                    &memory.init,
                );
            }
        }
        out
    }

    fn initial(&mut self, out: &mut String, mem: MemId, depth: u32, width: u32, rows: &[Bits]) {
        let name = self.names.memory(mem).to_owned();
        let row = self.names.fresh(&format!("{name}_row"));
        let zero = literal(&Bits::zero(width));
        put!(out, "\n  integer {row};\n  initial begin\n");
        put!(out, "    for ({row} = 0; {row} < {depth}; {row} = {row} + 1) begin\n");
        put!(out, "      {name}[{row}] = {zero};\n    end\n");
        for (index, value) in rows.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
            put!(out, "    {name}[{index}] = {};\n", literal(value));
        }
        *out += "  end\n";
    }

    fn behaviour(&mut self, design: &Design) -> String {
        let mut out = String::new();
        let module = self.module;
        let mut driven = Vec::new();
        for index in 0..module.nodes.len() {
            let id = NodeId(index as u32);
            let op = module.node(id).op;
            if op.is_driven() && op != Op::Reg && self.live[index] && self.declared[index] {
                // In the order of the source: by the first statement that drives it.
                driven.push((self.sites.tops(id).first().copied().unwrap_or(u32::MAX), id));
            }
        }
        driven.sort_unstable();
        if !driven.is_empty() && self.declared_anything() {
            out.push('\n');
        }
        for (_, id) in driven {
            for line in self.drivers(id) {
                out += &line;
                out.push('\n');
            }
        }
        for index in 0..module.memories.len() {
            if self.live_memory[index] {
                self.memory_blocks(&mut out, MemId(index as u32));
            }
        }
        self.register_blocks(&mut out);
        for index in 0..module.instances.len() {
            self.instance(&mut out, design, InstId(index as u32));
        }
        self.property_block(&mut out);
        out
    }

    fn declared_anything(&self) -> bool {
        let shown = |id: &NodeId| {
            self.declared[id.index()] && !matches!(self.module.node(*id).op, Op::Input | Op::Output)
        };
        (0..self.module.nodes.len() as u32).map(NodeId).any(|id| shown(&id))
    }

    fn instance(&mut self, out: &mut String, design: &Design, id: InstId) {
        let module = self.module;
        let instance = &module.instances[id.index()];
        let child = &design.modules[instance.module.index()];
        let mut connections = Vec::new();
        if child.needs_clock {
            connections.push("    .clk(clk)".to_owned());
        }
        if child.needs_reset {
            connections.push("    .rst(rst)".to_owned());
        }
        for (port, &node) in child.ports.iter().zip(&instance.connections) {
            let port = child.given_name(port.node).expect("a port has a name");
            let value = match (self.declared[node.index()], self.sites.sole_value(node)) {
                (false, Some(value)) => {
                    let lead = port.len() + 6;
                    self.layout(value, lead)
                }
                _ => {
                    // Inside, the instance reads its inputs; outputs count only where they are read.
                    if let Op::InstIn(..) = module.node(node).op {
                        self.note_read(node, 0, module.node(node).width);
                    }
                    self.name(node).to_owned()
                }
            };
            connections.push(format!("    .{port}({value})"));
        }
        let name = self.names.instance(id);
        if connections.is_empty() {
            put!(out, "\n  {} {name} ();\n", child.name);
        } else {
            put!(out, "\n  {} {name} (\n{}\n  );\n", child.name, connections.join(",\n"));
        }
    }

    /// A wire that reads what nothing else does, so that lint need not be told to look away.
    fn unused(&mut self) -> String {
        let module = self.module;
        let mut parts = Vec::new();
        for index in 0..module.nodes.len() {
            let id = NodeId(index as u32);
            let node = module.node(id);
            if !self.declared[index] || !self.live[index] || node.op == Op::Output {
                continue;
            }
            let name = self.name(id);
            parts.extend(
                self.unread(id).into_iter().map(|(lo, hi)| part(name, lo, hi - lo, node.width)),
            );
        }
        if parts.is_empty() {
            return String::new();
        }
        let unused = self.names.fresh("unused");
        let list = parts.iter().map(|part| format!("    {part}")).collect::<Vec<_>>().join(",\n");
        format!("\n  // Bits that nothing reads.\n  wire {unused} = &{{1'b0,\n{list}\n  }};\n")
    }
}

fn comment(out: &mut String, doc: Option<&str>, pad: &str) {
    for line in doc.unwrap_or("").lines() {
        *out += format!("{pad}// {line}").trim_end();
        out.push('\n');
    }
}
