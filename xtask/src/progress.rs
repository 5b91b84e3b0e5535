//! Progress of long tasks: live lines on a terminal, plain ones elsewhere.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Shows progress on standard error.
pub struct Progress {
    bars: Option<MultiProgress>,
}

impl Progress {
    /// On a terminal, if there is one.
    pub fn new() -> Self {
        // The test runner cannot hold back what is drawn on a terminal.
        let on_terminal = !cfg!(test) && std::io::stderr().is_terminal();
        Self { bars: on_terminal.then(MultiProgress::new) }
    }

    /// Prints a permanent line.
    pub fn say(&self, line: &str) {
        match &self.bars {
            Some(bars) => drop(bars.println(line)),
            None => eprintln!("{line}"),
        }
    }

    /// Starts a task.
    pub fn task(&self, name: impl Into<String>) -> Task<'_> {
        let name = name.into();
        let bar = self.bars.as_ref().map(|bars| {
            let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})")
                .expect("the template is valid");
            let bar = bars.add(ProgressBar::new_spinner().with_style(style));
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Task { progress: self, name, bar, started: Instant::now() }
    }
}

/// A task in progress.
pub struct Task<'a> {
    progress: &'a Progress,
    name: String,
    bar: Option<ProgressBar>,
    started: Instant,
}

impl Task<'_> {
    /// Sets its current step.
    pub fn step(&self, what: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(format!("{}: {what}", self.name)),
            None => eprintln!("{}: {what}", self.name),
        }
    }

    /// Ends it successfully.
    pub fn done(self) {
        self.ended("ready");
    }

    /// Ends it with this result.
    pub fn ended(self, how: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        let line = format!("{}: {how} ({seconds:.0} s)", self.name);
        self.progress.say(&line);
    }
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
