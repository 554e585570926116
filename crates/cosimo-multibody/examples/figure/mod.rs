//! A figure of curves in one panel, as an SVG file in `out/`.

use std::error::Error;
use std::path::PathBuf;

use plotters::prelude::*;

mod palette;

use palette::PALETTE;

/// A curve: its name and points.
pub(crate) type Curve<'a> = (&'a str, Vec<(f64, f64)>);

/// What an example prints, and its curves.
pub(crate) type Outcome = Result<(String, Vec<Curve<'static>>), Box<dyn Error>>;

/// Range of one coordinate of all curves with a margin.
fn range(curves: &[Curve<'_>], of: impl Fn(&(f64, f64)) -> f64) -> std::ops::Range<f64> {
    let values = || curves.iter().flat_map(|curve| curve.1.iter().map(&of));
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let margin = 0.05 * (high - low).max(1e-9);
    low - margin..high + margin
}

/// Draws curves over labelled axes into `out/<name>.svg` and returns the path.
pub(crate) fn write(
    name: &str,
    title: &str,
    axes: [&str; 2],
    curves: &[Curve<'_>],
) -> Result<PathBuf, Box<dyn Error>> {
    std::fs::create_dir_all("out")?;
    let path = PathBuf::from(format!("out/{name}.svg"));
    let mut across = range(curves, |point| point.0);
    if curves.len() > 1 {
        // Room for the names at the right.
        across.end += 0.2 * (across.end - across.start);
    }
    let root = SVGBackend::new(&path, (820, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(62)
        .build_cartesian_2d(across, range(curves, |point| point.1))?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc(axes[0]).y_desc(axes[1]).draw()?;
    for ((name, points), color) in curves.iter().zip(PALETTE.iter().cycle()) {
        let series = LineSeries::new(points.iter().copied(), color.stroke_width(2));
        let sample = |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2));
        chart.draw_series(series)?.label(*name).legend(sample);
    }
    if curves.len() > 1 {
        let position = SeriesLabelPosition::UpperRight;
        chart.configure_series_labels().position(position).background_style(WHITE.mix(0.8)).draw()?;
    }
    root.present()?;
    drop(chart);
    drop(root);
    Ok(path)
}
