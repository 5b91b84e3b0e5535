//! Cost against precision: every point, and the front that nothing beats.

use super::Plot;
use super::kit::{self, Axis, COLORS};
use super::ticks::Ticks;
use crate::precision::Choice;
use crate::study::Study;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// The meaning of the two colors.
const LEGEND: [&str; 2] = ["no point is cheaper and as precise", "some point is"];

/// The plot; `None` where fewer than two points have figures of precision: there is nothing to choose.
pub fn plot(study: &Study, choices: &[Choice]) -> Option<Plot> {
    if choices.len() < 2 {
        return None;
    }
    let title =
        format!("Cost of {} against precision on the bug suite ({})", study.top, study.target);
    let at = |choice: &Choice| (choice.luts as f64, choice.precision.inspections);
    let extent = |of: fn((f64, f64)) -> f64| {
        let values = choices.iter().map(|choice| of(at(choice)));
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(0.0, f64::max);
        let margin = (0.15 * (high - low)).max(0.01 * high);
        ((low - margin).max(0.0), high + margin)
    };
    let (luts, inspections) = (extent(|(luts, _)| luts), extent(|(_, needed)| needed));
    let legend = kit::legend_height(LEGEND.len(), LEGEND.len());
    let svg = kit::picture(&title, (900, 560 + legend), |area| {
        let (top, bottom) = area.split_vertically((area.dim_in_pixel().1 - legend) as i32);
        let x = Axis { ticks: Ticks::steps(luts.0, luts.1), name: "LUTs", room: 50 };
        let y = Axis {
            ticks: Ticks::steps(inspections.0, inspections.1),
            name: "code points inspected until the bug is found, on average",
            room: 76,
        };
        let mut chart = kit::chart(&top, "", x, y)?;
        let mut front: Vec<&Choice> = choices.iter().filter(|choice| choice.is_best).collect();
        front.sort_by_key(|choice| choice.luts);
        chart.draw_series(LineSeries::new(
            stairs(front.iter().map(|choice| at(choice))),
            COLORS[0].stroke_width(2),
        ))?;
        let (best, others): (Vec<&Choice>, _) = choices.iter().partition(|choice| choice.is_best);
        for (those, color) in [(others, COLORS[1]), (best, COLORS[0])] {
            let circles = those.iter().map(|choice| Circle::new(at(choice), 5, color.filled()));
            chart.draw_series(circles)?;
        }
        // What is worse stands to the right, so names stand to the left where there is room for them.
        let middle = (luts.0 + luts.1) / 2.0;
        chart.draw_series(front.iter().map(|choice| {
            let (side, offset) = match choice.luts as f64 {
                here if here > middle => (HPos::Right, -9),
                _ => (HPos::Left, 4),
            };
            let style = kit::anchored(13, side, VPos::Bottom);
            EmptyElement::at(at(choice)) + Text::new(choice.label.clone(), (offset, -9), style)
        }))?;
        kit::legend(&bottom, &LEGEND.map(str::to_owned), LEGEND.len())
    })?;
    Some(Plot { title, file: "precision.svg".into(), svg })
}

/// A front as steps: between two points there is nothing that could be built.
fn stairs(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        steps.extend(steps.last().map(|&(_, before)| (x, before)));
        steps.push((x, y));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_goes_right_before_it_goes_down() {
        let found = stairs([(1.0, 9.0), (2.0, 5.0), (4.0, 3.0)].into_iter());
        assert_eq!(found, [(1.0, 9.0), (2.0, 9.0), (2.0, 5.0), (4.0, 5.0), (4.0, 3.0)]);
    }
}
