//! One test for each error, with its text.

use super::*;
use crate::{Breakpoints, Grain, Home, Overflow, Placement, Update};
use proptest::prelude::*;

fn error(text: &str) -> String {
    text.parse::<Config>().unwrap_err().to_string()
}

#[test]
fn nothing_written_is_the_default() {
    assert_eq!("".parse::<Config>().unwrap(), Preset::Sim4.config());
}

#[test]
fn keys_are_laid_over_the_named_preset() {
    let text =
        "preset = 'paper'\nharts = 2\n[l1.data]\nways = 4\n[metadata]\nupdate = 'every-write'";
    let config: Config = text.parse().unwrap();
    let paper = Preset::Paper.config();
    assert_eq!((config.harts, config.l1.data.ways), (2, 4));
    assert_eq!(config.metadata.update, Update::EveryWrite);
    assert_eq!(config.l1.data.bytes, paper.l1.data.bytes);
    assert_eq!(config.ct, paper.ct);
}

#[test]
fn a_number_past_all_limits_is_said_to_be_too_large() {
    let text = "\nharts = 99999999999999999999999";
    assert_eq!(error(text), "line 2, column 9: the number is too large");
}

#[test]
fn a_file_without_end_is_not_read_to_its_end() {
    let path = std::path::Path::new("/dev/zero");
    if path.exists() {
        let error = Config::load(path).unwrap_err().to_string();
        assert_eq!(
            error,
            "cannot read the configuration /dev/zero: too long for a configuration; \
             expected less than 1 MiB"
        );
    }
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_one() {
    assert_eq!(error("hearts = 4"), "unknown key `hearts`; did you mean `harts`?");
    assert_eq!(error("[ct]\ndepht = 4"), "unknown key `ct.depht`; did you mean `ct.depth`?");
    assert_eq!(error("zebra = 1"), "unknown key `zebra`");
    assert_eq!(error("[zebra]\nstripes = 1"), "unknown key `zebra`");
}

#[test]
fn of_many_problems_the_first_ten_are_told() {
    let keys = |count: u32| (0..count).map(|n| format!("zebra{n:03} = 1\n")).collect::<String>();
    assert_eq!(error(&keys(10)).lines().count(), 10);
    let many = error(&keys(700));
    assert_eq!(many.lines().count(), 11, "{many}");
    assert!(many.ends_with("unknown key `zebra009`\nand 690 more"), "{many}");
}

#[test]
fn a_value_out_of_range_is_named_with_key_and_range() {
    assert_eq!(error("harts = 17"), "harts = 17 is not allowed; allowed: 1 to 16");
    assert_eq!(error("harts = 0"), "harts = 0 is not allowed; allowed: 1 to 16");
    assert_eq!(error("harts = -1"), "harts = -1 is not allowed; allowed: 1 to 16");
    assert_eq!(
        error("ct.depth = 9223372036854775807"),
        "ct.depth = 9223372036854775807 is not allowed; allowed: 4 to 65536"
    );
    assert_eq!(
        error("context = { events = 17 }"),
        "context.events = 17 is not allowed; allowed: 0 to 16"
    );
    assert_eq!(
        error("l1.line = 48"),
        "l1.line = 48 is not allowed; allowed: a power of two from 8 to 256"
    );
    assert_eq!(
        error("metadata.update = 'never'"),
        "metadata.update = \"never\" is not allowed; allowed: \"miss\", \"first-write\", \"every-write\""
    );
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_what_is_right() {
    assert_eq!(error("harts = 'four'"), "harts = \"four\" is not allowed; allowed: 1 to 16");
    assert_eq!(error("harts = 4.0"), "harts = 4.0 is not allowed; allowed: 1 to 16");
    assert_eq!(error("standalone = 1"), "standalone = 1 is not allowed; allowed: true, false");
    assert_eq!(error("[harts]\nx = 1"), "harts = a table is not allowed; allowed: 1 to 16");
    assert_eq!(error("l1 = 4096"), "l1 = 4096 is a single value; [l1] is a table of keys");
}

#[test]
fn every_problem_is_reported_at_once() {
    assert_eq!(error("harts = 17\nhearts = 1\ncontext.events = 99").lines().count(), 3);
}

#[test]
fn both_ends_of_a_range_are_allowed() {
    for text in ["harts = 1", "harts = 16", "ct.depth = 4", "ct.depth = 65536"] {
        text.parse::<Config>().unwrap();
    }
    for text in ["context.events = 0", "context.events = 16", "pc_bits = 8", "timestamp_bits = 0"] {
        text.parse::<Config>().unwrap();
    }
}

#[test]
fn wide_pcs_and_times_are_for_the_standalone_monitor_only() {
    assert_eq!(
        error("pc_bits = 33"),
        "pc_bits = 33 is not allowed; allowed: at most 32, unless standalone = true"
    );
    assert_eq!(
        error("timestamp_bits = 64"),
        "timestamp_bits = 64 is not allowed; allowed: at most 32, unless standalone = true"
    );
    let wide = "standalone = true\npc_bits = 64\ntimestamp_bits = 64";
    assert_eq!(wide.parse::<Config>().unwrap().pc_bits, 64);
}

#[test]
fn a_cache_smaller_than_one_set_is_refused() {
    assert_eq!(
        error("l1.data = { bytes = 256, ways = 16 }"),
        "l1.data.bytes = 256 is not allowed; allowed: at least 512, one set of 16 ways × 32 bytes"
    );
    let config: Config = "l1.data = { bytes = 512, ways = 16 }".parse().unwrap();
    assert_eq!(config.l1.data.sets(config.l1.line), 1);
}

#[test]
fn a_reset_vector_between_instructions_is_refused() {
    assert_eq!(
        error("reset_vector = 2"),
        "reset_vector = 2 is not allowed; allowed: a multiple of 4"
    );
}

#[test]
fn what_is_not_built_yet_is_refused_by_name() {
    assert_eq!(
        error("metadata = { home = 'memory', update = 'first-write' }"),
        "metadata.home = \"memory\" is not supported yet; supported: \"l1\""
    );
    assert_eq!(
        error("metadata.grain = 'word'"),
        "metadata.grain = \"word\" is not supported yet; supported: \"line\""
    );
    assert_eq!(
        error("ct.placement = 'central'"),
        "ct.placement = \"central\" is not supported yet; supported: \"per-hart\""
    );
}

#[test]
fn breakpoints_are_in_the_text_of_a_configuration_only_if_there_are_any() {
    let with = |entries| Config { breakpoints: Breakpoints { entries }, ..Config::default() };
    assert!(!with(0).canonical().contains("breakpoints"));
    assert!(with(4).canonical().contains("[breakpoints]\nentries = 4\n"));
    assert_ne!(with(4).hardware_hash(), with(0).hardware_hash());
    let alone = "breakpoints.entries = 4 is not allowed; allowed: 0, because standalone = true: \
                 a monitor alone has no harts to stop";
    assert_eq!(error("standalone = true\nbreakpoints.entries = 4"), alone);
    let past = "breakpoints.entries = 17 is not allowed; allowed: 0 to 16";
    assert_eq!(error("breakpoints.entries = 17"), past);
}

#[test]
fn colorsafe_is_switched_on_by_its_items() {
    let config: Config = "color.items = 30".parse().unwrap();
    assert_eq!((config.color.items, config.color.signature_bits), (30, 256));
    assert_eq!(error("color.items = 65"), "color.items = 65 is not allowed; allowed: 0 to 64");
}

#[test]
fn metadata_in_memory_wants_more_than_misses() {
    assert_eq!(
        error("metadata.home = 'memory'"),
        "metadata.update = \"miss\" is not allowed; \
         allowed: \"first-write\", \"every-write\", because metadata.home = \"memory\""
    );
}

#[test]
fn bad_toml_is_located() {
    assert!(error("harts = 4\nct.depth = = 3").starts_with("line 2, column 12: "));
    assert!(!error("[").contains('\n'));
}

#[test]
fn an_unknown_preset_is_refused() {
    assert!(error("preset = 'papre'").starts_with("preset = \"papre\" is unknown"));
    assert!(error("preset = 4").starts_with("preset = 4 is unknown; allowed: \"sim4\""));
}

#[test]
fn errors_in_a_file_name_the_file() {
    let absent = Config::load(Path::new("/nonexistent.toml")).unwrap_err();
    assert!(absent.to_string().starts_with("cannot read the configuration /nonexistent.toml: "));
    let here = Config::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
    let here = here.unwrap_err().to_string();
    assert!(here.contains("Cargo.toml: unknown key `package`"), "{here}");
}

#[test]
fn a_configuration_made_in_code_is_checked_alike() {
    let config = Config { harts: 99, ..Config::default() };
    let error = config.check().unwrap_err().to_string();
    assert_eq!(error, "harts = 99 is not allowed; allowed: 1 to 16");
}

#[test]
fn one_key_can_be_changed_for_a_sweep() {
    let config = Preset::Paper.config().with("ct.depth = 64").unwrap();
    assert_eq!((config.ct.depth, config.harts), (64, 16));
}

prop_compose! {
    fn any_config()(
        harts in 1..=16u32, events in 0..=16u32, depth in 4..=65536u32,
        standalone: bool, wide in 0..=64u32, bits in 8..=64u32,
        line in 3..=8u32, ways in 0..=4u32, sets in 0..=4u32, seed in 0..=i64::MAX as u64,
        stall: bool, every: bool,
    ) -> Config {
        let mut config = Preset::Sim4.config();
        let most = if standalone { 64 } else { 32 };
        config.harts = harts;
        config.standalone = standalone;
        config.context.events = events;
        config.timestamp_bits = wide.min(most);
        config.pc_bits = bits.min(most);
        config.ct.depth = depth;
        config.l1.line = 1 << line;
        config.l1.data.ways = 1 << ways;
        config.l1.data.bytes = (1 << (line + ways + sets)).max(64);
        config.l1.instruction = config.l1.data;
        config.simulation.seed = seed;
        if stall { config.ct.overflow = Overflow::Stall; }
        if every { config.metadata.update = Update::EveryWrite; }
        config
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(config in any_config()) {
        prop_assert!(config.check().is_ok());
        let again: Config = config.canonical().parse().unwrap();
        prop_assert_eq!(again.hash(), config.hash());
        prop_assert_eq!(again, config);
    }

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>()) {
        let _ = text.parse::<Config>();
    }

    #[test]
    fn no_value_under_any_key_makes_reading_panic(
        index in 0..crate::KEYS.len(),
        value in prop_oneof![
            any::<i64>().prop_map(|i| i.to_string()),
            "\"[ -~&&[^\"\\\\]]{0,80}\"",
            "(true|false|nan|-inf|1\\.5|1979-05-27|\\[1\\]|\\{ a = 1 \\})",
        ],
    ) {
        let key = crate::KEYS[index].path;
        match format!("{key} = {value}").parse::<Config>() {
            Ok(config) => {
                prop_assert!(config.check().is_ok());
                prop_assert_eq!(config.metadata.home, Home::L1);
                prop_assert_eq!(config.metadata.grain, Grain::Line);
                prop_assert_eq!(config.ct.placement, Placement::PerHart);
            }
            Err(error) => prop_assert!(error.to_string().contains(key), "{}", error),
        }
    }
}

#[test]
fn a_seed_that_toml_cannot_write_is_refused_and_no_panic() {
    let mut config = Config::default();
    config.simulation.seed = u64::MAX;
    let said = config.check().unwrap_err().to_string();
    let expected = "simulation.seed = 18446744073709551615 is not allowed; allowed: 0 to 9223";
    assert!(said.contains(expected), "{said}");
    config.simulation.seed = i64::MAX as u64;
    assert_eq!(config.check(), Ok(()));
}
