//! Airfoils in plain words.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::airfoil::{Airfoil, AirfoilError, AirfoilTable, FormulaAirfoil, ThinAirfoil};

/// An airfoil.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "snake_case", tag = "kind", deny_unknown_fields)]
#[non_exhaustive]
pub enum AirfoilSpec {
    /// The table of the NACA 0012 section.
    Naca0012,
    /// A symmetric section over ±180° by a formula.
    Formula,
    /// Straight lift and parabolic drag.
    Thin {
        /// Slope of the lift (1/rad).
        lift_slope: f64,
        /// Angle without lift (rad).
        #[serde(default)]
        zero_lift: f64,
        /// Drag without lift (–).
        #[serde(default)]
        drag: f64,
        /// Growth of the drag (1/rad²).
        #[serde(default)]
        drag_by_square: f64,
        /// Moment about the quarter chord (–).
        #[serde(default)]
        moment: f64,
    },
    /// A table in the C81 format.
    C81 {
        /// Content of the file.
        text: String,
    },
    /// A table in the layout of this crate's `data/naca0012.csv`.
    Csv {
        /// Content of the file.
        text: String,
    },
}

impl AirfoilSpec {
    /// Lift alone, with this slope (1/rad).
    #[must_use]
    pub const fn thin(lift_slope: f64) -> Self {
        Self::Thin { lift_slope, zero_lift: 0.0, drag: 0.0, drag_by_square: 0.0, moment: 0.0 }
    }

    /// The airfoil.
    ///
    /// # Errors
    /// What is wrong with its data.
    pub fn build(&self) -> Result<Arc<dyn Airfoil>, AirfoilError> {
        Ok(match self {
            Self::Naca0012 => Arc::new(AirfoilTable::naca0012()?),
            Self::Formula => Arc::new(FormulaAirfoil),
            Self::Thin { lift_slope, zero_lift, drag, drag_by_square, moment } => {
                for (what, found) in [
                    ("the slope of the lift", *lift_slope),
                    ("the angle without lift", *zero_lift),
                    ("the drag", *drag),
                    ("the growth of the drag", *drag_by_square),
                    ("the moment", *moment),
                ] {
                    if !found.is_finite() {
                        return Err(AirfoilError::BadNumber { coefficient: "thin airfoil", what, found });
                    }
                }
                Arc::new(ThinAirfoil {
                    lift_slope: *lift_slope,
                    zero_lift: *zero_lift,
                    drag: *drag,
                    drag_by_square: *drag_by_square,
                    moment: *moment,
                })
            }
            Self::C81 { text } => Arc::new(AirfoilTable::from_c81(text)?),
            Self::Csv { text } => Arc::new(AirfoilTable::from_csv(text)?),
        })
    }
}
