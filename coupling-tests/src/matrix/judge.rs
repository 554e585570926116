//! Runs a combination at several step sizes and says what came out.
//!
//! Errors are relative to the largest value of their kind, and are compared at communication points near the middles of the
//! arcs between events. Through impacts they depend on where an impact falls in its step: each level of step sizes is a band of
//! some, and its error their mean. A level has three times the steps of the one before.

use std::ops::ControlFlow;

use cosimo::master::{Observer, QuantityLabel, StepRecord};
use cosimo::model::{ModelSpec, read_model};

use super::axes::{Combination, Impacts, Law, Scheme};
use super::model::{Model, Setup};

/// What became of a combination.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Converged at its order.
    Right(Levels),
    /// Refused before the run, with this reason.
    Refused(String),
    /// Ended on the way, with this message.
    Ended {
        /// What it said.
        text: String,
        /// Whether it named the factor by which each iteration multiplies the error.
        names_factor: bool,
    },
    /// Completed, and is not right.
    Wrong {
        /// Which quantity, and how.
        reason: String,
        /// Its errors.
        levels: Levels,
    },
}

impl Verdict {
    /// Whether the demand on the combination is met: right, refused, or an iteration that ends naming its factor.
    #[must_use]
    pub fn is_good(&self, combination: &Combination) -> bool {
        match self {
            Self::Right(_) | Self::Refused(_) => true,
            Self::Ended { names_factor, .. } => *names_factor && combination.scheme != Scheme::Condensed,
            Self::Wrong { .. } => false,
        }
    }
}

/// The errors of the four quantities, one row a level.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Levels {
    /// Mean step sizes (s).
    pub steps: Vec<f64>,
    /// Errors of [`QUANTITIES`] (–).
    pub errors: Vec<[f64; 4]>,
}

/// What is compared: the last is the largest energy above that at the start, as a share of what is at stake.
pub const QUANTITIES: [&str; 4] = ["positions", "velocities", "load", "excess of energy"];

impl Levels {
    /// Order of a quantity between the last two levels or over all of them, the greater: both scatter where impacts fall
    /// anywhere in their steps.
    #[must_use]
    pub fn order(&self, quantity: usize) -> f64 {
        let last = self.steps.len() - 1;
        let from = |first: usize| {
            let ratio = (self.errors[first][quantity] / self.errors[last][quantity]).ln();
            ratio / (self.steps[first] / self.steps[last]).ln()
        };
        from(last - 1).max(from(0))
    }
}

/// Levels before a combination is wrong; it is right at once where two suffice.
///
/// A rule of first order damps the vibration of a compliant joint, of frequency `ω`, at the rate `h ω² / 2`: it takes a step much
/// smaller than one that resolves the vibration before that matters little over the run, and its order shows.
fn most_levels(combination: &Combination) -> u32 {
    let is_first = combination.rules.iter().any(|rule| rule.order() < 2.0);
    if is_first && combination.law == Law::Compliant { 6 } else { 4 }
}
/// What an observed order may lack.
const SLACK: f64 = 0.3;

/// Tries a combination.
#[must_use]
pub fn judge(model: &dyn Model, combination: &Combination) -> Verdict {
    let setup = model.setup(combination);
    let (mut spec, _) = match read_model("model.toml", &setup.text, &[]) {
        Ok(read) => read,
        Err(mistakes) => return Verdict::Refused(mistakes.to_string()),
    };
    if let Err(error) = spec.build() {
        return Verdict::Refused(error.to_string());
    }
    let scales = Scales::of(&setup);
    let mut levels = Levels::default();
    let mut reason = String::new();
    for level in 0..most_levels(combination) {
        let (mut step, mut mean) = (0.0, [0.0; 4]);
        let band = band(combination.impacts_taken());
        for factor in band {
            let steps = (f64::from(setup.steps * 3_u32.pow(level)) * factor).round();
            spec.time.step = setup.end / steps;
            let found = match Tape::of(&spec) {
                Ok(tape) => errors(&setup, &scales, &tape, load_steps(combination)),
                Err(verdict) => return verdict,
            };
            step += spec.time.step / band.len() as f64;
            for (sum, error) in mean.iter_mut().zip(found) {
                *sum += error / band.len() as f64;
            }
        }
        levels.steps.push(step);
        levels.errors.push(mean);
        if level > 0 {
            match complaint(&levels, combination, setup.largest_order) {
                None => return Verdict::Right(levels),
                Some(text) => reason = text,
            }
        }
    }
    Verdict::Wrong { reason, levels }
}

/// Multiples of the steps of a level.
fn band(impacts: Impacts) -> &'static [f64] {
    match impacts {
        Impacts::None => &[1.0],
        Impacts::SubStep => &[1.0, 1.17, 1.37, 1.61],
        Impacts::Plain => &[1.0, 1.13, 1.27, 1.43, 1.61, 1.81],
    }
}

