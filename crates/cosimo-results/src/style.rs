//! How figures look.

use plotters::style::RGBColor;

use crate::canvas::{Anchor, Lettering};

/// Okabe and Ito's palette for all kinds of colour vision, without its yellow, which is faint on white.
pub(crate) const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const GRID: RGBColor = RGBColor(226, 226, 226);
/// Of lines that guide the eye, between grid and curves.
pub(crate) const GUIDE: RGBColor = RGBColor(160, 160, 160);

pub(crate) const FONT: f64 = 13.0;
pub(crate) const TITLE_FONT: f64 = 17.0;
pub(crate) const LEGEND_LINE: f64 = 19.0;
pub(crate) const LEGEND_SAMPLE: f64 = 22.0;
pub(crate) const TICK: f64 = 5.0;

pub(crate) fn lettering(size: f64, anchor: Anchor) -> Lettering {
    Lettering { size, color: INK, anchor }
}
