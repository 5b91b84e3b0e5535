//! The differential tests themselves: they can fail, and they say enough when they do.

mod pasted;

use std::collections::BTreeSet;
use std::sync::Arc;

use crosstalk_tests::circuit::{
    Binary, Circuit, Id, Item, Kind, Op, Output, Shift, Stmt, Unary, Unit, print,
};
use crosstalk_tests::differ::{Differ, Trouble, seed, specimens};
use crosstalk_tests::pack::{Member, Subject};
use crosstalk_tests::simulators::{self, Reference, Simulator};
use crosstalk_tests::stimulus::{Response, Stimulus};

/// Two inputs and their sum.
fn adder() -> Member {
    let sum = Op::Binary(Binary::Add, Id(0), Id(1));
    let unit = Unit {
        inputs: vec![(Id(0), 33), (Id(1), 33)],
        items: vec![Item::Let { id: Id(2), width: 33, op: sum, named: false }],
        outputs: vec![Output { value: Id(2), width: 33, direct: false }],
    };
    Member { number: 0, circuit: Arc::new(Circuit { modules: vec![unit] }) }
}

#[test]
fn a_broken_operator_in_the_verilog_is_seen_by_every_simulator_of_verilog() {
    let (simulators, _) = simulators::all().unwrap_or_else(|missing| panic!("{missing}"));
    let differ = Differ { simulators: &[], seed: seed(1), cycles: 8 };
    let sound = Subject::new(&[adder()]).expect("an adder elaborates");
    let mut broken = sound.clone();
    for (_, text) in &mut broken.files {
        *text = text.replace("i0 + i1", "i0 - i1");
    }
    assert_ne!(sound.files, broken.files, "the sum is written as `i0 + i1`");
    for simulator in &simulators {
        let agreed = differ.compare(&sound, &**simulator);
        assert!(agreed.is_none(), "{}: {agreed:?}", simulator.name());
        if simulator.name() != "native" {
            let trouble = differ.compare(&broken, &**simulator);
            assert!(matches!(trouble, Some(Trouble::Different { .. })), "{}", simulator.name());
        }
    }
}

/// Takes every sum for a difference.
struct Mistaken;

impl Simulator for Mistaken {
    fn name(&self) -> &'static str {
        "mistaken"
    }

    fn patience(&self) -> usize {
        1000
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let mut subject = subject.clone();
        for member in &mut subject.members {
            let mut circuit = (*member.circuit).clone();
            for item in circuit.modules.iter_mut().flat_map(|unit| &mut unit.items) {
                if let Item::Let { op: Op::Binary(op @ Binary::Add, ..), .. } = item {
                    *op = Binary::Sub;
                }
            }
            member.circuit = Arc::new(circuit);
        }
        Reference.run(&subject, stimulus)
    }
}

#[test]
fn a_disagreement_shrinks_to_little_more_than_the_operator_at_fault() {
    let simulators: [Box<dyn Simulator>; 1] = [Box::new(Mistaken)];
    let differ = Differ { simulators: &simulators, seed: 1, cycles: 96 };
    let report = differ.check(specimens(1, 0..128)).expect_err("sums are common");
    let rust = report.text.split("--- Rust ---").nth(1).expect("the report has Rust");
    let rust = rust.split("--- Verilog ---").next().expect("and Verilog");
    let steps = rust.lines().filter(|line| line.trim_start().starts_with("let v")).count();
    assert!(rust.contains(" + ") && steps <= 3, "{report}");
    for part in ["of seed 1", "mistaken disagrees", "reference", "in cycle", "module pack"] {
        assert!(report.text.contains(part), "the report lacks `{part}`: {report}");
    }
}

#[test]
fn the_same_seed_gives_the_same_circuits_in_any_company() {
    let alone = &specimens(7, 5..6)[0];
    let among = &specimens(7, 0..8)[5];
    assert_eq!(alone.member.circuit, among.member.circuit);
    assert_ne!(alone.member.circuit, specimens(8, 5..6)[0].member.circuit);
}

