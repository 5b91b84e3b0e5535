//! `cargo xtask gen-border`: the C headers and the tables in `docs/`, written or checked.

use crate::failure::Failure;
use crate::out;
use border::generated;
use kit::file::write_atomic;
use std::fs;
use tools::workspace_root;

/// Write the C headers and the tables in docs/ that come from the border crate.
///
/// Addresses, window words, interrupt numbers, host calls, the parameter block and the codes of the
/// record stream are rows in border/src. After a change there, this command brings the headers of
/// firmware, suites and record writer up to date, and the tables between `<!-- border: … -->` and
/// `<!-- end of border -->` in docs/.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask gen-border                 write headers and tables
  cargo xtask gen-border --check         are they current?")]
pub struct Args {
    /// Write nothing; exit with 1 if a file is out of date
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let root = workspace_root();
    let files = generated::files(root).map_err(Failure::failed)?;
    let stale: Vec<_> = files.iter().filter(|file| !file.is_current(root)).collect();
    if !args.check {
        for stale in &stale {
            let place = root.join(stale.path);
            if let Some(folder) = place.parent() {
                let cannot = |error| format!("cannot make {}: {error}", folder.display());
                fs::create_dir_all(folder).map_err(|error| Failure::failed(cannot(error)))?;
            }
            write_atomic(&place, stale.text.as_bytes())?;
        }
        return out::line(format!("{} files, {} changed", files.len(), stale.len()));
    }
    if stale.is_empty() {
        return out::line(format!("{} files are up to date", files.len()));
    }
    let list: Vec<_> = stale.iter().map(|file| format!("\n  stale: {}", file.path)).collect();
    Err(Failure::failed(format!(
        "files generated from `border` are out of date; run this command without --check to write them:{}",
        list.concat()
    )))
}
