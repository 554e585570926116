//! The models in one form.

use nalgebra::{SMatrix, SVector};
use serde::{Deserialize, Serialize};

use super::{DiskFlow, Momentum, linear};
use crate::number::{Dual, Number};

/// Number of unknowns of a model: mean and two gradients, or what they are made of.
pub(crate) const UNKNOWNS: usize = 3;
/// Number of entries of a [`DiskFlow`].
const FLOW: usize = 5;
/// Variables of the equations: flow, unknowns, forcing.
const VARIABLES: usize = FLOW + 2 * UNKNOWNS;

/// Where the induced velocity comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum InflowModel {
    /// There is none.
    None,
    /// Uniform over the disk, Glauert's momentum theory.
    Uniform,
    /// The same with Drees' gradients.
    Drees,
    /// The same with Coleman's gradient.
    Coleman,
    /// Pitt and Peters' three states.
    #[default]
    PittPeters,
    /// Momentum theory for every annulus: blade-element momentum theory.
    Annular,
}

/// The equations of a model and their derivatives, at one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Equations {
    /// Residuals, or rates of the states.
    pub(crate) value: SVector<f64, UNKNOWNS>,
    /// By the flow through the disk.
    pub(crate) by_flow: SMatrix<f64, UNKNOWNS, FLOW>,
    /// By the unknowns.
    pub(crate) by_unknowns: SMatrix<f64, UNKNOWNS, UNKNOWNS>,
    /// By thrust and first moments over the radius.
    pub(crate) by_forcing: SMatrix<f64, UNKNOWNS, UNKNOWNS>,
}

impl InflowModel {
    /// Whether its unknowns are states, with rates instead of residuals.
    #[must_use]
    pub fn is_dynamic(self) -> bool {
        self == Self::PittPeters
    }

    /// Whether one field holds for the whole disk, with unknowns of its own.
    pub(crate) fn has_unknowns(self) -> bool {
        !matches!(self, Self::None | Self::Annular)
    }

    /// Residuals of the unknowns (m/s), or rates of the states (m/s²).
    fn equations<T: Number>(
        self,
        rotor: &Momentum,
        flow: &DiskFlow<T>,
        y: [T; 3],
        forcing: [T; 3],
    ) -> [T; 3] {
        match self {
            Self::PittPeters => rotor.pitt_peters_rates(flow, y, forcing),
            Self::Uniform | Self::Drees | Self::Coleman => {
                [rotor.balance(flow, y[0], forcing[0]), y[1], y[2]]
            }
            Self::None | Self::Annular => y,
        }
    }

    /// The equations with their derivatives.
    pub(crate) fn linearised(
        self,
        rotor: &Momentum,
        flow: &DiskFlow<f64>,
        y: &SVector<f64, UNKNOWNS>,
        forcing: &SVector<f64, UNKNOWNS>,
    ) -> Equations {
        let variables = |values: &SVector<f64, UNKNOWNS>, first: usize| {
            std::array::from_fn(|k| Dual::<VARIABLES>::variable(values[k], first + k))
        };
        let [y, forcing] = [variables(y, FLOW), variables(forcing, FLOW + UNKNOWNS)];
        let found = self.equations(rotor, &flow.variables(), y, forcing);
        let block = |row: usize, column: usize| found[row].by[column];
        Equations {
            value: SVector::from_fn(|i, _| found[i].value),
            by_flow: SMatrix::from_fn(block),
            by_unknowns: SMatrix::from_fn(|i, j| block(i, FLOW + j)),
            by_forcing: SMatrix::from_fn(|i, j| block(i, FLOW + UNKNOWNS + j)),
        }
    }

    /// Mean and gradients of the field (m/s), and their derivatives by flow and unknowns.
    pub(crate) fn field(
        self,
        rotor: &Momentum,
        (flow, sign): (&DiskFlow<f64>, f64),
        y: &SVector<f64, UNKNOWNS>,
    ) -> Equations {
        let flow = flow.variables();
        let y: [Dual<{ FLOW + UNKNOWNS }>; 3] = std::array::from_fn(|k| Dual::variable(y[k], FLOW + k));
        let found: [Dual<{ FLOW + UNKNOWNS }>; 3] = match self {
            Self::None | Self::Annular => [Dual::constant(0.0); 3],
            Self::Uniform => [y[0], Dual::constant(0.0), Dual::constant(0.0)],
            Self::Drees => rotor.linear_field(&flow, (y[0], sign), linear::drees),
            Self::Coleman => rotor.linear_field(&flow, (y[0], sign), linear::coleman),
            Self::PittPeters => y,
        };
        let near_ground = rotor.ground_factor(&flow, y[0]);
        let found = found.map(|part| part * near_ground);
        Equations {
            value: SVector::from_fn(|i, _| found[i].value),
            by_flow: SMatrix::from_fn(|i, j| found[i].by[j]),
            by_unknowns: SMatrix::from_fn(|i, j| found[i].by[FLOW + j]),
            by_forcing: SMatrix::zeros(),
        }
    }
}
