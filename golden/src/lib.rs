//! The software model: what every unit and the whole machine must do.
//!
//! Written from the papers and the design, never from the hardware: it knows nothing of Verilog,
//! clocks or ports. A test bench compares it with the generated RTL; a bug must be made twice to
//! hide.
//!
//! A model that has a `step` takes the inputs of one cycle and returns the outputs of that same
//! cycle; an output that a unit shows one cycle later is in the result of the next step. Models of units that
//! take a varying number of cycles are stepped one transaction at a time instead.
//!
//! | model | of |
//! |---|---|
//! | [`Context`] | the context register |
//! | [`LineMetadata`] | the metadata of each line's last writer |
//! | [`CommunicationTable`] | the queue of edges and its registers |
//! | [`Monitor`] | the monitor of one core: filter, context, table |
//! | [`SignatureUnit`] | a banked Bloom filter of colors |
//! | [`History`] | signatures of the last epochs |
//! | [`debugging`], [`deployment_row`] | the serializability checker |
//! | [`HazardColorSet`] | the colors that start ephemeral transactions |
//! | [`ColorLookaside`] | the color lookaside buffer and its table walk |
//! | [`coloring`] | colors in the machine: what harts track, find and execute in transactions |
//! | [`breakpoint`] | concurrent breakpoints: comparators and rendezvous |
//! | [`bridge`] | bridges to other buses, access by access |
//! | [`BbSw`] | no hardware: exact communication of the whole memory, the reference |
//!
//! The whole machine has three parts: [`isa`] (a hart), [`memory`] (caches, bus, devices) and
//! [`machine`], which follows the hardware or runs programs alone.
#![forbid(unsafe_code)]

#[cfg(test)]
mod assembler;
mod bbsw;
pub mod breakpoint;
pub mod bridge;
pub mod coloring;
mod colors;
mod context;
mod graph;
mod hazard;
mod history;
pub mod isa;
pub mod machine;
pub mod memory;
mod meta;
mod metadata;
mod monitor;
mod pc;
mod serializability;
mod signature;
mod table;

pub use bbsw::{BbSw, BbSwOptions};
pub use colors::{ColorLookaside, Level, Lookup, Step};
pub use context::{Context, Ctx, Event};
pub use graph::{Graph, Node};
pub use hazard::{HazardColorSet, HazardInputs, HazardOutputs, HazardRow};
pub use history::{
    File, History, HistoryItem, HistoryOutputs, HistoryTaken, Insertion, ItemVectors, ScanRow,
};
pub use meta::{Edge, EdgeKind, Fields, HartId, KIND_BITS, LineMeta, Time};
pub use metadata::{Cause, LineMetadata, MetadataInputs, MetadataOutputs, MetadataUpdate};
pub use monitor::{
    Access, AccessKind, Mode, Monitor, MonitorInputs, MonitorOutputs, MonitorParameters, Snoop,
};
pub use pc::{CodePoint, Pc, PcHash};
pub use serializability::{
    Interleaving, Interleavings, debugging, deployment, deployment_row, exact_triples,
};
pub use signature::{
    Bits, ColorHashes, ColorId, Signature, SignatureInputs, SignatureOp, SignatureOutputs,
    SignatureUnit,
};
pub use table::{CommunicationTable, RegisterAccess, TableInputs, TableOutputs};
