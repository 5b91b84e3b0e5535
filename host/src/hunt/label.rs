//! What counts as a failing run.

use super::{Finished, Tail};
use record::{End, Label};
use regex::{Regex, RegexBuilder};
use std::fmt;
use std::str::FromStr;

/// The rule that labels a run failing or passing.
#[derive(Clone, Debug)]
pub enum FailIf {
    /// When it ends otherwise than with exit code 0: another code, an assertion, a fault, a deadlock, the
    /// cycle limit.
    Exit,
    /// When its output matches, and only then.
    Output(Regex),
}

impl FailIf {
    /// The label of a run.
    pub fn label(&self, finished: &Finished) -> Label {
        let Finished { run, console, errors, .. } = finished;
        let fails = self.is_met(&run.ending.outcome, console, errors);
        if fails { Label::Failing } else { Label::Passing }
    }

    /// Whether a run that ended so, and printed this, fails.
    pub fn is_met(&self, end: &End, console: &Tail, errors: &Tail) -> bool {
        match self {
            Self::Exit => *end != End::Exit { code: 0 },
            Self::Output(what) => what.is_match(&console.text()) || what.is_match(&errors.text()),
        }
    }
}

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("output=")) {
            ("exit", _) => Ok(Self::Exit),
            (_, Some("")) => Err("expected an expression after output=".into()),
            // As in grep: a line begins and ends wherever one does.
            (_, Some(expression)) => match RegexBuilder::new(expression).multi_line(true).build() {
                Ok(expression) => Ok(Self::Output(expression)),
                Err(error) => Err(format!("not a regular expression: {error}")),
            },
            _ => Err("expected exit or output=REGEX".into()),
        }
    }
}

/// As it is written on a command line.
impl fmt::Display for FailIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit => write!(f, "exit"),
            Self::Output(expression) => write!(f, "output={expression}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::Tail;
    use border::interrupt::Exception;
    use record::{Ending, Run};

    fn run(outcome: End, console: &str, errors: &str) -> Finished {
        let ending = Ending { outcome, ..Ending::default() };
        Finished {
            run: Run { ending, ..Run::default() },
            console: Tail::from(console.as_bytes().to_vec()),
            errors: Tail::from(errors.as_bytes().to_vec()),
            accesses: Vec::new(),
            work: None,
        }
    }

    #[test]
    fn by_exit_everything_but_zero_fails() {
        let label = |outcome| FailIf::Exit.label(&run(outcome, "", ""));
        assert_eq!(label(End::Exit { code: 0 }), Label::Passing);
        for outcome in [
            End::Exit { code: 3 },
            End::Assertion { file: "a.c".into(), line: 1 },
            End::Fault { pc: 1, address: 2, cause: Exception::LoadAccess.into() },
            End::Deadlock,
            End::CycleLimit,
        ] {
            assert_eq!(label(outcome.clone()), Label::Failing, "{outcome}");
        }
    }

    #[test]
    fn by_output_only_what_matches_fails() {
        let rule: FailIf = r"output=^sum \d+ is wrong$|lost".parse().unwrap();
        let label =
            |code, text: &str, errors: &str| rule.label(&run(End::Exit { code }, text, errors));
        assert_eq!(label(0, "begin\nsum 12 is wrong\nend", ""), Label::Failing);
        assert_eq!(label(1, "sum 12 is right", ""), Label::Passing);
        assert_eq!(label(0, "", "crosstalk: lost"), Label::Failing);
    }

    #[test]
    fn a_rule_reads_back_as_it_is_written() {
        for text in ["exit", "output=a|b"] {
            assert_eq!(text.parse::<FailIf>().unwrap().to_string(), text);
        }
        for text in ["", "output=", "output=(", "exits"] {
            assert!(text.parse::<FailIf>().is_err(), "{text}");
        }
    }
}
