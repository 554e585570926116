//! What stands outside of the model: loads and signals that somebody sets.

use std::sync::{Arc, Mutex, PoisonError};

use cosimo_subsystem::{
    Capabilities, Description, Hold, InverseMass, Ledger, LoadResponse, MacroStep, PortMotion, PortSpec,
    Signal, SignalInput, SignalOutput, Snapshot, Statistics, StepLoads, StepResponse, Subsystem,
    SubsystemError, pass_on,
};

/// Values that are set from outside, shared with the subsystems that show them to the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given(Arc<Mutex<Vec<f64>>>);

impl Given {
    pub(crate) fn zeros(count: usize) -> Self {
        Self(Arc::new(Mutex::new(vec![0.0; count])))
    }

    /// Room for so many values.
    pub(crate) fn extend_to(&self, count: usize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).resize(count, 0.0);
    }

    pub(crate) fn set(&self, index: usize, value: f64) {
        if let Some(own) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
            *own = value;
        }
    }

    pub(crate) fn get(&self, index: usize) -> f64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(index).copied().unwrap_or(0.0)
    }

    pub(crate) fn values(&self) -> Vec<f64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_all(&self, values: &[f64]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).copy_from_slice(values);
    }

    fn copy_to(&self, first: usize, out: &mut [f64]) {
        let own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.iter_mut().zip(&own[first..]).for_each(|(out, value)| *out = *value);
    }
}

/// Name of the load port.
pub(crate) const PORT: &str = "port";

/// Given loads on a port: constant until they are set anew, whatever the motion.
pub(crate) struct GivenLoads {
    description: Description,
    given: Given,
    first: usize,
    begun: Option<MacroStep>,
    response: LoadResponse,
    empty: StepResponse,
    statistics: Statistics,
}

impl GivenLoads {
    /// On a port of this size, with loads from `first` on among those given.
    pub(crate) fn new(name: &str, port: (usize, bool), given: Given, first: usize) -> Self {
        let (size, is_frame) = port;
        let load_port = if is_frame { PortSpec::frame(PORT) } else { PortSpec::new(PORT, size) };
        let capabilities = Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            has_variable_step: true,
            ..Capabilities::default()
        };
        Self {
            description: Description { load_ports: vec![load_port], capabilities, ..Description::new(name) },
            given,
            first,
            begun: None,
            response: LoadResponse::with_tangents(size),
            empty: StepResponse::zeros(0),
            statistics: Statistics::default(),
        }
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }
}

impl Subsystem for GivenLoads {
    fn description(&self) -> &Description {
        &self.description
    }

    fn limit_response(&mut self, needed: &[bool]) {
        self.response.limit(needed);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, step.time)?;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(&self.empty)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        self.description.check_motion(motion)?;
        self.begun("respond")?;
        let LoadResponse { start, end, .. } = &mut self.response;
        self.given.copy_to(self.first, start);
        self.given.copy_to(self.first, end);
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        self.description.check_step_loads(loads)?;
        self.begun("commit")?;
        let PortMotion { start, end } = &loads.motion;
        let mut own = vec![0.0; start.positions.len()];
        self.given.copy_to(self.first, &mut own);
        let ways = end.positions.iter().zip(&start.positions).map(|(to, from)| to - from);
        let port_work = -own.iter().zip(ways).map(|(load, way)| load * way).sum::<f64>();
        self.begun = None;
        self.statistics.steps += 1;
        Ok(Ledger { port_work, external_work: -port_work, ..Ledger::default() })
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        snapshot.decode(&self.description.name)?;
        self.begun = None;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// Given signals: outputs that are set from outside.
pub(crate) struct GivenSignals {
    description: Description,
    given: Given,
    first: usize,
    empty: StepResponse,
}

impl GivenSignals {
    /// Outputs of these names and units, with values from `first` on among those given.
    pub(crate) fn new(name: &str, outputs: Vec<(String, String)>, given: Given, first: usize) -> Self {
        let output = |(name, unit)| SignalOutput { name, unit, feed_through: Vec::new() };
        let capabilities =
            Capabilities { can_roll_back: true, has_variable_step: true, ..Capabilities::default() };
        let outputs = outputs.into_iter().map(output).collect();
        let description = Description { outputs, capabilities, ..Description::new(name) };
        Self { description, given, first, empty: StepResponse::zeros(0) }
    }
}

impl Subsystem for GivenSignals {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, _step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        Ok(&self.empty)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        self.description.check_step_loads(loads)?;
        Ok(Ledger::default())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        self.given.copy_to(self.first, out);
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        snapshot.decode(&self.description.name).map(drop)
    }
}

/// Inputs that listen to all outputs of the model: outputs that feed none are not exchanged.
pub(crate) struct Listener {
    description: Description,
    empty: StepResponse,
}

impl Listener {
    /// Listens to outputs of these names and units.
    pub(crate) fn new(name: &str, outputs: Vec<(String, String)>) -> Self {
        let input = |(name, unit)| SignalInput { name, unit, hold: Hold::Held, default: None };
        let capabilities =
            Capabilities { can_roll_back: true, has_variable_step: true, ..Capabilities::default() };
        let inputs = outputs.into_iter().map(input).collect();
        let description = Description { inputs, capabilities, ..Description::new(name) };
        Self { description, empty: StepResponse::zeros(0) }
    }
}

impl Subsystem for Listener {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, _step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        Ok(&self.empty)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        self.description.check_step_loads(loads)?;
        Ok(Ledger::default())
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        snapshot.decode(&self.description.name).map(drop)
    }
}

/// A subsystem some of whose inputs keep the value that they are given over a step, whatever it makes of its inputs else.
pub(crate) struct HeldInputs {
    inner: Box<dyn Subsystem>,
    held: Vec<bool>,
    signals: Vec<Signal>,
}

impl HeldInputs {
    pub(crate) fn new(inner: Box<dyn Subsystem>, held: Vec<bool>) -> Self {
        Self { inner, held, signals: Vec::new() }
    }
}

impl Subsystem for HeldInputs {
    pass_on!(inner: description, rows, energy, limit_response, report_moves, begin, begin_under_loads);
    pass_on!(inner: evaluate, evaluate_rows);
    pass_on!(inner: respond, commit, discard, prepare_jump, jump, shift, outputs, observe, save, restore, statistics);
    pass_on!(inner: cost_elsewhere, announce, runs_ahead);

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.signals.clear();
        let held = self.held.iter().copied().chain(std::iter::repeat(false));
        let own = inputs.iter().zip(held).map(|(signal, is_held)| match is_held {
            true => Signal::held(signal.time, signal.value(signal.time)),
            false => *signal,
        });
        self.signals.extend(own);
        self.inner.set_inputs(&self.signals)
    }
}
