//! Triangles from files.

use std::io;
use std::path::{Path, PathBuf};

use mesh_loader::Loader;
use thiserror::Error;

use crate::Mesh;

/// Why a mesh cannot be had from a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file is of another format.
    #[error("`{}` is no mesh that can be read: its name must end in .stl or .obj", path.display())]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read, or is not what its name says.
    #[error("the mesh `{}` cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file holds no triangles, or some that are not whole.
    #[error("the mesh `{}` has no triangles, or corners that are not finite", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl Mesh {
    /// Reads an STL or an OBJ file, whose numbers are metres times 1/`scale`: `scale` is 1e-3 for a file in millimetres.
    ///
    /// # Errors
    /// The file is of another format, cannot be read, or has no triangles.
    pub fn open(path: impl AsRef<Path>, scale: f64) -> Result<Self, MeshError> {
        let path = path.as_ref();
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
        let loader = Loader::default().merge_meshes(true);
        let loaded = match ending.as_deref() {
            Some("stl") => loader.load_stl(path),
            Some("obj") => loader.load_obj(path),
            _ => return Err(MeshError::Format { path: path.to_owned() }),
        };
        let loaded = loaded.map_err(|source| MeshError::Unreadable { path: path.to_owned(), source })?;
        let mut mesh = Self::default();
        for part in loaded.meshes {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(part.vertices.iter().map(|p| p.map(|x| scale * f64::from(x))));
            mesh.triangles.extend(part.faces.iter().map(|face| face.map(|corner| first + corner)));
        }
        let is_whole = !mesh.triangles.is_empty() && mesh.is_valid();
        if is_whole { Ok(mesh) } else { Err(MeshError::Empty { path: path.to_owned() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron with corners at the origin and at one on every axis: volume 1/6.
    const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

    fn volume(mesh: &Mesh) -> f64 {
        let corner = |k: u32| nalgebra::Vector3::from(mesh.vertices[k as usize]);
        let part = |[a, b, c]: &[u32; 3]| corner(*a).dot(&corner(*b).cross(&corner(*c))) / 6.0;
        mesh.triangles.iter().map(part).sum()
    }

    #[test]
    fn files_of_both_formats_are_read_in_their_scale() {
        let scratch = tempfile::tempdir().unwrap();
        let obj = scratch.path().join("tetrahedron.OBJ");
        std::fs::write(&obj, OBJ).unwrap();
        let mesh = Mesh::open(&obj, 1e-3).unwrap();
        assert!((volume(&mesh) - 1e-9 / 6.0).abs() < 1e-15);
        let mut stl = String::from("solid t\n");
        for face in &mesh.triangles {
            stl += "facet normal 0 0 0\nouter loop\n";
            for corner in face {
                let [x, y, z] = mesh.vertices[*corner as usize].map(|x| 1e3 * x);
                stl += &format!("vertex {x} {y} {z}\n");
            }
            stl += "endloop\nendfacet\n";
        }
        let path = scratch.path().join("tetrahedron.stl");
        std::fs::write(&path, stl + "endsolid t\n").unwrap();
        assert!((volume(&Mesh::open(&path, 1.0).unwrap()) - 1.0 / 6.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_no_mesh_is_refused_by_name() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("wheel.stl");
        assert!(Mesh::open(&path, 1.0).unwrap_err().to_string().contains("wheel.stl"));
        std::fs::write(&path, "solid empty\nendsolid empty\n").unwrap();
        assert!(matches!(
            Mesh::open(&path, 1.0),
            Err(MeshError::Empty { .. } | MeshError::Unreadable { .. })
        ));
        assert!(matches!(Mesh::open("wheel.step", 1.0), Err(MeshError::Format { .. })));
    }
}
