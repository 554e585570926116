//! Inverse masses found from outside.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::{
    STEP, chain, chain_by, held_rod, hinged_frame, inverse_mass, level_rod, pendulum, secret_chain,
};
use cosimo_black_box::{DifferencedInverseMass, FalseClaim, Refresh, Verdict, verify};
use cosimo_dynamics::Multistep;
use cosimo_subsystem::conformance::{Hidden, TwoMasses};
use cosimo_subsystem::{MacroStep, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on};
use nalgebra::DMatrix;

#[test]
fn the_inverse_mass_of_an_affine_subsystem_is_found_to_round_off() {
    let exact = inverse_mass(&mut chain(5), STEP);
    let mut found = DifferencedInverseMass::new(secret_chain(5), Refresh::Columns);
    let error = (inverse_mass(&mut found, STEP) - &exact).amax();
    assert!(error <= 1e-13 * exact.amax(), "{error:e}");
    // Weights that are not stated are measured.
    let mut blind = DifferencedInverseMass::new(secret_chain(1).without_weights(), Refresh::Columns);
    let weights = blind.begin(STEP, &[0.0]).unwrap().weights;
    assert!((weights.position / (0.5 * STEP.size) - 1.0).abs() < 1e-12, "{weights:?}");
    assert_eq!((weights.end, weights.start), (0.5 * STEP.size, 0.5 * STEP.size));
}

#[test]
fn masses_of_every_size_are_kicked_by_what_moves_them() {
    for mass in [1e-6, 1.0, 1e7] {
        let system = cosimo_dynamics::LinearSystem::new(DMatrix::from_element(1, 1, mass)).unwrap();
        let port = cosimo_dynamics::LinearRows(vec![cosimo_dynamics::LinearRow::coordinate(0)]);
        let node = cosimo_native::MechanismBuilder::new("node", system);
        let node = node.with_ports(&[("end", 1)], port).build().unwrap();
        let hidden = Hidden::new(node).without_inverse_mass().without_affinity();
        let mut found = DifferencedInverseMass::new(hidden, Refresh::Columns);
        let w = inverse_mass(&mut found, STEP)[(0, 0)];
        assert!((w * mass - 1.0).abs() < 1e-9, "{mass} kg: {w:e}");
    }
}

#[test]
fn one_refresh_a_step_size() {
    let mut found = DifferencedInverseMass::new(secret_chain(3), Refresh::Columns);
    let mut time = 0.0;
    for (size, expected) in [(1e-3, 1), (1e-3, 1), (5e-4, 2), (5e-4, 2), (1e-3, 3)] {
        let response = found.begin(MacroStep { time, size }, &[0.0; 3]).unwrap().clone();
        found.commit(&StepLoads { impulses: vec![1e-3; 3], ..StepLoads::zeros(3) }).unwrap();
        time += size;
        assert_eq!(found.statistics().refreshes, expected, "at {time} s");
        let exact = inverse_mass(&mut chain(3), MacroStep { time: 0.0, size });
        assert!((response.inverse_mass.to_dense() - &exact).amax() < 1e-13);
    }
}

#[test]
fn rules_that_begin_with_another_one_are_differenced_again() {
    for refresh in [Refresh::Columns, Refresh::QuasiNewton] {
        let rule = || Box::new(Multistep::new(0.6).unwrap());
        let mut exact = chain_by(3, rule());
        let mut found =
            DifferencedInverseMass::new(Hidden::new(chain_by(3, rule())).without_inverse_mass(), refresh);
        for k in 0..4 {
            let step = MacroStep { time: 1e-3 * f64::from(k), size: 1e-3 };
            let claimed = exact.begin(step, &[0.0; 3]).unwrap().clone();
            let response = found.begin(step, &[0.0; 3]).unwrap();
            assert_eq!(response.weights, claimed.weights, "step {k}");
            if refresh == Refresh::Columns {
                assert!(
                    (response.inverse_mass.to_dense() - claimed.inverse_mass.to_dense()).amax() < 1e-13,
                    "step {k}"
                );
            }
            let loads = StepLoads { impulses: vec![1e-3, 2e-3, -1e-3], ..StepLoads::zeros(3) };
            exact.commit(&loads).unwrap();
            found.commit(&loads).unwrap();
        }
    }
}

#[test]
fn rows_that_joints_hold_are_not_torn_out() {
    let mut exact = held_rod();
    let mut found =
        DifferencedInverseMass::new(Hidden::new(held_rod()).without_inverse_mass(), Refresh::Columns);
    let (exact, found) = (inverse_mass(&mut exact, STEP), inverse_mass(&mut found, STEP));
    assert!((&exact - &found).amax() < 1e-5 * exact.amax(), "{exact} {found}");
}

