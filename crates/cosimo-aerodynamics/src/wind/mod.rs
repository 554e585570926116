//! Wind: the velocity of the air where no rotor disturbs it.
//!
//! | wind | what |
//! |---|---|
//! | [`UniformWind`] | the same everywhere, always |
//! | [`TravellingFront`] | a profile that travels along a direction |
//! | [`CosineGust`] | one period of `1 − cos` over time, everywhere |
//! | [`LinearWind`] | a velocity and its gradient, such as over a ship's deck |
//! | [`ShearWind`] | a power of the height |
//! | [`VaryingWind`] | a velocity over time, everywhere |
//! | [`WindSum`] | several at once |
//!
//! A wind of your own implements [`Wind`].

mod front;
mod gust;
mod simple;
mod sum;
mod varying;
mod velocity;

pub use front::{FrontProfile, TravellingFront};
pub use gust::CosineGust;
pub use simple::{LinearWind, ShearWind, UniformWind};
pub use sum::WindSum;
pub use varying::VaryingWind;
pub use velocity::Wind;
