//! What an answer of `why` is worth, when the lines of the bug are known.

use crate::judge::is_at;
use firmware::bugs::Mark;

/// Who wrote a value, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writing {
    /// The thread.
    pub thread: String,
    /// The line, as in `queue.c:41`.
    pub line: String,
}

/// What `why` says of one read of the failing statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The variable that was read.
    pub variable: String,
    /// What it held.
    pub value: String,
    /// Who read it, and where.
    pub read: Writing,
    /// The write that the read saw; none: nobody had written it.
    pub writer: Option<Writing>,
    /// What passing runs read there: in so many of them a value from that write, the commonest first.
    pub passing: Vec<(usize, Option<Writing>)>,
    /// A plain model of all writes, forward from the beginning, comes to the same write and the same value.
    pub exact: bool,
}

/// How much an answer helps, as the paper's table has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Useful {
    /// No line of the bug is named beside the failing one.
    No,
    /// One is, of the failing thread itself.
    Some,
    /// One is, of another thread.
    Yes,
}

impl Useful {
    /// As the paper's table has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Some => "some",
            Self::Yes => "yes",
        }
    }
}

/// What the answer to one failure is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// A value of the bug is told, with its exact last writer.
    pub effective: bool,
    /// Another thread stands on the line that the answer names, so that a core file would show it too.
    pub trivial: bool,
    /// How much it helps.
    pub useful: Useful,
    /// The read that it helps most with, by its place.
    pub best: usize,
}

/// Judges what `why` says by the marks in the source. `standing` are the lines on which the other threads stand when the run
/// ends, with all callers.
pub fn judge(slices: &[Slice], marks: &[Mark], standing: &[String]) -> Verdict {
    let is_step = |line: &str| marks.iter().any(|mark| !mark.steps.is_empty() && is_at(mark, line));
    let is_marked = |line: &str| marks.iter().any(|mark| is_at(mark, line));
    let worth = |slice: &Slice| {
        let is_effective = slice.exact && is_marked(&slice.read.line);
        let useful = match told(slice, &is_step).filter(|_| is_effective) {
            None => Useful::No,
            Some(writing) if writing.thread == slice.read.thread => Useful::Some,
            Some(_) => Useful::Yes,
        };
        (is_effective, useful)
    };
    let worths: Vec<_> = slices.iter().map(worth).collect();
    let best = (0..slices.len()).rev().max_by_key(|place| (worths[*place].1, worths[*place].0));
    let best = best.unwrap_or(0);
    let (effective, useful) = worths.get(best).copied().unwrap_or((false, Useful::No));
    let named = slices.get(best).and_then(|slice| told(slice, &is_step));
    let trivial = named.is_some_and(|writing| standing.contains(&writing.line));
    Verdict { effective, trivial, useful, best }
}

/// The step of the bug that is told: the write that was seen or, if that is none, the one that most passing runs saw (§6.1:
/// what was not initialized here was written by another thread there).
fn told<'a>(slice: &'a Slice, is_step: &dyn Fn(&str) -> bool) -> Option<&'a Writing> {
    let there = slice.passing.first().and_then(|(_, writing)| writing.as_ref());
    slice.writer.iter().chain(there).find(|writing| is_step(&writing.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(thread: &str, line: u32) -> Writing {
        Writing { thread: thread.into(), line: format!("queue.c:{line}") }
    }

    fn slice(writer: Option<Writing>, passing: Option<Writing>) -> Slice {
        Slice {
            variable: "queue.head".into(),
            value: "0".into(),
            read: by("reader 1", 9),
            writer,
            passing: vec![(25, passing)],
            exact: true,
        }
    }

    fn marks() -> Vec<Mark> {
        let mark =
            |line, steps: &[u32]| Mark { file: "set/queue.c".into(), line, steps: steps.to_vec() };
        vec![mark(4, &[1]), mark(9, &[2]), mark(12, &[])]
    }

    #[test]
    fn the_other_threads_step_is_useful_and_ones_own_somewhat() {
        let judged = |slice: &Slice| judge(std::slice::from_ref(slice), &marks(), &[]);
        let of = |writer| slice(Some(writer), None);
        assert_eq!(judged(&of(by("writer 1", 4))).useful, Useful::Yes);
        assert_eq!(judged(&of(by("reader 1", 4))).useful, Useful::Some);
        assert_eq!(judged(&of(by("writer 1", 5))).useful, Useful::No, "a line without a mark");
        assert_eq!(judged(&of(by("writer 1", 12))).useful, Useful::No, "a mark without a step");
        let inexact = Slice { exact: false, ..of(by("writer 1", 4)) };
        let verdict = judged(&inexact);
        assert_eq!((verdict.effective, verdict.useful), (false, Useful::No));
        let elsewhere = Slice { read: by("reader 1", 7), ..of(by("writer 1", 4)) };
        assert!(!judged(&elsewhere).effective, "the read is no part of the bug");
        assert!(!judge(&[], &marks(), &[]).effective);
    }

    #[test]
    fn of_a_value_that_nobody_had_written_passing_runs_tell_the_writer() {
        let judged = |slice: &Slice| judge(std::slice::from_ref(slice), &marks(), &[]).useful;
        assert_eq!(judged(&slice(None, Some(by("writer 1", 4)))), Useful::Yes);
        assert_eq!(judged(&slice(None, None)), Useful::No);
        let cleared = slice(Some(by("main", 30)), Some(by("main", 4)));
        assert_eq!(judged(&cleared), Useful::Yes);
        let seen = slice(Some(by("reader 1", 4)), Some(by("writer 1", 9)));
        assert_eq!(judged(&seen), Useful::Some, "what was seen comes first");
    }

    #[test]
    fn the_best_of_several_reads_counts_and_a_thread_on_its_line_makes_it_trivial() {
        let all = [slice(Some(by("writer 1", 5)), None), slice(Some(by("writer 1", 4)), None)];
        let verdict = judge(&all, &marks(), &["queue.c:5".into()]);
        assert_eq!((verdict.best, verdict.useful, verdict.trivial), (1, Useful::Yes, false));
        assert!(judge(&all, &marks(), &["queue.c:4".into()]).trivial);
    }
}
