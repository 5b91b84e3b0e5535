//! What was measured, as a table for people or as JSON.

use std::fmt::Write as _;

/// All measurements of a run.
#[derive(Default)]
pub struct Report {
    sections: Vec<Section>,
}

struct Section {
    title: String,
    rows: Vec<Row>,
}

/// One comparison.
pub struct Row {
    /// What was measured.
    pub what: String,
    /// Our figure, with its unit.
    pub ours: String,
    /// The figure it stands beside, with its unit.
    pub peer: String,
    /// How the two relate; `None` where nothing is compared.
    pub ratio: Option<f64>,
    /// The ratio that must be kept.
    pub limit: Option<Limit>,
}

/// The bound on a ratio.
#[derive(Clone, Copy)]
pub enum Limit {
    /// The ratio must not be smaller.
    AtLeast(f64),
    /// The ratio must not be larger.
    AtMost(f64),
}

impl Limit {
    fn text(self) -> String {
        match self {
            Limit::AtLeast(bound) => format!("at least {bound}x"),
            Limit::AtMost(bound) => format!("at most {bound}x"),
        }
    }

    fn is_met(self, ratio: f64) -> bool {
        match self {
            Limit::AtLeast(bound) => ratio >= bound,
            Limit::AtMost(bound) => ratio <= bound,
        }
    }
}

impl Row {
    fn verdict(&self) -> &'static str {
        match (self.limit, self.ratio) {
            (Some(limit), Some(ratio)) if limit.is_met(ratio) => "met",
            (Some(_), Some(_)) => "NOT MET",
            (Some(_), None) => "not measured",
            (None, _) => "",
        }
    }

    fn cells(&self) -> [String; 6] {
        [
            self.what.clone(),
            self.ours.clone(),
            self.peer.clone(),
            self.ratio.map_or(String::new(), ratio_text),
            self.limit.map_or(String::new(), Limit::text),
            self.verdict().to_owned(),
        ]
    }
}

fn ratio_text(ratio: f64) -> String {
    if ratio >= 20.0 { format!("{ratio:.0}x") } else { format!("{ratio:.2}x") }
}

/// A time in the unit that suits it.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

impl Report {
    /// Begins a group of rows.
    pub fn section(&mut self, title: impl Into<String>) {
        self.sections.push(Section { title: title.into(), rows: Vec::new() });
    }

    /// Adds to the last group.
    pub fn row(&mut self, row: Row) {
        self.sections.last_mut().expect("a section comes before its rows").rows.push(row);
    }

    /// Adds a line to the last group for what could not be measured.
    pub fn missing(&mut self, what: &str, why: &str, limit: Option<Limit>) {
        eprintln!("{what}: {why}");
        self.row(Row {
            what: what.to_owned(),
            ours: String::new(),
            peer: "not there".into(),
            ratio: None,
            limit,
        });
    }

    /// The table.
    pub fn text(&self) -> String {
        let mut text = String::new();
        const HEAD: [&str; 6] = ["", "Crosstalk", "beside", "ratio", "limit", ""];
        let mut widths = HEAD.map(str::len);
        for cells in self.sections.iter().flat_map(|section| &section.rows).map(Row::cells) {
            for (width, cell) in widths.iter_mut().zip(&cells) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let line = |text: &mut String, cells: &[String; 6]| {
            let mut line = format!("  {:<1$}", cells[0], widths[0]);
            for (place, (cell, &width)) in cells.iter().zip(&widths).enumerate().skip(1) {
                let _ = match place {
                    1..=3 => write!(line, "  {cell:>width$}"),
                    _ => write!(line, "  {cell:<width$}"),
                };
            }
            *text += line.trim_end();
            text.push('\n');
        };
        for section in &self.sections {
            let _ = writeln!(text, "\n{}", section.title);
            line(&mut text, &HEAD.map(str::to_owned));
            section.rows.iter().for_each(|row| line(&mut text, &row.cells()));
        }
        text
    }

    /// The same as one JSON array of rows.
    pub fn json(&self) -> String {
        let mut rows = Vec::new();
        for section in &self.sections {
            for row in &section.rows {
                let [what, ours, peer, _, limit, verdict] = row.cells();
                let ratio = row.ratio.map_or("null".into(), |ratio| format!("{ratio:.4}"));
                let texts = [
                    ("section", &section.title),
                    ("what", &what),
                    ("ours", &ours),
                    ("beside", &peer),
                    ("limit", &limit),
                    ("verdict", &verdict),
                ];
                let texts = texts.map(|(key, text)| format!("\"{key}\": {}", quoted(text)));
                rows.push(format!("  {{{}, \"ratio\": {ratio}}}", texts.join(", ")));
            }
        }
        format!("[\n{}\n]", rows.join(",\n"))
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
