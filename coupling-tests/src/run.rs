//! Runs of model files.

use std::ops::ControlFlow;

use cosimo::master::{
    ContactEvent, ContactEventKind, FrameRecord, FrictionState, Master, Observer, Outcome, QuantityLabel,
    RunPosition, RunReport, RunState, StepRecord,
};
use cosimo::model::{ModelSpec, Override, read_model};
use cosimo::subsystem::scene::{Scene, Sight};
use cosimo::subsystem::{SubsystemError, codec};

use crate::root;

/// One event at a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Time (s).
    pub time: f64,
    /// What happened.
    pub kind: ContactEventKind,
    /// `subsystem.contact`.
    pub contact: String,
    /// Gap rate before and after (m/s).
    pub velocities: [f64; 2],
    /// Impulse (N s).
    pub impulse: f64,
    /// Impulses along the tangents (N s).
    pub friction: [f64; 2],
    /// What friction does.
    pub state: FrictionState,
    /// Energy that the impulse of an impact put in (J).
    pub work: f64,
}

/// A finished run with everything it showed.
#[derive(Debug, Clone)]
pub struct Run {
    /// Communication points (s), the start included.
    pub times: Vec<f64>,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// The numbers of the run.
    pub report: RunReport,
    /// What the model looks like.
    pub scene: Scene,
    /// What was to be seen at every communication point, where there are bodies.
    pub sights: Vec<Sight>,
    labels: Vec<String>,
    values: Vec<Vec<f64>>,
}

impl Run {
    /// Reads `examples/<path>` with overrides `key.path=value`.
    #[must_use]
    pub fn model(path: &str, overrides: &[&str]) -> ModelSpec {
        let file = root().join("examples").join(path);
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let overrides: Vec<_> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
        // What the file refers to lies beside it.
        let (model, _) =
            read_model(&file.display().to_string(), &text, &overrides).unwrap_or_else(|e| panic!("{e}"));
        model
    }

    /// Reads `examples/<path>` with overrides `key.path=value`, and ends it after so many steps at most.
    #[must_use]
    pub fn first_steps(path: &str, overrides: &[&str], steps: u32) -> ModelSpec {
        let mut model = Self::model(path, overrides);
        let time = &mut model.time;
        time.end = time.end.min(time.start + f64::from(steps) * time.step);
        model
    }

    /// Reads a model given as text, with overrides `key.path=value`.
    #[must_use]
    pub fn text(text: &str, overrides: &[&str]) -> ModelSpec {
        let overrides: Vec<_> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
        let (model, _) = read_model("model.toml", text, &overrides).unwrap_or_else(|e| panic!("{e}"));
        model
    }

    /// Runs a model; fails the test where the run fails.
    #[must_use]
    pub fn completed(model: &ModelSpec) -> Self {
        let run = Self::of(model);
        assert_eq!(run.report.outcome, Outcome::Completed);
        run
    }

    /// Runs `examples/<path>` with overrides; fails the test where the run fails.
    #[must_use]
    pub fn example(path: &str, overrides: &[&str]) -> Self {
        let run = Self::of(&Self::model(path, overrides));
        assert_eq!(run.report.outcome, Outcome::Completed, "{path} {overrides:?}");
        run
    }

    /// Runs a model as far as it comes; the report says how it ended.
    #[must_use]
    pub fn of(model: &ModelSpec) -> Self {
        Self::by(model.build().unwrap_or_else(|e| panic!("{e}")), model)
    }

    /// Runs a model by this master of its subsystems as far as it comes.
    #[must_use]
    pub fn by(mut master: Master, model: &ModelSpec) -> Self {
        let mut tape = Tape::default();
        let report = match master.run(model.time.end, model.time.step, &mut tape) {
            Ok(report) => report,
            Err(error) => *error.report,
        };
        Self {
            times: tape.times,
            events: tape.events,
            report,
            scene: tape.scene,
            sights: tape.sights,
            labels: tape.labels,
            values: tape.values,
        }
    }

    /// Runs a model that is stopped after each of these macro steps, ascending, and taken up from the bytes of its
    /// saved state by a model built anew.
    #[must_use]
    pub fn interrupted(model: &ModelSpec, cuts: &[u64]) -> Self {
        let mut tape = Tape::default();
        let mut saved: Option<Vec<u8>> = None;
        for cut in cuts.iter().copied().map(Some).chain([None]) {
            let mut master = model.build().unwrap_or_else(|e| panic!("{e}"));
            let position = match &saved {
                None => RunPosition::start(master.time(), model.time.end, model.time.step),
                Some(bytes) => {
                    let state: RunState = codec::decode(bytes).unwrap();
                    master.restore(&state.master).unwrap_or_else(|e| panic!("{e}"));
                    state.position
                }
            };
            let mut leg = Leg { tape: &mut tape, cut, saved: None };
            let report = match master.run_from(position, &mut leg) {
                Ok(report) => report,
                Err(error) => *error.report,
            };
            saved = leg.saved;
            if saved.is_none() {
                let Tape { times, labels, values, events, scene, sights } = tape;
                return Self { times, events, report, scene, sights, labels, values };
            }
        }
        unreachable!("the last leg saves nothing")
    }

