//! The few terms of the page that need explaining, and phrases and numbers as HTML.

use super::Report;
use super::escape::text;
use crate::verdict::{Phrase, Span};
use kit::numbers::{self, NARROW_SPACE};

/// A term: its anchor, the word, what it means.
pub struct Term {
    pub id: &'static str,
    pub word: &'static str,
    pub meaning: &'static str,
}

/// The terms that the page uses.
pub const GLOSSARY: [Term; 10] = [
    Term {
        id: "run",
        word: "run",
        meaning: "One execution of the program, from start to end, with the communication between its threads.",
    },
    Term {
        id: "label",
        word: "label",
        meaning: "Whether a run showed the bug (failing) or did not (passing).",
    },
    Term {
        id: "schedule",
        word: "schedule",
        meaning: "In which order the threads happened to take turns. Each seed gives one; the same seed gives the same one again.",
    },
    Term {
        id: "hart",
        word: "hart",
        meaning: "A hardware thread: one of the processors that run the program's threads side by side.",
    },
    Term {
        id: "edge",
        word: "edge",
        meaning: "One communication: a line on one hart wrote a value, and a line on another hart read it or overwrote it.",
    },
    Term {
        id: "point",
        word: "code point",
        meaning: "A line of source; where there is no debug information, one instruction.",
    },
    Term {
        id: "context",
        word: "context",
        meaning: "The last few things that a hart saw happen to shared memory before it got to a line. The same line in an unusual context is suspicious.",
    },
    Term {
        id: "reconstruction",
        word: "reconstruction",
        meaning: "What ran before, between and after the two ends of an edge, put together from all failing runs that have the edge.",
    },
    Term {
        id: "confidence",
        word: "confidence",
        meaning: "The share of all failing runs in which a line was in that place.",
    },
    Term {
        id: "lost",
        word: "lost edge",
        meaning: "An edge that the hardware counted but had no room to keep. What is lost cannot be found.",
    },
];

/// A word that a reader can have explained, by pointing at it or by following it.
pub fn term(id: &str, shown: &str) -> String {
    let meaning = GLOSSARY.iter().find(|term| term.id == id).map_or("", |term| term.meaning);
    format!(
        "<a class=\"term\" href=\"#word-{id}\" data-tip=\"{}\">{}</a>",
        text(meaning),
        text(shown)
    )
}

/// A number with its digits in groups, which do not break at the end of a line.
pub fn grouped(number: u64) -> String {
    numbers::grouped_with(number, NARROW_SPACE)
}

/// `1 run`, `2 runs`.
pub fn plural(number: u64, what: &str) -> String {
    numbers::plural_with(number, NARROW_SPACE, what)
}

/// A share as whole percents; never 0 or 100 unless it is.
pub fn percent(share: f64) -> String {
    let percents = (100.0 * share).round();
    let percents = match share {
        share if share > 0.0 && share < 1.0 => percents.clamp(1.0, 99.0),
        _ => percents,
    };
    format!("{percents:.0}\u{202f}%")
}

/// What is called a program, for headings.
pub fn program(report: &Report) -> &str {
    match report.analysis.runs.program.as_str() {
        "" => "program without a name",
        name => name,
    }
}

/// A phrase as HTML.
pub fn html(phrase: &Phrase) -> String {
    let span = |span: &Span| match span {
        Span::Words(words) => text(words),
        Span::Code(code) => format!("<code>{}</code>", text(code)),
        Span::Count(number) => grouped(*number),
    };
    phrase.spans().iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_is_not_all_is_never_shown_as_all() {
        let shown = [0.0, 0.001, 0.5, 0.999, 1.0].map(percent);
        assert_eq!(
            shown.map(|text| text.replace('\u{202f}', "")),
            ["0%", "1%", "50%", "99%", "100%"]
        );
    }

    #[test]
    fn every_term_is_known_and_explained_once() {
        let ids: std::collections::BTreeSet<_> = GLOSSARY.iter().map(|term| term.id).collect();
        assert_eq!(ids.len(), GLOSSARY.len());
        assert!(term("edge", "edges").contains("data-tip=\"One communication"));
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
