//! The observer that keeps quantities over time.

use std::ops::ControlFlow;

use cosimo::impact::compare::FilledGraph;
use cosimo::master::{ContactEvent, ContactEventKind, Observer, QuantityLabel, StepRecord};

/// What happened at a contact.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// `subsystem.contact`.
    pub(crate) contact: String,
    pub(crate) kind: ContactEventKind,
    /// Time (s).
    pub(crate) time: f64,
    /// Gap rates before and after (m/s).
    pub(crate) velocities: [f64; 2],
    /// Impulse (N s).
    pub(crate) impulse: f64,
}

/// Values of quantities at the communication points of a run, and its events.
#[derive(Debug, Default)]
pub(super) struct Tape {
    /// Full names of what is kept.
    wanted: Vec<String>,
    /// Positions of them among the quantities of the run.
    positions: Vec<usize>,
    /// Points (t, x) of each.
    points: Vec<Vec<(f64, f64)>>,
    events: Vec<Event>,
}

impl Tape {
    /// Keeps the quantities of these full names.
    pub(super) fn of(wanted: &[String]) -> Self {
        Self { wanted: wanted.to_vec(), points: vec![Vec::new(); wanted.len()], ..Self::default() }
    }

    /// The first quantity wanted that the run does not have.
    pub(super) fn missing(&self, labels: &[QuantityLabel]) -> Option<&str> {
        self.wanted.iter().find(|name| position(labels, name).is_none()).map(String::as_str)
    }

    /// The graphs, one a quantity, and the events.
    pub(super) fn into_parts(self) -> (Vec<FilledGraph>, Vec<Event>) {
        (self.points.into_iter().map(FilledGraph::new).collect(), self.events)
    }
}

fn position(labels: &[QuantityLabel], name: &str) -> Option<usize> {
    labels.iter().position(|label| name.strip_prefix(&label.owner) == Some(&format!(".{}", label.name)))
}

impl Observer for Tape {
    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        self.positions = self.wanted.iter().filter_map(|name| position(labels, name)).collect();
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        for (points, position) in self.points.iter_mut().zip(&self.positions) {
            points.push((record.time, record.values[*position]));
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        self.events.push(Event {
            contact: format!("{}.{}", event.subsystem, event.contact),
            kind: event.kind,
            time: event.time,
            velocities: [event.velocity_before, event.velocity_after],
            impulse: event.impulse,
        });
    }
}
