//! What the formats of pictures have in common.

mod film;
mod lathe;
mod look;
mod surface;
mod triangles;
mod tube;

pub(crate) use film::Film;
pub(crate) use look::{FORCE_COLOR, Palette};
pub(crate) use surface::{Drawing, drawing, tube_surface};
pub(crate) use triangles::Surface;
pub(crate) use tube::Tube;
