//! Numbers over time.
//!
//! | module | what |
//! |---|---|
//! | `function`, `equality` | [`TimeFunction`]: value and two derivatives at any time; positions by their speed |
//! | `table`, `curve` | points, and curves through them: straight lines, splines, monotone pieces |
//! | `transition`, `chirp` | steps, ramps, sines whose frequency changes |
//! | `quadrature` | integrals of formulas |
//! | `input` | what is given from outside, piece by piece |
//! | `extremes` | least and greatest value over a span |

mod chirp;
mod curve;
mod equality;
mod extremes;
mod function;
mod input;
mod quadrature;
mod table;
#[cfg(test)]
mod tests;
mod transition;

pub use chirp::{Chirp, Sweep};
pub use curve::{Curve, Interpolation};
pub use extremes::Extreme;
pub use function::{Integral, TimeFunction};
pub use input::TimeInput;
pub use table::{TimeTable, TimeTableError};
pub use transition::{Ramp, Step};