/// Solves `v(X) = target` by Newton's method with the inverse mass shown; returns the corrections it took.
fn reach(subsystem: &mut dyn Subsystem, time: f64, target: f64) -> u32 {
    let response = subsystem.begin(MacroStep { time, size: 1e-2 }, &[0.0]).unwrap();
    let (mut v, mut w, mut impulse) = (response.velocities[0], response.inverse_mass[(0, 0)], 0.0);
    for count in 1.. {
        impulse += (target - v) / w;
        let response = subsystem.evaluate(&[impulse]).unwrap();
        (v, w) = (response.velocities[0], response.inverse_mass[(0, 0)]);
        if (v - target).abs() < 1e-10 {
            subsystem.commit(&StepLoads { impulses: vec![impulse], ..StepLoads::zeros(1) }).unwrap();
            return count;
        }
        assert!(count < 30, "no convergence at {time} s: {v} instead of {target}");
    }
    0
}

#[test]
fn a_frozen_inverse_mass_is_refreshed_when_corrections_shrink_too_slowly() {
    let hidden = Hidden::new(pendulum()).without_inverse_mass();
    let mut found = DifferencedInverseMass::new(hidden, Refresh::Columns);
    let (mut corrections, steps) = (0, 60);
    for k in 0..steps {
        // The tip falls at a constant vertical speed: from horizontal, 1.2 m, the inverse mass changes a lot.
        corrections += reach(&mut found, 1e-2 * f64::from(k), -1.2);
    }
    let refreshes = found.statistics().refreshes;
    assert!(refreshes > 1 && refreshes < 30, "{refreshes} refreshes in {steps} steps");
    // From 1 m/s to 1e-10 m/s, a decade a correction.
    assert!(corrections <= 10 * steps, "{corrections} corrections in {steps} steps");
}

#[test]
fn claims_are_compared_with_what_the_subsystem_does() {
    let loads = [0.0; 3];
    assert_eq!(verify(&mut TwoMasses::default(), STEP, &loads).unwrap(), Verdict::Confirmed);
    assert_eq!(verify(&mut pendulum(), STEP, &[0.0]).unwrap(), Verdict::Confirmed);
    // The kick that moves a level rod along itself bends its answer across.
    for size in [1e-4, 1e-3, 1e-2] {
        let step = MacroStep { time: 0.0, size };
        assert_eq!(verify(&mut level_rod(), step, &[0.0; 3]).unwrap(), Verdict::Confirmed, "{size} s");
    }
    let mut secret = Hidden::new(TwoMasses::default()).without_inverse_mass();
    assert_eq!(verify(&mut secret, STEP, &loads).unwrap(), Verdict::NotVerifiable);
    for factor in [0.0, 0.99, 2.0, -1.0, f64::NAN] {
        let mut liar = Hidden::new(TwoMasses::default()).with_false_inverse_mass(factor);
        let verdict = verify(&mut liar, STEP, &loads).unwrap();
        assert!(
            matches!(verdict, Verdict::False(FalseClaim { claim: "the inverse mass", .. })),
            "{factor}: {verdict:?}"
        );
    }
    let mut liar = Hidden::new(pendulum()).with_claimed_affinity();
    let verdict = verify(&mut liar, STEP, &[0.0]).unwrap();
    assert!(matches!(verdict, Verdict::False(_)), "{verdict:?}");
}

/// Of a heavy mass, and of one far from the origin, impulses of the usual size leave round-off.
#[test]
fn rounding_is_no_contradiction() {
    for (mass, position) in [(1.0, 1e6), (1.0, 1e9), (1e12, 1.0), (1e16, 1.0), (1e20, 1.0), (1e-30, 1.0)] {
        let system = cosimo_dynamics::LinearSystem::new(DMatrix::from_element(1, 1, mass)).unwrap();
        // The row is small where the coordinate is large.
        let row = cosimo_dynamics::LinearRow::dense(&[1.0], -position);
        let builder = cosimo_native::MechanismBuilder::new("mass", system);
        let builder = builder.with_ports(&[("end", 1)], cosimo_dynamics::LinearRows(vec![row]));
        let mut honest = builder.with_initial_state(vec![position], vec![0.3]).build().unwrap();
        assert_eq!(
            verify(&mut honest, STEP, &[0.0]).unwrap(),
            Verdict::Confirmed,
            "{mass} kg at {position} m"
        );
        if mass < 1e16 {
            let verdict =
                verify(&mut Hidden::new(honest).with_false_inverse_mass(0.99), STEP, &[0.0]).unwrap();
            assert!(matches!(verdict, Verdict::False(_)), "{mass} kg at {position} m: {verdict:?}");
        }
    }
}

