//! The observer that finds the numbers.

use std::ops::ControlFlow;

use cosimo_master::{ContactEvent, Observer, QuantityLabel, StepRecord};
use cosimo_results::Selection;

use super::output::{Occurrence, Output, Statistic};

/// What a quantity has been so far.
#[derive(Debug, Clone, Copy)]
struct Course {
    last: f64,
    least: f64,
    most: f64,
    /// Integral over time.
    integral: f64,
    /// Integral of the squares.
    squares: f64,
}

impl Course {
    const EMPTY: Self = Self { last: f64::NAN, least: f64::NAN, most: f64::NAN, integral: 0.0, squares: 0.0 };

    /// Goes on over so much time (s) to a value, along a straight line.
    fn go_on(&mut self, span: f64, value: f64) {
        if span > 0.0 {
            let (a, b) = (self.last, value);
            self.integral += 0.5 * span * (a + b);
            self.squares += span / 3.0 * (a * a + a * b + b * b);
        }
        (self.last, self.least, self.most) = (value, self.least.min(value), self.most.max(value));
    }

    fn value(&self, statistic: Statistic, span: f64) -> f64 {
        match statistic {
            Statistic::Last => self.last,
            Statistic::Min => self.least,
            Statistic::Max => self.most,
            Statistic::Mean if span > 0.0 => self.integral / span,
            Statistic::Rms if span > 0.0 => (self.squares / span).sqrt(),
            Statistic::Mean => self.last,
            Statistic::Rms => self.last.abs(),
        }
    }
}

/// When events were.
#[derive(Debug, Clone, Copy)]
struct Times {
    first: f64,
    last: f64,
    count: u64,
}

/// Finds the outputs of one run.
#[derive(Debug)]
pub(crate) struct Measure<'a> {
    outputs: &'a [Output],
    /// Place of the quantity of each output among those of the run.
    places: Vec<Option<usize>>,
    courses: Vec<Course>,
    times: Vec<Times>,
    /// Whether every communication point counts.
    is_over_time: bool,
    has_events: bool,
    /// Name of the contact of an event, `subsystem.contact`: its memory is used again.
    contact: String,
    start: f64,
    now: f64,
}

impl<'a> Measure<'a> {
    pub(crate) fn of(outputs: &'a [Output]) -> Self {
        let is_over_time =
            |own: &Output| matches!(own, Output::Quantity { statistic, .. } if *statistic != Statistic::Last);
        Self {
            outputs,
            places: vec![None; outputs.len()],
            courses: vec![Course::EMPTY; outputs.len()],
            times: vec![Times { first: f64::NAN, last: f64::NAN, count: 0 }; outputs.len()],
            is_over_time: outputs.iter().any(is_over_time),
            has_events: outputs.iter().any(|own| matches!(own, Output::Event { .. })),
            contact: String::new(),
            start: f64::NAN,
            now: f64::NAN,
        }
    }

    /// The first quantity wanted that the run does not have.
    pub(crate) fn missing(&self, labels: &[QuantityLabel]) -> Option<&str> {
        self.outputs.iter().find_map(|output| match output {
            Output::Quantity { name, .. } if place(labels, name).is_none() => Some(name.as_str()),
            _ => None,
        })
    }

    /// The numbers, one per output.
    pub(crate) fn values(&self) -> Vec<f64> {
        let span = self.now - self.start;
        let value = |place: usize| match &self.outputs[place] {
            Output::Quantity { statistic, .. } => self.courses[place].value(*statistic, span),
            Output::Event { occurrence: Occurrence::First, .. } => self.times[place].first,
            Output::Event { occurrence: Occurrence::Last, .. } => self.times[place].last,
            Output::Event { occurrence: Occurrence::Count, .. } => self.times[place].count as f64,
        };
        (0..self.outputs.len()).map(value).collect()
    }
}

fn place(labels: &[QuantityLabel], name: &str) -> Option<usize> {
    let is_it = |label: &QuantityLabel| {
        let rest = name.strip_prefix(&label.owner).and_then(|rest| rest.strip_prefix('.'));
        rest == Some(label.name.as_str())
    };
    labels.iter().position(is_it)
}

/// Whether events of a contact, `subsystem.contact`, are of a pattern; those of a pool name their bodies behind its name.
fn is_of(pattern: &str, contact: &str) -> bool {
    let pool = contact.split(' ').next().unwrap_or_default();
    Selection::matches(pattern, contact) || Selection::matches(pattern, pool)
}

impl Observer for Measure<'_> {
    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        for (own, output) in self.places.iter_mut().zip(self.outputs) {
            if let Output::Quantity { name, .. } = output {
                *own = place(labels, name);
            }
        }
    }

    fn wants(&self, _step: u64) -> bool {
        self.is_over_time
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if self.start.is_nan() {
            (self.start, self.now) = (record.time, record.time);
        }
        let span = record.time - self.now;
        self.now = record.time;
        for (course, place) in self.courses.iter_mut().zip(&self.places) {
            if let Some(place) = place {
                course.go_on(span, record.values[*place]);
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        if !self.has_events {
            return;
        }
        self.contact.clear();
        for part in [event.subsystem, ".", event.contact] {
            self.contact.push_str(part);
        }
        for (times, output) in self.times.iter_mut().zip(self.outputs) {
            let Output::Event { contact: pattern, kind, .. } = output else { continue };
            if event.kind.name() == kind && is_of(pattern, &self.contact) {
                times.first = times.first.min(event.time);
                times.last = times.last.max(event.time);
                times.count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(statistic: Statistic) -> Output {
        Output::Quantity { name: "a.b.c".to_owned(), unit: String::new(), statistic }
    }

    /// A ramp from 1 to 3, over uneven steps, that then stays.
    #[test]
    fn means_are_over_time() {
        let outputs = Statistic::ALL.map(|(own, _)| quantity(own));
        let mut measure = Measure::of(&outputs);
        let label = QuantityLabel { owner: "a.b".into(), name: "c".into(), unit: String::new() };
        assert_eq!(measure.missing(std::slice::from_ref(&label)), None);
        assert_eq!(measure.missing(&[]), Some("a.b.c"));
        measure.start(&[label], (1.0, 4.0));
        for (time, value) in [(1.0, 1.0), (1.5, 1.5), (3.0, 3.0), (4.0, 3.0), (4.0, 3.0)] {
            let record = StepRecord { step: 0, time, values: &[value], is_last: false };
            assert!(measure.step(&record).is_continue());
        }
        let expected = [3.0, 1.0, 3.0, 7.0 / 3.0, ((27.0 - 1.0) / 3.0 / 3.0 + 3.0_f64).sqrt()];
        for (found, expected) in measure.values().into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn events_of_patterns_and_pools_are_found() {
        assert!(is_of("ball.floor", "ball.floor") && !is_of("ball.floor", "ball.floor2"));
        assert!(is_of("box.pile", "box.pile b1 on b2") && is_of("box.*", "box.pile b1 on b2"));
        assert!(is_of("*", "ball.floor") && !is_of("b.*", "ball.floor"));
    }
}
