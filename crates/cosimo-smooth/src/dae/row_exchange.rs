//! Exchanges of rows kept for rows left out, as the system moves.

use cosimo_dynamics::ConstrainedSystem;

use super::consistent::factorize_mass;
use super::error::DaeError;
use super::norm::largest;
use super::solver::DaeSolver;
use super::state::DaeState;

/// Coefficient of a row kept, in a row left out, above which the two are exchanged: at the start, where the later rows are to
/// be those left out unless that is ill-conditioned, and on the way.
const WORTH_AT_START: f64 = 100.0;
const WORTH: f64 = 2.0;

/// Growth of the coefficients since the last choice at which the choice is looked at.
const GROWTH: f64 = 2.0;

/// Part of a row left out, of its own size, that the rows kept may not imply.
const IMPLIED: f64 = 1e-2;

/// Times that all rows left out are gone through.
const MOST_ROUNDS: usize = 8;

/// Fractions of the golden ratio: a mix of rows that is of no special kind.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Chooses the rows kept at the start.
    pub(super) fn choose_rows(&mut self) {
        self.independent_rows.has_redundant = self.kkt.left_out().contains(&true);
        if self.independent_rows.has_redundant {
            self.exchange_rows(WORTH_AT_START);
        }
    }

    /// After a step that was taken: looks at the choice where rows kept come to depend on each other. Not where positions drift:
    /// rows left out do several times as far as those kept, which would multiply from exchange to exchange.
    pub(super) fn watch_rows(&mut self) {
        if self.exchanges_rows() && self.is_factorized {
            let coefficient = self.mixed_coefficient();
            if !(coefficient <= GROWTH * self.independent_rows.coefficient) {
                self.exchange_rows(WORTH);
            }
        }
    }

    /// Whether other rows are kept after a step that failed.
    pub(super) fn has_other_rows(&mut self) -> bool {
        self.exchanges_rows() && self.exchange_rows(WORTH)
    }

    fn exchanges_rows(&self) -> bool {
        self.independent_rows.has_redundant && !self.settings.formulation.drifts()
    }

    /// Exchanges rows kept for rows left out until no coefficient is above `worth`; multipliers change with them, so that
    /// reactions stay. Tells whether any was exchanged.
    fn exchange_rows(&mut self, worth: f64) -> bool {
        self.spoil_factors();
        self.trial.forget_factors();
        if factorize_mass(&self.system, &mut self.kkt, &self.state).is_err() {
            return false;
        }
        let mut has_changed = false;
        for _ in 0..MOST_ROUNDS {
            let mut is_done = true;
            for row in 0..self.state.mu.len() {
                is_done &= !self.exchange(row, worth);
            }
            if is_done {
                break;
            }
            has_changed = true;
        }
        self.independent_rows.coefficient = self.mixed_coefficient();
        if has_changed {
            self.move_reactions();
            self.drop_factors();
        }
        has_changed
    }

    /// Exchanges a row left out for the row kept with the largest coefficient if that is above `worth`.
    fn exchange(&mut self, row: usize, worth: f64) -> bool {
        if !self.kkt.left_out()[row] {
            return false;
        }
        self.independent_rows.mix.fill(0.0);
        self.independent_rows.mix[row] = self.kkt.scales().1[row];
        let n = self.state.v.len();
        self.find_coefficients();
        let (rest, coefficients) = self.unknowns.split_at(n);
        let sizes = coefficients.iter().map(|x| x.abs()).enumerate();
        let Some((other, size)) = sizes.max_by(|a, b| a.1.total_cmp(&b.1)) else { return false };
        if !(size > worth && largest(rest) < IMPLIED) {
            return false;
        }
        self.swap_rows(row, other).is_ok() || {
            // Not worth it after all: back to what can be factorised.
            let _ = self.swap_rows(other, row);
            false
        }
    }

    /// Keeps the first row in place of the second.
    fn swap_rows(&mut self, kept: usize, left_out: usize) -> Result<(), DaeError> {
        self.kkt.leave_out(kept, false);
        self.kkt.leave_out(left_out, true);
        factorize_mass(&self.system, &mut self.kkt, &self.state)
    }

    /// Largest coefficient of a mix of all rows left out, by the factors at hand.
    fn mixed_coefficient(&mut self) -> f64 {
        let left_out = self.kkt.left_out().iter().zip(self.kkt.scales().1);
        for (row, (factor, (is_out, scale))) in self.independent_rows.mix.iter_mut().zip(left_out).enumerate()
        {
            *factor = if *is_out { scale * (0.5 + (row as f64 * GOLDEN).fract()) } else { 0.0 };
        }
        self.find_coefficients();
        largest(&self.unknowns[self.state.v.len()..])
    }

    /// Writes into the unknowns what the rows kept do not imply of the mix, and the coefficients of the others in it: of
    /// rows of unit length in the metric of the mass.
    ///
    /// They solve `H x + Φᵀ λ = Φ_jᵀ`, `Φ x = 0`: with any `H`, `x = 0` where row `j` is implied.
    fn find_coefficients(&mut self) {
        let n = self.state.v.len();
        self.unknowns.fill(0.0);
        let top = &mut self.unknowns[..n];
        self.system.add_reactions(self.state.time, &self.state.q, &self.independent_rows.mix, top);
        self.kkt.solve(&mut self.unknowns);
        let (coordinates, rows) = self.kkt.scales();
        let scales = coordinates.iter().chain(rows);
        self.unknowns.iter_mut().zip(scales).for_each(|(x, scale)| *x /= scale);
    }

    /// Multipliers of the rows kept with the reactions of the present ones.
    fn move_reactions(&mut self) {
        let DaeState { time, q, v, mu, .. } = &mut self.state;
        let (top, bottom) = self.unknowns.split_at_mut(v.len());
        top.fill(0.0);
        bottom.fill(0.0);
        self.system.add_reactions(*time, q, mu, top);
        self.kkt.solve(&mut self.unknowns);
        mu.copy_from_slice(&self.unknowns[v.len()..]);
    }

    /// Appends the choice.
    pub(super) fn save_rows(&self, out: &mut Vec<f64>) {
        self.kkt.save_rows(out);
        out.push(self.independent_rows.coefficient);
    }

    /// Reads back what [`save_rows`](Self::save_rows) wrote and returns how many numbers it took.
    pub(super) fn restore_rows(&mut self, saved: &[f64]) -> Option<usize> {
        let count = self.kkt.restore_rows(saved)?;
        self.independent_rows.coefficient = *saved.get(count)?;
        self.independent_rows.has_redundant = self.kkt.left_out().contains(&true);
        Some(count + 1)
    }
}
