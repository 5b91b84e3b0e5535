//! Genes: the numbers a circuit grows from, and how proptest makes them.
//!
//! Any list of genes grows into a well-formed circuit ([`super::grow`]): references are taken
//! modulo what there is. So proptest may drop and lower genes freely, and every step of shrinking
//! is a circuit.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Circuit, grow};

/// One step of growth: what to make, from what, how wide, of which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// What to make.
    pub kind: u16,
    /// Selectors of operands and variants.
    pub pick: [u16; 3],
    /// Selector of a width or a size.
    pub size: u16,
    /// Seed of constants and of the inside of blocks.
    pub seed: u16,
}

/// The genes of each module, children before parents.
pub type Genome = Vec<Vec<Gene>>;

fn gene() -> impl Strategy<Value = Gene> {
    (any::<u16>(), any::<[u16; 3]>(), any::<u16>(), any::<u16>())
        .prop_map(|(kind, pick, size, seed)| Gene { kind, pick, size, seed })
}

fn unit(genes: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<Gene>> {
    vec(gene(), genes)
}

/// Genomes of circuits: mostly small and flat, some with two or three levels, a few large.
pub fn genomes() -> impl Strategy<Value = Genome> {
    prop_oneof![
        120 => vec(unit(1..=12), 1..=1),
        48 => vec(unit(1..=8), 2..=2),
        26 => vec(unit(1..=7), 3..=4),
        5 => vec(unit(15..=30), 1..=2),
        1 => vec(unit(40..=70), 1..=1),
    ]
}

/// Circuits, with the genes they grew from.
pub fn circuits() -> impl Strategy<Value = Circuit> {
    genomes().prop_map(|genome| grow(&genome))
}
