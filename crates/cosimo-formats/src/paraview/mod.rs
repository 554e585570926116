//! VTK XML: three files an instant, and a collection of them over time.
//!
//! | part | points | arrays |
//! |---|---|---|
//! | `surfaces` | of the shapes | `body`, `color`, `Normals` |
//! | `bodies` | origins of the bodies | `body`, `orientation w x y z` |
//! | `contacts` | where forces act | `contact`, `force [N]` |
//!
//! Lengths are in m. References: Kitware, *VTK User's Guide*, section on XML file formats; *ParaView Data (PVD) File Format*.

mod parts;
mod poly_data;
mod surfaces;
mod xml;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use cosimo_results::Results;

use crate::scene::Film;
use crate::{Format, FormatError};
use surfaces::Surfaces;

/// Writes `scene.pvd` and the folder `scene`.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<(), FormatError> {
    let film = Film::required(results, Format::ParaView)?;
    let scene = folder.join("scene");
    fs::create_dir(&scene).map_err(FormatError::write(&scene))?;
    let surfaces = Surfaces::of(film.scene);
    let mut entries = String::new();
    for (number, frame) in film.frames().enumerate() {
        let parts = [
            ("surfaces", surfaces.at(frame)),
            ("bodies", parts::bodies(film.scene, frame)),
            ("contacts", parts::contacts(film.scene, frame)),
        ];
        for (part, (name, content)) in parts.into_iter().enumerate() {
            let file = format!("{name}-{number:06}.vtp");
            let path = scene.join(&file);
            fs::write(&path, content.to_xml(frame.time)).map_err(FormatError::write(&path))?;
            // A string takes whatever is written.
            let _ = writeln!(
                entries,
                "<DataSet timestep=\"{:e}\" group=\"\" part=\"{part}\" name=\"{name}\" file=\"scene/{file}\"/>",
                frame.time
            );
        }
    }
    let path = folder.join("scene.pvd");
    let collection = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n{entries}</Collection>\n</VTKFile>\n"
    );
    fs::write(&path, collection).map_err(FormatError::write(&path))
}
