//! Cost by unit: a bar for each, in a panel for each resource.

use super::Plot;
use super::kit::{self, Axis, COLORS, TITLE};
use super::ticks::Ticks;
use crate::cost::{Cost, RESOURCES};
use crate::study::Study;
use crate::tree;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Beyond these the rest is together in one bar.
const MOST_BARS: usize = 18;
/// The height of a bar with the room around it.
const BAR: u32 = 26;
/// Room for the names of units.
const NAMES: u32 = 190;

/// The plot, of the study's base.
pub fn plot(study: &Study) -> Option<Plot> {
    let base = &study.points[study.base];
    let mut bars: Vec<(String, Cost)> = tree::by_unit(&base.machine.units)
        .into_iter()
        .map(|(unit, (instances, cost))| (format!("{unit} × {instances}"), cost))
        .filter(|(_, cost)| *cost != Cost::default())
        .collect();
    if bars.is_empty() {
        return None;
    }
    let rest = split_small(&mut bars);
    bars.sort_by_key(|(_, cost)| std::cmp::Reverse((cost.luts, cost.ffs, cost.brams)));
    if !rest.is_empty() {
        let cost = rest.iter().map(|(_, cost)| *cost).sum();
        bars.push((format!("{} others", rest.len()), cost));
    }
    let Study { top, base_name, target, .. } = study;
    let title = format!("Cost of {top} by unit, without what is inside it ({base_name}, {target})");
    let height = TITLE + 80 + BAR * bars.len() as u32;
    let svg = kit::picture(&title, (1180, height), |area| {
        let panels = area.split_by_breakpoints([NAMES as i32 + 400, NAMES as i32 + 700], [0; 0]);
        for (index, (panel, resource)) in panels.iter().zip(RESOURCES).enumerate() {
            let most = bars.iter().map(|(_, cost)| (resource.of)(cost)).max().unwrap_or(0);
            let names = match index {
                0 => Ticks::names(bars.iter().map(|(name, _)| name.as_str())),
                _ => Ticks::unnamed(bars.len()),
            };
            let x =
                Axis { ticks: Ticks::counts(most as f64 * 1.12), name: resource.name, room: 46 };
            let y = Axis { ticks: names, name: "", room: if index == 0 { NAMES } else { 8 } };
            let mut chart = kit::chart(panel, "", x, y)?;
            let places = || (0..bars.len()).rev().zip(&bars);
            let counts = places().map(|(place, (_, cost))| (place as f64, (resource.of)(cost)));
            chart.draw_series(counts.clone().map(|(place, count)| {
                let ends = [(0.0, place + 0.18), (count as f64, place + 0.82)];
                Rectangle::new(ends, COLORS[index].filled())
            }))?;
            let style = kit::anchored(13, HPos::Left, VPos::Center);
            chart.draw_series(counts.filter(|(_, count)| *count > 0).map(|(place, count)| {
                let offset = EmptyElement::at((count as f64, place + 0.5));
                offset + Text::new(count.to_string(), (5, 0), style.clone())
            }))?;
        }
        Ok(())
    })?;
    Some(Plot { title, file: "by_unit.svg".into(), svg })
}

/// Takes out what is small in every resource, if there is too much of it.
fn split_small(bars: &mut Vec<(String, Cost)>) -> Vec<(String, Cost)> {
    if bars.len() <= MOST_BARS {
        return Vec::new();
    }
    let sum: Cost = bars.iter().map(|(_, cost)| *cost).sum();
    // In parts of a million, so that it has an order.
    let share = |cost: &Cost| {
        let shares =
            RESOURCES.map(|resource| (resource.of)(cost) * 1_000_000 / (resource.of)(&sum).max(1));
        shares.into_iter().max()
    };
    bars.sort_by_key(|(name, cost)| (std::cmp::Reverse(share(cost)), name.clone()));
    bars.split_off(MOST_BARS - 1)
}
