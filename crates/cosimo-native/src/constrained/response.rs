//! How the rows answer to impulses over a trial step, and to those of a jump.

use cosimo_dynamics::StateChange;
use cosimo_smooth::dae::{DaeError, StepAnswer};
use nalgebra::DMatrix;

use super::active::ActiveRows;
use super::columns::write_column;
use super::rows::{ConstrainedRows, Directions};
use super::steps::Stepping;

impl<R: ConstrainedRows> Stepping<R> {
    /// Tells from the next step on the response of those rows alone that are needed.
    pub(super) fn set_active_rows(&mut self, needed: &[bool]) {
        let n = self.forces.nrows();
        self.solver.system_mut().set_active_rows(needed);
        self.active = ActiveRows::new(self.solver.system(), needed.to_vec());
        let count = self.active.columns();
        self.answer = StepAnswer::new(self.solver.system(), count);
        for columns in [&mut self.forces, &mut self.jump, &mut self.unit_change, &mut self.damped] {
            *columns = DMatrix::zeros(n, count);
        }
        let matrix = self.active.matrix();
        (self.response.inverse_mass, self.response.damped_inverse_mass) = (matrix.clone(), matrix);
        self.size_move_mass();
        self.forget_answer();
    }

    /// Makes room for the response of all rows, as far as it was not limited to some before the first.
    fn make_room(&mut self) {
        if self.active.rows().first().is_some_and(|row| !self.response.inverse_mass.has_row(*row)) {
            let matrix = self.active.matrix();
            (self.response.inverse_mass, self.response.damped_inverse_mass) = (matrix.clone(), matrix);
            self.size_move_mass();
        }
    }

    /// Fills the matrices of the response with the trial step, of size `h` (s).
    pub(super) fn respond(&mut self, h: f64) -> Result<(), DaeError> {
        self.answered_size = f64::NAN;
        self.make_room();
        let Self { solver, forces, answer, held, active, .. } = self;
        let along = solver.system().directions(solver.trial_stage().q);
        active.unit_forces(solver.system().rows(), along, held, forces);
        let derived = solver.derive_trial(forces, answer);
        if let Err(error) = derived {
            self.forget_trial();
            return Err(error);
        }
        self.write_inverse_masses();
        if let Err(error) = self.respond_to_moves() {
            self.forget_trial();
            return Err(error);
        }
        self.response.weights = self.weights();
        self.response.revision += 1;
        self.answered_size = h;
        self.is_answered = true;
        self.refreshes += u64::from(!self.loads.is_empty());
        Ok(())
    }

    /// Writes `W` and its damped companion from the answer of the trial step.
    fn write_inverse_masses(&mut self) {
        let Self {
            solver, answer, held, response, unit_change, damped, displacement, active, column, ..
        } = self;
        let [velocity, _] = solver.trial_weights();
        unit_change.copy_from(answer.velocity());
        *unit_change /= velocity;
        solver.damp_trial(unit_change, damped);
        let (rows, end) = (solver.system().rows(), solver.trial_end());
        if let Some(meeting) = active.meeting() {
            let state = end.motion().state();
            let changes = [Some(answer.position()), Some(answer.velocity())];
            meeting.write(rows, state, (changes, 1.0 / velocity), &mut response.inverse_mass);
            let damped = Some(&*damped).filter(|damped| damped.iter().any(|x| *x != 0.0));
            meeting.write(rows, state, ([None, damped], 1.0), &mut response.damped_inverse_mass);
            return;
        }
        displacement.fill(0.0);
        let active = active.rows();
        for k in 0..active.len() {
            let changes = damped.column(k);
            if changes.iter().all(|change| *change == 0.0) {
                column.fill(0.0);
            } else {
                let change = StateChange { dq: displacement, dv: changes.as_slice() };
                rows.velocity_changes(end.motion().state(), change, column);
            }
            write_column(&mut response.damped_inverse_mass, active, (k, column));
            let (dq, dv) = (answer.position().column(k), answer.velocity().column(k));
            let change = StateChange { dq: dq.as_slice(), dv: dv.as_slice() };
            rows.velocity_changes(end.motion().state(), change, column);
            column.iter_mut().for_each(|change| *change /= velocity);
            held.clear((k, active[k]), column);
            write_column(&mut response.inverse_mass, active, (k, column));
        }
    }

    /// Prepares a jump for steps of size `h` (s): the response's inverse mass is what it does to the rows.
    pub(super) fn prepare_jump(&mut self, h: f64) -> Result<(), DaeError> {
        self.answered_size = f64::NAN;
        self.make_room();
        let Self { solver, jump, held, response, displacement, damped, active, column, .. } = self;
        solver.system_mut().unload();
        let along = Directions::at(&solver.state().q);
        active.unit_forces(solver.system().rows(), along, held, jump);
        solver.prepare_jump(h, jump, damped)?;
        let (rows, state) = (solver.system().rows(), solver.state().motion().state());
        response.revision += 1;
        if let Some(meeting) = active.meeting() {
            let changes = ([None, Some(&*jump)], 1.0);
            meeting.write(rows, state, changes, &mut response.inverse_mass);
            return Ok(());
        }
        displacement.fill(0.0);
        let active = active.rows();
        for k in 0..active.len() {
            let changes = jump.column(k);
            rows.velocity_changes(state, StateChange { dq: displacement, dv: changes.as_slice() }, column);
            held.clear((k, active[k]), column);
            write_column(&mut response.inverse_mass, active, (k, column));
        }
        Ok(())
    }

    /// Changes the velocity by impulses, as prepared; without rows there are none.
    pub(super) fn jump(&mut self, impulses: &[f64]) -> Result<(), DaeError> {
        if impulses.is_empty() {
            return Ok(());
        }
        self.active.combine(&self.jump, impulses, &mut self.change);
        // Of free bodies there are no prescribed motions.
        let active = self.active.rows().iter().map(|row| impulses[*row]);
        self.jump_work = self.solver.driven_work().iter().zip(active).map(|(work, x)| work * x).sum();
        self.solver.jump(&[], &self.change)?;
        self.forget_momenta();
        Ok(())
    }

    /// Moves the position by weights, as prepared.
    pub(super) fn project_positions(&mut self, weights: &[f64]) -> Result<(), DaeError> {
        if weights.is_empty() {
            return Ok(());
        }
        self.active.combine(&self.jump, weights, &mut self.displacement);
        self.move_slips();
        self.solver.jump(&self.displacement, &[])?;
        self.forget_momenta();
        Ok(())
    }
}