#[test]
fn the_text_of_a_false_claim_has_both_numbers() {
    let mut liar = Hidden::new(chain(1)).with_false_inverse_mass(2.0);
    let Verdict::False(claim) = verify(&mut liar, STEP, &[0.0]).unwrap() else { unreachable!("it lies") };
    let text = claim.to_string();
    assert!(text.starts_with("the inverse mass of row 0 is false: it claims a change of 1.0"), "{text}");
    assert!(text.contains("gives 5.0"), "{text}");
}

#[test]
fn updates_find_the_inverse_mass_of_many_ports() {
    let (n, step) = (14, MacroStep { time: 0.0, size: 2e-2 });
    let exact = inverse_mass(&mut chain(n), step);
    let mut found = DifferencedInverseMass::new(secret_chain(n), Refresh::QuasiNewton);
    let seed = inverse_mass(&mut found, step);
    assert!((&seed - &exact).norm() > 0.3 * exact.norm(), "the seed knows the mass alone");
    let seeded = found.inner().statistics().evaluations;
    assert!(seeded <= 3, "one or two evaluations, whatever the number of rows");
    // One more row loaded each time: orthogonal corrections, after which the updates are exact.
    let mut last = seed;
    for k in 1..=n {
        let x: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < k))).collect();
        last = found.evaluate(&x).unwrap().inverse_mass.to_dense();
    }
    assert!((&last - &exact).norm() < 1e-9 * exact.norm(), "{:e}", (&last - &exact).norm());
    assert_eq!(found.statistics().refreshes, 1);
    assert_eq!(found.inner().statistics().evaluations, seeded + n as u64);
}

#[test]
fn an_arm_that_equal_loads_on_all_rows_do_not_move_is_estimated_all_the_same() {
    // About the hinge, the moment of equal forces along all axes at the tip and of equal moments there is zero.
    let mut exact = hinged_frame();
    let mut found =
        DifferencedInverseMass::new(Hidden::new(hinged_frame()).without_inverse_mass(), Refresh::QuasiNewton);
    let (exact, seed) = (inverse_mass(&mut exact, STEP), inverse_mass(&mut found, STEP));
    let size = exact.symmetric_eigenvalues().max();
    for row in 0..6 {
        assert!((0.99 * size..1.01 * size).contains(&seed[(row, row)]), "{} of {size}", seed[(row, row)]);
    }
    assert!(found.inner().statistics().evaluations <= 4);
}

#[test]
fn updates_that_do_not_lead_to_the_inverse_mass_end_in_differences() {
    // Blows to and fro that turn the rod by up to two radians: what one says of the inverse mass is wrong for the next.
    let step = MacroStep { time: 0.0, size: 1e-2 };
    let mut found =
        DifferencedInverseMass::new(Hidden::new(pendulum()).without_inverse_mass(), Refresh::QuasiNewton);
    found.begin(step, &[0.0]).unwrap();
    let blow = |k: u32| [150.0 * (2.4 * f64::from(k)).sin()];
    let (mut count, mut before, mut last) = (0, 0.0, 0.0);
    while found.statistics().refreshes == 1 {
        count += 1;
        assert!(count < 20, "no differences after {count} updates");
        (before, last) = (last, found.evaluate(&blow(count)).unwrap().inverse_mass[(0, 0)]);
    }
    assert!(count > 10, "differences after {count} evaluations");
    let mut rod = pendulum();
    rod.begin(step, &[0.0]).unwrap();
    let mut speed = |x: f64| rod.evaluate(&[x]).unwrap().velocities[0];
    let (x, dx) = (blow(count)[0], 1e-4);
    let slope = (speed(x + dx) - speed(x - dx)) / (2.0 * dx);
    assert!((last - slope).abs() < 0.1 * (before - slope).abs(), "from {before} to {last}, slope {slope}");
}

#[test]
fn answers_that_are_not_finite_are_refused_by_name() {
    let mut found = DifferencedInverseMass::new(Explodes(secret_chain(2)), Refresh::Columns);
    let error = found.begin(STEP, &[0.0; 2]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("`chain`") && text.contains("row 1"), "{text}");
}

/// Answers with a number that is not finite as soon as there is a load.
struct Explodes(Hidden<cosimo_native::Mechanism>);

impl Subsystem for Explodes {
    pass_on!(0: description, rows, energy, begin, commit, discard, prepare_jump, jump, project_positions, observe);
    pass_on!(0: save, restore, statistics);

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        // The response is stored within; a copy with the flaw would need a place.
        let response = self.0.evaluate(impulses)?;
        let mut flawed = response.clone();
        flawed.positions[1] = f64::NAN;
        Ok(Box::leak(Box::new(flawed)))
    }
}
