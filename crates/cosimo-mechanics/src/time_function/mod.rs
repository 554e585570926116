//! Numbers over time.
//!
//! | module | what |
//! |---|---|
//! | `function` | [`TimeFunction`]: value and two derivatives at any time |
//! | `table`, `curve` | points, and curves through them: straight lines, splines, monotone pieces |
//! | `integral` | positions by their speed |
//! | `input` | what is given from outside, piece by piece |
//! | `extremes` | least and greatest value over a span |

mod curve;
mod extremes;
mod function;
mod input;
mod integral;
mod table;

pub use curve::{Curve, Interpolation};
pub use extremes::Extreme;
pub use function::TimeFunction;
pub use input::TimeInput;
pub use integral::Integral;
pub use table::{TimeTable, TimeTableError};
