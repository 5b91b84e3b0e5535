//! The machine of commands that run programs.

use super::failure::say;
use config::{Config, Preset};
use cosim::{Builder, Stage};
use kit::argument::number;
use std::path::PathBuf;

/// The machine that a command runs programs on.
#[derive(clap::Args)]
pub struct MachineArgs {
    /// The machine, by the name of its preset: sim4, paper or baseline
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// The machine, as a TOML file describes it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The number of harts, 1 to 16, instead of the configuration's
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    pub harts: Option<u32>,
}

impl MachineArgs {
    /// The file that describes it, if there is one.
    pub fn file(&self) -> Option<&PathBuf> {
        self.config.as_ref()
    }

    /// The configuration asked for. Other fields may be changed; it is to be checked then.
    ///
    /// # Errors
    /// One sentence.
    pub fn config(&self) -> Result<Config, String> {
        let mut config = match (&self.preset, &self.config) {
            (Some(name), _) => Preset::named(name).map_err(|error| error.to_string())?.config(),
            (None, Some(path)) => Config::load(path).map_err(|error| error.to_string())?,
            (None, None) => Config::default(),
        };
        config.harts = self.harts.unwrap_or(config.harts);
        Ok(config)
    }
}

/// Builds machines. A configuration that was never built takes a minute or two, so it says what it builds.
pub fn builder() -> Builder {
    Builder::for_workspace().on_progress(|stage| {
        let what = match stage {
            Stage::Runtime => "the simulator's own parts",
            Stage::Model => "the machine, once for each configuration",
        };
        say(format_args!("building {what}\n"));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_without_an_end_is_refused() {
        let args = MachineArgs { preset: None, config: Some("/dev/zero".into()), harts: None };
        let refused = args.config().unwrap_err();
        assert!(refused.contains("/dev/zero: too long for a configuration"), "{refused}");
    }
}
