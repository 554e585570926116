//! A rotor over a step whose end is not known yet.
//!
//! A solver of the motion asks for loads at any time of a step that begins at `t₀`. The inflow there is the one that the start
//! foresees; what lags behind in the sections follows the motion by the trapezoidal rule over the part of the step that has passed:
//!
//! ```text
//!   y(t) = y₀ + (t − t₀) ẏ₀                         ẏ₀ = g(y₀, …) of states, else (y₀ − y₋₁)/(t₀ − t₋₁)
//!   x(t) = x₀ + (t − t₀)/2 (ẋ₀ + ẋ(t))
//! ```
//!
//! The end of the step is that of [`RotorLoads::advance`], with the inflow solved for. Loads err by the second power of the step, and
//! no section knows of another but by the start.

use nalgebra::SVector;

use super::loads::RotorLoads;
use super::rotor::Rotor;
use super::solve::RotorStep;
use super::state::{RotorMemory, RotorState};
use crate::blade::{BladeMemory, Surroundings};
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::inflow::Disk;

/// Inflow and lags of a rotor from the start of a step on.
#[derive(Debug, Clone)]
pub struct RotorCourse {
    /// Loads at the start; its lags.
    loads: RotorLoads,
    /// Unknowns of the inflow at the start, and how they change.
    step: RotorStep,
    /// Time of the start (s); `None` before the first.
    start: Option<f64>,
    /// Why the last start was not found.
    lost: Option<AerodynamicError>,
}

/// The flow through a rotor at a time of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RotorInstant {
    time: f64,
    disk: Disk,
    field: SVector<f64, 3>,
    /// Half the time since the start (s); `None` where nothing is remembered yet.
    half: Option<f64>,
}

impl RotorCourse {
    /// Before the start: no inflow, sections in steady flow.
    #[must_use]
    pub fn new(rotor: &Rotor) -> Self {
        let [start, rates] = [SVector::zeros(); 2];
        let step = RotorStep { start, rates, size: 0.0 };
        Self { loads: RotorLoads::new(rotor), step, start: None, lost: None }
    }

    /// Begins at a motion of the frames and a time (s).
    pub fn begin(&mut self, rotor: &Rotor, frames: &[FrameMotion], time: f64) {
        let begun = self.loads.start(rotor, frames, time, &RotorState::new(rotor), 0.0);
        self.take(begun, time);
    }

    /// Takes a motion of the frames at a time (s) as the end of the step, and as the start of the next; of the same time again where
    /// the motion jumps. Where the inflow is not found, no loads are until it is restored.
    pub fn advance(&mut self, rotor: &Rotor, frames: &[FrameMotion], time: f64) {
        let Some(start) = self.start else { return self.begin(rotor, frames, time) };
        let step = RotorStep { size: time - start, ..self.step };
        let mut end = self.loads.advance(rotor, frames, time, &step);
        if let (Ok(end), false) = (&mut end, rotor.inflow.is_dynamic()) {
            end.rates = if step.size > 0.0 { (end.start - step.start) / step.size } else { step.rates };
        }
        self.take(end, time);
    }

    fn take(&mut self, found: Result<RotorStep, AerodynamicError>, time: f64) {
        match found {
            Ok(step) => (self.step, self.start, self.lost) = (step, Some(time), None),
            Err(error) => self.lost = Some(error),
        }
    }

    /// Loads at the start.
    #[must_use]
    pub fn loads(&self) -> &RotorLoads {
        &self.loads
    }

    /// The flow through the rotor at a time (s), for this motion of the hub.
    pub(crate) fn at(
        &self,
        rotor: &Rotor,
        hub: &FrameMotion,
        time: f64,
    ) -> Result<RotorInstant, AerodynamicError> {
        if let Some(error) = &self.lost {
            return Err(error.clone());
        }
        let disk = rotor.disk((hub, &self.loads.reference(rotor, hub)), time)?;
        let later = self.start.map(|start| time - start);
        let unknowns = self.step.foreseen(later.unwrap_or(0.0));
        let field = rotor.inflow.field(&rotor.momentum, (&disk.flow, disk.sign), &unknowns).value;
        Ok(RotorInstant { time, disk, field, half: later.map(|later| 0.5 * later) })
    }

    /// What surrounds a blade then.
    pub(crate) fn around<'a>(
        &'a self,
        rotor: &'a Rotor,
        instant: &'a RotorInstant,
        blade: usize,
    ) -> Surroundings<'a> {
        let memory = match instant.half {
            Some(half) => RotorMemory::Stepped(&self.loads.starts, half).of_blade(rotor, blade),
            None => BladeMemory::Steady,
        };
        rotor.surroundings((&instant.disk, instant.time), instant.field, memory)
    }

    /// Appends what is remembered: always as many numbers.
    pub fn save(&self, out: &mut Vec<f64>) {
        let flag = |is: bool| f64::from(u8::from(is));
        out.extend([flag(self.start.is_some()), self.start.unwrap_or(0.0), flag(self.lost.is_some())]);
        out.extend(self.loads.saved_reference());
        out.extend(self.step.start.iter().chain(&self.step.rates));
        out.extend(self.loads.starts.as_flattened().as_flattened());
    }

    /// Takes as many numbers back; `None` where there are too few.
    pub fn restore<'a>(&mut self, saved: &mut impl Iterator<Item = &'a f64>) -> Option<()> {
        let [has_start, start, is_lost] = [*saved.next()?, *saved.next()?, *saved.next()?];
        self.loads.restore_reference([*saved.next()?, *saved.next()?, *saved.next()?]);
        self.start = (has_start != 0.0).then_some(start);
        let what = "the momentum of the rotor";
        self.lost = (is_lost != 0.0).then_some(AerodynamicError::InflowNotFound { time: start, what });
        let unknowns = self.step.start.iter_mut().chain(self.step.rates.iter_mut());
        for own in unknowns.chain(self.loads.starts.as_flattened_mut().as_flattened_mut()) {
            *own = *saved.next()?;
        }
        Some(())
    }
}
