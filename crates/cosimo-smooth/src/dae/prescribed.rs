//! Prescribed motions that contradict each other.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};

use super::consistent::{Closing, LOOSE, factorize_mass};
use super::error::DaeError;
use super::kkt::Kkt;
use super::names::constraint_of_row;
use super::norm::largest;
use super::solver::DaeSolver;
use super::state::DaeState;

/// Times at which rates are compared.
const SAMPLES: usize = 128;

/// Fractions of the golden ratio: samples that fall in step with no period.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Share of the rates by which dependent ones may differ: round-off.
const ROUND_OFF: f64 = 1e-9;

/// Way (m, rad or –) that prescribed motions may go between two positions that are closed, and how many there are at most.
const STRIDE: f64 = 0.1;
const MAX_STRIDES: usize = 4000;

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// Refuses motions prescribed by redundant constraints that contradict each other between now and the time `end` (s).
    ///
    /// Rows left out depend on the others, `λᵀ Φ = 0`; motions fit each other only where their rates do, `λᵀ ∂φ/∂t = 0`. The
    /// rates are compared at 128 times. Where they differ, the motion of the rows that are kept is followed from position to
    /// position, since dependencies change on the way, until one that is left out is violated. What differs for less than the
    /// time between samples is found by the step that comes there.
    ///
    /// # Errors
    /// [`DaeError::Motions`] names the constraints.
    pub fn check_motions(&self, end: f64) -> Result<(), DaeError> {
        let start = self.state().time;
        if !(end > start) || !self.kkt.left_out().contains(&true) {
            return Ok(());
        }
        let mut kkt = Kkt::new(&self.system, start, &self.state().q);
        let left_out = self.kkt.left_out().iter().enumerate();
        left_out.for_each(|(row, is_out)| kkt.leave_out(row, *is_out));
        kkt.set_misfit(self.kkt.misfit());
        let mut follower = Follower {
            system: &self.system,
            closing: Closing::new(&self.system, self.settings.closing_tolerance),
            tolerance: 100.0 * self.settings.closing_tolerance + LOOSE * self.kkt.misfit(),
            state: self.state.clone(),
            rates: vec![0.0; self.state.mu.len()],
            rows: vec![0.0; self.state.mu.len()],
            unknowns: vec![0.0; self.state.v.len() + self.state.mu.len()],
            kkt,
        };
        let differing = follower.differing_rows(end)?;
        if differing.contains(&true) { follower.follow(end, &differing) } else { Ok(()) }
    }
}

/// Follows the prescribed motions without forces.
struct Follower<'a> {
    system: &'a dyn ConstrainedSystem,
    closing: Closing,
    kkt: Kkt,
    /// Residual allowed of rows left out, relative to `1 + max |q|`.
    tolerance: f64,
    state: DaeState,
    rates: Vec<f64>,
    rows: Vec<f64>,
    unknowns: Vec<f64>,
}

