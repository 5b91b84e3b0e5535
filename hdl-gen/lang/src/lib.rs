//! A hardware language in Rust: circuits in, Verilog-2005 and a native simulator out.

#![forbid(unsafe_code)]

// The derive macros name this crate as `::hdl`, also from inside.
extern crate self as hdl;

#[macro_use]
mod text;

mod array;
mod bits;
mod builder;
mod bundle;
mod components;
mod connect;
mod control;
mod diag;
mod enums;
mod flags;
mod fold;
mod index;
mod inspect;
pub mod ir;
mod keywords;
mod limbs;
mod memory;
mod module;
mod names;
#[doc(hidden)]
pub mod naming;
mod passes;
mod port;
mod port_names;
mod property;
mod ranks;
mod sig;
mod sim;
pub mod stream;
mod verilog;
pub mod window;

pub use array::{array, select, set_at};
pub use bits::{Bits, MAX_WIDTH, index_width};
pub use bundle::{Bundle, Leaf, Named, Path, Shape, bits, mux, reg, reg_next, set_when, wire};
pub use connect::connect;
pub use control::{Labels, Subject, Switch, When, switch, when};
pub use diag::{Code, Diagnostic, Diagnostics, Loc};
pub use enums::{Enum, HwEnum, variant};
pub use hdl_derive::{Bundle, HwEnum, hardware};
pub use inspect::{memories_named, signals_named};
pub use memory::{Mem, memory};
pub use module::{Inst, Module, elaborate, elaborate_with_io};
pub use port::{input, output, ports};
pub use property::{assert, assume, cover};
pub use sig::{Operand, ShiftAmount, Sig, cat, constant, lit};
pub use sim::{CoverCount, MemoryId, Probe, PropertyFailure, SignalId, Simulator};
pub use stream::Stream;
pub use verilog::VerilogFile;
