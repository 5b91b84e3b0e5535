//! Storage: which words hold which value.
//!
//! State comes first, then inputs and constants; computed values follow in the order in which they are
//! computed, so that a value always lies after all values it is computed from.

use std::collections::HashMap;

use super::graph::{Expr, Graph};
use super::select::repeat_factor;
use crate::bits::words_for;
use crate::ir::{NodeId, Op};

/// A value that has no place yet.
pub(super) const UNPLACED: u32 = u32::MAX;

/// The storage under construction.
pub(super) struct Layout {
    /// The first word of each value.
    pub places: Vec<u32>,
    /// All words at power-up.
    pub image: Vec<u64>,
    /// Where constants of one word are.
    constants: HashMap<u64, u32>,
    /// Where longer constants are.
    wide_constants: HashMap<Vec<u64>, u32>,
}

impl Layout {
    /// Places what is not computed: state first, in the order of `graph.states`.
    pub fn new(graph: &Graph) -> Layout {
        let mut layout = Layout {
            places: vec![UNPLACED; graph.values.len()],
            image: Vec::new(),
            constants: HashMap::new(),
            wide_constants: HashMap::new(),
        };
        for state in &graph.states {
            layout.place(state.value, graph.width(state.value));
        }
        for (index, value) in graph.values.iter().enumerate() {
            let id = NodeId(index as u32);
            match value.expr {
                Expr::Held if layout.places[index] == UNPLACED => {
                    layout.place(id, value.width);
                }
                Expr::Const(constant) => {
                    layout.places[index] =
                        layout.constant(graph.constants[constant as usize].words());
                }
                Expr::Op(Op::Repeat(from)) if value.width <= 64 => {
                    layout.constant(&[repeat_factor(graph.width(from), value.width)]);
                }
                _ => {}
            }
        }
        layout
    }

    /// The next free word.
    pub fn end(&self) -> u32 {
        u32::try_from(self.image.len()).expect("hdl: a design of more than 32 GiB")
    }

    /// Room for `width` bits after all others.
    pub fn room(&mut self, width: u32) -> u32 {
        let place = self.end();
        self.image.resize(self.image.len() + words_for(width), 0);
        place
    }

    /// Gives a value the next free words.
    pub fn place(&mut self, id: NodeId, width: u32) {
        self.places[id.index()] = self.room(width);
    }

    /// The place of a value.
    pub fn of(&self, id: NodeId) -> u32 {
        let place = self.places[id.index()];
        debug_assert_ne!(place, UNPLACED, "used before it is computed");
        place
    }

    /// The place of a constant; equal ones share it, whatever their width.
    pub fn constant(&mut self, words: &[u64]) -> u32 {
        let place = self.end();
        let shared = match words {
            [word] => *self.constants.entry(*word).or_insert(place),
            _ => *self.wide_constants.entry(words.to_vec()).or_insert(place),
        };
        if shared == place {
            self.image.extend(words);
        }
        shared
    }
}
