//! Whether a verdict is right, when the lines and the variables of the bug are known.

use firmware::bugs::Mark;
use serde::{Deserialize, Serialize};

/// How right a verdict is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// At least two marked lines, in an order that the failing order allows.
    pub lines: bool,
    /// One of the bug's variables is named.
    pub variable: bool,
}

impl Judged {
    /// Both.
    pub fn is_right(self) -> bool {
        self.lines && self.variable
    }
}

/// Judges a verdict: the code points it names, in their order, and its sentence.
pub fn judge(points: &[String], sentence: &str, marks: &[Mark], variables: &[String]) -> Judged {
    let steps: Vec<(usize, &[u32])> = points
        .iter()
        .filter_map(|point| {
            let mark = marks.iter().position(|mark| is_at(mark, point))?;
            Some((mark, marks[mark].steps.as_slice()))
        })
        .collect();
    Judged { lines: two_in_order(&steps), variable: variables.iter().any(|v| names(sentence, v)) }
}

/// Whether a code point such as `queue.c:41` is a mark's line.
pub(crate) fn is_at(mark: &Mark, point: &str) -> bool {
    let Some((file, line)) = point.rsplit_once(':') else { return false };
    line.parse() == Ok(mark.line) && mark.file.ends_with(file)
}

/// Whether two of these marked lines can be two steps of the bug, the earlier one first. One line can be
/// both steps only if it carries both.
fn two_in_order(named: &[(usize, &[u32])]) -> bool {
    named.iter().enumerate().any(|(place, (first, earlier))| {
        named[place + 1..].iter().any(|(second, later)| {
            let ordered = || earlier.iter().any(|step| later.iter().any(|other| step < other));
            (first != second || earlier.len() > 1) && ordered()
        })
    })
}

/// Whether a sentence names a variable: whole, by its last member, or by something in it.
fn names(sentence: &str, variable: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "_.->[]".contains(letter);
    let words = sentence.split(|letter| !is_part(letter)).map(|w| w.trim_matches(['.', '-']));
    let variable = members(variable);
    words
        .map(members)
        .filter(|word| !word.is_empty())
        .any(|word| word.last() == variable.last() || word.starts_with(&variable))
}

/// The members of a path, without indexes.
fn members(path: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0u32;
    for letter in path.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let members = plain.split(['.', '-', '>']).filter(|member| !member.is_empty());
    members.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(line: u32, steps: &[u32]) -> Mark {
        Mark { file: "set/queue.c".into(), line, steps: steps.to_vec() }
    }

    fn lines(points: &[&str], marks: &[Mark]) -> bool {
        let points: Vec<String> = points.iter().map(|point| (*point).to_owned()).collect();
        judge(&points, "", marks, &[]).lines
    }

    #[test]
    fn two_marked_lines_in_the_failing_order_are_right() {
        let marks = [mark(4, &[1]), mark(9, &[2, 3]), mark(12, &[])];
        assert!(lines(&["queue.c:4", "queue.c:9"], &marks));
        assert!(!lines(&["queue.c:9", "queue.c:4"], &marks), "the other way round");
        assert!(!lines(&["queue.c:4"], &marks), "one is not enough");
        assert!(!lines(&["queue.c:4", "queue.c:12"], &marks), "a line without a step");
        assert!(lines(&["queue.c:9", "other.c:1", "queue.c:9"], &marks), "one line, two steps");
        assert!(!lines(&["queue.c:4", "queue.c:4"], &marks), "one line, one step");
        assert!(!lines(&["stack.c:4", "stack.c:9"], &marks), "another file");
    }

    #[test]
    fn a_variable_is_named_whole_or_by_its_member() {
        let named =
            |sentence: &str| judge(&[], sentence, &[], &["pool->free_count".into()]).variable;
        assert!(named("worker 2 wrote pool->free_count at pool.c:4."));
        assert!(named("main read the_pool.free_count."));
        assert!(!named("main read free_counter and count."));
        assert!(judge(&[], "slots[3] was read", &[], &["slots[]".into()]).variable);
        assert!(judge(&[], "table.slots[3].hop", &[], &["table.slots[]".into()]).variable);
        assert!(!judge(&[], "table.size", &[], &["table.slots[]".into()]).variable);
    }
}
