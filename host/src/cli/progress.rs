//! Progress of whatever takes longer than two seconds: a spinner on a terminal, elsewhere a plain line now and then.

use super::failure::say;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is over sooner shows no progress.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest time between two plain lines.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// Set to `never`, it turns plain lines off, for scripts that read standard error.
const SWITCH: &str = "CROSSTALK_PROGRESS";

/// The latest line, which the ticker prints.
type Latest = Arc<Mutex<String>>;

/// Shows how far something is, until it is dropped.
pub struct Progress {
    what: String,
    done: AtomicU64,
    started: Instant,
    latest: Latest,
    display: Display,
}

enum Display {
    /// A spinner, once patience is over.
    Spinner(OnceLock<ProgressBar>),
    /// Plain lines, printed by a thread; held for its drop alone.
    Lines { _ticker: Ticker },
    /// No display at all.
    Nothing,
}

impl Progress {
    /// Progress in steps, shown as `what: 17`.
    pub fn new(what: &str) -> Self {
        let first = format!("{what}: 0");
        let mut progress = Self::showing(&first, || Display::Spinner(OnceLock::new()));
        progress.what = what.to_owned();
        progress
    }

    /// Progress in lines that the caller words; this is the first. A terminal shows it at once.
    pub fn starting(line: &str) -> Self {
        Self::showing(line, || {
            let spinner = spinner("{spinner} {msg}");
            spinner.set_message(line.to_owned());
            Display::Spinner(spinner.into())
        })
    }

    /// Something that says nothing until it is done; a terminal shows nothing.
    pub fn waiting(line: &str) -> Self {
        Self::showing(line, || Display::Nothing)
    }

    fn showing(line: &str, on_terminal: impl FnOnce() -> Display) -> Self {
        let latest = Latest::new(Mutex::new(line.to_owned()));
        let display = match std::io::stderr().is_terminal() {
            true => on_terminal(),
            false => lines(&latest),
        };
        let (what, done, started) = (String::new(), AtomicU64::new(0), Instant::now());
        Self { what, done, started, latest, display }
    }

    /// One more step is done.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.show(&format!("{}: {done}", self.what));
    }

    /// Shows a line in place of the one before.
    pub fn show(&self, line: &str) {
        line.clone_into(&mut self.latest.lock().unwrap_or_else(PoisonError::into_inner));
        if let Display::Spinner(shown) = &self.display
            && (shown.get().is_some() || self.started.elapsed() > PATIENCE)
        {
            shown
                .get_or_init(|| spinner("{spinner} {msg} ({elapsed})"))
                .set_message(line.to_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Spinner(spinner) = &self.display
            && let Some(spinner) = spinner.get()
        {
            spinner.finish_and_clear();
        }
    }
}

fn spinner(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::new_spinner().with_style(style);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

fn lines(latest: &Latest) -> Display {
    if std::env::var_os(SWITCH).is_some_and(|switch| switch == "never") {
        return Display::Nothing;
    }
    Display::Lines { _ticker: Ticker::new(latest.clone(), waits(), say) }
}

/// How long to wait before each line: they come after 2, 4, 8, 16 … seconds.
fn waits() -> impl Iterator<Item = Duration> + Send {
    let longer = |wait: &Duration| Some((*wait * 2).min(LONGEST_WAIT));
    std::iter::once(PATIENCE).chain(std::iter::successors(Some(PATIENCE), longer))
}

/// A thread that prints the latest line, until it is dropped.
struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn new(
        latest: Latest,
        waits: impl Iterator<Item = Duration> + Send + 'static,
        print: impl Fn(String) + Send + 'static,
    ) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut elapsed = Duration::ZERO;
            for wait in waits {
                if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                elapsed += wait;
                let line = latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
                print(format!(
                    "{} ({} s)\n",
                    line.replace(char::is_control, " "),
                    elapsed.as_secs()
                ));
            }
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_at_two_seconds_and_then_ever_more_rarely() {
        let mut elapsed = 0;
        let times = waits().map(|wait| {
            elapsed += wait.as_secs();
            elapsed
        });
        let times: Vec<_> = times.take(11).collect();
        assert_eq!(times, [2, 4, 8, 16, 32, 64, 128, 256, 512, 812, 1112]);
    }

    #[test]
    fn a_line_is_plain_text_with_the_time_that_passed() {
        let (print, printed) = mpsc::channel();
        let latest = Latest::new(Mutex::new("runs read: \x1b[1m17".into()));
        let waits = [Duration::ZERO, Duration::ZERO].into_iter();
        let mut ticker = Ticker::new(latest, waits, move |line| print.send(line).unwrap());
        ticker.thread.take().unwrap().join().unwrap();
        let line = "runs read:  [1m17 (0 s)\n";
        assert_eq!(printed.iter().collect::<Vec<_>>(), [line, line]);
    }

    #[test]
    fn nothing_is_printed_once_the_work_is_done() {
        let (print, printed) = mpsc::channel();
        let latest = Latest::new(Mutex::new("runs read: 1".into()));
        let waits = std::iter::repeat(Duration::from_secs(3600));
        drop(Ticker::new(latest, waits, move |line| print.send(line).unwrap()));
        assert_eq!(printed.iter().count(), 0);
    }
}
