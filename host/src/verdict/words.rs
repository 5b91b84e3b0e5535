//! Findings in words.

use super::{EdgeFinding, Finding, Labels, Phrase, Spot};
use crate::evidence::Strength;
use crate::graph::Kind;

/// Smaller probabilities are only said to be smaller.
const SMALLEST: f64 = 0.0001;

impl Finding {
    /// The verdict, in one sentence.
    pub fn sentence(&self) -> Phrase {
        match self {
            Self::Exact(account) => super::account::sentence(account),
            Self::Edge(edge) => edge.sentence(),
            Self::Undecided { candidates, p: Some(p), .. } => {
                let said = "Nothing tells failing runs from passing runs with enough evidence: what sets \
                            the best of ";
                let strength = format!("p {}; at most {} counts", chance(*p), Strength::ENOUGH);
                Phrase::new(said)
                    .counted(*candidates, "edge")
                    .words(format!(" apart may be chance (corrected {strength})."))
            }
            Self::Undecided { candidates, p: None, .. } => Phrase::new(
                "No run passed, so nothing can tell failing runs from passing runs: none of ",
            )
            .counted(*candidates, "edge")
            .words(" of the failing runs is known to matter."),
            Self::Point { point, runs } => {
                let said = match (runs.failing, runs.unlabeled) {
                    (0, 0) => Phrase::new("No run failed"),
                    (0, _) => Phrase::new("No run is known to have failed"),
                    _ => Phrase::new("No edge of the failing runs could be reconstructed"),
                };
                said.words("; of ")
                    .counted(runs.all(), "run")
                    .words(", ")
                    .then(point.words())
                    .words(" communicated most unusually.")
            }
            Self::Always { schedules, how, at } => {
                let said = Phrase::new("The schedule does not matter: it failed in all ")
                    .counted(*schedules, "schedule")
                    .words(format!(", in the same way ({how})"));
                match at {
                    Some(spot) => said.words(", at ").then(spot.words()).words("."),
                    None => said.words("."),
                }
            }
            Self::Nothing { runs } => {
                Phrase::new("No communication between threads was recorded in ")
                    .counted(runs.all(), "run")
                    .words(".")
            }
        }
    }

    /// How sure the verdict of an edge is; exact evidence says so beside its story.
    pub fn evidence(&self) -> Option<Phrase> {
        match self {
            Self::Edge(edge) => edge.evidence(),
            _ => None,
        }
    }
}

impl EdgeFinding {
    /// In which runs, what happened, what ran in between, and whether that may be chance.
    pub fn sentence(&self) -> Phrase {
        let mut sentence = in_runs(self.in_runs, self.of_runs).words(", ").then(self.event());
        for (place, spot) in self.between.iter().enumerate() {
            let before = if place == 0 { "; between the two ran " } else { ", " };
            sentence = sentence.words(before).code(&spot.name);
        }
        match self.strength {
            Some(strength) if strength.is_enough() => sentence.words("."),
            Some(_) => sentence.words("; that may be chance."),
            None => sentence.words("; there is no passing run to compare with."),
        }
    }

    /// How surely it is not chance.
    pub fn evidence(&self) -> Option<Phrase> {
        let Strength { p, candidates } = self.strength?;
        let said = Phrase::new("By chance, one of ")
            .counted(candidates, "edge")
            .words(" would tell ")
            .count(self.of_runs.failing)
            .words(" failing from ")
            .count(self.of_runs.passing)
            .words(" passing runs as well as this one with a probability ")
            .words(chance(p));
        Some(said.words(" (Fisher's exact test, corrected for the number of edges)."))
    }

