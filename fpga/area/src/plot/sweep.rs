//! Cost against one swept key: a panel for each resource, a line for each setting of the others.

use super::Plot;
use super::kit::{self, Axis, COLORS};
use super::ticks::Ticks;
use crate::cost::{Cost, RESOURCES};
use crate::study::Study;
use crate::sweep::{self, Setting, Sweep};
use plotters::prelude::*;

/// Resources that are shown.
const SHOWN: usize = 3;
/// Columns of the legend.
const COLUMNS: usize = 4;

/// A line: the other settings, and the places of its points.
type Line = (Vec<Setting>, Vec<(f64, Cost)>);

/// The plot; `None` if nothing is known of the points.
pub fn plot(study: &Study, swept: &Sweep) -> Option<Plot> {
    let scale = Ticks::values(&swept.values);
    // In the order of the points.
    let mut lines: Vec<Line> = Vec::new();
    for answer in &study.points {
        let here = answer.settings.iter().find(|set| set.key == swept.key);
        let Some(place) = here.and_then(|set| scale.place(&set.value)) else { continue };
        let Some(cost) = study.cost(&answer.machine) else { continue };
        let others: Vec<Setting> =
            answer.settings.iter().filter(|set| set.key != swept.key).cloned().collect();
        match lines.iter_mut().find(|(line, _)| *line == others) {
            Some((_, points)) => points.push((place, cost)),
            None => lines.push((others, vec![(place, cost)])),
        }
    }
    if lines.is_empty() {
        return None;
    }
    let title = format!("Cost of {} against {} ({})", study.top, swept.key, study.target);
    let is_one = lines.len() == 1;
    let legend = if is_one { 0 } else { kit::legend_height(lines.len(), COLUMNS) };
    let svg = kit::picture(&title, (1180, 420 + legend), |area| {
        let (top, bottom) = area.split_vertically((area.dim_in_pixel().1 - legend) as i32);
        for (panel, resource) in top.split_evenly((1, SHOWN)).iter().zip(RESOURCES) {
            let counts =
                || lines.iter().flat_map(|(_, points)| points).map(|(_, cost)| (resource.of)(cost));
            let (least, most) =
                (counts().min().unwrap_or(0) as f64, counts().max().unwrap_or(0) as f64);
            // A small change of a large count must be seen, and nobody must take it for a large one.
            let is_cut = least > 0.5 * most;
            let low = if is_cut { least - 0.3 * (most - least).max(0.02 * most) } else { 0.0 };
            let caption = format!("{}{}", resource.name, if is_cut { ", not from 0" } else { "" });
            let x = Axis { ticks: scale.clone(), name: &swept.key, room: 48 };
            let y = Axis {
                ticks: Ticks::steps(low, most + 0.1 * (most - low).max(1.0)),
                name: "",
                room: 62,
            };
            let mut chart = kit::chart(panel, &caption, x, y)?;
            for (index, (_, points)) in lines.iter().enumerate() {
                let color = COLORS[index % COLORS.len()];
                let on_panel = |(place, cost): &(f64, Cost)| (*place, (resource.of)(cost) as f64);
                let mut places: Vec<(f64, f64)> = points.iter().map(on_panel).collect();
                places.sort_by(|a, b| a.0.total_cmp(&b.0));
                chart.draw_series(LineSeries::new(places.clone(), color.stroke_width(2)))?;
                let above = || lines[index + 1..].iter().flat_map(|(_, points)| points);
                chart.draw_series(places.into_iter().map(|at| {
                    // Where lines coincide, a ring of each that is below is seen.
                    let hidden_by = above().filter(|point| on_panel(point) == at).count();
                    Circle::new(at, 4 + 3 * hidden_by.min(4) as i32, color.filled())
                }))?;
            }
        }
        if !is_one {
            let entries: Vec<String> =
                lines.iter().map(|(others, _)| sweep::label(others)).collect();
            kit::legend(&bottom, &entries, COLUMNS)?;
        }
        Ok(())
    })?;
    Some(Plot { title, file: format!("sweep_{}.svg", swept.key.replace('.', "_")), svg })
}
