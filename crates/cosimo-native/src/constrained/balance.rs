//! The energy balance of a step.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{RowState, StepLoads};

use super::energy::{energy, motion};
use super::rows::ConstrainedRows;
use super::steps::Stepping;

impl<R: ConstrainedRows> Stepping<R> {
    /// The energy of the trial step before impulses inside it. Powers and the work of the loads are those of the middle of
    /// the step where the rule takes means, else integrated by the trapezoidal rule. That of momenta on ports is momentum times mean
    /// rate, alike on both sides of a joint; contacts act along the way where the rule takes means. The way is that of the mean rates with
    /// the midpoint rule alone: of others with one force per step, such as implicit Euler, contacts work by their mean rates, as impact
    /// laws have it, and what the rule takes out of an impact is its own.
    pub(super) fn balance(&self, h: f64, from: &RowState, loads: &StepLoads) -> StepEnergy {
        let (start, end) = (self.solver.trial_start(), self.solver.trial_end());
        let [weight, _] = self.solver.trial_weights();
        let takes_means = (weight - h).abs() < 1e-12 * h;
        let is_midpoint = self.solver.takes_means() && self.solver.share_of_end() == 0.5;
        let contacts = self.solver.system().rows().contacts();
        let work = |k: usize| {
            let momentum = loads.momenta.get(k).copied().unwrap_or(0.0);
            let (x, start) = (loads.impulses[k] - momentum, self.start_loads[k]);
            let load = if takes_means { x / h } else { 0.5 * (x / weight + start) };
            let displacement = self.response.positions[k] - from.positions[k];
            let rates = from.velocities[k] + self.response.velocities[k];
            if takes_means && !is_midpoint && k >= contacts.start {
                return loads.impulses[k] * 0.5 * rates;
            }
            let rate = if k < contacts.start || !takes_means { 0.5 * rates } else { displacement / h };
            load * displacement + momentum * rate
        };
        let mut works = (0..loads.impulses.len()).map(work);
        let port_work = works.by_ref().take(contacts.start).sum();
        let contact_work = works.sum();
        let [dissipated, external_work] = if self.solver.takes_means() {
            self.powers(self.solver.trial_stage(), &end.mu).map(|power| h * power)
        } else {
            let [at_start, at_end] = [start, end].map(|state| self.powers(motion(state), &state.mu));
            [0, 1].map(|k| 0.5 * h * (at_start[k] + at_end[k]))
        };
        let (before, energy) = (energy(&self.solver, start).total(), energy(&self.solver, end));
        StepEnergy {
            energy,
            port_work,
            contact_work,
            external_work,
            dissipated,
            numerical: energy.total() - before - port_work - contact_work - external_work + dissipated,
            ..StepEnergy::default()
        }
    }

    /// Power dissipated and power put in.
    fn powers(&self, motion: Motion<'_>, mu: &[f64]) -> [f64; 2] {
        let system = self.solver.system();
        [system.dissipated_power(motion), system.external_power(motion, mu)]
    }
}
