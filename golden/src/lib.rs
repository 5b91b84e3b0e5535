//! The software model: what every unit and the whole machine must do.
//!
//! Written from the papers and the design, never from the hardware: it knows nothing of Verilog,
//! clocks or ports. A test bench compares it with the generated RTL; a bug must be made twice to
//! hide.
#![forbid(unsafe_code)]

mod context;

pub use context::{Context, Event};
