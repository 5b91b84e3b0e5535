//! Flattening: every instance becomes its own copy of its module's nodes.

use super::graph::{Expr, Frame, Graph, State, StateKind, Value, map_operands};
use super::lower;
use crate::bits::Bits;
use crate::ir::{Design, Direction, Module, ModuleId, NodeId, Op};

/// The whole design as one graph, with statements lowered to values.
pub(super) fn flatten(design: &Design) -> Graph {
    let mut graph = Graph::default();
    place(&mut graph, design, design.top, None);
    graph.source_values = graph.values.len();
    let mut first_memory = 0;
    for frame in 0..graph.frames.len() {
        let module = &design.modules[graph.frames[frame].module.index()];
        add_states(&mut graph, module, frame, first_memory);
        lower::lower(&mut graph, module, frame, first_memory);
        first_memory += module.memories.len() as u32;
    }
    graph
}

/// Adds a frame for `id` and, below it, one for each instance; connects their ports.
fn place(graph: &mut Graph, design: &Design, id: ModuleId, parent: Option<(u32, u32)>) -> u32 {
    let module = &design.modules[id.index()];
    let frame = graph.frames.len() as u32;
    let base = graph.values.len() as u32;
    graph.frames.push(Frame { module: id, parent, base });
    graph.memories.extend(module.memories.iter().cloned());
    copy_nodes(graph, module, base);
    for (index, instance) in module.instances.iter().enumerate() {
        let child = place(graph, design, instance.module, Some((frame, index as u32)));
        let child_base = graph.frames[child as usize].base;
        let ports = &design.modules[instance.module.index()].ports;
        for (port, &outside) in ports.iter().zip(&instance.connections) {
            let outside = NodeId(base + outside.0);
            let inside = NodeId(child_base + port.node.0);
            let (to, from) = match port.direction {
                Direction::Input => (inside, outside),
                Direction::Output => (outside, inside),
            };
            graph.values[to.index()].expr = Expr::Same(from);
        }
    }
    frame
}

/// Adds the nodes of a module. Driven ones stand for themselves until statements are lowered.
fn copy_nodes(graph: &mut Graph, module: &Module, base: u32) {
    let operands = graph.operands.len() as u32;
    graph.operands.extend(module.operands.iter().map(|id| NodeId(base + id.0)));
    graph.offsets.resize(graph.operands.len(), 0);
    let constants = graph.constants.len() as u32;
    graph.constants.extend(module.constants.iter().cloned());
    let undriven = |graph: &mut Graph, width| {
        graph.constants.push(Bits::zero(width));
        Expr::Const(graph.constants.len() as u32 - 1)
    };
    graph.values.reserve(module.nodes.len());
    for node in &module.nodes {
        let expr = match node.op {
            Op::Const(index) => Expr::Const(constants + index),
            Op::Input | Op::Reg => Expr::Held,
            Op::Poison => undriven(graph, node.width),
            Op::Output | Op::Wire | Op::InstIn(..) | Op::InstOut(..) | Op::MemRead(_) => {
                Expr::Same(NodeId(graph.values.len() as u32))
            }
            Op::Cat { start, len } => {
                let mut lo = node.width;
                for i in start..start + len {
                    lo -= module.node(module.operands[i as usize]).width;
                    graph.offsets[(operands + i) as usize] = lo;
                }
                Expr::Op(Op::Cat { start: operands + start, len })
            }
            op => Expr::Op(map_operands(op, |id| NodeId(base + id.0))),
        };
        graph.values.push(Value { expr, width: node.width });
    }
}

/// Declares registers and memory reads.
fn add_states(graph: &mut Graph, module: &Module, frame: usize, first_memory: u32) {
    let base = graph.frames[frame].base;
    let mut resets: Vec<(NodeId, &Bits)> =
        module.resets.iter().map(|(node, value)| (*node, value)).collect();
    resets.sort_by_key(|(node, _)| *node);
    for (index, node) in module.nodes.iter().enumerate() {
        let value = NodeId(base + index as u32);
        match node.op {
            Op::Reg => {
                let reset = resets.binary_search_by_key(&NodeId(index as u32), |(node, _)| *node);
                let reset = reset.ok().map(|at| resets[at].1.clone());
                let kind = StateKind::Register(reset);
                graph.states.push(State { value, next: value, kind });
            }
            Op::MemRead(read) => {
                let read = &module.reads[read as usize];
                let row = Expr::Read {
                    memory: first_memory + read.mem.0,
                    addr: NodeId(base + read.addr.0),
                };
                match read.sync {
                    None => graph.values[value.index()].expr = row,
                    Some(enable) => {
                        graph.values[value.index()].expr = Expr::Held;
                        let row = graph.push(row, node.width);
                        let enable = NodeId(base + enable.0);
                        let next = graph.op(Op::Mux(enable, row, value), node.width);
                        graph.states.push(State { value, next, kind: StateKind::ReadPort });
                    }
                }
            }
            _ => {}
        }
    }
}
