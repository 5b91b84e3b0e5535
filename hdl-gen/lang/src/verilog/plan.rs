//! What of a module is written, and what is written by name.
//!
//! Only what reaches an output, an instance or a property is written. A value gets a declaration of
//! its own if the source names it, if it is used more than once, if Verilog can only use it by name
//! (a part of it is taken), or if its expression would grow past a line.

use crate::bits::Bits;
use crate::fold::Constants;
use crate::ir::{EnumDef, MemId, Module, NodeId, Op, Stmt};
use crate::names::Names;

/// Estimated characters past which an expression is given a name.
const LONG: u32 = 72;
/// Estimated characters of a name.
const NAME: u32 = 10;

/// Decisions about one module, and the running account of which bits are read.
pub(crate) struct Plan<'a> {
    pub module: &'a Module,
    pub constants: Constants,
    pub names: Names,
    pub live: Vec<bool>,
    pub live_memory: Vec<bool>,
    pub declared: Vec<bool>,
    pub sites: Sites,
    pub enums: Vec<Option<&'static EnumDef>>,
    pub resets: Vec<Option<&'a Bits>>,
    pub localparams: Vec<(&'static EnumDef, u64, String)>,
    pub reads: Vec<Reads>,
}

/// Which bits of a declared value the text reads.
#[derive(Clone, Debug, Default)]
pub(crate) enum Reads {
    #[default]
    None,
    Parts(Vec<(u32, u32)>),
    All,
}

/// Statements found by what they drive.
pub(crate) struct Sites {
    /// Enclosing conditions: (next outer, condition).
    contexts: Vec<(u32, NodeId)>,
    assigns: Vec<Site>,
    last_assign: Vec<u32>,
    writes: Vec<(MemId, u32, [Option<NodeId>; 3])>,
    properties: Vec<(u32, NodeId)>,
}

/// An assignment.
#[derive(Clone, Copy)]
struct Site {
    context: u32,
    lo: u32,
    value: NodeId,
    /// Place in the module's body of the statement it is in.
    top: u32,
    /// The previous assignment to the same target.
    previous: u32,
}

const END: u32 = u32::MAX;

impl Sites {
    fn of(module: &Module, constants: &Constants) -> Sites {
        let mut sites = Sites {
            contexts: Vec::new(),
            assigns: Vec::new(),
            last_assign: vec![END; module.nodes.len()],
            writes: Vec::new(),
            properties: Vec::new(),
        };
        for (top, stmt) in module.body.iter().enumerate() {
            sites.walk(std::slice::from_ref(stmt), END, top as u32, constants);
        }
        sites
    }

    fn walk(&mut self, stmts: &[Stmt], context: u32, top: u32, constants: &Constants) {
        for stmt in stmts {
            match stmt {
                &Stmt::Assign { target, lo, value, .. } => {
                    let previous = std::mem::replace(
                        &mut self.last_assign[target.index()],
                        self.assigns.len() as u32,
                    );
                    self.assigns.push(Site { context, lo, value, top, previous });
                }
                Stmt::When { .. } | Stmt::Switch { .. }
                    if statically_taken(stmt, constants).is_some() =>
                {
                    self.walk(
                        statically_taken(stmt, constants).unwrap_or(&[]),
                        context,
                        top,
                        constants,
                    );
                }
                Stmt::When { cond, then, otherwise, .. } => {
                    let inner = self.open(context, *cond);
                    self.walk(then, inner, top, constants);
                    self.walk(otherwise, inner, top, constants);
                }
                Stmt::Switch { subject, arms, default, .. } => {
                    let inner = self.open(context, *subject);
                    for arm in arms {
                        self.walk(&arm.body, inner, top, constants);
                    }
                    self.walk(default.as_deref().unwrap_or(&[]), inner, top, constants);
                }
                &Stmt::MemWrite { mem, addr, data, mask, .. } => {
                    self.writes.push((mem, context, [Some(addr), Some(data), mask]));
                }
                Stmt::Property { cond, .. } => self.properties.push((context, *cond)),
            }
        }
    }

    fn open(&mut self, outer: u32, cond: NodeId) -> u32 {
        self.contexts.push((outer, cond));
        self.contexts.len() as u32 - 1
    }

