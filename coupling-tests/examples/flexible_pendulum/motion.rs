//! The motion from event to event: Runge and Kutta's rule of order four, impacts and releases found by bisection.

use nalgebra::DVector;

use crate::beam::Beam;

/// Where bisection ends: a step times `2^-60` is nothing.
const HALVINGS: u32 = 60;

/// An impact without rebound.
#[derive(Debug)]
pub(crate) struct Impact {
    pub(crate) time: f64,
    /// Rate of the gap before (m/s).
    pub(crate) before: f64,
    pub(crate) impulse: f64,
    /// After it, from that at the start (J).
    pub(crate) energy: f64,
}

#[derive(Debug, Clone)]
struct State {
    q: DVector<f64>,
    v: DVector<f64>,
}

/// A beam on its way.
#[derive(Debug)]
pub(crate) struct Motion {
    beam: Beam,
    state: State,
    is_closed: bool,
    pub(crate) impacts: Vec<Impact>,
    pub(crate) releases: Vec<f64>,
}

impl Motion {
    pub(crate) fn new(beam: Beam) -> Self {
        let q = beam.start();
        let v = DVector::zeros(q.len());
        Self { beam, state: State { q, v }, is_closed: false, impacts: Vec::new(), releases: Vec::new() }
    }

    /// Goes on to `end` and shows time, gap and energy every `interval`.
    pub(crate) fn run(&mut self, end: f64, step: f64, interval: f64, mut show: impl FnMut(f64, f64, f64)) {
        let start = self.beam.energy(&self.state.q, &self.state.v);
        let rows = (end / interval).round() as u32;
        let mut time = 0.0;
        for row in 1..=rows {
            let next = f64::from(row) * interval;
            while next - time > 1e-13 {
                time += self.go(step.min(next - time), (time, start));
            }
            show(time, self.gap(&self.state), self.beam.energy(&self.state.q, &self.state.v) - start);
        }
    }

    /// A step, or the part of it up to an event.
    fn go(&mut self, step: f64, (time, start): (f64, f64)) -> f64 {
        let before = self.state.clone();
        let is_over = |state: &State| {
            if self.is_closed { self.force(state) < 0.0 } else { self.gap(state) < 0.0 }
        };
        let whole = self.moved(&before, step);
        if !is_over(&whole) {
            self.state = whole;
            return step;
        }
        let (mut low, mut high) = (0.0, step);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if is_over(&self.moved(&before, middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        self.state = self.moved(&before, high);
        if self.is_closed {
            self.is_closed = false;
            self.releases.push(time + high);
            // What the steps have let the gap drift in contact, of round-off.
            let (gap, row, _) = self.beam.gap(&self.state.q, &self.state.v);
            self.state.q -= row * gap;
        } else {
            self.strike(time + high, start);
        }
        high
    }

    fn strike(&mut self, time: f64, start: f64) {
        let (_, row, _) = self.beam.gap(&self.state.q, &self.state.v);
        let answer = self.beam.inverse_mass() * &row;
        let before = row.dot(&self.state.v);
        let impulse = -before / row.dot(&answer);
        self.state.v += answer * impulse;
        self.is_closed = self.force(&self.state) > 0.0;
        let energy = self.beam.energy(&self.state.q, &self.state.v) - start;
        self.impacts.push(Impact { time, before, impulse, energy });
    }

    fn gap(&self, state: &State) -> f64 {
        self.beam.gap(&state.q, &state.v).0
    }

    /// Acceleration without contact, what a unit force of the wall adds, and the force that keeps the gap closed.
    fn parts(&self, state: &State) -> (DVector<f64>, DVector<f64>, f64) {
        let (_, row, rest) = self.beam.gap(&state.q, &state.v);
        let free = self.beam.inverse_mass() * self.beam.forces(&state.q).1;
        let answer = self.beam.inverse_mass() * &row;
        let force = -(row.dot(&free) + rest) / row.dot(&answer);
        (free, answer, force)
    }

    fn force(&self, state: &State) -> f64 {
        self.parts(state).2
    }

    fn moved(&self, from: &State, step: f64) -> State {
        let rate = |state: &State| {
            let (free, answer, force) = self.parts(state);
            (state.v.clone(), if self.is_closed { free + answer * force } else { free })
        };
        let after = |(q, v): &(DVector<f64>, DVector<f64>), step: f64| State {
            q: &from.q + q * step,
            v: &from.v + v * step,
        };
        let a = rate(from);
        let b = rate(&after(&a, 0.5 * step));
        let c = rate(&after(&b, 0.5 * step));
        let d = rate(&after(&c, step));
        let sum = |a: &DVector<f64>, b: &DVector<f64>, c: &DVector<f64>, d: &DVector<f64>| {
            (a + (b + c) * 2.0 + d) / 6.0
        };
        after(&(sum(&a.0, &b.0, &c.0, &d.0), sum(&a.1, &b.1, &c.1, &d.1)), step)
    }
}
