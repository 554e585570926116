//! Numbers prescribed as functions of time.

mod course;
mod curve;
mod extremes;
mod kinds;
mod spline;

pub use course::Course;
pub use extremes::Extreme;
pub use kinds::{Integral, Law};
pub use spline::{Interpolation, Spline};
