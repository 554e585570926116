//! What a force between two bodies is to the equations of motion.

use super::super::pose::{Gradient, Hessian, Pair};

/// A force as part of the equations of motion.
pub(crate) trait ForceElement: Send + Sync + std::fmt::Debug {
    /// Adds the negative generalised force on both bodies.
    fn add(&self, t: f64, pair: &Pair, out: &mut Gradient);

    /// Adds the negative derivatives by positions and by velocities.
    fn add_tangents(&self, t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian);

    /// Potential energy (J).
    fn potential(&self, _pair: &Pair) -> f64 {
        0.0
    }

    /// Power taken out by damping, and power of what has no potential (W).
    fn powers(&self, _t: f64, _pair: &Pair) -> [f64; 2] {
        [0.0; 2]
    }

    /// What the force does not follow on a step from the state accepted last; the velocities of `step` are its increments.
    fn overturn(&self, _step: &Pair) -> Option<Overturned> {
        None
    }

    /// Whether the force jumps in about a step of size `h` (s) from this state.
    fn jumps(&self, _pair: &Pair, _h: f64) -> bool {
        false
    }

    /// Takes note of the start.
    fn start(&mut self, _pair: &Pair) {}

    /// Takes note of a step's end.
    fn accept(&mut self, _pair: &Pair) {}

    /// Appends what the force remembers: always as many numbers.
    fn save(&self, _out: &mut Vec<f64>) {}

    /// Takes as many numbers back; `None` where there are too few.
    fn restore(&mut self, _saved: &mut Memory<'_>) -> Option<()> {
        Some(())
    }
}

/// A turn that a force does not follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Overturned {
    /// An angle changes by so much (rad) in a step that its turns cannot be counted.
    Uncounted(f64),
    /// The rotation vector of a bushing is longer (rad) than that of a whole turn.
    Whole(f64),
}

/// What forces remember, to be read one number after the other.
pub(crate) type Memory<'a> = std::slice::Iter<'a, f64>;
