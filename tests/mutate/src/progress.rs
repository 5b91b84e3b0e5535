//! What a person sees while mutants are tried: a bar on a terminal, a line now and then elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Without a terminal, pieces for each line of progress.
const EVERY: usize = 50;

/// Some work that is done piece by piece.
pub struct Progress {
    what: String,
    bar: Option<ProgressBar>,
    done: AtomicUsize,
    of: usize,
}

impl Progress {
    /// Progress of `of` pieces; shows nothing if there are none.
    pub fn new(what: &str, of: usize) -> Progress {
        let bar = (of > 0 && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}")
                .expect("the template is valid");
            let bar = ProgressBar::new(of as u64).with_style(style);
            bar.set_message(what.to_owned());
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        Progress { what: what.to_owned(), bar, done: AtomicUsize::new(0), of }
    }

    /// One more is done.
    pub fn one_more(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if done == self.of || done.is_multiple_of(EVERY) => {
                eprintln!("{} {done}/{}", self.what, self.of);
            }
            None => {}
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
