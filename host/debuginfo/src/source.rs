//! The text of source lines, where the source can be found.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Folders in which sources may be.
#[derive(Debug, Default)]
pub struct Sources {
    folders: Vec<PathBuf>,
    /// The lines of files that were asked for; `None`: not at hand.
    files: Mutex<HashMap<String, Option<Arc<[String]>>>>,
}

/// A source file larger than this is not one.
const LIMIT: u64 = 8 << 20;

impl Sources {
    /// Looks in these folders, in order.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, files: Mutex::default() }
    }

    /// A line's text, without the white space around it.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let lines = self.lines(file)?;
        let text = lines.get((line as usize).checked_sub(1)?)?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The lines of a file, if it is at hand.
    pub fn lines(&self, file: &str) -> Option<Arc<[String]>> {
        let mut files = self.files.lock().unwrap_or_else(|broken| broken.into_inner());
        files.entry(file.to_owned()).or_insert_with(|| self.read(file)).clone()
    }

    fn read(&self, file: &str) -> Option<Arc<[String]>> {
        let path = Path::new(file);
        let name = path.file_name()?;
        let below = self.folders.iter().flat_map(|folder| [folder.join(path), folder.join(name)]);
        for path in below {
            if std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LIMIT)
                && let Ok(text) = std::fs::read(&path)
            {
                let text = String::from_utf8_lossy(&text);
                return Some(text.lines().map(str::to_owned).collect());
            }
        }
        None
    }

    /// The path as it is shown: below one of the folders, or else only the file's name. Paths that are
    /// not absolute are shown as they are.
    pub fn shown(&self, file: &str) -> String {
        let path = Path::new(file);
        if !path.is_absolute() {
            return file.trim_start_matches("./").to_owned();
        }
        let below = self.folders.iter().filter_map(|folder| {
            let folder = folder.canonicalize().ok()?;
            path.strip_prefix(folder).ok().map(|short| short.to_string_lossy().into_owned())
        });
        let shortest = below.min_by_key(String::len);
        let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        shortest.unwrap_or_else(name)
    }
}
