//! The energy of a run by what it shows, and what of it came from nowhere.
//!
//! No load over time and no obstacle moves: energy never grows. What it has grown by since it was least was created, and at stake is what
//! [results.md](../../../../docs/reference/results.md) says, `max (E − created) − min V`.

use cosimo::model::{InterfaceSpec, LawSpec, ModelSpec};

use crate::Run;
use crate::energy::energy;

/// What a run created.
#[derive(Debug, Clone, Copy, Default)]
pub struct Account {
    /// The most that energy has grown by, relative to what was at stake then (–).
    pub share: f64,
    /// That growth, and what was at stake (J).
    pub created: f64,
    /// What was at stake then (J).
    pub at_stake: f64,
    /// When (s).
    pub time: f64,
}

/// Growth of energy that is round-off, relative to the energies that there are.
const ROUND_OFF: f64 = 1e-8;

impl Account {
    /// Of a run.
    #[must_use]
    pub fn of(model: &ModelSpec, run: &Run) -> Self {
        let mut found = Self::default();
        let (mut least, mut highest, mut lowest) = (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY);
        for (k, time) in run.times.iter().enumerate() {
            let (kinetic, potential) = parts(model, run, k);
            let total = kinetic + potential;
            least = least.min(total);
            lowest = lowest.min(potential);
            let created = if total.is_finite() { total - least } else { f64::INFINITY };
            highest = highest.max(total - created);
            let at_stake = highest - lowest;
            let share = created / at_stake;
            let is_real = created > ROUND_OFF * (kinetic + potential.abs());
            if is_real && !(share <= found.share) {
                found = Self { share, created, at_stake, time: *time };
            }
        }
        found
    }
}

/// Energy (J) at every communication point.
#[must_use]
pub fn energies(model: &ModelSpec, run: &Run) -> Vec<f64> {
    (0..run.times.len())
        .map(|k| parts(model, run, k))
        .map(|(kinetic, potential)| kinetic + potential)
        .collect()
}

/// Kinetic and potential energy (J) at a communication point.
fn parts(model: &ModelSpec, run: &Run, k: usize) -> (f64, f64) {
    let (kinetic, potential) = energy(model, run, k);
    (kinetic, potential - tikhonov(model, run, k))
}

/// What [`energy`] takes the springs of Tikhonov joints to store (J). Those of these models are so stiff that they store nothing: their
/// gaps are errors of position, which moves close.
fn tikhonov(model: &ModelSpec, run: &Run, k: usize) -> f64 {
    let of_joint = |joint: &InterfaceSpec| {
        let LawSpec::Tikhonov { constant } = joint.law else { return 0.0 };
        let size = joint.size();
        let label = |i: usize| if size == 1 { "gap".to_owned() } else { format!("gap_{i}") };
        let gaps = (0..size).map(|i| run.value(&format!("{}.{}", joint.name, label(i)), k));
        gaps.map(|gap| 0.5 * gap * gap / constant).sum()
    };
    model.interfaces.iter().map(of_joint).sum()
}
