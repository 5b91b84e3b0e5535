//! Clocked behaviour: registers, memory writes and synchronous reads.
//!
//! Registers driven together are written together: one `always` block for each group of registers
//! that share a statement, with the conditions as they stand in the source.

use super::expr::{Around, literal, part, put_part};
use super::plan::{Plan, statically_taken};
use crate::bits::{Bits, index_width};
use crate::ir::{Arm, MemId, NodeId, Op, PropertyKind, Stmt};
use crate::text::put_spaces;

/// What of the statements a block shows.
#[derive(Clone, Copy)]
pub(crate) enum Show {
    /// Assignments to the registers of this group, those with (or without) a reset.
    Registers { group: u32, reset: bool },
    /// Writes to this memory.
    Writes(MemId),
    /// Properties.
    Properties,
}

/// Which registers are written in one block.
#[derive(Default)]
pub(crate) struct Groups {
    /// Group of each node; only registers have one.
    group: Vec<u32>,
    /// The registers, group by group.
    registers: Vec<NodeId>,
    /// Where each group begins in `registers`, and where the last one ends.
    starts: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Groups {
    fn of(plan: &Plan<'_>) -> Groups {
        let module = plan.module;
        let registers = &plan.registers;
        // Registers that share a statement of the body share a group: join through the statement.
        let mut owner = vec![NONE; module.body.len()];
        let mut parent: Vec<u32> = (0..registers.len() as u32).collect();
        for (place, &register) in registers.iter().enumerate() {
            for top in plan.sites.tops(register) {
                match owner[top as usize] {
                    NONE => owner[top as usize] = place as u32,
                    other => {
                        let (a, b) = (root(&mut parent, place as u32), root(&mut parent, other));
                        parent[a.max(b) as usize] = a.min(b);
                    }
                }
            }
        }
        // The root of a group is its first register, so it is met before the others.
        let mut group = vec![NONE; module.nodes.len()];
        let mut starts = vec![0u32];
        for (place, &register) in registers.iter().enumerate() {
            let root = root(&mut parent, place as u32) as usize;
            if root == place {
                group[register.index()] = starts.len() as u32 - 1;
                starts.push(0);
            } else {
                group[register.index()] = group[registers[root].index()];
            }
            starts[group[register.index()] as usize + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut free = starts.clone();
        let mut grouped = registers.clone();
        for &register in registers {
            let place = &mut free[group[register.index()] as usize];
            grouped[*place as usize] = register;
            *place += 1;
        }
        Groups { group, registers: grouped, starts }
    }

    /// The registers of each group, in the order of the source.
    fn iter(&self) -> impl Iterator<Item = &[NodeId]> {
        self.starts.windows(2).map(|ends| &self.registers[ends[0] as usize..ends[1] as usize])
    }
}

fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

impl Plan<'_> {
    /// The `always` blocks of all registers.
    pub fn register_blocks(&mut self, out: &mut String) {
        let module = self.module;
        let groups = Groups::of(self);
        let mut tops: Vec<u32> = Vec::new();
        for (number, registers) in groups.iter().enumerate() {
            tops.clear();
            for &register in registers {
                tops.extend(self.sites.tops(register));
            }
            tops.sort_unstable();
            tops.dedup();
            let stmts = tops.iter().map(|&top| &module.body[top as usize]);
            for reset in [true, false] {
                if !registers.iter().any(|&id| self.reset(id).is_some() == reset) {
                    continue;
                }
                let show = Show::Registers { group: number as u32, reset };
                *out += "\n  always @(posedge clk) begin\n";
                self.reads_clock = true;
                if reset {
                    self.reads_reset = true;
                    *out += "    if (rst) begin\n";
                    for &register in registers {
                        if let Some(value) = self.reset(register) {
                            add!(out, "      ", self.name(register), " <= ");
                            self.label(out, register, value);
                            *out += ";\n";
                        }
                    }
                    *out += "    end";
                    self.otherwise(out, stmts.clone(), show, &groups, 4);
                } else {
                    self.statements(out, stmts.clone(), show, &groups, 4);
                }
                *out += "  end\n";
            }
        }
    }

    /// The `always` blocks of the memories: of each its writes, then its synchronous reads.
    pub fn memory_blocks(&mut self, out: &mut String) {
        let module = self.module;
        if module.memories.is_empty() {
            return;
        }
        let mut writes: Vec<(MemId, u32)> = self.sites.writing_tops().collect();
        writes.sort_unstable();
        writes.dedup();
        let mut reads: Vec<(MemId, NodeId)> = Vec::new();
        for (index, node) in module.nodes.iter().enumerate() {
            if let Op::MemRead(read) = node.op
                && module.reads[read as usize].sync.is_some()
                && self.live[index]
            {
                reads.push((module.reads[read as usize].mem, NodeId(index as u32)));
            }
        }
        reads.sort_unstable();
        let (mut writes, mut reads) = (&writes[..], &reads[..]);
        for mem in (0..module.memories.len() as u32).map(MemId) {
            let (of_mem, rest) = writes.split_at(writes.partition_point(|&(of, _)| of <= mem));
            writes = rest;
            let (read_of_mem, rest) = reads.split_at(reads.partition_point(|&(of, _)| of <= mem));
            reads = rest;
            if !self.live_memory[mem.index()] {
                continue;
            }
            if !of_mem.is_empty() {
                self.reads_clock = true;
                *out += "\n  always @(posedge clk) begin\n";
                let stmts = of_mem.iter().map(|&(_, top)| &module.body[top as usize]);
                self.statements(out, stmts, Show::Writes(mem), &Groups::default(), 4);
                *out += "  end\n";
            }
            for &(_, id) in read_of_mem {
                self.synchronous_read(out, id);
            }
        }
    }

    fn synchronous_read(&mut self, out: &mut String, id: NodeId) {
        let Op::MemRead(read) = self.module.node(id).op else {
            unreachable!("called for reads only")
        };
        let read = &self.module.reads[read as usize];
        let enable = read.sync.expect("called for synchronous reads only");
        let enabled = self.constants.get(enable).map(|enable| !enable.is_zero());
        if enabled == Some(false) {
            return;
        }
        let row = self.row(read.mem, read.addr);
        let name = self.name(id).to_owned();
        *out += "\n  always @(posedge clk) begin\n";
        self.reads_clock = true;
        match enabled {
            Some(_) => put!(out, "    {name} <= {row};\n"),
            None => {
                let enable = self.expr_text(enable, Around::Nothing);
                put!(out, "    if ({enable}) begin\n      {name} <= {row};\n    end\n");
            }
        }
        *out += "  end\n";
    }

    /// A row of a memory as a value: zero past its depth.
    pub fn row(&mut self, mem: MemId, addr: NodeId) -> String {
        let width = self.module.memories[mem.index()].width;
        if self.is_past_depth(mem, addr) {
            return literal(&Bits::zero(width));
        }
        self.reads_memory[mem.index()] = true;
        let addr_text = self.expr_text(addr, Around::Nothing);
        let row = format!("{}[{addr_text}]", self.names.memory(mem));
        match self.past_depth(mem, addr) {
            Some(within) => format!("{within} ? {row} : {}", literal(&Bits::zero(width))),
            None => row,
        }
    }

    /// The test that an address is within the depth, where it might not be.
    fn past_depth(&mut self, mem: MemId, addr: NodeId) -> Option<String> {
        let depth = self.module.memories[mem.index()].depth;
        let addr_width = index_width(depth as usize) as u32;
        if 1u64 << addr_width == u64::from(depth) || self.fixed(addr).is_some() {
            return None;
        }
        if depth == 1 {
            // Lint finds `< 1` odd.
            let addr = self.expr_text(addr, Around::Operator);
            return Some(format!("({addr} == 1'd0)"));
        }
        let limit = literal(&Bits::truncated(addr_width, depth.into()));
        let addr = self.expr_text(addr, Around::Operator);
        Some(format!("({addr} < {limit})"))
    }

    /// Whether the address is known to be past the depth.
    fn is_past_depth(&self, mem: MemId, addr: NodeId) -> bool {
        let depth = u64::from(self.module.memories[mem.index()].depth);
        self.fixed(addr).is_some_and(|addr| addr.to_u64().is_none_or(|addr| addr >= depth))
    }

    fn shows(&self, stmt: &Stmt, show: Show, groups: &Groups) -> bool {
        if let Some(taken) = statically_taken(stmt, &self.constants) {
            return taken.iter().any(|stmt| self.shows(stmt, show, groups));
        }
        match (stmt, show) {
            (Stmt::Assign { target, .. }, Show::Registers { group, reset }) => {
                groups.group[target.index()] == group && self.reset(*target).is_some() == reset
            }
            (Stmt::MemWrite { mem, addr, .. }, Show::Writes(shown)) => {
                *mem == shown && !self.is_past_depth(*mem, *addr)
            }
            (Stmt::Property { .. }, Show::Properties) => true,
            (Stmt::When { then, otherwise, .. }, _) => {
                then.iter().chain(otherwise).any(|stmt| self.shows(stmt, show, groups))
            }
            (Stmt::Switch { arms, default, .. }, _) => arms
                .iter()
                .map(|arm| &arm.body)
                .chain(default)
                .flatten()
                .any(|stmt| self.shows(stmt, show, groups)),
            _ => false,
        }
    }

    fn statements<'s>(
        &mut self,
        out: &mut String,
        stmts: impl IntoIterator<Item = &'s Stmt>,
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        for stmt in stmts {
            if self.shows(stmt, show, groups) {
                self.statement(out, stmt, show, groups, indent);
            }
        }
    }

    /// All properties of the module, under their conditions.
    pub fn property_statements(&mut self, out: &mut String, indent: usize) {
        let groups = Groups::default();
        self.statements(out, &self.module.body, Show::Properties, &groups, indent);
    }

    /// A statement of which something is shown.
    fn statement(
        &mut self,
        out: &mut String,
        stmt: &Stmt,
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        if let Some(taken) = statically_taken(stmt, &self.constants) {
            return self.statements(out, taken, show, groups, indent);
        }
        match stmt {
            Stmt::Assign { target, lo, value, .. } => {
                let start = out.len();
                put_spaces(out, indent);
                let (width, whole) =
                    (self.module.node(*value).width, self.module.node(*target).width);
                put_part(out, self.name(*target), *lo, width, whole);
                *out += " <= ";
                self.layout(out, *value, out.len() - start);
                *out += ";\n";
            }
            Stmt::MemWrite { mem, addr, data, mask, .. } => {
                self.write(out, *mem, *addr, *data, *mask, &" ".repeat(indent))
            }
            Stmt::Property { kind, cond, label, message, loc } => {
                let word = match kind {
                    PropertyKind::Assert => "assert",
                    PropertyKind::Assume => "assume",
                    PropertyKind::Cover => "cover",
                };
                let pad = " ".repeat(indent);
                put!(out, "{pad}// {message} ({}:{})\n", loc.file(), loc.line());
                put!(out, "{pad}{label}: {word} (");
                self.expr(out, *cond, Around::Nothing);
                *out += ");\n";
            }
            Stmt::When { .. } => {
                put_spaces(out, indent);
                self.when(out, stmt, show, groups, indent);
            }
            Stmt::Switch { subject, arms, default, full, .. } => {
                self.case(out, *subject, arms, default.as_deref(), *full, show, groups, indent);
            }
        }
    }

    /// `if … end else if … end else …`, without the indentation of the first line.
    fn when(&mut self, out: &mut String, stmt: &Stmt, show: Show, groups: &Groups, indent: usize) {
        let Stmt::When { cond, then, otherwise, .. } = stmt else {
            unreachable!("called for `when` only")
        };
        if !then.iter().any(|stmt| self.shows(stmt, show, groups)) {
            let cond = self.expr_text(*cond, Around::Operator);
            let bare = cond.starts_with('(')
                || cond.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
            let (open, close) = if bare { ("", "") } else { ("(", ")") };
            add!(out, "if (!", open, &cond, close, ") begin\n");
            self.statements(out, otherwise, show, groups, indent + 2);
            put_spaces(out, indent);
            *out += "end\n";
            return;
        }
        *out += "if (";
        self.expr(out, *cond, Around::Nothing);
        *out += ") begin\n";
        self.statements(out, then, show, groups, indent + 2);
        put_spaces(out, indent);
        *out += "end";
        self.otherwise(out, otherwise.iter(), show, groups, indent);
    }

    /// ` else …` after an `end`: `else if` where the rest is one `when`.
    fn otherwise<'s>(
        &mut self,
        out: &mut String,
        stmts: impl Iterator<Item = &'s Stmt> + Clone,
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        let mut shown = stmts.clone().filter(|stmt| self.shows(stmt, show, groups));
        match (shown.next(), shown.next()) {
            (None, _) => out.push('\n'),
            (Some(only @ Stmt::When { .. }), None)
                if statically_taken(only, &self.constants).is_none() =>
            {
                *out += " else ";
                self.when(out, only, show, groups, indent);
            }
            _ => {
                *out += " else begin\n";
                self.statements(out, stmts, show, groups, indent + 2);
                put_spaces(out, indent);
                *out += "end\n";
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn case(
        &mut self,
        out: &mut String,
        subject: NodeId,
        arms: &[Arm],
        default: Option<&[Stmt]>,
        full: bool,
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        let pad = " ".repeat(indent);
        let subject_text = self.expr_text(subject, Around::Nothing);
        put!(out, "{pad}case ({subject_text})\n");
        let shown =
            |plan: &Self, body: &[Stmt]| body.iter().any(|stmt| plan.shows(stmt, show, groups));
        let width = self.module.node(subject).width;
        let labels: u128 = arms.iter().map(|arm| arm.labels.len() as u128).sum();
        let every_code = width < 64 && labels == 1 << width;
        // In a full switch the last arm stands for codes that are no variant, too.
        let last_is_default = full && !every_code;
        let otherwise =
            if last_is_default { arms.last().map(|arm| &arm.body[..]) } else { default };
        // With something to do by default, labels with nothing to do must be written.
        let default_shown = otherwise.is_some_and(|body| shown(self, body));
        let mut has_default = false;
        for (place, arm) in arms.iter().enumerate() {
            let last_of_full = last_is_default && place + 1 == arms.len();
            has_default |= last_of_full;
            let body_shown = shown(self, &arm.body);
            if !(body_shown || default_shown || last_of_full || every_code) {
                continue;
            }
            add!(out, &pad, "  ");
            if last_of_full {
                *out += "default";
            } else {
                for (place, label) in arm.labels.iter().enumerate() {
                    *out += if place == 0 { "" } else { ", " };
                    self.label(out, subject, label);
                }
            }
            if body_shown {
                *out += ": begin\n";
                self.statements(out, &arm.body, show, groups, indent + 4);
                put!(out, "{pad}  end\n");
            } else {
                *out += ": ;\n";
            }
        }
        if default_shown && !has_default {
            put!(out, "{pad}  default: begin\n");
            self.statements(out, default.unwrap_or(&[]), show, groups, indent + 4);
            put!(out, "{pad}  end\n");
        } else if !has_default && !every_code {
            put!(out, "{pad}  default: ;\n");
        }
        put!(out, "{pad}endcase\n");
    }

    fn write(
        &mut self,
        out: &mut String,
        mem: MemId,
        addr: NodeId,
        data: NodeId,
        mask: Option<NodeId>,
        pad: &str,
    ) {
        let name = self.names.memory(mem).to_owned();
        let addr_text = self.expr_text(addr, Around::Nothing);
        let (pad, guarded) = match self.past_depth(mem, addr) {
            Some(within) => {
                put!(out, "{pad}if {within} begin\n");
                (format!("{pad}  "), Some(pad))
            }
            None => (pad.to_owned(), None),
        };
        match mask {
            None => {
                let data = self.expr_text(data, Around::Nothing);
                put!(out, "{pad}{name}[{addr_text}] <= {data};\n");
            }
            Some(mask) => {
                let width = self.module.node(data).width;
                let lanes = self.module.node(mask).width;
                let lane = width / lanes;
                for place in 0..lanes {
                    let mut enable = String::new();
                    self.bits_of(&mut enable, mask, place, 1);
                    let mut value = String::new();
                    self.bits_of(&mut value, data, place * lane, lane);
                    let row = part(&format!("{name}[{addr_text}]"), place * lane, lane, width);
                    put!(out, "{pad}if ({enable}) begin\n{pad}  {row} <= {value};\n{pad}end\n");
                }
            }
        }
        if let Some(outer) = guarded {
            put!(out, "{outer}end\n");
        }
    }
}
