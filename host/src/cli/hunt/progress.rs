//! How far a hunt is.

use super::super::out::plural;
use super::super::progress::Progress;
use crate::hunt::{Goal, Standing};
use kit::numbers::duration;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A line with runs, rate and the time that is left.
pub struct HuntProgress {
    goal: Goal,
    progress: Progress,
    /// How far each source is; when this sitting began, and how many runs there were then.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    sources: BTreeMap<&'static str, Standing>,
    began: Option<(Instant, u64)>,
}

impl HuntProgress {
    /// Before the first run.
    pub fn new(goal: Goal) -> Self {
        let progress = Progress::starting("running the first schedules");
        Self { goal, progress, state: Mutex::default() }
    }

    /// A run is over.
    pub fn show(&self, now: Standing) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.sources.insert(now.source, now);
        let all: u64 = state.sources.values().map(|standing| standing.runs).sum();
        let (started, already) = *state.began.get_or_insert_with(|| (Instant::now(), all));
        let rate = (all - already) as f64 / started.elapsed().as_secs_f64().max(1e-3);
        let mut line = match state.sources.len() {
            1 => format!(
                "{}: {} of {} failing, {} of {} passing",
                plural(now.runs, "schedule"),
                now.failing,
                self.goal.failing,
                now.runs - now.failing,
                self.goal.passing
            ),
            _ => beside(&state.sources, self.goal.failing),
        };
        if all > already {
            line += &format!("; {rate:.1} a second");
        }
        let left = left(&self.goal, now).filter(|_| rate > 0.0 && state.sources.len() == 1);
        if let Some(left) = left {
            line += &format!(", {} left", duration(left as f64 / rate));
        }
        self.progress.show(&line);
    }
}

/// How far sources are that run side by side.
fn beside(sources: &BTreeMap<&'static str, Standing>, wanted: u32) -> String {
    let one = |standing: &Standing| {
        let runs = plural(standing.runs, "schedule");
        format!("{}: {runs}, {} of {wanted} failing", standing.source, standing.failing)
    };
    sources.values().map(one).collect::<Vec<_>>().join("; ")
}

/// How many more schedules it takes if failures stay as frequent; `None` if there are none yet.
fn left(goal: &Goal, now: Standing) -> Option<u64> {
    let more = |wanted: u32, found: u64| -> Option<u64> {
        match u64::from(wanted).saturating_sub(found) {
            0 => Some(0),
            _ if found == 0 => None,
            missing => Some(missing * now.runs / found),
        }
    };
    let both = more(goal.failing, now.failing).zip(more(goal.passing, now.runs - now.failing));
    let to_limit = goal.max_runs.saturating_sub(now.runs);
    both.map(|(failing, passing)| failing.max(passing).min(to_limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_side_by_side_are_shown_one_by_one() {
        let standing = |source, runs, failing| {
            (source, Standing { source, runs, failing, ..Standing::default() })
        };
        let both = [standing("rtl", 8, 1), standing("golden", 1000, 7)].into();
        let line = beside(&both, 25);
        assert_eq!(
            line,
            "golden: 1,000 schedules, 7 of 25 failing; rtl: 8 schedules, 1 of 25 failing"
        );
    }

    #[test]
    fn what_is_left_follows_the_rarer_label() {
        let goal = Goal { max_runs: 1000, ..Goal::default() };
        let standing = |runs, failing| Standing { runs, failing, ..Standing::default() };
        assert_eq!(left(&goal, standing(100, 5)), Some(400));
        assert_eq!(left(&goal, standing(100, 0)), None, "no failure yet");
        assert_eq!(left(&goal, standing(900, 5)), Some(100), "at most to the limit");
        assert_eq!(left(&goal, standing(50, 25)), Some(0));
        assert_eq!([duration(59.9), duration(61.0), duration(7200.0)], ["59 s", "2 min", "2 h"]);
    }
}
