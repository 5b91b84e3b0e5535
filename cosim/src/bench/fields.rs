//! Finds the fields in which two values differ, from their `Debug` output: every type of the
//! software model implements `Debug`, and nothing else is required of it.

use std::fmt::Debug;

/// A field whose actual value differs from the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path of the field: `edge.source.pc`.
    pub field: String,
    /// The model's value.
    pub expected: String,
    /// The hardware's value.
    pub actual: String,
}

/// Shown for a field that only one of the two values has.
const ABSENT: &str = "-";

/// The fields that differ; never empty for values that differ.
pub(super) fn differences<T: Debug>(expected: &T, actual: &T) -> Vec<Difference> {
    let (expected_text, actual_text) = (format!("{expected:#x?}"), format!("{actual:#x?}"));
    let (expected, actual) = (leaves(&expected_text), leaves(&actual_text));
    let value = |list: &[(String, String)], path: &str| {
        list.iter().find(|leaf| leaf.0 == path).map_or(ABSENT.to_owned(), |leaf| leaf.1.clone())
    };
    let new = actual.iter().filter(|leaf| expected.iter().all(|other| other.0 != leaf.0));
    let mut found = Vec::new();
    for (path, _) in expected.iter().chain(new) {
        let (expected, actual) = (value(&expected, path), value(&actual, path));
        if expected != actual {
            let field = if path.is_empty() { "value".to_owned() } else { path.clone() };
            found.push(Difference { field, expected, actual });
        }
    }
    if found.is_empty() {
        // They differ in something that `Debug` hides: show both in full.
        let field = "value".to_owned();
        found.push(Difference { field, expected: expected_text, actual: actual_text });
    }
    found
}

/// An open bracket of the pretty form.
struct Level {
    path: String,
    named: bool,
    next: usize,
}

/// Path and text of every leaf in the pretty form, which has one part per line and breaks the
/// line after each opening bracket.
fn leaves(pretty: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    for line in pretty.lines() {
        let line = line.trim();
        let line = line.strip_suffix(',').unwrap_or(line);
        if matches!(line, "}" | ")" | "]") {
            levels.pop();
            continue;
        }
        let (path, text) = match levels.last_mut() {
            None => (String::new(), line),
            Some(level) if level.named => match line.split_once(": ") {
                Some((name, text)) => (join(&level.path, name), text),
                None => (level.path.clone(), line),
            },
            Some(level) => {
                level.next += 1;
                match level.next - 1 {
                    // Most tuples have one part, whose index would add nothing: `Some(…)`.
                    0 => (level.path.clone(), line),
                    place => (join(&level.path, &place.to_string()), line),
                }
            }
        };
        match text.strip_suffix(['{', '(', '[']) {
            // `{}` and the like are on one line.
            Some(head) if !text.ends_with("\"{") => {
                // The variant's name is a leaf as well.
                if !head.trim().is_empty() {
                    found.push((format!("{path} is"), head.trim().to_owned()));
                }
                levels.push(Level { path, named: text.ends_with('{'), next: 0 });
            }
            _ => found.push((path, text.to_owned())),
        }
    }
    found
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    struct Ctx(u32);

    #[derive(Debug, Clone, PartialEq)]
    struct Point {
        pc: u64,
        ctx: Ctx,
    }

    #[derive(Debug, Clone, PartialEq)]
    enum Reply {
        Read { data: u32 },
        Write { data: u32 },
        Nothing,
    }

    #[derive(Debug, Clone, PartialEq)]
    struct Outputs {
        full: bool,
        edge: Option<(Point, Point)>,
        rows: Vec<u8>,
        reply: Reply,
    }

    fn outputs() -> Outputs {
        let point = Point { pc: 1 << 31, ctx: Ctx(3) };
        let edge = Some((point.clone(), point));
        Outputs { full: false, edge, rows: vec![1, 2, 3], reply: Reply::Read { data: 1 } }
    }

    fn after(change: impl FnOnce(&mut Outputs)) -> Vec<String> {
        let mut actual = outputs();
        change(&mut actual);
        let found = differences(&outputs(), &actual).into_iter();
        found.map(|d| format!("{}: {} / {}", d.field, d.expected, d.actual)).collect()
    }

    #[test]
    fn a_field_is_named_by_its_path() {
        assert_eq!(after(|o| o.full = true), ["full: false / true"]);
        assert_eq!(after(|o| o.rows[1] = 9), ["rows.1: 0x2 / 0x9"]);
        assert_eq!(after(|o| o.edge.as_mut().unwrap().1.ctx = Ctx(7)), ["edge.1.ctx: 0x3 / 0x7"]);
        assert_eq!(after(|o| o.edge.as_mut().unwrap().0.pc = 4), ["edge.pc: 0x80000000 / 0x4"]);
    }

    #[test]
    fn variants_that_differ_are_named() {
        assert_eq!(after(|o| o.reply = Reply::Write { data: 1 }), ["reply is: Read / Write"]);
        let found = after(|o| o.reply = Reply::Nothing);
        assert!(found.contains(&"reply: - / Nothing".to_owned()), "{found:?}");
    }

    #[test]
    fn values_without_fields_have_a_name_too() {
        let found = differences(&1_u8, &2);
        assert_eq!((found[0].field.as_str(), found.len()), ("value", 1));
    }

    #[test]
    fn a_difference_that_debug_hides_is_shown_in_full() {
        struct Same;
        impl Debug for Same {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("same")
            }
        }
        assert_eq!(differences(&Same, &Same).len(), 1);
    }
}
