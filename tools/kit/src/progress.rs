//! Progress of work that is done piece by piece: a bar on a terminal, lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Some work that is done piece by piece, by any number of threads.
pub struct Progress {
    bar: Option<ProgressBar>,
    done: AtomicUsize,
    of: usize,
}

impl Progress {
    /// Progress of `of` pieces; shows nothing if there are none.
    pub fn new(of: usize) -> Self {
        let bar = (of > 0 && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}")
                .expect("the template is valid");
            let bar = ProgressBar::new(of as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        Self { bar, done: AtomicUsize::new(0), of }
    }

    /// Says beside the bar what is being done.
    pub fn say(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// One more is done. Where there is no bar, `line` makes a line of how many are done and how many there are, or
    /// none.
    pub fn one_more(&self, line: impl FnOnce(usize, usize) -> Option<String>) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None => {
                if let Some(line) = line(done, self.of) {
                    eprintln!("{line}");
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_counted_where_there_is_no_bar() {
        // The test runner takes what is printed: no terminal.
        let progress = Progress { bar: None, done: AtomicUsize::new(0), of: 3 };
        progress.say("nothing without a bar");
        let mut seen = Vec::new();
        for _ in 0..3 {
            progress.one_more(|done, of| {
                seen.push((done, of));
                None
            });
        }
        assert_eq!(seen, [(1, 3), (2, 3), (3, 3)]);
    }
}
