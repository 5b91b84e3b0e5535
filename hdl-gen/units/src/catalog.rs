//! The catalog of units: what can be generated, and from which keys of the configuration.

use std::collections::BTreeMap;

use config::Config;
use hdl::ir::Design;
use hdl::{Diagnostics, Module, elaborate};
use thiserror::Error;

use crate::bus::Bus;
use crate::color_lookaside::ColorLookaside;
use crate::comm_monitor::CommMonitor;
use crate::communication_table::CommunicationTable;
use crate::context_register::ContextRegister;
use crate::core::HartCore;
use crate::hazard_color_set::HazardColorSet;
use crate::history_buffer::HistoryBuffer;
use crate::l1_data::L1Data;
use crate::line_metadata::LineMetadata;
use crate::memory_system::MemorySystem;
use crate::serializability_checker::SerializabilityChecker;
use crate::signature::Signature;
use crate::soc::Soc;

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RtlFile {
    /// The file's name, which is the module's: `context_register_5.v`.
    pub name: String,
    /// The Verilog.
    pub text: String,
}

/// Why nothing was generated.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// There is no unit of this name.
    #[error("no unit is called `{name}`; there are: {}", known.join(", "))]
    UnknownUnit {
        /// The name asked for.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The configuration switches the unit off.
    #[error("this configuration has no `{name}`: {reason}")]
    SwitchedOff {
        /// The unit.
        name: &'static str,
        /// The key that switches it off.
        reason: &'static str,
    },
    /// The unit's own description is wrong.
    #[error("`{name}` is not a legal circuit:\n{findings}")]
    Elaboration {
        /// The unit.
        name: &'static str,
        /// What is wrong.
        findings: Diagnostics,
    },
}

/// Where the hardware is going to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a simulation, where schedules are perturbed.
    Simulation,
    /// On a board, which does without.
    Board,
}

impl Place {
    fn is_perturbed(self) -> bool {
        self == Place::Simulation
    }
}

/// What elaborating a unit gives. `Err` names the key that switches the unit off.
type Elaborated = Result<Result<Design, Diagnostics>, &'static str>;

/// One entry: a name that stays the same whatever the parameters, and how to make the unit.
struct Unit {
    name: &'static str,
    elaborate: fn(&Config, Place) -> Elaborated,
}

impl Unit {
    fn design(&self, config: &Config, place: Place) -> Result<Design, GenerateError> {
        let name = self.name;
        match (self.elaborate)(config, place) {
            Ok(Ok(design)) => Ok(design),
            Ok(Err(findings)) => Err(GenerateError::Elaboration { name, findings }),
            Err(reason) => Err(GenerateError::SwitchedOff { name, reason }),
        }
    }
}

const UNITS: &[Unit] = &[
    Unit {
        name: "context_register",
        elaborate: |config, _| match config.context.events {
            0 => Err("context.events is 0"),
            events => Ok(elaborate(ContextRegister { events: events as usize })),
        },
    },
    Unit {
        name: "line_metadata",
        elaborate: |config, _| LineMetadata::from_config(config).map(elaborate),
    },
    Unit {
        name: "communication_table",
        elaborate: |config, _| CommunicationTable::from_config(config).map(elaborate),
    },
    Unit {
        name: "comm_monitor",
        elaborate: |config, _| CommMonitor::from_config(config).map(elaborate),
    },
    Unit {
        name: "signature",
        elaborate: |config, _| Signature::from_config(config).map(elaborate),
    },
    Unit {
        name: "history_buffer",
        elaborate: |config, _| HistoryBuffer::from_config(config).map(elaborate),
    },
    Unit {
        name: "serializability_checker",
        elaborate: |config, _| SerializabilityChecker::from_config(config).map(elaborate),
    },
    Unit {
        name: "hazard_color_set",
        elaborate: |config, _| HazardColorSet::from_config(config).map(elaborate),
    },
    Unit {
        name: "color_lookaside",
        elaborate: |config, _| ColorLookaside::from_config(config).map(elaborate),
    },
    Unit {
        name: "l1_data",
        elaborate: |config, place| {
            let perturbed = place.is_perturbed();
            of_machine(config, |config| L1Data { perturbed, ..L1Data::from_config(config) })
        },
    },
    Unit {
        name: "bus",
        elaborate: |config, place| {
            let perturbed = place.is_perturbed();
            of_machine(config, |config| Bus { perturbed, ..Bus::from_config(config) })
        },
    },
    Unit {
        name: "memory_system",
        elaborate: |config, place| memory_system(config, place).map(elaborate),
    },
    Unit {
        name: "soc",
        elaborate: |config, place| {
            let core = HartCore::from_config(config);
            memory_system(config, place).map(|memory_system| elaborate(Soc { memory_system, core }))
        },
    },
];

/// A part of the machine, which a monitor alone does without.
fn of_machine<M: Module>(config: &Config, part: impl FnOnce(&Config) -> M) -> Elaborated {
    match config.standalone {
        true => Err("standalone is true"),
        false => Ok(elaborate(part(config))),
    }
}

fn memory_system(config: &Config, place: Place) -> Result<MemorySystem, &'static str> {
    let memory_system = MemorySystem::from_config(config)?;
    Ok(MemorySystem { perturbed: place.is_perturbed(), ..memory_system })
}

