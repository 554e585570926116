//! Beginning anew: accelerations that balance the loads at the present state.

use super::{ColdStorage, Stepper, into_step_error, is_finite};
use crate::products::transposed_multiply_add;
use crate::rules::StepFormula;
use crate::{DynamicsError, SystemError};

impl Stepper {
    pub(super) fn start_anew(&mut self) -> Result<(), DynamicsError> {
        self.ahead.forget();
        if !is_finite(&self.state) {
            return Err(DynamicsError::NotFinite { quantity: "the state after a jump" });
        }
        self.start_loads.fill(0.0);
        if let Some(momenta) = &mut self.momenta {
            momenta.clear();
        }
        self.balance_start().map_err(into_step_error)?;
        self.take_balanced_start();
        self.energy = self.system.energy(&self.state.q, &self.state.v);
        Ok(())
    }

    pub(super) fn take_balanced_start(&mut self) {
        self.state.a.copy_from_slice(&self.cold.restart.a);
        self.rule.restart(&self.coordinates);
        self.power = None;
        self.observe_start();
    }

    /// Solves `M a + Φᵀ μ = f + Zᵀ ℓ₀`, `φ̈ = 0` at the present state into `restart`.
    pub(super) fn balance_start(&mut self) -> Result<(), SystemError> {
        let ColdStorage { restart: start, inertia, scratch, .. } = &mut *self.cold;
        let jacobian = &mut self.response.inverse_masses.jacobian;
        start.time = self.state.time;
        start.q.copy_from_slice(&self.state.q);
        start.v.copy_from_slice(&self.state.v);
        inertia.prepare(&self.system, &StepFormula::default())?;
        self.rows.jacobian(start.time, &start.q, jacobian);
        start.a.fill(0.0);
        transposed_multiply_add(jacobian, (1.0, &self.start_loads), &mut start.a);
        self.system.project_load(&mut start.a, scratch);
        self.system.total_force(start.time, &start.q, &start.v, scratch);
        start.a.iter_mut().zip(scratch).for_each(|(a, f)| *a += *f);
        inertia.solve_load(&mut start.a);
        if start.a.iter().all(|x| x.is_finite()) {
            Ok(())
        } else {
            Err(SystemError::NotFinite { quantity: "the acceleration at the start" })
        }
    }
}
