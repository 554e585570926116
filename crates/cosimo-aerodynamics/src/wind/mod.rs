//! Wind: the velocity of the air where no rotor disturbs it.
//!
//! | wind | what |
//! |---|---|
//! | [`UniformWind`] | the same everywhere, always |
//! | [`TravellingFront`] | a profile that travels along a direction |
//! | [`CosineGust`] | one period of `1 − cos` over time, everywhere |
//! | [`LinearWind`] | a velocity and its gradient, such as over a ship's deck |
//! | [`ShearWind`] | a power of the height |
//! | [`WindTable`] | a velocity over time, from a table |
//! | [`WindSum`] | several at once |
//!
//! A wind of your own implements [`Wind`].

mod front;
mod gust;
mod simple;
mod sum;
mod table;
mod velocity;

pub use front::{FrontProfile, TravellingFront};
pub use gust::CosineGust;
pub use simple::{LinearWind, ShearWind, UniformWind};
pub use sum::WindSum;
pub use table::{WindTable, WindTableError};
pub use velocity::Wind;
