//! JSON, GraphML and DOT: out and in again is the identity, and what is cut off is refused.

use crate::samples::{any_run, every_kind_of_frame};
use crosstalk::formats::{self, Format};
use proptest::prelude::*;
use record::{End, Run};

fn sample() -> Run {
    let mut run = Run::read(&every_kind_of_frame()[..]).unwrap();
    run.edges.truncate(6);
    run.header.program = "a \"quoted\" \\ <name> & more\n".into();
    run
}

#[test]
fn every_prefix_is_refused_with_its_offset() {
    for format in [Format::Json, Format::GraphMl, Format::Dot] {
        let bytes = formats::write(&sample(), format, &|_| Some("here\\".into()));
        assert_eq!(formats::read(&bytes).unwrap(), sample(), "{format:?}");
        // The last line break may go.
        for length in 0..bytes.len() - 1 {
            let error = formats::read(&bytes[..length]).expect_err("a prefix");
            assert!(error.offset <= length as u64, "{format:?}, {length} bytes: {error}");
            assert!(!error.reason.is_empty());
        }
    }
}

#[test]
fn damage_is_refused_or_gives_a_run_but_never_a_panic() {
    for format in Format::ALL {
        let whole = formats::write(&sample(), format, &|_| None);
        let mut bytes = whole.clone();
        for place in 0..whole.len() {
            for wrong in [whole[place] ^ 0x80, whole[place] ^ 1, b'"', b'<'] {
                bytes[place] = wrong;
                if let Err(error) = formats::read(&bytes) {
                    assert!(error.offset <= bytes.len() as u64, "{format:?}: {error}");
                }
            }
            bytes[place] = whole[place];
        }
    }
}

#[test]
fn wrong_content_is_refused_where_it_stands() {
    let dot = String::from_utf8(formats::write(&sample(), Format::Dot, &|_| None)).unwrap();
    let cases = [
        ("count=\"", "count=\"x", "`count`: expected a number"),
        ("n0 -> ", "n99 -> ", "`n99` is not a node"),
        ("kind=\"RAW\"", "kind=\"WAR\"", "unknown"),
        ("seed=", "sead=", "`seed` is missing"),
        ("}\n", "} more\n", "expected the end of the file"),
    ];
    for (from, to, reason) in cases {
        let wrong = dot.replacen(from, to, 1);
        assert_ne!(wrong, dot, "{from}");
        let error = formats::read(wrong.as_bytes()).unwrap_err();
        assert!(error.reason.contains(reason), "{error}");
    }
    let xml = String::from_utf8(formats::write(&sample(), Format::GraphMl, &|_| None)).unwrap();
    let wrong = xml.replacen("target=\"n", "target=\"m", 1);
    let error = formats::read(wrong.as_bytes()).unwrap_err();
    assert_eq!(error.offset as usize, wrong.find("<edge").unwrap(), "{error}");
    // Entities that grow without bound are not even looked at.
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><graphml>&a;</graphml>";
    assert!(formats::read(bomb.as_bytes()).is_err());
}

#[test]
fn what_the_header_rules_out_is_refused_in_every_format() {
    for (change, reason) in [
        (|run: &mut Run| run.header.events = 1, "needs more than 2 bits"),
        (|run: &mut Run| run.header.harts = 2, "expected a hart below 2"),
        (|run: &mut Run| run.header.pc_bits = 24, "needs more than 24 bits"),
        (|run: &mut Run| run.lost.extend([(record::Hart(4), 1)]), "expected a hart below 4"),
    ] as [(fn(&mut Run), &str); 4]
    {
        let mut run = sample();
        change(&mut run);
        for format in Format::ALL {
            let bytes = formats::write(&run, format, &|_| None);
            let error = formats::read(&bytes).unwrap_err();
            assert!(error.reason.contains(reason), "{format:?}: {error}");
        }
    }
}

#[test]
fn a_fault_in_json_has_its_causes_name() {
    let cause = border::interrupt::Cause::of_mcause(5);
    let mut run = sample();
    run.ending.outcome = End::Fault { pc: 0x10, address: 0x20, cause };
    let json = formats::write(&run, Format::Json, &|_| None);
    let document: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let named = serde_json::json!({ "number": 5, "name": "load access fault" });
    assert_eq!(document["outcome"]["cause"], named);
    assert_eq!(formats::read(&json).unwrap(), run);
    // As it was written before it had a name.
    let mut bare = document;
    bare["outcome"]["cause"] = 5.into();
    assert_eq!(formats::read(bare.to_string().as_bytes()).unwrap(), run);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn export_and_import_is_the_identity(run in any_run()) {
        for format in Format::ALL {
            let bytes = formats::write(&run, format, &|node| Some(format!("<{:#x}> \"&\"", node.pc.0)));
            let back = formats::read(&bytes);
            prop_assert_eq!(back.as_ref(), Ok(&run), "{:?}", format);
        }
    }

    #[test]
    fn garbage_is_refused(start in "[{<d]", rest in ".{0,200}") {
        let text = start + &rest;
        prop_assert!(formats::read(text.as_bytes()).is_err());
    }
}