impl Follower<'_> {
    /// `∂φ/∂t` at the time `t` (s) and the present position.
    fn read_rates(&mut self, t: f64) {
        self.state.v.fill(0.0);
        let motion = Motion { t, q: &self.state.q, v: &self.state.v };
        self.system.constraints(Level::Velocity, motion, &self.state.a, &mut self.rates);
    }

    /// The rows left out whose rates are not those that the others imply, at some time until `end` (s).
    fn differing_rows(&mut self, end: f64) -> Result<Vec<bool>, DaeError> {
        let (start, n) = (self.state.time, self.state.v.len());
        let mut differing = vec![false; self.rates.len()];
        let allowed = ROUND_OFF + LOOSE * self.kkt.misfit();
        let mut is_factorized = false;
        for sample in 0..SAMPLES {
            self.read_rates(start + (end - start) * (sample as f64 * GOLDEN).fract());
            if largest(&self.rates) == 0.0 {
                continue;
            }
            if !is_factorized {
                factorize_mass(self.system, &mut self.kkt, &self.state)?;
                is_factorized = true;
            }
            // Velocities at which the rows that are kept have these rates: Φ v = −∂φ/∂t.
            self.unknowns[..n].fill(0.0);
            self.unknowns[n..].iter_mut().zip(&self.rates).for_each(|(x, rate)| *x = -rate);
            self.kkt.solve(&mut self.unknowns);
            self.read_products();
            self.note_differing(allowed, &mut differing);
        }
        Ok(differing)
    }

    /// Notes the rows left out that do not have their rates at the velocities of the others, to a share of the largest.
    fn note_differing(&self, allowed: f64, differing: &mut [bool]) {
        let size = largest(&self.rows).max(largest(&self.rates));
        for (row, differs) in differing.iter_mut().enumerate() {
            let residual = self.rows[row] + self.rates[row];
            *differs |= self.kkt.left_out()[row] && !(residual.abs() <= allowed * size);
        }
    }

    /// `Φ v` at the start, of the velocities among the unknowns.
    fn read_products(&mut self) {
        let Self { system, state, rows, unknowns, .. } = self;
        let n = state.v.len();
        let motion = |v| Motion { t: state.time, q: &state.q, v };
        let mut still = vec![0.0; rows.len()];
        system.constraints(Level::Velocity, motion(&state.v), &state.a, &mut still);
        system.constraints(Level::Velocity, motion(&unknowns[..n]), &state.a, rows);
        rows.iter_mut().zip(still).for_each(|(row, rate)| *row -= rate);
    }

    /// Closes positions along the motion until a row among `differing` is violated.
    fn follow(&mut self, end: f64, differing: &[bool]) -> Result<(), DaeError> {
        let longest = (end - self.state.time) / SAMPLES as f64;
        for _ in 0..MAX_STRIDES {
            if self.state.time >= end {
                break;
            }
            self.read_rates(self.state.time);
            let fastest = largest(&self.rates);
            let size = if fastest * longest > STRIDE { STRIDE / fastest } else { longest };
            self.state.time = end.min(self.state.time + size);
            let closed = self.closing.close_positions(self.system, &mut self.kkt, &mut self.state);
            if !matches!(closed, Ok(()) | Err(DaeError::Contradiction { .. })) {
                // The rows that are kept cannot be followed: what comes there gives the reason.
                break;
            }
            let allowed = self.tolerance * (1.0 + largest(&self.state.q));
            let worst = self.worst_residual(differing);
            if let Some((row, residual)) = worst.filter(|(_, residual)| !(*residual <= allowed)) {
                return Err(self.contradiction(row, residual));
            }
        }
        Ok(())
    }

    /// The row of some that is farthest from closed at the present position, and its residual.
    fn worst_residual(&mut self, among: &[bool]) -> Option<(usize, f64)> {
        let motion = Motion { t: self.state.time, q: &self.state.q, v: &self.state.v };
        self.system.constraints(Level::Position, motion, &self.state.a, &mut self.rows);
        let residuals = self.rows.iter().map(|residual| residual.abs()).enumerate();
        residuals.filter(|(row, _)| among[*row]).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The error about a row left out that the others contradict.
    fn contradiction(&mut self, row: usize, residual: f64) -> DaeError {
        let constraint = constraint_of_row(self.system, row);
        let (time, others) = (self.state.time, self.partners(row, &constraint));
        DaeError::Motions { constraint, others, residual, time }
    }

    /// Names of the constraints that a row depends on: those that move, else that with the largest share.
    fn partners(&mut self, row: usize, constraint: &str) -> String {
        self.find_shares(row);
        let shares = &self.unknowns[self.state.v.len()..];
        let depends = |k: &usize| shares[*k].abs() > ROUND_OFF * largest(shares);
        let mut names: Vec<String> = Vec::new();
        let moving = (0..shares.len()).filter(|k| depends(k) && self.rates[*k] != 0.0);
        for name in moving.map(|k| constraint_of_row(self.system, k)) {
            if name != constraint && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            let most = (0..shares.len()).max_by(|a, b| shares[*a].abs().total_cmp(&shares[*b].abs()));
            names.extend(most.map(|k| constraint_of_row(self.system, k)));
        }
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }

    /// Finds, behind the velocities in the unknowns, the shares of the rows kept in one that is left out; zeros where nothing is known.
    fn find_shares(&mut self, row: usize) {
        self.read_rates(self.state.time);
        self.rows.fill(0.0);
        self.rows[row] = 1.0;
        self.unknowns.fill(0.0);
        let (top, shares) = self.unknowns.split_at_mut(self.state.v.len());
        self.system.add_reactions(self.state.time, &self.state.q, &self.rows, top);
        if factorize_mass(self.system, &mut self.kkt, &self.state).is_ok() {
            self.kkt.solve(&mut self.unknowns);
        } else {
            shares.fill(0.0);
        }
    }
}
