//! The settings of the suite.

use super::check::Check;
use crate::{RowMatrix, Subsystem};

/// Inverse mass of a row, relative to the largest, below which it is round-off.
const IMMOVABLE: f64 = 1e-12;

/// The conformance suite for one kind of subsystem: settings, then [`check`](Self::check).
pub struct Conformance<'a> {
    make: Box<dyn Fn() -> Box<dyn Subsystem> + 'a>,
    load: Box<dyn Fn(usize, f64) -> f64 + 'a>,
    signal: Box<dyn Fn(usize, f64) -> f64 + 'a>,
    motion: Box<dyn Fn(usize, f64) -> [f64; 2] + 'a>,
    pub(super) exempt: Vec<(Check, String)>,
    pub(super) start: f64,
    pub(super) size: f64,
    pub(super) steps: usize,
    pub(super) velocity_change: f64,
    pub(super) affine_tolerance: f64,
    pub(super) derivative_tolerance: f64,
    pub(super) ledger_tolerance: f64,
}

impl<'a> Conformance<'a> {
    /// The suite for the subsystems that `make` makes: always the same, in the same initial state.
    pub fn new<S: Subsystem + 'static>(make: impl Fn() -> S + 'a) -> Self {
        Self {
            make: Box::new(move || Box::new(make())),
            load: Box::new(|row, time| (row as f64 + 300.0 * time).cos()),
            signal: Box::new(|input, time| (input as f64 + 200.0 * time).sin()),
            motion: Box::new(|coordinate, time| {
                let phase = coordinate as f64 + 200.0 * time;
                [1e-2 * phase.sin(), 2.0 * phase.cos()]
            }),
            exempt: Vec::new(),
            start: 0.0,
            size: 1e-3,
            steps: 50,
            velocity_change: 0.1,
            affine_tolerance: 1e-10,
            derivative_tolerance: 1e-6,
            ledger_tolerance: 1e-9,
        }
    }

    /// Time of the initial state (s). Default: 0.
    #[must_use]
    pub fn start(mut self, time: f64) -> Self {
        self.start = time;
        self
    }

    /// Size of the steps (s), positive. Default: 1 ms.
    #[must_use]
    pub fn step(mut self, size: f64) -> Self {
        self.size = size;
        self
    }

    /// Number of steps in a run; fewer than 8 are taken as 8. Default: 50.
    #[must_use]
    pub fn steps(mut self, count: usize) -> Self {
        self.steps = count.max(8);
        self
    }

    /// The finite load (N) on a row, by its index, at a time (s). Default: 1 N, oscillating, on every row.
    #[must_use]
    pub fn loads(mut self, load: impl Fn(usize, f64) -> f64 + 'a) -> Self {
        self.load = Box::new(load);
        self
    }

    /// The value of an input, by its index, at a time (s). Default: oscillating between −1 and 1.
    #[must_use]
    pub fn signals(mut self, signal: impl Fn(usize, f64) -> f64 + 'a) -> Self {
        self.signal = Box::new(signal);
        self
    }

    /// Position and velocity of a coordinate of the load ports, by its index, at a time (s); of the last three of a frame the first
    /// alone counts, a turn about the first axis of space. Default: 1 cm to both sides at 200 rad/s.
    #[must_use]
    pub fn motions(mut self, motion: impl Fn(usize, f64) -> [f64; 2] + 'a) -> Self {
        self.motion = Box::new(motion);
        self
    }

    /// By how much trial impulses change a row's velocity (m/s or rad/s); a thousandth of it where derivatives are
    /// taken. Default: 0.1.
    #[must_use]
    pub fn velocity_change(mut self, change: f64) -> Self {
        self.velocity_change = change;
        self
    }

    /// Relative tolerance for affine subsystems: `evaluate(X) = free + W X` and the like. Default: 1e-10.
    #[must_use]
    pub fn affine_tolerance(mut self, tolerance: f64) -> Self {
        self.affine_tolerance = tolerance;
        self
    }

    /// Relative tolerance where a derivative is compared with central differences. Default: 1e-6.
    #[must_use]
    pub fn derivative_tolerance(mut self, tolerance: f64) -> Self {
        self.derivative_tolerance = tolerance;
        self
    }

    /// How much energy the time integration may create and dissipate, summed over the run without regard to sign,
    /// relative to the energy exchanged. Default: 1e-9, for methods that conserve energy; others set their own.
    #[must_use]
    pub fn ledger_tolerance(mut self, tolerance: f64) -> Self {
        self.ledger_tolerance = tolerance;
        self
    }

    /// Leaves a check out, and says why in the report.
    #[must_use]
    pub fn skip(mut self, check: Check, reason: impl Into<String>) -> Self {
        self.exempt.push((check, reason.into()));
        self
    }

    pub(super) fn make(&self) -> Box<dyn Subsystem> {
        (self.make)()
    }

    /// Load (N) on a row at a time (s).
    pub(super) fn load(&self, row: usize, time: f64) -> f64 {
        (self.load)(row, time)
    }

    /// Value of an input at a time (s).
    pub(super) fn signal(&self, input: usize, time: f64) -> f64 {
        (self.signal)(input, time)
    }

    /// Position and velocity of a load coordinate at a time (s).
    pub(super) fn motion(&self, coordinate: usize, time: f64) -> [f64; 2] {
        (self.motion)(coordinate, time)
    }

    /// The places in a run where checks look closely: its first steps, its middle, where the jump is, and its end.
    pub(super) fn places(&self) -> [usize; 7] {
        let middle = self.steps / 2;
        [0, 1, 2, 3, middle, middle + 1, self.steps - 1]
    }

    /// Impulse on row `row` that changes some row's velocity by `share` of the usual change; of a row that nothing but
    /// round-off moves, as one across the plane of a mechanism, that many newton seconds.
    pub(super) fn kick(&self, inverse_mass: &RowMatrix, row: usize, share: f64) -> f64 {
        match inverse_mass.column_amax(row) {
            most if most > IMMOVABLE * inverse_mass.amax() => share * self.velocity_change / most,
            _ => share * self.velocity_change,
        }
    }

    /// Impulses on all rows, no two alike.
    pub(super) fn kicks(&self, inverse_mass: &RowMatrix, share: f64) -> Vec<f64> {
        let rows = inverse_mass.shape().0;
        let weight = |row: usize| {
            let size = 1.0 + row as f64 / rows as f64;
            if row.is_multiple_of(2) { size } else { -size }
        };
        (0..rows).map(|row| weight(row) * self.kick(inverse_mass, row, share)).collect()
    }
}

impl std::fmt::Debug for Conformance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conformance")
            .field("start", &self.start)
            .field("size", &self.size)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
