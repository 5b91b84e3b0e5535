//! Clocked behaviour: registers, memory writes and synchronous reads.
//!
//! Registers driven together are written together: one `always` block for each group of registers
//! that share a statement, with the conditions as they stand in the source.

use super::expr::{Around, literal, part};
use super::plan::{Plan, statically_taken};
use crate::bits::{Bits, index_width};
use crate::ir::{Arm, MemId, NodeId, Op, PropertyKind, Stmt};

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
pub(crate) struct Groups {
    /// Group of each node; only registers have one.
    group: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Groups {
    fn of(plan: &Plan<'_>) -> (Groups, Vec<Vec<NodeId>>) {
        let module = plan.module;
        let registers: Vec<NodeId> = (0..module.nodes.len() as u32)
            .map(NodeId)
            .filter(|&id| module.node(id).op == Op::Reg && plan.live[id.index()])
            .collect();
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
        let mut group = vec![NONE; module.nodes.len()];
        let mut members: Vec<Vec<NodeId>> = Vec::new();
        let mut number = vec![NONE; registers.len()];
        for (place, &register) in registers.iter().enumerate() {
            let root = root(&mut parent, place as u32) as usize;
            if number[root] == NONE {
                number[root] = members.len() as u32;
                members.push(Vec::new());
            }
            group[register.index()] = number[root];
            members[number[root] as usize].push(register);
        }
        (Groups { group }, members)
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
        let (groups, members) = Groups::of(self);
        for (number, registers) in members.iter().enumerate() {
            let mut tops: Vec<u32> =
                registers.iter().flat_map(|&register| self.sites.tops(register)).collect();
            tops.sort_unstable();
            tops.dedup();
            for reset in [true, false] {
                let shown: Vec<NodeId> = registers
                    .iter()
                    .copied()
                    .filter(|id| self.resets[id.index()].is_some() == reset)
                    .collect();
                if shown.is_empty() {
                    continue;
                }
                let show = Show::Registers { group: number as u32, reset };
                let module = self.module;
                let stmts: Vec<&Stmt> =
                    tops.iter().map(|&top| &module.body[top as usize]).collect();
                *out += "\n  always @(posedge clk) begin\n";
                if reset {
                    *out += "    if (rst) begin\n";
                    for &register in &shown {
                        let value = self.resets[register.index()].expect("a register with a reset");
                        let value = self.label(register, value);
                        put!(out, "      {} <= {value};\n", self.name(register));
                    }
                    *out += "    end";
                    self.otherwise(out, &stmts, show, &groups, 4);
                } else {
                    for stmt in stmts {
                        self.statement(out, stmt, show, &groups, 4);
                    }
                }
                *out += "  end\n";
            }
        }
    }

    /// The `always` blocks of one memory: its writes, then each synchronous read.
    pub fn memory_blocks(&mut self, out: &mut String, mem: MemId) {
        let module = self.module;
        let groups = Groups { group: Vec::new() };
        let show = Show::Writes(mem);
        if module.body.iter().any(|stmt| self.shows(stmt, show, &groups)) {
            *out += "\n  always @(posedge clk) begin\n";
            for stmt in &module.body {
                self.statement(out, stmt, show, &groups, 4);
            }
            *out += "  end\n";
        }
        for index in 0..module.nodes.len() {
            let Op::MemRead(read) = module.nodes[index].op else { continue };
            let read = &module.reads[read as usize];
            let Some(enable) = read.sync else { continue };
            if read.mem != mem || !self.live[index] {
                continue;
            }
            let row = self.row(mem, read.addr);
            let name = self.name(NodeId(index as u32)).to_owned();
            *out += "\n  always @(posedge clk) begin\n";
            match self.constants.get(enable).map(Bits::is_zero) {
                Some(true) => {}
                Some(false) => *out += &format!("    {name} <= {row};\n"),
                None => {
                    let enable = self.expr_text(enable, Around::Nothing);
                    put!(out, "    if ({enable}) begin\n      {name} <= {row};\n    end\n");
                }
            }
            *out += "  end\n";
        }
    }

    /// A row of a memory as a value: zero past its depth.
    pub fn row(&mut self, mem: MemId, addr: NodeId) -> String {
        let width = self.module.memories[mem.index()].width;
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
        if 1u64 << addr_width == u64::from(depth) {
            return None;
        }
        let limit = literal(&Bits::truncated(addr_width, depth.into()));
        let addr = self.expr_text(addr, Around::Operator);
        Some(format!("({addr} < {limit})"))
    }

    fn shows(&self, stmt: &Stmt, show: Show, groups: &Groups) -> bool {
        if let Some(taken) = statically_taken(stmt, &self.constants) {
            return taken.iter().any(|stmt| self.shows(stmt, show, groups));
        }
        match (stmt, show) {
            (Stmt::Assign { target, .. }, Show::Registers { group, reset }) => {
                groups.group[target.index()] == group
                    && self.resets[target.index()].is_some() == reset
            }
            (Stmt::MemWrite { mem, .. }, Show::Writes(shown)) => *mem == shown,
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

    fn statements(
        &mut self,
        out: &mut String,
        stmts: &[Stmt],
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        for stmt in stmts {
            self.statement(out, stmt, show, groups, indent);
        }
    }

    /// All properties of the module, under their conditions.
    pub fn property_statements(&mut self, out: &mut String, indent: usize) {
        let groups = Groups { group: Vec::new() };
        self.statements(out, &self.module.body, Show::Properties, &groups, indent);
    }

    fn statement(
        &mut self,
        out: &mut String,
        stmt: &Stmt,
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        if !self.shows(stmt, show, groups) {
            return;
        }
        if let Some(taken) = statically_taken(stmt, &self.constants) {
            return self.statements(out, taken, show, groups, indent);
        }
        let pad = " ".repeat(indent);
        match stmt {
            Stmt::Assign { target, lo, value, .. } => {
                let width = self.module.node(*value).width;
                let left = format!(
                    "{pad}{} <= ",
                    part(self.name(*target), *lo, width, self.module.node(*target).width)
                );
                let right = self.layout(*value, left.len());
                put!(out, "{left}{right};\n");
            }
            Stmt::MemWrite { mem, addr, data, mask, .. } => {
                self.write(out, *mem, *addr, *data, *mask, &pad)
            }
            Stmt::Property { kind, cond, label, message, loc } => {
                let word = match kind {
                    PropertyKind::Assert => "assert",
                    PropertyKind::Assume => "assume",
                    PropertyKind::Cover => "cover",
                };
                let cond = self.expr_text(*cond, Around::Nothing);
                put!(out, "{pad}// {message} ({}:{})\n", loc.file(), loc.line());
                put!(out, "{pad}{label}: {word} ({cond});\n");
            }
            Stmt::When { .. } => {
                *out += &pad;
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
        let pad = " ".repeat(indent);
        let any =
            |plan: &Self, body: &[Stmt]| body.iter().any(|stmt| plan.shows(stmt, show, groups));
        if !any(self, then) {
            let cond = self.expr_text(*cond, Around::Operator);
            let bare = cond.starts_with('(')
                || cond.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            *out += &if bare {
                format!("if (!{cond}) begin\n")
            } else {
                format!("if (!({cond})) begin\n")
            };
            self.statements(out, otherwise, show, groups, indent + 2);
            put!(out, "{pad}end\n");
            return;
        }
        let cond = self.expr_text(*cond, Around::Nothing);
        put!(out, "if ({cond}) begin\n");
        self.statements(out, then, show, groups, indent + 2);
        put!(out, "{pad}end");
        self.otherwise(out, &otherwise.iter().collect::<Vec<_>>(), show, groups, indent);
    }

    /// ` else …` after an `end`: `else if` where the rest is one `when`.
    fn otherwise(
        &mut self,
        out: &mut String,
        stmts: &[&Stmt],
        show: Show,
        groups: &Groups,
        indent: usize,
    ) {
        let shown: Vec<&Stmt> =
            stmts.iter().copied().filter(|stmt| self.shows(stmt, show, groups)).collect();
        match shown[..] {
            [] => out.push('\n'),
            [only @ Stmt::When { .. }] if statically_taken(only, &self.constants).is_none() => {
                *out += " else ";
                self.when(out, only, show, groups, indent);
            }
            _ => {
                *out += " else begin\n";
                for stmt in shown {
                    self.statement(out, stmt, show, groups, indent + 2);
                }
                put!(out, "{}end\n", " ".repeat(indent));
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
        let default_shown = default.is_some_and(|body| shown(self, body));
        let width = self.module.node(subject).width;
        let labels: u128 = arms.iter().map(|arm| arm.labels.len() as u128).sum();
        let every_code = width < 64 && labels == 1 << width;
        let mut has_default = false;
        for (place, arm) in arms.iter().enumerate() {
            // In a full switch the last arm stands for codes that are no variant, too.
            let last_of_full = full && !every_code && place + 1 == arms.len();
            has_default |= last_of_full;
            let body_shown = shown(self, &arm.body);
            if !(body_shown || default_shown || last_of_full || every_code) {
                continue;
            }
            let head = if last_of_full {
                "default:".to_owned()
            } else {
                let labels: Vec<String> =
                    arm.labels.iter().map(|label| self.label(subject, label)).collect();
                format!("{}:", labels.join(", "))
            };
            if body_shown {
                put!(out, "{pad}  {head} begin\n");
                self.statements(out, &arm.body, show, groups, indent + 4);
                put!(out, "{pad}  end\n");
            } else {
                put!(out, "{pad}  {head} ;\n");
            }
        }
        if default_shown {
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
