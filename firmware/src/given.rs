//! What a program is given on the command line beside its sources: files that it can open, and signals that come at
//! a time. Both become part of the linked program, so that its hash says everything that decides its runs.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use crate::Error;
use crate::flags::{FILE, SIGNAL};

/// Longest name of a file, and most files; `firmware/boot/files.c` has room for as many.
const NAME_BYTES: usize = 63;
const MOST_FILES: usize = 31;
/// Largest file: all of it is in RAM for the whole run.
const FILE_BYTES: usize = 1 << 20;
/// Signals by name, with the numbers of `signal.h`.
const SIGNALS: [(&str, u32); 8] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("USR1", 10),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
];

/// A file: its name for the program, and where it is.
#[derive(Debug, PartialEq, Eq)]
struct File {
    name: Vec<u8>,
    path: PathBuf,
}

/// A signal and its time, in microseconds of the program's time.
#[derive(Debug, PartialEq, Eq)]
struct Signal {
    number: u32,
    time: u64,
}

/// Everything that is given.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    files: Vec<File>,
    signals: Vec<Signal>,
}

impl Given {
    /// Takes its flags out of a compiler's, and gives the others.
    ///
    /// # Errors
    /// If a flag has no value, or one that means nothing.
    pub(crate) fn take(flags: &[OsString]) -> Result<(Self, Vec<OsString>), Error> {
        let (mut given, mut others) = (Self::default(), Vec::new());
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            let mut value = |name: &str| match flag.as_bytes().strip_prefix(name.as_bytes()) {
                Some([]) => rest.next().map(|next| Some(next.clone())).ok_or_else(|| {
                    Error::Given { what: format!("{name} needs a value: {}", example(name)) }
                }),
                Some([b'=', value @ ..]) => Ok(Some(OsStr::from_bytes(value).to_owned())),
                _ => Ok(None),
            };
            if let Some(value) = value(FILE)? {
                given.files.push(file(&value)?);
            } else if let Some(value) = value(SIGNAL)? {
                given.signals.push(signal(&value)?);
            } else {
                others.push(flag.clone());
            }
        }
        if given.files.len() > MOST_FILES {
            let what = format!(
                "--file is given {} times; expected at most {MOST_FILES}",
                given.files.len()
            );
            return Err(Error::Given { what });
        }
        Ok((given, others))
    }

    /// Assembly that makes it part of a program; `None` if nothing is given.
    ///
    /// # Errors
    /// If a file cannot be read or is too large.
    pub(crate) fn assembly(&self) -> Result<Option<String>, Error> {
        let mut text = String::new();
        if !self.files.is_empty() {
            self.add_files(&mut text)?;
        }
        if !self.signals.is_empty() {
            self.add_signals(&mut text);
        }
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    // Writing to a string cannot fail.
    fn add_files(&self, text: &mut String) -> Result<(), Error> {
        text.push_str(".section .rodata.crosstalk_given, \"a\"\n.balign 4\n");
        text.push_str(".globl __crosstalk_given\n__crosstalk_given:\n");
        let mut contents = String::new();
        for (number, file) in self.files.iter().enumerate() {
            let bytes = fs::read(&file.path).map_err(Error::io(&file.path))?;
            if bytes.len() > FILE_BYTES {
                let (path, size) = (file.path.display(), bytes.len());
                let what = format!("`{path}` has {size} bytes; expected at most {FILE_BYTES}");
                return Err(Error::Given { what });
            }
            let _ = writeln!(text, ".word name_{number}, bytes_{number}, {}", bytes.len());
            let _ = writeln!(contents, "name_{number}: {}.byte 0", ascii(&file.name));
            let _ = writeln!(contents, "bytes_{number}: {}", ascii(&bytes));
        }
        let _ = writeln!(text, ".word 0, 0, 0\n{contents}");
        Ok(())
    }

    fn add_signals(&self, text: &mut String) {
        text.push_str(".section .rodata.crosstalk_signals, \"a\"\n.balign 4\n");
        text.push_str(".globl __crosstalk_signals\n__crosstalk_signals:\n");
        for Signal { number, time } in &self.signals {
            let _ = writeln!(text, ".word {number}, {}, {}", *time as u32, time >> 32);
        }
        text.push_str(".word 0, 0, 0\n");
        text.push_str(".section .init_array, \"aw\"\n.balign 4\n.word __crosstalk_begin_signals\n");
    }
}

