//! A thread that waits leaves the lines of those that work alone.

use crate::alone;
use crate::common::{self, symbol};
use border::End;
use config::Config;

const LIMIT: u64 = 20_000_000;

/// How much harts communicate, in library and program, while two of them wait for `turns` turns.
fn communication(how: &str, turns: u32, seed: u64) -> usize {
    let file = common::link(&common::test_source("waits"));
    let range = symbol(&file, "__library_text_start")..symbol(&file, "__program_text_end");
    let file = common::with(file, |settings| {
        settings.range = range;
        settings.arguments = vec![b"waits".to_vec(), how.into(), turns.to_string().into_bytes()];
    });
    let end = alone::run(&file, &Config::default(), seed, LIMIT);
    assert_eq!(end.stop, End::Exit { code: 0 }, "{how}: {}", end.text(2));
    assert_eq!(end.text(1), "done\n");
    end.taps.len()
}

#[test]
fn waiting_longer_makes_no_more_traffic() {
    for how in ["mutex", "condition", "rwlock", "spin", "barrier", "semaphore", "once", "join"] {
        for seed in 0..3 {
            let (short, long) = (communication(how, 2_000, seed), communication(how, 60_000, seed));
            // Schedules differ a little in who comes when; waiting in a loop would make thousands.
            assert!(long < short + 40, "{how}, seed {seed}: {short} edges, then {long}");
        }
    }
}

#[test]
fn no_wake_up_is_ever_lost() {
    let file = common::link(&common::test_source("wakeups"));
    for seed in 0..25 {
        let end = alone::run(&file, &Config::default(), seed, LIMIT);
        assert_eq!(end.text(1), "40 rounds\n", "seed {seed}: {:?}: {}", end.stop, end.text(2));
    }
}
