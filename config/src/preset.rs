//! The named configurations.

use crate::*;
use std::fmt;

/// A configuration with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Preset {
    /// Four harts with small caches, quick to simulate; the default.
    #[default]
    Sim4,
    /// The size of the machine in the Bugaboo paper.
    Paper,
    /// `Sim4` without any monitor: the baseline for area and speed.
    Baseline,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sim4, Self::Paper, Self::Baseline];

    /// Its name in TOML and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sim4 => "sim4",
            Self::Paper => "paper",
            Self::Baseline => "baseline",
        }
    }

    /// The preset of that name.
    pub fn named(name: &str) -> Result<Self, ConfigError> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| ConfigError::UnknownPreset(format!("{name:?}")))
    }

    /// The preset's configuration.
    pub fn config(self) -> Config {
        match self {
            Self::Sim4 => sim4(),
            Self::Paper => paper(),
            Self::Baseline => Config { context: Context { events: 0 }, ..sim4() },
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Config {
    /// The default configuration with ColorSafe switched on too, at its documented size, breakpoints, and both
    /// bridges: every unit exists in it but the machine with ColorSafe. For building and testing units one by one.
    pub fn every_unit() -> Self {
        let sim4 = sim4();
        let color = Color { items: 30, ..sim4.color };
        let bridge = Bridge { wishbone_bits: 32, axi4_bits: 64 };
        Self { color, bridge, breakpoints: Breakpoints { entries: 4 }, ..sim4 }
    }
}

fn sim4() -> Config {
    let cache = Cache { bytes: 4 << 10, ways: 2 };
    Config {
        harts: 4,
        standalone: false,
        reset_vector: border::map::RAM.base,
        pc_bits: 32,
        timestamp_bits: 32,
        counters: false,
        l1: L1 { line: 32, data: cache, instruction: cache },
        context: Context { events: 5 },
        metadata: Metadata { update: Update::Miss, home: Home::L1, grain: Grain::Line },
        ct: CommunicationTable {
            depth: 1024,
            placement: Placement::PerHart,
            overflow: Overflow::Discard,
        },
        color: Color {
            bits: 12,
            clb_entries: 16,
            epoch: 400,
            items: 0,
            signature_bits: 256,
            signature_banks: 2,
        },
        breakpoints: Breakpoints { entries: 0 },
        bridge: Bridge::default(),
        simulation: Simulation {
            ram_bytes: 16 << 20,
            memory_latency: 10,
            seed: 0,
            perturbation: Perturbation {
                chance: 16,
                burst: 128,
                max_stall: 64,
                max_passes: 8,
                ..Perturbation::NONE
            },
        },
    }
}

fn paper() -> Config {
    let cache = Cache { bytes: 32 << 10, ways: 8 };
    let sim4 = sim4();
    Config {
        harts: 16,
        l1: L1 { line: 64, data: cache, instruction: cache },
        ct: CommunicationTable { depth: 16384, ..sim4.ct },
        ..sim4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_passes_its_own_limits() {
        for preset in Preset::ALL {
            preset.config().check().unwrap();
            assert_eq!(Preset::named(preset.name()).unwrap(), preset);
        }
    }

    #[test]
    fn the_configuration_with_every_unit_is_allowed() {
        Config::every_unit().check().unwrap();
    }

    #[test]
    fn an_unknown_preset_is_answered_with_the_known_ones() {
        assert_eq!(
            Preset::named("papre").unwrap_err().to_string(),
            "preset = \"papre\" is unknown; allowed: \"sim4\", \"paper\", \"baseline\""
        );
    }
}
