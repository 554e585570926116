//! Impulses inside a step: what they do to the state, and to the energy balance.

use super::Stepper;
use cosimo_mechanics::{ImpulseMoments, StepEnergy};

use crate::Collocation;

impl Stepper {
    /// Moves the end of the trial step by impulses inside it and accounts for them: time-dependent loads do their work on the
    /// way that the impulses add, damping takes out what it takes out of the motion with them. What remains of the change
    /// of energy is the impulses' own.
    pub(super) fn take_impulses(&mut self, moments: ImpulseMoments<&[f64]>, work: &mut StepEnergy) {
        let before = work.energy.total();
        let (dissipated, external) = if self.is_passive {
            self.apply_moments(moments);
            (0.0, 0.0)
        } else {
            self.powers_inside(moments)
        };
        self.observe_end();
        work.energy = self.system.energy(&self.trial.q, &self.trial.v);
        work.dissipated += dissipated;
        work.external_work += external;
        work.jumps = work.energy.total() - before + dissipated - external;
    }

    /// Applies the moments; returns by how much more is dissipated, and put in by time-dependent loads, with them.
    ///
    /// In the time `s` that remains after an impulse it moves the step by `Δq`, so that the velocity there is `v + Δq/s`
    /// in the mean, `v` the smooth motion in the middle of that time. With the power `D` of the damping
    ///
    /// ```text
    ///   s (D(v + Δq/s) − D(v))
    /// ```
    ///
    /// is dissipated more, to `O(h³)`.
    fn powers_inside(&mut self, moments: ImpulseMoments<&[f64]>) -> (f64, f64) {
        let remaining = moments.remaining_time(0..moments.velocity.len(), self.plan.h);
        self.observe_middle(remaining.unwrap_or(self.plan.h));
        self.cold.scratch.copy_from_slice(&self.trial.q);
        self.apply_moments(moments);
        let (displacement, end) = (&mut self.cold.scratch, &self.trial);
        displacement.iter_mut().zip(&end.q).for_each(|(displacement, q)| *displacement = q - *displacement);
        let external = self.work_on_way();
        // A move without impulses closes gaps: there is nothing to damp.
        (remaining.map_or(0.0, |s| self.dissipated_inside(s)), external)
    }

    /// Velocity of the smooth motion in the middle of the last `s` of the step.
    fn observe_middle(&mut self, s: f64) {
        let share = 0.5 * s / self.plan.h;
        let velocity = &mut self.cold.at_stage;
        for ((middle, start), end) in velocity.iter_mut().zip(&self.state.v).zip(&self.trial.v) {
            *middle = end - share * (end - start);
        }
    }

    /// What damping takes out more in the last `s` of the step for the way in `scratch`, made on top of the smooth motion
    /// in the middle of it.
    fn dissipated_inside(&mut self, s: f64) -> f64 {
        let velocity = &mut self.cold.at_stage;
        let smooth = self.system.dissipated_power(velocity);
        velocity.iter_mut().zip(&self.cold.scratch).for_each(|(v, displacement)| *v += displacement / s);
        s * (self.system.dissipated_power(velocity) - smooth)
    }

    /// Work of the time-dependent loads, in the mean over the step, on the way in `scratch`.
    pub(super) fn work_on_way(&self) -> f64 {
        let (system, displacement) = (&self.system, &self.cold.scratch);
        match self.collocation {
            Collocation::Mean => {
                let time = self.state.time + self.plan.formula.stage.time * self.plan.h;
                system.external_power(time, displacement)
            }
            Collocation::End => {
                let [start, end] = [&self.state, &self.trial];
                0.5 * (system.external_power(start.time, displacement)
                    + system.external_power(end.time, displacement))
            }
        }
    }
}
