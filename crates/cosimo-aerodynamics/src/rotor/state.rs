//! The state of a rotor: what it remembers from step to step.

use nalgebra::Vector3;

use super::rotor::Rotor;
use crate::blade::BladeMemory;
use crate::section::{LAGS, Lags};

/// Lags that are not known yet: those of steady flow are taken.
const UNKNOWN: [f64; LAGS] = [-1.0, 0.0, 0.0];

/// What a rotor remembers from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct RotorState {
    /// Unknowns of the inflow (m/s).
    pub inflow: Vector3<f64>,
    /// Separation point (–) and two lags of the normal velocity (m/s) of all sections, blade by blade from the root outwards; before the
    /// first step the separation point is negative. Empty where flow is as if steady.
    pub sections: Vec<[f64; 3]>,
}

impl RotorState {
    /// At the start: no inflow, sections in steady flow.
    #[must_use]
    pub fn new(rotor: &Rotor) -> Self {
        Self { inflow: Vector3::zeros(), sections: vec![UNKNOWN; rotor.sections_with_memory()] }
    }
}

/// Where the lags of an evaluation come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum RotorMemory<'a> {
    /// Those of a state.
    Held(&'a [[f64; LAGS]]),
    /// Those at the start of a step with their rates, and half its size (s).
    Stepped(&'a [Lags], f64),
}

impl<'a> RotorMemory<'a> {
    /// That of a blade.
    pub(super) fn of_blade(self, rotor: &Rotor, blade: usize) -> BladeMemory<'a> {
        if rotor.unsteady.is_steady() {
            return BladeMemory::Steady;
        }
        let own = blade * rotor.blade.sections()..(blade + 1) * rotor.blade.sections();
        match self {
            Self::Held(points) => BladeMemory::Held(&points[own]),
            Self::Stepped(starts, half) => BladeMemory::Stepped(&starts[own], half),
        }
    }
}
