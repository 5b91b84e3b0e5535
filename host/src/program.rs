//! A linked program with the settings of its run filled in.
//!
//! Programs that `crosstalk cc` links have a block of parameters (`docs/firmware.md`); whatever runs one
//! fills it in here, so that a run's record says the same wherever it was made.

use border::{Program, Records, Settings, SettingsError};
use config::Config;
use kit::cache::sha256;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// What a program is run with.
pub struct Launch<'a> {
    /// The machine.
    pub config: &'a Config,
    /// The program's arguments, without its name.
    pub arguments: &'a [OsString],
    /// What it sends of records.
    pub records: Records,
}

impl Launch<'_> {
    /// The same program with its settings filled in, then changed once more. One without our runtime
    /// stays as it is.
    ///
    /// # Errors
    /// One sentence: if it takes no arguments but there are some, or they are too long; or if its parameters
    /// cannot be set, so that its run would say nothing of how it was made.
    pub fn applied_to(
        &self,
        mut program: Program,
        change: impl FnOnce(&mut Settings),
    ) -> Result<Program, String> {
        let path = program.path.clone();
        let mut settings = match program.settings() {
            Ok(settings) => settings,
            Err(SettingsError::NoBlock(_)) if self.arguments.is_empty() => return Ok(program),
            Err(SettingsError::NoBlock(_)) => {
                let path = path.display();
                return Err(format!(
                    "`{path}` cannot take arguments: it was not linked by `crosstalk cc`"
                ));
            }
            Err(error) => return Err(format!("`{}`: {error}", path.display())),
        };
        let name = path.file_stem().unwrap_or_default().to_owned();
        settings.arguments = vec![name.into_vec()];
        let arguments = self.arguments.iter().map(|argument| argument.clone().into_vec());
        settings.arguments.extend(arguments);
        settings.records = self.records;
        settings.seed = self.config.simulation.seed;
        settings.events = self.config.context.events as u8;
        settings.pc_bits = self.config.pc_bits as u8;
        settings.time_bits = self.config.timestamp_bits as u8;
        settings.config_hash = sha256(self.config.canonical());
        settings.elf_hash = sha256(program.file());
        change(&mut settings);
        program.set(&settings).map_err(|error| error.to_string())?;
        Ok(program)
    }
}
