//! Scheduling: an order of computation in which like operations stand together.
//!
//! Of the values whose operands are all known, those of the most frequent kernel come next. That
//! keeps groups long, and a group costs one dispatch whatever its length.

use super::components::{Components, Operands, components};
use super::emit::Emitter;
use super::graph::{Expr, Graph};
use super::kernel::Kernel;
use super::select::select;
use crate::ir::NodeId;

/// The order of a graph's values under construction.
pub(super) struct Scheduler {
    components: Components,
    operands: Operands,
    /// Components already emitted.
    done: Vec<bool>,
}

impl Scheduler {
    pub fn new(graph: &Graph) -> Scheduler {
        let components = components(graph);
        let operands = Operands::of(graph);
        let done = (0..components.len() as u32)
            .map(|component| match components.members(component) {
                &[only] => {
                    matches!(graph.expr(only), Expr::Held | Expr::Const(_) | Expr::Same(_))
                }
                _ => false,
            })
            .collect();
        Scheduler { components, operands, done }
    }

    /// Emits `roots` and all they need that is not emitted yet.
    pub fn emit(&mut self, emitter: &mut Emitter<'_>, roots: impl IntoIterator<Item = NodeId>) {
        let needed = self.needed(roots);
        let (mut waiting, users) = self.dependencies(&needed);
        let mut ready: Vec<Vec<u32>> = vec![Vec::new(); Kernel::COUNT];
        for &component in &needed {
            if waiting[component as usize] == 0 {
                ready[self.kernel(emitter.graph, component) as usize].push(component);
            }
        }
        while let Some(kernel) = fullest(&ready) {
            let mut batch = std::mem::take(&mut ready[kernel]);
            if kernel >= Kernel::WideNot as usize {
                batch.sort_by_key(|&component| {
                    let id = self.components.members(component)[0];
                    let operand = self.operands.get(id.index()).first();
                    let from = operand.map_or(0, |&operand| emitter.graph.width(NodeId(operand)));
                    (emitter.graph.width(id), from)
                });
            }
            for &component in &batch {
                self.done[component as usize] = true;
                match self.components.members(component) {
                    &[only] if kernel != Kernel::Loop as usize => emitter.value(only),
                    members => emitter.cycle(members),
                }
                for &user in users.of(component) {
                    waiting[user as usize] -= 1;
                    if waiting[user as usize] == 0 {
                        ready[self.kernel(emitter.graph, user) as usize].push(user);
                    }
                }
            }
            batch.clear();
            if ready[kernel].is_empty() {
                ready[kernel] = batch;
            }
        }
        emitter.end_block(Vec::new(), 0);
    }

    fn kernel(&self, graph: &Graph, component: u32) -> Kernel {
        match self.components.members(component) {
            &[only] if !self.operands.get(only.index()).contains(&only.0) => select(graph, only),
            _ => Kernel::Loop,
        }
    }

    /// The components that `roots` need, in a fixed order.
    fn needed(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<u32> {
        let mut seen = vec![false; self.components.len()];
        let mut open = Vec::new();
        let visit = |id: u32, seen: &mut Vec<bool>, open: &mut Vec<u32>| {
            let component = self.components.of[id as usize] as usize;
            if !self.done[component] && !std::mem::replace(&mut seen[component], true) {
                open.push(component as u32);
            }
        };
        for root in roots {
            visit(root.0, &mut seen, &mut open);
        }
        while let Some(component) = open.pop() {
            for member in self.components.members(component) {
                for &operand in self.operands.get(member.index()) {
                    visit(operand, &mut seen, &mut open);
                }
            }
        }
        (0..seen.len() as u32).filter(|&component| seen[component as usize]).collect()
    }

    /// For each component how many operands it waits for, and who waits for it.
    fn dependencies(&self, needed: &[u32]) -> (Vec<u32>, Users) {
        let mut waiting = vec![0u32; self.components.len()];
        let mut edges = Vec::new();
        for &component in needed {
            for member in self.components.members(component) {
                for &operand in self.operands.get(member.index()) {
                    let from = self.components.of[operand as usize];
                    if from != component && !self.done[from as usize] {
                        waiting[component as usize] += 1;
                        edges.push((from, component));
                    }
                }
            }
        }
        (waiting, Users::new(self.components.len(), &edges))
    }
}

/// The kernel with the most values ready; what costs nothing goes first.
fn fullest(ready: &[Vec<u32>]) -> Option<usize> {
    if !ready[Kernel::Alias as usize].is_empty() {
        return Some(Kernel::Alias as usize);
    }
    let (kernel, batch) = ready.iter().enumerate().rev().max_by_key(|(_, batch)| batch.len())?;
    (!batch.is_empty()).then_some(kernel)
}

/// The users of each component, side by side.
struct Users {
    list: Vec<u32>,
    starts: Vec<u32>,
}

impl Users {
    fn new(components: usize, edges: &[(u32, u32)]) -> Users {
        let mut starts = vec![0u32; components + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for at in 0..components {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut list = vec![0; edges.len()];
        for &(from, to) in edges {
            list[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Users { list, starts }
    }

    fn of(&self, component: u32) -> &[u32] {
        let at = component as usize;
        &self.list[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
