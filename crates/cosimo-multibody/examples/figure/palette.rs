//! Colours of curves.

use plotters::style::RGBColor;

/// Okabe and Ito's palette for all kinds of colour vision.
pub(crate) const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];
