//! The figure of a run: quantities over time, one panel for each unit.

use cosimo_master::QuantityLabel;
use plotters::style::RGBColor;

use crate::axis::Axis;
use crate::axis_name::axis_name;
use crate::canvas::{Anchor, Canvas, DrawError, text_width};
use crate::selection::full_name;
use crate::style::{FONT, GRID, INK, LEGEND_LINE, LEGEND_SAMPLE, PALETTE, TICK, TITLE_FONT, lettering};
use crate::text::{shortened, told_apart, without_controls};
use crate::trace::Trace;

/// From this many impacts on the marks would merge into a bar.
pub(crate) const IMPACTS_SHOWN: usize = 200;
/// Longest legend of a panel; the last entry counts the curves that are not named.
const LEGEND_ENTRIES: usize = 24;

const PLOT_WIDTH: f64 = 720.0;
const PANEL_GAP: f64 = 20.0;
const IMPACT_MARK: f64 = 9.0;

/// A quantity in a figure.
#[derive(Debug)]
pub(crate) struct Curve<'a> {
    pub(crate) label: &'a QuantityLabel,
    pub(crate) trace: &'a Trace,
}

/// The figure of a run.
#[derive(Debug)]
pub(crate) struct Figure<'a> {
    pub(crate) title: Option<&'a str>,
    pub(crate) curves: Vec<Curve<'a>>,
    /// First and last time (s).
    pub(crate) span: (f64, f64),
    /// Times of impacts (s); drawn if fewer than [`IMPACTS_SHOWN`].
    pub(crate) impacts: &'a [f64],
}

/// The curves of one unit.
struct Panel {
    /// What is measured, where it is plain.
    name: &'static str,
    axis: Axis,
    entries: Vec<Entry>,
    top: f64,
    height: f64,
}

struct Entry {
    name: String,
    points: Vec<(f64, f64)>,
    color: RGBColor,
    width: f64,
}

/// Everything placed on the sheet.
struct Layout {
    time: Axis,
    panels: Vec<Panel>,
    left: f64,
    size: (f64, f64),
}

impl Figure<'_> {
    /// The figure as the content of an SVG file.
    pub(crate) fn to_svg(&self) -> Result<String, DrawError> {
        let layout = self.layout();
        Canvas::draw(layout.size, |canvas| {
            if let Some(title) = self.title {
                let title = shortened(&without_controls(title), 80);
                canvas.text(&title, (layout.size.0 / 2.0, 14.0), lettering(TITLE_FONT, Anchor::Top))?;
            }
            for panel in &layout.panels {
                layout.draw_grid(canvas, panel)?;
                self.draw_impacts(canvas, &layout, panel)?;
                layout.draw_curves(canvas, panel)?;
                layout.draw_frame(canvas, panel)?;
                layout.draw_legend(canvas, panel)?;
            }
            self.draw_impact_legend(canvas, &layout)?;
            layout.draw_time_labels(canvas)
        })
    }

    fn layout(&self) -> Layout {
        let mut panels = self.panels();
        let lowest_height = match panels.len() {
            0 | 1 => 360.0,
            2 => 250.0,
            _ => 190.0,
        };
        let mut top = if self.title.is_some() { 50.0 } else { 20.0 };
        let last = panels.len().saturating_sub(1);
        for (index, panel) in panels.iter_mut().enumerate() {
            let lines = panel.entries.len().min(LEGEND_ENTRIES) + usize::from(index == last);
            panel.top = top;
            panel.height = (lines as f64 * LEGEND_LINE).max(lowest_height);
            top += panel.height + PANEL_GAP;
        }
        let tick_width =
            panels.iter().flat_map(|panel| panel.axis.ticks()).map(|(_, text)| text_width(&text, FONT));
        let left = 42.0 + tick_width.fold(18.0, f64::max);
        let names = panels.iter().flat_map(|panel| &panel.entries).map(|entry| text_width(&entry.name, FONT));
        let legend = LEGEND_SAMPLE + 34.0 + names.fold(90.0, f64::max);
        let size = (left + PLOT_WIDTH + legend, top - PANEL_GAP + 58.0);
        Layout { time: Axis::over(self.span.0, self.span.1, 10, 0.0, "s"), panels, left, size }
    }

    /// One panel a unit, in the order in which the units appear.
    fn panels(&self) -> Vec<Panel> {
        let mut units: Vec<&str> = Vec::new();
        for curve in &self.curves {
            if !units.contains(&curve.label.unit.as_str()) {
                units.push(&curve.label.unit);
            }
        }
        if units.is_empty() {
            units.push("");
        }
        units.into_iter().map(|unit| self.panel(unit)).collect()
    }

    fn panel(&self, unit: &str) -> Panel {
        let curves: Vec<_> = self.curves.iter().filter(|curve| curve.label.unit == unit).collect();
        let ranges = curves.iter().filter_map(|curve| curve.trace.range());
        let range = ranges.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
        let (low, high) = range.unwrap_or((-1.0, 1.0));
        let names: Vec<String> = curves.iter().map(|curve| full_name(curve.label)).collect();
        let names = told_apart(&names, 36);
        let entries = curves.iter().zip(names).enumerate().map(|(index, (curve, name))| Entry {
            name,
            points: curve.trace.points(),
            color: PALETTE[index % PALETTE.len()],
            // The second round of colours has thin lines.
            width: if (index / PALETTE.len()).is_multiple_of(2) { 1.75 } else { 0.875 },
        });
        Panel {
            name: axis_name(unit, curves.iter().map(|curve| curve.label.name.as_str())),
            axis: Axis::over(low, high, 5, 0.05, unit),
            entries: entries.collect(),
            top: 0.0,
            height: 0.0,
        }
    }

    fn shows_impacts(&self) -> bool {
        (1..IMPACTS_SHOWN).contains(&self.impacts.len())
    }

    fn draw_impacts(&self, canvas: &Canvas<'_>, layout: &Layout, panel: &Panel) -> Result<(), DrawError> {
        if !self.shows_impacts() {
            return Ok(());
        }
        let bottom = panel.top + panel.height;
        for &time in self.impacts {
            let x = layout.x(time);
            if (layout.left..=layout.left + PLOT_WIDTH).contains(&x) {
                canvas.line([(x, bottom), (x, bottom - IMPACT_MARK)], INK, 0.75)?;
            }
        }
        Ok(())
    }

    /// Explains the marks at the foot of the last panel's legend.
    fn draw_impact_legend(&self, canvas: &Canvas<'_>, layout: &Layout) -> Result<(), DrawError> {
        let Some(panel) = layout.panels.last().filter(|_| self.shows_impacts()) else {
            return Ok(());
        };
        let (x, bottom) = (layout.legend_x(), panel.top + panel.height);
        let middle = x + LEGEND_SAMPLE / 2.0;
        canvas.line([(middle, bottom), (middle, bottom - IMPACT_MARK)], INK, 0.75)?;
        let text = format!("impacts ({})", self.impacts.len());
        canvas.text(
            &text,
            (x + LEGEND_SAMPLE + 8.0, bottom - IMPACT_MARK / 2.0),
            lettering(FONT, Anchor::Left),
        )
    }
}