/// A short name for everything the language has that a circuit uses.
fn features(circuit: &Circuit) -> BTreeSet<String> {
    fn statements(body: &[Stmt], found: &mut BTreeSet<String>) {
        for stmt in body {
            found.insert(match stmt {
                Stmt::Set { part: None, .. } => "set".into(),
                Stmt::Set { part: Some(_), .. } => "set part".into(),
                Stmt::SetVariant { kind, .. } => format!("set {kind:?}"),
                Stmt::When { arms, otherwise } => {
                    format!("when, elsewhen {}, otherwise {}", arms.len() > 1, otherwise.is_some())
                }
                Stmt::Switch { kind, default, .. } => {
                    format!("switch {kind:?}, default {}", default.is_some())
                }
                Stmt::Write { mask, .. } => format!("write, masked {}", mask.is_some()),
            });
            stmt.bodies().into_iter().for_each(|body| statements(body, found));
        }
    }
    let mut found = BTreeSet::new();
    found.insert(format!("{} modules", circuit.modules.len()));
    for item in circuit.modules.iter().flat_map(|unit| &unit.items) {
        let feature = match item {
            Item::Let { op, .. } => match op {
                Op::Unary(op, _) => format!("{op:?}"),
                Op::Binary(op, ..) => format!("{op:?}"),
                Op::Shift(op, ..) => format!("{op:?} by a signal"),
                Op::ShiftBy(op, ..) => format!("{op:?} by a number"),
                Op::Is(_, kind, _) => format!("is {kind:?}"),
                op => format!("{op:?}").split('(').next().unwrap_or_default().into(),
            },
            Item::Reg { reset, kind, .. } => {
                format!("register {kind:?}, reset {}", reset.is_some())
            }
            Item::RegNext { .. } => "reg_next".into(),
            Item::Wire { kind, .. } => format!("wire {kind:?}"),
            Item::Memory { depth, init, .. } => format!(
                "memory, power of two {}, contents {}",
                depth.is_power_of_two(),
                !init.is_empty()
            ),
            Item::Read { enable, .. } => format!("read, synchronous {}", enable.is_some()),
            Item::Block(body) | Item::Instance { drive: body, .. } => {
                statements(body, &mut found);
                if matches!(item, Item::Block(_)) { "block".into() } else { "instance".into() }
            }
        };
        found.insert(feature);
    }
    found
}

#[test]
fn the_circuits_use_everything_the_language_has() {
    let mut found = BTreeSet::new();
    let mut widths = BTreeSet::new();
    for specimen in specimens(1, 0..1024) {
        found.extend(features(&specimen.member.circuit));
        let items = specimen.member.circuit.modules.iter().flat_map(|unit| &unit.items);
        widths.extend(items.flat_map(Item::makes).map(|(_, width)| width));
    }
    let yes_no = [true, false];
    let mut wanted: Vec<String> = Vec::new();
    wanted.extend(Unary::ALL.map(|op| format!("{op:?}")));
    wanted.extend(Binary::ALL.map(|op| format!("{op:?}")));
    for shift in [Shift::Left, Shift::Right, Shift::Arithmetic] {
        wanted.extend(["signal", "number"].map(|by| format!("{shift:?} by a {by}")));
    }
    for plain in ["Const", "Mul", "Mux", "Slice", "At", "Cat", "Repeat", "Zext", "Sext", "Trunc"] {
        wanted.push(plain.into());
    }
    for plain in ["Select", "reg_next", "block", "instance", "set", "set part"] {
        wanted.push(plain.into());
    }
    wanted.extend((1..=4).map(|count| format!("{count} modules")));
    for flag in yes_no {
        wanted.push(format!("read, synchronous {flag}"));
        wanted.push(format!("write, masked {flag}"));
        for other in yes_no {
            wanted.push(format!("memory, power of two {flag}, contents {other}"));
            wanted.push(format!("when, elsewhen {flag}, otherwise {other}"));
        }
    }
    for kind in Kind::ALL.map(Some).into_iter().chain([None]) {
        wanted.push(format!("wire {kind:?}"));
        wanted.extend(kind.map(|kind| format!("is {kind:?}")));
        wanted.extend(kind.map(|kind| format!("set {kind:?}")));
        for flag in yes_no {
            wanted.push(format!("register {kind:?}, reset {flag}"));
            if flag && kind == Some(Kind::Phase) {
                continue;
            }
            wanted.push(format!("switch {kind:?}, default {flag}"));
        }
    }
    let missing: Vec<&String> = wanted.iter().filter(|want| !found.contains(*want)).collect();
    assert!(missing.is_empty(), "no circuit has {missing:?}");
    let edges = [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];
    assert!(edges.iter().all(|width| widths.contains(width)), "{widths:?}");
}

#[test]
fn printed_rust_describes_the_very_circuit() {
    let circuit = pasted::circuit();
    let printed = print::rust(&circuit);
    let paste = include_str!("pasted/printed.rs");
    assert_eq!(printed, paste, "printed.rs is this text, as printed");
    let member = Member { number: 0, circuit: Arc::new(circuit) };
    let subject = Subject::new(&[member]).expect("it elaborates");
    // Without headers, places in the source and the names of modules both are the same text.
    let text = |verilog: &str| -> Vec<String> {
        let lines =
            verilog.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end());
        lines.map(|line| line.replace("c0_unit0", "unit0").replace("c0", "unit1")).collect()
    };
    for (ours, (_, theirs)) in pasted::design().verilog(&[]).iter().zip(&subject.files) {
        let body = |all: Vec<String>| -> Vec<String> {
            all.into_iter().skip_while(|line| !line.starts_with("module")).collect()
        };
        assert_eq!(body(text(&ours.text)), body(text(theirs)));
    }
}
