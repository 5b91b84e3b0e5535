//! The test programs, built by cargo.

use kit::Failure;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Builds the test programs of these names; where each is.
pub fn build<'a>(
    names: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<&'a str, PathBuf>, Failure> {
    let names: BTreeSet<&str> = names.collect();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--no-run", "--package", "crosstalk-tests"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    for name in &names {
        command.args(["--test", name]);
    }
    command.current_dir(tools::workspace_root()).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output =
        command.output().map_err(|error| Failure::failed(format!("cannot run cargo: {error}")))?;
    if !output.status.success() {
        return Err(Failure::failed("cannot build the tests"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let find = |name: &'a str| {
        let found = text.lines().find_map(|line| executable(line, name));
        let found = found.ok_or_else(|| Failure::failed(format!("cargo built no tests `{name}`")));
        Ok((name, found?))
    };
    names.into_iter().map(find).collect()
}

/// The program that a message of cargo's is about, if it is a test of that name.
fn executable(message: &str, name: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let target = message.get("target")?;
    let is_test = target.get("kind")?.as_array()?.iter().any(|kind| kind == "test");
    let is_named = target.get("name")? == name;
    (is_test && is_named).then_some(message.get("executable")?.as_str()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_program_is_found_by_its_name() {
        let message = r#"{"reason":"compiler-artifact","target":{"kind":["test"],"name":"units"},
            "executable":"/target/debug/deps/units-1"}"#;
        assert_eq!(executable(message, "units"), Some("/target/debug/deps/units-1".into()));
        assert_eq!(executable(message, "machine"), None);
        assert_eq!(executable("Compiling", "units"), None);
    }
}
