//! Findings in words.

use super::{EdgeFinding, Finding, Labels, Phrase, Spot};
use crate::graph::Kind;

impl Finding {
    /// The verdict, in one sentence.
    pub fn sentence(&self) -> Phrase {
        match self {
            Self::Exact(account) => super::account::sentence(account),
            Self::Edge(edge) => edge.sentence(),
            Self::Point { point, runs } if runs.failing == 0 => Phrase::new("No run failed; of ")
                .counted(runs.all(), "run")
                .words(", ")
                .then(point.words())
                .words(" communicated most unusually."),
            Self::Point { point, .. } => {
                Phrase::new("No edge explains the failures; the line to look at first is ")
                    .then(point.words())
                    .words(".")
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
}

impl EdgeFinding {
    /// In which runs, what happened, and what ran in between.
    pub fn sentence(&self) -> Phrase {
        let mut sentence = in_runs(self.in_runs, self.of_runs).words(", ").then(self.event());
        for (place, spot) in self.between.iter().enumerate() {
            let before = if place == 0 { "; between the two ran " } else { ", " };
            sentence = sentence.words(before).code(&spot.name);
        }
        sentence.words(".")
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
        let rare = EdgeFinding { in_runs: labels(3, 1), out_of_turn: true, between, ..edge() };
        assert_eq!(
            rare.sentence().to_string(),
            "In 3 of 25 failing runs and in 1 of 25 passing runs, bank.c:31 in withdraw read out of turn \
             the value that bank.c:40 in deposit had written; between the two ran a.c:1, a.c:2."
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
        assert_eq!(
            said(Finding::Point { point, runs: labels(1, 2) }),
            "No edge explains the failures; the line to look at first is a.c:1."
        );
        assert_eq!(
            said(Finding::Nothing { runs: labels(0, 1) }),
            "No communication between threads was recorded in 1 run."
        );
    }
}
