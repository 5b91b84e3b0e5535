//! The figures that the papers print, each with the table it is from.
//!
//! Bugs are named as in [`firmware::bugs`]. Averages are over five trials in Bugaboo, ranks are of one
//! collection in Recon.

/// Code points, and functions, inspected until the bug was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inspections {
    /// Code points.
    pub points: f64,
    /// Distinct functions among them.
    pub functions: f64,
}

const fn needs(points: f64, functions: f64) -> Inspections {
    Inspections { points, functions }
}

/// A row of Bugaboo's Table 2.
pub struct Bugaboo2 {
    /// The bug.
    pub bug: &'static str,
    /// Whether it is detected without contexts.
    pub without_context: bool,
    /// BB-HW, labeled and unlabeled.
    pub hw: [Inspections; 2],
    /// BB-SW at line granularity, labeled and unlabeled.
    pub line: [Inspections; 2],
    /// BB-SW at word granularity, labeled and unlabeled.
    pub word: [Inspections; 2],
}

/// Bugaboo (MICRO 2009), Table 2.
///
/// In the copy at hand the two columns of line granularity are run together. Which number is labeled is
/// certain where the text names it (MySQL-BinLog, Apache-LogSz, PBZip2-Order) or both are equal; in the
/// others (BankAcct, CircularList, Moz-jsInterp, Moz-macNetIO, Moz-TxtFrame) the order is that of the
/// column heads. At word granularity, Table 4 tells.
pub const BUGABOO_2: [Bugaboo2; 13] = [
    row2("bank-account", false, [1.4, 1.0, 2.2, 1.2], [3.6, 1.2, 4.0, 1.0], [3.6, 1.4, 4.8, 1.2]),
    row2("circular-list", false, [2.2, 1.2, 2.0, 1.6], [1.2, 1.0, 1.0, 1.0], [2.6, 1.2, 2.0, 1.0]),
    row2("log-and-sweep", false, [1.0; 4], [1.0; 4], [1.0, 1.0, 2.0, 1.0]),
    row2("multi-order", false, [1.0; 4], [1.0; 4], [1.0; 4]),
    row2("moz-jsstr", false, [1.8, 1.0, 5.8, 3.2], [1.0; 4], [1.0, 1.0, 1.4, 1.0]),
    row2("moz-jsinterp", false, [1.0, 1.0, 1.4, 1.2], [2.6, 1.6, 3.8, 2.8], [1.8, 1.0, 2.8, 2.0]),
    row2("moz-macnetio", false, [1.4, 1.0, 2.8, 2.6], [2.4, 2.0, 5.0, 3.6], [3.0, 1.6, 4.8, 3.4]),
    row2("moz-txtframe", false, [1.0, 1.0, 2.8, 2.4], [1.8, 1.4, 4.2, 2.4], [3.4, 1.0, 2.4, 2.2]),
    row2("mysql-idinit", true, [1.0; 4], [1.0; 4], [1.0; 4]),
    row2(
        "mysql-binlog",
        false,
        [34.0, 24.4, 19.2, 11.0],
        [28.4, 19.2, 19.6, 14.8],
        [34.2, 21.2, 16.0, 10.8],
    ),
    row2(
        "apache-logsz",
        false,
        [12.0, 10.6, 80.2, 49.8],
        [8.8, 7.2, 125.4, 60.8],
        [13.2, 10.8, 142.0, 61.4],
    ),
    row2("pbzip2-order", false, [14.5, 4.8, 5.2, 1.6], [10.8, 2.6, 1.4, 1.0], [6.6, 2.0, 3.4, 1.6]),
    row2("aget-multvar", false, [1.0; 4], [1.0; 4], [1.0; 4]),
];

