//! Signals that are functions of time.

use cosimo_mechanics::{StepEnergy, TimeFunction};
use cosimo_subsystem::{
    Description, ExpectedLoads, Failure, Kind, MacroStep, Saved, Signal, SignalOutput, StepLoads, Stepped,
    TrialLoads, Wanted,
};

use crate::ControlError;
use crate::builder::capabilities;
use crate::error::finite;

/// A source of signals: outputs over time, without inputs. Built by [`SourceBuilder`].
///
/// Its outputs are the exact values at communication points; a jump counts from its instant on, which round-off does not miss.
pub type SignalSource = Stepped<SourceStates>;

/// Share of a time that counts as rounding.
const ROUND_OFF: f64 = 1e-10;

/// A source in the making.
///
/// ```
/// use cosimo_control::SourceBuilder;
/// use cosimo_mechanics::{Step, TimeFunction};
/// use cosimo_subsystem::Subsystem;
///
/// let step = TimeFunction::Step(Step { from: 0.0, to: 2.0, at: 0.0, duration: 0.0 });
/// let source = SourceBuilder::new("source").with_output("torque", "N m", step).build()?;
/// let mut torque = [0.0];
/// source.outputs(&[], &mut torque)?;
/// assert_eq!(torque, [2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SourceBuilder {
    name: String,
    outputs: Vec<(SignalOutput, TimeFunction)>,
    time: f64,
}

impl SourceBuilder {
    /// A source without outputs.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), outputs: Vec::new(), time: 0.0 }
    }

    /// Adds an output; the unit of a number is empty.
    #[must_use]
    pub fn with_output(
        mut self,
        name: impl Into<String>,
        unit: impl Into<String>,
        value: TimeFunction,
    ) -> Self {
        let output = SignalOutput { name: name.into(), unit: unit.into(), feed_through: Vec::new() };
        self.outputs.push((output, value));
        self
    }

    /// Sets the time of the start (s). Default: 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Builds the source.
    ///
    /// # Errors
    /// A time that is not finite, or two equal names.
    pub fn build(self) -> Result<SignalSource, ControlError> {
        finite("time", self.time)?;
        let (outputs, values): (Vec<_>, Vec<_>) = self.outputs.into_iter().unzip();
        let description =
            Description { outputs, capabilities: capabilities(), ..Description::new(self.name.clone()) };
        description.validate()?;
        Ok(Stepped::new(SourceStates { description, values, time: self.time }))
    }
}

/// The state of a [`SignalSource`]: its time.
#[derive(Debug)]
pub struct SourceStates {
    description: Description,
    values: Vec<TimeFunction>,
    time: f64,
}

impl SourceStates {
    /// The value of a function now.
    fn value(&self, function: &TimeFunction) -> f64 {
        let is_now = |jump: &f64| (jump - self.time).abs() <= ROUND_OFF * self.time.abs();
        function.value(function.jump().filter(is_now).unwrap_or(self.time))
    }
}

impl Kind for SourceStates {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.time)
    }

    fn begin(
        &mut self,
        _step: MacroStep,
        _start_loads: &[f64],
        _expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        Ok(TrialLoads::None)
    }

    fn evaluate(&mut self, _step: MacroStep, _impulses: &[f64], _wanted: Wanted) -> Result<(), Failure> {
        Ok(())
    }

    fn take(&mut self, step: MacroStep, _loads: &StepLoads) -> Result<StepEnergy, Failure> {
        self.time = step.time + step.size;
        Ok(StepEnergy::default())
    }

    fn can_jump(&self) -> bool {
        true
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<(), Failure> {
        Ok(())
    }

    fn jump(&mut self, _impulses: &[f64]) -> Result<(), Failure> {
        Ok(())
    }

    fn project_positions(&mut self, _weights: &[f64]) -> Result<(), Failure> {
        Ok(())
    }

    fn set_inputs(&mut self, _inputs: &[Signal]) {}

    fn outputs(&self, _inputs: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        out.iter_mut().zip(&self.values).for_each(|(out, function)| *out = self.value(function));
        Ok(())
    }

    fn observe(&self, _out: &mut [f64]) {}

    fn save(&self) -> Result<Saved, Failure> {
        Ok(vec![self.time].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let [time] = saved.numbers[..] else {
            return Err(format!("{} numbers instead of 1", saved.numbers.len()));
        };
        self.time = time;
        Ok(())
    }
}
