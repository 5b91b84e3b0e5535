use proptest::prelude::*;

use super::*;

/// As Verilator 5.48 wrote it.
const REAL: &str = "# SystemC::Coverage-3\n\
C '\x01f\x02m.v\x01l\x0210\x01n\x0217\x01t\x02toggle\x01page\x02v_toggle/m\x01o\x02clk:0->1\x01h\x02TOP.m' 100\n\
C '\x01f\x02m.v\x01l\x02121\x01n\x025\x01t\x02branch\x01page\x02v_branch/m\x01o\x02if\x01S\x02121-122\x01h\x02TOP.m' 0\n\
C '\x01f\x02m.v\x01l\x02121\x01n\x026\x01t\x02branch\x01page\x02v_branch/m\x01o\x02else\x01h\x02TOP.m' 99\n";

#[test]
fn real_data_is_read() {
    let coverage = Coverage::parse(REAL).unwrap();
    let points: Vec<_> = coverage
        .points()
        .map(|(point, count)| (point.line, point.kind.name(), point.what.as_str(), count))
        .collect();
    assert_eq!(
        points,
        [(10, "toggle", "clk:0->1", 100), (121, "branch", "if", 0), (121, "branch", "else", 99)]
    );
}

#[test]
fn instances_of_one_module_are_one_point() {
    let twice = format!("{REAL}{}", REAL.split_once('\n').unwrap().1.replace("TOP.m", "TOP.n"));
    let coverage = Coverage::parse(&twice).unwrap();
    let counts: Vec<_> = coverage.points().map(|(_, count)| count).collect();
    assert_eq!(counts, [200, 0, 198]);
}

#[test]
fn merging_adds_and_says_whether_it_told_anything_new() {
    let mut total = Coverage::default();
    let run = Coverage::parse(REAL).unwrap();
    assert!(total.merge(run.clone()));
    assert!(!total.merge(run));
    let reached = Coverage::parse(&REAL.replace("' 0\n", "' 5\n")).unwrap();
    assert!(total.merge(reached));
    assert_eq!(total.points().map(|(_, count)| count).collect::<Vec<_>>(), [300, 5, 297]);
}

#[test]
fn damage_is_refused_with_its_line() {
    let error = |text: &str| Coverage::parse(text).unwrap_err().to_string();
    assert!(error("").starts_with("line 1: not coverage data"));
    assert!(error("# SystemC::Coverage-4\n").starts_with("line 1: "));
    for (good, bad, complaint) in [
        ("C '\x01f\x02m.v\x01l\x0210", "D '", "line 2: expected the line to begin with `C '`"),
        ("' 100", "", "line 2: expected `' ` and a count after the keys"),
        ("' 100", "' many", "line 2: expected a count, got `many`"),
        ("' 100", "' -1", "line 2: expected a count, got `-1`"),
        (
            "\x01f\x02m.v\x01l\x0210",
            "\x01l\x0210",
            "line 2: the coverage key `f` (file) is missing",
        ),
        (
            "\x01f\x02m.v\x01l\x0210",
            "\x01f\x02m.v",
            "line 2: the coverage key `l` (line) is missing",
        ),
        ("\x01t\x02toggle", "", "line 2: the coverage key `t` (kind) is missing"),
        ("\x01t\x02toggle", "\x01t", "line 2: the coverage key `t` has no value"),
        ("\x01l\x0210", "\x01l\x0210\x01l\x0211", "line 2: the coverage key `l` is given twice"),
        ("\x01l\x0210", "\x01l\x02x", "line 2: expected a line or column number, got `x`"),
        ("clk:0", "%zz", "line 2: expected two hexadecimal digits after every `%` in `%zz->1`"),
        ("121-122", "122-121", "line 3: expected line ranges such as 12-14,17, got `122-121`"),
    ] {
        assert_eq!(error(&REAL.replacen(good, bad, 1)), complaint);
    }
}

fn any_point() -> impl Strategy<Value = Point> {
    let kind = prop_oneof!["line", "branch", "toggle", "user"].prop_map(|name| Kind::named(&name));
    let ranges = prop::collection::vec((0..9000_u32, 0..50_u32), 0..4);
    let lines = ranges.prop_map(|ranges| {
        Lines::new(ranges.iter().map(|(first, more)| (*first, first + more)).collect()).unwrap()
    });
    (any::<String>(), any::<u32>(), any::<u32>(), kind, any::<String>(), lines).prop_map(
        |(file, line, column, kind, what, lines)| Point { file, line, column, kind, what, lines },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        points in prop::collection::vec((any_point(), any::<u64>()), 0..20),
    ) {
        let mut coverage = Coverage::default();
        for (point, count) in points {
            coverage.add(point, count);
        }
        prop_assert_eq!(Coverage::parse(&coverage.to_string()), Ok(coverage));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = Coverage::parse(&text);
        let _ = Coverage::parse(&format!("{HEADER}\n{text}"));
    }

    #[test]
    fn no_damage_makes_the_reader_panic(cut in 0..REAL.len(), byte in any::<u8>()) {
        let mut bytes = REAL.as_bytes().to_vec();
        bytes[cut] = byte;
        let _ = Coverage::parse(&String::from_utf8_lossy(&bytes));
        let _ = Coverage::parse(&REAL[..cut]);
    }
}
