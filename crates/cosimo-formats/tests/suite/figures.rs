//! Figures are drawn with their texts, whatever fonts there are.

use std::fs;

use cosimo_formats::{Format, FormatError, convert};

use crate::recorded;
use crate::tools::python;

/// A figure with signs of units in it, some of letters that fonts rarely have.
const FIGURE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100" viewBox="0 0 2400 800">
<rect width="2400" height="800" fill="#FFFFFF"/>
<text x="100" y="400" font-family="sans-serif" font-size="200" fill="#000000">Aµ⁻⁶ωЖ−</text>
</svg>"##;

#[test]
fn figures_have_their_texts() {
    let (folder, results) = recorded::run(1);
    fs::write(folder.path().join("plot.svg"), FIGURE).unwrap();
    for format in [Format::Pdf, Format::Png] {
        convert(&results, format, folder.path()).unwrap();
    }
    python("read_figures.py", &["pypdf", "PIL.Image"], folder.path());
}

#[test]
fn a_missing_figure_is_named() {
    let (folder, results) = recorded::run(1);
    let error = convert(&results, Format::Png, folder.path()).unwrap_err();
    assert!(matches!(error, FormatError::NoFigure { .. }));
    assert!(error.to_string().contains("plot.svg"));
}
