//! What every rule owes to whoever steps it: trials leave no trace, a saved state repeats the same bits, a jump
//! forgets the past, and a step allocates nothing.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{bits, chain, stepper};
use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_dynamics::{LinearRow, LinearRows, StepRule, Stepper, Theta};
use cosimo_mechanics::ImpulseMoments;

const H: f64 = 2e-3;

/// A damped chain and a constrained chain, each with two ports.
fn steppers(rule: &(impl StepRule + Clone + 'static)) -> Vec<Stepper> {
    let ends =
        || LinearRows(vec![LinearRow::coordinate(0), LinearRow::dense(&[0.0, 1.0, -0.5, 0.0, 0.0], 0.1)]);
    let masses = || chain(5, (1.0, 400.0, 0.5));
    let tied = masses().with_constraint(LinearRow { weights: vec![(2, 1.0), (4, -1.0)], offset: 0.0 });
    let (q, v) = ([0.1, 0.0, -0.05, 0.02, -0.05], [0.0, 1.0, 0.3, -0.5, 0.3]);
    vec![stepper(masses(), rule.clone(), ends(), (&q, &v)), stepper(tied, rule.clone(), ends(), (&q, &v))]
}

fn for_all_rules(check: impl Fn(Vec<Stepper>)) {
    check(steppers(&Theta::default()));
    check(steppers(&Multistep::new(0.6).unwrap()));
    check(steppers(&GeneralizedAlpha::new(0.6).unwrap()));
}

/// Loads of step `k` (N).
fn loads(k: u32) -> [f64; 2] {
    [3.0 * f64::from(k).sin(), 2.0 * f64::from(k).cos()]
}

/// Takes step `k` with an evaluation in between, as a coupling would.
fn take(stepper: &mut Stepper, k: u32) {
    // Steps of two sizes: the history has to remember them.
    let h = if k.is_multiple_of(3) { 1.5 * H } else { H };
    stepper.begin(h, &loads(k)).unwrap();
    let impulses = loads(k).map(|load| load * stepper.formula().end.velocity);
    stepper.evaluate(&impulses);
    stepper.commit(&impulses, None).unwrap();
}

#[test]
fn step_begun_and_not_committed_leaves_no_trace() {
    for_all_rules(|steppers| {
        for mut stepper in steppers {
            for k in 0..5 {
                let mut undisturbed = Vec::new();
                stepper.save(&mut undisturbed);
                let before = bits(&stepper);
                stepper.begin(H, &loads(k + 7)).unwrap();
                stepper.evaluate(&[0.2, -0.1]);
                assert_eq!(bits(&stepper), before, "{} at step {k}", stepper.rule().name());
                take(&mut stepper, k);
                let disturbed = bits(&stepper);
                stepper.restore(&undisturbed).unwrap();
                take(&mut stepper, k);
                assert_eq!(bits(&stepper), disturbed, "{} at step {k}", stepper.rule().name());
            }
        }
    });
}

#[test]
fn restored_stepper_repeats_the_same_bits() {
    for_all_rules(|steppers| {
        for mut stepper in steppers {
            let mut history = vec![Vec::new()];
            stepper.save(&mut history[0]);
            for k in 0..8 {
                take(&mut stepper, k);
                let mut saved = Vec::new();
                stepper.save(&mut saved);
                history.push(saved);
            }
            let observed = (stepper.start_positions().to_vec(), stepper.start_velocities().to_vec());
            let end = bits(&stepper);
            for (k, saved) in history.iter().enumerate() {
                stepper.restore(saved).unwrap();
                assert_eq!(bits(&stepper), saved.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
                (k as u32..8).for_each(|k| take(&mut stepper, k));
                assert_eq!(bits(&stepper), end, "{} from step {k}", stepper.rule().name());
                assert_eq!(stepper.start_positions(), observed.0);
                assert_eq!(stepper.start_velocities(), observed.1);
            }
        }
    });
}

#[test]
fn saved_numbers_that_do_not_fit_change_nothing() {
    for_all_rules(|steppers| {
        for mut stepper in steppers {
            (0..3).for_each(|k| take(&mut stepper, k));
            let mut saved = Vec::new();
            stepper.save(&mut saved);
            let before = bits(&stepper);
            take(&mut stepper, 3);
            let after = bits(&stepper);
            assert!(stepper.restore(&saved[1..]).is_none());
            saved.push(0.0);
            assert!(stepper.restore(&saved).is_none());
            assert_eq!(bits(&stepper), after);
            saved.pop();
            stepper.restore(&saved).unwrap();
            assert_eq!(bits(&stepper), before);
        }
    });
}

#[test]
fn jump_changes_the_velocity_by_the_inverse_mass_and_forgets_the_past() {
    for_all_rules(|steppers| {
        for mut stepper in steppers {
            (0..4).for_each(|k| take(&mut stepper, k));
            let before = stepper.start_velocities().to_vec();
            let positions = stepper.state().q.clone();
            stepper.prepare_jump(H).unwrap();
            let w = stepper.inverse_mass().clone();
            let impulse = [0.4, -0.7];
            stepper.jump(&impulse).unwrap();
            for (i, (after, start)) in stepper.start_velocities().iter().zip(&before).enumerate() {
                let expected = w[(i, 0)] * impulse[0] + w[(i, 1)] * impulse[1];
                assert!((after - start - expected).abs() < 1e-12, "{}: {after}", stepper.rule().name());
            }
            assert_eq!(stepper.state().q, positions);
            let is_end = stepper.rule().collocation() == cosimo_dynamics::Collocation::End;
            assert_eq!(stepper.rule().needs_acceleration(), is_end);
            // Bit for bit the step of a stepper that starts there: nothing of the past is left.
            let mut saved = Vec::new();
            stepper.save(&mut saved);
            take(&mut stepper, 4);
            let continued = bits(&stepper);
            assert!(!stepper.rule().needs_acceleration());
            stepper.restore(&saved).unwrap();
            assert_eq!(stepper.rule().needs_acceleration(), is_end);
            take(&mut stepper, 4);
            assert_eq!(bits(&stepper), continued);
        }
    });
}

#[test]
fn restart_after_a_jump_equals_a_fresh_start() {
    let rows = || LinearRows(vec![LinearRow::coordinate(0)]);
    let rule = Multistep::new(0.6).unwrap();
    let mut hit = stepper(chain(5, (1.0, 400.0, 0.5)), rule.clone(), rows(), (&[0.1; 5], &[0.0; 5]));
    for _ in 0..4 {
        hit.begin(H, &[0.0]).unwrap();
        hit.commit(&[0.0], None).unwrap();
    }
    hit.prepare_jump(H).unwrap();
    hit.jump(&[2.0]).unwrap();
    let mut fresh = stepper(chain(5, (1.0, 400.0, 0.5)), rule, rows(), (&hit.state().q, &hit.state().v));
    for _ in 0..4 {
        for stepper in [&mut hit, &mut fresh] {
            stepper.begin(H, &[0.5]).unwrap();
            stepper.commit(&[0.5 * stepper.formula().end.velocity], None).unwrap();
        }
        assert_eq!(hit.state().q, fresh.state().q);
        assert_eq!(hit.state().v, fresh.state().v);
    }
}

#[test]
fn impulse_inside_a_step_makes_rules_of_end_collocation_begin_anew() {
    for_all_rules(|steppers| {
        for mut stepper in steppers {
            (0..3).for_each(|k| take(&mut stepper, k));
            stepper.begin(H, &[0.0; 2]).unwrap();
            let moments = ImpulseMoments {
                velocity: vec![0.3, -0.1],
                velocity_damped: vec![0.0; 2],
                position: vec![0.3 * 0.5 * H, -0.1 * 0.5 * H],
                position_damped: vec![0.0; 2],
            };
            let work = stepper.commit(&[0.0; 2], Some(moments.view())).unwrap();
            let is_end = stepper.rule().collocation() == cosimo_dynamics::Collocation::End;
            assert_eq!(stepper.rule().needs_acceleration(), is_end, "{}", stepper.rule().name());
            assert_eq!(stepper.energy(), work.energy);
            take(&mut stepper, 3);
            assert!(!stepper.rule().needs_acceleration());
        }
    });
}

#[test]
fn steps_allocate_nothing_after_the_first_ones() {
    for_all_rules(|steppers| {
        for mut stepper in steppers {
            // Steps of both sizes and the history have to have been met twice: factors are kept from then on.
            (0..8).for_each(|k| take(&mut stepper, k));
            let allocated = allocation_counter::measure(|| (8..20).for_each(|k| take(&mut stepper, k)));
            assert_eq!(allocated.count_total, 0, "{}: {allocated:?}", stepper.rule().name());
            let allocated = allocation_counter::measure(|| {
                stepper.prepare_jump(H).unwrap();
                stepper.jump(&[0.1, 0.2]).unwrap();
                (20..24).for_each(|k| take(&mut stepper, k));
            });
            assert_eq!(allocated.count_total, 0, "{} after a jump: {allocated:?}", stepper.rule().name());
        }
    });
}
