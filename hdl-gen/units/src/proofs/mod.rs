//! What is proved of the units, each as a module that formal tools read.
//!
//! A proof builds a small instance of its unit as its own circuit, adds what it has to remember to say
//! what the unit should do, and states it with `assert`. Inputs are whatever the solver likes; what
//! the proof assumes of them is in its top module as `assume`, and nowhere else: assumptions of modules
//! inside it are proved. Every proof has covers, which show that it is not about nothing.
//!
//! [`PROOFS`] is the list; `cargo xtask prove` runs it.

mod any;
mod bus_arbiter;
mod coherence;
mod communication_table;
mod context_register;
mod hazard_color_set;
mod history_buffer;
mod line_metadata;
mod mistakes;
mod priorities;
mod rendezvous;
mod signature;

use config::{Config, Overflow, Update};
use hdl::ir::Design;
use hdl::{Diagnostics, elaborate};

use bus_arbiter::ArbiterProof;
use coherence::{Claim, CoherenceProof};
use communication_table::TableProof;
use context_register::ContextProof;
use hazard_color_set::HazardProof;
use history_buffer::HistoryProof;
use line_metadata::MetadataProof;
pub use mistakes::{Mistake, all_mistakes};
use priorities::PrioritiesProof;
use rendezvous::RendezvousProof;
use signature::SignatureProof;

use crate::color_hash::ColorHash;

/// How far a proof goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// For all time, by induction over this many cycles.
    Unbounded(u32),
    /// For all time, by an invariant that is searched for.
    Invariant,
    /// For this many cycles from reset.
    Bounded(u32),
}

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// The usual one.
    Z3,
    /// Much faster where a search is long.
    Yices,
}

/// When resets come, after the one in the first cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resets {
    /// Whenever the solver likes.
    Any,
    /// Never: every cycle of a bounded proof is one that leads somewhere.
    First,
}

/// One proof.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// Its name, and that of the folder with its results.
    pub name: &'static str,
    /// The units that it is about.
    pub units: &'static [&'static str],
    /// The instance that is proved.
    pub instance: &'static str,
    /// The proved statement, in words.
    pub claims: &'static str,
    /// For how many cycles it holds: all, or a bound.
    pub reach: Reach,
    /// Within how many cycles from reset everything that it covers happens.
    pub cover_depth: u32,
    /// It is proved within seconds, in every run of the tests.
    pub quick: bool,
    /// The solver that proves it.
    pub solver: Solver,
    /// When the environment may assert reset.
    pub resets: Resets,
    elaborate: fn() -> Result<Design, Diagnostics>,
}

impl Proof {
    /// The circuit of the proof.
    pub fn design(&self) -> Result<Design, Diagnostics> {
        (self.elaborate)()
    }
}

/// What the proofs of coherence are about.
const CACHES_AND_BUS: &[&str] = &["memory_system", "l1_data", "bus"];

