//! The source lines that a report shows, read when it is written.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Loc;

/// Source files, each read once.
pub(super) struct Sources {
    /// The folder that the compiler's relative paths start from; `None`: not found.
    root: Option<PathBuf>,
    files: HashMap<&'static str, Option<String>>,
}

impl Sources {
    /// Sources of the workspace that the program is run in: the nearest folder with a `Cargo.lock`,
    /// which is where the compiler was started.
    pub fn here() -> Sources {
        let here = std::env::current_dir().unwrap_or_default();
        let root = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file());
        Sources::under(root.map(Path::to_owned))
    }

    /// Sources under this folder.
    pub fn under(root: Option<PathBuf>) -> Sources {
        Sources { root, files: HashMap::new() }
    }

    /// The line at `loc`; `None` if it cannot be read.
    pub fn line(&mut self, loc: Loc) -> Option<&str> {
        let file = loc.compiled_file();
        let text = self.files.entry(file).or_insert_with(|| {
            let path = match &self.root {
                Some(root) => root.join(file),
                None if file.starts_with('/') => PathBuf::from(file),
                None => return None,
            };
            fs::read_to_string(path).ok()
        });
        let line = text.as_ref()?.lines().nth(loc.line() as usize - 1)?;
        // A file that has changed since may have no such column.
        (line.chars().count() >= loc.column() as usize).then_some(line)
    }
}
