//! Emission: values in the order they are to be computed become groups of records.

use std::collections::HashMap;

use super::graph::{Expr, Graph};
use super::kernel::{Group, Kernel, Record};
use super::layout::Layout;
use super::program::{Block, Feedback};
use super::select::{repeat_factor, select};
use crate::bits::words_for;
use crate::ir::{NodeId, Op};

/// A program under construction.
pub(super) struct Emitter<'g> {
    pub graph: &'g Graph,
    pub layout: Layout,
    pub groups: Vec<Group>,
    pub records: Vec<Record>,
    pub tables: Vec<u32>,
    pub blocks: Vec<Block>,
    /// The first group of the block being filled.
    block_start: u32,
}

impl<'g> Emitter<'g> {
    pub fn new(graph: &'g Graph, layout: Layout) -> Emitter<'g> {
        Emitter {
            graph,
            layout,
            groups: Vec::new(),
            records: Vec::new(),
            tables: Vec::new(),
            blocks: Vec::new(),
            block_start: 0,
        }
    }

    /// Ends the block being filled; `feedback` makes it one that runs until stable.
    pub fn end_block(&mut self, feedback: Vec<Feedback>, rounds: u64) {
        let end = self.groups.len() as u32;
        if end > self.block_start {
            let groups = (self.block_start, end);
            self.blocks.push(Block { groups, feedback, rounds });
        }
        self.block_start = end;
    }

    /// Values that depend on each other: those read before they are computed get a second place.
    pub fn cycle(&mut self, members: &[NodeId]) {
        self.end_block(Vec::new(), 0);
        let order: HashMap<NodeId, usize> =
            members.iter().enumerate().map(|(at, &member)| (member, at)).collect();
        let mut late: Vec<(NodeId, u32)> = Vec::new();
        for (at, &member) in members.iter().enumerate() {
            self.graph.each_operand(member, |operand| {
                if order.get(&operand).is_some_and(|&computed| computed >= at) {
                    late.push((operand, 0));
                }
            });
        }
        late.sort_unstable();
        late.dedup();
        for (id, read) in &mut late {
            *read = self.layout.room(self.graph.width(*id));
            self.layout.places[id.index()] = *read;
        }
        for &member in members {
            self.value(member);
        }
        let bits = members.iter().map(|&id| u64::from(self.graph.width(id))).sum::<u64>();
        let feedback = late
            .into_iter()
            .map(|(id, read)| Feedback {
                computed: self.layout.of(id),
                read,
                words: words_for(self.graph.width(id)) as u32,
            })
            .collect();
        self.end_block(feedback, bits + 1);
    }

    /// Adds one value.
    pub fn value(&mut self, id: NodeId) {
        match self.graph.expr(id) {
            Expr::Held | Expr::Const(_) | Expr::Same(_) => {}
            Expr::Op(op) => self.operation(id, op),
            Expr::Insert { into, part, lo } => {
                let (place, piece) = (self.layout.of(into), self.layout.of(part));
                let from = self.graph.width(part);
                let record = match select(self.graph, id) {
                    Kernel::Insert => [place, piece, lo | from << 8],
                    _ => [place, piece, lo],
                };
                self.record(id, from, record, &[place, piece]);
            }
            Expr::Read { memory, addr } => {
                let addr = self.layout.of(addr);
                self.record(id, 0, [memory, addr, 0], &[addr]);
            }
            Expr::Lookup { subject, start, len } => {
                let subject = self.layout.of(subject);
                let first = self.tables.len() as u32;
                let entries: Vec<u32> = self
                    .graph
                    .listed(start, len)
                    .iter()
                    .map(|&entry| self.layout.of(entry))
                    .collect();
                self.tables.extend(&entries);
                let reads = [subject, entries.into_iter().max().unwrap_or(0)];
                self.record(id, 0, [subject, first, first + len - 1], &reads);
            }
        }
    }

    fn operation(&mut self, id: NodeId, op: Op) {
        let graph = self.graph;
        let kernel = select(graph, id);
        let width = graph.width(id);
        if let Op::Cat { start, len } = op {
            if kernel != Kernel::Cat {
                self.concatenation(id, kernel, start, len);
                return;
            }
            let &[high, low] = graph.listed(start, len) else { unreachable!("two parts") };
            let (high, low, shift) = (self.layout.of(high), self.layout.of(low), graph.width(low));
            self.record(id, 0, [high, low, shift], &[high, low]);
            return;
        }
        let (operands, _) = op.operands();
        let [a, b, c] = operands.map(|id| id.map_or(0, |id| self.layout.of(id)));
        let widths = operands.map(|id| id.map_or(0, |id| graph.width(id)));
        let from = widths[0];
        let unused = 64u32.saturating_sub(width);
        use Kernel::*;
        let (record, reads) = match kernel {
            Alias => {
                let word = if let Op::Slice { lo, .. } = op { lo / 64 } else { 0 };
                self.layout.places[id.index()] = a + word;
                return;
            }
            RedAnd => ([a, 0, 64 - from], [a, a, a]),
            Slt | Sle => ([a, b, 64 - from], [a, b, b]),
            Slice | SliceSpan | WideSlice => {
                let Op::Slice { lo, .. } = op else { unreachable!("kernels of slices") };
                match kernel {
                    WideSlice => ([a, lo, 0], [a, a, a]),
                    _ => ([a + lo / 64, lo % 64, unused], [a, a, a]),
                }
            }
            BitAt => ([a, b, from], [a, b, b]),
            Sext => ([a, 64 - from, unused], [a, a, a]),
            Mux | WideMux => ([a, b, c], [a, b, c]),
            Mul if matches!(op, Op::Repeat(_)) => {
                let factor = self.layout.constant(&[repeat_factor(from, width)]);
                ([a, factor, 0], [a, a, a])
            }
            WideShl | WideShr | WideSra | WideBitAt => {
                ([a, b, words_for(widths[1]) as u32], [a, b, b])
            }
            _ => ([a, b, unused], [a, b, b]),
        };
        let from = if kernel as u8 >= WideNot as u8 { from } else { 0 };
        self.record(id, from, record, &reads);
    }

    fn concatenation(&mut self, id: NodeId, kernel: Kernel, start: u32, len: u32) {
        let graph = self.graph;
        let first = self.records.len() as u32;
        for at in start..start + len {
            let part = graph.operands[at as usize];
            let lo = graph.offsets[at as usize];
            self.records.push([self.layout.of(part), graph.width(part), lo]);
        }
        let width = graph.width(id);
        self.layout.place(id, width);
        let to = self.layout.of(id);
        self.groups.push(Group { kernel, width, from: 0, to, start: first, len });
    }

    /// Adds a record, to the last group if that has the same kernel and widths and computes nothing
    /// that is read here.
    fn record(&mut self, id: NodeId, from: u32, record: Record, reads: &[u32]) {
        let kernel = select(self.graph, id);
        let width = self.graph.width(id);
        let wide = kernel as u8 >= Kernel::WideNot as u8;
        let to = self.layout.end();
        let block_start = self.block_start as usize;
        let joins = |group: &&mut Group| {
            group.kernel == kernel
                && (!wide || (group.width, group.from) == (width, from))
                && reads.iter().all(|&read| read < group.to)
                && group.to + group.len * words_for(group.width) as u32 == to
        };
        self.layout.place(id, width);
        self.records.push(record);
        match self.groups[block_start..].last_mut().filter(joins) {
            Some(group) => group.len += 1,
            None => {
                let start = self.records.len() as u32 - 1;
                self.groups.push(Group { kernel, width, from, to, start, len: 1 });
            }
        }
    }
}
