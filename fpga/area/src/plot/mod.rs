//! The plots of a study, as SVG.

mod front;
mod kit;
mod monitor;
mod sweep;
mod ticks;
mod units;

use crate::precision::Choice;
use crate::study::Study;

/// A plot of a study.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The heading above it.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// The drawing, as SVG.
    pub svg: String,
}

/// Every plot that the study has figures for.
pub fn all(study: &Study, choices: &[Choice]) -> Vec<Plot> {
    let mut plots = Vec::new();
    plots.extend(units::plot(study));
    plots.extend(monitor::plot(study));
    plots.extend(study.sweeps.iter().filter_map(|swept| sweep::plot(study, swept)));
    plots.extend(front::plot(study, choices));
    plots
}

#[cfg(test)]
mod tests;
