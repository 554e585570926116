//! A figure of curves over a common axis, in panels.

use crate::abscissa::Abscissa;
use crate::axis::Axis;
use crate::canvas::{Anchor, Canvas, DrawError, Lettering, text_width};
use crate::error::ResultsError;
use crate::style::{
    FONT, GRID, GUIDE, INK, LEGEND_LINE, LEGEND_SAMPLE, PALETTE, TICK, TITLE_FONT, lettering,
};
use crate::text::{shortened, without_controls};

const WIDTH: f64 = 640.0;
/// Height of the only panel, and of one of several.
const HEIGHTS: [f64; 2] = [480.0, 150.0];
const GAP: f64 = 26.0;
/// Below the last panel.
const FOOT: f64 = 58.0;

/// A figure of curves over a common axis, in panels one below the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Title; may be empty.
    pub title: String,
    /// What runs to the right.
    pub x: Quantity,
    /// Whether it does so in a logarithmic scale; its values are positive then.
    pub is_x_logarithmic: bool,
    /// The panels.
    pub panels: Vec<ChartPanel>,
}

/// What an axis shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Name.
    pub name: String,
    /// Unit; empty for a number.
    pub unit: String,
}

/// Curves over one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartPanel {
    /// Written at the upper edge; may be empty.
    pub heading: String,
    /// What runs upwards.
    pub y: Quantity,
    /// A range of it (its unit) that the axis holds at least, besides the points of the curves.
    pub least_range: [f64; 2],
    /// The curves.
    pub curves: Vec<ChartCurve>,
    /// Lines behind the curves.
    pub guides: Vec<ChartGuide>,
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartCurve {
    /// Name in the legend; empty for one that is not there.
    pub name: String,
    /// Number of its colour and width, counted from zero; fourteen differ.
    pub style: usize,
    /// The points, in the units of the axes; a single one is a dot.
    pub points: Vec<[f64; 2]>,
    /// Whether all points are dots, with no line between them.
    pub is_scattered: bool,
}

/// A straight line through the origin.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartGuide {
    /// What is written at its end.
    pub name: String,
    /// Its slope, in the units of the axes; positive.
    pub slope: f64,
}

/// A panel on the sheet.
struct Placed<'a> {
    panel: &'a ChartPanel,
    axis: Axis,
    top: f64,
    height: f64,
}

/// Everything placed on the sheet.
struct Layout<'a> {
    x: Abscissa,
    left: f64,
    panels: Vec<Placed<'a>>,
    size: (f64, f64),
}

impl Chart {
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
        let curves = || self.panels.iter().flat_map(|panel| &panel.curves);
        let mut top = if self.title.is_empty() { 30.0 } else { 60.0 };
        let least = HEIGHTS[usize::from(self.panels.len() > 1)];
        let mut panels = Vec::new();
        for panel in &self.panels {
            let height = (panel.curves.len() as f64 * LEGEND_LINE).max(least);
            panels.push(Placed { panel, axis: panel.axis(), top, height });
            top += height + GAP;
        }
        let ticks = panels.iter().flat_map(|placed| placed.axis.ticks());
        let left = 42.0 + ticks.map(|(_, text)| text_width(&text, FONT)).fold(18.0, f64::max);
        let legend = curves().map(|curve| text_width(&curve.name, FONT)).fold(60.0, f64::max);
        let size = (left + WIDTH + LEGEND_SAMPLE + 34.0 + legend, top - GAP + FOOT);
        Layout { x: self.abscissa(), left, panels, size }
    }

    fn abscissa(&self) -> Abscissa {
        let curves = self.panels.iter().flat_map(|panel| &panel.curves);
        let values = curves.flat_map(|curve| &curve.points).map(|point| point[0]);
        if self.is_x_logarithmic {
            return Abscissa::logarithmic(values);
        }
        let (low, high) = range(values);
        Abscissa::Linear(Axis::over(low, high, 8, 0.0, &self.x.unit))
    }

    fn draw(&self, canvas: &Canvas<'_>, layout: &Layout<'_>) -> Result<(), DrawError> {
        let title = shortened(&without_controls(&self.title), 80);
        canvas.text(&title, (layout.size.0 / 2.0, 12.0), lettering(TITLE_FONT, Anchor::Top))?;
        for placed in &layout.panels {
            layout.draw_grid(canvas, placed)?;
            layout.draw_guides(canvas, placed)?;
            layout.draw_curves(canvas, placed)?;
            layout.name_guides(canvas, placed)?;
            let bottom = placed.top + placed.height;
            let [start, end] = [layout.left, layout.left + WIDTH];
            canvas.line([(start, placed.top), (start, bottom), (end, bottom)], INK, 1.0)?;
        }
        let bottom = layout.panels.last().map_or(0.0, |placed| placed.top + placed.height);
        for (place, text) in layout.x.ticks() {
            let x = layout.left + WIDTH * place;
            canvas.line([(x, bottom), (x, bottom + TICK)], INK, 1.0)?;
            canvas.text(&text, (x, bottom + TICK + 4.0), lettering(FONT, Anchor::Top))?;
        }
        let label = format!("{} {}", self.x.name, layout.x.unit_text(&self.x.unit));
        canvas.text(&label, (layout.left + WIDTH / 2.0, bottom + 32.0), lettering(FONT, Anchor::Top))
    }
}

