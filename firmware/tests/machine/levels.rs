//! Each optimization level is the compiler's own.

use std::collections::BTreeMap;
use std::fs;

use crate::common;
use firmware::Build;

/// Code that every level compiles differently.
const SOURCE: &str = "\
#include <stdio.h>
static int total(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 3; j++)
            if (values[i] > j) sum += values[i] * j; else sum -= values[i] ^ j;
    return sum;
}
static __attribute__((noinline)) int first(int *values) { return *values + 1; }
int main(int argc, char **argv) {
    int values[8];
    for (int i = 0; i < 8; i++) values[i] = argc * i;
    printf(\"%d %d\\n\", total(values, argc), first(values));
    printf(\"%d %d\\n\", total(values + 1, 7), first(values + 1));
    return 0;
}
";

fn compiled(flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("levels.c");
    fs::write(&source, SOURCE).unwrap();
    let out = folder.path().join("levels.elf");
    let build = Build { files: vec![source], flags: flags.iter().map(Into::into).collect() };
    common::runtime().build(&build, &out).unwrap();
    fs::read(out).unwrap()
}

#[test]
fn every_optimization_level_compiles_differently() {
    let mut seen = BTreeMap::new();
    for level in ["-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"] {
        if let Some(same) = seen.insert(compiled(&[level]), level) {
            panic!("{level} gives the same bytes as {same}");
        }
    }
}

#[test]
fn the_last_level_counts_and_the_default_is_the_second() {
    let second = compiled(&["-O2"]);
    assert!(compiled(&[]) == second, "the default is -O2");
    assert!(compiled(&["-O3", "-O0", "-O2"]) == second);
    assert!(
        compiled(&["-O2", "-Xclang", "-O3"]) == compiled(&["-O3"]),
        "clang's own way of saying it"
    );
    assert!(compiled(&["-Og"]) != compiled(&["-O0"]), "not a build without optimization");
}
