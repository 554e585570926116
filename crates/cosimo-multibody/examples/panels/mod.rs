//! A figure of panels with one legend, as an SVG file.
#![allow(dead_code, reason = "every example uses its own share")]

use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

#[path = "../figure/palette.rs"]
mod palette;

use palette::PALETTE;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A range of the vertical axis.
pub(crate) enum Scale {
    Linear(Range<f64>),
    Logarithmic(Range<f64>),
}

/// How a curve is drawn, in the colour of its place in the legend.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mark {
    Line,
    Dots,
    DottedLine,
}

pub(crate) struct Curve {
    /// Place in the legend.
    pub(crate) series: usize,
    pub(crate) mark: Mark,
    pub(crate) points: Vec<(f64, f64)>,
}

pub(crate) struct Panel<'a> {
    pub(crate) title: &'a str,
    pub(crate) axes: [&'a str; 2],
    pub(crate) across: Range<f64>,
    pub(crate) up: Scale,
    pub(crate) curves: Vec<Curve>,
}

/// The directory for figures: the first argument, or `out`.
pub(crate) fn directory() -> Result<PathBuf, Box<dyn Error>> {
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("out"), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// Units of the drawing in a pixel: it is made of whole ones.
const FINE: u32 = 4;

/// Width and height of a panel, and height of the legend.
const PANEL: (u32, u32) = (500 * FINE, 330 * FINE);
const LEGEND: u32 = 34 * FINE;

/// Letters of this size (pixels).
fn letters(size: u32) -> (&'static str, u32) {
    ("sans-serif", size * FINE)
}

/// Draws panels, row by row, below the legend: places and names of series.
pub(crate) fn write(
    path: &Path,
    names: &[(usize, &str)],
    columns: usize,
    panels: &[Panel<'_>],
) -> Result<(), Box<dyn Error>> {
    let rows = panels.len().div_ceil(columns);
    let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32 + LEGEND);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        let (top, body) = root.split_vertically(LEGEND);
        write_legend(&top, names)?;
        for (area, panel) in body.split_evenly((rows, columns)).iter().zip(panels) {
            write_panel(area, panel)?;
        }
        root.present()?;
    }
    let sides = |(width, height)| format!("<svg width=\"{width}\" height=\"{height}\"");
    std::fs::write(path, text.replacen(&sides(size), &sides((size.0 / FINE, size.1 / FINE)), 1))?;
    Ok(())
}

fn write_legend(area: &Area<'_>, names: &[(usize, &str)]) -> Result<(), Box<dyn Error>> {
    let fine = FINE as i32;
    let mut x = 40 * fine;
    for (series, name) in names {
        let color = PALETTE[series % PALETTE.len()];
        let line = [(x, 22 * fine), (x + 24 * fine, 22 * fine)];
        area.draw(&PathElement::new(line, color.stroke_width(3 * FINE)))?;
        area.draw(&Text::new(*name, (x + 30 * fine, 14 * fine), letters(18)))?;
        x += (46 + 8 * name.chars().count() as i32) * fine;
    }
    Ok(())
}

fn write_panel(area: &Area<'_>, panel: &Panel<'_>) -> Result<(), Box<dyn Error>> {
    let mut builder = ChartBuilder::on(area);
    builder.caption(panel.title, letters(18)).margin(10 * FINE).margin_right(20 * FINE);
    builder.x_label_area_size(46 * FINE).y_label_area_size(72 * FINE);
    match &panel.up {
        Scale::Linear(up) => {
            let chart = builder.build_cartesian_2d(panel.across.clone(), up.clone())?;
            draw(chart, panel, &|y| short(*y))
        }
        Scale::Logarithmic(up) => {
            let chart = builder.build_cartesian_2d(panel.across.clone(), up.clone().log_scale())?;
            draw(chart, panel, &|y| format!("{y:.0e}"))
        }
    }
}

/// A number of an axis without what rounding adds.
fn short(y: f64) -> String {
    format!("{}", (y * 1e6).round() / 1e6)
}

type Plane<Y> = Cartesian2d<plotters::coord::types::RangedCoordf64, Y>;

fn draw<Y: Ranged<ValueType = f64> + ValueFormatter<f64>>(
    mut chart: ChartContext<'_, SVGBackend<'_>, Plane<Y>>,
    panel: &Panel<'_>,
    label: &dyn Fn(&f64) -> String,
) -> Result<(), Box<dyn Error>> {
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.15).stroke_width(FINE));
    mesh.axis_style(BLACK.stroke_width(FINE)).set_all_tick_mark_size(5 * FINE).x_labels(7).y_labels(7);
    mesh.x_desc(panel.axes[0]).y_desc(panel.axes[1]).axis_desc_style(letters(17));
    mesh.label_style(letters(16)).x_label_formatter(&|x| short(*x)).y_label_formatter(&label);
    mesh.draw()?;
    for Curve { series, mark, points } in &panel.curves {
        let color = PALETTE[series % PALETTE.len()];
        if *mark != Mark::Dots {
            let width = if *mark == Mark::Line { 2 * FINE } else { FINE };
            chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(width)))?;
        }
        if *mark != Mark::Line {
            let dots = points.iter().map(|point| Circle::new(*point, 3 * FINE, color.filled()));
            chart.draw_series(dots)?;
        }
    }
    Ok(())
}
