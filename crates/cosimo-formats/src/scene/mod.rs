//! What the formats of pictures have in common.

mod drawing;
mod film;
mod lathe;
mod look;
mod surface;
mod tube;

pub(crate) use drawing::{Drawing, drawing, tube_surface};
pub(crate) use film::Film;
pub(crate) use look::{FORCE_COLOR, Palette};
pub(crate) use surface::Surface;
pub(crate) use tube::Tube;
