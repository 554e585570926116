//! ConstrainedRows pass on the momenta that they are given, whatever the rule.

use cosimo_smooth::dae::Method;
use cosimo_subsystem::{Begun, ExpectedLoads, MacroStep, StepLoads, StepResponse, Subsystem};

use super::models::{Build, MASS, MASSES, RULES, turning_ball};

/// Sizes of the steps, as multiples of the first.
const SIZES: [f64; 7] = [1.0, 1.0, 0.5, 2.0, 1.0, 0.25, 4.0];

fn size(k: usize) -> f64 {
    1e-2 * SIZES[k % SIZES.len()]
}

/// Momentum (N s) of a step: every one another, some with a blow.
fn momentum(k: usize) -> f64 {
    let blow = if k % 5 == 2 { 0.8 } else { 0.0 };
    blow + 0.4 * (1.7 * (k * k) as f64).sin()
}

fn loads(finite: f64, momentum: f64) -> StepLoads {
    StepLoads { impulses: vec![finite + momentum], momenta: vec![momentum], ..StepLoads::zeros(1) }
}

/// Begins a step without finite loads, where the rule begins anew under a load of momenta.
fn begin_with(body: &mut dyn Subsystem, step: MacroStep, load: f64) -> StepResponse {
    let expected = ExpectedLoads { start: &[0.0], end: &[0.0], momenta: &[load], needs_matrices: true };
    match body.begin_predicted(step, &[load], expected).unwrap() {
        Begun::Free(response) | Begun::UnderLoads(response) => response.clone(),
    }
}

fn all() -> impl Iterator<Item = (Method, Build)> {
    RULES.into_iter().flat_map(|method| MASSES.map(|mass| (method, mass)))
}

#[test]
fn a_free_mass_takes_up_the_momentum_of_every_step() {
    for (method, mass) in all() {
        let (mut body, mut time) = (mass(method), 0.0);
        for k in 0..40 {
            let step = MacroStep { time, size: size(k) };
            let before = body.rows().velocities[0];
            let load = if matches!(k, 0 | 30) { 3.0 } else { 0.0 };
            let begun = begin_with(body.as_mut(), step, load);
            let idle = begun.velocities[0] - before;
            assert!(idle.abs() < 1e-12, "{method:?}, step {k}: {idle:e} m/s without a momentum");
            let x = momentum(k);
            let ledger = body.commit(&loads(0.0, x)).unwrap();
            let gained = MASS * (body.rows().velocities[0] - before);
            assert!((gained - x).abs() < 1e-12, "{method:?}, step {k}: {gained} of {x} N s");
            assert!(ledger.numerical.abs() < 1e-12, "{method:?}, step {k}: {ledger:?}");
            time += step.size;
            if k == 20 {
                // Goes on as a new instance.
                let saved = body.save().unwrap();
                body = mass(method);
                body.restore(&saved).unwrap();
            }
            if k == 29 {
                body.prepare_jump(step.size).unwrap();
                body.jump(&[0.7]).unwrap();
            }
        }
    }
}

/// A finite load acts by the rule beside them.
#[test]
fn momenta_add_to_what_finite_loads_do() {
    let load = |time: f64| 5.0 * (40.0 * time).cos();
    for (method, mass) in all() {
        let (mut with, mut without, mut time) = (mass(method), mass(method), 0.0);
        let mut passed = 0.0;
        for k in 0..20 {
            let step = MacroStep { time, size: size(k) };
            let [start, end] = [load(time), load(time + step.size)];
            for (body, x) in [(&mut with, momentum(k)), (&mut without, 0.0)] {
                let weights = body.begin(step, &[start]).unwrap().weights;
                body.commit(&loads(weights.end * end + weights.start * start, x)).unwrap();
            }
            passed += momentum(k);
            let gained = MASS * (with.rows().velocities[0] - without.rows().velocities[0]);
            assert!((gained - passed).abs() < 1e-11, "{method:?}, step {k}: {gained} of {passed} N s");
            time += step.size;
        }
    }
}

#[test]
fn a_step_begun_with_loads_of_momenta_and_discarded_leaves_no_trace() {
    for (method, mass) in all() {
        let mut body = mass(method);
        let step = MacroStep { time: 0.0, size: 1e-2 };
        let saved = body.save().unwrap();
        begin_with(body.as_mut(), step, 3.0);
        body.discard();
        assert_eq!(body.save().unwrap(), saved, "{method:?}");
        let again = body.begin(step, &[0.0]).unwrap().clone();
        let first = mass(method).begin(step, &[0.0]).unwrap().clone();
        assert_eq!(again.velocities, first.velocities, "{method:?}");
    }
}

/// What a rule remembers of a blow on a contact acts along the direction that the row had then: nothing of it is left to a body that has
/// turned on.
#[test]
fn a_blow_along_the_floor_on_a_ball_that_turns_is_over_with_its_step() {
    for method in RULES {
        let mut ball = turning_ball(method);
        let mut motion = Vec::new();
        for k in 0..60 {
            let step = MacroStep { time: 1e-2 * f64::from(k), size: 1e-2 };
            ball.begin(step, &[0.0; 3]).unwrap();
            let blow = if k == 5 { vec![0.0, 4.0, 0.0] } else { vec![0.0; 3] };
            ball.commit(&StepLoads { impulses: blow.clone(), momenta: blow, ..StepLoads::zeros(3) }).unwrap();
            motion.push(ball.state().v.clone());
        }
        let struck = motion[5].iter().zip(&motion[4]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(struck > 1.0, "{method:?}: {struck:e} by the blow");
        for (k, v) in motion.iter().enumerate().skip(6) {
            let change = v.iter().zip(&motion[5]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // Round-off for one-step rules, what Newton's method leaves for the two-step rule; rows that turn by 0.07 rad a step would
            // leave a hundredth.
            assert!(change < 1e-9 * struck, "{method:?}, step {k}: {change:e} after the blow");
        }
    }
}
