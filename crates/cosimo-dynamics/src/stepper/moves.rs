//! Moves of the end that close gaps, as the stage sees them.
//!
//! The positions before the stage move by `σ = J⁻¹Zᵀ m`. The stage then has the force `−K σ` more, and the step ends at
//!
//! ```text
//!   Δq = σ − c_q J⁻¹ K σ        Δv = −c_v J⁻¹ K σ        Δu = −(c_v/d_v) J⁻¹ K σ
//! ```
//!
//! so that the rows answer by `Y = Z J⁻¹ (M + c_v C) J⁻¹ Zᵀ`. Without stiffness the positions alone move.

use super::Stepper;
use crate::MotionState;

impl Stepper {
    /// Finds the [move mass](Self::move_mass) with the inverse mass from now on, or does so no more.
    pub fn report_moves(&mut self, wanted: bool) {
        if self.cold.reports_moves != wanted {
            self.cold.reports_moves = wanted;
            self.response.inverse_masses.size_move_mass(wanted && !self.system.is_strain_free());
            self.cold.is_stale = true;
            self.ahead.forget();
        }
    }

    /// Moves the end of the trial step, and remembers `σ`.
    pub(super) fn move_end(&mut self, moves: &[f64]) {
        self.cold.displacement.fill(0.0);
        self.response.motion.apply(moves, (1.0, &mut self.cold.displacement), None);
        let MotionState { q, v, a, .. } = &mut self.trial;
        q.iter_mut().zip(&self.cold.displacement).for_each(|(q, displacement)| *q += displacement);
        if !self.system.is_strain_free() {
            let strain = &mut self.cold.strain;
            strain.fill(0.0);
            self.system.stiffness.multiply_add(1.0, &self.cold.displacement, strain);
            self.linear.solve_load(strain);
            let formula = &self.plan.formula;
            let (c_v, c_q) = (formula.stage_velocity(), formula.stage_position());
            for (k, strain) in strain.iter().enumerate() {
                q[k] -= c_q * strain;
                v[k] -= c_v * strain;
                a[k] -= formula.stage.velocity * strain;
            }
        }
        self.observe_end();
    }

    /// Fills the move mass from the answer of the motion.
    pub(super) fn fill_move_mass(&mut self) {
        let (system, linear) = (&self.system, &mut self.linear);
        self.response.fill_move_mass(system, self.plan.formula.stage_position(), |x| linear.solve_load(x));
    }
}
