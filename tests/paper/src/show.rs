//! What a person sees while this goes on: a moving line on a terminal, a plain one for each bug elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use paper::Error;
use paper::collect::Progress;
use paper::measured::Measured;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// The line of one bug.
pub struct Show {
    name: String,
    bar: Option<ProgressBar>,
}

impl Show {
    /// Progress of a bug, number `place` of `all`.
    pub fn new(bug: &str, place: usize, all: usize) -> Self {
        let name = format!("[{place}/{all}] {bug}");
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})")
                .expect("the template is valid");
            let bar = ProgressBar::new_spinner().with_style(style);
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        let show = Self { name, bar };
        show.step("compiling");
        show
    }

    /// What is done now.
    pub fn step(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}: {what}", self.name));
        }
    }

    /// How far the collection is.
    pub fn collecting(&self, progress: Progress) {
        self.step(&match progress {
            Progress::Hunting(standing) => {
                format!("{} schedules, {} failed", standing.runs, standing.failing)
            }
            Progress::Watching(done, all) => format!("{done} of {all} runs looked at again"),
        });
    }

    /// It went well.
    pub fn done(self, measured: &Measured) {
        let Measured { schedules, failed, .. } = measured;
        self.say(&format!("{failed} of {schedules} schedules failed"));
    }

    /// It did not.
    pub fn failed(self, error: &Error) {
        self.say(&format!("not measured: {error}"));
    }

    fn say(self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        eprintln!("{}: {what}", self.name);
    }
}

/// Prints a line to standard output; whoever reads may have had enough.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
