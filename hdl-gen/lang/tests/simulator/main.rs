//! What the native simulator does, seen through the public interface.

mod connections;
mod hierarchy;
mod memories;
mod operators;
mod properties;
mod statements;
mod support;
mod waveforms;
mod windows;
