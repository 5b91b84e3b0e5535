//! What was measured: the commit, and the sources that decide the figures.

use std::process::Command;

/// A sentence that names the version at hand. `sources` is a hash of what decides the figures.
pub fn sentence(sources: &str) -> String {
    let root = tools::workspace_root();
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    said(sources, commit.as_deref(), changed.is_none_or(|changed| !changed.is_empty()))
}

fn said(sources: &str, commit: Option<&str>, changed: bool) -> String {
    let at = match commit {
        Some(commit) if changed => format!("commit {commit} and changes to it"),
        Some(commit) => format!("commit {commit}"),
        None => "no commit".into(),
    };
    format!("Measured: {at}; the sources that decide the figures have the hash {sources}.\n")
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn a_changed_tree_is_not_called_by_its_commit_alone() {
        assert!(said("12ab", Some("c0ffee"), false).starts_with("Measured: commit c0ffee; the"));
        assert!(said("12ab", Some("c0ffee"), true).contains("c0ffee and changes to it"));
        assert!(said("12ab", None, true).contains("no commit; the sources"));
    }
}
