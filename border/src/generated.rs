//! The files generated from this crate, checked in so that they can be read.

use std::path::Path;
use std::{fs, io};

use crate::{c_header, tables};

/// Generates the text of a header.
type Make = fn() -> String;

/// Headers, by their path in the repository.
const HEADERS: [(&str, Make); 4] = [
    ("firmware/border/machine_numbers.h", c_header::machine),
    ("firmware/include/crosstalk/call_numbers.h", c_header::calls),
    ("firmware/include/crosstalk/color_numbers.h", c_header::colors),
    ("host/record/c/crosstalk_record_numbers.h", c_header::records),
];

/// Pages that contain tables, by their path in the repository.
const PAGES: [&str; 5] =
    ["docs/firmware.md", "docs/machine.md", "docs/monitor.md", "docs/records.md", "docs/units.md"];

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// Its path in the repository.
    pub path: &'static str,
    /// Its expected text.
    pub text: String,
}

impl Generated {
    /// Whether the file in the repository at `root` is up to date.
    pub fn is_current(&self, root: &Path) -> bool {
        fs::read_to_string(root.join(self.path)).is_ok_and(|text| text == self.text)
    }
}

/// All generated files of the repository at `root`.
///
/// # Errors
/// If a page cannot be read, or a marker in it is not valid.
pub fn files(root: &Path) -> io::Result<Vec<Generated>> {
    let headers = HEADERS.iter().map(|&(path, make)| Ok(Generated { path, text: make() }));
    let pages = PAGES.iter().map(|&path| {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{path}: {error}"));
        let page = fs::read_to_string(root.join(path)).map_err(named)?;
        let text = tables::refreshed(&page).map_err(|error| named(io::Error::other(error)))?;
        Ok(Generated { path, text })
    });
    headers.chain(pages).collect()
}
