//! What a mechanical system looks like, and where its parts are.
//!
//! An [`Appearance`] is what does not change: the bodies with their shapes, the links between them, the names of contacts. A [`Sight`]
//! is one instant: the pose of every body, and the forces of the contacts that carry any. Both are data that refer to nothing, so
//! that they cross threads, processes and files.
//!
//! ```
//! use cosimo_scene::{Appearance, Body, Geometry, Pose, Shape, Sight};
//! use nalgebra::Vector3;
//!
//! let ball = Body::new("ball").with_shape(Shape::new(Geometry::Sphere { radius: 0.1 }));
//! let appearance = Appearance { bodies: vec![ball], ..Appearance::default() };
//! let sight = Sight { poses: vec![Pose::at(Vector3::new(0.0, 0.0, 1.0))], ..Sight::default() };
//! assert!(sight.fits(&appearance));
//! ```

mod appearance;
mod equivalent;
mod geometry;
mod mesh;
mod mesh_file;
mod pose;
mod scene;
mod shape;

pub use appearance::{Anchor, Appearance, Body, Link};
pub use equivalent::equivalent_box;
pub use geometry::Geometry;
pub use mesh::Mesh;
pub use mesh_file::MeshError;
pub use pose::{ContactForce, Pose, Sight};
pub use scene::{Frame, Scene, SceneBody};
pub use shape::{Role, Shape};
