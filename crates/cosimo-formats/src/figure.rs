//! The figure of a run as PDF and PNG.

use std::error::Error;
use std::fs;
use std::path::Path;

use cosimo_results::Results;
use resvg::tiny_skia::{Pixmap, Transform};
use svg2pdf::usvg::{Options, Tree};
use svg2pdf::{ConversionOptions, PageOptions};

use crate::{Format, FormatError};

/// The letters of figures, on machines too that have no fonts: Latin, Greek, Cyrillic and mathematical signs.
const FONT: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");
const FAMILY: &str = "DejaVu Sans";
/// Pixels of the image a pixel of the figure.
const SCALE: f32 = 2.0;

/// Writes `plot.pdf` into a folder.
pub(crate) fn write_pdf(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let tree = tree(results, Format::Pdf)?;
    let page = svg2pdf::to_pdf(&tree, ConversionOptions::default(), PageOptions::default());
    let bytes = page.map_err(|error| FormatError::encode(Format::Pdf)(error.to_string()))?;
    let path = folder.join("plot.pdf");
    fs::write(&path, bytes).map_err(FormatError::write(&path))
}

/// Writes `plot.png` into a folder.
pub(crate) fn write_png(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let tree = tree(results, Format::Png)?;
    let size = tree.size();
    let pixels = |length: f32| (SCALE * length).ceil() as u32;
    let wrong = FormatError::encode::<Box<dyn Error + Send + Sync>>(Format::Png);
    let mut image = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| wrong("the figure is too large".into()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut image.as_mut());
    let bytes = image.encode_png().map_err(|error| wrong(error.into()))?;
    let path = folder.join("plot.png");
    fs::write(&path, bytes).map_err(FormatError::write(&path))
}

fn tree(results: &Results, format: Format) -> Result<Tree, FormatError> {
    let path = results.directory.join("plot.svg");
    let text = fs::read_to_string(&path).map_err(|source| FormatError::NoFigure { format, path, source })?;
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(FONT.to_vec());
    // For letters that the own font does not have. The system says what its families are; figures have the same on every machine.
    fonts.load_system_fonts();
    fonts.set_sans_serif_family(FAMILY);
    Tree::from_str(&text, &options).map_err(FormatError::encode(format))
}

#[cfg(test)]
mod tests {
    use svg2pdf::usvg::fontdb::{Database, Family, Query};

    use super::*;

    /// On a machine without fonts this one draws every sign of the axes.
    #[test]
    fn the_font_has_the_letters_of_figures() {
        let mut fonts = Database::new();
        fonts.load_font_data(FONT.to_vec());
        let found = fonts.query(&Query { families: &[Family::Name(FAMILY)], ..Query::default() });
        let is_drawn = |letter: char| {
            let text = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text font-family='{FAMILY}'>{letter}</text></svg>"
            );
            let mut options = Options::default();
            *options.fontdb_mut() = fonts.clone();
            Tree::from_str(&text, &options).is_ok_and(|tree| tree.root().has_children())
        };
        assert!(found.is_some());
        for letter in "Aµμ⁻⁰¹²³⁴⁵⁶⁷⁸⁹−–…·°ωΩφαβγΔäßéЖ".chars() {
            assert!(is_drawn(letter), "{letter}");
        }
        assert!(!is_drawn('力'));
    }
}
