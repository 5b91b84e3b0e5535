//! A module's text: ports, declarations, behaviour, instances.

use super::expr::{literal, put_literal, put_part, put_range, range};
use super::plan::Plan;
use crate::bits::Bits;
use crate::ir::{Design, Direction, InstId, MemId, Module, NodeId, Op};
use crate::names::Names;
use crate::text::put_number;

/// Appends everything after the header.
pub(crate) fn write(out: &mut String, design: &Design, module: &Module) {
    let mut plan = Plan::new(module, Names::of(design, module));
    *out += "`default_nettype none\n\n";
    comment(out, Some(&module.doc), "");
    plan.header(out);
    // Which enum variants the module names is known at its end.
    let localparams = out.len();
    plan.declarations(out);
    plan.behaviour(out, design);
    plan.unused(out);
    *out += "endmodule\n\n`default_nettype wire\n";
    if !plan.localparams.is_empty() {
        out.insert_str(localparams, &plan.localparams());
    }
}

impl Plan<'_> {
    fn localparams(&self) -> String {
        let mut out = String::new();
        for (def, code, name) in &self.localparams {
            let (bits, width) = (range(def.width()), def.width());
            put!(&mut out, "  localparam {bits}{name} = {width}'d{code};\n");
        }
        out.push('\n');
        out
    }

    fn header(&self, out: &mut String) {
        let module = self.module;
        let clock = module.needs_clock.then_some("clk");
        let reset = module.needs_reset.then_some("rst");
        let mut left = module.ports.len() + clock.iter().count() + reset.iter().count();
        if left == 0 {
            put!(out, "module {};\n\n", module.name);
            return;
        }
        let mut end = || {
            left -= 1;
            if left == 0 { "\n" } else { ",\n" }
        };
        put!(out, "module {} (\n", module.name);
        for name in clock.into_iter().chain(reset) {
            add!(out, "    input  wire ", name, end());
        }
        let mut said = "";
        for port in &module.ports {
            // What the port before has said already, as elements of an array do, is not repeated.
            let doc = self.doc(port.node).unwrap_or("");
            if !ends_with_lines(said, doc) {
                comment(out, Some(doc), "    ");
            }
            said = doc;
            *out += match port.direction {
                Direction::Input => "    input  wire ",
                Direction::Output => "    output wire ",
            };
            put_range(out, module.node(port.node).width);
            add!(out, self.name(port.node), end());
        }
        *out += ");\n\n";
    }

    /// Registers, memories, wires and named values, in source order.
    fn declarations(&mut self, out: &mut String) {
        let module = self.module;
        for (index, memory) in module.memories.iter().enumerate() {
            if !self.live_memory[index] {
                continue;
            }
            comment(out, Some(memory.doc), "  ");
            if memory.collisions_ignored {
                // Yosys, Quartus and Vivado each have their own word for it.
                *out +=
                    "  (* no_rw_check, ramstyle = \"no_rw_check\", rw_addr_collision = \"no\" *)\n";
            }
            let name = self.names.memory(MemId(index as u32));
            let (bits, rows) = (range(memory.width), memory.depth - 1);
            let (file, line) = (memory.loc.file(), memory.loc.line());
            put!(out, "  reg {bits}{name} [0:{rows}]; // {file}:{line}\n");
        }
        for (index, node) in module.nodes.iter().enumerate() {
            let id = NodeId(index as u32);
            if !self.declared[index]
                || !self.live[index]
                || matches!(node.op, Op::Input | Op::Output)
            {
                continue;
            }
            comment(out, self.doc(id), "  ");
            let sync =
                matches!(node.op, Op::MemRead(read) if module.reads[read as usize].sync.is_some());
            let start = out.len();
            *out += if node.op.is_state() || sync { "  reg " } else { "  wire " };
            put_range(out, node.width);
            *out += self.name(id);
            match node.op {
                _ if node.op.is_state() || sync => {
                    add!(out, "; // ", node.loc.file(), ":");
                    put_number(out, node.loc.line().into());
                    out.push('\n');
                    if self.reset(id).is_none() {
                        add!(out, "  initial ", self.name(id), " = ");
                        put_literal(out, &Bits::zero(node.width));
                        *out += ";\n";
                    }
                }
                Op::Wire | Op::InstIn(..) | Op::InstOut(..) => *out += ";\n",
                _ => {
                    *out += " = ";
                    self.definition(out, id, out.len() - start);
                    *out += ";\n";
                }
            }
        }
        for (index, memory) in module.memories.iter().enumerate() {
            if self.live_memory[index] {
                self.initial(out, MemId(index as u32), memory.depth, memory.width, &memory.init);
            }
        }
    }

    /// What a memory holds at the start. Zeros are for simulators alone: on a device nobody relies on
    /// them, and Yosys would unroll the loop, which takes minutes for thousands of rows.
    fn initial(&mut self, out: &mut String, mem: MemId, depth: u32, width: u32, rows: &[Bits]) {
        let name = self.names.memory(mem).to_owned();
        let row = self.names.fresh(&format!("{name}_row"));
        let zero = literal(&Bits::zero(width));
        let is_zero = rows.iter().all(Bits::is_zero);
        *out += if is_zero { "\n`ifndef SYNTHESIS\n" } else { "\n" };
        put!(out, "  integer {row};\n  initial begin\n");
        put!(out, "    for ({row} = 0; {row} < {depth}; {row} = {row} + 1) begin\n");
        put!(out, "      {name}[{row}] = {zero};\n    end\n");
        for (index, value) in rows.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
            put!(out, "    {name}[{index}] = {};\n", literal(value));
        }
        *out += if is_zero { "  end\n`endif\n" } else { "  end\n" };
    }

    fn behaviour(&mut self, out: &mut String, design: &Design) {
        let module = self.module;
        // In the order of the source: by the first statement that drives it.
        let first = |&id: &NodeId| (self.sites.tops(id).last().unwrap_or(u32::MAX), id);
        let mut driven: Vec<(u32, NodeId)> = self.wires.iter().map(first).collect();
        driven.sort_unstable();
        if !driven.is_empty() && self.declared_anything() {
            out.push('\n');
        }
        for (_, id) in driven {
            self.drivers(out, id);
        }
        self.memory_blocks(out);
        self.register_blocks(out);
        for index in 0..module.instances.len() {
            self.instance(out, design, InstId(index as u32));
        }
        self.property_block(out);
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
        let name = self.names.instance(id);
        put!(out, "\n  {} {name} (", child.name);
        let mut separator = "\n";
        let clock = child.needs_clock.then_some("    .clk(clk)");
        let reset = child.needs_reset.then_some("    .rst(rst)");
        self.reads_clock |= child.needs_clock;
        self.reads_reset |= child.needs_reset;
        for connection in clock.into_iter().chain(reset) {
            add!(out, separator, connection);
            separator = ",\n";
        }
        for (port, &node) in child.ports.iter().zip(&instance.connections) {
            let port = child.given_name(port.node).expect("a port has a name");
            add!(out, separator, "    .", port, "(");
            separator = ",\n";
            match (self.declared[node.index()], self.sites.sole_value(node)) {
                (false, Some(value)) => self.layout(out, value, port.len() + 6),
                _ => {
                    // Inside, the instance reads its inputs; outputs count only where they are read.
                    if let Op::InstIn(..) = module.node(node).op {
                        self.note_read(node, 0, module.node(node).width);
                    }
                    *out += self.name(node);
                }
            }
            out.push(')');
        }
        *out += if separator == "\n" { ");\n" } else { "\n  );\n" };
    }

    /// A wire that reads what nothing else does, so that lint need not be told to look away.
    fn unused(&mut self, out: &mut String) {
        let module = self.module;
        self.reads.sort();
        let mut unread: Vec<String> = Vec::new();
        if module.needs_clock && !self.reads_clock {
            unread.push("clk".to_owned());
        }
        if module.needs_reset && !self.reads_reset {
            unread.push("rst".to_owned());
        }
        for index in 0..module.memories.len() {
            if self.live_memory[index] && !self.reads_memory[index] {
                unread.push(format!("{}[0]", self.names.memory(MemId(index as u32))));
            }
        }
        for index in 0..module.nodes.len() {
            let id = NodeId(index as u32);
            if !self.declared[index] || !self.live[index] || self.reads.is_all(id) {
                continue;
            }
            let node = module.node(id);
            if matches!(node.op, Op::Output) {
                continue;
            }
            for (lo, hi) in self.reads.unread(id, node.width) {
                let mut bits = String::new();
                put_part(&mut bits, self.name(id), lo, hi - lo, node.width);
                unread.push(bits);
            }
        }
        if !unread.is_empty() {
            let unused = self.names.fresh("unused");
            put!(out, "\n  // Bits that nothing reads.\n  wire {unused} = &{{1'b0,\n    ");
            add!(out, &unread.join(",\n    "), "\n  };\n");
        }
    }
}

/// Whether the last lines of a comment are those of another.
fn ends_with_lines(comment: &str, other: &str) -> bool {
    comment.strip_suffix(other).is_some_and(|rest| rest.is_empty() || rest.ends_with('\n'))
}

fn comment(out: &mut String, doc: Option<&str>, pad: &str) {
    for line in doc.unwrap_or("").lines() {
        add!(out, pad, "// ", line);
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}
