//! Aerodynamic loads of a blade whose motion is that of frames along it.
//!
//! Between two frames position, velocity and angular velocity are linear and the orientation turns at a constant rate about one
//! axis (geodesic). Loads at the Gauss points go to the frames by the same shape functions: force, moment and power of all
//! loads are kept exactly. Nothing here knows of co-simulation: an element of a multibody system may use it as it is.
//!
//! | file | what |
//! |---|---|
//! | `distribution` | quantities along the radius, piecewise linear, with jumps |
//! | `geometry` | what a blade is made of: stations, Gauss points, airfoils |
//! | `segment` | motion between two frames, with its derivatives |
//! | `flow` | the flow at a Gauss point |
//! | `point` | loads of a Gauss point and their derivatives |
//! | `loads` | loads of a blade on its frames, with tangents |
//! | `segment_loads` | the same of one segment, in a given field |

mod distribution;
mod flow;
mod geometry;
mod loads;
mod point;
mod segment;
mod segment_loads;

pub use distribution::{Distribution, DistributionError, Piece};
pub use flow::{BladeMemory, Induced, PointState, Surroundings};
pub(crate) use flow::{wind_gradient, wind_velocity};
pub use geometry::{AirfoilRange, Blade, BladeError, BladeGeometry};
pub(crate) use loads::HUB_COLUMNS;
pub use loads::{BladeLoads, BladeTangents};
pub(crate) use segment_loads::{SegmentLoads, SegmentTangents};
