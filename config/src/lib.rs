//! The one configuration structure of Crosstalk: keys, presets, limits.
//!
//! Everything that can be chosen about a machine is a field of [`Config`]; every crate takes it from
//! here. It is read from TOML, from a named [`Preset`], or from TOML over a preset:
//!
//! ```
//! let config: config::Config = r#"
//!     preset = "paper"
//!     harts = 8
//!     [ct]
//!     depth = 4096
//! "#
//! .parse()?;
//! assert_eq!((config.harts, config.ct.depth, config.context.events), (8, 4096, 5));
//! # Ok::<(), config::ConfigError>(())
//! ```
//!
//! What may be written under each key is in one table, [`KEYS`]; what must hold between keys, and
//! what is not built yet, is in `limits.rs`. A `Config` that came from TOML or a preset has passed
//! both. Code that changes fields itself calls [`Config::check`] once.
#![forbid(unsafe_code)]

mod error;
mod hashes;
mod identity;
mod keys;
mod limits;
mod preset;
mod read;

pub use error::{ConfigError, Problem};
pub use keys::{Allowed, KEYS, Key};
pub use preset::Preset;

use serde::{Deserialize, Serialize};

/// One machine, or one monitor, completely described.
///
/// The default is [`Preset::Sim4`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// How many harts.
    pub harts: u32,
    /// The monitor alone, for attaching to another core: nothing of the machine is generated. Only
    /// this may use pcs and timestamps wider than the 32-bit words of a table entry.
    pub standalone: bool,
    /// Where every hart starts.
    pub reset_vector: u32,
    /// How many bits of a pc the monitor keeps; fewer than the pc has: a hash of it.
    pub pc_bits: u32,
    /// How many bits of time the monitor keeps; 0: no time.
    pub timestamp_bits: u32,
    /// The first-level caches.
    pub l1: L1,
    /// The context register.
    pub context: Context,
    /// What a cache remembers of each line's writer.
    pub metadata: Metadata,
    /// The communication table.
    pub ct: CommunicationTable,
    /// ColorSafe.
    pub color: Color,
    /// What surrounds the machine in simulation. No generated Verilog depends on it.
    pub simulation: Simulation,
}

/// The first-level caches of each hart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1 {
    /// Bytes in a line, in both caches: the memory port is one line wide.
    pub line: u32,
    /// The data cache: write-back, MESI.
    pub data: Cache,
    /// The instruction cache.
    pub instruction: Cache,
}

/// The geometry of one cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Its size.
    pub bytes: u32,
    /// How many lines share an index.
    pub ways: u32,
}

impl Cache {
    /// How many sets it has with lines of `line` bytes.
    pub fn sets(self, line: u32) -> u32 {
        self.bytes / (self.ways * line)
    }
}

/// The context register: the newest communication events of a hart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// How many events it holds, two bits each; 0: no Bugaboo monitor at all.
    pub events: u32,
}

impl Context {
    /// The width of the register.
    pub fn bits(&self) -> u32 {
        2 * self.events
    }
}

/// What a cache remembers of each line's writer, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// Which stores replace it.
    pub update: Update,
    /// Where it lives when the line leaves the caches.
    pub home: Home,
    /// How much memory shares one writer.
    pub grain: Grain,
}

/// Which stores replace a line's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Update {
    /// Those that make a ReadX or an Upgrade.
    Miss,
    /// Also the first store to an exclusive line (E→M).
    FirstWrite,
    /// All.
    EveryWrite,
}

/// Where metadata lives when its line leaves the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Home {
    /// Nowhere: it is lost with the line.
    L1,
    /// In memory, written back with the line.
    Memory,
}

/// How much memory shares one metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grain {
    /// A cache line.
    Line,
    /// A 32-bit word.
    Word,
}

/// The communication table, where edges wait to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommunicationTable {
    /// How many edges one table holds.
    pub depth: u32,
    /// How many tables there are.
    pub placement: Placement,
    /// What happens to an edge that finds its table full.
    pub overflow: Overflow,
}

/// How many communication tables there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// One for each hart.
    PerHart,
    /// One for all; it interrupts hart 0.
    Central,
}

/// What happens to an edge that finds its table full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overflow {
    /// It is dropped, and counted.
    Discard,
    /// The access that makes it waits.
    Stall,
}

/// ColorSafe: what it keeps of the accesses to colored memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Color {
    /// Bits of a color; color 0 is uncolored.
    pub bits: u32,
    /// Entries of the color lookaside buffer.
    pub clb_entries: u32,
    /// Accesses in an epoch.
    pub epoch: u32,
    /// History items; 0: no ColorSafe.
    pub items: u32,
    /// Bits in each bank of a signature.
    pub signature_bits: u32,
    /// Banks of a signature.
    pub signature_banks: u32,
}

/// What surrounds the machine in simulation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// The size of memory.
    pub ram_bytes: u32,
    /// Cycles from a memory request to its answer.
    pub memory_latency: u32,
    /// The schedule; 0 perturbs nothing.
    pub seed: u64,
    /// How far schedules other than 0 go.
    pub perturbation: Perturbation,
}

/// Bounds of the seeded perturbation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perturbation {
    /// Chance, out of 256, that an access is delayed.
    pub chance: u32,
    /// Chance, out of 256, that the access after a delayed one is delayed too.
    pub burst: u32,
    /// The longest delay of one access, in cycles.
    pub max_stall: u32,
    /// The longest time that a grant may pass a waiting hart over, in grants.
    pub max_passes: u32,
}

impl Default for Config {
    fn default() -> Self {
        Preset::Sim4.config()
    }
}
