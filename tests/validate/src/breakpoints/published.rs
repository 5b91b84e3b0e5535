//! What the paper on concurrent breakpoints says of the programs that ours are written after.

/// A row of its Table 1 or 2.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Our program.
    pub bug: &'static str,
    /// Its program and bug.
    pub is: &'static str,
    /// The probability of Table 1.
    pub probability: Option<f64>,
    /// The overhead of Table 1, in percent; none of a run that stalls.
    pub overhead: Option<f64>,
    /// Seconds to the error, of Table 2.
    pub seconds: Option<f64>,
    /// Breakpoints, of Table 2; of Table 1 it is one.
    pub breakpoints: u32,
}

const fn first(
    bug: &'static str,
    is: &'static str,
    probability: f64,
    overhead: Option<f64>,
) -> Published {
    Published { bug, is, probability: Some(probability), overhead, seconds: None, breakpoints: 1 }
}

const fn second(bug: &'static str, is: &'static str, seconds: f64, breakpoints: u32) -> Published {
    let (probability, overhead) = (None, None);
    Published { bug, is, probability, overhead, seconds: Some(seconds), breakpoints }
}

/// The rows of Tables 1 and 2.
pub const PUBLISHED: [Published; 12] = [
    first("stringbuffer", "stringbuffer, atomicity1", 1.0, Some(21.0)),
    first("jigsaw", "jigsaw, deadlock1", 1.0, None),
    first("log4j", "log4j, missed-notify1", 1.0, None),
    first("sync-list", "synchronizedList, deadlock1", 1.0, Some(2.0)),
    first("sync-map", "synchronizedMap, atomicity1", 1.0, Some(31.0)),
    first("sync-set", "synchronizedSet, atomicity1", 1.0, Some(39.0)),
    first("cache-entry", "cache4j, atomicity1", 1.0, Some(3.0)),
    first("parity", "moldyn, race1", 1.0, Some(9.7)),
    first("caret", "swing, deadlock1", 0.99, Some(1230.0)),
    second("pbzip2-order", "pbzip2 0.9.4, crash", 1.2, 2),
    second("apache-logsz", "Apache 2.0.45, log corruption", 0.14, 1),
    second("mysql-binlog", "MySQL 4.0.12, log omission (791)", 0.12, 2),
];

#[cfg(test)]
mod tests {
    use super::PUBLISHED;

    #[test]
    fn every_row_is_of_a_program_that_is_built_in() {
        for row in PUBLISHED {
            assert!(firmware::bugs::built_in().any(|bug| bug.name == row.bug), "{}", row.bug);
        }
    }
}
