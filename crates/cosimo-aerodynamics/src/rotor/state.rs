//! The state of a rotor: what it remembers from step to step.

use nalgebra::Vector3;

use super::rotor::Rotor;
use crate::blade::StallMemory;
use crate::section::DynamicStall;

/// Separation point that is not known yet: that of steady flow is taken.
const UNKNOWN: f64 = -1.0;

/// What a rotor remembers from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct RotorState {
    /// Unknowns of the inflow (m/s).
    pub inflow: Vector3<f64>,
    /// Separation points (–) of all sections, blade by blade from the root outwards; negative before the first step. Empty without
    /// dynamic stall.
    pub separations: Vec<f64>,
}

impl RotorState {
    /// At the start: no inflow, separation points of steady flow.
    #[must_use]
    pub fn new(rotor: &Rotor) -> Self {
        let sections = if rotor.stall.is_some() { rotor.blades * rotor.blade.sections() } else { 0 };
        Self { inflow: Vector3::zeros(), separations: vec![UNKNOWN; sections] }
    }
}

/// Where the separation points of an evaluation come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Memory<'a> {
    /// Those of a state.
    Held(&'a [f64]),
    /// Those at the start of a step with their rates, and half its size (s).
    Stepped(&'a [[f64; 2]], f64),
}

impl<'a> Memory<'a> {
    /// That of a blade with so many sections.
    pub(super) fn of_blade(
        self,
        stall: Option<DynamicStall>,
        (blade, sections): (usize, usize),
    ) -> StallMemory<'a> {
        let Some(DynamicStall { time_constant }) = stall else { return StallMemory::Static };
        let own = blade * sections..(blade + 1) * sections;
        match self {
            Self::Held(points) => StallMemory::Held { points: &points[own], time_constant },
            Self::Stepped(starts, half) => StallMemory::Stepped { starts: &starts[own], half, time_constant },
        }
    }
}
