//! A figure of curves over two logarithmic axes, as errors over step sizes.

use crate::canvas::{Anchor, Canvas, DrawError, text_width};
use crate::error::ResultsError;
use crate::log_axis::LogAxis;
use crate::style::{
    FONT, GRID, GUIDE, INK, LEGEND_LINE, LEGEND_SAMPLE, PALETTE, TICK, TITLE_FONT, lettering,
};
use crate::text::{shortened, without_controls};
use crate::{ChartCurve, Quantity};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const GAP: f64 = 34.0;
/// Below the last panel.
const FOOT: f64 = 58.0;
/// Margins of the axes (decades).
const MARGIN: f64 = 0.15;

/// Curves over two logarithmic axes, in panels one below the other. Points that are not positive are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct LogChart {
    /// Title; may be empty.
    pub title: String,
    /// What runs to the right.
    pub x: Quantity,
    /// The panels.
    pub panels: Vec<LogPanel>,
    /// Slopes of straight lines behind the curves, from the upper right corner of the points of each panel.
    pub slopes: Vec<f64>,
}

/// Curves over one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct LogPanel {
    /// Written at the upper edge; may be empty.
    pub heading: String,
    /// What runs upwards.
    pub y: Quantity,
    /// The curves.
    pub curves: Vec<ChartCurve>,
}

/// Everything placed on the sheet.
struct Layout<'a> {
    x: LogAxis,
    left: f64,
    panels: Vec<Placed<'a>>,
    size: (f64, f64),
}

/// A panel on the sheet.
struct Placed<'a> {
    panel: &'a LogPanel,
    y: LogAxis,
    top: f64,
}

impl LogChart {
    /// The figure as the content of an SVG file.
    ///
    /// # Errors
    /// [`ResultsError::Draw`].
    pub fn to_svg(&self) -> Result<String, ResultsError> {
        let layout = self.layout();
        let drawn = Canvas::draw(layout.size, |canvas| self.draw(canvas, &layout));
        drawn.map_err(|error| ResultsError::Draw { path: "chart".into(), source: error.to_string().into() })
    }

    fn layout(&self) -> Layout<'_> {
        let points = |panel: &LogPanel| panel.curves.iter().flat_map(drawable).collect::<Vec<_>>();
        let all: Vec<[f64; 2]> = self.panels.iter().flat_map(points).collect();
        let mut top = if self.title.is_empty() { 30.0 } else { 60.0 };
        let mut panels = Vec::new();
        for panel in &self.panels {
            let y = LogAxis::over(points(panel).into_iter().map(|point| point[1]), MARGIN);
            panels.push(Placed { panel, y, top });
            top += HEIGHT.max(panel.curves.len() as f64 * LEGEND_LINE) + GAP;
        }
        let ticks = panels.iter().flat_map(|placed| placed.y.ticks());
        let left = 42.0 + ticks.map(|(_, text)| text_width(text, FONT)).fold(18.0, f64::max);
        let curves = self.panels.iter().flat_map(|panel| &panel.curves);
        let legend = curves.map(|curve| text_width(&curve.name, FONT)).fold(60.0, f64::max);
        let size = (left + WIDTH + LEGEND_SAMPLE + 34.0 + legend, top - GAP + FOOT);
        Layout { x: LogAxis::over(all.iter().map(|point| point[0]), MARGIN), left, panels, size }
    }

    fn draw(&self, canvas: &Canvas<'_>, layout: &Layout<'_>) -> Result<(), DrawError> {
        let title = shortened(&without_controls(&self.title), 80);
        canvas.text(&title, (layout.size.0 / 2.0, 12.0), lettering(TITLE_FONT, Anchor::Top))?;
        for placed in &layout.panels {
            layout.draw_grid(canvas, placed)?;
            for slope in &self.slopes {
                layout.draw_slope(canvas, placed, *slope)?;
            }
            layout.draw_curves(canvas, placed)?;
            let (bottom, [start, end]) = (placed.top + HEIGHT, [layout.left, layout.left + WIDTH]);
            canvas.line([(start, placed.top), (start, bottom), (end, bottom)], INK, 1.0)?;
        }
        let bottom = layout.panels.last().map_or(0.0, |placed| placed.top + HEIGHT);
        for (place, text) in layout.x.ticks() {
            let x = layout.left + WIDTH * place;
            canvas.line([(x, bottom), (x, bottom + TICK)], INK, 1.0)?;
            canvas.text(text, (x, bottom + TICK + 4.0), lettering(FONT, Anchor::Top))?;
        }
        let at = (layout.left + WIDTH / 2.0, bottom + 32.0);
        canvas.text(&label(&self.x), at, lettering(FONT, Anchor::Top))
    }
}

