//! Processor time of this thread: what others do on the machine is not in it.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread so far, in seconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds that `work` takes, with what it makes thrown away at the end.
pub fn seconds<R>(work: impl FnOnce() -> R) -> f64 {
    let start = now();
    drop(black_box(work()));
    now() - start
}

/// The middle one.
pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    match samples.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => samples[count / 2],
        count => (samples[count / 2 - 1] + samples[count / 2]) / 2.0,
    }
}

/// The median of `repetitions` calls after one that warms up.
pub fn median_of<R>(repetitions: usize, mut work: impl FnMut() -> R) -> f64 {
    drop(black_box(work()));
    median((0..repetitions).map(|_| seconds(&mut work)).collect())
}
