//! What a reader should know of a hunt besides its verdict.

use super::Phrase;
use crate::repro::{Confirmation, OnHardware};
use serde::Serialize;

/// Something about the runs of a hunt that a reader should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "about", rename_all = "kebab-case")]
pub enum Note {
    /// The order that the verdict tells was forced, and so was the opposite one.
    Confirmed(Confirmation),
    /// The answer is of the second stage, with the thread library monitored.
    LibraryMonitored {
        /// Why there was a second stage.
        #[serde(flatten)]
        because: SecondStage,
    },
    /// A second stage was tried, but nothing failed in it.
    LibraryPassed {
        /// Why there was a second stage.
        #[serde(flatten)]
        because: SecondStage,
        /// Its schedules.
        schedules: u64,
    },
    /// The runs that count are not of the hardware, which failed too seldom.
    OtherCounts {
        /// What they are of.
        on: String,
        /// What else was tried.
        instead_of: String,
        /// Schedules that failed there.
        failing: u64,
        /// Schedules that were tried there.
        schedules: u64,
    },
    /// Of two sources of runs, only one can be used here.
    OneSource {
        /// Its name.
        on: String,
        /// What is wrong with the other.
        why: String,
    },
    /// The machine has more harts than was asked for, because the program has more threads.
    MoreHarts {
        /// So many harts were asked for.
        asked: u32,
        /// So many it has.
        harts: u32,
    },
    /// No run passed.
    AllFailed {
        /// How many schedules were run.
        schedules: u64,
    },
    /// Fewer runs of a label were found than were looked for.
    FewRuns {
        /// `failing` or `passing`.
        label: &'static str,
        /// Runs that were found.
        found: u64,
        /// Runs that were looked for.
        wanted: u64,
        /// How many schedules were run.
        schedules: u64,
    },
    /// Runs were stopped at the cycle limit.
    CycleLimit {
        /// How many of those that count.
        runs: u64,
    },
    /// What a failing run printed last, where the verdict names no line of the program.
    Printed {
        /// Its schedule.
        schedule: u64,
        /// The lines.
        lines: Vec<String>,
    },
    /// A run printed more than is kept.
    LongOutput {
        /// Its schedule.
        schedule: u64,
        /// Bytes that it printed.
        printed: u64,
        /// Bytes that are kept.
        kept: u64,
    },
}

/// Why a hunt starts over with the thread library monitored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "because", rename_all = "kebab-case")]
pub enum SecondStage {
    /// The failures are deadlocks.
    Deadlocks {
        /// Failing runs that ended in a deadlock.
        deadlocks: u64,
        /// All failing runs.
        failing: u64,
    },
    /// No edge of the program's own code is in failing runs only.
    NothingSeparates,
    /// There is no edge of the program's own code at all.
    NothingRecorded,
}

impl SecondStage {
    /// The reason, as part of a sentence.
    pub fn words(self) -> Phrase {
        match self {
            Self::Deadlocks { deadlocks, failing } => Phrase::default()
                .count(deadlocks)
                .words(" of ")
                .counted(failing, "failure")
                .words(" are deadlocks, which show in the thread library's communication"),
            Self::NothingSeparates => Phrase::new(
                "nothing in the program's own code separates failing runs from passing runs",
            ),
            Self::NothingRecorded => {
                Phrase::new("no communication of the program's own code was recorded")
            }
        }
    }
}

