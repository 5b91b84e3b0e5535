//! Threads begin, end and wait for each other, whatever the schedule.

use crate::{alone, common};
use border::End;
use config::Config;

const LIMIT: u64 = 20_000_000;

#[track_caller]
fn check_printed(source: &str, expected: &str) {
    let file = common::link(&common::test_source(source));
    for seed in 0..12 {
        let end = alone::run(&file, &Config::default(), seed, LIMIT);
        assert_eq!(end.text(1), expected, "seed {seed}: {:?}: {}", end.stop, end.text(2));
        assert_eq!(end.stop, End::Exit { code: 0 }, "seed {seed}");
    }
}

#[test]
fn a_thread_that_is_about_to_start_is_no_deadlock() {
    check_printed("starts", "60 threads\n");
}

#[test]
fn detached_threads_leave_no_memory_behind() {
    check_printed("detached", "few blocks\nfew blocks\n");
}
