//! Moves of the end that close gaps, as the stage sees them.
//!
//! The positions before the stage move by `σ = J⁻¹Zᵀ m`, and `J⁻¹ K σ` is what the stiffness takes back of it; see
//! [`move_trial`](cosimo_smooth::dae::DaeSolver::move_trial). The rows answer by
//!
//! ```text
//!   Y = Z (D − c_q J⁻¹ K D)        D = J⁻¹ Zᵀ
//! ```

use cosimo_smooth::dae::DaeError;
use cosimo_subsystem::RowMatrix;
use nalgebra::DMatrix;

use super::columns::write_column;
use super::rows::Rows;
use super::steps::Stepping;

/// What a move does.
#[derive(Debug)]
pub(super) struct Moves {
    /// `σ` of the last move and `J⁻¹ K σ`, `n × 1`.
    way: DMatrix<f64>,
    strain: DMatrix<f64>,
    /// `D` and `J⁻¹ K D` of the rows that are reported, `n × r`; without columns where nobody asks.
    ways: DMatrix<f64>,
    strains: DMatrix<f64>,
    is_reported: bool,
}

impl Moves {
    /// For a system of `n` velocities.
    pub(super) fn new(n: usize) -> Self {
        let none = DMatrix::zeros(n, 0);
        Self {
            way: DMatrix::zeros(n, 1),
            strain: DMatrix::zeros(n, 1),
            ways: none.clone(),
            strains: none,
            is_reported: false,
        }
    }
}

impl<R: Rows> Stepping<R> {
    /// Gives the move mass with the inverse mass from now on, or does so no more.
    pub(super) fn report_moves(&mut self, wanted: bool) {
        if self.moves.is_reported != wanted {
            self.moves.is_reported = wanted;
            self.size_move_mass();
            self.forget_answer();
        }
    }

    /// Makes room for the answer of the rows that are reported, or takes it away.
    pub(super) fn size_move_mass(&mut self) {
        let Self { moves, response, told, .. } = self;
        let count = if moves.is_reported { told.len() } else { 0 };
        let columns = DMatrix::zeros(moves.way.nrows(), count);
        (moves.ways, moves.strains) = (columns.clone(), columns);
        response.move_mass =
            if moves.is_reported { response.inverse_mass.clone() } else { RowMatrix::zeros(0) };
    }

    /// Fills the move mass from the answer of the trial step.
    pub(super) fn respond_to_moves(&mut self) {
        let Self { solver, answer, moves, response, held, way, change, told, column, .. } = self;
        if !moves.is_reported {
            return;
        }
        let [_, position] = solver.trial_weights();
        let Moves { ways, strains, .. } = moves;
        ways.copy_from(answer.position());
        *ways /= position;
        solver.strain_trial(ways, strains);
        let weight = solver.trial_share() * position;
        let (rows, end) = (solver.system().rows(), solver.trial_end());
        way.fill(0.0);
        for k in 0..ways.ncols() {
            let of_row = ways.column(k).into_iter().zip(strains.column(k).into_iter());
            change.iter_mut().zip(of_row).for_each(|(moved, (way, strain))| *moved = way - weight * strain);
            rows.velocity_changes((&end.q, &end.v), (&way[..], &change[..]), column);
            held.clear((k, told[k]), column);
            write_column(&mut response.move_mass, told, (k, column));
        }
    }

    /// Moves the end of the trial step.
    pub(super) fn move_end(&mut self, moves: &[f64]) -> Result<(), DaeError> {
        let moved = self.try_to_move_end(moves);
        if moved.is_err() {
            // What the trial step holds is not the solution any more.
            self.forget_trial();
        }
        moved
    }

    fn try_to_move_end(&mut self, moves: &[f64]) -> Result<(), DaeError> {
        let Self { solver, moment, moves: own, .. } = self;
        own.way.fill(0.0);
        own.strain.fill(0.0);
        if moment.answer(solver, moves)? {
            let [_, position] = solver.trial_weights();
            own.way.copy_from(moment.answer.position());
            own.way /= position;
            solver.strain_trial(&own.way, &mut own.strain);
            solver.move_trial(own.way.as_slice(), own.strain.as_slice())?;
            self.observe_end();
        }
        Ok(())
    }

    /// Moves the past of the rule as the step just taken.
    pub(super) fn move_past(&mut self) {
        self.solver.move_past(self.moves.way.as_slice());
    }
}
