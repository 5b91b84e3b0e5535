//! Where things lie in a linked program.

use crate::alone;
use crate::common::{self, symbol};
use border::End;
use config::Config;

#[test]
fn the_programs_text_is_apart_from_the_librarys() {
    let file = common::link(&common::test_source("conformance"));
    let at = |name: &str| symbol(&file, name);
    let library = at("__library_text_start")..at("__library_text_end");
    let program = at("__program_text_start")..at("__program_text_end");
    // With the compiler's own functions: division of 64 bits, addition of doubles, a sine.
    for name in ["pthread_mutex_lock", "printf", "memcpy", "__udivdi3", "__adddf3", "sin"] {
        assert!(library.contains(&at(name)), "{name} at {:#x}", at(name));
    }
    for name in ["main", "try_to_lock", "run_detached"] {
        assert!(program.contains(&at(name)), "{name} at {:#x}", at(name));
    }
    assert!(library.end <= program.start && program.end <= at("__text_end"));
    assert!(at("__firmware_end") <= library.start && at("__text_end") <= at("__heap_start"));
    assert!(program.end - program.start < 0x4000, "more than the program is in its text");
}

#[test]
fn a_program_may_use_names_that_c_leaves_free() {
    let file = common::link(&common::test_source("own_names"));
    let end = alone::run(&file, &Config::default(), 1, 1_000_000);
    assert_eq!(end.text(1), "my own write\n5 [] 7 abc\n");
    assert_eq!(end.stop, End::Exit { code: 0 });
}

#[test]
fn segments_do_not_overlap() {
    for name in firmware::programs::ALL {
        let file = common::link(&firmware::programs::source(name));
        let mut end = 0;
        for segment in alone::segments(&file) {
            assert!(segment.start >= end, "{name}: {segment:#x?} after {end:#x}");
            end = segment.end;
        }
    }
}