/// All proofs, those of a unit together.
pub const PROOFS: &[Proof] = &[
    Proof {
        name: "context_register",
        units: &["context_register"],
        instance: "5 events",
        claims: "every event, and every part of what software wrote, is in its place, counted from \
                 the newest; zero after reset; the event of a cycle is not in it yet",
        reach: Reach::Unbounded(3),
        cover_depth: 10,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(ContextProof { events: 5 }),
    },
    Proof {
        name: "line_metadata_miss",
        units: &["line_metadata"],
        instance: "3 lines, `miss`, any line, from its first update on",
        claims: "a lookup returns the last value that a Fill or a Miss stored, from before the cycle, until the \
                 next lookup; lines past the end are NULL",
        reach: Reach::Unbounded(3),
        cover_depth: 8,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(MetadataProof { lines: 3, update: Update::Miss }),
    },
    Proof {
        name: "line_metadata_first_write",
        units: &["line_metadata"],
        instance: "3 lines, `first-write`, any line, from its first update on",
        claims: "the same, and FirstWrite stores",
        reach: Reach::Unbounded(3),
        cover_depth: 8,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(MetadataProof { lines: 3, update: Update::FirstWrite }),
    },
    Proof {
        name: "line_metadata_every_write",
        units: &["line_metadata"],
        instance: "3 lines, `every-write`, any line, from its first update on",
        claims: "the same, and WriteHit stores",
        reach: Reach::Unbounded(3),
        cover_depth: 8,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(MetadataProof { lines: 3, update: Update::EveryWrite }),
    },
    Proof {
        name: "communication_table",
        units: &["communication_table"],
        instance: "depth 4, discard, any edge",
        claims: "edges come out in order, as they went in, each once; nothing else comes out; \
                 what is dropped is counted in `lost`, exact and saturating",
        reach: Reach::Unbounded(3),
        cover_depth: 14,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(TableProof { depth: 4, overflow: Overflow::Discard }),
    },
    Proof {
        name: "communication_table_3",
        units: &["communication_table"],
        instance: "depth 3, discard, any edge",
        claims: "the same for a depth that is no power of two",
        reach: Reach::Unbounded(3),
        cover_depth: 14,
        quick: false,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(TableProof { depth: 3, overflow: Overflow::Discard }),
    },
    Proof {
        name: "communication_table_stall",
        units: &["communication_table"],
        instance: "depth 4, stall, any edge; no edge comes while the table is full",
        claims: "edges come out in order, as they went in, each once; nothing else comes out; none is lost",
        reach: Reach::Unbounded(3),
        cover_depth: 14,
        quick: false,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(TableProof { depth: 4, overflow: Overflow::Stall }),
    },
    Proof {
        name: "signature",
        units: &["signature"],
        instance: "2 banks of 8 bits, colors of 4 bits, any color",
        claims: "what was inserted is a member until a clear or an intersection without it: no false \
                 negative; `empty` and `disjoint` are never said of sets that have a color, or share \
                 one; color 0 is never a member",
        reach: Reach::Unbounded(3),
        cover_depth: 8,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(SignatureProof { hash: small_hash() }),
    },
    Proof {
        name: "history_buffer",
        units: &["history_buffer"],
        instance: "3 items, 2 banks of 4 rows, colors of 3 bits, any file and color, one reset",
        claims: "a test answers with the items that had an insert into each of the color's rows, of the right ages, \
                 wherever a scan is: no false negative; a scan shows each row once, as it was when the epoch ended",
        reach: Reach::Invariant,
        cover_depth: 24,
        quick: false,
        solver: Solver::Z3,
        resets: Resets::First,
        elaborate: || {
            let masks = vec![vec![1, 2], vec![2, 4]];
            elaborate(HistoryProof { items: 3, hash: ColorHash::new(3, masks) })
        },
    },
    Proof {
        name: "hazard_color_set",
        units: &["hazard_color_set"],
        instance: "2 banks of 8 bits, colors of 4 bits, any bit",
        claims: "the set only grows until it is cleared; a bit is in it exactly if a search that was \
                 committed with something in every bank found it, or a color that has it was inserted; every change \
                 is told",
        reach: Reach::Unbounded(3),
        cover_depth: 8,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(HazardProof { hash: small_hash() }),
    },
    Proof {
        name: "bus_arbiter",
        units: &["bus"],
        instance: "5 requesters, any of them, in turn",
        claims: "one that waits sees at most one grant to each of the others",
        reach: Reach::Unbounded(3),
        cover_depth: 24,
        quick: true,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(ArbiterProof { requesters: 5, perturbed: false }),
    },
    Proof {
        name: "bus_arbiter_perturbed",
        units: &["bus"],
        instance: "5 requesters, any of them, perturbed, any `max_passes`",
        claims: "one that waits sees at most one grant in turn to each of the others, and at most \
                 `max_passes` out of turn",
        reach: Reach::Unbounded(3),
        cover_depth: 24,
        quick: false,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(ArbiterProof { requesters: 5, perturbed: true }),
    },
    Proof {
        name: "priorities",
        units: &["memory_system"],
        instance: "3 harts, any of them, any `max_hold`, small limits",
        claims: "no two harts have the same rank; a hart that does not rest is held by rank for at most \
                 2 · `max_hold` cycles",
        reach: Reach::Unbounded(2),
        cover_depth: 24,
        quick: false,
        solver: Solver::Z3,
        resets: Resets::Any,
        elaborate: || elaborate(PrioritiesProof { harts: 3 }),
    },
    Proof {
        name: "rendezvous_2",
        units: &["rendezvous"],
        instance: "2 harts, 1 entry, any of the harts",
        claims: "a hit is of as many different harts as there are parties, each standing there as a party of its own, with \
                 values that agree; nobody is postponed for more than the longest wait of its visit, nor for its turn \
                 after the one before it went; nobody goes before the one before it has ended or passed `until`, or its \
                 turn is over; hits stay within `bound`, and nobody is postponed past it",
        reach: Reach::Unbounded(2),
        cover_depth: 16,
        quick: false,
        solver: Solver::Yices,
        resets: Resets::Any,
        elaborate: || elaborate(RendezvousProof { harts: 2 }),
    },
    Proof {
        name: "rendezvous_3",
        units: &["rendezvous"],
        instance: "3 harts, 1 entry, up to 3 parties",
        claims: "the same",
        reach: Reach::Unbounded(2),
        cover_depth: 16,
        quick: false,
        solver: Solver::Yices,
        resets: Resets::Any,
        elaborate: || elaborate(RendezvousProof { harts: 3 }),
    },
    Proof {
        name: "coherence_2",
        units: CACHES_AND_BUS,
        instance: "2 caches of one line of two words, two lines of memory, one-bit data, any word, one reset",
        claims: "one writer or many readers; a load returns what the last store in the order wrote; all \
                 copies have the same metadata",
        reach: Reach::Invariant,
        cover_depth: 24,
        quick: false,
        solver: Solver::Yices,
        resets: Resets::First,
        elaborate: || elaborate(CoherenceProof { harts: 2, claim: Claim::Coherent }),
    },
    Proof {
        name: "coherence_3",
        units: CACHES_AND_BUS,
        instance: "the same with 3 caches",
        claims: "the same",
        reach: Reach::Bounded(20),
        cover_depth: 24,
        quick: false,
        solver: Solver::Yices,
        resets: Resets::First,
        elaborate: || elaborate(CoherenceProof { harts: 3, claim: Claim::Coherent }),
    },
    Proof {
        name: "response_2",
        units: CACHES_AND_BUS,
        instance: "as `coherence_2`; memory answers in the next cycle",
        claims: "no deadlock: every access ends within 24 cycles",
        reach: Reach::Bounded(48),
        cover_depth: 30,
        quick: false,
        solver: Solver::Yices,
        resets: Resets::First,
        elaborate: || elaborate(CoherenceProof { harts: 2, claim: Claim::Responds }),
    },
];

