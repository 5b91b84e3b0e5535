//! The hardware of Crosstalk, one unit a file, written in the hardware language.
//!
//! A unit is a [`hdl::Module`] whose parameters are plain Rust values; [`generate`] takes them from a
//! configuration. A unit that the configuration switches off is not generated.
#![forbid(unsafe_code)]

pub mod breakpoint;
pub mod bridges;
pub mod bugaboo;
pub mod bus;
mod catalog;
pub mod color_hash;
pub mod color_lookaside;
pub mod color_lookaside_entry;
pub mod comm_monitor;
pub mod communication_table;
pub mod context_register;
pub mod core;
pub mod data_port;
pub mod devices;
pub mod features;
pub mod geometry;
pub mod hart;
pub mod hazard_color_set;
pub mod history_bank;
pub mod history_buffer;
pub mod l1_data;
pub mod l1_instruction;
pub mod line_metadata;
pub mod memory_system;
pub mod metadata;
pub mod monitors;
pub mod observer;
mod one_hot;
pub mod outside;
mod package;
pub mod parts;
pub mod perturbation;
pub mod proofs;
pub mod serializability_checker;
pub mod signature;
pub mod soc;
pub mod storage;
pub mod way_predictor;
mod windows;

pub use catalog::{GenerateError, Place, RtlFile, design, design_for, generate, names};
pub use package::packages;
