//! Which machine: what commands that run programs share.

use super::failure::say;
use super::number::number;
use config::{Config, Preset};
use cosim::{Builder, Stage};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Which machine.
#[derive(clap::Args)]
pub struct MachineArgs {
    /// The machine: sim4, paper or baseline
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// The machine, described in a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// This many harts, 1 to 16, whatever the configuration says
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

/// Builds machines. One that was never built takes a minute; that is said where somebody is looking.
pub fn builder() -> Builder {
    Builder::for_workspace().on_progress(|stage| {
        if io::stderr().is_terminal() {
            let what = match stage {
                Stage::Runtime => "the simulator's own parts",
                Stage::Model => "the machine, once for each configuration",
            };
            say(format_args!("building {what}\n"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_without_an_end_is_refused() {
        let args = MachineArgs { preset: None, config: Some("/dev/zero".into()), harts: None };
        let refused = args.config().unwrap_err();
        assert!(refused.contains("/dev/zero: it is longer than any configuration"), "{refused}");
    }
}
