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
//! The values allowed for each key are in one table, [`KEYS`]; constraints between keys, and
//! values not implemented yet, are in `limits.rs`. A `Config` that came from TOML or a preset has passed
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
    /// Number of harts.
    pub harts: u32,
    /// The monitor alone, for attaching to another core: nothing of the machine is generated. Only
    /// this may use pcs and timestamps wider than the 32-bit words of a table entry.
    pub standalone: bool,
    /// Address at which every hart starts.
    pub reset_vector: u32,
    /// Bits of a pc that the monitor stores; if fewer than the pc has, a hash of it.
    pub pc_bits: u32,
    /// Bits of a timestamp that the monitor stores; 0: no timestamps.
    pub timestamp_bits: u32,
    /// Each hart has counters of events, `mhpmcounter3` and after. Not written down where there are none: a
    /// configuration without them is what it was before there were any.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counters: bool,
    /// The first-level caches.
    pub l1: L1,
    /// The context register.
    pub context: Context,
    /// The metadata of each line's last writer.
    pub metadata: Metadata,
    /// The communication table.
    pub ct: CommunicationTable,
    /// The ColorSafe monitor.
    pub color: Color,
    /// The breakpoint unit. Not in the text of a configuration without one, so that all that was hashed before
    /// there were breakpoints keeps its hash.
    #[serde(default, skip_serializing_if = "Breakpoints::is_off")]
    pub breakpoints: Breakpoints,
    /// Bridges to other people's buses. Not written down where there are none: a configuration without bridges is
    /// what it was before there were any.
    #[serde(default, skip_serializing_if = "Bridge::is_off")]
    pub bridge: Bridge,
    /// The machine's environment in simulation. No generated Verilog depends on it.
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
    /// Size in bytes.
    pub bytes: u32,
    /// Associativity.
    pub ways: u32,
}

impl Cache {
    /// Number of sets with lines of `line` bytes.
    pub fn sets(self, line: u32) -> u32 {
        self.bytes / (self.ways * line)
    }
}

/// The context register: the newest communication events of a hart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// Number of events, two bits each; 0: no Bugaboo monitor.
    pub events: u32,
}

impl Context {
    /// The width of the register.
    pub fn bits(&self) -> u32 {
        2 * self.events
    }
}

/// The metadata of each line's last writer, and its update policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// Which stores update it.
    pub update: Update,
    /// Where it is stored when the line leaves the caches.
    pub home: Home,
    /// Amount of memory that shares one writer.
    pub grain: Grain,
}

/// Which stores update a line's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Update {
    /// Those that make a ReadX or an Upgrade.
    Miss,
    /// Also the first store to an exclusive line (E→M).
    FirstWrite,
    /// All stores.
    EveryWrite,
}

/// Where metadata is stored when its line leaves the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Home {
    /// Nowhere: it is lost with the line.
    L1,
    /// In memory, written back with the line.
    Memory,
}

/// Amount of memory that shares one metadata entry.
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
    /// Capacity of one table, in edges.
    pub depth: u32,
    /// Number of tables.
    pub placement: Placement,
    /// Policy for an edge when its table is full.
    pub overflow: Overflow,
}

/// Number of communication tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// One for each hart.
    PerHart,
    /// One for all; it interrupts hart 0.
    Central,
}

/// Policy for an edge when its table is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overflow {
    /// It is dropped, and counted.
    Discard,
    /// The access that makes it stalls.
    Stall,
}

/// The ColorSafe monitor, which records accesses to colored memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Color {
    /// Bits of a color; color 0 is uncolored.
    pub bits: u32,
    /// Entries of the color lookaside buffer.
    pub clb_entries: u32,
    /// Instructions of an epoch where software says nothing else.
    pub epoch: u32,
    /// History items; 0: no ColorSafe.
    pub items: u32,
    /// Bits in each bank of a signature.
    pub signature_bits: u32,
    /// Banks of a signature.
    pub signature_banks: u32,
}

/// The breakpoint unit, at which harts meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breakpoints {
    /// Number of entries; 0: no breakpoint unit.
    pub entries: u32,
}

impl Breakpoints {
    /// There is no breakpoint unit.
    pub fn is_off(&self) -> bool {
        self.entries == 0
    }
}

/// Bridges from the machine's memory and host ports to other people's buses: the bits of a bus word, 0 for no
/// bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bridge {
    /// Wishbone.
    pub wishbone_bits: u32,
    /// AXI4.
    pub axi4_bits: u32,
}

impl Bridge {
    /// Neither bus is there.
    pub fn is_off(&self) -> bool {
        *self == Bridge::default()
    }
}

/// The machine's environment in simulation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// Size of memory in bytes.
    pub ram_bytes: u32,
    /// Cycles from a memory request to its answer.
    pub memory_latency: u32,
    /// Seed of the schedule; 0 disables perturbation.
    pub seed: u64,
    /// Bounds of the perturbation for seeds other than 0.
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
    /// Maximum number of grants that may pass over a waiting hart.
    pub max_passes: u32,
    /// Chance, out of 65536, that a hart rests before an access while others are active.
    pub rest_chance: u32,
    /// The longest rest, in cycles.
    pub max_rest: u32,
    /// Cycles for which harts of lower priority are held before the leader gives way; 0 disables priorities.
    pub max_hold: u32,
    /// How often the leader loses its priority.
    pub changes: u32,
    /// The last access at which it may lose it.
    pub change_range: u32,
}

impl Perturbation {
    /// Nothing is perturbed.
    pub const NONE: Self = Self {
        chance: 0,
        burst: 0,
        max_stall: 0,
        max_passes: 0,
        rest_chance: 0,
        max_rest: 0,
        max_hold: 0,
        changes: 0,
        change_range: 0,
    };
}

impl Default for Config {
    fn default() -> Self {
        Preset::Sim4.config()
    }
}