impl Layout<'_> {
    fn at(&self, placed: &Placed<'_>, [x, y]: [f64; 2]) -> (f64, f64) {
        (self.left + WIDTH * self.x.place(x), placed.top + HEIGHT * (1.0 - placed.y.place(y)))
    }

    fn draw_grid(&self, canvas: &Canvas<'_>, placed: &Placed<'_>) -> Result<(), DrawError> {
        let (right, bottom) = (self.left + WIDTH, placed.top + HEIGHT);
        for (place, _) in self.x.ticks() {
            let x = self.left + WIDTH * place;
            canvas.line([(x, placed.top), (x, bottom)], GRID, 0.75)?;
        }
        for (place, text) in placed.y.ticks() {
            let y = bottom - HEIGHT * place;
            canvas.line([(self.left, y), (right, y)], GRID, 0.75)?;
            canvas.text(text, (self.left - TICK - 4.0, y), lettering(FONT, Anchor::Right))?;
        }
        let middle = placed.top + HEIGHT / 2.0;
        canvas.text(&label(&placed.panel.y), (16.0, middle), lettering(FONT, Anchor::Upwards))?;
        let heading = without_controls(&placed.panel.heading);
        canvas.text(&heading, (self.left, placed.top - 10.0), lettering(FONT, Anchor::Left))
    }

    /// A line `y ∝ x^slope` from the upper right corner of the points to where it leaves the panel, with its slope there.
    fn draw_slope(&self, canvas: &Canvas<'_>, placed: &Placed<'_>, slope: f64) -> Result<(), DrawError> {
        let points = || placed.panel.curves.iter().flat_map(drawable);
        let [x, y] = points().fold([0.0_f64; 2], |far, point| [far[0].max(point[0]), far[1].max(point[1])]);
        if !(x > 0.0 && y > 0.0) {
            return Ok(());
        }
        let ([left, _], [below, _]) = (self.x.ends(), placed.y.ends());
        let end = x * (below / y).powf(1.0 / slope);
        let end = if end > left { [end, below] } else { [left, y * (left / x).powf(slope)] };
        canvas.line([self.at(placed, [x, y]), self.at(placed, end)], GUIDE, 0.75)?;
        let (place_x, place_y) = self.at(placed, end);
        let text = format!("order {slope}");
        canvas.text(&text, (place_x + 6.0, place_y - 9.0), lettering(0.8 * FONT, Anchor::Left))
    }

    fn draw_curves(&self, canvas: &Canvas<'_>, placed: &Placed<'_>) -> Result<(), DrawError> {
        let (x, mut y) = (self.left + WIDTH + 16.0, placed.top + LEGEND_LINE / 2.0);
        for curve in &placed.panel.curves {
            let color = PALETTE[curve.style % PALETTE.len()];
            // The second round of colours has thin lines.
            let width = if (curve.style / PALETTE.len()).is_multiple_of(2) { 1.75 } else { 0.875 };
            if !curve.is_scattered {
                canvas.line(drawable(curve).map(|point| self.at(placed, point)), color, width)?;
            }
            for point in drawable(curve) {
                canvas.line([self.at(placed, point)], color, 1.25 * width)?;
            }
            canvas.line([(x, y), (x + LEGEND_SAMPLE, y)], color, 1.5 * width)?;
            let name = without_controls(&curve.name);
            canvas.text(&name, (x + LEGEND_SAMPLE + 8.0, y), lettering(FONT, Anchor::Left))?;
            y += LEGEND_LINE;
        }
        Ok(())
    }
}

/// The points with logarithms.
fn drawable(curve: &ChartCurve) -> impl Iterator<Item = [f64; 2]> {
    curve.points.iter().copied().filter(|point| point.iter().all(|x| *x > 0.0 && x.is_finite()))
}

fn label(quantity: &Quantity) -> String {
    match quantity.unit.as_str() {
        "" => quantity.name.clone(),
        unit => format!("{} [{unit}]", quantity.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> LogChart {
        let points = vec![[1e-2, 1e-2], [1e-3, 1e-4], [1e-4, 0.0]];
        let curve = ChartCurve { name: "ball.z".to_owned(), style: 0, points, is_scattered: false };
        let y = Quantity { name: "error".to_owned(), unit: "m s".to_owned() };
        let panel = LogPanel { heading: "mean".to_owned(), y, curves: vec![curve] };
        let x = Quantity { name: "step".to_owned(), unit: "s".to_owned() };
        LogChart { title: "Orders".to_owned(), x, panels: vec![panel], slopes: vec![1.0, 2.0] }
    }

    #[test]
    fn names_units_and_slopes_are_written() {
        let svg = chart().to_svg().unwrap_or_default();
        for expected in ["Orders", "ball.z", "mean", "error [m s]", "step [s]", "order 1", "order 2", "1e−3"]
        {
            assert!(svg.contains(expected), "{expected}: {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    /// A curve of order two lies on the line of slope two, pixel for pixel.
    #[test]
    fn slopes_are_those_of_the_axes() {
        let chart = chart();
        let layout = chart.layout();
        let placed = &layout.panels[0];
        let at = |x: f64, y: f64| layout.at(placed, [x, y]);
        let ((x1, y1), (x2, y2)) = (at(1e-2, 1e-2), at(1e-3, 1e-4));
        let ((x3, y3), (x4, y4)) = (at(1.0e-2, 1e-2), at(5e-3, 2.5e-3));
        assert!(((y2 - y1) / (x2 - x1) - (y4 - y3) / (x4 - x3)).abs() < 1e-9);
    }
}
