//! Ordinary threaded C programs, which do the same on this machine and on any other.

use std::path::{Path, PathBuf};

/// The names of the programs in `firmware/programs`, in order.
pub const ALL: &[&str] = &[
    "bank_transfer",
    "barrier_phases",
    "condition_handoff",
    "dining_philosophers",
    "lock_free_stack",
    "matrix_multiply",
    "once_initialization",
    "parallel_sum",
    "ping_pong",
    "pipeline_stages",
    "prime_sieve",
    "producer_consumer",
    "readers_writers",
    "rwlock_cache",
    "seqlock",
    "thread_specific",
    "timed_wait",
    "token_ring",
    "word_count",
    "work_queue",
];

/// The source of one of them.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name).with_extension("c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_in_the_folder_is_listed_once() {
        let folder = source("any").with_file_name("");
        let entries = std::fs::read_dir(folder).unwrap();
        let mut found: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        found.sort();
        let listed: Vec<_> = ALL.iter().map(|name| source(name)).collect();
        assert_eq!(found, listed);
    }
}
