//! Another Verilator instead of the pinned one.

use crate::{Installed, Missing, Tool, on_path};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Environment variable that names another Verilator.
pub const VARIABLE: &str = "CROSSTALK_VERILATOR";

/// The Verilator that [`VARIABLE`] names; `None` when it is not set.
pub(crate) fn from_environment() -> Result<Option<Installed>, Missing> {
    match env::var(VARIABLE) {
        Ok(named) if !named.is_empty() => named_one(&named).map(Some),
        _ => Ok(None),
    }
}

fn named_one(named: &str) -> Result<Installed, Missing> {
    let unusable = |reason: String| Missing::UnusableVerilator { named: named.to_owned(), reason };
    let program = resolve(named).ok_or_else(|| unusable("there is no such program".into()))?;
    let root = ask(&program, &["--getenv", "VERILATOR_ROOT"]).map_err(unusable)?;
    if !Path::new(&root).join("include/verilated.h").is_file() {
        return Err(unusable(format!("its VERILATOR_ROOT, `{root}`, has no include/verilated.h")));
    }
    Ok(Installed::elsewhere(Tool::Verilator, program, root.into()))
}

fn resolve(named: &str) -> Option<PathBuf> {
    if named.contains('/') {
        fs::canonicalize(named).ok().filter(|path| path.is_file())
    } else {
        on_path(named)
    }
}

/// The first line that `program` prints.
fn ask(program: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(args)
        .output()
        .map_err(|error| format!("cannot run it: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().next().map(str::trim) {
        Some(line) if output.status.success() && !line.is_empty() => Ok(line.to_owned()),
        _ => Err(format!("it fails with `{}`, or prints nothing", args.join(" "))),
    }
}

/// Identifies the version of an external Verilator.
pub(crate) fn identity(installed: &Installed) -> String {
    let version = ask(installed.program(), &["--version"]).unwrap_or_default();
    let stamp =
        fs::metadata(installed.program()).ok().map(|meta| (meta.len(), meta.modified().ok()));
    format!("{} {version} {stamp:?}", installed.program().display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another process writes the script: a test that starts a program just then would inherit the open file, and
    /// a file open for writing cannot be run.
    fn script(dir: &Path, text: &str) -> String {
        let path = dir.join("my-verilator");
        let write = "printf %s \"$1\" > \"$0\" && chmod +x \"$0\"";
        let status = Command::new("sh").args(["-c", write]).arg(&path).arg(text).status().unwrap();
        assert!(status.success());
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn another_verilator_says_itself_where_its_root_is() {
        let dir = tempfile::tempdir().unwrap();
        let include = dir.path().join("include");
        fs::create_dir(&include).unwrap();
        fs::write(include.join("verilated.h"), "").unwrap();
        let named = script(dir.path(), &format!("#!/bin/sh\necho {}\n", dir.path().display()));
        let found = named_one(&named).unwrap();
        assert_eq!(found.verilator_root(), Some(dir.path()));
        assert!(identity(&found).contains("my-verilator"));
    }

    #[test]
    fn another_verilator_that_does_not_exist_is_named_in_one_sentence() {
        assert_eq!(
            named_one("/nonexistent/verilator").unwrap_err().to_string(),
            "cannot use `/nonexistent/verilator`, named by CROSSTALK_VERILATOR: \
             there is no such program"
        );
    }

    #[test]
    fn another_verilator_without_headers_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let named = script(dir.path(), "#!/bin/sh\necho /nonexistent\n");
        let error = named_one(&named).unwrap_err().to_string();
        assert!(error.ends_with("has no include/verilated.h"), "{error}");
    }
}
