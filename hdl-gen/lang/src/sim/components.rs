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
    /// Values by component; inside one, operands first as far as possible.
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

/// The components of all values.
pub(super) fn components(graph: &Graph) -> Components {
    let count = graph.values.len();
    let found = crate::components::Components::of(count, 0..count as u32, |value, operands| {
        graph.each_operand(NodeId(value), |operand| operands.push(operand.0));
    });
    let mut components =
        Components { of: vec![0; count], members: Vec::with_capacity(count), starts: Vec::new() };
    for (number, values) in found.iter().enumerate() {
        components.starts.push(components.members.len() as u32);
        for &value in values {
            components.of[value as usize] = number as u32;
            components.members.push(NodeId(value));
        }
    }
    components
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
