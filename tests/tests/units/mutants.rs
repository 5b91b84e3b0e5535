//! `cargo xtask mutate` on a few mutants of one unit: what it says of them is true.
//!
//! These tests start this very program again, with a mutant in the place of the unit.

use mutate::campaign::Workshop;
use mutate::equivalence::Equivalence;
use mutate::mutant::Mutant;
use mutate::netlist::{Netlist, Plan};
use mutate::trial::{Tests, Trial};

fn plan(count: usize) -> Plan {
    Plan { top: "context_register_5".into(), part: None, without: None, count }
}

fn tests() -> Tests {
    let program = std::env::current_exe().expect("this program has a path");
    Tests { program, filters: vec!["context_register::".into()] }
}

/// The number of a mutant of that kind.
fn number_of(netlist: &Netlist, kind: impl Fn(&Mutant) -> bool) -> usize {
    netlist.mutants.iter().find(|mutant| kind(mutant)).expect("there is one").number
}

#[test]
fn a_mistake_is_noticed_and_what_is_none_is_proved() {
    let root = tempfile::tempdir().unwrap();
    let workshop = Workshop::new(root.path(), 1).unwrap();
    let tests = tests();
    let netlist = workshop.mutants(&plan(mutate::targets::COUNT), &tests).unwrap();
    let model = netlist.model().unwrap();

    assert_eq!(tests.try_on(&netlist.folder, 0).unwrap(), Trial::Survived);

    // The register shows a bit upside down.
    let wrong = number_of(&netlist, |it| it.mode == "inv" && it.port == "Q");
    let Trial::Killed(message) = tests.try_on(&netlist.folder, wrong).unwrap() else {
        panic!("mutant {wrong} is not noticed");
    };
    assert!(message.ends_with("of `context_register_5`: hardware and model differ"), "{message}");
    assert_eq!(workshop.prove(&model, wrong).unwrap(), Equivalence::Differs(1));

    // The register is reset to zero, and the mutant sets a bit of that zero to zero.
    let source = netlist.original("context_register_5.v").unwrap();
    let reset_line = 1 + source.lines().position(|line| line.trim() == "if (rst) begin").unwrap();
    let at_reset = format!("context_register_5.v:{reset_line}.");
    let same = number_of(&netlist, |it| {
        it.mode == "const0" && it.port == "B" && it.places[0].contains(&at_reset)
    });
    assert_eq!(tests.try_on(&netlist.folder, same).unwrap(), Trial::Survived);
    assert_eq!(workshop.prove(&model, same).unwrap(), Equivalence::Proved(1));
}
