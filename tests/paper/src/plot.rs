//! Plots, as SVG.

use crate::error::Error;
use crate::measured::{CONTEXTS, Measured};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::fmt::Display;

/// A panel's size in pixels.
const PANEL: (u32, u32) = (380, 330);
/// Colors that stay apart in print and for the color-blind (Okabe and Ito), from none to five events.
const COLORS: [RGBColor; CONTEXTS] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
];
const GRAY: RGBColor = RGBColor(90, 90, 90);

/// One line of a plot: its name and its points.
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// One panel: lines over the same axes.
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Its lines, at most as many as there are colors.
    pub lines: Vec<Line>,
}

/// Bugaboo's Figure 7: how many edges each further run adds, for contexts of no to five events.
pub fn convergence_panels(measured: &[&Measured], name: impl Fn(&str) -> String) -> Vec<Panel> {
    let panel = |measured: &&Measured| Panel {
        title: name(&measured.bug),
        lines: (0..CONTEXTS)
            .rev()
            .map(|events| Line {
                name: match events {
                    0 => "no context".into(),
                    1 => "1 event".into(),
                    some => format!("{some} events"),
                },
                points: (1..)
                    .map(f64::from)
                    .zip(measured.convergence[events].iter().copied())
                    .collect(),
            })
            .collect(),
    };
    measured.iter().map(panel).collect()
}

/// Draws panels side by side, with a legend in the last.
///
/// # Errors
/// If there is nothing to draw.
pub fn draw(panels: &[Panel], x: &str, y: &str) -> Result<String, Error> {
    if panels.is_empty() {
        return Err(Error::Page("no bug was measured, so there is nothing to plot".into()));
    }
    let mut svg = String::new();
    let size = (PANEL.0 * panels.len() as u32, PANEL.1);
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE).map_err(wrong)?;
    for (place, part) in area.split_evenly((1, panels.len())).iter().enumerate() {
        panel(part, &panels[place], (x, y), place + 1 == panels.len()).map_err(wrong)?;
    }
    area.present().map_err(wrong)?;
    drop(area);
    Ok(svg)
}

fn wrong(error: impl Display) -> Error {
    Error::Page(format!("a plot cannot be drawn: {error}"))
}

type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn panel<'a>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    panel: &Panel,
    (x, y): (&str, &str),
    legend: bool,
) -> Drawn<'a> {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let right = points().map(|point| point.0).fold(1.0, f64::max);
    let top = points().map(|point| point.1).fold(1.0, f64::max) * 1.05;
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(38)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRAY.mix(0.2))
        .axis_style(GRAY)
        .x_desc(x)
        .y_desc(y)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| format!("{value:.0}"))
        .label_style(("sans-serif", 12))
        .draw()?;
    for (line, color) in panel.lines.iter().zip(COLORS.iter().rev()) {
        let style = color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    if legend {
        chart
            .configure_series_labels()
            .border_style(GRAY.mix(0.4))
            .background_style(WHITE)
            .label_font(("sans-serif", 12))
            .draw()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_a_line_for_every_context_and_is_the_same_every_time() {
        let mut measured = Measured { bug: "vector".into(), ..Measured::default() };
        measured.convergence.iter_mut().for_each(|line| *line = vec![50.0, 20.0, 5.0]);
        let draw = || {
            let panels = convergence_panels(&[&measured], str::to_uppercase);
            draw(&panels, "runs", "%").unwrap()
        };
        let svg = draw();
        assert!(svg.contains("VECTOR") && svg.contains("no context") && svg.contains("5 events"));
        // Each line is drawn once with its data and once in the legend.
        let lines = svg.matches("<polyline").count();
        assert!(lines >= 2 * CONTEXTS, "{lines}");
        assert_eq!(svg, draw());
    }

    #[test]
    fn nothing_is_not_plotted() {
        assert!(draw(&[], "x", "y").is_err());
    }
}
