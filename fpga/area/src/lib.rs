//! What the hardware costs on a device, unit by unit, and how that moves with the configuration.
//!
//! A [`Study`] has points, each a configuration, and a baseline beside each. A
//! [`Blueprint`](blueprint::Blueprint) takes a design apart into modules; each module is
//! synthesized by itself with the modules inside it as black boxes, once, whatever number of
//! instances and points share it; the costs are then added up over the hierarchy. Placing and
//! routing takes the whole design, flattened.
#![forbid(unsafe_code)]

pub mod blueprint;
pub mod cache;
pub mod cost;
pub mod error;
pub mod formulas;
pub mod harness;
pub mod needed;
pub mod paths;
pub mod place;
pub mod plot;
pub mod precision;
pub mod report;
pub mod study;
pub mod sweep;
pub mod synthesis;
pub mod target;
pub mod timing;
pub mod tool;
pub mod tree;
pub mod work;

pub use error::Error;
pub use study::Study;
