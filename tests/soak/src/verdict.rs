//! What may be said of a command that was given nonsense: it ended by itself, in time, within its memory, with
//! an exit code of its own and a sentence.

use crate::child::Ended;

/// The exit codes of every command.
const CODES: [i32; 3] = [0, 1, 2];
/// The exit code of errors of `crosstalk run`, whose other codes are the program's.
pub const RUN_ERROR: i32 = 125;
/// What no user should ever read.
const INTERNAL: [&str; 4] =
    ["panicked at", "memory allocation of", "RUST_BACKTRACE", "stack overflow"];
/// The longest complaint; an error is no place for the whole input.
const LONGEST: usize = 64 << 10;

/// What is wrong with how a command of the tool ended, if anything is. `command` is its name, and `place`
/// what a complaint about bad input has to name.
pub fn wrong(command: &str, ended: &Ended, place: Option<&str>) -> Option<String> {
    let Ended { code, signal, late, errors, .. } = ended;
    if *late {
        return Some("it hangs".into());
    }
    if let Some(sign) = INTERNAL.into_iter().find(|sign| errors.contains(sign)) {
        return Some(format!("it prints `{sign}`"));
    }
    let Some(code) = *code else {
        return Some(format!("it was killed by signal {}", signal.unwrap_or_default()));
    };
    let of_program = command == "run" && code != RUN_ERROR;
    if of_program {
        return None;
    }
    if command != "run" && !CODES.contains(&code) {
        return Some(format!("it exited with {code}"));
    }
    let refused = code == 2 || code == RUN_ERROR;
    if refused && sentence(errors).is_none() {
        return Some("it refused without a sentence".into());
    }
    if errors.len() > LONGEST {
        return Some(format!("its error message has {} bytes", errors.len()));
    }
    match place {
        Some(place) if refused && !errors.contains(place) => {
            Some(format!("its error message does not name `{place}`"))
        }
        _ => None,
    }
}

/// What an error says, if it says anything; who gives no command gets the usage.
fn sentence(errors: &str) -> Option<&str> {
    let starts = ["error: ", "Usage: "];
    let after = |line| starts.into_iter().find_map(|start| str::strip_prefix(line, start));
    errors.lines().filter_map(after).find(|rest| !rest.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: i32, errors: &str) -> Ended {
        let (out, errors) = (String::new(), errors.to_owned());
        Ended { code: Some(code), signal: None, late: false, out, errors }
    }

    #[test]
    fn a_decent_end_has_a_known_code_and_a_sentence_with_a_place() {
        assert_eq!(wrong("rank", &ended(0, ""), Some("x.run")), None);
        assert_eq!(wrong("rank", &ended(1, ""), Some("x.run")), None);
        assert_eq!(wrong("rank", &ended(2, "error: x.run: no\n"), Some("x.run")), None);
        assert_eq!(wrong("", &ended(2, "Usage: crosstalk <COMMAND>\n"), None), None);
        assert_eq!(wrong("run", &ended(77, ""), None), None);
        assert_eq!(wrong("run", &ended(125, "error: no such file\n"), None), None);
        let refused = [
            ("rank", ended(3, ""), "it exited with 3"),
            ("rank", ended(2, ""), "it refused without a sentence"),
            ("run", ended(125, "error: \n"), "it refused without a sentence"),
            ("rank", ended(2, "error: y\n"), "its error message does not name `x.run`"),
            ("run", ended(101, "thread 'main' panicked at src"), "it prints `panicked at`"),
            ("rank", Ended { late: true, ..ended(0, "") }, "it hangs"),
            (
                "rank",
                Ended { code: None, signal: Some(11), ..ended(0, "") },
                "it was killed by signal 11",
            ),
        ];
        for (command, ended, what) in refused {
            assert_eq!(wrong(command, &ended, Some("x.run")).as_deref(), Some(what));
        }
    }
}
