//! A recorded run, to walk through in both directions: with gdb, or frozen into a core file.
//!
//! ```text
//! golden machine ──Witness──► Recorder ──► Recording: a Tape of commits, and the order log
//!                                              │
//!                              Timeline ◄──────┘  a Moment (registers, memory) at any Mark
//!                                  │
//!                              Walk: breakpoints, watchpoints, steps, both ways
//!                                  │
//!                 server (gdb's protocol)      core file
//! ```
//!
//! A run of the hardware is recorded from the golden machine that follows it in lockstep, so both kinds of runs
//! are the same here. Nothing in this crate can change a run.

#![forbid(unsafe_code)]

pub mod core_file;
mod moment;
mod pages;
mod recording;
pub mod server;
mod stops;
mod tape;
mod timeline;
mod walk;

pub use moment::{HartState, Moment, Registers};
pub use pages::Pages;
pub use recording::{Recorder, Recording};
pub use stops::{Stops, Watch, WatchKind};
pub use tape::{Commit, Mark, Start, Tape};
pub use timeline::Timeline;
pub use walk::{Forward, Stopped, View, Walk, Why};

/// The bytes of a text, at most so many, without half a character.
fn cut(text: &str, most: usize) -> &[u8] {
    let ends = (0..=most.min(text.len())).rev();
    let end = ends.into_iter().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text.as_bytes()[..end]
}
