//! Builds controllers.

use cosimo_subsystem::{Capabilities, Description, Hold, InverseMass, Quantity, SignalInput, SignalOutput};

use crate::controller::ControlledStates;
use crate::error::{finite, positive};
use crate::law::Law;
use crate::sampling::Sampling;
use crate::{ControlError, ControlLaw, Controller};

/// A controller in the making: a law with names, units and, if it is sampled, its period.
#[derive(Debug, Clone)]
pub struct ControllerBuilder {
    name: String,
    law: ControlLaw,
    input_units: Vec<String>,
    output_units: Vec<String>,
    hold: Hold,
    defaults: Vec<(String, f64)>,
    period: Option<f64>,
    time: f64,
}

impl ControllerBuilder {
    /// A continuous controller whose signals have no units, and whose inputs must be connected and are extrapolated linearly.
    #[must_use]
    pub fn new(name: impl Into<String>, law: impl Into<ControlLaw>) -> Self {
        Self {
            name: name.into(),
            law: law.into(),
            input_units: Vec::new(),
            output_units: Vec::new(),
            hold: Hold::default(),
            defaults: Vec::new(),
            period: None,
            time: 0.0,
        }
    }

    /// Sets the units of the inputs and of the outputs: one for all, or one each.
    #[must_use]
    pub fn with_units<S: Into<String>>(
        mut self,
        inputs: impl IntoIterator<Item = S>,
        outputs: impl IntoIterator<Item = S>,
    ) -> Self {
        self.input_units = inputs.into_iter().map(Into::into).collect();
        self.output_units = outputs.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how the inputs go on between communication points.
    #[must_use]
    pub fn with_hold(mut self, hold: Hold) -> Self {
        self.hold = hold;
        self
    }

    /// Gives an input a value that it has as long as nothing is connected to it.
    #[must_use]
    pub fn with_default(mut self, input: impl Into<String>, value: f64) -> Self {
        self.defaults.push((input.into(), value));
        self
    }

    /// Lets the controller take samples with this period (s), the first at the start.
    #[must_use]
    pub fn with_period(mut self, period: f64) -> Self {
        self.period = Some(period);
        self
    }

    /// Sets the time of the start (s). Default: 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Builds the controller.
    ///
    /// # Errors
    /// A parameter outside its range, a matrix of another size, a transfer function that is not proper, a default of an
    /// unknown input, or two equal names.
    pub fn build(self) -> Result<Controller, ControlError> {
        let law = self.law.compile()?;
        finite("time", self.time)?;
        self.period.map_or(Ok(()), |period| positive("period", period))?;
        let description = self.describe(law.as_ref())?;
        description.validate()?;
        let sampling = self.period.map(|period| Sampling::new(self.time, period));
        Ok(ControlledStates::new(description, law, sampling, self.time))
    }

    fn describe(&self, law: &dyn Law) -> Result<Description, ControlError> {
        let (inputs, outputs) = (law.inputs(), law.outputs());
        let input_units = units("input_units", &self.input_units, inputs.len())?;
        let output_units = units("output_units", &self.output_units, outputs.len())?;
        if let Some((name, _)) = self.defaults.iter().find(|(name, _)| !inputs.contains(name)) {
            return Err(ControlError::UnknownInput { name: name.clone(), known: inputs.join(", ") });
        }
        self.defaults.iter().try_for_each(|(_, value)| finite("default", *value))?;
        let default =
            |name: &String| self.defaults.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
        let input = |(name, unit): (String, String)| {
            let default = default(&name);
            SignalInput { name, unit, hold: self.hold, default }
        };
        let output = |((name, feed_through), unit): ((String, Vec<usize>), String)| SignalOutput {
            name,
            unit,
            feed_through,
        };
        Ok(Description {
            inputs: inputs.into_iter().zip(input_units).map(input).collect(),
            outputs: outputs.into_iter().zip(output_units).map(output).collect(),
            quantities: law.states().into_iter().map(|name| Quantity { name, unit: String::new() }).collect(),
            capabilities: capabilities(),
            ..Description::new(self.name.clone())
        })
    }
}

/// What subsystems without rows can do.
pub(crate) fn capabilities() -> Capabilities {
    Capabilities {
        inverse_mass: InverseMass::Exact,
        is_affine: true,
        can_roll_back: true,
        takes_impulses: true,
        has_variable_step: true,
        ..Capabilities::default()
    }
}

/// One unit for each of `count` signals.
fn units(parameter: &'static str, given: &[String], count: usize) -> Result<Vec<String>, ControlError> {
    match given {
        [] => Ok(vec![String::new(); count]),
        [unit] => Ok(vec![unit.clone(); count]),
        _ if given.len() == count => Ok(given.to_vec()),
        _ => {
            let (found, expected) = (given.len().to_string(), count.to_string());
            Err(ControlError::Size { parameter, found, expected })
        }
    }
}
