//! Every unit against its software model, cycle by cycle, in many configurations.
//!
//! One module a unit, named like it: `cargo xtask test <unit>` and `cargo xtask coverage <unit>`
//! find the tests by that name. `context_register` is the pattern.

mod axi4_host;
mod axi4_memory;
mod bus_arbiter;
mod color_lookaside;
mod comm_monitor;
mod communication_table;
mod context_register;
mod hazard_color_set;
mod history_buffer;
mod line_metadata;
mod perturbation;
mod rendezvous;
mod serializability_checker;
mod signature;
mod wishbone_host;
mod wishbone_memory;

mod bridges;
mod metadata;
mod mutants;
mod palette;
mod simulators;
mod small_hash;
mod tally;
