//! What an interrupted hunt says: how to resume it.

use super::super::failure::say;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::ffi::OsStrExt;
use std::thread;

/// From here on, a signal that ends this process first says how to resume. What was collected is on the disk
/// already, so there is nothing else to do.
///
/// # Errors
/// If signals cannot be watched.
pub fn say_how_to_resume(command: String) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            // The line with the spinner, or with what the terminal shows for Ctrl-C, is left behind.
            let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
            say(format_args!("{line}interrupted; to resume:\n  {command}\n"));
            // The process ends by the signal, as its parent expects.
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// The command line that resumes a hunt: the same arguments, and `--resume`.
pub fn resuming(command: &str, arguments: impl Iterator<Item = OsString>) -> String {
    let arguments: Vec<OsString> = arguments.collect();
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let (own, of_program) = arguments.split_at(end);
    let more = (!own.iter().any(|argument| argument == "--resume")).then(|| "--resume".into());
    let all = own.iter().cloned().chain(more).chain(of_program.iter().cloned());
    let quoted = all.map(|argument| quoted(&argument));
    std::iter::once(command.to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// An argument as a POSIX shell reads it.
fn quoted(argument: &OsString) -> String {
    let text = String::from_utf8_lossy(argument.as_bytes()).into_owned();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resume(arguments: &[&str]) -> String {
        resuming("crosstalk", arguments.iter().map(OsString::from))
    }

    #[test]
    fn the_same_arguments_resume_a_hunt() {
        assert_eq!(resume(&["hunt", "a.c", "-o", "x"]), "crosstalk hunt a.c -o x --resume");
        assert_eq!(resume(&["hunt", "a.c", "--resume"]), "crosstalk hunt a.c --resume");
    }

    #[test]
    fn what_follows_two_dashes_is_the_programs() {
        let line = resume(&["hunt", "a.c", "--", "3", "--resume"]);
        assert_eq!(line, "crosstalk hunt a.c --resume -- 3 --resume");
    }

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        let line =
            resume(&["hunt", "my prog.c", "--cflags", "-O3 -DN=8", "--fail-if", "output=it's|$"]);
        let expected = r"crosstalk hunt 'my prog.c' --cflags '-O3 -DN=8' --fail-if 'output=it'\''s|$' --resume";
        assert_eq!(line, expected);
        assert_eq!(resume(&["hunt", ""]), "crosstalk hunt '' --resume");
    }
}