impl Layout {
    fn x(&self, time: f64) -> f64 {
        self.left + PLOT_WIDTH * self.time.place(time)
    }

    fn legend_x(&self) -> f64 {
        self.left + PLOT_WIDTH + 16.0
    }

    fn draw_grid(&self, canvas: &Canvas<'_>, panel: &Panel) -> Result<(), DrawError> {
        let (right, bottom) = (self.left + PLOT_WIDTH, panel.top + panel.height);
        for (place, _) in self.time.ticks() {
            let x = self.left + PLOT_WIDTH * place;
            canvas.line([(x, panel.top), (x, bottom)], GRID, 0.75)?;
        }
        for (place, text) in panel.axis.ticks() {
            let y = bottom - panel.height * place;
            canvas.line([(self.left, y), (right, y)], GRID, 0.75)?;
            canvas.line([(self.left - TICK, y), (self.left, y)], INK, 1.0)?;
            canvas.text(&text, (self.left - TICK - 4.0, y), lettering(FONT, Anchor::Right))?;
        }
        let at = (16.0, panel.top + panel.height / 2.0);
        let label = format!("{} {}", panel.name, panel.axis.unit_text());
        canvas.text(label.trim_start(), at, lettering(FONT, Anchor::Upwards))
    }

    fn draw_curves(&self, canvas: &Canvas<'_>, panel: &Panel) -> Result<(), DrawError> {
        let bottom = panel.top + panel.height;
        for entry in &panel.entries {
            let place =
                |&(time, value): &(f64, f64)| (self.x(time), bottom - panel.height * panel.axis.place(value));
            canvas.line(entry.points.iter().map(place), entry.color, entry.width)?;
        }
        Ok(())
    }

    fn draw_frame(&self, canvas: &Canvas<'_>, panel: &Panel) -> Result<(), DrawError> {
        let (right, bottom) = (self.left + PLOT_WIDTH, panel.top + panel.height);
        canvas.line([(self.left, panel.top), (self.left, bottom), (right, bottom)], INK, 1.0)
    }

    fn draw_legend(&self, canvas: &Canvas<'_>, panel: &Panel) -> Result<(), DrawError> {
        let x = self.legend_x();
        let text_x = x + LEGEND_SAMPLE + 8.0;
        let has_room = panel.entries.len() <= LEGEND_ENTRIES;
        let named = if has_room { panel.entries.len() } else { LEGEND_ENTRIES - 1 };
        let mut y = panel.top + LEGEND_LINE / 2.0;
        for entry in &panel.entries[..named] {
            canvas.line([(x, y), (x + LEGEND_SAMPLE, y)], entry.color, 1.5 * entry.width)?;
            canvas.text(&entry.name, (text_x, y), lettering(FONT, Anchor::Left))?;
            y += LEGEND_LINE;
        }
        if !has_room {
            let rest = format!("and {} more", panel.entries.len() - named);
            canvas.text(&rest, (text_x, y), lettering(FONT, Anchor::Left))?;
        }
        Ok(())
    }

    /// Ticks and label of the time axis, below the last panel.
    fn draw_time_labels(&self, canvas: &Canvas<'_>) -> Result<(), DrawError> {
        let bottom = self.panels.last().map_or(0.0, |panel| panel.top + panel.height);
        for (place, text) in self.time.ticks() {
            let x = self.left + PLOT_WIDTH * place;
            canvas.line([(x, bottom), (x, bottom + TICK)], INK, 1.0)?;
            canvas.text(&text, (x, bottom + TICK + 4.0), lettering(FONT, Anchor::Top))?;
        }
        let label = format!("t {}", self.time.unit_text());
        canvas.text(&label, (self.left + PLOT_WIDTH / 2.0, bottom + 32.0), lettering(FONT, Anchor::Top))
    }
}
