//! Tables as Markdown that people can read as it is.

/// A table: its heads, then rows. The first column is names, the others are numbers.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these heads.
    pub fn new<T: Into<String>>(heads: impl IntoIterator<Item = T>) -> Self {
        Self { rows: vec![heads.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table, each line ended.
    pub fn text(&self) -> String {
        let columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |cells: &[String]| {
            let cells = cells.iter().zip(&widths).enumerate();
            let padded = cells.map(|(place, (cell, width))| match place {
                0 => format!(" {cell:width$} |"),
                _ => format!(" {cell:>width$} |"),
            });
            format!("|{}\n", padded.collect::<String>())
        };
        let rule = widths.iter().enumerate().map(|(place, width)| match place {
            0 => format!("{}|", "-".repeat(width + 2)),
            _ => format!("{}:|", "-".repeat(width + 1)),
        });
        let (heads, rows) = self.rows.split_at(1);
        let rows: String = rows.iter().map(|row| line(row)).collect();
        format!("{}|{}\n{rows}", line(&heads[0]), rule.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(["bug", "paper", "here"]);
        table.row(["vector", "1", "–"]);
        let expected = "\
| bug    | paper | here |
|--------|------:|-----:|
| vector |     1 |    – |
";
        assert_eq!(table.text(), expected);
    }
}
