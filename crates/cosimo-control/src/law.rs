//! What every control law answers.

use cosimo_subsystem::Signal;

/// A control law at work: a system with states `x`, inputs `u` and outputs `y`.
pub(crate) trait Law: Send + std::fmt::Debug {
    /// Names of the inputs.
    fn inputs(&self) -> Vec<String>;

    /// Names of the outputs, each with the inputs that feed through to it.
    fn outputs(&self) -> Vec<(String, Vec<usize>)>;

    /// Names of the states.
    fn states(&self) -> Vec<String>;

    /// The states at the start.
    fn start(&self) -> Vec<f64>;

    /// Writes the outputs for these states and inputs.
    fn write(&self, states: &[f64], inputs: &[f64], out: &mut [f64]);

    /// Advances the states by `size` (s) from the time of the courses of the inputs.
    fn advance(&mut self, states: &mut [f64], size: f64, inputs: &[Signal]);
}

/// `name` of a single one, `name_0`, `name_1` … of several.
pub(crate) fn numbered(name: &str, count: usize) -> Vec<String> {
    match count {
        1 => vec![name.to_owned()],
        _ => (0..count).map(|k| format!("{name}_{k}")).collect(),
    }
}