impl ChartPanel {
    fn axis(&self) -> Axis {
        let points = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
        let (low, high) = range(points.chain(self.least_range));
        // An axis that begins at zero shows it as its end.
        let margin = 0.05 * (high - low);
        let low = if low == 0.0 { 0.0 } else { low - margin };
        Axis::over(low, high + margin, 5, 0.0, &self.y.unit)
    }
}

impl Quantity {
    fn label(&self, axis: &Axis) -> String {
        format!("{} {}", self.name, axis.unit_text())
    }
}

impl Layout<'_> {
    fn at(&self, placed: &Placed<'_>, [x, y]: [f64; 2]) -> (f64, f64) {
        let up = placed.height * placed.axis.place(y);
        (self.left + WIDTH * self.x.place(x), placed.top + placed.height - up)
    }

    fn draw_grid(&self, canvas: &Canvas<'_>, placed: &Placed<'_>) -> Result<(), DrawError> {
        let (right, bottom) = (self.left + WIDTH, placed.top + placed.height);
        for (place, _) in self.x.ticks() {
            let x = self.left + WIDTH * place;
            canvas.line([(x, placed.top), (x, bottom)], GRID, 0.75)?;
        }
        for (place, text) in placed.axis.ticks() {
            let y = bottom - placed.height * place;
            canvas.line([(self.left, y), (right, y)], GRID, 0.75)?;
            canvas.line([(self.left - TICK, y), (self.left, y)], INK, 1.0)?;
            canvas.text(&text, (self.left - TICK - 4.0, y), lettering(FONT, Anchor::Right))?;
        }
        let label = placed.panel.y.label(&placed.axis);
        let middle = placed.top + placed.height / 2.0;
        canvas.text(&label, (16.0, middle), lettering(FONT, Anchor::Upwards))?;
        let heading = without_controls(&placed.panel.heading);
        canvas.text(&heading, (self.left, placed.top - 10.0), lettering(FONT, Anchor::Left))
    }

    /// Guides from the origin, or where the axis begins, to where they leave the panel, with room for their names.
    fn draw_guides(&self, canvas: &Canvas<'_>, placed: &Placed<'_>) -> Result<(), DrawError> {
        let start = self.x.ends()[0].max(0.0);
        for guide in &placed.panel.guides {
            let end = self.at(placed, self.end_of(placed, guide).0);
            canvas.line([self.at(placed, [start, guide.slope * start]), end], GUIDE, 0.75)?;
            let (at, lettering) = self.name_of(placed, guide);
            canvas.clear_for(&guide.name, at, lettering)?;
        }
        Ok(())
    }

    /// The names of the guides, over the curves.
    fn name_guides(&self, canvas: &Canvas<'_>, placed: &Placed<'_>) -> Result<(), DrawError> {
        for guide in &placed.panel.guides {
            let (at, lettering) = self.name_of(placed, guide);
            canvas.text(&guide.name, at, lettering)?;
        }
        Ok(())
    }

    /// Where a guide leaves the panel, and whether it does so at the top.
    fn end_of(&self, placed: &Placed<'_>, guide: &ChartGuide) -> ([f64; 2], bool) {
        let ([_, right], [_, above]) = (self.x.ends(), placed.axis.ends());
        let is_steep = guide.slope * right > above;
        (if is_steep { [above / guide.slope, above] } else { [right, guide.slope * right] }, is_steep)
    }

    /// Where the name of a guide stands, and how it looks.
    fn name_of(&self, placed: &Placed<'_>, guide: &ChartGuide) -> ((f64, f64), Lettering) {
        let (end, is_steep) = self.end_of(placed, guide);
        let (x, y) = self.at(placed, end);
        let (at, anchor) =
            if is_steep { ((x, y - 16.0), Anchor::Top) } else { ((x - 3.0, y), Anchor::Right) };
        (at, lettering(0.8 * FONT, anchor))
    }

    fn draw_curves(&self, canvas: &Canvas<'_>, placed: &Placed<'_>) -> Result<(), DrawError> {
        let (x, mut y) = (self.left + WIDTH + 16.0, placed.top + LEGEND_LINE / 2.0);
        for curve in &placed.panel.curves {
            let color = PALETTE[curve.style % PALETTE.len()];
            // The second round of colours has thin lines.
            let width = if (curve.style / PALETTE.len()).is_multiple_of(2) { 1.75 } else { 0.875 };
            if curve.is_scattered {
                for point in &curve.points {
                    canvas.line([self.at(placed, *point)], color, width)?;
                }
            } else {
                canvas.line(curve.points.iter().map(|point| self.at(placed, *point)), color, width)?;
            }
            if !curve.name.is_empty() {
                canvas.line([(x, y), (x + LEGEND_SAMPLE, y)], color, 1.5 * width)?;
                let name = without_controls(&curve.name);
                canvas.text(&name, (x + LEGEND_SAMPLE + 8.0, y), lettering(FONT, Anchor::Left))?;
            }
            y += LEGEND_LINE;
        }
        Ok(())
    }
}

