//! Plain files, links, pipes and devices as outputs.

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
fn two_outputs_are_two_files_under_any_name() {
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
            assert!(said.ends_with("it is given for two outputs"), "{there} {other}: {said}");
        }
        fs::write(at("a"), "").unwrap();
    }
}

#[test]
fn what_is_written_to_a_pipe_goes_through_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    pipe(&path);
    // Held open at both ends, a pipe blocks no writer.
    let mut held = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    check_output(&path, []).unwrap();
    write_atomic(&path, b"bytes").unwrap();
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
        write_atomic(&at("first"), bytes).unwrap();
        assert_eq!(fs::read(at("far/file")).unwrap(), bytes);
        assert!(at("first").is_symlink() && at("second").is_symlink());
    }
    assert_eq!(names(&at("far")), ["file"]);
    symlink("circle", at("circle")).unwrap();
    assert!(write_atomic(&at("circle"), b"").is_err() && at("circle").is_symlink());
}

#[test]
fn a_path_that_cannot_be_a_file_is_refused_and_nothing_is_left_there() {
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
        assert_eq!(write_atomic(&at(name), b"bytes").unwrap_err().to_string(), sentence);
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
fn an_input_is_refused_as_output_under_any_name() {
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

#[test]
fn a_full_device_is_an_error() {
    let error = write_atomic(Path::new("/dev/full"), b"bytes").unwrap_err().to_string();
    assert!(error.starts_with("`/dev/full` cannot be written: No space left on device"), "{error}");
}

#[test]
fn what_a_killed_writer_left_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(partial(&path), "longer than what comes now").unwrap();
    write_atomic(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn writers_of_one_file_take_turns_and_readers_see_whole_files() {
    const WRITES: usize = 50;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write_atomic(&path, &[0; 5000]).unwrap();
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4_u8)
            .map(|writer| {
                let path = &path;
                scope.spawn(move || {
                    let bytes = vec![writer; 5000 + usize::from(writer)];
                    (0..WRITES).for_each(|_| write_atomic(path, &bytes).unwrap());
                })
            })
            .collect();
        while !writers.iter().all(|writer| writer.is_finished()) {
            let bytes = fs::read(&path).unwrap();
            assert!(bytes.iter().all(|byte| *byte == bytes[0]), "bytes of two writers");
            assert_eq!(bytes.len(), 5000 + usize::from(bytes[0]));
        }
    });
    assert_eq!(names(folder.path()), ["file"]);
}
