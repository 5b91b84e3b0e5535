//! Strongly connected components: which values depend on each other word by word.
//!
//! Most components are single values. One with several values is legal where no *bit* depends on
//! itself, and is then evaluated over and over until it is stable.

use super::graph::Graph;
use crate::ir::NodeId;

/// The components of a graph, operands before users.
pub(super) struct Components {
    /// The component of each value.
    pub of: Vec<u32>,
    /// Values by component; inside one in the order of a walk from users to operands, operands
    /// first as far as possible.
    members: Vec<NodeId>,
    /// Where each component begins in `members`.
    starts: Vec<u32>,
}

impl Components {
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn members(&self, component: u32) -> &[NodeId] {
        let start = self.starts[component as usize] as usize;
        let end =
            self.starts.get(component as usize + 1).map_or(self.members.len(), |&e| e as usize);
        &self.members[start..end]
    }
}

const UNSEEN: u32 = u32::MAX;

/// Tarjan's algorithm with an explicit stack: circuits are deeper than the call stack.
pub(super) fn components(graph: &Graph) -> Components {
    let count = graph.values.len();
    let operands = Operands::of(graph);
    let mut entered = vec![UNSEEN; count];
    let mut lowest = vec![0u32; count];
    let mut finished = vec![0u32; count];
    let mut of = vec![UNSEEN; count];
    let mut members = Vec::with_capacity(count);
    let mut starts = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    let (mut clock, mut finish) = (0, 0);
    for root in 0..count as u32 {
        if entered[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((at, edge)) = path.last_mut() {
            let id = *at as usize;
            if *edge == 0 && entered[id] == UNSEEN {
                entered[id] = clock;
                lowest[id] = clock;
                clock += 1;
                open.push(*at);
            }
            if let Some(&next) = operands.get(id).get(*edge as usize) {
                *edge += 1;
                if entered[next as usize] == UNSEEN {
                    path.push((next, 0));
                } else if of[next as usize] == UNSEEN {
                    lowest[id] = lowest[id].min(entered[next as usize]);
                }
                continue;
            }
            let at = *at;
            path.pop();
            finished[id] = finish;
            finish += 1;
            if let Some(&(user, _)) = path.last() {
                lowest[user as usize] = lowest[user as usize].min(lowest[id]);
            }
            if lowest[id] == entered[id] {
                let start = members.len();
                starts.push(start as u32);
                while let Some(member) = open.pop() {
                    of[member as usize] = starts.len() as u32 - 1;
                    members.push(NodeId(member));
                    if member == at {
                        break;
                    }
                }
                members[start..].sort_unstable_by_key(|member| finished[member.index()]);
            }
        }
    }
    Components { of, members, starts }
}

/// The operands of all values, side by side.
pub(super) struct Operands {
    list: Vec<u32>,
    starts: Vec<u32>,
}

impl Operands {
    pub fn of(graph: &Graph) -> Operands {
        let mut list = Vec::with_capacity(graph.values.len() * 2);
        let mut starts = Vec::with_capacity(graph.values.len() + 1);
        for index in 0..graph.values.len() as u32 {
            starts.push(list.len() as u32);
            graph.each_operand(NodeId(index), |operand| list.push(operand.0));
        }
        starts.push(list.len() as u32);
        Operands { list, starts }
    }

    pub fn get(&self, index: usize) -> &[u32] {
        &self.list[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}
