//! The comments in the sources that say which lines a bug is made of.
//!
//! `/* bug: 2 */` at the end of a line: its memory access is the second step of the buggy order. A line
//! can be several steps: `/* bug: 1, 3 */`. `/* bug */`: not one of the accesses, but a person looking for
//! the bug is at the right place. The fixed variant has no bug, so its own lines have no marks.

use std::io;
use std::path::{Path, PathBuf};

/// A line that a bug is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The source file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: u32,
    /// Its places in the buggy order, counted from 1; none if it is no access of it.
    pub steps: Vec<u32>,
}

/// The marks of one file.
pub(crate) fn read(file: &Path, text: &str) -> io::Result<Vec<Mark>> {
    let mut conditions = Vec::new();
    let mut marks = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        follow(&mut conditions, text);
        let refused = |why: &str| {
            let what = format!("{}:{line}: {why}", file.display());
            io::Error::new(io::ErrorKind::InvalidData, what)
        };
        let Some(steps) = steps(text).map_err(refused)? else { continue };
        if conditions.contains(&Condition::Fixed) {
            return Err(refused("a line of the fixed variant has a mark"));
        }
        marks.push(Mark { file: file.to_owned(), line, steps });
    }
    Ok(marks)
}

/// What an `#if` that is open says about the variant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    Fixed,
    Buggy,
    Other,
}

/// Keeps the stack of open `#if`s.
fn follow(conditions: &mut Vec<Condition>, text: &str) {
    let Some(directive) = text.trim_start().strip_prefix('#') else { return };
    let words: Vec<&str> = directive.split_whitespace().collect();
    match words[..] {
        ["ifdef", "FIXED", ..] => conditions.push(Condition::Fixed),
        ["ifndef", "FIXED", ..] => conditions.push(Condition::Buggy),
        ["if" | "ifdef" | "ifndef", ..] => conditions.push(Condition::Other),
        ["else", ..] => {
            if let Some(last) = conditions.last_mut() {
                *last = match last {
                    Condition::Fixed => Condition::Buggy,
                    Condition::Buggy => Condition::Fixed,
                    Condition::Other => Condition::Other,
                };
            }
        }
        ["endif", ..] => {
            conditions.pop();
        }
        _ => {}
    }
}

/// The steps that a line's mark names, if it has one.
fn steps(text: &str) -> Result<Option<Vec<u32>>, &'static str> {
    if text.split("//").nth(1).is_some_and(begins_mark) {
        return Err("a mark is written `/* bug: 1 */`, not with `//`");
    }
    let mut comments = text.split("/*").skip(1).filter(|comment| begins_mark(comment));
    let Some(comment) = comments.next() else { return Ok(None) };
    if comments.next().is_some() {
        return Err("a line has two marks; write `/* bug: 1, 2 */`");
    }
    let Some(inside) = comment.trim_end().strip_suffix("*/") else {
        return Err("a mark must be at the end of its line");
    };
    let inside = inside.trim();
    if inside == "bug" {
        return Ok(Some(Vec::new()));
    }
    let Some(numbers) = inside.strip_prefix("bug:") else {
        return Err("expected a mark `/* bug */`, or one with steps, as in `/* bug: 1, 2 */`");
    };
    let step = |number: &str| number.trim().parse().ok().filter(|&step: &u32| step > 0);
    let steps: Option<Vec<u32>> = numbers.split(',').map(step).collect();
    steps.map(Some).ok_or("a mark's steps are numbers from 1, with commas between them")
}

/// Whether a comment's text begins with the word `bug`, alone or with a colon.
fn begins_mark(comment: &str) -> bool {
    let word = comment.split_whitespace().next().unwrap_or("");
    word == "bug" || word.starts_with("bug:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(u32, Vec<u32>)> {
        let marks = read(Path::new("a.c"), text).unwrap();
        marks.into_iter().map(|mark| (mark.line, mark.steps)).collect()
    }

    fn refused(text: &str) -> String {
        read(Path::new("a.c"), text).unwrap_err().to_string()
    }

    #[test]
    fn marks_have_lines_and_steps() {
        let text =
            "int a;\na = 1; /* bug: 1 */\nf(a);\nb = a; /* bug: 2, 4 */  \nlock(); /* bug */\n";
        assert_eq!(of(text), [(2, vec![1]), (4, vec![2, 4]), (5, vec![])]);
    }

    #[test]
    fn other_comments_are_no_marks() {
        assert_eq!(of("/* a bug: 1 */\nx; /* bugs */ y; /* debug: 2 */\n// no bug\n"), []);
    }

    #[test]
    fn malformed_marks_are_refused_with_their_place() {
        for (line, why) in [
            ("a = 1; /* bug: */", "numbers from 1"),
            ("a = 1; /* bug: 0 */", "numbers from 1"),
            ("a = 1; /* bug: 1 2 */", "numbers from 1"),
            ("a = 1; /* bug: 1,, 2 */", "numbers from 1"),
            ("a = 1; /* bug here */", "with steps"),
            ("a = 1; /* bug: 1 */ b = 2;", "end of its line"),
            ("a = 1; /* bug: 1", "end of its line"),
            ("a = 1; /* bug: 1 */ /* bug: 2 */", "two marks"),
            ("a = 1; // bug: 1", "not with `//`"),
        ] {
            let said = refused(&format!("int a;\n{line}\n"));
            assert!(said.starts_with("a.c:2: ") && said.contains(why), "{line}: {said}");
        }
    }

    #[test]
    fn the_fixed_variants_lines_have_no_marks() {
        let buggy =
            "#ifdef FIXED\nlock();\n#else\na = 1; /* bug: 1 */\n#endif\nb = 2; /* bug: 2 */\n";
        assert_eq!(of(buggy), [(4, vec![1]), (6, vec![2])]);
        let nested = "#ifdef FIXED\n#if 1\n#else\na = 1; /* bug: 1 */\n#endif\n#endif\n";
        assert_eq!(refused(nested), "a.c:4: a line of the fixed variant has a mark");
        let inverted = "#ifndef FIXED\na; /* bug: 1 */\n#else\nb; /* bug: 2 */\n#endif\n";
        assert_eq!(refused(inverted), "a.c:4: a line of the fixed variant has a mark");
    }
}
