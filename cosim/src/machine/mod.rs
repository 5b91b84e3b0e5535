//! The machine in simulation: programs, memory, host, and instruments.
//!
//! [`Machines`] builds models, or finds them built; a [`Run`] is a [`border::Program`] on one of them, to its
//! [`Outcome`].
//!
//! Cycle numbers are the model's: reset is cycle 0.

mod accesses;
mod build;
mod error;
mod export;
mod hang;
mod instruments;
mod lines;
mod lockstep;
mod order;
mod outcome;
mod ports;
mod ram;
mod run;
mod simulation;
mod soc;
mod spent;
mod stats;
mod trace;
mod traps;

pub use build::Machines;
pub use error::MachineError;
pub use export::{Observed, Wait};
pub use hang::Hang;
pub use lines::SourceLines;
pub use order::OrderPorts;
pub use outcome::{Outcome, Sent};
pub use ram::Ram;
pub use run::{Observer, Options, Run};
pub use simulation::Simulation;
pub use soc::{HostAccess, Soc, Tick};
pub use spent::Spent;
pub use stats::{Counts, Stats};
pub use trace::Trace;
