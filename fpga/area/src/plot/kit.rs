//! What all plots share: sizes, colors, text, panels.

use super::ticks::Ticks;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Drawing into a string.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Writing into a string never fails; the type is plotters'.
pub type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Colors that people who see no red or no green tell apart (Okabe and Ito), darkest first.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];
/// Text.
pub const INK: RGBColor = RGBColor(40, 40, 40);
/// Lines behind the figures.
pub const GRID: RGBColor = RGBColor(225, 225, 225);

/// The height of a title.
pub const TITLE: u32 = 44;

/// A style of text.
pub fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// Text that is held at a place of itself.
pub fn anchored(size: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    text(size).pos(Pos::new(horizontal, vertical))
}

/// Draws a picture of this size with a title.
pub fn picture(title: &str, size: (u32, u32), draw: impl FnOnce(&Area) -> Drawn) -> Option<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE).ok()?;
        root.draw_text(title, &anchored(21, HPos::Left, VPos::Top), (16, 14)).ok()?;
        draw(&root.margin(TITLE, 0, 0, 0)).ok()?;
        root.present().ok()?;
    }
    Some(svg + "\n")
}

/// The height of a line of a legend.
const LEGEND_LINE: i32 = 26;

/// The height of a legend with so many entries.
pub fn legend_height(entries: usize, columns: usize) -> u32 {
    (LEGEND_LINE as usize * entries.div_ceil(columns) + 8) as u32
}

/// What the colors mean, in so many columns.
pub fn legend(area: &Area, entries: &[String], columns: usize) -> Drawn {
    let width = (area.dim_in_pixel().0 as i32 - 30) / columns as i32;
    for (index, entry) in entries.iter().enumerate() {
        let x = 30 + width * (index % columns) as i32;
        let y = 6 + LEGEND_LINE * (index / columns) as i32;
        let color = COLORS[index % COLORS.len()];
        area.draw(&Rectangle::new([(x, y + 2), (x + 14, y + 12)], color.filled()))?;
        area.draw_text(entry, &text(14), (x + 22, y))?;
    }
    Ok(())
}

/// An axis: its scale and what stands beside it.
pub struct Axis<'a> {
    /// The scale.
    pub ticks: Ticks,
    /// Its caption: the quantity, with the unit.
    pub name: &'a str,
    /// Room for its labels.
    pub room: u32,
}

/// A chart with two axes, ready to draw in.
pub fn chart<'a, 'b>(
    area: &'b Area<'a>,
    caption: &str,
    x: Axis,
    y: Axis,
) -> Result<ChartContext<'b, SVGBackend<'a>, Cartesian2d<Ticks, Ticks>>, Box<dyn std::error::Error>>
where
    'a: 'b,
{
    let mut builder = ChartBuilder::on(area);
    builder.margin(12).x_label_area_size(x.room).y_label_area_size(y.room);
    if !caption.is_empty() {
        builder.caption(caption, text(17));
    }
    let labels = (x.ticks.count(), y.ticks.count());
    let mut chart = builder.build_cartesian_2d(x.ticks, y.ticks)?;
    chart
        .configure_mesh()
        .x_labels(labels.0)
        .y_labels(labels.1)
        .x_desc(x.name)
        .y_desc(y.name)
        .label_style(text(14))
        .axis_desc_style(text(15))
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(RGBColor(150, 150, 150))
        .draw()?;
    Ok(chart)
}
