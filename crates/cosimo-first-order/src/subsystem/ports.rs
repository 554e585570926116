//! Load ports, and what loads do at all ports.

use cosimo_dynamics::Collocation;
use cosimo_mechanics::Energy;
use cosimo_subsystem::{LoadResponse, MacroStep, PortMotion, StepLoads};

use super::{FirstOrderSubsystem, Scratch};
use crate::{FirstOrderSystem, Point, SystemError};

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    pub(super) fn try_respond(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), SystemError> {
        self.course.get_mut().set_motion(step, motion);
        self.motion.find_rates(self.system.get_mut(), self.course.get_mut())?;
        self.find_start_loads(step)?;
        self.try_step(step, &[], true)?;
        self.map.write_loads(&self.trial_outputs, &mut self.load_response.end);
        if self.wants_matrices && self.load_response.has_tangents() {
            self.write_tangents();
        }
        Ok(())
    }

    /// Loads of the load ports at the start of the step.
    pub(super) fn find_start_loads(&mut self, step: MacroStep) -> Result<(), SystemError> {
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let at = Point { time: step.time, states: &self.motion.state.v, inputs: course.at(step.time) };
        system.outputs(at, &mut self.trial_outputs)?;
        self.map.write_loads(&self.trial_outputs, &mut self.load_response.start);
        Ok(())
    }

    /// `∂λ₁/∂z₁` and `∂λ₁/∂ż₁`: what feeds through at the end, and what comes by the states, which the motion at the stage drives.
    pub(super) fn write_tangents(&mut self) {
        let share = self.formula.end.velocity * self.formula.stage.time;
        let (mut column, mut first) = (0, 0);
        for port in &self.map.load_ports {
            for (indices, tangent) in [
                (&port.positions, &mut self.load_response.position_tangent),
                (&port.velocities, &mut self.load_response.velocity_tangent),
            ] {
                let tangent = tangent.dense_mut();
                for k in 0..indices.len() {
                    for i in 0..tangent.nrows() {
                        let (by_states, direct) = self.sensitivity.entry(i, column);
                        tangent[(i, first + k)] = share * by_states + direct;
                    }
                    column += 1;
                }
            }
            first += port.loads.len();
        }
    }

    /// Work (J) of the step just taken on the load ports: the mean of the loads at its ends, on the way, against the body that they act on.
    pub(super) fn drive_work(&mut self, motion: &PortMotion) -> f64 {
        let LoadResponse { start, end, .. } = &mut self.load_response;
        self.map.write_loads(&self.outputs, end);
        let displacements = motion.end.positions.iter().zip(&motion.start.positions);
        let loads = start.iter().zip(end.iter());
        -loads.zip(displacements).map(|((a, b), (to, from))| 0.5 * (a + b) * (to - from)).sum::<f64>()
    }

    /// Work (J) of the loads on the rows over the step just taken: of finite loads their mean on the way, of momenta momentum times mean rate.
    pub(super) fn work_of_loads(&mut self, loads: &StepLoads) -> f64 {
        let Scratch { start, start_rates, orientations, end, rates, .. } = &mut self.scratch;
        self.map.write_rows(&self.outputs, orientations, (end, rates));
        let is_mean = self.motion.rule.collocation() == Collocation::Mean;
        let work = |(k, impulse): (usize, &f64)| {
            let momentum = loads.momenta.get(k).copied().unwrap_or(0.0);
            let (displacement, mean_rate) = (end[k] - start[k], 0.5 * (start_rates[k] + rates[k]));
            let load = (impulse - momentum) / self.formula.end.velocity;
            momentum * mean_rate
                + displacement * if is_mean { load } else { 0.5 * (load + self.finite_loads[k]) }
        };
        loads.impulses.iter().enumerate().map(work).sum()
    }

    pub(super) fn energy_of(&self, outputs: &[f64]) -> Energy {
        let [kinetic, potential] = self.map.energy.map(|index| index.map_or(0.0, |k| outputs[k]));
        Energy { kinetic, potential }
    }
}
