//! The paper's table, as printed.

/// A row of Last Writer Slices, Table 1.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The program here.
    pub bug: &'static str,
    /// The program there, its version and its report.
    pub app: &'static str,
    /// What kind of bug it is.
    pub kind: &'static str,
    /// Effective, trivial, useful; whether origin tracking would help.
    pub says: [&'static str; 4],
}

const fn row(
    bug: &'static str,
    app: &'static str,
    kind: &'static str,
    useful: &'static str,
    origins: &'static str,
) -> Published {
    Published { bug, app, kind, says: ["yes", "no", useful, origins] }
}

/// Last Writer Slices, Table 1, in its order.
pub const TABLE_1: [Published; 7] = [
    row("stringbuffer", "jdk1.4 1.70", "atomicity", "yes", "no"),
    row("pbzip2-order", "pbzip2 0.9.4", "order", "yes", "yes"),
    row("httrack", "htrack 3.43.9", "order", "yes", "no"),
    row("transmission", "transmission 1.42", "order", "yes", "no"),
    row("mysql-791", "mysql 4.0.12, 791", "atomicity", "yes", "no"),
    row("apache-21285", "apache1 2.0.48, 21285", "atomicity", "yes", "some"),
    row("apache-45605", "apache2 2.2.9, 45605", "atomicity", "some", "no"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_of_a_program_that_is_built_in() {
        for row in TABLE_1 {
            assert!(firmware::bugs::built_in().any(|bug| bug.name == row.bug), "{}", row.bug);
        }
    }
}
