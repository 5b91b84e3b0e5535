//! How far a hunt is.

use super::super::out::plural;
use super::super::progress::Progress;
use crate::hunt::{Goal, Standing};
use kit::numbers::duration;
use std::sync::OnceLock;
use std::time::Instant;

/// A line with runs, rate and the time that is left.
pub struct HuntProgress {
    goal: Goal,
    progress: Progress,
    /// When this sitting began, and how many runs there were then.
    began: OnceLock<(Instant, u64)>,
}

impl HuntProgress {
    /// Before the first run.
    pub fn new(goal: Goal) -> Self {
        let progress = Progress::starting("running the first schedules");
        Self { goal, progress, began: OnceLock::new() }
    }

    /// A run is over.
    pub fn show(&self, now: Standing) {
        let (started, already) = *self.began.get_or_init(|| (Instant::now(), now.runs));
        let passed = started.elapsed().as_secs_f64();
        let rate = (now.runs - already) as f64 / passed.max(1e-3);
        let mut line = format!(
            "{}: {} of {} failing, {} of {} passing",
            plural(now.runs, "schedule"),
            now.failing,
            self.goal.failing,
            now.runs - now.failing,
            self.goal.passing
        );
        if now.runs > already {
            line += &format!("; {rate:.1} a second");
        }
        if let Some(left) = left(&self.goal, now).filter(|_| rate > 0.0) {
            line += &format!(", {} left", duration(left as f64 / rate));
        }
        self.progress.show(&line);
    }
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
