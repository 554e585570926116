//! The unknowns of the inflow.

use nalgebra::{SMatrix, SVector};

use super::loads::{Held, InflowAt, RotorLoads};
use super::rotor::Rotor;
use super::state::RotorState;
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::inflow::UNKNOWNS;

/// Newton's steps before the inflow counts as not found.
const ITERATIONS: usize = 60;
/// Last correction, as a share of the speed of the tips.
const TOLERANCE: f64 = 1e-13;
/// Growth of the residual above which a correction is halved.
const GROWTH: f64 = 2.0;

type Unknowns = SVector<f64, UNKNOWNS>;

/// How the unknowns of the inflow go from the start to the end of a step; those of the sections stay with the loads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotorStep {
    /// Unknowns at the start (m/s).
    pub start: SVector<f64, 3>,
    /// Their rates there (m/s²); zero of models without states.
    pub rates: SVector<f64, 3>,
    /// Size of the step (s).
    pub size: f64,
}

/// The equations at a solution.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solved {
    pub(super) unknowns: Unknowns,
    pub(super) at: InflowAt,
    /// Derivative of the residual by the unknowns, and its inverse.
    pub(super) inverse: SMatrix<f64, UNKNOWNS, UNKNOWNS>,
    /// Factor of the equations in the residual: 1, or `−Δt/2` of states.
    pub(super) factor: f64,
}

impl RotorLoads {
    /// The loads at the start of a step, from the state as it was left; gives what the step needs of it.
    ///
    /// # Errors
    /// As [`RotorTangents::end`](super::RotorTangents::end).
    pub fn start(
        &mut self,
        rotor: &Rotor,
        frames: &[FrameMotion],
        time: f64,
        state: &RotorState,
        size: f64,
    ) -> Result<RotorStep, AerodynamicError> {
        let held = Held::State(&state.sections);
        let step = RotorStep { start: state.inflow, rates: Unknowns::zeros(), size };
        let step = if rotor.inflow.is_dynamic() {
            let at = self.evaluate(rotor, frames, time, &state.inflow, held)?;
            RotorStep { rates: at.equations.value, ..step }
        } else {
            RotorStep { start: self.solve(rotor, frames, time, &step, held)?.unknowns, ..step }
        };
        self.keep_starts();
        Ok(step)
    }

    /// The loads at the end of a step without their tangents; gives the unknowns there (m/s).
    ///
    /// # Errors
    /// As [`RotorTangents::end`](super::RotorTangents::end).
    pub fn end(
        &mut self,
        rotor: &Rotor,
        frames: &[FrameMotion],
        time: f64,
        step: &RotorStep,
    ) -> Result<SVector<f64, 3>, AerodynamicError> {
        Ok(self.solve(rotor, frames, time, step, Held::Step(0.5 * step.size))?.unknowns)
    }

    /// The loads at the end of a step; gives what the next step, of the same size, needs of it. The rates of models without states
    /// are zero.
    ///
    /// # Errors
    /// As [`RotorTangents::end`](super::RotorTangents::end).
    pub fn advance(
        &mut self,
        rotor: &Rotor,
        frames: &[FrameMotion],
        time: f64,
        step: &RotorStep,
    ) -> Result<RotorStep, AerodynamicError> {
        let found = self.solve(rotor, frames, time, step, Held::Step(0.5 * step.size))?;
        self.keep_starts();
        let rates = if rotor.inflow.is_dynamic() { found.at.equations.value } else { Unknowns::zeros() };
        Ok(RotorStep { start: found.unknowns, rates, size: step.size })
    }

    /// Finds the unknowns at the end of a step, and the loads there.
    pub(super) fn solve(
        &mut self,
        rotor: &Rotor,
        frames: &[FrameMotion],
        time: f64,
        step: &RotorStep,
        held: Held<'_>,
    ) -> Result<Solved, AerodynamicError> {
        let scale = rotor.momentum.tip_speed();
        let mut y = step.foreseen(step.size);
        let (mut correction, mut last) = (Unknowns::zeros(), f64::INFINITY);
        for _ in 0..ITERATIONS {
            let found = self.evaluate(rotor, frames, time, &y, held)?;
            let (residual, by_unknowns, factor) = step.residual(rotor, &y, &found);
            let size = residual.norm();
            if size > GROWTH * last {
                correction *= 0.5;
                y -= correction;
                continue;
            }
            let Some(inverse) = by_unknowns.try_inverse() else { break };
            correction = -(inverse * residual);
            if correction.norm() <= TOLERANCE * scale {
                return Ok(Solved { unknowns: y, at: found, inverse, factor });
            }
            last = size;
            y += correction;
        }
        Err(AerodynamicError::InflowNotFound { time, what: "the momentum of the rotor" })
    }
}

impl RotorStep {
    /// The unknowns (m/s) so much later than at the start (s), as start and rates foresee them.
    #[must_use]
    pub fn foreseen(&self, later: f64) -> SVector<f64, 3> {
        self.start + self.rates * later
    }

    /// The residual for the unknowns at the end, its derivative by them, and the factor of the equations in it.
    fn residual(
        &self,
        rotor: &Rotor,
        y: &Unknowns,
        at: &InflowAt,
    ) -> (Unknowns, SMatrix<f64, UNKNOWNS, UNKNOWNS>, f64) {
        if !rotor.inflow.is_dynamic() {
            return (at.equations.value, at.by_unknowns, 1.0);
        }
        let half = 0.5 * self.size;
        let residual = y - self.start - (self.rates + at.equations.value) * half;
        (residual, SMatrix::identity() - at.by_unknowns * half, -half)
    }
}
