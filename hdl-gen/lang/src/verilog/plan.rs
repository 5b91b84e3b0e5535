//! What of a module is written, and what is written by name.
//!
//! Only what reaches an output, an instance or a property is written. A value gets a declaration of
//! its own if the source names it, if it is used more than once, if Verilog can only use it by name
//! (a part of it is taken), or if its expression would grow past a line.

mod lookup;
mod reads;
mod sites;

pub(crate) use reads::Reads;
pub(crate) use sites::{Sites, statically_taken};

use lookup::Lookup;
use sites::END;

use crate::bits::Bits;
use crate::flags::Flags;
use crate::fold::Constants;
use crate::ir::{EnumDef, Module, NodeId, Op};
use crate::names::Names;

/// Estimated characters past which an expression is given a name.
const LONG: u8 = 72;
/// Estimated characters of a name.
const NAME: u8 = 10;

/// Decisions about one module, and the running account of which bits are read.
pub(crate) struct Plan<'a> {
    pub module: &'a Module,
    pub constants: Constants,
    /// With wires seen through, where that tells more. Such wires are still written.
    seen_through: Option<Constants>,
    pub names: Names,
    pub live: Flags,
    pub live_memory: Vec<bool>,
    pub declared: Flags,
    /// Declared registers.
    pub registers: Vec<NodeId>,
    /// Whatever else statements drive and is declared.
    pub wires: Vec<NodeId>,
    pub sites: Sites,
    pub localparams: Vec<(&'static EnumDef, u64, String)>,
    pub reads: Reads,
    /// Whether the text so far reads `clk`, outside of properties.
    pub reads_clock: bool,
    /// The same of `rst`.
    pub reads_reset: bool,
    /// Which memories it reads.
    pub reads_memory: Vec<bool>,
    enums: Lookup,
    resets: Lookup,
    docs: Lookup,
}

/// How each node is used by what is written.
struct Uses {
    /// How often; more than fit are many.
    count: Vec<u8>,
    /// Verilog can only use it by name.
    by_name: Flags,
    /// Bits of it are chosen at run time.
    indexed: Flags,
    /// It has the right side of an assignment for itself.
    laid_out: Flags,
}

