//! The bugs of Last Writer Slices, Table 1, that the suite does not have, each failing where the bad value is used.
//!
//! Of the paper's seven, the suite has the string buffer of JDK 1.4 (`stringbuffer`) and pbzip2 (`pbzip2-order`) as they are
//! there. Of MySQL 791 it has a program that notices at its end (`mysql-binlog`); the one here aborts at the bad use, as the
//! paper's does.

use super::{Bug, Kind, Set, bug};

const fn last_writer(bug: Bug) -> Bug {
    Bug { set: Set::LastWriters, ..bug }
}

/// The programs in `firmware/last-writers`, in the order of the paper's table.
pub const LAST_WRITERS: &[Bug] = &[
    last_writer(bug(
        "httrack",
        "htrack",
        Kind::Order,
        3,
        &["options.state.lock"],
        "A shell asks an engine for its state before the engine's thread has made the mutex for it.",
    )),
    last_writer(bug(
        "transmission",
        "transmission",
        Kind::Order,
        2,
        &["session->bandwidth"],
        "A timer goes off in the event thread before the session has its bandwidth.",
    )),
    last_writer(bug(
        "mysql-791",
        "mysql",
        Kind::Atomicity,
        4,
        &["mysql_bin_log.log_type"],
        "While the log is rotated it looks closed, and an insert goes unlogged.",
    )),
    last_writer(bug(
        "apache-21285",
        "apache1",
        Kind::Atomicity,
        4,
        &["object->refcount", "guard->magic"],
        "Two threads drop the last references at a time, and both free the object.",
    )),
    last_writer(bug(
        "apache-45605",
        "apache2",
        Kind::Atomicity,
        4,
        &["info.idlers"],
        "A listener that was signaled late counts one idle worker twice, and the number goes below 0.",
    )),
];
