//! Limiters.

use cosimo_subsystem::Signal;
use serde::{Serialize, Serializer};

use crate::ControlError;
use crate::error::{finite, ordered, positive};
use crate::law::Law;

/// Bounds of a signal from `input` to `output` and, if wanted, of its rate.
///
/// Without a bound of the rate the output follows at once. With one it is a state, which approaches the bounded input at this
/// rate at most: it does not feed through.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Limiter {
    /// Least and greatest output; infinite where there is none.
    #[serde(flatten, serialize_with = "crate::limiter::write_limits")]
    pub limits: [f64; 2],
    /// Largest rate (1/s), positive.
    pub rate: Option<f64>,
    /// Output at the start, within the limits, where the rate is bounded.
    pub start: f64,
}

/// Writes the limits that there are as `lower` and `upper`.
pub(crate) fn write_limits<S: Serializer>(limits: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    let named = ["lower", "upper"].into_iter().zip(limits);
    serializer.collect_map(named.filter(|(_, limit)| limit.is_finite()))
}

impl Limiter {
    /// Bounds of the value.
    #[must_use]
    pub fn new(limits: [f64; 2]) -> Self {
        Self { limits, rate: None, start: 0.0 }
    }

    /// Bounds the rate (1/s), too, from this output at the start.
    #[must_use]
    pub fn with_rate(self, rate: f64, start: f64) -> Self {
        Self { rate: Some(rate), start, ..self }
    }

    pub(crate) fn compile(&self) -> Result<Box<dyn Law>, ControlError> {
        ordered(self.limits)?;
        finite("start", self.start)?;
        if self.rate.is_some() && self.bounded(self.start) != self.start {
            let rule = "within the limits";
            return Err(ControlError::OutOfRange { parameter: "start", found: self.start, rule });
        }
        self.rate.map_or(Ok(()), |rate| positive("rate", rate))?;
        Ok(Box::new(self.clone()))
    }

    fn bounded(&self, value: f64) -> f64 {
        value.clamp(self.limits[0], self.limits[1])
    }
}

impl Law for Limiter {
    fn inputs(&self) -> Vec<String> {
        vec!["input".to_owned()]
    }

    fn outputs(&self) -> Vec<(String, Vec<usize>)> {
        vec![("output".to_owned(), if self.rate.is_some() { Vec::new() } else { vec![0] })]
    }

    fn states(&self) -> Vec<String> {
        self.rate.map(|_| "limited".to_owned()).into_iter().collect()
    }

    fn start(&self) -> Vec<f64> {
        self.rate.map(|_| self.start).into_iter().collect()
    }

    fn write(&self, states: &[f64], inputs: &[f64], out: &mut [f64]) {
        out[0] = states.first().copied().unwrap_or_else(|| self.bounded(inputs[0]));
    }

    fn advance(&mut self, states: &mut [f64], size: f64, inputs: &[Signal]) {
        if let (Some(rate), [state]) = (self.rate, states) {
            let target = self.bounded(inputs[0].value(inputs[0].time + size));
            *state += (target - *state).clamp(-rate * size, rate * size);
        }
    }
}
