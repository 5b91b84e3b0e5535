//! Programs whose bugs ask something of breakpoints: the deadlocks, missed signals and races of BTrigger's paper that the suite has not.

use super::{Bug, Kind, Set, bug};

const fn of_breakpoints(bug: Bug) -> Bug {
    Bug { set: Set::Breakpoints, ..bug }
}

/// The programs in `firmware/breakpoint-bugs`.
pub const BREAKPOINTS: &[Bug] = &[
    of_breakpoints(bug(
        "jigsaw",
        "jigsaw",
        Kind::Order,
        4,
        &["factory.lock", "sockets.lock"],
        "A server shuts down while a client leaves, and each has the lock that the other wants.",
    )),
    of_breakpoints(bug(
        "log4j",
        "log4j",
        Kind::Order,
        2,
        &["buffer.closed", "buffer.changed"],
        "A log is closed after its writer looked whether it was and before it waits.",
    )),
    of_breakpoints(bug(
        "sync-list",
        "synchronizedList",
        Kind::Order,
        3,
        &["red.lock", "blue.lock"],
        "Two lists are added to each other at a time, and each has the lock that the other wants.",
    )),
    of_breakpoints(bug(
        "sync-map",
        "synchronizedMap",
        Kind::Atomicity,
        4,
        &["map.values"],
        "A key is put between another thread's look for it and its put.",
    )),
    of_breakpoints(bug(
        "sync-set",
        "synchronizedSet",
        Kind::MultiVariable,
        3,
        &["set.count", "set.members"],
        "A member is removed between asking for the size and reading the members.",
    )),
    of_breakpoints(bug(
        "cache-entry",
        "cache4j",
        Kind::Order,
        3,
        &["entry->bytes"],
        "An entry is found before its size is set; filling the cache makes many that nobody looks for.",
    )),
    of_breakpoints(bug(
        "parity",
        "moldyn",
        Kind::Atomicity,
        3,
        &["hall.light"],
        "Two people switch a light at a time; if it happens twice, it is right again.",
    )),
    of_breakpoints(bug(
        "caret",
        "swing",
        Kind::Order,
        4,
        &["caret.lock", "manager.lock"],
        "A caret blinks while the screen is painted; most who take the painter's lock hold nothing.",
    )),
];