impl<'a> Plan<'a> {
    pub fn new(module: &'a Module, names: Names) -> Plan<'a> {
        let constants = Constants::of(module);
        let sites = Sites::of(module, &constants);
        let seen_through = constants.through_wires(module, |wire| sites.sole_value(wire));
        let count = module.nodes.len();
        let mut plan = Plan {
            module,
            constants,
            seen_through,
            names,
            live: Flags::none(count),
            live_memory: vec![false; module.memories.len()],
            reads_clock: false,
            reads_reset: false,
            reads_memory: vec![false; module.memories.len()],
            declared: Flags::none(count),
            registers: Vec::new(),
            wires: Vec::new(),
            sites,
            localparams: Vec::new(),
            reads: Reads::none(count),
            enums: Lookup::new(count, module.enums.iter().map(|&(node, _)| node)),
            resets: Lookup::new(count, module.resets.iter().map(|&(node, _)| node)),
            docs: Lookup::new(count, module.docs.iter().map(|&(node, _)| node)),
        };
        let uses = plan.mark_live();
        plan.declare(&uses);
        plan
    }

    /// The value of a node that cannot have another, whatever wires are on the way.
    pub fn fixed(&self, id: NodeId) -> Option<&Bits> {
        self.seen_through.as_ref().unwrap_or(&self.constants).get(id)
    }

    /// Finds what is live, and how it is used.
    fn mark_live(&mut self) -> Uses {
        let module = self.module;
        let mut uses = Uses {
            count: vec![0; module.nodes.len()],
            by_name: Flags::none(module.nodes.len()),
            indexed: Flags::none(module.nodes.len()),
            laid_out: Flags::none(module.nodes.len()),
        };
        let mut seen_context = vec![false; self.sites.contexts.len()];
        let mut work = Vec::new();
        for port in &module.ports {
            self.live.insert(port.node.index());
            work.push(port.node);
        }
        for instance in &module.instances {
            for &node in &instance.connections {
                self.live.insert(node.index());
                work.push(node);
            }
        }
        // Context, value, and whether every value repeats its conditions (see `Tree`).
        let mut pending: Vec<(u32, NodeId, bool)> =
            self.sites.properties.iter().map(|&(context, cond)| (context, cond, false)).collect();
        let mut inputs: Vec<NodeId> = Vec::new();
        loop {
            for (mut context, node, repeats) in pending.drain(..) {
                inputs.push(node);
                while context != END
                    && (!std::mem::replace(&mut seen_context[context as usize], true) || repeats)
                {
                    let (outer, cond) = self.sites.contexts[context as usize];
                    inputs.push(cond);
                    context = outer;
                }
            }
            for node in inputs.drain(..) {
                let count = &mut uses.count[node.index()];
                *count = count.saturating_add(1);
                if self.constants.get(node).is_none() && self.live.insert(node.index()) {
                    work.push(node);
                }
            }
            let Some(node) = work.pop() else { break };
            self.mark_parts(node, &mut uses);
            let op = module.node(node).op;
            match op {
                Op::MemRead(index) => {
                    let read = &module.reads[index as usize];
                    inputs.push(read.addr);
                    inputs.extend(read.sync);
                    if !std::mem::replace(&mut self.live_memory[read.mem.index()], true) {
                        for write in self.sites.writes.iter().filter(|write| write.mem == read.mem)
                        {
                            let operands = [Some(write.addr), Some(write.data), write.mask];
                            let operands = operands.into_iter().flatten();
                            pending.extend(operands.map(|node| (write.context, node, false)));
                            if let Some(mask) = write.mask {
                                uses.by_name.insert(write.data.index());
                                uses.by_name.insert(mask.index());
                            }
                        }
                    }
                }
                op if op.is_driven() => {
                    self.mark_assigned(node, &mut uses);
                    let sites = self.sites.of_target(node);
                    pending.extend(sites.map(|site| (site.context, site.value, !op.is_state())));
                }
                Op::Cat { start, len } => {
                    inputs.extend(&module.operands[start as usize..(start + len) as usize]);
                }
                op => inputs.extend(op.operands().0.into_iter().flatten()),
            }
        }
        uses
    }

    /// Marks operands that Verilog can only take a part of by name.
    fn mark_parts(&mut self, id: NodeId, uses: &mut Uses) {
        let module = self.module;
        let wide_shift = |by: NodeId| module.node(by).width > super::expr::WIDEST_SHIFT;
        match module.node(id).op {
            Op::Slice { from, .. } | Op::Sext(from) => {
                uses.by_name.insert(from.index());
            }
            Op::BitAt { from, index } => {
                uses.indexed.insert(from.index());
                uses.by_name.insert(index.index());
                // Verilog cannot index a literal.
                if self.constants.get(from).is_some() && self.live.insert(from.index()) {
                    self.mark_parts(from, uses);
                }
            }
            Op::Shl(_, by) | Op::Shr(_, by) if wide_shift(by) => {
                uses.by_name.insert(by.index());
            }
            Op::Sra(from, by) if wide_shift(by) => {
                uses.by_name.insert(from.index());
                uses.by_name.insert(by.index());
            }
            _ => {}
        }
    }

    /// Marks values assigned to a driven signal.
    fn mark_assigned(&mut self, target: NodeId, uses: &mut Uses) {
        let module = self.module;
        // A value that is all there is on the right of an assignment is laid out over several lines.
        if module.node(target).op.is_state() {
            for (_, value) in self.sites.assigned_ranges(target) {
                uses.laid_out.insert(value.index());
            }
        } else if let Some(value) = self.sites.sole_value(target) {
            uses.laid_out.insert(value.index());
            // Yosys 0.70 fails on a connection that is all `$unsigned`.
            let connected = matches!(module.node(target).op, Op::InstIn(..));
            if connected && matches!(module.node(value).op, Op::Sra(..)) {
                uses.by_name.insert(value.index());
            }
        } else if !self.is_whole(target) {
            let segments = self.segments(target);
            for (lo, value) in self.sites.assigned_ranges(target) {
                let is_segment = segments.contains(&(lo, module.node(value).width));
                if segments.len() > 1 && !is_segment {
                    uses.by_name.insert(value.index());
                }
            }
        }
    }

    fn declare(&mut self, uses: &Uses) {
        let module = self.module;
        let mut size = vec![0u8; module.nodes.len()];
        for index in 0..module.nodes.len() {
            let id = NodeId(index as u32);
            let node = module.node(id);
            if !self.live[index] {
                size[index] = NAME;
                continue;
            }
            let named = match node.op {
                _ if uses.indexed[index] || self.constants.get(id).is_some() => true,
                Op::Input | Op::Output | Op::Wire | Op::Reg | Op::InstOut(..) => true,
                Op::MemRead(read) if module.reads[read as usize].sync.is_some() => true,
                Op::InstIn(..) => {
                    uses.count[index] > 0
                        || uses.by_name[index]
                        || self.sites.sole_value(id).is_none()
                }
                Op::Slice { .. } => node.name.is_some(),
                op => {
                    let operands: u8 = match op {
                        Op::MemRead(_) => LONG / 2,
                        _ => module.operands_of(id).fold(0, |sum: u8, operand| {
                            sum.saturating_add(size[operand.index()]).saturating_add(3)
                        }),
                    };
                    size[index] = operands;
                    let cheap =
                        matches!(op, Op::Not(of) if node.width == 1 && self.declared[of.index()]);
                    node.name.is_some()
                        || uses.by_name[index]
                        || (uses.count[index] > 1 && !cheap)
                        || (operands > LONG && uses.count[index] > 0 && !uses.laid_out[index])
                }
            };
            if named {
                self.declared.insert(index);
                size[index] = NAME;
                if node.op.is_state() {
                    self.registers.push(id);
                } else if node.op.is_driven() {
                    self.wires.push(id);
                }
                if self.names.node(id).is_none() {
                    let wanted = self.describe(id);
                    self.names.name_node(id, &wanted);
                }
            }
        }
    }

    /// Whether every assignment to a driven signal drives all of it.
    fn is_whole(&self, target: NodeId) -> bool {
        let width = self.module.node(target).width;
        self.sites.assigned_ranges(target).all(|(_, value)| self.module.node(value).width == width)
    }

    /// A driven signal cut where some assignment begins or ends: low bits and widths.
    pub fn segments(&self, target: NodeId) -> Vec<(u32, u32)> {
        let width = self.module.node(target).width;
        if self.is_whole(target) {
            return vec![(0, width)];
        }
        let mut cuts = vec![0, width];
        for (lo, value) in self.sites.assigned_ranges(target) {
            cuts.push(lo);
            cuts.push(lo + self.module.node(value).width);
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect()
    }

    /// The signal and bit that a slice of slices starts at.
    pub fn slice_base(&self, mut from: NodeId, mut lo: u32) -> (NodeId, u32) {
        while let (Op::Slice { from: outer, lo: offset }, false) =
            (self.module.node(from).op, self.declared[from.index()])
        {
            from = outer;
            lo += offset;
        }
        (from, lo)
    }

    /// A name for an unnamed value: its operation on its operands' names.
    fn describe(&self, id: NodeId) -> String {
        let word = |id: NodeId| match (
            self.names.node(id),
            self.constants.get(id).and_then(|value| value.to_u64()),
        ) {
            (_, Some(value)) => value.to_string(),
            (Some(name), None) => name.to_owned(),
            (None, None) => match self.module.node(id).op {
                Op::Slice { from, .. } if self.names.node(from).is_some() => {
                    self.name(from).to_owned()
                }
                op => kind(op).to_owned(),
            },
        };
        let op = self.module.node(id).op;
        let operands: Vec<NodeId> = self.module.operands_of(id).collect();
        let name = match (op, &operands[..]) {
            (Op::Slice { lo, .. }, [from]) => format!("{}_from_{lo}", word(*from)),
            (Op::Mux(..), [select, ..]) => format!("{}_choice", word(*select)),
            (Op::Cat { .. }, [first, ..]) => format!("{}_cat", word(*first)),
            (_, [of]) => format!("{}_{}", kind(op), word(*of)),
            (_, [left, right]) => format!("{}_{}_{}", word(*left), kind(op), word(*right)),
            _ => kind(op).to_owned(),
        };
        let mut name: String = name.chars().take(48).collect();
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            name.insert(0, 'n');
        }
        name
    }

    /// The name of a declared value.
    pub fn name(&self, id: NodeId) -> &str {
        self.names.node(id).expect("a declared value has a name")
    }

    /// The enum that a node holds.
    pub fn enum_of(&self, id: NodeId) -> Option<&'static EnumDef> {
        self.enums.get(&self.module.enums, id).map(|&(_, def)| def)
    }

