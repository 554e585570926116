//! Reference motions: ordinary differential equations with events, by Dormand and Prince's pair of orders 5 and 4.
//!
//! Nothing of Cosimo is used. A step in which an event's value becomes negative is repeated, shorter, by bisection, up to the
//! last instant at which it is not; there the state jumps and the motion begins anew.

use std::fmt;

/// A differential equation with events. `mode` says which contacts are closed, which way friction acts and the like.
pub trait Flow: fmt::Debug {
    /// Derivative of the state.
    fn derivative(&self, mode: u32, state: &[f64], derivative: &mut [f64]);

    /// Values that become negative where something happens.
    fn events(&self, mode: u32, state: &[f64]) -> Vec<f64>;

    /// What happens: the state after it, and the mode.
    fn jump(&self, mode: u32, event: usize, state: &mut [f64]) -> u32;
}

/// A piece of a motion, from here to the next.
#[derive(Debug, Clone)]
struct Piece {
    time: f64,
    mode: u32,
    state: Vec<f64>,
}

/// A computed motion from time 0.
#[derive(Debug)]
pub struct Motion<F> {
    /// Its equations.
    pub flow: F,
    /// Times of the events (s).
    pub events: Vec<f64>,
    pieces: Vec<Piece>,
}

/// Bisections of a step in which something happens.
const BISECTIONS: usize = 60;

impl<F: Flow> Motion<F> {
    /// Computes a motion up to `end` (s), in at least `least` steps, to the tolerance `1e-12` of the largest entry.
    ///
    /// # Panics
    /// Events accumulate.
    #[must_use]
    pub fn of(flow: F, start: Vec<f64>, mode: u32, end: f64, least: u32) -> Self {
        let longest = end / f64::from(least);
        let mut at = Piece { time: 0.0, mode, state: start };
        let (mut step, mut events) = (longest, Vec::new());
        let mut pieces = vec![at.clone()];
        while at.time < end {
            let taken = step.min(end - at.time);
            let (next, error) = step_of(&flow, at.mode, &at.state, taken);
            if error > 1.0 {
                step = taken * (0.9 * error.powf(-0.2)).max(0.2);
                continue;
            }
            let hit = |state: &[f64]| flow.events(at.mode, state).iter().position(|value| *value < 0.0);
            if hit(&next).is_some() {
                let (mut low, mut high) = (0.0, taken);
                for _ in 0..BISECTIONS {
                    let middle = 0.5 * (low + high);
                    let is_past = hit(&step_of(&flow, at.mode, &at.state, middle).0).is_some();
                    if is_past { high = middle } else { low = middle }
                }
                let event = hit(&step_of(&flow, at.mode, &at.state, high).0).unwrap_or(0);
                let mut state = step_of(&flow, at.mode, &at.state, low).0;
                let mode = flow.jump(at.mode, event, &mut state);
                at = Piece { time: at.time + low, mode, state };
                events.push(at.time);
                assert!(events.len() < 1000, "events accumulate at {} s", at.time);
            } else {
                at = Piece { time: at.time + taken, mode: at.mode, state: next };
                step = (taken * (0.9 * error.powf(-0.2)).min(5.0)).min(longest);
            }
            pieces.push(at.clone());
        }
        Self { flow, events, pieces }
    }

    /// Mode and state at time `t` (s); after the event of that instant.
    #[must_use]
    pub fn at(&self, t: f64) -> (u32, Vec<f64>) {
        let index = self.pieces.partition_point(|piece| piece.time <= t).max(1) - 1;
        let piece = &self.pieces[index];
        (piece.mode, step_of(&self.flow, piece.mode, &piece.state, t - piece.time).0)
    }
}

/// Coefficients of the stages; the last row are the weights of order 5.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Weights of the difference between both orders.
const DIFFERENCE: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// One step, and its error relative to the tolerance.
fn step_of(flow: &impl Flow, mode: u32, state: &[f64], step: f64) -> (Vec<f64>, f64) {
    let size = state.len();
    let mut slopes = vec![vec![0.0; size]; 7];
    flow.derivative(mode, state, &mut slopes[0]);
    let mut next = state.to_vec();
    for (stage, row) in STAGES.iter().enumerate() {
        for i in 0..size {
            let slope: f64 = row.iter().zip(&slopes).map(|(weight, slope)| weight * slope[i]).sum();
            next[i] = state[i] + step * slope;
        }
        flow.derivative(mode, &next, &mut slopes[stage + 1]);
    }
    let scale = 1e-12 * next.iter().fold(1e-3, |largest: f64, x| largest.max(x.abs()));
    let error = |i: usize| {
        let sum: f64 = DIFFERENCE.iter().zip(&slopes).map(|(weight, slope)| weight * slope[i]).sum();
        (step * sum / scale).abs()
    };
    let worst = (0..size).map(error).fold(1e-9, f64::max);
    (next, worst)
}
