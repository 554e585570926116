//! What a run shows to whoever watches it.

use std::ops::ControlFlow;

use cosimo_nonsmooth::FrictionState;
use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::scene::{Scene, Sight};

use super::checkpoint::RunState;
use super::report::RunReport;
use cosimo_mechanics::EnergyBalance;

/// A quantity of a run: `subsystem.quantity` or `interface.quantity`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityLabel {
    /// Name of the subsystem or interface.
    pub owner: String,
    /// Name of the quantity.
    pub name: String,
    /// Unit; empty for a number.
    pub unit: String,
}

/// The state of all quantities at a communication point.
#[derive(Debug, Clone, Copy)]
pub struct StepRecord<'a> {
    /// Number of macro steps done; 0 for the initial state.
    pub step: u64,
    /// Time (s).
    pub time: f64,
    /// Values in the order of the labels given to [`Observer::start`].
    pub values: &'a [f64],
    /// Whether this is the last communication point of the run.
    pub is_last: bool,
}

/// What is to be seen at a communication point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameRecord<'a> {
    /// Number of macro steps done; 0 for the initial state.
    pub step: u64,
    /// Time (s).
    pub time: f64,
    /// Poses and forces of contacts, in the order of the [`Scene`].
    pub sight: &'a Sight,
    /// The energies up to here.
    pub energy: EnergyBalance,
    /// Whether this is the last communication point of the run.
    pub is_last: bool,
}

/// What happened at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContactEventKind {
    /// A velocity jump.
    Impact,
    /// The contact begins to carry a load over time.
    Closing,
    /// The contact stops carrying load.
    Release,
    /// A contact that slid is held by its friction from now on.
    Stick,
    /// A contact that stuck begins to slide.
    Slip,
}

impl ContactEventKind {
    /// Name as written to `events.csv`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::Closing => "closing",
            Self::Release => "release",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }
}

/// One event at a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEvent<'a> {
    /// Time (s); of impacts resolved inside a step and of releases, the instant itself to the order of the scheme.
    pub time: f64,
    /// What happened.
    pub kind: ContactEventKind,
    /// Name of the subsystem.
    pub subsystem: &'a str,
    /// Name of the contact.
    pub contact: &'a str,
    /// Gap rate before (m/s), opening positive.
    pub velocity_before: f64,
    /// Gap rate after (m/s).
    pub velocity_after: f64,
    /// Impulse (N s); for closings that of the step.
    pub impulse: f64,
    /// Impulses along the tangents (N s), in the same way; zero along tangents that the contact does not have.
    pub tangential_impulse: [f64; 2],
    /// What friction does at the contact.
    pub friction: FrictionState,
    /// Energy that the impulses of an impact, or of a touch that closes the contact, put in (J): negative, unless the impact law
    /// creates energy; else zero.
    pub work: f64,
}

/// Watches a run. Every method has a default that does nothing.
pub trait Observer {
    /// Called once, before the first record, with the labels of all quantities and the time span (s).
    fn start(&mut self, _labels: &[QuantityLabel], _span: (f64, f64)) {}

    /// Whether [`step`](Self::step) wants the communication point after macro step `step`; the values are gathered
    /// only then. The first and the last are always shown.
    fn wants(&self, _step: u64) -> bool {
        true
    }

    /// Called at the initial state and after every macro step that is wanted; may ask the run to stop.
    fn step(&mut self, _record: &StepRecord<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called once, after [`start`](Self::start), with what the model looks like; not of a model without bodies.
    fn scene(&mut self, _scene: &Scene) {}

    /// Whether [`frame`](Self::frame) wants the communication point after macro step `step`, at this time (s), which may be the last one of
    /// the run; asked for every one, the initial state included.
    fn wants_frame(&self, _step: u64, _time: f64, _is_last: bool) -> bool {
        false
    }

    /// Called with what is to be seen at a communication point that is wanted.
    fn frame(&mut self, _record: &FrameRecord<'_>) {}

    /// Called for every event at a contact, in order of time within a step.
    fn event(&mut self, _event: &ContactEvent<'_>) {}

    /// Whether [`state`](Self::state) wants the state after macro step `step`; asked after every step but the last.
    /// `is_stopping` says that the run stops here, so that this is the last chance.
    fn wants_state(&mut self, _step: u64, _is_stopping: bool) -> bool {
        false
    }

    /// Called with a state that is wanted, to be saved, or with the reason why the model cannot be saved. Of what was
    /// shown before, nothing is shown again when the run goes on from here.
    fn state(&mut self, _state: Result<&RunState, &SubsystemError>) {}

    /// Called once, at the end, also of a run that failed or was stopped.
    fn finish(&mut self, _report: &RunReport) {}
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn wants(&self, _step: u64) -> bool {
        false
    }
}

/// Two observers, both called with everything.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn start(&mut self, labels: &[QuantityLabel], span: (f64, f64)) {
        self.0.start(labels, span);
        self.1.start(labels, span);
    }

    fn wants(&self, step: u64) -> bool {
        self.0.wants(step) || self.1.wants(step)
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        let first = self.0.step(record);
        let second = self.1.step(record);
        if first.is_break() { first } else { second }
    }

    fn scene(&mut self, scene: &Scene) {
        self.0.scene(scene);
        self.1.scene(scene);
    }

    fn wants_frame(&self, step: u64, time: f64, is_last: bool) -> bool {
        self.0.wants_frame(step, time, is_last) || self.1.wants_frame(step, time, is_last)
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        self.0.frame(record);
        self.1.frame(record);
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        self.0.event(event);
        self.1.event(event);
    }

    fn wants_state(&mut self, step: u64, is_stopping: bool) -> bool {
        let first = self.0.wants_state(step, is_stopping);
        self.1.wants_state(step, is_stopping) || first
    }

    fn state(&mut self, state: Result<&RunState, &SubsystemError>) {
        self.0.state(state);
        self.1.state(state);
    }

    fn finish(&mut self, report: &RunReport) {
        self.0.finish(report);
        self.1.finish(report);
    }
}

impl<T: Observer + ?Sized> Observer for &mut T {
    fn start(&mut self, labels: &[QuantityLabel], span: (f64, f64)) {
        (**self).start(labels, span);
    }

    fn wants(&self, step: u64) -> bool {
        (**self).wants(step)
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        (**self).step(record)
    }

    fn scene(&mut self, scene: &Scene) {
        (**self).scene(scene);
    }

    fn wants_frame(&self, step: u64, time: f64, is_last: bool) -> bool {
        (**self).wants_frame(step, time, is_last)
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        (**self).frame(record);
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        (**self).event(event);
    }

    fn wants_state(&mut self, step: u64, is_stopping: bool) -> bool {
        (**self).wants_state(step, is_stopping)
    }

    fn state(&mut self, state: Result<&RunState, &SubsystemError>) {
        (**self).state(state);
    }

    fn finish(&mut self, report: &RunReport) {
        (**self).finish(report);
    }
}
