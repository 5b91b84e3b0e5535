//! Damaged programs have fewer names, and do no harm.

use crate::common::Subject;
use border::map::RAM;
use evidence::log::{Recorder, Stopped};
use evidence::names::Names;
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

static NAMED: LazyLock<Subject> = LazyLock::new(|| Subject::new("named.c"));
static WHOLE: LazyLock<&[u8]> = LazyLock::new(|| &NAMED.file);

/// Asks for everything.
fn look(file: &[u8]) {
    let Ok(names) = Names::read(file, &[]) else { return };
    for pc in (RAM.base..RAM.base + 0x1_8000).step_by(0x94) {
        names.line(pc);
        names.functions(pc);
    }
    let log = Recorder::new(NAMED.lab.code.clone(), Arc::default()).finish(Stopped::Ended);
    for address in (RAM.base..RAM.base + 0x2_0000).step_by(0x3c) {
        names.variable(&log, address, 4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_that_ends_early_does_no_harm(end in 0_usize..WHOLE.len()) {
        look(&WHOLE[..end]);
    }

    #[test]
    fn changed_bytes_do_no_harm(changes in prop::collection::vec((0_usize..WHOLE.len(), any::<u8>()), 1..200)) {
        let mut file = WHOLE.to_vec();
        for (at, byte) in changes {
            file[at] = byte;
        }
        look(&file);
    }
}
