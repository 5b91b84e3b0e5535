//! What depends on what within a clock cycle: a module's nodes and conditions as a graph.
//!
//! The vertices are the nodes, then one for each condition that statements stand under: an
//! assigned node depends on the value and on the condition, a condition on its subject and on the
//! condition around it. So the graph is as large as the module, however deep its blocks nest.

use std::cell::OnceCell;

use crate::flags::Flags;
use crate::ir::{InstId, Module, NodeId, Op};

use super::cover::Places;
use super::flat::{Assign, Flat, OUTERMOST};

/// For each output port of a module, the input ports it depends on within the cycle; for each
/// input port nothing.
pub(crate) type Through = Vec<Vec<u32>>;

/// The graph of one module.
pub(crate) struct Graph<'a> {
    pub module: &'a Module,
    pub flat: Flat<'a>,
    pub places: Places,
    /// Indices of assignments, by target and then by lowest bit.
    by_target: Vec<u32>,
    /// Where each target's begin in `by_target`.
    starts: Vec<u32>,
    /// Nodes that may be part of a path worth following: those that do not depend on registers
    /// and constants alone.
    live: Flags,
    /// Up to each entry of `by_target`, the highest bit its target is assigned, plus one. Only
    /// those who look at single bits ask for it.
    reach: OnceCell<Vec<u32>>,
}

impl<'a> Graph<'a> {
    /// The graph; paths from input ports are left out unless `from_inputs`.
    pub fn new(module: &'a Module, flat: Flat<'a>, places: Places, from_inputs: bool) -> Graph<'a> {
        let mut starts = vec![0u32; places.nodes.len() + 1];
        for assign in &flat.assigns {
            starts[places.of_node(assign.target) + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut free = starts.clone();
        let mut by_target = vec![0u32; flat.assigns.len()];
        for (index, assign) in flat.assigns.iter().enumerate() {
            let slot = &mut free[places.of_node(assign.target)];
            by_target[*slot as usize] = index as u32;
            *slot += 1;
        }
        for range in starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize) {
            by_target[range].sort_by_key(|&index| flat.assigns[index as usize].lo);
        }
        let live = live(module, from_inputs);
        Graph { module, flat, places, by_target, starts, live, reach: OnceCell::new() }
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.module.nodes.len() + self.flat.contexts.len()
    }

    /// The node behind a vertex, or the index of a condition.
    pub fn vertex(&self, vertex: u32) -> Result<NodeId, u32> {
        match vertex.checked_sub(self.module.nodes.len() as u32) {
            None => Ok(NodeId(vertex)),
            Some(context) => Err(context),
        }
    }

    /// The vertex of a condition.
    pub fn context(&self, context: u32) -> Option<u32> {
        (context != OUTERMOST).then(|| self.module.nodes.len() as u32 + context)
    }

    /// What is assigned to a node.
    pub fn assigns(&self, target: NodeId) -> impl Iterator<Item = &Assign> {
        let place = self.places.of_node(target);
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        self.by_target[range].iter().map(|&index| &self.flat.assigns[index as usize])
    }

    /// What is assigned to one bit of a node.
    pub fn assigns_of_bit(&self, target: NodeId, bit: u32) -> impl Iterator<Item = &Assign> {
        let place = self.places.of_node(target);
        let (start, end) = (self.starts[place] as usize, self.starts[place + 1] as usize);
        let assign = |at: usize| &self.flat.assigns[self.by_target[at] as usize];
        let reach = self.reach.get_or_init(|| self.reach());
        let below = self.by_target[start..end]
            .partition_point(|&index| self.flat.assigns[index as usize].lo <= bit);
        (start..start + below)
            .rev()
            .take_while(move |&at| reach[at] > bit)
            .map(assign)
            .filter(move |assign| bit < assign.lo + self.module.node(assign.value).width)
    }

    fn reach(&self) -> Vec<u32> {
        let mut reach = Vec::with_capacity(self.by_target.len());
        for range in self.starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize) {
            let mut highest = 0;
            for &index in &self.by_target[range] {
                let assign = &self.flat.assigns[index as usize];
                highest = highest.max(assign.lo + self.module.node(assign.value).width);
                reach.push(highest);
            }
        }
        reach
    }

    /// The node of the parent for each input port that an output of an instance depends on.
    fn inputs_behind<'b>(
        &'b self,
        through: &'b [Through],
        instance: InstId,
        port: u32,
    ) -> impl Iterator<Item = NodeId> + 'b {
        let instance = &self.module.instances[instance.index()];
        let inputs = &through[instance.module.index()][port as usize];
        inputs.iter().map(|&input| instance.connections[input as usize])
    }

    /// Appends what a vertex depends on, as far as it is of interest. `through` has the modules
    /// before this one.
    pub fn successors(&self, through: &[Through], vertex: u32, list: &mut Vec<u32>) {
        let mut push = |id: NodeId| list.extend(self.live[id.index()].then_some(id.0));
        let id = match self.vertex(vertex) {
            Ok(id) => id,
            Err(context) => {
                let context = &self.flat.contexts[context as usize];
                push(context.subject);
                list.extend(self.context(context.outer));
                return;
            }
        };
        match self.module.node(id).op {
            Op::Wire | Op::Output | Op::InstIn(..) => {
                for assign in self.assigns(id) {
                    push(assign.value);
                }
                for assign in self.assigns(id) {
                    list.extend(self.context(assign.context));
                }
            }
            Op::InstOut(instance, port) => {
                self.inputs_behind(through, instance, port).for_each(push);
            }
            Op::MemRead(read) => {
                let read = &self.module.reads[read as usize];
                if read.sync.is_none() {
                    push(read.addr);
                }
            }
            _ => self.module.operands_of(id).for_each(push),
        }
    }
}

/// Whether each node depends, within the cycle, on anything that statements or instances drive or,
/// if asked for, on an input. One pass will do: operands precede what is made of them.
fn live(module: &Module, from_inputs: bool) -> Flags {
    let mut live = Flags::none(module.nodes.len());
    for (index, node) in module.nodes.iter().enumerate() {
        let is_live = match node.op {
            Op::Poison | Op::Const(_) | Op::Reg => false,
            Op::Input => from_inputs,
            Op::Wire | Op::Output | Op::InstIn(..) | Op::InstOut(..) => true,
            Op::MemRead(read) => {
                let read = &module.reads[read as usize];
                read.sync.is_none() && live[read.addr.index()]
            }
            op => {
                let (fixed, pool) = op.operands();
                let (start, len) = pool.unwrap_or((0, 0));
                let pool = &module.operands[start as usize..(start + len) as usize];
                fixed.iter().flatten().chain(pool).any(|id| live[id.index()])
            }
        };
        if is_live {
            live.insert(index);
        }
    }
    live
}

/// Whether statements drive the node within the cycle: every loop goes through such a node, since
/// the operands of a pure operation precede it.
pub(crate) fn is_driven_within_cycle(op: Op) -> bool {
    matches!(op, Op::Wire | Op::Output | Op::InstIn(..))
}
