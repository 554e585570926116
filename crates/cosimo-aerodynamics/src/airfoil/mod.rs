//! Airfoils: coefficients of a section by angle of attack and Mach number.
//!
//! | file | what |
//! |---|---|
//! | `coefficients` | a coefficient with its slopes; the trait [`Airfoil`] |
//! | `thin` | straight lift, parabolic drag |
//! | `formula` | symmetric sections over ±180° |
//! | `table` | linear interpolation in tables |
//! | `c81` | tables in files of the C81 format, fixed or free |
//! | `csv` | tables in files of the layout of `data/naca0012.csv` |
//! | `naca0012` | the table that comes with this crate |
//!
//! Lift and drag are perpendicular to and along the flow, the moment is about the quarter chord, nose up positive.

mod c81;
mod coefficients;
mod csv;
mod error;
mod formula;
mod naca0012;
mod table;
mod thin;

pub use coefficients::{Airfoil, Coefficient, Coefficients};
pub use error::AirfoilError;
pub use formula::FormulaAirfoil;
pub use table::{AirfoilTable, CoefficientTable};
pub use thin::ThinAirfoil;