    /// The reset value of a register.
    pub fn reset(&self, id: NodeId) -> Option<&'a Bits> {
        self.resets.get(&self.module.resets, id).map(|(_, value)| value)
    }

    /// The doc comment of a node.
    pub fn doc(&self, id: NodeId) -> Option<&'a str> {
        self.docs.get(&self.module.docs, id).map(|(_, doc)| &**doc)
    }

    /// Notes that the text reads `width` bits from `lo`.
    pub fn note_read(&mut self, id: NodeId, lo: u32, width: u32) {
        self.reads.note(id, lo, width, width == self.module.node(id).width);
    }

    /// The local parameter for a variant.
    pub fn variant(&mut self, def: &'static EnumDef, code: u64) -> Option<String> {
        let variant = def.variant(code)?;
        if let Some((_, _, name)) =
            self.localparams.iter().find(|(other, number, _)| *other == def && *number == code)
        {
            return Some(name.clone());
        }
        let name = self.names.fresh(&format!("{}_{}", upper_snake(def.name), upper_snake(variant)));
        self.localparams.push((def, code, name.clone()));
        Some(name)
    }
}

/// `ReadMiss` as `READ_MISS`.
fn upper_snake(name: &str) -> String {
    let mut text = String::new();
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        text.push(letter.to_ascii_uppercase());
    }
    text
}

fn kind(op: Op) -> &'static str {
    match op {
        Op::Not(_) => "not",
        Op::Neg(_) => "minus",
        Op::RedAnd(_) => "all",
        Op::RedOr(_) => "any",
        Op::RedXor(_) => "parity",
        Op::And(..) => "and",
        Op::Or(..) => "or",
        Op::Xor(..) => "xor",
        Op::Add(..) => "plus",
        Op::Sub(..) => "minus",
        Op::Mul(..) => "times",
        Op::Eq(..) => "eq",
        Op::Ne(..) => "ne",
        Op::Ult(..) | Op::Slt(..) => "lt",
        Op::Ule(..) | Op::Sle(..) => "le",
        Op::Shl(..) => "shl",
        Op::Shr(..) | Op::Sra(..) => "shr",
        Op::Mux(..) => "choice",
        Op::Slice { .. } => "slice",
        Op::BitAt { .. } => "at",
        Op::Cat { .. } => "cat",
        Op::Repeat(_) => "repeat",
        Op::Zext(_) | Op::Sext(_) => "wide",
        _ => "value",
    }
}
