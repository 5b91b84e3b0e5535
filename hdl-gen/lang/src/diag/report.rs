//! Findings as text, in the form of the Rust compiler's: the source line of every site, with a caret
//! under the place.

use std::fmt;

use super::source::Sources;
use super::{Diagnostic, Diagnostics, Loc};

/// Where each code is explained.
const EXPLAINED: &str = "docs/diagnostics.md";

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        report(self, &mut Sources::here(), f)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sources = Sources::here();
        for diagnostic in &self.0 {
            report(diagnostic, &mut sources, f)?;
            f.write_str("\n\n")?;
        }
        match self.0.is_empty() {
            true => Ok(()),
            false => write!(f, "Codes are explained in {EXPLAINED}."),
        }
    }
}

fn report(finding: &Diagnostic, sources: &mut Sources, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let level = if finding.code.is_warning() { "warning" } else { "error" };
    let (id, name) = (finding.code.id(), finding.code.name());
    write!(f, "{level}[{id}]: {name}: {}", finding.message)?;
    let last_line = finding.sites.iter().map(|(loc, _)| loc.line()).max().unwrap_or(0);
    let gutter = last_line.to_string().len();
    for (loc, label) in &finding.sites {
        match sources.line(*loc) {
            Some(line) => snippet(*loc, label, line, gutter, f)?,
            None => write!(f, "\n{:gutter$}--> {loc}: {label}", "")?,
        }
    }
    write!(f, "\n{:gutter$} = help: {}", "", finding.help)
}

/// The position, its source line, and a caret under the column with what the site is.
fn snippet(
    loc: Loc,
    label: &str,
    line: &str,
    gutter: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    // A tab takes as much room under the line as in it.
    let before = line.chars().take(loc.column() as usize - 1);
    let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    write!(f, "\n{:gutter$}--> {loc}", "")?;
    write!(f, "\n{:gutter$} |", "")?;
    write!(f, "\n{:gutter$} | {}", loc.line(), line.trim_end())?;
    write!(f, "\n{:gutter$} | {indent}^ {label}", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    struct Under<'a>(&'a Diagnostic, Option<&'a str>);

    impl fmt::Display for Under<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            report(self.0, &mut Sources::under(self.1.map(Into::into)), f)
        }
    }

    fn finding() -> Diagnostic {
        let loc = Loc::caller();
        let line = loc.line();
        Diagnostic::new(Code::NoDriver, format!("at {line}"), "drive it").at(loc, "here")
    }

    #[test]
    fn a_site_is_shown_with_its_source_line_and_a_caret() {
        let finding = finding();
        let (loc, line) = (finding.sites[0].0, finding.sites[0].0.line());
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let shown = Under(&finding, Some(root)).to_string();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], format!("error[H0107]: NO DRIVER: at {line}"));
        assert_eq!(lines[1].trim_start(), format!("--> {loc}"));
        assert!(lines[3].contains("let loc = Loc::caller();"), "{shown}");
        let caret = lines[4].find('^').expect("a caret");
        assert!(lines[3][caret..].starts_with("Loc::caller()"), "{shown}");
        assert!(lines[4].ends_with("^ here"), "{shown}");
        assert!(lines[5].ends_with("= help: drive it"), "{shown}");
    }

    #[test]
    fn a_site_whose_source_is_not_there_is_shown_by_its_position() {
        let finding = finding();
        let loc = finding.sites[0].0;
        for root in [None, Some("/nonexistent")] {
            let shown = Under(&finding, root).to_string();
            let site = shown.lines().nth(1).expect("a site");
            assert_eq!(site.trim_start(), format!("--> {loc}: here"));
        }
    }
}
