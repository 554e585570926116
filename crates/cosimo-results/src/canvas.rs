//! A sheet to draw on, in pixels of which fractions count.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle, WHITE};

/// Why drawing failed.
pub(crate) type DrawError = DrawingAreaErrorKind<std::io::Error>;

/// Drawing units a pixel: the backend knows integers only, and curves rounded to pixels look ragged.
const UNITS: f64 = 8.0;
/// The backend divides font sizes by this.
const FONT_DIVISOR: f64 = 1.24;
/// Width of a character relative to the font size, on average and in a wide font.
const CHARACTER_WIDTH: f64 = 0.62;

/// Where a text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Its left end, centred vertically.
    Left,
    /// Its right end, centred vertically.
    Right,
    /// The middle of its upper edge.
    Top,
    /// Its centre; the text runs upwards.
    Upwards,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lettering {
    pub(crate) size: f64,
    pub(crate) color: RGBColor,
    pub(crate) anchor: Anchor,
}

/// A sheet to draw on. The origin is the upper left corner.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

impl Canvas<'_> {
    /// Draws a picture of the given size on white and returns it as a file's content.
    pub(crate) fn draw(
        size: (f64, f64),
        picture: impl FnOnce(&Canvas<'_>) -> Result<(), DrawError>,
    ) -> Result<String, DrawError> {
        let units = (units(size.0) as u32, units(size.1) as u32);
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, units).into_drawing_area();
        area.fill(&WHITE)?;
        let canvas = Canvas { area };
        picture(&canvas)?;
        canvas.area.present()?;
        drop(canvas);
        // The view box stays in drawing units. Rounded joins, because mitred ones overshoot at sharp peaks.
        let drawn = format!("width=\"{}\" height=\"{}\"", units.0, units.1);
        let shown =
            format!("width=\"{}\" height=\"{}\" stroke-linejoin=\"round\"", size.0.round(), size.1.round());
        Ok(text.replacen(&drawn, &shown, 1))
    }

    /// Draws a line through the points; one point becomes a dot.
    pub(crate) fn line(
        &self,
        points: impl IntoIterator<Item = (f64, f64)>,
        color: RGBColor,
        width: f64,
    ) -> Result<(), DrawError> {
        let mut path: Vec<_> = points.into_iter().map(|(x, y)| (units(x), units(y))).collect();
        path.dedup();
        let style = ShapeStyle { color: color.to_rgba(), filled: true, stroke_width: units(width) as u32 };
        match path[..] {
            [] => Ok(()),
            [point] => self.area.draw(&Circle::new(point, units(2.0 * width), style)),
            _ => self.area.draw(&PathElement::new(path, style)),
        }
    }

    /// Writes a text.
    pub(crate) fn text(&self, text: &str, at: (f64, f64), lettering: Lettering) -> Result<(), DrawError> {
        let (horizontal, vertical, transform) = match lettering.anchor {
            Anchor::Left => (HPos::Left, VPos::Center, FontTransform::None),
            Anchor::Right => (HPos::Right, VPos::Center, FontTransform::None),
            Anchor::Top => (HPos::Center, VPos::Top, FontTransform::None),
            Anchor::Upwards => (HPos::Center, VPos::Center, FontTransform::Rotate270),
        };
        let font = ("sans-serif", lettering.size * UNITS * FONT_DIVISOR).into_font().transform(transform);
        let style = TextStyle::from(font).color(&lettering.color).pos(Pos::new(horizontal, vertical));
        self.area.draw_text(text, &style, (units(at.0), units(at.1)))
    }

    /// Paints over what is where a text will be written.
    pub(crate) fn clear_for(
        &self,
        text: &str,
        at: (f64, f64),
        lettering: Lettering,
    ) -> Result<(), DrawError> {
        let (width, height) = (text_width(text, lettering.size), lettering.size);
        let (wide, high) =
            if lettering.anchor == Anchor::Upwards { (height, width) } else { (width, height) };
        let (left, top) = match lettering.anchor {
            Anchor::Left => (at.0, at.1 - 0.5 * high),
            Anchor::Right => (at.0 - wide, at.1 - 0.5 * high),
            Anchor::Top => (at.0 - 0.5 * wide, at.1),
            Anchor::Upwards => (at.0 - 0.5 * wide, at.1 - 0.5 * high),
        };
        let corners = [(left, top), (left + wide, top + high)].map(|(x, y)| (units(x), units(y)));
        self.area.draw(&Rectangle::new(corners, WHITE.filled()))
    }
}

/// About how wide a text is.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * CHARACTER_WIDTH * size
}

fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}