/// The hash of a small signature, as a configuration would give it.
fn small_hash() -> ColorHash {
    ColorHash::of(&config::Color {
        bits: 4,
        signature_bits: 8,
        signature_banks: 2,
        ..Config::default().color
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::ir::{PropertyKind, Stmt};
    use std::collections::BTreeSet;

    fn count(design: &Design, wanted: PropertyKind) -> usize {
        let mut found = 0;
        for stmt in design.modules.iter().flat_map(|module| &module.body) {
            stmt.visit(&mut |stmt| {
                found +=
                    usize::from(matches!(stmt, Stmt::Property { kind, .. } if *kind == wanted));
            });
        }
        found
    }

    #[test]
    fn every_proof_is_a_legal_circuit_that_asserts_and_covers() {
        let mut wrong = String::new();
        for proof in PROOFS {
            let name = proof.name;
            match proof.design() {
                Err(findings) => wrong += &format!("{name}:\n{findings}\n"),
                Ok(design) => {
                    assert_eq!(design.warnings, [], "{name}");
                    assert!(count(&design, PropertyKind::Assert) > 0, "{name} asserts nothing");
                    assert!(count(&design, PropertyKind::Cover) > 0, "{name} covers nothing");
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn every_proof_has_a_name_of_its_own_and_is_about_a_unit() {
        let names: BTreeSet<_> = PROOFS.iter().map(|proof| proof.name).collect();
        assert_eq!(names.len(), PROOFS.len());
        for proof in PROOFS {
            assert!(!proof.units.is_empty(), "{}", proof.name);
            assert!(proof.units.iter().all(|unit| crate::names().contains(unit)), "{}", proof.name);
        }
    }
}
