//! Runs as bytes: in files, over wires, from firmware.

mod files;
mod firmware;
mod samples;
mod streams;