/// Least and largest of the numbers; of none, zero and one.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let wider = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), wider);
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let y = Quantity { name: "frequency".to_owned(), unit: "Hz".to_owned() };
        let points = vec![[0.0, 1.0], [2.0, 4.0]];
        let curve = ChartCurve { name: "mode 1".into(), style: 0, points, is_scattered: false };
        let guides = vec![ChartGuide { name: "1/rev".to_owned(), slope: 1.0 }];
        let curves = vec![curve];
        let panel = ChartPanel { heading: String::new(), y, least_range: [0.0; 2], curves, guides };
        let x = Quantity { name: "speed".to_owned(), unit: "rad/s".to_owned() };
        Chart { title: "Fan".to_owned(), x, is_x_logarithmic: false, panels: vec![panel] }
    }

    #[test]
    fn names_and_units_are_written() {
        let svg = chart().to_svg().unwrap_or_default();
        for expected in ["Fan", "mode 1", "1/rev", "frequency [Hz]", "speed [rad/s]", "<polyline"] {
            assert!(svg.contains(expected), "{expected}: {svg}");
        }
    }

    #[test]
    fn points_lie_where_the_axes_say() {
        let chart = chart();
        let layout = chart.layout();
        let placed = &layout.panels[0];
        let [bottom, top] = [layout.at(placed, [0.0, 0.0]), layout.at(placed, [2.0, 4.2])];
        let close = |found: (f64, f64), x: f64, y: f64| (found.0 - x).abs() + (found.1 - y).abs() < 1e-9;
        assert!(close(bottom, layout.left, placed.top + placed.height), "{bottom:?}");
        assert!(close(top, layout.left + WIDTH, placed.top), "{top:?}");
    }
}
