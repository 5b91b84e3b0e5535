//! Results of external tools, kept by the hash of everything that went into them.

use kit::cache::{Cache, Key};
use kit::file::Unwritable;
use std::path::{Path, PathBuf};

/// The folder with the results of these ingredients, which `make` fills if it is not there.
pub fn folder(
    ingredients: &[&str],
    make: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let cache = Cache::at(tools::target_dir().join("differential"));
    let made = cache.entry(
        &Key::of(ingredients).name(),
        |folder| Ok(folder.to_owned()),
        |folder| make(folder).map_err(Failed::Make),
    );
    made.map_err(|failed| match failed {
        Failed::Make(reason) => reason,
        Failed::Cache(error) => error.to_string(),
    })
}

enum Failed {
    Make(String),
    Cache(Unwritable),
}

impl From<Unwritable> for Failed {
    fn from(error: Unwritable) -> Self {
        Self::Cache(error)
    }
}