impl Note {
    /// The note, in one or two sentences.
    pub fn words(&self) -> Phrase {
        match self {
            Self::Confirmed(confirmation) => confirmed(confirmation),
            Self::LibraryMonitored { because } => {
                Phrase::new("The thread library was monitored too: ").then(because.words()).words(
                    ". Its lines are shown by themselves, without the calls that led to them.",
                )
            }
            Self::LibraryPassed { because, schedules } => {
                Phrase::new("Only the program's own code was monitored, although ")
                    .then(because.words())
                    .words(": with the thread library monitored, none of ")
                    .counted(*schedules, "schedule")
                    .words(" failed.")
            }
            Self::OtherCounts { on, instead_of, failing, schedules } => {
                let said = Phrase::new(format!("This answer rests on runs of {on}"));
                match schedules {
                    0 => said.words("."),
                    _ => said
                        .words(": of ")
                        .counted(*schedules, "schedule")
                        .words(format!(" on {instead_of}, "))
                        .count(*failing)
                        .words(" failed, too few to compare."),
                }
            }
            Self::OneSource { on, why } => Phrase::new("All schedules were run with ")
                .code(format!("--on {on}"))
                .words(format!(", because the other machine cannot be used here: {why}")),
            Self::MoreHarts { asked, harts } => Phrase::new("The machine has ")
                .count(*harts)
                .words(" harts instead of ")
                .count(*asked)
                .words(", because each of the program's threads needs one."),
            Self::AllFailed { schedules } => {
                Phrase::new("All of ").counted(*schedules, "schedule").words(
                    " failed: without passing runs the ranking is unlabeled, and shows what is unusual \
                     rather than what is wrong.",
                )
            }
            Self::FewRuns { label, found, wanted, schedules } => Phrase::new("Only ")
                .count(*found)
                .words(" of ")
                .count(*wanted)
                .words(format!(" {label} runs were found in "))
                .counted(*schedules, "schedule")
                .words("; ")
                .code("--resume")
                .words(" with a higher ")
                .code("--max-runs")
                .words(" looks for more."),
            Self::CycleLimit { runs } => Phrase::default()
                .counted(*runs, "run")
                .words(
                    " reached the cycle limit and counted as failing, with what was communicated until then; if the \
                     program ends at all, raise ",
                )
                .code("--max-cycles")
                .words(" or give it less to do."),
            Self::Printed { schedule, lines } => {
                let mut said = Phrase::new(format!("Schedule {schedule} printed last: "));
                for (place, line) in lines.iter().enumerate() {
                    said = if place > 0 { said.words(" / ") } else { said }.code(line);
                }
                said
            }
            Self::LongOutput { schedule, printed, kept } => Phrase::new("Schedule ")
                .words(schedule.to_string())
                .words(" printed ")
                .counted(*printed, "byte")
                .words("; only the last ")
                .count(*kept)
                .words(" are kept."),
        }
    }
}

/// What forcing both orders came to.
fn confirmed(confirmation: &Confirmation) -> Phrase {
    let Confirmation { places, on, failed, of, unaided, unaided_of, hardware, .. } = confirmation;
    let Confirmation { opposite_failed, opposite_of, .. } = confirmation;
    let mut said = Phrase::new("Confirmed: with ");
    for (place, name) in places.iter().enumerate() {
        said = if place > 0 { said.words(" before ") } else { said }.code(name);
    }
    let machine = if on == "golden" { "the golden machine" } else { on };
    said = said
        .words(" forced, ")
        .count(*failed)
        .words(" of ")
        .count(*of)
        .words(" fresh schedules fail; with the opposite order, ")
        .count(*opposite_failed)
        .words(" of ")
        .count(*opposite_of)
        .words("; without breakpoints, ")
        .count(*unaided)
        .words(" of ")
        .count(*unaided_of)
        .words(format!(", on {machine}. "));
    if let Some(OnHardware { failed, of, opposite_failed, opposite_of }) = hardware {
        said = said
            .words("On the simulated hardware, ")
            .count(*failed)
            .words(" of ")
            .count(*of)
            .words(" fail; with the opposite order, ")
            .count(*opposite_failed)
            .words(" of ")
            .count(*opposite_of)
            .words(". ");
    }
    said.code("crosstalk repro").words(" proves it and writes a test for the fix.")
}

/// What to say when no schedule failed: what was tried, and what might find a failure.
pub fn none_failed(program: &str, schedules: u64, perturbed: bool, folder: &str) -> Phrase {
    let tried = Phrase::new("none of ").counted(schedules, "schedule").words(" of `").code(program);
    let raise =
        tried.words("` failed; raise ").code("--max-runs").words(" (with ").code("--resume");
    let perturbation = match perturbed {
        true => ", raise simulation.perturbation.chance or max_stall in a --config file",
        false => "",
    };
    raise
        .words(format!(
            " they are not run again){perturbation}, or describe a failure's output with "
        ))
        .code("--fail-if")
        .words("; the runs are in ")
        .code(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_sentences_with_their_numbers() {
        let because = SecondStage::Deadlocks { deadlocks: 5, failing: 6 };
        let said = |note: Note| note.words().to_string();
        assert_eq!(
            said(Note::LibraryMonitored { because }),
            "The thread library was monitored too: 5 of 6 failures are deadlocks, which show in the thread \
             library's communication. Its lines are shown by themselves, without the calls that led to them."
        );
        let few = Note::FewRuns { label: "failing", found: 3, wanted: 25, schedules: 2000 };
        assert_eq!(
            said(few),
            "Only 3 of 25 failing runs were found in 2,000 schedules; --resume with a higher --max-runs \
             looks for more."
        );
    }

    #[test]
    fn notes_are_plain_data_in_json() {
        let because = SecondStage::Deadlocks { deadlocks: 5, failing: 6 };
        let value = serde_json::to_value(Note::LibraryPassed { because, schedules: 9 }).unwrap();
        let expected = serde_json::json!({
            "about": "library-passed", "because": "deadlocks", "deadlocks": 5, "failing": 6, "schedules": 9
        });
        assert_eq!(value, expected);
    }
}
