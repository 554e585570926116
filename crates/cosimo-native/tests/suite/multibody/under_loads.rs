//! Steps that begin under the loads that are expected.
#![expect(clippy::panic, reason = "tests")]

use cosimo_native::{Multibody, MultibodyBuilder};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::{Begun, ExpectedLoads, MacroStep, StepLoads, StepResponse, Subsystem};

use super::models::{elbow, pendulum};

const STEP: MacroStep = MacroStep { time: 0.0, size: 2e-3 };

fn loads(body: &Multibody, scale: f64) -> Vec<f64> {
    (0..body.rows().positions.len()).map(|k| scale * (1.0 + 0.3 * k as f64)).collect()
}

fn begun(body: &mut Multibody, needs_matrices: bool) -> StepResponse {
    let (none, start, end) = (loads(body, 0.0), loads(body, 20.0), loads(body, 30.0));
    let expected = ExpectedLoads { start: &start, end: &end, momenta: &none, needs_matrices };
    match body.begin_predicted(STEP, &none, expected).unwrap() {
        Begun::UnderLoads(response) => response.clone(),
        Begun::Free(_) => panic!("the rows are those without loads"),
    }
}

/// Impulses of the loads expected, by the weights of the rule.
fn impulses(body: &Multibody, response: &StepResponse) -> Vec<f64> {
    let (start, end) = (loads(body, 20.0), loads(body, 30.0));
    start.iter().zip(&end).map(|(a, b)| response.weights.end * b + response.weights.start * a).collect()
}

fn difference(a: &StepResponse, b: &StepResponse) -> f64 {
    let pairs = a.velocities.iter().zip(&b.velocities).chain(a.positions.iter().zip(&b.positions));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn models() -> impl Iterator<Item = impl Fn() -> Multibody> {
    let rules = [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 0.8 }];
    let both = rules.map(|rule| [pendulum, elbow].map(|model: fn() -> MultibodyBuilder| (model, rule)));
    both.into_iter().flatten().map(|(model, rule)| move || model().with_method(rule).build().unwrap())
}

#[test]
fn the_rows_are_those_of_an_evaluation_at_these_loads_and_the_ways_from_there_lead_to_the_same() {
    for model in models() {
        let mut usual = model();
        let none = loads(&usual, 0.0);
        let free = usual.begin(STEP, &none).unwrap().clone();
        let mut body = model();
        let response = begun(&mut body, true);
        let x = impulses(&body, &response);
        assert_eq!(response.weights, free.weights);
        let evaluated = usual.evaluate(&x).unwrap().clone();
        assert!(difference(&response, &evaluated) < 1e-10, "{:e}", difference(&response, &evaluated));
        let moved = difference(&evaluated, &free);
        assert!(moved > 1e-4, "the loads move the rows by {moved:e} alone");
        let rows = 0..none.len();
        for (k, l) in rows.clone().flat_map(|k| rows.clone().map(move |l| (k, l))) {
            let [own, other] = [&response, &evaluated].map(|response| response.inverse_mass.entry(k, l));
            assert!((own - other).abs() < 1e-8 * (1.0 + other.abs()), "{k}, {l}: {own} and {other}");
        }
        // From here back to no loads.
        let without = body.evaluate_rows(&none).unwrap();
        assert!(difference(without, &free) < 1e-10, "{:e}", difference(without, &free));
    }
}

#[test]
fn a_step_begun_under_loads_repeats_its_bits_and_is_taken_as_it_was_evaluated() {
    for model in models() {
        let mut body = model();
        let saved = body.save().unwrap();
        let none = loads(&body, 0.0);
        let mut run = || {
            let response = begun(&mut body, false);
            let x = impulses(&body, &response);
            let more: Vec<f64> = x.iter().map(|x| 1.1 * x).collect();
            let elsewhere = body.evaluate_rows(&more).unwrap().clone();
            let back = body.evaluate_rows(&x).unwrap().clone();
            assert_eq!((&back.positions, &back.velocities), (&response.positions, &response.velocities));
            let loads = StepLoads { impulses: more, ..StepLoads::zeros(none.len()) };
            body.commit(&loads).unwrap();
            assert_eq!(body.rows().velocities, elsewhere.velocities);
            let end = body.rows().clone();
            body.restore(&saved).unwrap();
            end
        };
        let first = run();
        assert_eq!(run(), first);
    }
}

#[test]
fn matrices_that_are_not_needed_stay_those_of_the_last_step_of_the_same_size() {
    let mut body = pendulum().build().unwrap();
    let first = begun(&mut body, false);
    assert!(first.revision > 0);
    assert_eq!(begun(&mut body, false).revision, first.revision);
    assert!(begun(&mut body, true).revision > first.revision);
    let shorter = MacroStep { size: 1e-3, ..STEP };
    let none = loads(&body, 0.0);
    let expected = ExpectedLoads { start: &none, end: &none, momenta: &none, needs_matrices: false };
    let before = begun(&mut body, false).revision;
    let Begun::UnderLoads(response) = body.begin_predicted(shorter, &none, expected).unwrap() else {
        panic!("the rows are those without loads")
    };
    assert!(response.revision > before && response.weights.end < first.weights.end);
}
