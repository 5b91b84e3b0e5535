//! `cargo xtask gen-rtl`: the Verilog of a configuration, written or checked.

use crate::failure::Failure;
use crate::folder::{self, Scope};
use crate::out;
use config::{Config, Preset};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tools::{target_dir, workspace_root};
use units::GenerateError;

/// Write the Verilog of a configuration.
///
/// Without options: the default configuration, into rtl/ of the repository, and with it every unit
/// that the default switches off, at its documented size, so that rtl/ shows them all (but the machine on
/// Wishbone or AXI4, which is the machine again). Another
/// configuration goes to its own folder below the target folder, unless --out says otherwise, and has
/// just the units it switches on. `comm_monitor`, `soc`, `soc_wishbone` and `soc_axi4` come with a FuseSoC
/// .core file and a list of their ports. The files are replaced together when all are ready. Files that
/// Crosstalk did not generate are never touched.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask gen-rtl                                    the default machine, into rtl/
  cargo xtask gen-rtl --check                            is rtl/ current?
  cargo xtask gen-rtl --preset paper --out /tmp/paper    another preset
  cargo xtask gen-rtl --preset paper --storage           what it stores, beside the papers' figures
  cargo xtask gen-rtl --config my.toml --top context_register --out build
  cargo xtask gen-rtl --config axi.toml --top soc_axi4 --out build     with bridge.axi4_bits = 64

A configuration is TOML. It may start from a preset and change some keys:
  preset = \"paper\"
  harts = 8
  context.events = 7")]
pub struct Args {
    /// A named configuration: sim4 (the default), paper, baseline
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// A configuration in a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Only this unit and what it instantiates
    #[arg(long, value_name = "UNIT")]
    top: Option<String>,
    /// Folder to write to; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; print the bits of state of each unit, by field
    #[arg(long, conflicts_with = "check")]
    storage: bool,
    /// Write nothing; exit with 1 if the files are out of date
    #[arg(long)]
    check: bool,
}

impl Args {
    /// `gen-rtl --check`.
    pub fn check_default() -> Self {
        Self { preset: None, config: None, top: None, out: None, storage: false, check: true }
    }

    fn configuration(&self) -> Result<Config, Failure> {
        match (&self.preset, &self.config) {
            (Some(name), _) => Preset::named(name).map(Preset::config),
            (None, Some(path)) => Config::load(path),
            (None, None) => Ok(Config::default()),
        }
        .map_err(Failure::bad_input)
    }

    /// Whether the files go to `rtl/`, which is checked in for the default configuration only.
    fn is_for_readers(&self, config: &Config) -> bool {
        self.out.is_none() && *config == Config::default()
    }

    /// The files, sorted by name.
    fn files(&self, config: &Config) -> Result<BTreeMap<String, String>, GenerateError> {
        let top = self.top.as_deref();
        let named = |file: units::RtlFile| (file.name, file.text);
        if !self.is_for_readers(config) {
            let verilog = units::generate(config, top)?;
            let packages = units::packages(config, top)?;
            return Ok(verilog.into_iter().chain(packages).map(named).collect());
        }
        let (mut files, mut refused) = (BTreeMap::new(), None);
        // The default comes last: its files are marked as from the default.
        for config in [&Config::every_unit(), config] {
            match units::generate(config, top) {
                Ok(own) => files.extend(own.into_iter().map(named)),
                Err(error @ GenerateError::SwitchedOff { .. }) => refused = Some(error),
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = refused
            && files.is_empty()
        {
            return Err(error);
        }
        files.extend(units::packages(config, top)?.into_iter().map(named));
        Ok(files)
    }

    /// The folder to write to.
    fn folder(&self, config: &Config) -> PathBuf {
        match (&self.out, &self.preset) {
            (Some(out), _) => out.clone(),
            _ if self.is_for_readers(config) => workspace_root().join("rtl"),
            (None, Some(name)) => target_dir().join("rtl").join(name),
            (None, None) => target_dir().join("rtl").join(config.short_hash()),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let config = args.configuration()?;
    if args.storage {
        return print_storage(&config);
    }
    let files = args.files(&config).map_err(|error| match error {
        GenerateError::UnknownUnit { .. } | GenerateError::SwitchedOff { .. } => {
            Failure::bad_input(error)
        }
        GenerateError::Elaboration { .. } => Failure::failed(error),
    })?;
    let files: Vec<_> = files.into_iter().collect();
    // One unit does not cover the files of the others.
    let scope = if args.top.is_some() { Scope::Named } else { Scope::All };
    let folder = args.folder(&config);
    let shown = shown(&folder);
    if args.check {
        let differences = folder::compare(&folder, &files, scope)?;
        if differences.is_empty() {
            return out::line(format!("{shown} is up to date: {} files", files.len()));
        }
        let list: Vec<_> = differences.iter().map(|d| format!("\n  {d}")).collect();
        return Err(Failure::failed(format!(
            "{shown} is out of date; run the same command without --check to write it:{}",
            list.concat()
        )));
    }
    let written = folder::write(&folder, &files, scope)?;
    let (changed, removed) = (written.changed, written.removed);
    let why = if files.is_empty() { "; this configuration switches every unit off" } else { "" };
    out::line(format!("{shown}: {} files, {changed} changed, {removed} removed{why}", files.len()))
}

/// Prints the storage of every unit the configuration switches on.
fn print_storage(config: &Config) -> Result<(), Failure> {
    let reports = units::storage::reports(config).map_err(Failure::failed)?;
    for report in reports {
        out::line(report)?;
    }
    Ok(())
}

/// A path relative to the current folder, if possible.
fn shown(path: &Path) -> String {
    let short = path.strip_prefix(workspace_root()).unwrap_or(path);
    short.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(args: &Args) -> Vec<String> {
        let files = args.files(&args.configuration().unwrap()).unwrap();
        files.into_keys().collect()
    }

    #[test]
    fn the_checked_in_folder_shows_every_unit() {
        let found = names(&Args::check_default());
        // The machine on buses is the machine again, as boards have it: it is generated for who wants it.
        for unit in units::names().into_iter().filter(|unit| !unit.starts_with("soc_")) {
            assert!(found.iter().any(|name| name.starts_with(unit)), "{unit} is not in {found:?}");
        }
    }

    #[test]
    fn any_other_folder_has_what_the_configuration_switches_on() {
        let elsewhere = Args { out: Some("elsewhere".into()), ..Args::check_default() };
        assert!(!names(&elsewhere).iter().any(|name| name.starts_with("signature")));
    }

    #[test]
    fn a_single_unit_can_be_of_the_default_or_one_that_it_switches_off() {
        for unit in ["soc", "signature"] {
            let found = names(&Args { top: Some(unit.into()), ..Args::check_default() });
            assert!(found.iter().any(|name| name.starts_with(unit)), "{unit}: {found:?}");
        }
    }

    #[test]
    fn a_file_names_the_default_configuration_if_that_has_it() {
        let files = Args::check_default().files(&Config::default()).unwrap();
        let line = |config: &Config| format!("// Configuration: {}\n", config.hardware_hash());
        assert!(files["context_register_5.v"].contains(&line(&Config::default())));
        assert!(files["signature_256x2_c12.v"].contains(&line(&Config::every_unit())));
    }
}
