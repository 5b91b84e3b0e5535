//! What a unit gives for each row, and what is wrong with it: REGISTER WINDOW.

use super::Row;
use crate::builder::with_builder;
use crate::diag::{Code, Diagnostic, Loc};

/// A row, and where its behavior is given.
struct Entry {
    row: Row,
    read: Option<Loc>,
    write: Option<Loc>,
}

/// The rows of a window with what was given for each.
pub(super) struct Given {
    entries: Vec<Entry>,
    loc: Loc,
}

impl Given {
    /// Nothing yet. Reports rows that cannot be told apart and words that no address can name.
    pub fn new(rows: impl IntoIterator<Item = Row>, address_bits: usize, loc: Loc) -> Given {
        let mut given = Given { entries: Vec::new(), loc };
        for row in rows {
            if let Some(first) = given.row(row.word) {
                let message = format!(
                    "registers `{}` and `{}` both have word {}",
                    first.name, row.name, row.word
                );
                report(message, "give each row a word of its own", &[(loc, "the window")]);
                continue;
            }
            if u64::from(row.word) >= 1u64.checked_shl(address_bits as u32).unwrap_or(u64::MAX) {
                let message = format!("{row} is out of reach of an address of {address_bits} bits");
                report(message, "widen the address or move the row", &[(loc, "the window")]);
                continue;
            }
            given.entries.push(Entry { row, read: None, write: None });
        }
        given
    }

    pub fn row(&self, word: u32) -> Option<&Row> {
        self.entries.iter().map(|entry| &entry.row).find(|row| row.word == word)
    }

    /// The row that behavior is given for; reports a word without one.
    fn entry(&mut self, word: u32, loc: Loc) -> Option<&mut Entry> {
        let window = self.loc;
        let entry = self.entries.iter_mut().find(|entry| entry.row.word == word);
        if entry.is_none() {
            let message = format!("word {word} has no row");
            let help =
                "add a row for the register, or give its behavior in the unit that has the row";
            report(message, help, &[(loc, "given here"), (window, "the window")]);
        }
        entry
    }

    /// Notes a read value. `false` if it cannot be used: it is reported.
    pub fn read(&mut self, word: u32, loc: Loc) -> bool {
        let Some(Entry { row, read, .. }) = self.entry(word, loc) else { return false };
        let allowed = row.access.is_readable();
        note(read, loc, allowed, &row.to_string(), ["read value", "write-only"])
    }

    /// Notes what a write does. `false` if it cannot be used: it is reported.
    pub fn write(&mut self, word: u32, loc: Loc) -> bool {
        let Some(Entry { row, write, .. }) = self.entry(word, loc) else { return false };
        let allowed = row.access.is_writable();
        note(write, loc, allowed, &row.to_string(), ["write behavior", "read-only"])
    }

    /// Notes that a register is not there.
    pub fn omit(&mut self, word: u32, loc: Loc) {
        if let Some(entry) = self.entry(word, loc) {
            entry.read.get_or_insert(loc);
            entry.write.get_or_insert(loc);
        }
    }

    /// Reports rows without the behavior that their access asks for, and behavior that no part of the
    /// window was built from.
    pub fn finish(&self, unread: Vec<u32>, unwritten: Vec<u32>) {
        for Entry { row, read, write } in &self.entries {
            let missing = [
                (
                    row.access.is_readable() && read.is_none(),
                    "read value",
                    "give it with `read` or `keep`",
                ),
                (
                    row.access.is_writable() && write.is_none(),
                    "write behavior",
                    "give it with `on_write`, `written` or `keep`",
                ),
            ];
            for (_, what, help) in missing.into_iter().filter(|(missing, ..)| *missing) {
                let help = format!("{help}, or `omit` the register with these parameters");
                report(format!("{row} has no {what}"), &help, &[(self.loc, "the window")]);
            }
            let unused = [
                (
                    unread.contains(&row.word),
                    read,
                    "read value",
                    "call `show`, `show_now`, `gated` or `show_later`",
                ),
                (unwritten.contains(&row.word), write, "write behavior", "call `apply`"),
            ];
            for (unused, given, what, help) in unused {
                if let (true, Some(loc)) = (unused, given) {
                    report(
                        format!("the {what} of {row} is not used"),
                        help,
                        &[(*loc, "given here")],
                    );
                }
            }
        }
    }
}

/// Notes behavior given for a row, or reports why it cannot be.
fn note(
    place: &mut Option<Loc>,
    loc: Loc,
    allowed: bool,
    row: &str,
    [what, refused]: [&str; 2],
) -> bool {
    if !allowed {
        let message = format!("{row} is {refused} and is given a {what}");
        report(
            message,
            "change the access in the row, or remove the behavior",
            &[(loc, "given here")],
        );
        return false;
    }
    if let Some(first) = *place {
        let message = format!("{row} is given a {what} twice");
        report(
            message,
            "remove one of the two",
            &[(loc, "given here"), (first, "given first here")],
        );
        return false;
    }
    *place = Some(loc);
    true
}

fn report(message: String, help: &str, sites: &[(Loc, &str)]) {
    let mut diagnostic = Diagnostic::new(Code::RegisterWindow, message, help);
    for (loc, label) in sites {
        diagnostic = diagnostic.at(*loc, *label);
    }
    with_builder(|b| b.diagnostics.push(diagnostic));
}
