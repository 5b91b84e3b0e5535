//! Progress on a terminal, once something takes longer than two seconds.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counts what is done, and shows it if that takes long.
pub struct Progress {
    what: &'static str,
    started: Instant,
    done: AtomicU64,
    bar: OnceLock<ProgressBar>,
    on_terminal: bool,
}

/// What is over sooner is not worth a word.
const PATIENCE: Duration = Duration::from_secs(2);

impl Progress {
    /// Nothing is done yet.
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            started: Instant::now(),
            done: AtomicU64::new(0),
            bar: OnceLock::new(),
            on_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// One more is done.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.on_terminal && self.started.elapsed() > PATIENCE {
            let bar = self.bar.get_or_init(|| {
                let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
                let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
                ProgressBar::new_spinner().with_style(style)
            });
            bar.set_message(format!("{}: {done}", self.what));
            bar.tick();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
