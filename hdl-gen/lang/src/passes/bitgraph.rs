//! The same dependencies bit by bit: which bit of a value depends on which bits of its operands.
//!
//! A vertex has a slot for each of its bits. Where every bit would depend on many, as the sum does
//! on all bits below, further slots stand for what they have in common, so that the number of
//! edges stays proportional to the number of bits.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, VecDeque};

use crate::fold::Constants;
use crate::ir::{Design, NodeId, Op};

use super::cover::Places;
use super::flat::Flat;
use super::graph::{Graph, Through};

/// A vertex of a [`Graph`] and one of its slots.
pub(crate) type Bit = (u32, u32);

/// The graphs of the modules of a design, made when they are asked for.
pub(crate) struct BitGraphs<'a> {
    design: &'a Design,
    through: &'a [Through],
    modules: Vec<OnceCell<BitGraph<'a>>>,
}

/// The bits of one module.
pub(crate) struct BitGraph<'a> {
    pub graph: Graph<'a>,
    constants: Constants,
    /// For each entry of [`crate::ir::Module::operands`], its lowest bit in the concatenation.
    offsets: Vec<u32>,
    /// What is known of paths through the module.
    paths: RefCell<Paths>,
}

#[derive(Default)]
struct Paths {
    /// For each output bit asked for, the input bits it depends on.
    inputs_of: HashMap<Bit, Vec<Bit>>,
    /// Where the slots of each vertex begin in `seen`.
    bases: Vec<usize>,
    /// The search that last came by.
    seen: Vec<u32>,
    searches: u32,
}

impl<'a> BitGraphs<'a> {
    /// Graphs for the modules whose paths are in `through`, and the next.
    pub fn new(design: &'a Design, through: &'a [Through]) -> BitGraphs<'a> {
        let modules = (0..=through.len()).map(|_| OnceCell::new()).collect();
        BitGraphs { design, through, modules }
    }

    /// The graph of a module.
    pub fn module(&self, index: usize) -> &BitGraph<'a> {
        self.modules[index].get_or_init(|| {
            let module = &self.design.modules[index];
            let graph = Graph::new(module, Flat::of(module), Places::of(module), true);
            let mut offsets = vec![0; module.operands.len()];
            for node in &module.nodes {
                if let Op::Cat { start, len } = node.op {
                    let mut low = node.width;
                    let range = start as usize..(start + len) as usize;
                    for (offset, &part) in
                        offsets[range.clone()].iter_mut().zip(&module.operands[range])
                    {
                        low -= module.node(part).width;
                        *offset = low;
                    }
                }
            }
            let paths = RefCell::default();
            BitGraph { graph, constants: Constants::of(module), offsets, paths }
        })
    }

    /// Appends the input ports and their bits that a bit of an output port depends on.
    fn inputs_behind(&self, index: usize, port: u32, bit: u32, list: &mut Vec<Bit>) {
        let this = self.module(index);
        let mut paths = this.paths.borrow_mut();
        let paths = &mut *paths;
        if let Some(known) = paths.inputs_of.get(&(port, bit)) {
            list.extend(known);
            return;
        }
        if paths.bases.is_empty() {
            let mut total = 0;
            for vertex in 0..this.graph.len() as u32 {
                paths.bases.push(total);
                total += this.slots(vertex) as usize;
            }
            paths.seen = vec![0; total];
        }
        paths.searches += 1;
        let ports = &this.graph.module.ports;
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut pending = vec![(ports[port as usize].node.0, bit)];
        let mut next = Vec::new();
        while let Some((vertex, slot)) = pending.pop() {
            let seen = &mut paths.seen[paths.bases[vertex as usize] + slot as usize];
            if std::mem::replace(seen, paths.searches) == paths.searches {
                continue;
            }
            if let Ok(id) = this.graph.vertex(vertex)
                && this.graph.module.node(id).op == Op::Input
            {
                found.push((vertex, slot));
            }
            this.successors(self, (vertex, slot), &mut next);
            pending.append(&mut next);
        }
        found.sort();
        let inputs: Vec<Bit> = self.through[index][port as usize]
            .iter()
            .flat_map(|&input| {
                let node = ports[input as usize].node.0;
                let start = found.partition_point(|&(vertex, _)| vertex < node);
                let bits = found[start..].iter().take_while(move |(vertex, _)| *vertex == node);
                bits.map(move |&(_, bit)| (input, bit))
            })
            .collect();
        list.extend(&inputs);
        paths.inputs_of.insert((port, bit), inputs);
    }
}