    /// What happened: which code point did what with whose value.
    pub fn event(&self) -> Phrase {
        let turn = if self.out_of_turn { " out of turn" } else { "" };
        let did = match self.kind {
            Kind::Raw => format!(" read{turn} "),
            Kind::Waw => format!(" overwrote{turn} "),
            Kind::Memory if self.source.is_some() => format!(" read{turn} from memory "),
            Kind::Memory => format!(" read{turn} memory that no thread had written"),
            Kind::FirstWrite => format!(" wrote{turn} to memory that no thread had written before"),
        };
        let event = self.sink.words().words(did);
        match &self.source {
            None => event,
            Some(source) if source.name == self.sink.name => {
                event.words("the value that another thread had written there")
            }
            Some(source) => {
                event.words("the value that ").then(source.words()).words(" had written")
            }
        }
    }
}

impl Spot {
    fn words(&self) -> Phrase {
        let name = Phrase::default().code(&self.name);
        match &self.function {
            Some(function) => name.words(" in ").code(function),
            None => name,
        }
    }
}

/// A probability with two digits, rounded up.
fn chance(p: f64) -> String {
    if p < SMALLEST {
        return format!("below {SMALLEST}");
    }
    let places = 1 - p.log10().floor() as i32;
    let scale = 10f64.powi(places);
    // What rounding has added to an exact value is not rounded up.
    format!("of {}", (p * scale - 1e-6).ceil() / scale)
}

