//! The whole machine: following the hardware, or running alone.
//!
//! [`Follower`] takes the order of accesses from the hardware and predicts everything else;
//! [`Machine`] chooses an order from a seed.

mod accessed;
mod alone;
mod breakpoints;
mod coloring;
mod compare;
mod disagreement;
mod exports;
mod follow;
mod lines;
mod load;
mod observed;
mod points;
mod schedule;
mod script;
mod selected;
mod signals;
mod surroundings;
mod target;
mod waiting;
mod witness;

pub use accessed::Accessed;
pub use alone::{Limits, Machine, Stop};
pub use disagreement::{Disagreement, Problem, Who};
pub use exports::{BreakpointExports, CycleExports, HostRequest};
pub use follow::{Final, Follower};
pub use load::{OutsideRam, Segment};
pub use points::Points;
pub use schedule::Scheduling;
pub use script::{Turn, Uninterrupted};
pub use target::Refused;
pub use witness::{Look, Witness};

#[cfg(test)]
mod tests;
