//! The memory system: caches, bus, memory, devices, and the monitors that watch them.
//!
//! [`Memory`] performs accesses one by one, in the given order, and returns for each the export that
//! the machine must show: a hit, or a transaction with every field.

mod bus;
mod cache;
mod coloring;
mod device;
mod export;
mod host;
mod map;
mod monitoring;
mod ordered;
mod parameters;
mod plru;
mod ram;
mod watch;
mod windows;

pub use bus::Memory;
pub(crate) use bus::bits;
pub use cache::{DataCache, State};
pub use device::{Clint, DeviceRead, Uart, Unpredictable};
pub use export::{BusGrant, BusKind, Hit, HitKind, NOBODY, Tap};
pub use map::{Map, RAM, Region};
pub use ordered::Ordered;
pub use parameters::{MonitorSetup, Parameters, Unsupported};
pub use plru::Plru;
pub use ram::Ram;
pub use watch::Watched;

#[cfg(test)]
mod tests;
