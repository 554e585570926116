//! Tables, systems and an independent reference solution for the tests of this crate.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

pub(crate) mod event_driven;
pub(crate) mod random;

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, RowMap, Theta};
use cosimo_nonsmooth::{ContactChange, ContactChangeKind, ImpactResolution, MoreauJean};

/// The rows of a table in `tests/reference`, as numbers; the header and columns of text are left out.
pub(crate) fn table(name: &str) -> Vec<Vec<f64>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| line.split(',').filter_map(|cell| cell.parse().ok()).collect();
    text.lines().skip(1).map(row).collect()
}

/// Slope of `log(error)` over `log(h)` by least squares.
pub(crate) fn observed_order(steps: &[f64], errors: &[f64]) -> f64 {
    let n = steps.len() as f64;
    let (x, y): (Vec<_>, Vec<_>) = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let covariance: f64 = x.iter().zip(&y).map(|(a, b)| (a - mx) * (b - my)).sum();
    covariance / x.iter().map(|a| (a - mx) * (a - mx)).sum::<f64>()
}

/// Order of the largest errors: of every six neighbouring steps the one with the largest `error/h²` counts. For errors
/// `C h²` whose factor `C` changes its sign from step to step.
pub(crate) fn envelope_order(steps: &[f64], errors: &[f64]) -> f64 {
    let worst = |(steps, errors): (&[f64], &[f64])| {
        let of_square = |i: &usize| errors[*i] / (steps[*i] * steps[*i]);
        let largest = (0..steps.len()).max_by(|a, b| of_square(a).total_cmp(&of_square(b))).unwrap();
        (steps[largest], errors[largest])
    };
    let (steps, errors): (Vec<f64>, Vec<f64>) = steps.chunks(6).zip(errors.chunks(6)).map(worst).unzip();
    observed_order(&steps, &errors)
}

/// `count` step sizes between `largest` and `smallest`, evenly spread in the logarithm, each a whole part of `end`.
pub(crate) fn step_sizes(count: usize, (largest, smallest): (f64, f64), end: f64) -> Vec<f64> {
    let size = |i: usize| largest * (smallest / largest).powf(i as f64 / (count - 1) as f64);
    (0..count).map(|i| end / (end / size(i)).round()).collect()
}

/// A stepper of `system` with the contacts `gaps`, from `q`, `v`.
pub(crate) fn stepper(
    system: LinearSystem,
    gaps: impl RowMap + 'static,
    restitutions: &[f64],
    resolution: ImpactResolution,
    (q, v): (&[f64], &[f64]),
) -> MoreauJean {
    let contacts: (Box<dyn RowMap>, _) = (Box::new(gaps), restitutions.to_vec());
    let start = (0.0, q.to_vec(), v.to_vec());
    MoreauJean::new(system, Theta::default(), contacts, resolution, start).unwrap()
}

/// A ball of 1 kg with the gap as its coordinate, dropped from `height` (m).
pub(crate) fn ball(height: f64, gravity: f64, e: f64, resolution: ImpactResolution) -> MoreauJean {
    let ball = LinearSystem::new(nalgebra::dmatrix![1.0]).unwrap().with_force(vec![-gravity]).unwrap();
    stepper(ball, coordinates(&[0]), &[e], resolution, (&[height], &[0.0]))
}

/// Gaps that are coordinates.
pub(crate) fn coordinates(indices: &[usize]) -> LinearRows {
    LinearRows(indices.iter().map(|&i| LinearRow::coordinate(i)).collect())
}

/// Takes `count` steps and returns all changes of kind `kind`.
pub(crate) fn run(
    stepper: &mut MoreauJean,
    h: f64,
    count: usize,
    kind: ContactChangeKind,
) -> Vec<ContactChange> {
    let mut found = Vec::new();
    for _ in 0..count {
        stepper.step(h).unwrap();
        found.extend(stepper.contacts().changes.iter().filter(|change| change.kind == kind));
    }
    found
}

/// Bits of the state and of the contact impulses of the last step.
pub(crate) fn bits(stepper: &MoreauJean) -> Vec<u64> {
    let state = stepper.stepper().state();
    let all = state.q.iter().chain(&state.v).chain(&stepper.contacts().impulses);
    all.map(|x| x.to_bits()).collect()
}

/// Energy of the state (J).
pub(crate) fn energy(stepper: &MoreauJean) -> f64 {
    let state = stepper.stepper().state();
    stepper.stepper().system().energy(&state.q, &state.v).total()
}

/// The energy balance of a step: contacts take out what the solution says, put nothing in, and nothing else happens.
#[track_caller]
pub(crate) fn assert_balance(stepper: &MoreauJean, before: f64, after: f64) {
    assert_created(stepper, (before, after), 0.0);
}

/// The same where the step is known to create this energy (J).
#[track_caller]
pub(crate) fn assert_created(stepper: &MoreauJean, (before, after): (f64, f64), expected: f64) {
    let (work, round_off) = (stepper.contacts().work, 1e-13 * (1.0 + before.abs()));
    let created = after - before - work;
    assert!((created - expected).abs() < round_off, "created {created} J, expected {expected} J");
    assert!(work < round_off, "contacts put {work} J in");
}