    /// The report without its times, which differ from run to run.
    #[must_use]
    pub fn timeless_report(&self) -> RunReport {
        let mut report = self.report.clone();
        (report.wall_seconds, report.master, report.recording) = Default::default();
        report.subsystems.iter_mut().for_each(|subsystem| subsystem.seconds = Default::default());
        report
    }

    /// All values of `owner.quantity`, one a communication point.
    #[must_use]
    pub fn column(&self, name: &str) -> Vec<f64> {
        let index = self.labels.iter().position(|label| label == name);
        let index = index.unwrap_or_else(|| panic!("no quantity `{name}` among {:?}", self.labels));
        self.values.iter().map(|row| row[index]).collect()
    }

    /// Value of a quantity at communication point `k`.
    #[must_use]
    pub fn value(&self, name: &str, k: usize) -> f64 {
        let label = self.labels.iter().position(|label| label == name);
        self.values[k][label.unwrap_or_else(|| panic!("no quantity `{name}`"))]
    }

    /// The values at the last communication point, in the order of the labels.
    #[must_use]
    pub fn last(&self) -> &[f64] {
        &self.values[self.values.len() - 1]
    }

    /// Names of all quantities.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Value of a quantity at the communication point at time `t` (s); there must be one within 1e-9 s.
    #[must_use]
    pub fn at(&self, name: &str, t: f64) -> f64 {
        let index = self.times.partition_point(|time| *time < t - 1e-9);
        assert!(
            (self.times[index] - t).abs() < 1e-9,
            "no communication point at {t} s, next is {}",
            self.times[index]
        );
        let label = self.labels.iter().position(|label| label == name);
        self.values[index][label.unwrap_or_else(|| panic!("no quantity `{name}`"))]
    }

    /// Times of the impacts (s).
    #[must_use]
    pub fn impacts(&self) -> Vec<f64> {
        self.events.iter().filter(|e| e.kind == ContactEventKind::Impact).map(|e| e.time).collect()
    }

    /// Events of this kind at `subsystem.contact`.
    #[must_use]
    pub fn events_at(&self, contact: &str, kind: ContactEventKind) -> Vec<&Event> {
        self.events.iter().filter(|e| e.kind == kind && e.contact == contact).collect()
    }

    /// Whether both runs have the same bits in every value and event.
    #[must_use]
    pub fn has_bits_of(&self, other: &Self) -> bool {
        let bits = |rows: &[Vec<f64>]| rows.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
        self.labels == other.labels
            && bits(&self.values) == bits(&other.values)
            && self.events == other.events
            && self.sights == other.sights
    }
}

/// One part of an interrupted run.
struct Leg<'a> {
    tape: &'a mut Tape,
    /// Where it stops.
    cut: Option<u64>,
    saved: Option<Vec<u8>>,
}

impl Observer for Leg<'_> {
    fn start(&mut self, labels: &[QuantityLabel], span: (f64, f64)) {
        self.tape.start(labels, span);
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        let _ = self.tape.step(record);
        if self.cut == Some(record.step) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        self.tape.event(event);
    }

    fn scene(&mut self, scene: &Scene) {
        self.tape.scene(scene);
    }

    fn wants_frame(&self, step: u64, time: f64, is_last: bool) -> bool {
        self.tape.wants_frame(step, time, is_last)
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        self.tape.frame(record);
    }

    fn wants_state(&mut self, _step: u64, is_stopping: bool) -> bool {
        is_stopping
    }

    fn state(&mut self, state: Result<&RunState, &SubsystemError>) {
        self.saved = Some(codec::encode(state.unwrap_or_else(|e| panic!("{e}"))).unwrap());
    }
}

#[derive(Debug, Default)]
struct Tape {
    times: Vec<f64>,
    labels: Vec<String>,
    values: Vec<Vec<f64>>,
    events: Vec<Event>,
    scene: Scene,
    sights: Vec<Sight>,
}

impl Observer for Tape {
    fn scene(&mut self, scene: &Scene) {
        self.scene = scene.clone();
    }

    fn wants_frame(&self, step: u64, _time: f64, _is_last: bool) -> bool {
        self.sights.len() as u64 <= step
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        self.sights.push(record.sight.clone());
    }

    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        self.labels = labels.iter().map(|label| format!("{}.{}", label.owner, label.name)).collect();
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        // A run that fails shows the point it has come to once more, as the last one.
        if self.times.len() as u64 <= record.step {
            self.times.push(record.time);
            self.values.push(record.values.to_vec());
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        self.events.push(Event {
            time: event.time,
            kind: event.kind,
            contact: format!("{}.{}", event.subsystem, event.contact),
            velocities: [event.velocity_before, event.velocity_after],
            impulse: event.impulse,
            friction: event.tangential_impulse,
            state: event.friction,
            work: event.work,
        });
    }
}
