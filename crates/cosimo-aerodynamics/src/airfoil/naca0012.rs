//! The section that comes with this crate.

use super::{AirfoilError, AirfoilTable};

/// The table, see `data/README.md`.
const TABLE: &str = include_str!("../../data/naca0012.csv");

impl AirfoilTable {
    /// The NACA 0012 section over ±180°, Mach numbers up to 1: public C81 data, see `data/README.md` for origin and oddities.
    ///
    /// # Errors
    /// None: a test reads the table.
    pub fn naca0012() -> Result<Self, AirfoilError> {
        Self::from_csv(TABLE)
    }
}
