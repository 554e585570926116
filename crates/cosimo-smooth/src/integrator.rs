//! One system stepped by itself.

use cosimo_dynamics::{DynamicsError, LinearSystem, MotionState, NoRows, StepRule, Stepper, SystemError};
use cosimo_mechanics::StepEnergy;

/// Steps one linear system by itself, without ports and contacts.
///
/// ```
/// use cosimo_dynamics::LinearSystem;
/// use cosimo_dynamics::Multistep;
/// use cosimo_smooth::Integrator;
/// use nalgebra::dmatrix;
/// // A mass of 2 kg on a spring of 8 N/m: two radians a second.
/// let oscillator = LinearSystem::new(dmatrix![2.0])?.with_stiffness(dmatrix![8.0])?;
/// let mut integrator = Integrator::new(oscillator, Multistep::new(0.6)?, (0.0, vec![1.0], vec![0.0]))?;
/// integrator.advance_to(1.0, 1e-3)?;
/// assert!((integrator.state().q[0] - 2.0_f64.cos()).abs() < 2e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Integrator {
    stepper: Stepper,
}

/// A step this share longer than asked for is taken whole: what would be left over is round-off.
const ROUND_OFF: f64 = 1e-9;

impl Integrator {
    /// Starts a system at the time `t` (s), the positions `q` and the velocities `v`, given as `(t, q, v)`.
    ///
    /// # Errors
    /// Wrong lengths, numbers that are not finite, or no unique acceleration at the start.
    pub fn new(
        system: LinearSystem,
        rule: impl StepRule + 'static,
        start: (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, SystemError> {
        let rows = (Box::new(NoRows), Box::new(NoRows));
        Ok(Self { stepper: Stepper::new(system, Box::new(rule), (rows.0, rows.1), start)? })
    }

    /// Takes one step of size `h` (s), positive.
    ///
    /// # Errors
    /// The stage cannot be solved; the state is then unchanged.
    pub fn step(&mut self, h: f64) -> Result<StepEnergy, DynamicsError> {
        self.stepper.begin(h, &[])?;
        self.stepper.commit(&[], None)
    }

    /// Takes steps of size `h` (s) until `end` (s) and returns how many; the last one is shortened where `end` is
    /// not a whole number of steps away. The time is then `end` exactly.
    ///
    /// # Errors
    /// As [`step`](Self::step); the steps before the one that failed are taken.
    pub fn advance_to(&mut self, end: f64, h: f64) -> Result<usize, DynamicsError> {
        let start = self.state().time;
        let mut steps = 0;
        while self.state().time < end {
            let left = end - self.state().time;
            let is_last = left <= h * (1.0 + ROUND_OFF);
            // A last step that differs from h by round-off only keeps its size: nothing need be factorised anew.
            let size = if is_last && left < h * (1.0 - ROUND_OFF) { left } else { h };
            self.step(size)?;
            steps += 1;
            self.stepper.set_time(if is_last { end } else { start + steps as f64 * h });
        }
        Ok(steps)
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &MotionState {
        self.stepper.state()
    }

    /// The stepper, for energies, work counts and the system itself.
    #[must_use]
    pub fn stepper(&self) -> &Stepper {
        &self.stepper
    }
}
