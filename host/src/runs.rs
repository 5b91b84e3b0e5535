//! The run files that a person names: found, ordered, opened.

mod family;

pub use family::Family;

use crate::{Error, formats};
use record::{Ending, Hart, Header, Label, RunReader, Total};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A run in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunFile {
    /// Where it is.
    pub path: PathBuf,
    /// What to call it: the path below what was named, so the same from any folder.
    pub name: String,
    /// The label it has whatever its file says.
    pub label: Option<Label>,
}

/// The extension of run files.
pub const EXTENSION: &str = "run";

/// All runs that `paths` name: files as they are, folders with every `*.run` below them.
pub fn find(paths: &[PathBuf], label: Option<Label>) -> Result<Vec<RunFile>, Error> {
    let mut found = Vec::new();
    for path in paths {
        let about = std::fs::metadata(path).map_err(|error| Error::file(path, &error))?;
        if about.is_dir() {
            let before = found.len();
            walk(path, path, label, &mut found)?;
            if found.len() == before {
                return Err(Error::NoRuns { path: path.clone() });
            }
        } else {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let name = name.to_string_lossy().into_owned();
            found.push(RunFile { path: path.clone(), name, label });
        }
    }
    found.sort();
    found.dedup_by(|later, first| later.path == first.path);
    Ok(found)
}

fn walk(
    folder: &Path,
    top: &Path,
    label: Option<Label>,
    found: &mut Vec<RunFile>,
) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::file(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let path = entry.path();
        if entry.file_type().map_err(wrong)?.is_dir() {
            walk(&path, top, label, found)?;
        } else if path.extension().is_some_and(|extension| extension == EXTENSION) {
            let name = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
            found.push(RunFile { path, name, label });
        }
    }
    Ok(())
}

/// What a run file says besides its edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What ran.
    pub header: Header,
    /// How it ended.
    pub ending: Ending,
    /// Edges lost by each hart.
    pub lost: BTreeMap<Hart, u32>,
    /// The label that counts.
    pub label: Label,
}

impl RunFile {
    /// Reads the run, handing its records on as they come.
    pub fn read(&self, mut records: impl FnMut(&[Total])) -> Result<About, Error> {
        if self.is_text()? {
            let run = formats::read_file(&self.path)?;
            records(&run.edges);
            let label = self.label.unwrap_or(run.label());
            let record::Run { header, ending, lost, .. } = run;
            return Ok(About { header, ending, lost, label });
        }
        let wrong = |error| Error::Run { path: self.path.clone(), error };
        let mut reader = RunReader::new(self.open()?).map_err(wrong)?;
        while let Some(batch) = reader.next_records().map_err(wrong)? {
            records(batch);
        }
        let label = self.label.unwrap_or(reader.label());
        let (header, lost, ending) = reader.into_parts();
        Ok(About { header, ending, lost, label })
    }

    /// Reads only what ran.
    pub fn header(&self) -> Result<Header, Error> {
        if self.is_text()? {
            return formats::read_file(&self.path).map(|run| run.header);
        }
        let reader = RunReader::new(self.open()?);
        let reader = reader.map_err(|error| Error::Run { path: self.path.clone(), error })?;
        Ok(reader.header().clone())
    }

    fn open(&self) -> Result<File, Error> {
        File::open(&self.path).map_err(|error| Error::file(&self.path, &error))
    }

    /// Whether this is an exported run rather than a run file.
    fn is_text(&self) -> Result<bool, Error> {
        let mut first = [0; 1];
        let got = self.open()?.read(&mut first).map_err(|error| Error::file(&self.path, &error))?;
        Ok(got == 1 && formats::Format::of_first_byte(first[0]).is_some())
    }

    /// Reads the whole run.
    pub fn load(&self) -> Result<record::Run, Error> {
        let mut totals = record::Totals::default();
        let about = self.read(|records| records.iter().for_each(|total| totals.add(total)))?;
        let label = self.label.unwrap_or(about.header.label);
        let header = Header { label, ..about.header };
        Ok(record::Run {
            header,
            edges: totals.into_sorted(),
            lost: about.lost,
            ending: about.ending,
        })
    }
}
