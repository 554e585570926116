//! What stands outside of the model: loads and signals that somebody sets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Capabilities, Description, Failure, Hold, InverseMass, Kind, LoadResponse, MacroStep, PortMotion,
    PortSpec, Saved, Signal, SignalInput, SignalOutput, StepLoads, Stepped, Subsystem, SubsystemError,
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
    response: LoadResponse,
}

impl GivenLoads {
    /// On a port of this kind, with loads from `first` on among those given.
    pub(crate) fn new(name: &str, load_port: PortSpec, given: Given, first: usize) -> Stepped<Self> {
        let size = load_port.size;
        let capabilities = Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: true,
            can_roll_back: true,
            has_variable_step: true,
            ..Capabilities::default()
        };
        Stepped::new(Self {
            description: Description { load_ports: vec![load_port], capabilities, ..Description::new(name) },
            given,
            first,
            response: LoadResponse::with_tangents(size),
        })
    }

    fn read_loads(&mut self, step: MacroStep) {
        let LoadResponse { start, end, .. } = &mut self.response;
        self.given.copy_at(step.time, self.first, start);
        self.given.copy_at(step.time + step.size, self.first, end);
    }
}

impl Kind for GivenLoads {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        None
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.response.limit(needed);
    }

    fn respond(&mut self, step: MacroStep, _motion: &PortMotion) -> Result<(), Failure> {
        self.read_loads(step);
        Ok(())
    }

    fn load_response(&self) -> &LoadResponse {
        &self.response
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        self.read_loads(step);
        let (PortMotion { start, end }, response) = (&loads.motion, &self.response);
        let means = response.start.iter().zip(&response.end).map(|(first, last)| 0.5 * (first + last));
        let displacements = end.positions.iter().zip(&start.positions).map(|(to, from)| to - from);
        let port_work = -means.zip(displacements).map(|(load, moved)| load * moved).sum::<f64>();
        Ok(StepEnergy { port_work, external_work: -port_work, ..StepEnergy::default() })
    }

    fn save(&self) -> Result<Saved, Failure> {
        Ok(Saved::default())
    }

    fn restore(&mut self, _saved: &Saved) -> Result<(), String> {
        Ok(())
    }
}

/// Given signals: outputs that follow the courses set from outside.
pub(crate) struct GivenSignals {
    description: Description,
    given: Given,
    first: usize,
    /// Time of the present communication point (s), once per step has been taken.
    time: Option<f64>,
}

impl GivenSignals {
    /// Outputs of these names and units, with courses from `first` on among those given. At the start they have the values with which the
    /// courses begin.
    pub(crate) fn new(
        name: &str,
        outputs: Vec<(String, String)>,
        given: Given,
        first: usize,
    ) -> Stepped<Self> {
        let output = |(name, unit)| SignalOutput { name, unit, feed_through: Vec::new() };
        let capabilities =
            Capabilities { can_roll_back: true, has_variable_step: true, ..Capabilities::default() };
        let outputs = outputs.into_iter().map(output).collect();
        let description = Description { outputs, capabilities, ..Description::new(name) };
        Stepped::new(Self { description, given, first, time: None })
    }
}

impl Kind for GivenSignals {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        None
    }

    fn take(&mut self, step: MacroStep, _loads: &StepLoads) -> Result<StepEnergy, Failure> {
        self.time = Some(step.time + step.size);
        Ok(StepEnergy::default())
    }

    fn outputs(&self, _inputs: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        self.given.copy_at(self.time.unwrap_or(f64::NEG_INFINITY), self.first, out);
        Ok(())
    }

    fn save(&self) -> Result<Saved, Failure> {
        Ok(self.time.into_iter().collect::<Vec<_>>().into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        self.time = saved.numbers.first().copied();
        if saved.numbers.len() > 1 { Err("it holds more than a time".to_owned()) } else { Ok(()) }
    }
}

/// Inputs that listen to all outputs of the model: outputs that feed none are not exchanged.
pub(crate) struct Listener {
    description: Description,
}

impl Listener {
    /// Listens to outputs of these names and units.
    pub(crate) fn new(name: &str, outputs: Vec<(String, String)>) -> Stepped<Self> {
        let input = |(name, unit)| SignalInput { name, unit, hold: Hold::Held, default: None };
        let capabilities =
            Capabilities { can_roll_back: true, has_variable_step: true, ..Capabilities::default() };
        let inputs = outputs.into_iter().map(input).collect();
        Stepped::new(Self { description: Description { inputs, capabilities, ..Description::new(name) } })
    }
}

impl Kind for Listener {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        None
    }

    fn take(&mut self, _step: MacroStep, _loads: &StepLoads) -> Result<StepEnergy, Failure> {
        Ok(StepEnergy::default())
    }

    fn save(&self) -> Result<Saved, Failure> {
        Ok(Saved::default())
    }

    fn restore(&mut self, _saved: &Saved) -> Result<(), String> {
        Ok(())
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
    pass_on!(inner: description, rows, energy, set_active_rows, report_moves, begin, begin_predicted);
    pass_on!(inner: evaluate, evaluate_rows);
    pass_on!(inner: respond, commit, discard, prepare_jump, jump, project_positions, outputs, observe, save, restore, statistics);
    pass_on!(inner: remote_cost, prefetch, is_asynchronous);

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