fn example(flag: &str) -> &'static str {
    match flag {
        FILE => "the name of a file, or NAME=PATH",
        _ => "a signal and its time in microseconds, as in INT@2000",
    }
}

fn file(value: &OsStr) -> Result<File, Error> {
    let bytes = value.as_bytes();
    let (name, path) = match bytes.iter().position(|byte| *byte == b'=') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, bytes),
    };
    let name = name.strip_prefix(b"./").unwrap_or(name);
    if name.is_empty() || name.len() > NAME_BYTES || name.contains(&0) {
        let what = format!(
            "--file {}: expected a name of 1 to {NAME_BYTES} bytes; give another name with NAME=PATH",
            value.display()
        );
        return Err(Error::Given { what });
    }
    Ok(File { name: name.to_owned(), path: PathBuf::from(OsStr::from_bytes(path)) })
}

fn signal(value: &OsStr) -> Result<Signal, Error> {
    let parsed = value.to_str().and_then(|text| {
        let (name, time) = text.split_once('@')?;
        let name = name.strip_prefix("SIG").unwrap_or(name);
        let (_, number) = SIGNALS.iter().find(|(known, _)| *known == name)?;
        Some(Signal { number: *number, time: kit::argument::number(time).ok()? })
    });
    parsed.ok_or_else(|| {
        let names = SIGNALS.map(|(name, _)| name).join(", ");
        let what =
            format!("--signal {}: expected {} (one of {names})", value.display(), example(SIGNAL));
        Error::Given { what }
    })
}

/// Bytes as directives of the assembler, in lines that a person can still look at.
fn ascii(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.chunks(64) {
        text.push_str(".ascii \"");
        for byte in line {
            match byte {
                b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
                b' '..=b'~' => text.push(char::from(*byte)),
                _ => _ = write!(text, "\\{byte:03o}"),
            }
        }
        text.push_str("\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(flags: &str) -> Result<(Given, Vec<OsString>), Error> {
        Given::take(&flags.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn its_flags_are_taken_and_the_others_left() {
        let (given, others) =
            taken("-O2 --file ./a.txt --file=in.csv=/data/x=y.csv -g --signal INT@2_000").unwrap();
        assert_eq!(others, ["-O2", "-g"]);
        let file = |name: &str, path: &str| File { name: name.into(), path: path.into() };
        assert_eq!(given.files, [file("a.txt", "./a.txt"), file("in.csv", "/data/x=y.csv")]);
        assert_eq!(given.signals, [Signal { number: 2, time: 2000 }]);
    }

    #[test]
    fn nothing_given_adds_nothing() {
        let (given, others) = taken("-DFIXED").unwrap();
        assert_eq!((given.assembly().unwrap(), others), (None, vec!["-DFIXED".into()]));
    }

    #[test]
    fn what_means_nothing_is_a_sentence() {
        let said = |flags: &str| taken(flags).unwrap_err().to_string();
        assert_eq!(said("--file"), "--file needs a value: the name of a file, or NAME=PATH");
        assert_eq!(
            said("--signal"),
            "--signal needs a value: a signal and its time in microseconds, as in INT@2000"
        );
        assert!(said("--signal KILL@1").starts_with("--signal KILL@1: expected a signal"));
        assert!(
            said("--signal INT").ends_with("(one of HUP, INT, QUIT, USR1, USR2, PIPE, ALRM, TERM)")
        );
        assert!(said(&format!("--file {}", "x".repeat(64))).contains("a name of 1 to 63 bytes"));
        let many = "--file a ".repeat(32);
        assert_eq!(said(&many), "--file is given 32 times; expected at most 31");
    }

    #[test]
    fn bytes_of_any_kind_become_text() {
        assert_eq!(ascii(b"a\"\\\n\0\xff"), ".ascii \"a\\\"\\\\\\012\\000\\377\"\n");
        assert_eq!(ascii(&[b'x'; 65]).lines().count(), 2);
        assert_eq!(ascii(b""), "");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let (given, _) = taken("--file nowhere.txt").unwrap();
        assert!(given.assembly().unwrap_err().to_string().starts_with("nowhere.txt: "));
    }
}