/// Each group: labeled points and functions, unlabeled points and functions.
const fn row2(
    bug: &'static str,
    without_context: bool,
    hw: [f64; 4],
    line: [f64; 4],
    word: [f64; 4],
) -> Bugaboo2 {
    const fn pair([a, b, c, d]: [f64; 4]) -> [Inspections; 2] {
        [needs(a, b), needs(c, d)]
    }
    Bugaboo2 { bug, without_context, hw: pair(hw), line: pair(line), word: pair(word) }
}

/// Bugaboo, Table 3: percent of the code points of BB-SW (word) that line tracking misses, and that lines
/// and evictions together miss.
pub const BUGABOO_3: [(&str, f64, f64); 4] = [
    ("aget-multvar", 16.67, 33.33),
    ("apache-logsz", 25.57, 59.09),
    ("mysql-binlog", 27.43, 54.51),
    ("pbzip2-order", 26.32, 59.65),
];

/// Bugaboo, Table 4: inspections with contexts of 0 to 5 events, BB-SW (word); `None`: not found.
pub const BUGABOO_4: [(&str, [Option<f64>; 6]); 13] = [
    ("bank-account", [None, Some(2.0), Some(2.0), Some(2.4), Some(3.4), Some(3.6)]),
    ("circular-list", [None, None, Some(7.2), Some(3.4), Some(3.2), Some(2.6)]),
    ("log-and-sweep", [None, None, Some(2.2), Some(2.8), Some(1.6), Some(1.0)]),
    ("multi-order", [None, None, Some(2.8), Some(1.0), Some(1.0), Some(1.0)]),
    ("moz-jsstr", [None, Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]),
    ("moz-jsinterp", [None, None, None, Some(1.6), Some(1.8), Some(1.8)]),
    ("moz-macnetio", [None, Some(1.2), Some(1.0), Some(1.4), Some(2.2), Some(3.0)]),
    ("moz-txtframe", [None, None, Some(3.4), Some(2.8), Some(2.8), Some(3.4)]),
    ("mysql-idinit", [Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]),
    ("mysql-binlog", [None, None, Some(522.6), Some(128.8), Some(60.0), Some(34.2)]),
    ("apache-logsz", [None, Some(25.2), Some(6.4), Some(7.2), Some(9.8), Some(13.2)]),
    ("pbzip2-order", [None, None, None, None, Some(6.6), Some(6.6)]),
    ("aget-multvar", [None, Some(3.8), Some(3.8), Some(1.4), Some(1.0), Some(1.0)]),
];

/// A row of Bugaboo's Table 5, as far as it can be compared.
pub struct Bugaboo5 {
    /// The bug.
    pub bug: &'static str,
    /// For 10,000 memory operations: read misses, write misses, coherence misses, metadata writes, writes to
    /// the communication table.
    pub rates: [f64; 5],
    /// Traps for 10 million memory operations.
    pub traps: f64,
    /// Nodes and edges of the graph without contexts.
    pub without: [u64; 2],
    /// Nodes and edges of the graph with contexts.
    pub with: [u64; 2],
}

/// Bugaboo, Table 5; its rows for PARSEC have nothing beside them here.
pub const BUGABOO_5: [Bugaboo5; 4] = [
    Bugaboo5 {
        bug: "aget-multvar",
        rates: [10.50, 0.25, 8.39, 19.14, 18.91],
        traps: 0.0,
        without: [58, 135],
        with: [154, 376],
    },
    Bugaboo5 {
        bug: "pbzip2-order",
        rates: [0.02, 0.00, 0.00, 0.03, 0.02],
        traps: 0.0,
        without: [59, 145],
        with: [208, 451],
    },
    Bugaboo5 {
        bug: "apache-logsz",
        rates: [3.27, 3.78, 0.03, 7.08, 3.31],
        traps: 0.0,
        without: [672, 1361],
        with: [1797, 3635],
    },
    Bugaboo5 {
        bug: "mysql-binlog",
        rates: [129.15, 32.85, 0.18, 162.18, 129.41],
        traps: 6.3,
        without: [1303, 3271],
        with: [20435, 48861],
    },
];

