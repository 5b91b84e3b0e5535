//! The directory: names of signals and memories through the hierarchy.

use std::collections::HashMap;

use super::graph::Frame;
use crate::ir::{Design, EnumDef, MemId, NodeId, Op};
use crate::names::Names;

/// A signal of a running simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalId {
    /// The value of the flat circuit.
    pub(crate) value: u32,
    pub(crate) width: u32,
}

/// A memory of a running simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryId {
    pub(crate) index: u32,
    pub(crate) width: u32,
}

/// What a named signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Port,
    Register,
    /// A wire or a named expression.
    Wire,
    /// The end of an instance's port: shown inside the instance.
    InstancePort,
}

/// A signal with a name.
pub(super) struct Entry {
    pub name: String,
    pub node: NodeId,
    pub width: u32,
    pub role: Role,
    pub enum_def: Option<&'static EnumDef>,
}

/// The names in one module.
struct Listing {
    name: String,
    /// In the order of the source.
    entries: Vec<Entry>,
    memories: Vec<(String, u32)>,
    instances: Vec<String>,
}

/// A module in its place.
struct Scope {
    module: usize,
    parent: Option<(u32, u32)>,
    base: u32,
    first_memory: u32,
    /// By instance.
    children: Vec<u32>,
}

/// All names of a design.
pub(super) struct Directory {
    listings: Vec<Listing>,
    scopes: Vec<Scope>,
    /// Widths of the top module's nodes.
    top_widths: Vec<u32>,
}

impl Directory {
    pub fn new(design: &Design, frames: &[Frame]) -> Directory {
        let listings = design.modules.iter().map(|module| {
            let names = Names::of(design, module);
            let enums: HashMap<NodeId, &'static EnumDef> = module.enums.iter().copied().collect();
            let entry = |(index, node): (usize, &crate::ir::Node)| {
                let id = NodeId(index as u32);
                let role = match node.op {
                    Op::Const(_) => return None,
                    Op::Input | Op::Output => Role::Port,
                    Op::Reg => Role::Register,
                    Op::InstIn(..) | Op::InstOut(..) => Role::InstancePort,
                    _ => Role::Wire,
                };
                let name = names.node(id)?.to_owned();
                let enum_def = enums.get(&id).copied();
                Some(Entry { name, node: id, width: node.width, role, enum_def })
            };
            Listing {
                name: module.name.clone(),
                entries: module.nodes.iter().enumerate().filter_map(entry).collect(),
                memories: (0..)
                    .zip(&module.memories)
                    .map(|(index, memory)| (names.memory(MemId(index)).to_owned(), memory.width))
                    .collect(),
                instances: (0..module.instances.len() as u32)
                    .map(|index| names.instance(crate::ir::InstId(index)).to_owned())
                    .collect(),
            }
        });
        let listings: Vec<Listing> = listings.collect();
        let mut scopes: Vec<Scope> = Vec::with_capacity(frames.len());
        let mut first_memory = 0;
        for (index, frame) in frames.iter().enumerate() {
            let module = frame.module.index();
            if let Some((parent, _)) = frame.parent {
                scopes[parent as usize].children.push(index as u32);
            }
            let (parent, base) = (frame.parent, frame.base);
            scopes.push(Scope { module, parent, base, first_memory, children: Vec::new() });
            first_memory += listings[module].memories.len() as u32;
        }
        let top_widths = design.top().nodes.iter().map(|node| node.width).collect();
        Directory { listings, scopes, top_widths }
    }

    /// The width of a node of the top module.
    pub fn top_width(&self, node: u32) -> Option<u32> {
        self.top_widths.get(node as usize).copied()
    }

    /// The name of a scope in its parent; of the top, its module's.
    pub fn name(&self, scope: u32) -> &str {
        let scope = &self.scopes[scope as usize];
        match scope.parent {
            Some((parent, instance)) => {
                let parent = self.scopes[parent as usize].module;
                &self.listings[parent].instances[instance as usize]
            }
            None => &self.listings[scope.module].name,
        }
    }

    /// The instances on the way to a scope, without the top.
    pub fn path(&self, scope: u32) -> String {
        let mut segments = Vec::new();
        let mut at = scope;
        while let Some((parent, _)) = self.scopes[at as usize].parent {
            segments.push(self.name(at));
            at = parent;
        }
        segments.reverse();
        segments.join(".")
    }

    pub fn children(&self, scope: u32) -> &[u32] {
        &self.scopes[scope as usize].children
    }

    /// The named signals of a scope, each with its value.
    pub fn entries(&self, scope: u32) -> impl Iterator<Item = (&Entry, u32)> {
        let scope = &self.scopes[scope as usize];
        let entries = &self.listings[scope.module].entries;
        entries.iter().map(|entry| (entry, scope.base + entry.node.0))
    }

    pub fn port(&self, name: &str) -> Option<SignalId> {
        let mut entries = self.entries(0);
        let (entry, value) =
            entries.find(|(entry, _)| entry.role == Role::Port && entry.name == name)?;
        Some(SignalId { value, width: entry.width })
    }

    pub fn signal(&self, path: &str) -> Option<SignalId> {
        let (scope, name) = self.walk(path)?;
        let (entry, value) = self.entries(scope).find(|(entry, _)| entry.name == name)?;
        Some(SignalId { value, width: entry.width })
    }

    pub fn memory(&self, path: &str) -> Option<MemoryId> {
        let (scope, wanted) = self.walk(path)?;
        let scope = &self.scopes[scope as usize];
        let memories = &self.listings[scope.module].memories;
        let index = memories.iter().position(|(name, _)| name == wanted)?;
        Some(MemoryId { index: scope.first_memory + index as u32, width: memories[index].1 })
    }

    /// The scope that a path leads to, and its last segment.
    fn walk<'p>(&self, path: &'p str) -> Option<(u32, &'p str)> {
        let mut scope = 0;
        let mut rest = path;
        while let Some((instance, inner)) = rest.split_once('.') {
            scope = *self.children(scope).iter().find(|&&child| self.name(child) == instance)?;
            rest = inner;
        }
        Some((scope, rest))
    }
}
