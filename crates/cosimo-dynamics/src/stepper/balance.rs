//! The energy balance of a step.

use super::{Stepper, is_loaded, write_sum};
use crate::response::Response;
use crate::rules::StepPlan;
use crate::{Collocation, Momenta, MotionState};
use cosimo_mechanics::StepEnergy;

impl Stepper {
    /// Energy balance of the trial step before impulses inside it.
    pub(super) fn smooth_work(&mut self, momenta: &[f64]) -> StepEnergy {
        let energy = self.system.energy(&self.trial.q, &self.trial.v);
        let is_mean = self.collocation == Collocation::Mean;
        let (port_work, contact_work) = self.work_of_loads(is_mean, momenta);
        let (dissipated, external_work) = if is_mean { self.mean_work() } else { self.end_work() };
        let before = self.energy.total();
        let numerical = energy.total() - before - port_work - contact_work - external_work + dissipated;
        StepEnergy {
            energy,
            port_work,
            contact_work,
            external_work,
            dissipated,
            numerical,
            ..StepEnergy::default()
        }
    }

    /// Work of the impulses on ports and contacts: their mean, or end and start loads, over the way of the rows; of momenta, momentum times
    /// mean rate. Rows that move by themselves are those of the stage, along which the loads act: their own motion does not count.
    fn work_of_loads(&mut self, is_mean: bool, momenta: &[f64]) -> (f64, f64) {
        if !is_loaded(&self.loads) && (is_mean || !is_loaded(&self.start_loads) && !is_loaded(momenta)) {
            return (0.0, 0.0);
        }
        let Response { start_positions: start, end_positions: end, .. } = &self.response;
        let (start, end) = if self.rows.depend_on_time() {
            let time = self.state.time + self.plan.formula.stage.time * self.plan.h;
            let [start, end] = &mut self.cold.rows_at_stage;
            self.rows.positions(time, &self.state.q, start);
            self.rows.positions(time, &self.trial.q, end);
            (start.as_slice(), end.as_slice())
        } else {
            (&**start, &**end)
        };
        let carried = self.momenta.as_deref().and_then(Momenta::carried);
        let rates = (&self.response.start_velocities, &self.response.end_velocities);
        let own =
            |k: usize| if self.rows.depend_on_time() { None } else { Some(0.5 * (rates.0[k] + rates.1[k])) };
        let work = |k: usize| {
            let momentum = momenta.get(k).copied().unwrap_or(0.0);
            let (displacement, native) =
                (end[k] - start[k], self.loads[k] + carried.map_or(0.0, |p| p[k]) - momentum);
            let mean_rate = own(k).unwrap_or(displacement / self.plan.h);
            let load = native / self.plan.formula.end.velocity;
            momentum * mean_rate
                + displacement * if is_mean { load } else { 0.5 * (load + self.start_loads[k]) }
        };
        let ports = self.rows.ports();
        ((0..ports).map(work).sum(), (ports..self.loads.len()).map(work).sum())
    }

    /// Energy dissipated and put in by time-dependent loads, from the powers at the stage.
    fn mean_work(&mut self) -> (f64, f64) {
        if self.is_passive {
            return (0.0, 0.0);
        }
        let system = &self.system;
        let StepPlan { h, formula, .. } = &self.plan;
        let v = &mut self.cold.at_stage;
        write_sum(&self.explicit.velocity, (formula.stage_velocity(), &self.trial.a), v);
        let t = self.state.time + formula.stage.time * h;
        (h * system.dissipated_power(v), h * system.external_power(t, v))
    }

    /// Energy dissipated, by the trapezoidal rule, and put in by time-dependent loads: their mean on the way of the step.
    fn end_work(&mut self) -> (f64, f64) {
        if self.is_passive {
            return (0.0, 0.0);
        }
        let (start, end) = (&self.state, &self.trial);
        for ((displacement, q), from) in self.cold.scratch.iter_mut().zip(&end.q).zip(&start.q) {
            *displacement = q - from;
        }
        let power = |s: &MotionState| self.system.dissipated_power(&s.v);
        let (before, after) = (self.power.unwrap_or_else(|| power(start)), power(end));
        self.power = Some(after);
        (0.5 * self.plan.h * (before + after), self.work_on_way())
    }
}
