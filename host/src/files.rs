//! Files that appear whole or not at all, even after a power cut.
//!
//! Only plain files are replaced: what is written to a pipe or a device goes into it, and what is written to
//! a symbolic link goes where that leads.

use crate::Error;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// As many symbolic links as Linux follows.
const MOST_LINKS: usize = 40;

/// How an output is written.
enum Place {
    /// Beside this plain file, which need not exist, and then into its place.
    Beside(PathBuf),
    /// Into what is there.
    Into,
}

/// Writes a file beside its place, and then puts it there. What an interrupted call leaves is hidden, and
/// the next call writes over it.
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = match place(path)? {
        Place::Beside(target) => replace(&target, bytes),
        Place::Into => write_into(path, bytes),
    };
    written.map_err(|error| Error::unwritable(path, &error))
}

/// Refuses an output that could not be written, or that would take the place of an input: for before the work
/// whose result it is. Leaves nothing behind.
pub fn check_output<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Error> {
    let Place::Beside(target) = place(path)? else { return Ok(()) };
    let Ok(there) = fs::metadata(&target) else {
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let tried = tempfile::tempfile_in(folder.unwrap_or(Path::new(".")));
        return tried.map(drop).map_err(|error| Error::unwritable(path, &error));
    };
    let same = |input: &Metadata| (input.dev(), input.ino()) == (there.dev(), there.ino());
    if inputs.into_iter().any(|input| fs::metadata(input).is_ok_and(|input| same(&input))) {
        return Err(refused(path, "it is one of the inputs"));
    }
    // Appending takes nothing away.
    let tried = OpenOptions::new().append(true).open(&target);
    tried.map(drop).map_err(|error| Error::unwritable(path, &error))
}

/// Refuses two outputs of which one would take the place of the other.
pub fn check_apart(one: &Path, other: &Path) -> Result<(), Error> {
    let (Place::Beside(first), Place::Beside(second)) = (place(one)?, place(other)?) else {
        return Ok(());
    };
    if whole(&first) == whole(&second) {
        return Err(refused(other, "two outputs would be this file"));
    }
    Ok(())
}

/// A file that need not exist, by the one path that leads to it without links.
fn whole(target: &Path) -> PathBuf {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    folder.unwrap_or_default().join(target.file_name().unwrap_or_default())
}

/// Where a file is made before it is put into its place.
pub fn partial(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".partial");
    path.with_file_name(name)
}

fn refused(path: &Path, why: &str) -> Error {
    Error::Unwritable { path: path.to_owned(), reason: why.to_owned() }
}

fn place(path: &Path) -> Result<Place, Error> {
    let there = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        there => Some(there.map_err(|error| Error::unwritable(path, &error))?),
    };
    let has_no_name = path.file_name().is_none() || path.as_os_str().as_bytes().ends_with(b"/");
    match there {
        Some(there) if there.is_dir() => Err(refused(path, "it is a folder")),
        _ if has_no_name => Err(refused(path, "it is not the name of a file")),
        Some(there) if !there.is_file() => Ok(Place::Into),
        // A file may be open and have no name any more: /dev/stdout may lead to one.
        Some(_) => Ok(fs::canonicalize(path).map_or(Place::Into, Place::Beside)),
        None => Ok(Place::Beside(followed(path).map_err(|error| Error::unwritable(path, &error))?)),
    }
}

/// Where a file will be that is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = partial(target);
    let mut file = match File::create(&partial) {
        // A file that may be written in a folder where none may be made.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && target.exists() => {
            return write_into(target, bytes);
        }
        file => file?,
    };
    // Without the second, a power cut can leave the new name with nothing in it.
    let written = file.write_all(bytes).and_then(|()| file.sync_data());
    let placed = written.and_then(|()| fs::rename(&partial, target));
    if placed.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&partial);
    }
    placed
}

fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).truncate(true).open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    fn pipe(path: &Path) {
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    }

    #[test]
    fn two_outputs_are_two_files_however_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink(at("a"), at("link")).unwrap();
        check_apart(&at("a"), &at("b")).unwrap();
        // A device takes as much as comes.
        check_apart(Path::new("/dev/null"), Path::new("/dev/null")).unwrap();
        for there in [false, true] {
            for other in ["a", "deep/../a", "link"] {
                let said = check_apart(&at("a"), &at(other)).unwrap_err().to_string();
                assert!(
                    said.ends_with("two outputs would be this file"),
                    "{there} {other}: {said}"
                );
            }
            fs::write(at("a"), "").unwrap();
        }
    }

    #[test]
    fn what_is_written_to_a_pipe_goes_through_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        pipe(&path);
        // Held open at both ends, a pipe blocks neither.
        let mut held = OpenOptions::new().read(true).write(true).open(&path).unwrap();
        check_output(&path, []).unwrap();
        write_beside(&path, b"bytes").unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo());
        let mut bytes = [0; 5];
        held.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"bytes");
    }

    #[test]
    fn what_is_written_to_a_link_goes_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("far")).unwrap();
        symlink("far/file", at("second")).unwrap();
        symlink("second", at("first")).unwrap();
        for bytes in [b"new", b"old"] {
            check_output(&at("first"), []).unwrap();
            write_beside(&at("first"), bytes).unwrap();
            assert_eq!(fs::read(at("far/file")).unwrap(), bytes);
            assert!(at("first").is_symlink() && at("second").is_symlink());
        }
        assert_eq!(names(&at("far")), ["file"]);
        symlink("circle", at("circle")).unwrap();
        assert!(write_beside(&at("circle"), b"").is_err() && at("circle").is_symlink());
    }

    #[test]
    fn what_is_no_place_for_a_file_is_refused_and_nothing_is_left_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("empty")).unwrap();
        for (name, reason) in [
            ("empty", "it is a folder"),
            ("empty/..", "it is a folder"),
            ("new/", "it is not the name of a file"),
            ("new/..", "it is not the name of a file"),
            ("new/x", "No such file or directory (os error 2)"),
        ] {
            let sentence = format!("`{}` cannot be written: {reason}", at(name).display());
            assert_eq!(check_output(&at(name), []).unwrap_err().to_string(), sentence);
            assert_eq!(write_beside(&at(name), b"bytes").unwrap_err().to_string(), sentence);
        }
        assert_eq!(names(folder.path()), ["empty"]);
        check_output(&at("file"), []).unwrap();
        assert_eq!(names(folder.path()), ["empty"], "asking makes no file");
    }

    #[test]
    fn what_cannot_be_put_into_its_place_is_not_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        fs::create_dir(&target).unwrap();
        assert!(replace(&target, b"bytes").is_err());
        assert_eq!(names(folder.path()), ["target"]);
    }

    #[test]
    fn an_input_is_no_output_whatever_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.c"), "source").unwrap();
        symlink("a.c", at("link.c")).unwrap();
        let same = folder.path().join("x/../a.c");
        fs::create_dir(at("x")).unwrap();
        for output in [at("a.c"), at("link.c"), same] {
            let said = check_output(&output, &[at("other.c"), at("a.c")]).unwrap_err();
            assert!(said.to_string().ends_with("cannot be written: it is one of the inputs"));
        }
        check_output(&at("a.elf"), &[at("a.c")]).unwrap();
        fs::write(at("a.elf"), "older").unwrap();
        check_output(&at("a.elf"), &[at("a.c")]).unwrap();
        assert_eq!(fs::read(at("a.elf")).unwrap(), b"older");
    }
}
