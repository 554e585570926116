//! Positions led to the constraints where some rows come to depend on others on the way.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};

use super::consistent::Closing;
use super::error::DaeError;
use super::kkt::{Kkt, Weights};
use super::names::{constraint_of_row, singular};
use super::redundancy::leave_out_redundant;
use super::state::DaeState;

/// `ε` at the start; it changes by this factor with every correction that lessens the residual, or does not; and the least
/// and the largest: rows of unit length make it a number without a unit.
const FIRST: f64 = 1e-2;
const CHANGE: f64 = 10.0;
const LEAST: f64 = 1e-10;
const LARGEST: f64 = 1e6;

/// Corrections allowed.
const MAX_CORRECTIONS: usize = 300;

impl Closing {
    /// Leaves out redundant rows and closes the positions from a guess.
    ///
    /// Loops of too many rows have none to leave out where they are open: those that do not close by Newton's method, whose
    /// matrix becomes singular as they come near, are led near first. Positions that cannot be closed are as near as they come.
    pub(super) fn close_from_afar(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<(), DaeError> {
        let guess = state.q.clone();
        let Err(error) = self.close_kept(system, kkt, state) else { return Ok(()) };
        state.q.copy_from_slice(&guess);
        let left = self.approach(system, kkt, state)?;
        // Rows of which little is outside the span of the others may not close, and need not.
        self.close_kept(system, kkt, state).map_err(|_| match error {
            DaeError::Singular { .. } | DaeError::Open { .. } => self.open(system, state.time, &guess, left),
            other => other,
        })
    }

    /// Names the row that is farthest from closed at the guess: what is left is spread over all joints of a loop.
    fn open(&mut self, system: &dyn ConstrainedSystem, t: f64, guess: &[f64], residual: f64) -> DaeError {
        system.constraints(Level::Position, Motion { t, q: guess, v: &[] }, &[], &mut self.rows);
        let sizes = self.rows.iter().map(|row| row.abs()).enumerate();
        let row = sizes.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(row, _)| row);
        DaeError::Open { constraint: constraint_of_row(system, row), residual }
    }

    /// Leaves out redundant rows and closes the others.
    pub(super) fn close_kept(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<(), DaeError> {
        leave_out_redundant(system, state.time, &state.q, kkt).map_err(|error| singular(system, error))?;
        self.close_positions(system, kkt, state)
    }

    /// The method of Levenberg and Marquardt on all rows, in the metric of the mass: corrections solve
    ///
    /// ```text
    ///   [ M   Φᵀ  ] [ δq ]   [  0 ]
    ///   [ Φ  −ε E ] [ λ  ] = [ −φ ]
    /// ```
    ///
    /// with rows of unit length by `E`, which makes `½ ε |δq|²_M + ½ |φ + Φ δq|²_E` least, however many rows depend on
    /// others. Returns the residual left.
    ///
    /// Reference: N. Yamashita, M. Fukushima, *On the Rate of Convergence of the Levenberg-Marquardt Method*, Computing
    /// Supplement 15, 2001.
    pub(super) fn approach(
        &mut self,
        system: &dyn ConstrainedSystem,
        kkt: &mut Kkt,
        state: &mut DaeState,
    ) -> Result<f64, DaeError> {
        (0..system.structure().rows()).for_each(|row| kkt.leave_out(row, false));
        let (n, mut softness) = (state.v.len(), FIRST);
        let mut size = self.scaled_residual(system, kkt, state.time, &state.q);
        let mut left = f64::INFINITY;
        for _ in 0..MAX_CORRECTIONS {
            left = self.residual(system, kkt, state.time, &state.q);
            if left <= 0.1 * self.allowed(&state.q) || softness > LARGEST {
                break;
            }
            kkt.begin(Weights::MASS, |_| None);
            system.masses(&state.q, kkt);
            system.jacobian(state.time, &state.q, kkt);
            kkt.soften(softness);
            kkt.factorize().map_err(|error| singular(system, error))?;
            let (top, bottom) = self.unknowns.split_at_mut(n);
            top.fill(0.0);
            bottom.iter_mut().zip(&self.rows).for_each(|(unknown, row)| *unknown = -row);
            kkt.solve(&mut self.unknowns);
            system.structure().coordinates().move_by(&state.q, &self.unknowns[..n], &mut self.trial);
            let trial = std::mem::take(&mut self.trial);
            let found = self.scaled_residual(system, kkt, state.time, &trial);
            if found < size {
                (size, softness) = (found, (softness / CHANGE).max(LEAST));
                state.q.copy_from_slice(&trial);
            } else {
                softness *= CHANGE;
            }
            self.trial = trial;
        }
        Ok(left)
    }

    /// Norm of the residual of rows of unit length.
    fn scaled_residual(&mut self, system: &dyn ConstrainedSystem, kkt: &Kkt, t: f64, q: &[f64]) -> f64 {
        self.residual(system, kkt, t, q);
        self.rows.iter().zip(kkt.scales().1).map(|(row, scale)| (row * scale).powi(2)).sum::<f64>().sqrt()
    }
}
