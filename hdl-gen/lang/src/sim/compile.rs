//! Compilation: from a design to a program and its storage at power-up.

use super::emit::Emitter;
use super::flatten::flatten;
use super::graph::{Frame, Graph, Property, StateKind};
use super::kernel::Rows;
use super::layout::Layout;
use super::program::{Program, WritePort};
use super::schedule::Scheduler;
use super::simplify::{origin, simplify};
use crate::bits::words_for;
use crate::ir::{Design, Direction, NodeId};

/// A compiled design, ready to run.
pub(super) struct Compiled {
    pub program: Program,
    /// All values at power-up.
    pub words: Vec<u64>,
    /// All memories at power-up.
    pub contents: Vec<u64>,
    pub frames: Vec<Frame>,
    pub properties: Vec<Property>,
}

/// Compiles a checked design.
pub(super) fn compile(design: &Design) -> Compiled {
    let mut graph = flatten(design);
    simplify(&mut graph);
    let layout = Layout::new(&graph);
    let mut emitter = Emitter::new(&graph, layout);
    let mut scheduler = Scheduler::new(&graph);
    scheduler.emit(&mut emitter, effects(&graph, design));
    let hot = std::mem::take(&mut emitter.blocks);
    let first_cold = emitter.layout.end();
    let source = (0..graph.source_values as u32).map(|id| origin(&graph, NodeId(id)));
    scheduler.emit(&mut emitter, source.clone());
    let cold = std::mem::take(&mut emitter.blocks);
    let Emitter { layout, groups, records, tables, .. } = emitter;

    let (memories, contents) = memories(&graph);
    let (mut next, mut resets) = (Vec::new(), Vec::new());
    for state in &graph.states {
        let words = words_for(graph.width(state.value)) as u32;
        let from = layout.of(state.next);
        next.extend(from..from + words);
        if let StateKind::Register(Some(reset)) = &state.kind {
            resets.extend((layout.of(state.value)..).zip(reset.words().iter().copied()));
        }
    }
    let writes = graph
        .writes
        .iter()
        .map(|write| {
            let width = graph.width(write.data);
            WritePort {
                memory: write.memory,
                enable: write.enable.map(|enable| layout.of(enable)),
                addr: layout.of(write.addr),
                data: layout.of(write.data),
                mask: write.mask.map(|mask| (layout.of(mask), width / graph.width(mask))),
                width,
            }
        })
        .collect();
    let fires = graph.properties.iter().map(|property| layout.of(property.fires)).collect();
    let places = source.map(|id| layout.of(id)).collect();
    let program = Program {
        hot,
        cold,
        groups,
        records,
        tables,
        memories,
        first_cold,
        next,
        resets,
        writes,
        fires,
        places,
    };
    let Graph { frames, properties, .. } = graph;
    Compiled { program, words: layout.image, contents, frames, properties }
}

/// The values that outputs, clock edges and properties need.
fn effects(graph: &Graph, design: &Design) -> Vec<NodeId> {
    let top = &graph.frames[0];
    let outputs = design.top().ports.iter().filter(|port| port.direction == Direction::Output);
    let mut roots: Vec<NodeId> = outputs.map(|port| origin(graph, top.value(port.node))).collect();
    roots.extend(graph.states.iter().map(|state| state.next));
    for write in &graph.writes {
        roots.extend([write.addr, write.data]);
        roots.extend(write.enable.iter().chain(&write.mask));
    }
    roots.extend(graph.properties.iter().map(|property| property.fires));
    roots
}

/// Where memories lie, and their contents.
fn memories(graph: &Graph) -> (Vec<Rows>, Vec<u64>) {
    let mut contents = Vec::new();
    let mut memories = Vec::new();
    for memory in &graph.memories {
        let rows = Rows {
            start: contents.len(),
            depth: memory.depth as usize,
            words: words_for(memory.width),
        };
        contents.extend(memory.init.iter().flat_map(|row| row.words()));
        contents.resize(rows.start + rows.depth * rows.words, 0);
        memories.push(rows);
    }
    (memories, contents)
}
