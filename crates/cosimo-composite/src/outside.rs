//! What stands outside of the model: loads and signals that somebody sets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Capabilities, Description, Hold, InverseMass, LoadResponse, MacroStep, PortMotion, PortSpec, Signal,
    SignalInput, SignalOutput, Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
    pass_on,
};

/// Loads and signals that are set from outside by their courses, shared with the subsystems that show them to the model.
#[derive(Debug, Clone, Default)]
pub struct Given(Arc<Mutex<Vec<Signal>>>);

impl Given {
    /// So many values, all zero.
    #[must_use]
    pub fn zeros(count: usize) -> Self {
        Self(Arc::new(Mutex::new(vec![Signal::default(); count])))
    }

    fn courses(&self) -> MutexGuard<'_, Vec<Signal>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for so many values.
    pub fn extend_to(&self, count: usize) {
        self.courses().resize(count, Signal::default());
    }

    /// Sets a value that is held.
    pub fn set(&self, place: usize, value: f64) {
        self.set_course(place, Signal::held(0.0, value));
    }

    /// Sets the course of a load or a signal from a communication point on.
    pub fn set_course(&self, place: usize, course: Signal) {
        if let Some(own) = self.courses().get_mut(place) {
            *own = course;
        }
    }

    /// The course of a value.
    #[must_use]
    pub fn course(&self, place: usize) -> Signal {
        self.courses().get(place).copied().unwrap_or_default()
    }

    /// A value where its course begins.
    #[must_use]
    pub fn get(&self, place: usize) -> f64 {
        self.course(place).coefficients[0]
    }

    /// All values where their courses begin.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        self.courses().iter().map(|course| course.coefficients[0]).collect()
    }

    /// Sets all values, which are held.
    pub fn set_all(&self, values: &[f64]) {
        self.courses().iter_mut().zip(values).for_each(|(own, value)| *own = Signal::held(0.0, *value));
    }

    fn copy_at(&self, time: f64, first: usize, out: &mut [f64]) {
        let own = self.courses();
        let courses = own.iter().skip(first);
        out.iter_mut().zip(courses).for_each(|(out, course)| *out = course.value(time.max(course.time)));
    }
}

/// Name of the load port.
pub(crate) const PORT: &str = "port";

/// Given loads on a port, whatever the motion.
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
    /// On a port of this kind, with loads from `first` on among those given.
    pub(crate) fn new(name: &str, load_port: PortSpec, given: Given, first: usize) -> Self {
        let size = load_port.size;
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
        let step = self.begun("respond")?;
        let LoadResponse { start, end, .. } = &mut self.response;
        self.given.copy_at(step.time, self.first, start);
        self.given.copy_at(step.time + step.size, self.first, end);
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.begun("commit")?;
        let PortMotion { start, end } = &loads.motion;
        let LoadResponse { start: first, end: last, .. } = &mut self.response;
        self.given.copy_at(step.time, self.first, first);
        self.given.copy_at(step.time + step.size, self.first, last);
        let means = first.iter().zip(last.iter()).map(|(first, last)| 0.5 * (first + last));
        let ways = end.positions.iter().zip(&start.positions).map(|(to, from)| to - from);
        let port_work = -means.zip(ways).map(|(load, way)| load * way).sum::<f64>();
        self.begun = None;
        self.statistics.steps += 1;
        Ok(StepEnergy { port_work, external_work: -port_work, ..StepEnergy::default() })
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

/// Given signals: outputs that follow the courses set from outside.
pub(crate) struct GivenSignals {
    description: Description,
    given: Given,
    first: usize,
    time: f64,
    begun: Option<MacroStep>,
    empty: StepResponse,
}

impl GivenSignals {
    /// Outputs of these names and units, with courses from `first` on among those given. At the start they have the values with which the
    /// courses begin.
    pub(crate) fn new(name: &str, outputs: Vec<(String, String)>, given: Given, first: usize) -> Self {
        let output = |(name, unit)| SignalOutput { name, unit, feed_through: Vec::new() };
        let capabilities =
            Capabilities { can_roll_back: true, has_variable_step: true, ..Capabilities::default() };
        let outputs = outputs.into_iter().map(output).collect();
        let description = Description { outputs, capabilities, ..Description::new(name) };
        Self {
            description,
            given,
            first,
            time: f64::NEG_INFINITY,
            begun: None,
            empty: StepResponse::zeros(0),
        }
    }
}

impl Subsystem for GivenSignals {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.begun = Some(step);
        Ok(&self.empty)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        self.time = self.begun.take().map_or(self.time, |step| step.time + step.size);
        Ok(StepEnergy::default())
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        self.given.copy_at(self.time, self.first, out);
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode(&self.description.name, &[self.time])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let [time] = values[..] else {
            let (subsystem, reason) = (self.description.name.clone(), "it holds no time".to_owned());
            return Err(SubsystemError::BadSnapshot { subsystem, reason });
        };
        (self.time, self.begun) = (time, None);
        Ok(())
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

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        Ok(StepEnergy::default())
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

/// A subsystem some of whose inputs follow the courses that they are given, instead of those that the master makes of values at communication
/// points.
pub(crate) struct GivenInputs {
    inner: Box<dyn Subsystem>,
    /// Of every input its place among those given, if it is one.
    places: Vec<Option<usize>>,
    given: Given,
    signals: Vec<Signal>,
}

impl GivenInputs {
    pub(crate) fn new(inner: Box<dyn Subsystem>, places: Vec<Option<usize>>, given: Given) -> Self {
        Self { inner, places, given, signals: Vec::new() }
    }
}

impl Subsystem for GivenInputs {
    pass_on!(inner: description, rows, energy, limit_response, report_moves, begin, begin_under_loads);
    pass_on!(inner: evaluate, evaluate_rows);
    pass_on!(inner: respond, commit, discard, prepare_jump, jump, shift, outputs, observe, save, restore, statistics);
    pass_on!(inner: cost_elsewhere, announce, runs_ahead);

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.signals.clear();
        let places = self.places.iter().copied().chain(std::iter::repeat(None));
        let own = inputs.iter().zip(places).map(|(signal, place)| match place {
            Some(place) => self.given.course(place).since(signal.time),
            None => *signal,
        });
        self.signals.extend(own);
        self.inner.set_inputs(&self.signals)
    }
}
