//! Random campaigns against the whole project, for as long as one likes: `cargo xtask soak`.
//!
//! ```text
//! soak ──► child: one round of one campaign, from one seed ──► children: the project's own commands
//!  counts, repeats          deadline, memory limit                deadline, memory limit
//! ```
//!
//! | a campaign | tries |
//! |---|---|
//! | [`lockstep`] | random programs, suites and threaded C beside the golden machine; also on unusual machines |
//! | [`growth`] | long lockstep loops, whose memory must not grow |
//! | [`schedules`] | random schedules of the fixed bug suite on the golden machine |
//! | [`parsers`] | damaged bytes for everything that reads bytes |
//! | [`files`] | damaged files for the commands that read them |
//! | [`arguments`] | random command lines of every `crosstalk` command |
//! | [`kills`] | kill -9 during hunts, area studies and model building, and what is made of the remains |
//!
//! A round is decided by its seed alone, but for the moment at which a kill lands. What a round finds is one
//! sentence; the soak adds how to repeat it. [`fixed`] is apart: so many schedules of every fixed bug, resumed
//! where the [`ledger`] says.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod campaign;
pub mod child;
pub mod corpus;
pub mod damage;
pub mod files;
pub mod fixed;
pub mod growth;
pub mod kills;
pub mod ledger;
pub mod lockstep;
pub mod parsers;
pub mod role;
pub mod schedules;
pub mod tried;
pub mod turns;
pub mod verdict;

pub use campaign::{Campaign, Round};
pub use tried::Tried;
