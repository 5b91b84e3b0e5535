//! What is written of a study: a page, a table, data and plots.

mod csv;
mod markdown;
mod paths;

use crate::Error;
use crate::plot::{self, Plot};
use crate::precision::{self, Choice};
use crate::study::{Machine, Study};
use crate::target::Target;
use kit::file::write_atomic;
use std::fs;
use std::path::Path;

/// Precision and plots, which a report has beside the study itself.
pub struct Extras {
    /// Points with their precision, or why there are none.
    pub precision: Result<Vec<Choice>, String>,
    /// The plots.
    pub plots: Vec<Plot>,
}

/// Writes everything into a folder; the names of the files.
pub fn write(study: &Study, target: Target, folder: &Path) -> Result<Vec<String>, Error> {
    fs::create_dir_all(folder).map_err(Error::at(folder))?;
    let known = precision::read(&tools::workspace_root().join("docs/results.md"));
    let precision = known.map(|known| precision::choices(study, &known));
    let plots = plot::all(study, precision.as_deref().unwrap_or_default());
    let extras = Extras { precision, plots };
    let json = serde_json::to_string_pretty(study).expect("plain data");
    let mut files = vec![
        ("report.md".to_owned(), markdown::text(study, target, &extras)),
        ("area.csv".to_owned(), csv::text(study)),
        ("area.json".to_owned(), json + "\n"),
    ];
    if study.points.iter().any(|answer| answer.machine.best().is_some()) {
        files.push(("paths.csv".to_owned(), paths::csv(study)));
    }
    files.extend(extras.plots.into_iter().map(|plot| (plot.file, plot.svg)));
    for (name, text) in &files {
        write_atomic(&folder.join(name), text.as_bytes())?;
    }
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

/// Prints what a person wants to know first.
pub fn print_summary(study: &Study, folder: &Path, files: &[String]) {
    let figures = |machine: &Machine| {
        let Some(cost) = study.cost(machine) else { return "failed".to_owned() };
        let clock = machine.best().map(|placed| format!(", {:.1} MHz", placed.fmax_mhz));
        format!(
            "{} LUTs, {} FFs, {} block RAM, {} DSPs{}",
            cost.luts,
            cost.ffs,
            cost.brams,
            cost.dsps,
            clock.unwrap_or_default()
        )
    };
    for answer in &study.points {
        println!("{}: {}", answer.label(), figures(&answer.machine));
        print!("{}", paths::summary(&answer.machine));
        if let Some(bare) = &answer.baseline {
            println!("  without monitor: {}", figures(bare));
        }
    }
    println!("{}: {}", folder.display(), files.join(", "));
}
