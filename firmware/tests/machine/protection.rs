//! What a program must not touch: it gets a fault that names the address, and sees nothing.

use crate::alone;
use crate::common::{self, symbol};
use border::interrupt::{Cause, Exception};
use border::monitor::{self, Word};
use border::{clint, map, uart};
use config::Config;
use record::End;

const LIMIT: u64 = 2_000_000;

fn touch(how: &str, address: u32) -> alone::Finished {
    let file = common::with(common::link(&common::test_source("touch")), |settings| {
        settings.arguments =
            vec![b"touch".to_vec(), how.into(), format!("{address:#x}").into_bytes()];
    });
    alone::run(&file, &Config::default(), 1, LIMIT)
}

fn forbidden() -> Vec<(&'static str, u32)> {
    let file = common::link(&common::test_source("touch"));
    vec![
        ("a monitor register", monitor::address(0, Word::Control)),
        ("another hart's monitor", monitor::address(1, Word::TableCount)),
        ("the software interrupts", clint::Word::Msip.address(0)),
        ("the timer", clint::Word::Mtime.address(0)),
        ("the serial port", uart::Word::Data.address()),
        ("the firmware's text", map::RAM.base),
        ("the parameters", symbol(&file, "crosstalk_parameters")),
        ("the harts' blocks", symbol(&file, "crosstalk_harts")),
        ("tohost", symbol(&file, "tohost")),
        ("the firmware's last word", symbol(&file, "__firmware_end") - 4),
        ("the edges at the end of RAM", 0x80ff_fffc),
        ("memory that is not there", 0x8100_0000),
        ("the null page", 0),
    ]
}

#[test]
fn a_forbidden_access_is_a_fault_that_names_the_address() {
    for (what, address) in forbidden() {
        for (how, cause) in [
            ("r", Exception::LoadAccess),
            ("w", Exception::StoreAccess),
            ("x", Exception::FetchAccess),
        ] {
            let end = touch(how, address);
            assert_eq!(end.stop, End::Exit { code: 139 }, "{how} {what}");
            assert_eq!(end.text(1), "", "{how} {what}");
            let message = end.text(2);
            assert!(message.contains(&format!("address {address:#010x}")), "{what}: {message}");
            let outcome = end.record().ending.outcome;
            let End::Fault { address: named, cause: found, .. } = outcome else {
                panic!("{how} {what}: {outcome}")
            };
            assert_eq!((named, found), (u64::from(address), cause.into()), "{how} {what}");
        }
    }
}

#[test]
fn a_program_cannot_write_to_its_text() {
    let file = common::link(&common::test_source("touch"));
    let end = touch("w", symbol(&file, "main"));
    let outcome = end.record().ending.outcome;
    let stored = Cause::Exception(Exception::StoreAccess);
    assert!(matches!(outcome, End::Fault { cause, .. } if cause == stored), "{outcome}");
}

#[test]
fn a_system_call_does_not_show_what_the_program_may_not_read() {
    let file = common::link(&common::test_source("calls"));
    let end = alone::run(&file, &Config::default(), 1, LIMIT);
    assert_eq!(end.text(1), "nothing leaked\n", "{}", end.text(2));
    assert_eq!(end.stop, End::Exit { code: 0 });
}