/// What is wrong with the last two levels.
fn complaint(levels: &Levels, combination: &Combination, largest: f64) -> Option<String> {
    let last = levels.errors[levels.errors.len() - 1];
    // Of positions and velocities; of a load, which is a second difference of positions, and of energy.
    let floors = if combination.scheme == Scheme::Condensed {
        [1e-8, 1e-8, 1e-6, 1e-7]
    } else {
        [1e-7, 1e-7, 1e-4, 1e-6]
    };
    for (quantity, (error, floor)) in last.into_iter().zip(floors).enumerate() {
        // Damping hides what a coarse step creates: an excess that a wrong velocity of that size explains has no order.
        let is_explained = quantity == 3 && error <= 2.0 * last[0].max(last[1]);
        if error <= floor || is_explained {
            continue;
        }
        let (name, order) = (QUANTITIES[quantity], levels.order(quantity));
        if !error.is_finite() || error > 0.25 {
            return Some(format!("{name}: error {error:.1e}, order {order:.2}"));
        }
        if !(order >= combination.order().min(largest) - SLACK) {
            return Some(format!("{name}: order {order:.2} at an error of {error:.1e}"));
        }
    }
    None
}

/// The sizes of things in the right motion, and where it is compared.
struct Scales {
    position: f64,
    velocity: f64,
    load: f64,
    stake: f64,
    /// Times near which errors are taken (s).
    times: Vec<f64>,
}

impl Scales {
    fn of(setup: &Setup) -> Self {
        let (truth, end) = (&setup.truth, setup.end);
        let mut bounds = vec![0.0];
        bounds.extend(truth.events().iter().copied().filter(|t| *t < end));
        bounds.push(end);
        // Arcs that are too short for any step are left out.
        let arcs = bounds.windows(2).filter(|arc| arc[1] - arc[0] > 0.03 * end);
        let mut times: Vec<f64> = arcs.map(|arc| 0.5 * (arc[0] + arc[1])).collect();
        if truth.events().is_empty() {
            times.extend([0.8 * end, end]);
        }
        let start = truth.values(0.0);
        let (at_rest, kinetic) = ((setup.energy)(&start)[1], (setup.energy)(&start)[0]);
        let mut scales = Self { position: 0.0, velocity: 0.0, load: 0.0, stake: kinetic, times };
        for k in 0..=100 {
            let t = end * f64::from(k) / 100.0;
            let values = truth.values(t);
            for (i, (value, first)) in values.iter().zip(&start).enumerate() {
                if i < setup.positions {
                    scales.position = scales.position.max((value - first).abs());
                } else {
                    scales.velocity = scales.velocity.max(value.abs());
                }
            }
            scales.load = scales.load.max(truth.load(t).unwrap_or(0.0).abs());
            let [kinetic, total] = (setup.energy)(&values);
            scales.stake = scales.stake.max(kinetic).max(at_rest - total);
        }
        scales
    }
}

/// Steps over which loads are compared: mean rates of micro steps leave an alternating part in the load of a step.
fn load_steps(combination: &Combination) -> usize {
    if combination.micro_steps > 1 { 2 } else { 1 }
}

/// Errors of a run in the order of [`QUANTITIES`].
fn errors(setup: &Setup, scales: &Scales, tape: &Tape, load_steps: usize) -> [f64; 4] {
    let columns: Vec<usize> = setup.labels.iter().map(|label| tape.index(label)).collect();
    let values = |k: usize| columns.iter().map(|i| tape.rows[k][*i]).collect::<Vec<f64>>();
    let mut worst = [0.0_f64; 4];
    for time in &scales.times {
        let k = tape.times.partition_point(|t| *t < time - 1e-9).min(tape.times.len() - 1);
        let (found, right) = (values(k), setup.truth.values(tape.times[k]));
        for (i, (found, right)) in found.iter().zip(&right).enumerate() {
            let (quantity, scale) =
                if i < setup.positions { (0, scales.position) } else { (1, scales.velocity) };
            worst[quantity] = largest(worst[quantity], (found - right).abs() / scale);
        }
        let first = k.saturating_sub(load_steps);
        let (from, to) = (tape.times[first], tape.times[k]);
        if let Some(impulse) = &setup.impulse
            && let Some(load) = setup.truth.load(0.5 * (from + to))
        {
            let column = tape.index(impulse);
            let mean = tape.rows[first + 1..=k].iter().map(|row| row[column]).sum::<f64>() / (to - from);
            worst[2] = largest(worst[2], (mean - load).abs() / scales.load);
        }
    }
    let start = (setup.energy)(&values(0))[1];
    for k in 1..tape.times.len() {
        worst[3] = largest(worst[3], ((setup.energy)(&values(k))[1] - start) / scales.stake);
    }
    worst
}

/// The greater of two; not-a-number counts as the greatest.
fn largest(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// A run as it was shown.
#[derive(Debug, Default)]
struct Tape {
    labels: Vec<String>,
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

impl Tape {
    fn of(spec: &ModelSpec) -> Result<Self, Verdict> {
        let mut tape = Self::default();
        let mut master = spec.build().map_err(|error| Verdict::Refused(error.to_string()))?;
        match master.run(spec.time.end, spec.time.step, &mut tape) {
            Ok(_) => Ok(tape),
            Err(error) => {
                let text = error.to_string();
                let names_factor = text.contains("multiplies the error by");
                Err(Verdict::Ended { text, names_factor })
            }
        }
    }

    fn index(&self, label: &str) -> usize {
        let index = self.labels.iter().position(|known| known == label);
        index.unwrap_or_else(|| panic!("no quantity `{label}` among {:?}", self.labels))
    }
}

impl Observer for Tape {
    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        self.labels = labels.iter().map(|label| format!("{}.{}", label.owner, label.name)).collect();
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if self.times.len() as u64 <= record.step {
            self.times.push(record.time);
            self.rows.push(record.values.to_vec());
        }
        ControlFlow::Continue(())
    }
}
