//! A set as a patch of the program's source, with the calls of `<crosstalk/breakpoint.h>`.

use crate::breakpoint::{Entry, Place, Places, Set};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Lines around a change.
const CONTEXT: usize = 3;

/// The patch, as `patch -p1` takes it.
///
/// # Errors
/// A sentence, if the set says what a call before a statement cannot say, or a source is not at hand.
pub fn patch(set: &Set, places: &Places, folders: &[PathBuf]) -> Result<String, String> {
    let mut inserted = BTreeMap::<String, BTreeMap<u32, Vec<String>>>::new();
    for (number, entry) in set.entries.iter().enumerate() {
        for (pc, call, returns) in calls(number, entry)? {
            let place = place(places, pc, returns)?;
            let line = if returns { place.line + 1 } else { place.line };
            inserted.entry(place.file.clone()).or_default().entry(line).or_default().push(call);
        }
        let lines: Vec<_> = entry
            .parties
            .iter()
            .filter_map(|party| places.at(party.pc, false))
            .map(|place| (&place.file, place.line))
            .collect();
        let one_line = lines.windows(2).any(|two| two[0] == two[1]);
        if one_line && entry.parties.windows(2).any(|two| two[0].pc != two[1].pc) {
            let (file, line) = lines[0];
            return Err(format!(
                "both places of entry {number} are on one line, {file}:{line}; a call cannot be inserted between them"
            ));
        }
    }
    let mut text = String::new();
    for (file, lines) in inserted {
        let source = folders.iter().map(|folder| folder.join(&file));
        let source = source.filter_map(|path| std::fs::read_to_string(path).ok()).next();
        let source = source.ok_or_else(|| format!("the source file `{file}` was not found"))?;
        text += &of_file(&file, &source.lines().collect::<Vec<_>>(), &lines);
    }
    Ok(text)
}

fn place(places: &Places, pc: u32, returns: bool) -> Result<&Place, String> {
    places.at(pc, returns).ok_or_else(|| {
        format!("the instruction at {pc:#x} has no line in the program's own source")
    })
}

/// The calls of an entry: before which instruction, or after the call that returns there.
fn calls(number: usize, entry: &Entry) -> Result<Vec<(u32, String, bool)>, String> {
    if entry.after.is_some() || entry.region.is_some() || entry.parties.len() != 2 {
        return Err(format!(
            "entry {number} cannot be written as a call: it has after, a region, or more than 2 parties"
        ));
    }
    let name = format!("crosstalk_{number}");
    let macro_name =
        if entry.until.is_some() { "CROSSTALK_BREAKPOINT_UNTIL" } else { "CROSSTALK_BREAKPOINT" };
    let call = |party: usize| {
        let skip = entry.parties[party].skip;
        format!("{macro_name}({name}, {party}, 0, 0, 0, {}, {skip}, {});", entry.wait, entry.bound)
    };
    let mut calls: Vec<_> =
        entry.parties.iter().enumerate().map(|(party, at)| (at.pc, call(party), false)).collect();
    if let Some(until) = entry.until {
        calls.push((until, format!("CROSSTALK_PASSED({name});"), true));
    }
    Ok(calls)
}

fn of_file(file: &str, source: &[&str], inserted: &BTreeMap<u32, Vec<String>>) -> String {
    let mut all: BTreeMap<u32, Vec<String>> = inserted.clone();
    let include = "#include <crosstalk/breakpoint.h>".to_owned();
    all.entry(1).or_default().insert(0, include);
    let mut hunks: Vec<Vec<(u32, &Vec<String>)>> = Vec::new();
    for (line, calls) in &all {
        let near = hunks.last().and_then(|hunk| hunk.last());
        match near.filter(|(last, _)| line - last <= 2 * CONTEXT as u32) {
            Some(_) => hunks.last_mut().into_iter().for_each(|hunk| hunk.push((*line, calls))),
            None => hunks.push(vec![(*line, calls)]),
        }
    }
    let mut text = format!("--- a/{file}\n+++ b/{file}\n");
    let mut added = 0;
    for hunk in hunks {
        let first = (hunk[0].0 as usize).saturating_sub(CONTEXT).max(1);
        let last = hunk.last().map_or(first, |(line, _)| *line as usize + CONTEXT - 1);
        let last = last.min(source.len());
        let new: usize = hunk.iter().map(|(_, calls)| calls.len()).sum();
        let count = last + 1 - first;
        let _ = writeln!(text, "@@ -{first},{count} +{},{} @@", first + added, count + new);
        for number in first..=last {
            let line = source[number - 1];
            if let Some((_, calls)) = hunk.iter().find(|(at, _)| *at as usize == number) {
                let indent: String =
                    line.chars().take_while(|letter| letter.is_whitespace()).collect();
                for call in *calls {
                    let _ = writeln!(text, "+{indent}{call}");
                }
            }
            let _ = writeln!(text, " {line}");
        }
        added += new;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_counts_its_lines() {
        let source = ["#include <a.h>", "", "int f(void) {", "    g();", "    h();", "}"];
        let inserted = BTreeMap::from([(5, vec!["B();".to_owned()])]);
        let expected = "--- a/x.c\n+++ b/x.c\n@@ -1,6 +1,8 @@\n+#include <crosstalk/breakpoint.h>\n \
                        #include <a.h>\n \n int f(void) {\n     g();\n+    B();\n     h();\n }\n";
        assert_eq!(of_file("x.c", &source, &inserted), expected);
    }
}
