//! The monitor against the same hardware without it, in percent.

use super::Plot;
use super::kit::{self, Axis, COLORS, TITLE};
use super::ticks::Ticks;
use crate::cost::{RESOURCES, percent_over};
use crate::study::Study;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The height of a point's bars.
const POINT: u32 = 58;
/// Resources that are shown: monitors multiply nothing.
const SHOWN: usize = 3;

/// The plot; `None` if no point has a baseline.
pub fn plot(study: &Study) -> Option<Plot> {
    let mut points = Vec::new();
    for answer in &study.points {
        let Some(bare) = answer.baseline.as_ref().and_then(|bare| study.cost(bare)) else {
            continue;
        };
        let Some(cost) = study.cost(&answer.machine) else { continue };
        let percent: Vec<f64> = RESOURCES[..SHOWN]
            .iter()
            .map(|resource| percent_over((resource.of)(&cost), (resource.of)(&bare)).unwrap_or(0.0))
            .collect();
        points.push((answer.label(), percent));
    }
    if points.is_empty() {
        return None;
    }
    let most = points.iter().flat_map(|(_, percent)| percent).copied().fold(1.0, f64::max);
    let least = points.iter().flat_map(|(_, percent)| percent).copied().fold(0.0, f64::min);
    let longest = points.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
    let title = format!("What the monitor adds to {} ({})", study.top, study.target);
    let legend = kit::legend_height(SHOWN, SHOWN);
    let height = TITLE + 80 + POINT * points.len() as u32 + legend;
    let svg = kit::picture(&title, (900, height), |area| {
        let (top, bottom) = area.split_vertically((area.dim_in_pixel().1 - legend) as i32);
        let room = 30 + 8 * longest as u32;
        let names = Ticks::names(points.iter().map(|(label, _)| label.as_str()));
        let x = Axis {
            ticks: Ticks::steps(least, most * 1.15),
            name: "percent over baseline",
            room: 46,
        };
        let mut chart = kit::chart(&top, "", x, Axis { ticks: names, name: "", room })?;
        let style = kit::anchored(13, HPos::Left, VPos::Center);
        for (index, color) in COLORS[..SHOWN].iter().enumerate() {
            // From the top of a point's place down.
            let low = 0.86 - 0.25 * (index + 1) as f64;
            let places = (0..points.len()).rev().map(|place| place as f64).zip(&points);
            let bars = places.map(|(place, (_, percent))| (place, percent[index]));
            chart.draw_series(bars.clone().map(|(place, percent)| {
                let ends = [(0.0, place + low), (percent, place + low + 0.22)];
                Rectangle::new(ends, color.filled())
            }))?;
            chart.draw_series(bars.map(|(place, percent)| {
                let at = EmptyElement::at((percent.max(0.0), place + low + 0.11));
                at + Text::new(format!("{percent:.1} %"), (5, 0), style.clone())
            }))?;
        }
        let names = RESOURCES[..SHOWN].iter().map(|resource| resource.name.to_owned());
        kit::legend(&bottom, &names.collect::<Vec<_>>(), SHOWN)
    })?;
    Some(Plot { title, file: "monitor.svg".into(), svg })
}