/// The names of all units.
pub fn names() -> Vec<&'static str> {
    UNITS.iter().map(|unit| unit.name).collect()
}

/// The unit of this name as `config` has it, elaborated for simulation.
pub fn design(config: &Config, name: &str) -> Result<Design, GenerateError> {
    design_for(Place::Simulation, config, name)
}

/// The unit of this name as `config` has it, elaborated for the place where it is going to be.
pub fn design_for(place: Place, config: &Config, name: &str) -> Result<Design, GenerateError> {
    let unknown = || GenerateError::UnknownUnit { name: name.to_owned(), known: names() };
    UNITS.iter().find(|unit| unit.name == name).ok_or_else(unknown)?.design(config, place)
}

/// The Verilog of every unit that `config` switches on, or of `top` and what it instantiates; sorted
/// by name. Modules that several units share appear once.
pub fn generate(config: &Config, top: Option<&str>) -> Result<Vec<RtlFile>, GenerateError> {
    if let Some(name) = top.filter(|name| !names().contains(name)) {
        return Err(GenerateError::UnknownUnit { name: name.to_owned(), known: names() });
    }
    let configuration = format!("Configuration: {}", config.hardware_hash());
    let origin = [
        "Generated by Crosstalk; edit the Rust source and run `cargo xtask gen-rtl`.",
        &configuration,
    ];
    let mut files = BTreeMap::new();
    for unit in UNITS.iter().filter(|unit| top.is_none_or(|top| top == unit.name)) {
        let design = match unit.design(config, Place::Simulation) {
            Err(GenerateError::SwitchedOff { .. }) if top.is_none() => continue,
            design => design?,
        };
        files.extend(design.verilog(&origin).into_iter().map(|file| (file.name, file.text)));
    }
    Ok(files.into_iter().map(|(name, text)| RtlFile { name, text }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Preset;

    #[test]
    fn the_same_configuration_gives_the_same_bytes() {
        let config = Config::default();
        assert_eq!(generate(&config, None).unwrap(), generate(&config, None).unwrap());
    }

    #[test]
    fn a_unit_that_is_off_leaves_no_file() {
        let baseline = Preset::Baseline.config();
        let files = generate(&baseline, None).unwrap();
        let monitor = ["context_register", "line_metadata", "communication_table", "monitor"];
        let left = |name: &str| files.iter().any(|file| file.name.contains(name));
        assert!(!monitor.into_iter().any(left));
        assert!(left("memory_system"), "the machine is there all the same");
        let error = generate(&baseline, Some("context_register")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "this configuration has no `context_register`: context.events is 0"
        );
    }

    #[test]
    fn a_board_is_not_perturbed() {
        let perturbation = |place| {
            let design = design_for(place, &Config::default(), "soc").unwrap();
            design.modules.iter().any(|module| module.name.contains("perturb"))
        };
        assert!(perturbation(Place::Simulation));
        assert!(!perturbation(Place::Board));
    }

    #[test]
    fn a_monitor_alone_has_no_machine() {
        let alone: Config = "standalone = true".parse().unwrap();
        for name in ["l1_data", "bus", "memory_system"] {
            let error = generate(&alone, Some(name)).unwrap_err().to_string();
            assert_eq!(error, format!("this configuration has no `{name}`: standalone is true"));
        }
    }

    #[test]
    fn a_machine_with_colorsafe_is_refused_by_name() {
        let colored: Config = "color.items = 30".parse().unwrap();
        for name in ["memory_system", "soc"] {
            let error = generate(&colored, Some(name)).unwrap_err().to_string();
            let reason = "color.items is not 0, and ColorSafe is not built into the machine yet";
            assert_eq!(error, format!("this configuration has no `{name}`: {reason}"));
        }
    }

    #[test]
    fn an_unknown_unit_is_refused_with_the_names_there_are() {
        let error = generate(&Config::default(), Some("contxt")).unwrap_err().to_string();
        assert!(error.starts_with("no unit is called `contxt`; there are: context_register, "));
        assert!(names().iter().all(|name| error.contains(name)));
    }

    #[test]
    fn colorsafe_is_there_when_it_has_items() {
        const UNITS: [&str; 5] = [
            "signature",
            "history_buffer",
            "serializability_checker",
            "hazard_color_set",
            "color_lookaside",
        ];
        let off = Config::default();
        let on: Config = "color.items = 30".parse().unwrap();
        for name in UNITS {
            let error = generate(&off, Some(name)).unwrap_err().to_string();
            assert_eq!(error, format!("this configuration has no `{name}`: color.items is 0"));
            let files = generate(&on, Some(name)).unwrap();
            assert!(files.iter().any(|file| file.name.starts_with(name)));
        }
        let files: Vec<_> =
            generate(&on, None).unwrap().into_iter().map(|file| file.name).collect();
        assert!(files.contains(&"history_buffer_30_256x2_c12.v".to_owned()));
    }

    #[test]
    fn no_unit_of_any_preset_has_a_warning() {
        for preset in [Preset::Sim4, Preset::Paper, Preset::Baseline] {
            for unit in UNITS {
                for place in [Place::Simulation, Place::Board] {
                    if let Ok(design) = (unit.elaborate)(&preset.config(), place) {
                        assert_eq!(design.unwrap().warnings, [], "{}", unit.name);
                    }
                }
            }
        }
    }
}
