//! `crosstalk cc`: from C to a program for the machine.

use super::failure::{Failure, say};
use super::out::send;
use super::progress::Progress;
use firmware::flags::takes_value;
use firmware::sources::check;
use firmware::{Build, Error, Runtime};
use kit::file::check_output;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compile a threaded C program for the machine.
///
/// Ordinary C with POSIX threads needs no change: the runtime has pthread.h, semaphore.h, stdatomic.h and
/// the usual C library; what is missing is named, with the nearest thing that is there. Flags go to the compiler, a pinned clang. The defaults are -std=gnu11 -O2 -g with
/// assertions; each of -O0, -O1, -O2, -O3, -Os, -Oz and -Og means what clang means by it, and the last one counts.
#[derive(clap::Args)]
#[command(
    disable_help_flag = true,
    override_usage = "crosstalk cc FILE... [-o OUT.elf] [cc flags]"
)]
#[command(after_help = "\
Examples:
  crosstalk cc prog.c                      writes prog.elf
  crosstalk cc -O3 -DN=8 a.c b.c -o ab.elf
  crosstalk cc prog.c --file words.txt     prog.c can open words.txt; /dev/stdin=FILE is its standard input
  crosstalk cc prog.c --signal INT@2000    and gets SIGINT after 2,000 microseconds of its time
  crosstalk run prog.elf                   runs it

Exit codes: 0 fine, 1 the program does not compile, 2 wrong use.")]
pub struct Args {
    /// C and assembly files, objects and archives; -o and the program to write; flags for the compiler
    #[arg(value_name = "FILE", required = true, num_args = 1.., trailing_var_arg = true)]
    #[arg(allow_hyphen_values = true)]
    all: Vec<OsString>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.all.iter().any(|argument| argument == "--help" || argument == "-h") {
        send(format!("{}\n", help()).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let (build, out) = parse(&args.all)?;
    check_output(&out, &build.files)?;
    compile(&build, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// Compiles and links; warnings go to stderr.
pub fn compile(build: &Build, out: &Path) -> Result<(), Failure> {
    let warnings = runtime()?.build(build, out).map_err(|error| failure(&error))?;
    if !warnings.is_empty() {
        say(format_args!("{warnings}\n"));
    }
    Ok(())
}

/// The runtime that programs are linked with, compiled if necessary.
pub fn runtime() -> Result<Runtime, Failure> {
    let progress = Progress::new("files of the runtime compiled");
    Runtime::for_workspace(|_| progress.step()).map_err(|error| failure(&error))
}

fn failure(error: &Error) -> Failure {
    match error {
        Error::Refused { .. } => Failure::Failed(error.to_string()),
        _ => Failure::BadInput(error.to_string()),
    }
}

fn help() -> clap::builder::StyledStr {
    use clap::Args as _;
    let mut command = Args::augment_args(clap::Command::new("crosstalk cc"));
    command.render_long_help()
}

/// Separates sources and the program to write from flags for the compiler.
fn parse(all: &[OsString]) -> Result<(Build, PathBuf), Failure> {
    let mut build = Build::default();
    let mut out = None;
    let mut rest = all.iter();
    while let Some(argument) = rest.next() {
        let bytes = argument.as_bytes();
        if argument == "-o" {
            let missing = || Failure::BadInput("-o needs the name of the program to write".into());
            out = Some(PathBuf::from(rest.next().ok_or_else(missing)?));
        } else if let Some(name) = bytes.strip_prefix(b"-o").filter(|name| !name.is_empty()) {
            out = Some(PathBuf::from(OsStr::from_bytes(name)));
        } else if ["-c", "-S", "-E"].iter().any(|flag| argument == flag) {
            let flag = argument.to_string_lossy();
            let message =
                format!("{flag} is not supported: `crosstalk cc` always links a whole program");
            return Err(Failure::BadInput(message));
        } else if bytes.starts_with(b"-") {
            build.flags.push(argument.clone());
            if takes_value(argument) {
                build.flags.extend(rest.next().cloned());
            }
        } else {
            check(argument.as_ref()).map_err(|error| failure(&error))?;
            build.files.push(argument.into());
        }
    }
    let Some(first) = build.files.first() else {
        return Err(failure(&Error::NoFiles));
    };
    let beside = || PathBuf::from(first.file_name().unwrap_or_default()).with_extension("elf");
    let out = out.unwrap_or_else(beside);
    Ok((build, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn sources_flags_and_the_program_are_separated() {
        let (build, out) = parse(&arguments("-O2 a.c -I inc.c b.S -DX=1 -o x/ab.elf -lm")).unwrap();
        assert_eq!(build.files, [PathBuf::from("a.c"), "b.S".into()]);
        assert_eq!(build.flags, arguments("-O2 -I inc.c -DX=1 -lm"));
        assert_eq!(out, PathBuf::from("x/ab.elf"));
    }

    #[test]
    fn without_a_name_the_program_is_called_after_its_first_source() {
        let (_, out) = parse(&arguments("some/where/bank.c other.c")).unwrap();
        assert_eq!(out, PathBuf::from("bank.elf"));
        assert_eq!(parse(&arguments("a.c -oq.elf")).unwrap().1, PathBuf::from("q.elf"));
    }

    #[test]
    fn wrong_use_is_one_sentence() {
        for (text, sentence) in [
            ("-O2", "no source file was given"),
            ("a.c -o", "-o needs the name of the program to write"),
            ("-c a.c", "-c is not supported: `crosstalk cc` always links a whole program"),
            (
                "x.cpp -O2",
                "`x.cpp` is C++, which is not supported; supported are C (.c) and assembly (.S, .s)",
            ),
            (
                "a.c notes.txt",
                "`notes.txt` is neither a source (.c, .S, .s) nor an object file or archive (.o, .a)",
            ),
        ] {
            let refused = parse(&arguments(text)).unwrap_err();
            assert_eq!(refused, Failure::BadInput(sentence.into()), "{text}");
        }
    }
}
