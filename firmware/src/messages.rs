//! What the compiler says, as much of it as a person reads.

use crate::{Error, absent};
use std::path::Path;
use std::process::Output;

/// Characters that are kept of a line: a source that is no text is shown as one line of thousands.
const WIDEST: usize = 400;
/// Lines that are kept.
const MOST: usize = 100;

/// The warnings of a compiler that succeeded; otherwise the error that it refused `program`.
pub fn checked(program: &Path, output: &Output) -> Result<String, Error> {
    let messages = of(&output.stderr);
    match output.status.success() {
        true => Ok(messages),
        false => {
            let messages = absent::explained(messages);
            Err(Error::Refused { program: program.to_owned(), messages })
        }
    }
}

/// The messages in what a compiler wrote, shortened; the last line says how much was left out.
pub fn of(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.trim().lines().collect();
    let mut kept: Vec<String> = lines.iter().take(MOST).map(|line| shortened(line)).collect();
    if let Some(more) = lines.len().checked_sub(MOST).filter(|more| *more > 0) {
        kept.push(format!("… and {more} more lines"));
    }
    kept.join("\n")
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_messages_are_kept_as_they_are() {
        let said = "\na.c:1:1: error: no\n    1 | x\n      | ^\n";
        assert_eq!(of(said.as_bytes()), said.trim());
        assert_eq!(of(b""), "");
        let exactly = "y\n".repeat(MOST);
        assert_eq!(of(exactly.as_bytes()), exactly.trim());
    }

    #[test]
    fn long_lines_and_many_lines_are_cut_and_told() {
        let said = format!("{}\n{}", "é".repeat(WIDEST + 1), "x\n".repeat(MOST + 1));
        let kept = of(said.as_bytes());
        assert!(kept.starts_with(&format!("{} …\n", "é".repeat(WIDEST))), "{kept}");
        assert!(kept.ends_with("\n… and 2 more lines"), "{kept}");
    }
}
