//! The courses of inputs over the next macro step.

use cosimo_subsystem::{Hold, Signal};

/// An input at a communication point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    /// The communication point (s).
    pub(super) time: f64,
    /// Size of the macro step that begins there (s).
    pub(super) size: f64,
    /// Value there.
    pub(super) value: f64,
    /// Its slope since the communication point before, per second; `None` where there is none, or it jumped.
    pub(super) slope: Option<f64>,
}

/// The course that goes on from `before`, the one of the step before.
pub(super) fn course(hold: Hold, before: &Signal, point: Point) -> Signal {
    let Point { time, size, value, slope } = point;
    let slope = slope.unwrap_or(0.0);
    match hold {
        Hold::Held => Signal::held(time, value),
        Hold::Linear => Signal::linear(time, value, slope),
        Hold::Smooth => {
            let reached = [before.value(time), before.rate(time)];
            Signal::smooth(time, size, reached, [value + size * slope, slope])
        }
    }
}
