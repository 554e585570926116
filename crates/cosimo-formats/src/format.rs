//! The formats and their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A format of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Apache Parquet: quantities and events as tables of columns, for pandas, Polars, DuckDB, R, MATLAB.
    Parquet,
    /// MATLAB 4 in the layout of trajectories that Dymola and OpenModelica write.
    Matlab,
    /// MCAP: quantities, events, frames and shapes as messages over time, for Foxglove and Rerun.
    Mcap,
    /// glTF 2.0 with animation, for Blender, browsers, three.js.
    Gltf,
    /// VTK XML with a collection over time, for ParaView and PyVista.
    ParaView,
    /// The figure as PDF.
    Pdf,
    /// The figure as PNG.
    Png,
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no format `{name}`{}: there are {}", suggestion(name), names())]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Parquet, Self::Matlab, Self::Mcap, Self::Gltf, Self::ParaView, Self::Pdf, Self::Png];

    /// Its name, as model files and the command know it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Matlab => "matlab",
            Self::Mcap => "mcap",
            Self::Gltf => "gltf",
            Self::ParaView => "paraview",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }

    /// Names of the files that it writes; a folder ends in `/`.
    #[must_use]
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Parquet => &["results.parquet", "events.parquet"],
            Self::Matlab => &["results.mat"],
            Self::Mcap => &["results.mcap"],
            Self::Gltf => &["scene.glb"],
            Self::ParaView => &["scene.pvd", "scene/"],
            Self::Pdf => &["plot.pdf"],
            Self::Png => &["plot.png"],
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

fn names() -> String {
    Format::ALL.map(Format::name).join(", ")
}

/// The name that may be meant.
fn suggestion(name: &str) -> String {
    let distances = Format::ALL.map(|format| (strsim::damerau_levenshtein(name, format.name()), format));
    match distances.into_iter().min_by_key(|(distance, _)| *distance) {
        Some((distance @ 1..=2, format)) if 2 * distance < name.len() => {
            format!(", did you mean `{format}`?")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_slips_are_understood() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let slip = Format::from_str("paruqet").map_err(|error| error.to_string());
        let expected = "no format `paruqet`, did you mean `parquet`?: there are parquet, matlab, mcap, gltf, paraview, pdf, png";
        assert_eq!(slip, Err(expected.to_owned()));
        let other = Format::from_str("hdf5").map_err(|error| error.to_string());
        assert!(other.is_err_and(|text| text.starts_with("no format `hdf5`: there are")));
    }
}
