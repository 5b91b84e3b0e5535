//! The waveform of a run: the model writes VCD, which can become FST when it is complete.

use super::{Args, OWN_ERROR};
use crate::cli::failure::Failure;
use crate::waveform::to_fst;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A waveform that was asked for.
pub struct Waves<'a> {
    /// The cycles that it shows.
    pub cycles: Range<u64>,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Vcd(&'a Path),
    /// The VCD on the way is beside the FST, where there is room for large files.
    Fst(&'a Path, NamedTempFile),
}

impl<'a> Waves<'a> {
    /// The waveform, if the arguments ask for one; checked before anything is built.
    pub fn of(args: &'a Args) -> Result<Option<Self>, Failure> {
        let Some(path) = args.waves() else { return Ok(None) };
        let cycles = args.from.unwrap_or(0)..args.to.unwrap_or(u64::MAX);
        if cycles.is_empty() {
            let Range { start, end } = cycles;
            return Err(own(format!(
                "a waveform from cycle {start} to before cycle {end} is empty: expected `--to` above `--from`"
            )));
        }
        let kind = match args.fst.is_some() {
            false => Kind::Vcd(path),
            true => Kind::Fst(path, temporary(path)?),
        };
        Ok(Some(Self { cycles, kind }))
    }

    /// Where the model writes.
    pub fn vcd(&self) -> &Path {
        match &self.kind {
            Kind::Vcd(path) => path,
            Kind::Fst(_, vcd) => vcd.path(),
        }
    }

    /// Makes the file that was asked for, when the model has written all of its own.
    pub fn complete(self) -> Result<(), Failure> {
        let Kind::Fst(path, vcd) = self.kind else { return Ok(()) };
        let wrong = |error: &dyn std::fmt::Display| own(format!("{}: {error}", path.display()));
        let vcd = File::open(vcd.path()).map_err(|error| wrong(&error))?;
        let fst = File::create(path).map_err(|error| wrong(&error))?;
        to_fst(BufReader::new(vcd), BufWriter::new(fst)).map_err(|error| wrong(&error))
    }
}

fn own(what: String) -> Failure {
    Failure::Own(what, OWN_ERROR)
}

fn temporary(beside: &Path) -> Result<NamedTempFile, Failure> {
    let folder = beside.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
    let made = tempfile::Builder::new().prefix(".waveform-").suffix(".vcd").tempfile_in(&folder);
    made.map_err(|error| own(format!("{}: {error}", beside.display())))
}