impl BitGraph<'_> {
    /// How many slots a vertex has: one for each bit, then those that bits have in common.
    pub fn slots(&self, vertex: u32) -> u32 {
        let Ok(id) = self.graph.vertex(vertex) else { return 1 };
        let node = self.graph.module.node(id);
        match node.op {
            Op::Add(..) | Op::Sub(..) | Op::Neg(_) | Op::Mul(..) => 2 * node.width,
            Op::Shl(..) | Op::Shr(..) | Op::Sra(..) | Op::MemRead(_) => node.width + 1,
            _ => node.width,
        }
    }

    /// Whether the slot stands for a bit of its own.
    pub fn is_bit(&self, (vertex, slot): Bit) -> bool {
        self.graph.vertex(vertex).is_ok_and(|id| slot < self.graph.module.node(id).width)
    }

    fn all_bits(&self, id: NodeId) -> impl Iterator<Item = Bit> + use<> {
        (0..self.graph.module.node(id).width).map(move |bit| (id.0, bit))
    }

    fn amount(&self, id: NodeId) -> Option<u64> {
        self.constants.get(id).map(|value| value.to_u64().unwrap_or(u64::MAX))
    }

    /// Appends what a slot depends on.
    pub fn successors(&self, all: &BitGraphs, (vertex, slot): Bit, list: &mut Vec<Bit>) {
        use Op::*;
        let id = match self.graph.vertex(vertex) {
            Ok(id) => id,
            Err(context) => {
                let context = &self.graph.flat.contexts[context as usize];
                list.extend(self.all_bits(context.subject));
                list.extend(self.graph.context(context.outer).map(|outer| (outer, 0)));
                return;
            }
        };
        let module = self.graph.module;
        let node = *module.node(id);
        let (width, bit) = (node.width, slot);
        let width_of = |id: NodeId| module.node(id).width;
        let common = slot.checked_sub(width);
        match node.op {
            Wire | Output | InstIn(..) => {
                for assign in self.graph.assigns_of_bit(id, bit) {
                    list.push((assign.value.0, bit - assign.lo));
                    list.extend(self.graph.context(assign.context).map(|context| (context, 0)));
                }
            }
            InstOut(instance, port) => {
                let instance = &module.instances[instance.index()];
                let start = list.len();
                all.inputs_behind(instance.module.index(), port, bit, list);
                for (input, _) in &mut list[start..] {
                    *input = instance.connections[*input as usize].0;
                }
            }
            Poison | Const(_) | Input | Reg => {}
            Not(a) => list.push((a.0, bit)),
            And(a, b) | Or(a, b) | Xor(a, b) => list.extend([(a.0, bit), (b.0, bit)]),
            Mux(select, a, b) => list.extend([(select.0, 0), (a.0, bit), (b.0, bit)]),
            Slice { from, lo } => list.push((from.0, lo + bit)),
            Repeat(a) => list.push((a.0, bit % width_of(a))),
            Zext(a) => list.extend((bit < width_of(a)).then_some((a.0, bit))),
            Sext(a) => list.push((a.0, bit.min(width_of(a) - 1))),
            Cat { start, len } => {
                let range = start as usize..(start + len) as usize;
                let above = self.offsets[range].partition_point(|&offset| offset > bit);
                let at = start as usize + above;
                list.push((module.operands[at].0, bit - self.offsets[at]));
            }
            // The common slot `i` stands for the bits up to `i` of the operands.
            Neg(_) | Add(..) | Sub(..) | Mul(..) => match common {
                None => list.push((id.0, width + bit)),
                Some(bit) => {
                    let operands =
                        module.operands_of(id).filter(|&operand| bit < width_of(operand));
                    list.extend(operands.map(|operand| (operand.0, bit)));
                    list.extend(bit.checked_sub(1).map(|below| (id.0, width + below)));
                }
            },
            RedAnd(_) | RedOr(_) | RedXor(_) | Eq(..) | Ne(..) | Ult(..) | Ule(..) | Slt(..)
            | Sle(..) => {
                for operand in module.operands_of(id) {
                    list.extend(self.all_bits(operand));
                }
            }
            Shl(a, by) | Shr(a, by) | Sra(a, by) => match (common, self.amount(by)) {
                (None, Some(by)) => {
                    let from = match node.op {
                        Shl(..) => u64::from(bit).checked_sub(by),
                        Shr(..) => Some(u64::from(bit).saturating_add(by)),
                        _ => Some(u64::from(bit).saturating_add(by).min(u64::from(width) - 1)),
                    };
                    let from = from.filter(|&from| from < u64::from(width));
                    list.extend(from.map(|from| (a.0, from as u32)));
                }
                (None, None) => list.push((id.0, width)),
                (Some(_), _) => list.extend(self.all_bits(a).chain(self.all_bits(by))),
            },
            BitAt { from, index } => match self.amount(index) {
                Some(at) if at < u64::from(width_of(from)) => list.push((from.0, at as u32)),
                Some(_) => {}
                None => list.extend(self.all_bits(from).chain(self.all_bits(index))),
            },
            MemRead(read) => {
                let read = &module.reads[read as usize];
                match (common, read.sync) {
                    (_, Some(_)) => {}
                    (None, None) => list.push((id.0, width)),
                    (Some(_), None) => list.extend(self.all_bits(read.addr)),
                }
            }
        }
    }

    /// The shortest way from `from` along dependencies to `to` (if they are the same, around a
    /// loop), both included, through slots that `may_pass`; and how many slots were looked at.
    pub fn path(
        &self,
        all: &BitGraphs,
        from: Bit,
        to: Bit,
        may_pass: impl Fn(Bit) -> bool,
    ) -> (Option<Vec<Bit>>, usize) {
        let mut reached_from: HashMap<Bit, Bit> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        let mut next = Vec::new();
        while let Some(bit) = queue.pop_front() {
            self.successors(all, bit, &mut next);
            for successor in next.drain(..) {
                if successor == to {
                    let mut path = vec![to, bit];
                    while let Some(&before) = reached_from.get(&path[path.len() - 1])
                        && path[path.len() - 1] != from
                    {
                        path.push(before);
                    }
                    path.reverse();
                    return (Some(path), reached_from.len());
                }
                if successor != from
                    && may_pass(successor)
                    && !reached_from.contains_key(&successor)
                {
                    reached_from.insert(successor, bit);
                    queue.push_back(successor);
                }
            }
        }
        (None, reached_from.len())
    }
}
