//! The inputs over a step.

use cosimo_subsystem::nalgebra::UnitQuaternion;
use cosimo_subsystem::{MacroStep, PortMotion, PortState, Signal};

use crate::PortMap;

/// Inputs as functions of time over a step: signals on their courses, motion of load ports from its start to its end, and loads that
/// are constant; the rest keeps its start value.
#[derive(Debug)]
pub struct InputCourse {
    inputs: Vec<f64>,
    signals: Vec<(Signal, usize)>,
    load_inputs: Vec<usize>,
    map: PortMap,
    motion: PortMotion,
    between: PortState,
    step: MacroStep,
}

impl InputCourse {
    /// All inputs at their start values, with load ports of so many coordinates and frames.
    #[must_use]
    pub fn new(map: &PortMap, start_values: &[f64], time: f64, load_ports: [usize; 2]) -> Self {
        let signals = map.inputs.iter().map(|(_, index)| (Signal::held(time, start_values[*index]), *index));
        let [coordinates, frames] = load_ports;
        Self {
            inputs: start_values.to_vec(),
            signals: signals.collect(),
            load_inputs: map.load_inputs(),
            map: map.clone(),
            motion: PortMotion::zeros(coordinates, frames),
            between: PortState::zeros(coordinates, frames),
            step: MacroStep { time, size: 0.0 },
        }
    }

    /// Loads on the rows, constant from now on.
    pub fn set_loads(&mut self, loads: impl Iterator<Item = f64>) {
        for (index, load) in self.load_inputs.iter().zip(loads) {
            self.inputs[*index] = load;
        }
    }

    /// The courses of the signals, from now on.
    pub fn set_signals(&mut self, signals: &[Signal]) {
        self.signals.iter_mut().zip(signals).for_each(|(own, signal)| own.0 = *signal);
    }

    /// Motion of the load ports over this step.
    pub fn set_motion(&mut self, step: MacroStep, motion: &PortMotion) {
        self.step = step;
        self.motion.copy_from(motion);
    }

    /// Inputs at a time (s).
    pub fn at(&mut self, t: f64) -> &[f64] {
        for (signal, index) in &self.signals {
            self.inputs[*index] = signal.value(t);
        }
        self.place(t);
        &self.inputs
    }

    /// Inputs at a time (s) with these values of the signals in place of their courses.
    pub fn with_signals(&mut self, t: f64, values: &[f64]) -> &[f64] {
        self.place(t);
        for ((_, index), value) in self.signals.iter().zip(values) {
            self.inputs[*index] = *value;
        }
        &self.inputs
    }

    /// Sets the motion inputs at `t`, a share of the way from the start of the step to its end.
    fn place(&mut self, t: f64) {
        if self.map.load_ports.is_empty() {
            return;
        }
        let share =
            if self.step.size > 0.0 { ((t - self.step.time) / self.step.size).clamp(0.0, 1.0) } else { 0.0 };
        let PortMotion { start, end } = &self.motion;
        blend(&start.positions, &end.positions, share, &mut self.between.positions);
        blend(&start.velocities, &end.velocities, share, &mut self.between.velocities);
        let turned = start.orientations.iter().zip(&end.orientations);
        for (between, (from, to)) in self.between.orientations.iter_mut().zip(turned) {
            *between = UnitQuaternion::from_scaled_axis((to * from.inverse()).scaled_axis() * share) * from;
        }
        self.map.write_motion(&self.between, &mut self.inputs);
    }
}

fn blend(start: &[f64], end: &[f64], share: f64, out: &mut [f64]) {
    for ((out, a), b) in out.iter_mut().zip(start).zip(end) {
        *out = a + share * (b - a);
    }
}
