//! Counts what tests reach, when `cargo xtask coverage` runs them.
//!
//! ```text
//! <folder>/<design>/<file>.v      the Verilog
//! <folder>/<design>/<pid>.dat     what one process reached of it, merged over its models
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use coverage::Coverage;

use crate::{Model, ModelSource};

/// Environment variable: the folder for coverage data. Coverage is collected if it is set.
const VARIABLE: &str = "CROSSTALK_COVERAGE";

/// Coverage of this process, by design.
static REACHED: Mutex<BTreeMap<String, Coverage>> = Mutex::new(BTreeMap::new());

/// Whether coverage is collected; models should then be built to count it.
pub fn is_wanted() -> bool {
    folder().is_some()
}

/// Adds a model's coverage, if coverage is collected.
///
/// # Errors
/// If the data cannot be written or parsed.
pub fn count(model: &mut Model, source: &ModelSource) -> Result<(), String> {
    match folder() {
        Some(folder) if source.options.coverage => collect(model, source, &folder),
        _ => Ok(()),
    }
}

/// The folder for coverage data; `None` if coverage is not collected.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from)
}

/// A unique name of a design: machines of all configurations have the same top module.
fn name_of(source: &ModelSource) -> String {
    format!("{}_{}", source.top, &source.design_hash()[..8])
}

fn collect(model: &mut Model, source: &ModelSource, root: &Path) -> Result<(), String> {
    static MODELS: AtomicU64 = AtomicU64::new(0);
    let name = name_of(source);
    let folder = root.join(&name);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    let number = MODELS.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("{}-{number}.tmp", process::id()));
    model.write_coverage(&path).map_err(|error| error.to_string())?;
    let text = fs::read_to_string(&path).map_err(failed)?;
    fs::remove_file(&path).map_err(failed)?;
    let new = Coverage::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;

    let mut reached = REACHED.lock().unwrap_or_else(PoisonError::into_inner);
    let first = !reached.contains_key(&name);
    let total = reached.entry(name).or_default();
    if first {
        for (name, text) in &source.files {
            fs::write(folder.join(name), text).map_err(failed)?;
        }
    }
    // Most cases add nothing new.
    if total.merge(new) {
        let path = folder.join(format!("{}.dat", process::id()));
        fs::write(path, total.to_string()).map_err(failed)?;
    }
    Ok(())
}
