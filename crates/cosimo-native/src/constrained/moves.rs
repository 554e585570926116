//! Moves of the end that close gaps, as the stage sees them.
//!
//! The positions before the stage move by `σ = J⁻¹Zᵀ m`, of which the stiffness takes back `c_q J⁻¹ K σ`; see
//! [`move_trial`](cosimo_smooth::dae::DaeSolver::move_trial). The rows answer by
//!
//! ```text
//!   Y = Z (D − c_q J⁻¹ K D)        D = J⁻¹ Zᵀ
//! ```

use cosimo_dynamics::{ConstrainedSystem, StateChange};
use cosimo_smooth::dae::{DaeError, StepAnswer};
use cosimo_subsystem::RowMatrix;
use nalgebra::DMatrix;

use super::columns::write_column;
use super::moved_rows::{Moves, Reported};
use super::rows::ConstrainedRows;
use super::steps::Stepping;

impl<R: ConstrainedRows> Stepping<R> {
    /// Gives the move mass with the inverse mass from now on, or does so no more.
    pub(super) fn report_moves(&mut self, wanted: bool) {
        if self.moves.is_wanted != wanted {
            self.moves.is_wanted = wanted;
            self.size_move_mass();
            self.forget_answer();
        }
    }

    /// Makes room for the move mass of the rows that are reported, or takes it away.
    pub(super) fn size_move_mass(&mut self) {
        let Self { solver, moves, response, active, .. } = self;
        let (system, count) = (solver.system(), active.columns());
        let columns = DMatrix::zeros(system.structure().velocities(), count);
        moves.reported = moves.is_wanted.then(|| {
            let strains = StepAnswer::new(system, count);
            Box::new(Reported { displacements: columns.clone(), stresses: columns, strains })
        });
        response.move_mass =
            if moves.is_wanted { response.inverse_mass.clone() } else { RowMatrix::zeros(0) };
    }

    /// Fills the move mass from the answer of the trial step.
    pub(super) fn respond_to_moves(&mut self) -> Result<(), DaeError> {
        let Self { solver, answer, moves, response, held, displacement, change, active, column, .. } = self;
        let Some(reported) = &mut moves.reported else { return Ok(()) };
        let Reported { displacements, stresses, strains } = &mut **reported;
        let ([_, position], share) = (solver.trial_weights(), solver.trial_share());
        displacements.copy_from(answer.position());
        *displacements /= position;
        solver.stress_trial(displacements, stresses);
        let is_strained = stresses.iter().any(|x| *x != 0.0);
        if is_strained {
            solver.derive_trial(stresses, strains)?;
        }
        let (rows, end) = (solver.system().rows(), solver.trial_end());
        displacement.fill(0.0);
        let active = active.rows();
        for k in 0..displacements.ncols() {
            change.copy_from_slice(displacements.column(k).as_slice());
            if is_strained {
                let strain = strains.position().column(k);
                change.iter_mut().zip(strain.as_slice()).for_each(|(x, strain)| *x -= share * strain);
            }
            rows.velocity_changes(end.motion().state(), StateChange { dq: displacement, dv: change }, column);
            held.clear((k, active[k]), column);
            write_column(&mut response.move_mass, active, (k, column));
        }
        Ok(())
    }

    /// Moves the end of the trial step.
    pub(super) fn move_end(&mut self, moves: &[f64]) -> Result<(), DaeError> {
        let moved = self.try_to_move_end(moves);
        if moved.is_err() {
            self.forget_trial();
        }
        moved
    }

    fn try_to_move_end(&mut self, moves: &[f64]) -> Result<(), DaeError> {
        let Self { solver, moment, moves: Moves { displacement, .. }, .. } = self;
        displacement.fill(0.0);
        if !moment.answer(solver, moves)? {
            return Ok(());
        }
        let [_, position] = solver.trial_weights();
        displacement.copy_from(moment.answer.position());
        *displacement /= position;
        solver.stress_trial(displacement, &mut moment.force);
        let is_strained = moment.force.iter().any(|x| *x != 0.0);
        if is_strained {
            solver.derive_trial(&moment.force, &mut moment.answer)?;
        }
        let strain = [moment.answer.position(), moment.answer.velocity()].map(|columns| columns.as_slice());
        solver.move_trial(displacement.as_slice(), is_strained.then_some(strain))?;
        self.observe_end();
        Ok(())
    }

    /// Moves the past of the rule as the step just taken.
    pub(super) fn move_past(&mut self) {
        self.solver.move_past(self.moves.displacement.as_slice());
    }
}
