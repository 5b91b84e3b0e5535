//! Shortening: every operand is replaced by the value it really comes from.
//!
//! Names for the same value are followed to their origin, slices are cut from the innermost part
//! that holds them, operations that do nothing disappear and equal operations become one. Besides saving work, this is what makes
//! most circuits that look cyclic word by word acyclic.

use std::collections::HashMap;

use super::graph::{Expr, Graph, map_operands};
use crate::bits::Bits;
use crate::ir::{NodeId, Op};

/// Simplifies the whole graph.
pub(super) fn simplify(graph: &mut Graph) {
    let mut known = Known::default();
    for index in 0..graph.values.len() {
        let id = NodeId(index as u32);
        let expr = simpler(graph, id);
        graph.values[index].expr = known.first(graph, id, expr);
    }
    // A value may have turned into another name for one met before it.
    for index in 0..graph.values.len() {
        let expr = map_expr(graph, graph.values[index].expr, origin);
        graph.values[index].expr = expr;
    }
    for index in 0..graph.operands.len() {
        graph.operands[index] = origin(graph, graph.operands[index]);
    }
    let resolve = |graph: &Graph, id: &mut NodeId| *id = origin(graph, *id);
    let mut states = std::mem::take(&mut graph.states);
    let mut writes = std::mem::take(&mut graph.writes);
    let mut properties = std::mem::take(&mut graph.properties);
    states.iter_mut().for_each(|state| resolve(graph, &mut state.next));
    for write in &mut writes {
        resolve(graph, &mut write.addr);
        resolve(graph, &mut write.data);
        write.enable.iter_mut().chain(&mut write.mask).for_each(|id| resolve(graph, id));
    }
    properties.iter_mut().for_each(|property| resolve(graph, &mut property.fires));
    (graph.states, graph.writes, graph.properties) = (states, writes, properties);
}

/// The first of each kind of value met so far.
#[derive(Default)]
struct Known {
    operations: HashMap<(Op, u32), NodeId>,
    constants: HashMap<Bits, NodeId>,
}

impl Known {
    /// `expr`, or another name for an equal value met before.
    fn first(&mut self, graph: &Graph, id: NodeId, expr: Expr) -> Expr {
        let first = match expr {
            Expr::Op(Op::Cat { .. }) => id,
            Expr::Op(op) => *self.operations.entry((op, graph.width(id))).or_insert(id),
            Expr::Const(index) => match self.constants.get(&graph.constants[index as usize]) {
                Some(&first) => first,
                None => {
                    self.constants.insert(graph.constants[index as usize].clone(), id);
                    id
                }
            },
            _ => id,
        };
        if first == id { expr } else { Expr::Same(first) }
    }
}

/// Follows a value through its other names.
pub(super) fn origin(graph: &Graph, mut id: NodeId) -> NodeId {
    let mut steps = 0;
    while let Expr::Same(from) = graph.expr(id) {
        id = from;
        steps += 1;
        assert!(steps <= graph.values.len(), "hdl: a wire drives itself");
    }
    id
}

fn map_expr(graph: &Graph, expr: Expr, f: impl Fn(&Graph, NodeId) -> NodeId) -> Expr {
    match expr {
        Expr::Held | Expr::Const(_) => expr,
        Expr::Same(id) => Expr::Same(f(graph, id)),
        Expr::Op(op) => Expr::Op(map_operands(op, |id| f(graph, id))),
        Expr::Insert { into, part, lo } => {
            Expr::Insert { into: f(graph, into), part: f(graph, part), lo }
        }
        Expr::Read { memory, addr } => Expr::Read { memory, addr: f(graph, addr) },
        Expr::Lookup { subject, start, len } => {
            Expr::Lookup { subject: f(graph, subject), start, len }
        }
    }
}

fn simpler(graph: &mut Graph, id: NodeId) -> Expr {
    let expr = map_expr(graph, graph.expr(id), origin);
    let width = graph.width(id);
    let Expr::Op(op) = expr else { return expr };
    match op {
        Op::Slice { from, lo } => slice(graph, from, lo, width),
        Op::RedAnd(a) | Op::RedOr(a) | Op::RedXor(a) | Op::Neg(a) if graph.width(a) == 1 => {
            Expr::Same(a)
        }
        Op::Mux(_, then, otherwise) if then == otherwise => Expr::Same(then),
        Op::Mux(select, then, otherwise) => match known(graph, select) {
            Some(select) => Expr::Same(if select.is_zero() { otherwise } else { then }),
            None if width == 1 => match (known(graph, then), known(graph, otherwise)) {
                (Some(then), Some(otherwise)) if then.is_ones() && otherwise.is_zero() => {
                    Expr::Same(select)
                }
                _ => expr,
            },
            None => expr,
        },
        Op::And(a, b) => match (known(graph, a), known(graph, b)) {
            (Some(left), _) if left.is_ones() => Expr::Same(b),
            (_, Some(right)) if right.is_ones() => Expr::Same(a),
            (Some(left), _) if left.is_zero() => Expr::Same(a),
            (_, Some(right)) if right.is_zero() => Expr::Same(b),
            _ => expr,
        },
        Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) => match (known(graph, a), known(graph, b)) {
            (Some(left), _) if left.is_zero() => Expr::Same(b),
            (_, Some(right)) if right.is_zero() => Expr::Same(a),
            _ => expr,
        },
        _ => expr,
    }
}

fn known(graph: &Graph, id: NodeId) -> Option<&Bits> {
    match graph.expr(id) {
        Expr::Const(index) => Some(&graph.constants[index as usize]),
        _ => None,
    }
}

/// `width` bits of `from` from `lo` up, cut from as deep inside as possible.
fn slice(graph: &mut Graph, mut from: NodeId, mut lo: u32, width: u32) -> Expr {
    // Each step follows the bits to where they come from. Without a combinational loop that ends.
    for _ in 0..graph.values.len() {
        from = origin(graph, from);
        let hi = lo + width;
        match graph.expr(from) {
            Expr::Op(Op::Slice { from: inner, lo: more }) => {
                lo += more;
                from = inner;
            }
            Expr::Op(Op::Cat { start, len }) => {
                let range = start as usize..(start + len) as usize;
                let offsets = &graph.offsets[range.clone()];
                let part = range.start + offsets.partition_point(|&offset| offset > lo);
                if hi > graph.offsets[part] + graph.width(graph.operands[part]) {
                    break;
                }
                lo -= graph.offsets[part];
                from = graph.operands[part];
            }
            Expr::Op(Op::Zext(inner) | Op::Sext(inner)) if hi <= graph.width(inner) => from = inner,
            Expr::Op(Op::Zext(inner)) if lo >= graph.width(inner) => {
                return Expr::Same(graph.zero(width));
            }
            Expr::Insert { into, part, lo: at } => {
                let end = at + graph.width(part);
                if lo >= at && hi <= end {
                    lo -= at;
                    from = part;
                } else if hi <= at || lo >= end {
                    from = into;
                } else {
                    break;
                }
            }
            Expr::Const(index) => {
                let mut bits = Bits::zero(width);
                let words = graph.constants[index as usize].words();
                crate::limbs::slice(bits.words_mut(), words, lo, width);
                graph.constants.push(bits);
                return Expr::Const(graph.constants.len() as u32 - 1);
            }
            _ => break,
        }
    }
    if lo == 0 && width == graph.width(from) {
        Expr::Same(from)
    } else {
        Expr::Op(Op::Slice { from, lo })
    }
}