fn in_runs(some: Labels, all: Labels) -> Phrase {
    let failing = match (some.failing, all.failing) {
        (1, 1) => Phrase::new("In the only failing run"),
        (some, all) if some == all => Phrase::new("In all ").count(all).words(" failing runs"),
        (some, all) => {
            Phrase::new("In ").count(some).words(" of ").count(all).words(" failing runs")
        }
    };
    match (some.passing, all.passing) {
        (_, 0) => failing,
        (0, 1) => failing.words(" but not in the passing run"),
        (0, all) => failing.words(" but in none of ").count(all).words(" passing runs"),
        (some, all) => {
            failing.words(" and in ").count(some).words(" of ").count(all).words(" passing runs")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(name: &str, function: Option<&str>) -> Spot {
        Spot { name: name.into(), function: function.map(str::to_owned) }
    }

    fn labels(failing: u32, passing: u32) -> Labels {
        Labels { failing, passing, unlabeled: 0 }
    }

    fn edge() -> EdgeFinding {
        EdgeFinding {
            kind: Kind::Raw,
            source: Some(spot("bank.c:40", Some("deposit"))),
            sink: spot("bank.c:31", Some("withdraw")),
            out_of_turn: false,
            in_runs: labels(25, 0),
            of_runs: labels(25, 25),
            strength: Some(Strength { p: 1e-9, candidates: 312 }),
            between: Vec::new(),
        }
    }

    #[test]
    fn a_verdict_says_in_which_runs_what_happened() {
        assert_eq!(
            edge().sentence().to_string(),
            "In all 25 failing runs but in none of 25 passing runs, bank.c:31 in withdraw read the value \
             that bank.c:40 in deposit had written."
        );
        let between = vec![spot("a.c:1", None), spot("a.c:2", None)];
        let rare = EdgeFinding { in_runs: labels(13, 1), out_of_turn: true, between, ..edge() };
        assert_eq!(
            rare.sentence().to_string(),
            "In 13 of 25 failing runs and in 1 of 25 passing runs, bank.c:31 in withdraw read out of turn \
             the value that bank.c:40 in deposit had written; between the two ran a.c:1, a.c:2."
        );
    }

    #[test]
    fn an_edge_says_how_sure_it_is_and_what_may_be_chance() {
        let with = |strength| EdgeFinding { strength, ..edge() };
        let of = |p| with(Some(Strength { p, candidates: 1312 }));
        assert_eq!(
            Finding::Edge(of(0.0123)).evidence().unwrap().to_string(),
            "By chance, one of 1,312 edges would tell 25 failing from 25 passing runs as well as this one \
             with a probability of 0.013 (Fisher's exact test, corrected for the number of edges)."
        );
        assert!(of(1e-9).evidence().unwrap().to_string().contains("a probability below 0.0001 ("));
        let ends = |edge: EdgeFinding, end: &str| edge.sentence().to_string().ends_with(end);
        assert!(ends(of(0.05), "had written."));
        assert!(ends(of(0.051), "had written; that may be chance."));
        assert!(ends(with(None), "had written; there is no passing run to compare with."));
        assert_eq!(with(None).evidence(), None);
    }

    #[test]
    fn without_enough_evidence_no_cause_is_named() {
        let said = |p, runs| {
            let finding = Finding::Undecided { candidates: 57, p, runs };
            assert_eq!(finding.evidence(), None);
            finding.sentence().to_string()
        };
        assert_eq!(
            said(Some(0.93), labels(3, 3)),
            "Nothing tells failing runs from passing runs with enough evidence: what sets the best of 57 edges \
             apart may be chance (corrected p of 0.93; at most 0.05 counts)."
        );
        assert!(said(Some(0.0501), labels(3, 3)).contains("p of 0.051;"), "never rounded down");
        assert!(said(Some(1.0), labels(3, 3)).contains("p of 1;"));
        assert_eq!(
            said(None, labels(30, 0)),
            "No run passed, so nothing can tell failing runs from passing runs: none of 57 edges of the \
             failing runs is known to matter."
        );
    }

    #[test]
    fn every_kind_of_edge_is_called_what_it_is() {
        let said =
            |kind, source: Option<Spot>| EdgeFinding { kind, source, ..edge() }.event().to_string();
        let source = || Some(spot("a.c:1", None));
        let there = || Some(spot("bank.c:31", None));
        for (kind, source, expected) in [
            (Kind::Raw, source(), "read the value that a.c:1 had written"),
            (Kind::Raw, there(), "read the value that another thread had written there"),
            (Kind::Waw, source(), "overwrote the value that a.c:1 had written"),
            (Kind::Memory, source(), "read from memory the value that a.c:1 had written"),
            (Kind::Memory, None, "read memory that no thread had written"),
            (Kind::FirstWrite, None, "wrote to memory that no thread had written before"),
        ] {
            assert_eq!(said(kind, source), format!("bank.c:31 in withdraw {expected}"));
        }
    }

    #[test]
    fn few_runs_are_not_counted() {
        let said = |some, all| in_runs(some, all).to_string();
        assert_eq!(
            said(labels(1, 0), labels(1, 1)),
            "In the only failing run but not in the passing run"
        );
        assert_eq!(said(labels(2, 0), labels(2, 0)), "In all 2 failing runs");
    }

    #[test]
    fn where_the_schedule_does_not_matter_no_cause_is_named() {
        let always = |at| Finding::Always { schedules: 128, how: "exited with 3".into(), at };
        assert_eq!(
            always(None).sentence().to_string(),
            "The schedule does not matter: it failed in all 128 schedules, in the same way (exited with 3)."
        );
        let at = always(Some(spot("a.c:7", Some("main")))).sentence().to_string();
        assert!(at.ends_with("(exited with 3), at a.c:7 in main."), "{at}");
    }

    #[test]
    fn without_an_edge_the_ranking_or_nothing_is_named() {
        let point = spot("a.c:1", None);
        let said = |finding: Finding| finding.sentence().to_string();
        assert_eq!(
            said(Finding::Point { point: point.clone(), runs: labels(0, 2) }),
            "No run failed; of 2 runs, a.c:1 communicated most unusually."
        );
        let unlabeled = Labels { unlabeled: 2, ..labels(0, 0) };
        assert_eq!(
            said(Finding::Point { point: point.clone(), runs: unlabeled }),
            "No run is known to have failed; of 2 runs, a.c:1 communicated most unusually."
        );
        assert_eq!(
            said(Finding::Point { point, runs: labels(1, 2) }),
            "No edge of the failing runs could be reconstructed; of 3 runs, a.c:1 communicated most unusually."
        );
        assert_eq!(
            said(Finding::Nothing { runs: labels(0, 1) }),
            "No communication between threads was recorded in 1 run."
        );
    }
}
