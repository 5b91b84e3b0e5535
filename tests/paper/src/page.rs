//! The page of results: a template with prose, filled with what was measured.

use crate::error::Error;
use crate::measured::Measured;
use crate::tables::{self, paper_name, shortfalls};
use crate::{fixed, plot, published};
use std::collections::BTreeMap;

/// The prose around the tables.
const TEMPLATE: &str = include_str!("../template.md");
/// What is known about bugs that fall short, by their names.
const NOTES: &str = include_str!("../notes.toml");

/// A page and the plots that it shows.
pub struct Page {
    /// The page, as Markdown.
    pub text: String,
    /// The name of each plot's file, and its SVG.
    pub plots: Vec<(&'static str, String)>,
}

/// The file of the plot of Bugaboo's Figure 7.
pub const CONVERGENCE: &str = "convergence.svg";

/// How a page came about.
pub struct Made<'a> {
    /// The command that made it.
    pub command: &'a str,
    /// What the programs ran on, in words.
    pub machine: &'a str,
    /// How many trials.
    pub trials: usize,
    /// The ledger of the fixed variants, as it is written.
    pub fixed: &'a str,
}

/// Makes the page.
///
/// # Errors
/// If template and tables do not fit together, or a plot cannot be drawn.
pub fn page(measured: &[Measured], made: &Made) -> Result<Page, Error> {
    let mut parts: BTreeMap<&str, String> =
        tables::ALL.iter().map(|table| (table.name, (table.make)(measured))).collect();
    parts.insert("command", made.command.into());
    parts.insert("machine", made.machine.into());
    parts.insert("trials", made.trials.to_string());
    parts.insert("shortfalls", short(measured)?);
    let programs: Vec<&str> = firmware::bugs::ALL.iter().map(|bug| bug.name).collect();
    parts.insert("fixed", fixed::sentence(made.fixed, &programs)?);
    let text = template::fill(TEMPLATE, &parts)
        .map_err(|error| Error::Page(format!("tests/paper/template.md: {error}")))?;
    Ok(Page { text, plots: vec![(CONVERGENCE, convergence(measured)?)] })
}

/// Bugaboo's Figure 7: its programs where they were measured, else all that were.
///
/// # Errors
/// If nothing was measured.
pub fn convergence(measured: &[Measured]) -> Result<String, Error> {
    let of_paper = published::BUGABOO_FIGURE_7.iter();
    let mut shown: Vec<&Measured> =
        of_paper.filter_map(|bug| measured.iter().find(|measured| measured.bug == *bug)).collect();
    if shown.is_empty() {
        shown = measured.iter().collect();
    }
    let panels = plot::convergence_panels(&shown, paper_name);
    plot::draw(&panels, "additional runs", "new edges, percent")
}

/// A paragraph for each bug that falls short.
fn short(measured: &[Measured]) -> Result<String, Error> {
    let notes: BTreeMap<String, String> = toml::from_str(NOTES)
        .map_err(|error| Error::Page(format!("tests/paper/notes.toml: {error}")))?;
    let mut paragraphs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for tables::Shortfall { bug, what } in shortfalls(measured) {
        paragraphs.entry(bug).or_default().push(what);
    }
    if paragraphs.is_empty() {
        return Ok("None does.\n".into());
    }
    let paragraph = |(bug, mut sentences): (String, Vec<String>)| {
        sentences.extend(notes.get(&bug).map(|note| note.trim().to_owned()));
        format!("- **{}.** {}\n", paper_name(&bug), sentences.join(" "))
    };
    Ok(paragraphs.into_iter().map(paragraph).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE: Made =
        Made { command: "the command", machine: "a machine", trials: 3, fixed: "{}" };

    fn measured(bug: &str) -> Measured {
        let mut measured = Measured { bug: bug.into(), ..Measured::default() };
        measured.convergence.iter_mut().for_each(|line| *line = vec![9.0, 1.0]);
        measured
    }

    #[test]
    fn the_page_has_every_table_once_and_says_what_made_it() {
        let all: Vec<_> = firmware::bugs::ALL.iter().map(|bug| measured(bug.name)).collect();
        let page = page(&all, &MADE).unwrap();
        assert!(page.text.contains("the command") && !page.text.contains("{{"));
        for table in tables::ALL {
            let text = (table.make)(&all);
            assert_eq!(page.text.matches(text.trim_end()).count(), 1, "{}", table.name);
        }
        for (name, svg) in page.plots {
            assert!(page.text.contains(name) && svg.starts_with("<svg"), "{name}");
        }
    }

    #[test]
    fn notes_are_of_bugs_and_shown_where_they_fall_short() {
        let notes: BTreeMap<String, String> = toml::from_str(NOTES).unwrap();
        for (bug, note) in &notes {
            assert!(firmware::bugs::named(bug).is_some(), "{bug}");
            // Without a trial nothing was found, which is short of everything.
            assert!(short(&[measured(bug)]).unwrap().contains(note.trim()), "{bug}");
        }
        assert_eq!(short(&[]).unwrap(), "None does.\n");
    }
}
