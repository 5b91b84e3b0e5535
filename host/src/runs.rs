//! The run files that a person names: found, ordered, opened.

mod family;

pub use family::Family;

use crate::Error;
use crate::formats::{self, Format};
use record::{Ending, Hart, Header, Label, RunReader, Total};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// A run in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunFile {
    /// The file.
    pub path: PathBuf,
    /// Its name: the path below the folder that was given, so that it is the same from everywhere.
    pub name: String,
    /// A label that overrides the file's.
    pub label: Option<Label>,
}

/// All runs that `paths` name: files as they are, folders with every run file and every exported run below them.
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
    let mut seen = HashSet::new();
    found.retain(|file| seen.insert(file.identity()));
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
        } else if is_run(&path)? {
            let name = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
            found.push(RunFile { path, name, label });
        }
    }
    Ok(())
}

/// Whether a file of a folder is a run. Beside `1.run`, `1.json` is the same run again, and does not count.
fn is_run(path: &Path) -> Result<bool, Error> {
    let Some(extension) = path.extension().and_then(OsStr::to_str) else { return Ok(false) };
    let Some(format) = Format::named(extension) else { return Ok(false) };
    let wrong = |error| Error::file(path, &error);
    // Opening a named pipe would wait for a writer.
    if !std::fs::metadata(path).map_err(wrong)?.is_file() {
        return Ok(false);
    }
    if format == Format::Run {
        return Ok(true);
    }
    let exported_before = |other: &Format| *other != format;
    let again = Format::ALL
        .iter()
        .take_while(|other| exported_before(other))
        .any(|other| path.with_extension(other.name()).is_file());
    if again {
        return Ok(false);
    }
    formats::claims(File::open(path).map_err(wrong)?, format).map_err(wrong)
}

/// What a run file says besides its edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What ran.
    pub header: Header,
    /// How the run ended, and its cycles.
    pub ending: Ending,
    /// Edges lost by each hart.
    pub lost: BTreeMap<Hart, u32>,
    /// The label that counts.
    pub label: Label,
}

impl RunFile {
    /// The same for every path that leads to the file.
    pub fn identity(&self) -> PathBuf {
        // What has no other path, a pipe of the shell's for one, is known by this one.
        self.path.canonicalize().unwrap_or_else(|_| self.path.clone())
    }

    /// Reads the run, handing its records on as they come.
    pub fn read(&self, mut records: impl FnMut(&[Total])) -> Result<About, Error> {
        let (file, is_text) = self.open()?;
        if is_text {
            let run = formats::read_from(file, &self.path)?;
            records(&run.edges);
            let label = self.label.unwrap_or(run.label());
            let record::Run { header, ending, lost, .. } = run;
            return Ok(About { header, ending, lost, label });
        }
        let wrong = |error| Error::Run { path: self.path.clone(), error };
        let mut reader = RunReader::new(file).map_err(wrong)?;
        while let Some(batch) = reader.next_records().map_err(wrong)? {
            records(batch);
        }
        let label = self.label.unwrap_or(reader.label());
        let (header, lost, ending) = reader.into_parts();
        Ok(About { header, ending, lost, label })
    }

    /// Reads only what ran.
    pub fn header(&self) -> Result<Header, Error> {
        let (file, is_text) = self.open()?;
        if is_text {
            return formats::read_from(file, &self.path).map(|run| run.header);
        }
        let reader = RunReader::new(file);
        let reader = reader.map_err(|error| Error::Run { path: self.path.clone(), error })?;
        Ok(reader.header().clone())
    }

    /// The file, and whether it is an exported run rather than a run file. It is opened once, and no byte of it
    /// is taken, since not everything can be read twice.
    fn open(&self) -> Result<(BufReader<File>, bool), Error> {
        let wrong = |error| Error::file(&self.path, &error);
        let mut file = BufReader::new(File::open(&self.path).map_err(wrong)?);
        let first = file.fill_buf().map_err(wrong)?.first();
        let is_text = first.is_some_and(|byte| formats::Format::of_first_byte(*byte).is_some());
        Ok((file, is_text))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn empty_run() -> Vec<u8> {
        record::Run::default().write(Vec::new()).unwrap()
    }

    #[test]
    fn a_file_counts_once_whatever_path_leads_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("runs");
        std::fs::create_dir(&below).unwrap();
        std::fs::write(below.join("1.run"), empty_run()).unwrap();
        symlink(below.join("1.run"), below.join("linked.run")).unwrap();
        symlink(&below, folder.path().join("elsewhere")).unwrap();
        let paths = ["runs", "runs/../runs/1.run", "elsewhere/1.run", "elsewhere"];
        let found = find(&paths.map(|path| folder.path().join(path)), None).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_pipe_that_is_named_is_read_from_its_first_byte_and_once() {
        let mut text = formats::write(&record::Run::default(), formats::Format::Json, &|_| None);
        text.push(b'\n');
        for bytes in [empty_run(), text] {
            let (reader, mut writer) = std::io::pipe().unwrap();
            std::io::Write::write_all(&mut writer, &bytes).unwrap();
            drop(writer);
            let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
            let path = PathBuf::from(format!("/dev/fd/{number}"));
            let files = find(&[path.clone(), path], None).unwrap();
            let [file] = &files[..] else { panic!("{files:?}") };
            assert_eq!(file.load().unwrap(), record::Run::default());
        }
    }

    #[test]
    fn only_regular_files_of_a_folder_are_runs() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("1.run"), empty_run()).unwrap();
        let made = rustix::fs::mkfifoat(
            rustix::fs::CWD,
            folder.path().join("2.run"),
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        );
        made.unwrap();
        let found = find(&[folder.path().to_owned()], None).unwrap();
        assert_eq!(found.iter().map(|file| &*file.name).collect::<Vec<_>>(), ["1.run"]);
    }
}
