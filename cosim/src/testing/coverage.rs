//! Counts what tests reach, when `cargo xtask coverage` runs them.
//!
//! ```text
//! <folder>/<top>/<file>.v      the Verilog
//! <folder>/<top>/<pid>.dat     what one process reached of it, merged over its models
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use coverage::Coverage;

use crate::{Model, ModelSource};

/// Names the folder for coverage data, and thereby asks for it.
pub const COVERAGE_VARIABLE: &str = "CROSSTALK_COVERAGE";

/// What this process has reached, by top module.
static REACHED: Mutex<BTreeMap<String, Coverage>> = Mutex::new(BTreeMap::new());

/// Where coverage goes; `None` if nobody asks for it.
pub(super) fn folder() -> Option<PathBuf> {
    std::env::var_os(COVERAGE_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// Adds what a model has reached.
///
/// # Errors
/// If the data cannot be written or is not understood.
pub(super) fn collect(model: &mut Model, source: &ModelSource, root: &Path) -> Result<(), String> {
    static MODELS: AtomicU64 = AtomicU64::new(0);
    let folder = root.join(&source.top);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let number = MODELS.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("{}-{number}.tmp", process::id()));
    model.write_coverage(&path).map_err(|error| error.to_string())?;
    let text = fs::read_to_string(&path).map_err(failed)?;
    fs::remove_file(&path).map_err(failed)?;
    let new = Coverage::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;

    let mut reached = REACHED.lock().unwrap_or_else(PoisonError::into_inner);
    let first = !reached.contains_key(&source.top);
    let total = reached.entry(source.top.clone()).or_default();
    if first {
        for (name, text) in &source.files {
            fs::write(folder.join(name), text).map_err(failed)?;
        }
    }
    // Most cases reach nothing that others have not.
    if total.merge(new) {
        let path = folder.join(format!("{}.dat", process::id()));
        fs::write(path, total.to_string()).map_err(failed)?;
    }
    Ok(())
}
