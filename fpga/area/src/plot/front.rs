//! Cost against precision: every point, and the front that nothing beats.

use super::Plot;
use super::kit::{self, Axis, COLORS};
use super::ticks::Ticks;
use crate::precision::Choice;
use crate::study::Study;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The plot; `None` without figures of precision.
pub fn plot(study: &Study, choices: &[Choice]) -> Option<Plot> {
    if choices.is_empty() {
        return None;
    }
    let title =
        format!("Cost of {} against precision on the bug suite ({})", study.top, study.target);
    let at = |choice: &Choice| (choice.luts as f64, choice.precision.inspections);
    let range = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let margin = (0.15 * (high - low)).max(0.03 * high);
        Ticks::steps((low - margin).max(0.0), high + margin)
    };
    let luts: Vec<f64> = choices.iter().map(|choice| at(choice).0).collect();
    let inspections: Vec<f64> = choices.iter().map(|choice| at(choice).1).collect();
    let svg = kit::picture(&title, (900, 560), |area| {
        let x = Axis { ticks: range(&luts), name: "LUTs", room: 50 };
        let y = Axis {
            ticks: range(&inspections),
            name: "code points inspected until the bug is found",
            room: 76,
        };
        let mut chart = kit::chart(area, "", x, y)?;
        let mut front: Vec<&Choice> = choices.iter().filter(|choice| choice.is_best).collect();
        front.sort_by_key(|choice| choice.luts);
        chart.draw_series(LineSeries::new(
            front.iter().map(|choice| at(choice)),
            COLORS[1].stroke_width(2),
        ))?;
        chart.draw_series(choices.iter().map(|choice| {
            let color = if choice.is_best { COLORS[1] } else { COLORS[6] };
            Circle::new(at(choice), 5, color.filled())
        }))?;
        let style = kit::anchored(13, HPos::Left, VPos::Bottom);
        chart.draw_series(front.iter().map(|choice| {
            EmptyElement::at(at(choice)) + Text::new(choice.label.clone(), (8, -4), style.clone())
        }))?;
        Ok(())
    })?;
    Some(Plot { title, file: "precision.svg".into(), svg })
}