    /// Every assignment to `target`, last first.
    fn of_target(&self, target: NodeId) -> impl Iterator<Item = Site> + '_ {
        let mut next = self.last_assign[target.index()];
        std::iter::from_fn(move || {
            let site = *self.assigns.get(next as usize)?;
            next = site.previous;
            Some(site)
        })
    }

    /// Low bit and value of every assignment to `target`.
    pub fn assigned_ranges(&self, target: NodeId) -> impl Iterator<Item = (u32, NodeId)> + '_ {
        self.of_target(target).map(|site| (site.lo, site.value))
    }

    /// The statements of the module's body that drive `target`, by place, in order.
    pub fn tops(&self, target: NodeId) -> Vec<u32> {
        let mut tops: Vec<u32> = self.of_target(target).map(|site| site.top).collect();
        tops.reverse();
        tops.dedup();
        tops
    }

    /// The value, if one unconditional statement drives all of `target`.
    pub fn sole_value(&self, target: NodeId) -> Option<NodeId> {
        let mut sites = self.of_target(target);
        let site = sites.next()?;
        (site.context == END && site.lo == 0 && sites.next().is_none()).then_some(site.value)
    }
}

/// The statements that a condition known beforehand chooses.
pub(crate) fn statically_taken<'s>(stmt: &'s Stmt, constants: &Constants) -> Option<&'s [Stmt]> {
    match stmt {
        Stmt::When { cond, then, otherwise, .. } => constants
            .get(*cond)
            .map(|value| if value.is_zero() { &otherwise[..] } else { &then[..] }),
        Stmt::Switch { subject, arms, default, full, .. } => constants.get(*subject).map(|value| {
            let matching = arms.iter().find(|arm| arm.labels.contains(value));
            let last = if *full { arms.last() } else { None };
            matching.or(last).map_or(default.as_deref().unwrap_or(&[]), |arm| &arm.body)
        }),
        _ => None,
    }
}