/// The programs of Bugaboo's Figure 7, in its order. Its curves are not printed as numbers.
pub const BUGABOO_FIGURE_7: [&str; 3] = ["mysql-binlog", "apache-logsz", "pbzip2-order"];

/// Recon (PLDI 2011), Table 1: ReliefF of B, C and R.
pub const RECON_1: [(&str, [f64; 3]); 4] = [
    ("apache-logsz", [0.99, 0.16, 0.91]),
    ("mysql-binlog", [0.20, 0.76, 0.59]),
    ("pbzip2-order", [0.26, 0.28, 0.28]),
    ("aget-multvar", [0.84, 0.16, 0.91]),
];

/// A row of Recon's Table 3.
pub struct Recon3 {
    /// The bug.
    pub bug: &'static str,
    /// The rank of the bug's reconstruction.
    pub rank: u32,
    /// Code points in it that belong to the bug, and that do not.
    pub points: [u32; 2],
    /// Whether they are in the order of the bug.
    pub in_order: bool,
    /// Code points of the bug that are missing.
    pub missing: u32,
    /// The rank with 5 and with 15 failing runs.
    pub fewer: [u32; 2],
}

const fn row3(
    bug: &'static str,
    rank: u32,
    points: [u32; 2],
    missing: u32,
    fewer: [u32; 2],
) -> Recon3 {
    Recon3 { bug, rank, points, in_order: true, missing, fewer }
}

/// Recon, Table 3, without the time that collecting took.
pub const RECON_3: [Recon3; 11] = [
    row3("log-and-sweep", 1, [6, 1], 0, [1, 1]),
    row3("circular-list", 1, [3, 3], 0, [1, 1]),
    row3("moz-txtframe", 1, [8, 0], 0, [1, 1]),
    row3("moz-jsstr", 1, [7, 0], 0, [1, 1]),
    row3("apache-logsz", 1, [5, 5], 0, [1, 1]),
    row3("mysql-binlog", 1, [8, 7], 0, [34, 9]),
    row3("pbzip2-order", 1, [11, 0], 1, [2, 1]),
    row3("aget-multvar", 1, [4, 2], 0, [8, 1]),
    row3("stringbuffer", 1, [6, 0], 0, [1, 1]),
    row3("vector", 1, [6, 0], 0, [1, 1]),
    row3("weblech", 1, [6, 28], 0, [4, 1]),
];

/// The row of a bug in a table.
pub fn row<'a, T>(table: &'a [T], bug: &str, name: impl Fn(&T) -> &'static str) -> Option<&'a T> {
    table.iter().find(|row| name(row) == bug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_of_a_bug_in_the_suite() {
        let names = BUGABOO_2.iter().map(|row| row.bug);
        let names = names.chain(BUGABOO_3.iter().map(|row| row.0));
        let names = names.chain(BUGABOO_4.iter().map(|row| row.0));
        let names = names.chain(BUGABOO_5.iter().map(|row| row.bug));
        let names = names.chain(BUGABOO_FIGURE_7).chain(RECON_1.iter().map(|row| row.0));
        for name in names.chain(RECON_3.iter().map(|row| row.bug)) {
            assert!(firmware::bugs::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn tables_that_repeat_figures_of_others_agree_with_them() {
        for (bug, sizes) in BUGABOO_4 {
            let row = row(&BUGABOO_2, bug, |row| row.bug).unwrap();
            assert_eq!(sizes[5], Some(row.word[0].points), "{bug}: five events are the default");
            assert_eq!(sizes[0].is_some(), row.without_context, "{bug}");
        }
        for row in BUGABOO_5 {
            let misses: f64 = row.rates[..3].iter().sum();
            assert!(
                (misses - row.rates[3]).abs() < 0.02,
                "{}: every miss writes metadata",
                row.bug
            );
        }
    }
}
