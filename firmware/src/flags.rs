//! Flags for the compiler, as any `cc` takes them.
//!
//! `zig cc` knows three build modes and folds `-O1`, `-O2` and `-O3` into one of them. [`for_zig`] keeps the
//! mode for what zig adds by itself and hands clang the level that was asked for.

use std::ffi::{OsStr, OsString};

/// The flag for a file that the program can open: `--file NAME` or `--file NAME=PATH`.
pub const FILE: &str = "--file";
/// The flag for a signal at a time: `--signal INT@2000`.
pub const SIGNAL: &str = "--signal";
/// The flag for malloc-coloring: each block of the heap gets a color of its own.
pub const COLOR_MALLOC: &str = "--color-malloc";
/// What makes the linker take the part of the library that does it (`library/color/blocks.c`).
const COLORED_BLOCKS: &str = "-Wl,-u,__wrap_malloc";

/// Flags whose value is the next argument.
const WITH_VALUE: [&str; 28] = [
    FILE,
    SIGNAL,
    "-A",
    "-D",
    "-I",
    "-L",
    "-T",
    "-U",
    "-e",
    "-l",
    "-u",
    "-x",
    "-z",
    "-MF",
    "-MQ",
    "-MT",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-target",
    "-mllvm",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
];

/// What other systems need for threads and mathematics. Both are always linked here.
const UNNEEDED: [&str; 4] = ["-pthread", "-lpthread", "-lm", "-lrt"];

/// The level without any `-O` flag. It is the one level for which zig's mode and clang's level agree.
const DEFAULT_LEVEL: &str = "2";

/// Whether the value of this flag is the next argument, as in `-I folder`.
pub fn takes_value(flag: &OsStr) -> bool {
    WITH_VALUE.iter().any(|known| flag == *known)
}

/// The flags for `zig cc`: the last optimization level first, so that `-Xclang` can still override it, then all
/// other flags in their order.
pub(crate) fn for_zig(flags: &[OsString]) -> Vec<OsString> {
    let mut level = DEFAULT_LEVEL;
    let mut others = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        if let Some(asked) = level_of(flag) {
            level = asked;
        } else if UNNEEDED.iter().any(|unneeded| flag == *unneeded) {
            continue;
        } else if flag == COLOR_MALLOC {
            others.push(COLORED_BLOCKS.into());
        } else {
            others.push(flag.clone());
            if takes_value(flag) {
                others.extend(rest.next().cloned());
            }
        }
    }
    optimized(level).into_iter().chain(others).collect()
}

/// The level in `-O3` or `--optimize=3`. A bare `-O` is `-O1`, as in clang.
fn level_of(flag: &OsStr) -> Option<&str> {
    let flag = flag.to_str()?;
    let level = match flag.strip_prefix("--optimize") {
        Some(rest) if rest.is_empty() || rest.starts_with('=') => rest.trim_start_matches('='),
        _ => flag.strip_prefix("-O")?,
    };
    Some(if level.is_empty() { "1" } else { level })
}

/// What makes zig's clang compile at this level. Where the level goes to clang past its driver, the vectorizers,
/// which the driver switches by level, are switched here.
fn optimized(level: &str) -> Vec<OsString> {
    let flags: &[&str] = match level {
        "0" => &["-O0"],
        "1" => &["-O2", "-Xclang", "-O1", "-fno-vectorize", "-fno-slp-vectorize"],
        "g" => &["-O2", "-Xclang", "-Og", "-fno-vectorize", "-fno-slp-vectorize"],
        "2" => &["-O2"],
        "3" => &["-O2", "-Xclang", "-O3"],
        "fast" => &["-O2", "-Xclang", "-O3", "-ffast-math"],
        "s" => &["-Os"],
        "z" => &["-Os", "-Xclang", "-Oz", "-fno-vectorize"],
        // Above 3, or no level at all: clang itself warns or refuses.
        other => return vec!["-O2".into(), "-Xclang".into(), format!("-O{other}").into()],
    };
    flags.iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zig(flags: &str) -> String {
        let flags: Vec<OsString> = flags.split_whitespace().map(OsString::from).collect();
        let flags: Vec<_> =
            for_zig(&flags).into_iter().map(|flag| flag.into_string().unwrap()).collect();
        flags.join(" ")
    }

    #[test]
    fn the_last_level_on_the_line_wins() {
        assert_eq!(zig("-O3 -DN=8 -O2 -g"), "-O2 -DN=8 -g");
        assert_eq!(zig("-O2 -O3"), "-O2 -Xclang -O3");
        assert_eq!(zig("-O0 --optimize=s"), "-Os");
    }

    #[test]
    fn malloc_coloring_is_a_part_of_the_library() {
        assert_eq!(zig("--color-malloc -O2"), "-O2 -Wl,-u,__wrap_malloc");
        assert_eq!(zig("-I --color-malloc"), "-O2 -I --color-malloc");
    }

    #[test]
    fn without_a_level_it_is_the_second() {
        assert_eq!(zig(""), "-O2");
        assert_eq!(zig("-DN=8"), zig("-DN=8 -O2"));
    }

    #[test]
    fn a_bare_o_is_the_first_level() {
        assert_eq!(zig("-O"), zig("-O1"));
        assert_eq!(zig("--optimize"), zig("-O1"));
    }

    #[test]
    fn the_value_of_another_flag_is_no_level() {
        assert_eq!(zig("-D -O3"), "-O2 -D -O3");
        assert_eq!(zig("-Xclang -O3 -O1"), zig("-O1") + " -Xclang -O3");
    }

    #[test]
    fn what_is_always_linked_is_left_out() {
        assert_eq!(zig("-pthread -lm -Wall"), "-O2 -Wall");
        assert_eq!(zig("-D -lm"), "-O2 -D -lm", "the value of another flag");
    }
}