impl<'a> Plan<'a> {
    pub fn new(module: &'a Module, names: Names) -> Plan<'a> {
        let constants = Constants::of(module);
        let sites = Sites::of(module, &constants);
        let count = module.nodes.len();
        let mut enums = vec![None; count];
        for &(node, def) in &module.enums {
            enums[node.index()] = Some(def);
        }
        let mut resets = vec![None; count];
        for (node, value) in &module.resets {
            resets[node.index()] = Some(value);
        }
        let mut plan = Plan {
            module,
            constants,
            names,
            live: vec![false; count],
            live_memory: vec![false; module.memories.len()],
            declared: vec![false; count],
            sites,
            enums,
            resets,
            localparams: Vec::new(),
            reads: vec![Reads::None; count],
        };
        let uses = plan.mark_live();
        plan.declare(&uses);
        plan
    }

    /// Finds what is live; returns how often each live node is used.
    fn mark_live(&mut self) -> Vec<u32> {
        let mut uses = vec![0u32; self.module.nodes.len()];
        let mut seen_context = vec![false; self.sites.contexts.len()];
        let mut work = Vec::new();
        for port in &self.module.ports {
            self.live[port.node.index()] = true;
            work.push(port.node);
        }
        for instance in &self.module.instances {
            for &node in &instance.connections {
                self.live[node.index()] = true;
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
                uses[node.index()] += 1;
                if self.constants.get(node).is_none()
                    && !std::mem::replace(&mut self.live[node.index()], true)
                {
                    work.push(node);
                }
            }
            let Some(node) = work.pop() else { break };
            inputs.extend(self.module.operands_of(node));
            match self.module.node(node).op {
                Op::MemRead(index) => {
                    let read = &self.module.reads[index as usize];
                    inputs.push(read.addr);
                    inputs.extend(read.sync);
                    if !std::mem::replace(&mut self.live_memory[read.mem.index()], true) {
                        for (mem, context, operands) in &self.sites.writes {
                            if *mem == read.mem {
                                pending.extend(
                                    operands.iter().flatten().map(|&node| (*context, node, false)),
                                );
                            }
                        }
                    }
                }
                op if op.is_driven() => {
                    pending.extend(
                        self.sites
                            .of_target(node)
                            .map(|site| (site.context, site.value, op != Op::Reg)),
                    );
                }
                _ => {}
            }
        }
        uses
    }

    fn declare(&mut self, uses: &[u32]) {
        let module = self.module;
        // Users come after operands, so going backwards every use by name is known in time.
        let mut by_name = vec![false; module.nodes.len()];
        let mut indexed = vec![false; module.nodes.len()];
        let wide_shift = |by: NodeId| module.node(by).width > super::expr::WIDEST_SHIFT;
        for index in (0..module.nodes.len()).rev() {
            if !self.live[index] {
                continue;
            }
            match module.nodes[index].op {
                Op::Slice { from, .. } | Op::Sext(from) => by_name[from.index()] = true,
                Op::BitAt { from, index } => {
                    indexed[from.index()] = true;
                    by_name[index.index()] = true;
                    // Verilog cannot index a literal.
                    self.live[from.index()] = true;
                }
                Op::Shl(_, by) | Op::Shr(_, by) if wide_shift(by) => by_name[by.index()] = true,
                Op::Sra(from, by) if wide_shift(by) => {
                    by_name[from.index()] = true;
                    by_name[by.index()] = true;
                }
                _ => {}
            }
        }
        for index in 0..module.nodes.len() {
            let target = NodeId(index as u32);
            if self.live[index]
                && module.node(target).op.is_driven()
                && module.node(target).op != Op::Reg
            {
                let segments = self.segments(target);
                if segments.len() > 1 {
                    for (lo, value) in self.sites.assigned_ranges(target) {
                        by_name[value.index()] |=
                            !segments.contains(&(lo, module.node(value).width));
                    }
                }
            }
        }
        for (mem, _, [_, data, mask]) in &self.sites.writes {
            if let (true, Some(mask), Some(data)) = (self.live_memory[mem.index()], mask, data) {
                by_name[data.index()] = true;
                by_name[mask.index()] = true;
            }
        }
        // A value that is all there is on the right of an assignment is laid out over several lines.
        let mut laid_out = vec![false; module.nodes.len()];
        for index in 0..module.nodes.len() {
            let target = NodeId(index as u32);
            if self.live[index] && module.node(target).op == Op::Reg {
                self.sites.of_target(target).for_each(|site| laid_out[site.value.index()] = true);
            } else if let Some(value) = self.sites.sole_value(target).filter(|_| self.live[index]) {
                laid_out[value.index()] = true;
            }
        }
        let mut size = vec![0u32; module.nodes.len()];
        for index in 0..module.nodes.len() {
            let id = NodeId(index as u32);
            let node = module.node(id);
            if !self.live[index] {
                size[index] = NAME;
                continue;
            }
            let named = match node.op {
                _ if indexed[index] || self.constants.get(id).is_some() => true,
                Op::Input | Op::Output | Op::Wire | Op::Reg | Op::InstOut(..) => true,
                Op::MemRead(read) if module.reads[read as usize].sync.is_some() => true,
                Op::InstIn(..) => {
                    uses[index] > 0 || by_name[index] || self.sites.sole_value(id).is_none()
                }
                Op::Slice { .. } => node.name.is_some(),
                op => {
                    let operands: u32 = match op {
                        Op::MemRead(_) => LONG / 2,
                        _ => module.operands_of(id).map(|operand| size[operand.index()] + 3).sum(),
                    };
                    size[index] = operands;
                    let cheap =
                        matches!(op, Op::Not(of) if node.width == 1 && self.declared[of.index()]);
                    node.name.is_some()
                        || by_name[index]
                        || (uses[index] > 1 && !cheap)
                        || (operands > LONG && uses[index] > 0 && !laid_out[index])
                }
            };
            if named {
                self.declared[index] = true;
                size[index] = NAME;
                if self.names.node(id).is_none() {
                    let wanted = self.describe(id);
                    self.names.name_node(id, &wanted);
                }
            }
        }
    }

    /// A driven signal cut where some assignment begins or ends: low bits and widths.
    pub fn segments(&self, target: NodeId) -> Vec<(u32, u32)> {
        let width = self.module.node(target).width;
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

    /// Notes that the text reads `width` bits from `lo`.
    pub fn note_read(&mut self, id: NodeId, lo: u32, width: u32) {
        let all = width == self.module.node(id).width;
        match &mut self.reads[id.index()] {
            Reads::All => {}
            reads if all => *reads = Reads::All,
            Reads::Parts(parts) => parts.push((lo, lo + width)),
            reads @ Reads::None => *reads = Reads::Parts(vec![(lo, lo + width)]),
        }
    }

    /// The ranges of a declared value that nothing reads.
    pub fn unread(&self, id: NodeId) -> Vec<(u32, u32)> {
        let width = self.module.node(id).width;
        let mut parts = match &self.reads[id.index()] {
            Reads::All => return Vec::new(),
            Reads::None => return vec![(0, width)],
            Reads::Parts(parts) => parts.clone(),
        };
        parts.sort_unstable();
        let mut gaps = Vec::new();
        let mut next = 0;
        for (lo, hi) in parts {
            if lo > next {
                gaps.push((next, lo));
            }
            next = next.max(hi);
        }
        if next < width {
            gaps.push((next, width));
        }
        gaps
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
