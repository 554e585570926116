//! The energy balance of a step.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_mechanics::StepEnergy;
use cosimo_smooth::dae::DaeState;
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
        let [dissipated, external_work] = self.works(h);
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

    /// Work dissipated and work put in. Where the rule takes means, those of forces are of the middle of the step, and prescribed motions
    /// work by their mean rate, which may jump inside the step, as the velocities do; so they do in putting the velocity back.
    fn works(&self, h: f64) -> [f64; 2] {
        let (start, end, system) = (self.solver.trial_start(), self.solver.trial_end(), self.solver.system());
        let mean = |of: &dyn Fn(&DaeState) -> f64| 0.5 * (of(start) + of(end));
        let driving_by = |state: &DaeState, mu: &[f64]| system.driving_power(motion(state), mu);
        let [dissipated, external, driving] = if self.solver.takes_means() {
            let stage = self.solver.trial_stage();
            let of_forces = [system.dissipated_power(stage), system.external_power(stage)];
            [of_forces[0], of_forces[1], mean(&|state| driving_by(state, &end.mu))]
        } else {
            [
                mean(&|state| system.dissipated_power(motion(state))),
                mean(&|state| system.external_power(motion(state))),
                mean(&|state| driving_by(state, &state.mu)),
            ]
        };
        let put_back = self.solver.trial_impulses();
        let back = put_back.map_or(0.0, |impulses| mean(&|state| driving_by(state, impulses)));
        [h * dissipated, h * (external + driving) + back]
    }
}
