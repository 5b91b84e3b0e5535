//! Finding what a module says of some of its nodes.

use crate::ir::NodeId;
use crate::ranks::Ranks;

/// Where a node is in a list that has only some of them.
pub(super) struct Lookup {
    listed: Ranks,
    /// The places of these, in the order of the nodes.
    places: Vec<u32>,
}

impl Lookup {
    /// If a node is listed twice, the second time counts.
    pub fn new(nodes: usize, list: impl ExactSizeIterator<Item = NodeId> + Clone) -> Lookup {
        if list.len() == 0 {
            return Lookup { listed: Ranks::default(), places: Vec::new() };
        }
        let listed = Ranks::of_listed(nodes, list.clone().map(NodeId::index));
        let mut places = vec![0; listed.count()];
        for (place, node) in list.enumerate() {
            if let Some(at) = listed.get(node.index()) {
                places[at] = place as u32;
            }
        }
        Lookup { listed, places }
    }

    pub fn get<'l, T>(&self, list: &'l [T], node: NodeId) -> Option<&'l T> {
        list.get(self.places[self.listed.get(node.index())?] as usize)
    }
}
