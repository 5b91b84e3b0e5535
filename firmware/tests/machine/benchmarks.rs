//! The benchmarks of one hart compute what they must, with every set of flags; CoreMark's port layer, with a stand-in.

use std::fs;

use border::{End, Program};
use config::Config;
use firmware::benchmarks::{self, FLAGS};
use firmware::coremark;

use crate::{alone, common};

const LIMIT: u64 = 20_000_000;

fn one_hart() -> Config {
    Config { harts: 1, ..Config::default() }
}

#[test]
fn benchmarks_check_themselves_with_every_set_of_flags() {
    for name in benchmarks::ALL {
        for flags in FLAGS {
            let program = common::link_with(vec![benchmarks::source(name)], flags);
            let end = alone::run(&program, &one_hart(), 0, LIMIT);
            let text = end.text(1);
            assert_eq!(end.stop, End::Exit { code: 0 }, "{name} {flags:?}: {text}");
            let counted = benchmarks::counted(&text).unwrap();
            assert!(counted.instructions > 20_000, "{name} does next to nothing: {counted:?}");
        }
    }
}

#[test]
fn a_benchmark_whose_result_is_wrong_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (benchmarks::source("mix"), folder.path().join("mix.c"));
    let text = fs::read_to_string(&from).unwrap().replace("% 26", "% 25");
    fs::write(&to, text).unwrap();
    fs::copy(from.with_file_name("benchmark.h"), to.with_file_name("benchmark.h")).unwrap();
    let program = common::link(&to);
    let end = alone::run(&program, &one_hart(), 0, LIMIT);
    assert_eq!(end.stop, End::Exit { code: 1 }, "{}", end.text(1));
    assert!(end.text(1).contains("wrong: "), "{}", end.text(1));
}

/// What the stand-in prints, compiled with these flags.
fn stand_in(flags: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("coremark.elf");
    coremark::build(common::runtime(), &coremark::stand_in(), flags, &out)
        .unwrap_or_else(|error| panic!("{error}"));
    let program = Program::read(&out, Program::ANY_RAM).unwrap();
    let end = alone::run(&program, &one_hart(), 0, LIMIT);
    assert_eq!(end.stop, End::Exit { code: 0 }, "{}", end.text(1));
    end.text(1)
}

#[test]
fn coremark_gets_seeds_time_and_flags_from_the_port_layer() {
    let output = stand_in(&["-O3", "-funroll-loops"]);
    assert!(output.contains("Compiler flags   : -O3 -funroll-loops\n"), "{output}");
    assert!(output.contains("Total time (secs): 2\n"), "{output}");
    let score = coremark::score(&output).unwrap();
    assert_eq!(score.iterations, 40);
    assert!(score.cycles > 100 && score.per_mhz() > 1.0, "{score:?}");
}

#[test]
fn coremark_with_a_wrong_checksum_has_no_score() {
    let output = stand_in(&["-O2", "-DSPOILED"]);
    let said = coremark::score(&output).unwrap_err();
    assert!(said.starts_with("expected 0x1fd7 for `crcmatrix`, got `0x"), "{said}");
}

#[test]
fn a_folder_without_the_sources_is_told_by_the_file_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("coremark.elf");
    let error = coremark::build(common::runtime(), folder.path(), &["-O2"], &out).unwrap_err();
    assert!(error.to_string().contains("core_list_join.c"), "{error}");
}
