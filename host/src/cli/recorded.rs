//! The run that a command looks into.

use super::failure::Failure;
use super::machine::builder;
use crate::hunt::{On, Recorded, Wanted};
use ::evidence::names::Names;
use kit::argument::number;
use std::path::PathBuf;

/// A run of a hunt, to be repeated.
#[derive(clap::Args)]
pub struct RecordedArgs {
    /// A run file in a hunt's folder, or the folder itself: its first failing run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Which schedule of the hunt's folder
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    seed: Option<u64>,
    /// Which machine's run of the hunt's folder [default: golden, if the hunt ran on it]
    #[arg(long, value_enum, value_name = "MACHINE")]
    on: Option<On>,
}

impl RecordedArgs {
    /// Finds the run.
    pub fn open(&self) -> Result<Recorded, Failure> {
        let wanted = Wanted { path: &self.run, seed: self.seed, on: self.on };
        Ok(Recorded::open(&wanted, &builder())?)
    }
}

/// Where the program's sources are.
#[derive(clap::Args)]
pub struct SourceArgs {
    /// A folder with the program's sources; repeatable
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
}

impl SourceArgs {
    /// The folders are there.
    pub fn check(&self) -> Result<(), Failure> {
        match self.source.iter().find(|folder| !folder.is_dir()) {
            Some(folder) => Err(Failure::BadInput(format!("{}: not a folder", folder.display()))),
            None => Ok(()),
        }
    }

    /// The names of a run's program.
    pub fn names(&self, recorded: &Recorded) -> Result<Names, Failure> {
        let mut folders = self.source.clone();
        folders.extend(recorded.subject.sources.iter().cloned());
        let names = Names::read(recorded.subject.elf(), &folders);
        names.map_err(|error| Failure::BadInput(error.to_string()))
    }
}
