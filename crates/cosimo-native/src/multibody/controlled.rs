//! Macro steps that are made of steps whose order and size follow the error.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_smooth::dae::{DaeError, DaeSolver, DaeState, ErrorControl};
use cosimo_subsystem::Ledger;

use super::loaded::LoadedSystem;
use super::steps::energy;

/// The control of the error, and room for the state at the start of a macro step, to which one that fails goes back.
#[derive(Debug)]
pub(super) struct Controlled {
    control: ErrorControl,
    start: Vec<f64>,
}

impl Controlled {
    pub(super) fn new(control: ErrorControl) -> Self {
        Self { control, start: Vec::new() }
    }

    /// Goes to the time `end` (s); the powers of forces and motions are integrated by the trapezoidal rule over every step.
    pub(super) fn advance(
        &mut self,
        solver: &mut DaeSolver<LoadedSystem>,
        end: f64,
    ) -> Result<Ledger, DaeError> {
        self.start.clear();
        solver.save_into(&mut self.start);
        let control = self.control;
        let advanced = self.steps(solver, end);
        if advanced.is_err() {
            self.control = control;
            // What was saved fits.
            let _ = solver.restore(&self.start);
        }
        advanced
    }

    fn steps(&mut self, solver: &mut DaeSolver<LoadedSystem>, end: f64) -> Result<Ledger, DaeError> {
        let before = energy(solver, solver.state()).total();
        let [mut dissipated, mut external_work] = [0.0; 2];
        let mut at_start = powers(solver);
        while solver.state().time < end {
            let time = solver.state().time;
            solver.step_within(end, &mut self.control)?;
            let (at_end, h) = (powers(solver), solver.state().time - time);
            dissipated += 0.5 * h * (at_start[0] + at_end[0]);
            external_work += 0.5 * h * (at_start[1] + at_end[1]);
            at_start = at_end;
        }
        let energy = energy(solver, solver.state());
        let numerical = energy.total() - before - external_work + dissipated;
        Ok(Ledger { energy, external_work, dissipated, numerical, ..Ledger::default() })
    }

    pub(super) fn save(&self, out: &mut Vec<f64>) {
        out.extend(self.control.save());
    }

    /// Reads back what [`save`](Self::save) wrote last; the numbers before it.
    pub(super) fn restore<'s>(&mut self, saved: &'s [f64]) -> Option<&'s [f64]> {
        let (rest, own) = saved.split_last_chunk()?;
        self.control.restore(*own);
        Some(rest)
    }
}

/// Power dissipated and power put in at the present state.
fn powers(solver: &DaeSolver<LoadedSystem>) -> [f64; 2] {
    let DaeState { time, q, v, mu, .. } = solver.state();
    let motion = Motion { t: *time, q, v };
    [solver.system().dissipated_power(motion), solver.system().external_power(motion, mu)]
}
