//! `kind = "controller"`: control laws between signals.

pub(crate) mod read;

use cosimo_control::{ControlError, ControlLaw, Controller, ControllerBuilder, Limiter};
use cosimo_subsystem::{Hold, Subsystem};
use serde::Serialize;
use toml::Table;

use super::Kind;
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, QuantityRole, SignalShape, quantity};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "controller";

/// A controller. It has no ports, and its solver has no effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ControllerSpec {
    /// The law.
    #[serde(flatten)]
    pub law: ControlLaw,
    /// Units of the inputs and of the outputs: one for all, or one each. Default: none.
    #[serde(rename = "input_unit")]
    pub input_units: Vec<String>,
    /// Those of the outputs.
    #[serde(rename = "output_unit")]
    pub output_units: Vec<String>,
    /// How the inputs go on between communication points. Default: linear.
    pub hold: Hold,
    /// Period of the samples (s), positive; none for a continuous controller.
    pub period: Option<f64>,
    /// Value of inputs that are not connected; of a PID control, of its setpoint. None where they must be.
    pub default: Option<f64>,
}

impl ControllerSpec {
    /// The controller of this name at this time (s).
    fn controller(&self, name: &str, time: f64) -> Result<Controller, ControlError> {
        let builder = ControllerBuilder::new(name, self.law.clone())
            .with_units(&self.input_units, &self.output_units)
            .with_hold(self.hold)
            .with_initial_time(time);
        let builder = match self.period {
            Some(period) => builder.with_period(period),
            None => builder,
        };
        let inputs = match &self.law {
            ControlLaw::Pid(_) => vec!["setpoint".to_owned()],
            law => law.inputs()?,
        };
        let Some(default) = self.default else { return builder.build() };
        inputs.into_iter().fold(builder, |builder, input| builder.with_default(input, default)).build()
    }

    /// The controller; none where its parameters are wrong.
    fn known(&self) -> Option<Controller> {
        self.controller("", 0.0).ok()
    }
}

impl Kind for ControllerSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        Vec::new()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn own_rule(&self) -> Option<&'static str> {
        Some("advances its states exactly for inputs that are linear over a step")
    }

    fn inputs(&self) -> Vec<SignalShape> {
        let inputs = self.known().map(|known| known.description().inputs.clone()).unwrap_or_default();
        let shape = |input: cosimo_subsystem::SignalInput| SignalShape {
            name: input.name,
            unit: input.unit,
            is_required: input.default.is_none(),
        };
        inputs.into_iter().map(shape).collect()
    }

    fn outputs(&self) -> Vec<SignalShape> {
        let outputs = self.known().map(|known| known.description().outputs.clone()).unwrap_or_default();
        outputs.into_iter().map(|output| SignalShape::output(output.name, output.unit)).collect()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        let states = self.known().map(|known| known.description().quantities.clone()).unwrap_or_default();
        states.into_iter().map(|state| quantity(state.name, state.unit, QuantityRole::Signal)).collect()
    }

    fn complete(&self, table: &mut Table) {
        match &self.law {
            ControlLaw::Pid(_) => {
                let default = table.remove("default");
                table.extend(default.map(|default| ("setpoint".to_owned(), default)));
            }
            // Without a bound of the rate it has no effect.
            ControlLaw::Limiter(Limiter { rate: None, .. }) => drop(table.remove("start")),
            _ => {}
        }
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        let built = self.controller(frame.name, frame.start_time);
        Ok(Box::new(built.map_err(BuildError::part(frame.name))?))
    }
}
