//! PID control.

use cosimo_subsystem::Signal;
use nalgebra::dmatrix;
use serde::Serialize;

use crate::ControlError;
use crate::discretisation::Discretisation;
use crate::error::{finite, ordered, positive};
use crate::law::Law;

/// `y = K_p e + K_i ∫ e dt + K_d ė` of the error `e = setpoint − measurement`, within limits. The derivative is that of the
/// error behind a lag, `ė ≈ (e − e_f) / T_f` with `T_f ė_f = e − e_f`, which starts at zero.
///
/// Anti-windup is by clamping: where the output is at a limit, the integral does not grow beyond what reaches the limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pid {
    /// `K_p` (unit of the output over that of the inputs).
    pub proportional: f64,
    /// `K_i` (the same, 1/s).
    pub integral: f64,
    /// `K_d` (the same, s). Default: 0.
    pub derivative: f64,
    /// `T_f` (s), positive; without a derivative part of no use.
    pub filter: f64,
    /// Least and greatest output; infinite where there is none.
    #[serde(flatten, serialize_with = "crate::limiter::write_limits")]
    pub limits: [f64; 2],
    /// Integral part of the output at the start.
    pub start: f64,
}

impl Pid {
    /// A PI control without limits.
    #[must_use]
    pub fn new(proportional: f64, integral: f64) -> Self {
        let limits = [f64::NEG_INFINITY, f64::INFINITY];
        Self { proportional, integral, derivative: 0.0, filter: 1.0, limits, start: 0.0 }
    }

    /// Adds a derivative part with the time of its filter (s).
    #[must_use]
    pub fn with_derivative(self, derivative: f64, filter: f64) -> Self {
        Self { derivative, filter, ..self }
    }

    /// Sets least and greatest output.
    #[must_use]
    pub fn within(self, limits: [f64; 2]) -> Self {
        Self { limits, ..self }
    }

    pub(crate) fn compile(&self) -> Result<Box<dyn Law>, ControlError> {
        let gains = [
            ("proportional", self.proportional),
            ("integral", self.integral),
            ("derivative", self.derivative),
            ("start", self.start),
        ];
        gains.into_iter().try_for_each(|(name, gain)| finite(name, gain))?;
        positive("filter", self.filter)?;
        ordered(self.limits)?;
        let rate = 1.0 / self.filter;
        let parts = Discretisation::new(&dmatrix![0.0, 0.0; 0.0, -rate], &dmatrix![self.integral; rate]);
        Ok(Box::new(PidLaw { pid: self.clone(), parts }))
    }
}

/// The input of the setpoint, and that of the measurement.
const SETPOINT: usize = 0;
const MEASUREMENT: usize = 1;

/// A PID control at work; its states are the integral part and the error behind the lag.
#[derive(Debug)]
struct PidLaw {
    pid: Pid,
    parts: Discretisation,
}

impl PidLaw {
    /// The output without limits.
    fn unlimited(&self, states: &[f64], error: f64) -> f64 {
        let Pid { proportional, derivative, filter, .. } = self.pid;
        proportional * error + states[0] + derivative * (error - states[1]) / filter
    }
}

impl Law for PidLaw {
    fn inputs(&self) -> Vec<String> {
        ["setpoint", "measurement"].map(str::to_owned).to_vec()
    }

    fn outputs(&self) -> Vec<(String, Vec<usize>)> {
        let is_fed = self.pid.proportional != 0.0 || self.pid.derivative != 0.0;
        vec![("output".to_owned(), if is_fed { vec![SETPOINT, MEASUREMENT] } else { Vec::new() })]
    }

    fn states(&self) -> Vec<String> {
        ["integral", "filtered"].map(str::to_owned).to_vec()
    }

    fn start(&self) -> Vec<f64> {
        vec![self.pid.start, 0.0]
    }

    fn write(&self, states: &[f64], inputs: &[f64], out: &mut [f64]) {
        let [lower, upper] = self.pid.limits;
        out[0] = self.unlimited(states, inputs[SETPOINT] - inputs[MEASUREMENT]).clamp(lower, upper);
    }

    fn advance(&mut self, states: &mut [f64], size: f64, inputs: &[Signal]) {
        let mut error = inputs[SETPOINT];
        for (own, other) in error.coefficients.iter_mut().zip(inputs[MEASUREMENT].coefficients) {
            *own -= other;
        }
        let before = states[0];
        self.parts.advance(states, size, &[error]);
        let (grown, output) = (states[0] - before, self.unlimited(states, error.value(error.time + size)));
        let [lower, upper] = self.pid.limits;
        if output > upper && grown > 0.0 {
            states[0] -= grown.min(output - upper);
        } else if output < lower && grown < 0.0 {
            states[0] -= grown.max(output - lower);
        }
    }
}
