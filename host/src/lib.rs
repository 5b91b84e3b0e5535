//! Explains concurrency bugs: from recorded communication to the line of code that broke.
//!
//! ```text
//! run files ──► runs ──► census ──► bugaboo (which line)   ──► analysis ──► view ──► cli, reports
//!   (record)             twice  └─► recon (in which order) ──┘     ▲
//!                                                       code (lines, functions)
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | everything about a set of runs | [`analysis::Analysis`] |
//! | the same as plain data, for JSON or a page | [`view::AnalysisView`] |
//! | the verdict, as data and in words | [`verdict::Finding`] |
//! | one run's graph, unions, differences | [`graph::Graph`] |
//! | how common each edge is | [`census::Census`] |
//! | a ranking of code points | [`bugaboo::labeled`], [`bugaboo::unlabeled`] |
//! | reconstructions and their features | [`recon::Reconstruction`] |
//! | source lines of instructions | [`code::CodeMap`], [`code::CodePoint`] |
//! | JSON, GraphML, DOT | [`formats`] |
//! | everything as one HTML page | [`report::Report`] |
//! | the record of a run on the machine | [`run_record::record`] |
//! | runs of a program under many schedules | [`hunt`] |
//! | a program with and without avoidance | [`avoid::Measure`] |
//! | who wrote what, beside passing runs | [`why::Comparison`] |
//! | a run, instruction by instruction | [`trace::CommitLog`] |
//! | a run from a board | [`cable`] |
//! | a waveform as FST | [`waveform::to_fst`] |
//!
//! Everything is deterministic: results depend on the runs, never on their order, on hashing or on how
//! many threads there are.
#![forbid(unsafe_code)]
// `println` and `eprintln` panic when the reader is gone: `cli::out::send` and `cli::failure::say` do not.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod analysis;
pub mod avoid;
pub mod breakpoint;
pub mod bugaboo;
pub mod cable;
pub mod census;
pub mod cli;
pub mod code;
pub mod deployed;
mod error;
mod evidence;
pub mod formats;
pub mod graph;
pub mod hunt;
pub mod program;
pub mod recon;
pub mod report;
pub mod repro;
pub mod run_record;
pub mod runs;
pub mod trace;
pub mod verdict;
pub mod view;
pub mod waveform;
pub mod why;

pub use error::Error;
pub use evidence::Strength;
