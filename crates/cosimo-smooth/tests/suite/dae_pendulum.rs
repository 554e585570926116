//! The pendulum of Brüls, Acary and Cardona (2018), section 5, in every formulation, against its closed form.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::pendulum_dae::{Pendulum, start};
use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_smooth::dae::{
    DaeError, DaeSettings, DaeSolver, DaeState, ErrorControl, Formulation, Method, TangentPolicy,
};

const ALPHA: Method = Method::GeneralizedAlpha { spectral_radius: 0.9 };

fn solver(method: Method, formulation: Formulation) -> DaeSolver<Pendulum> {
    let settings = DaeSettings { formulation, tolerance: 1e-14, ..DaeSettings::default() };
    DaeSolver::new(Pendulum, method, settings, start()).unwrap()
}

/// The exact motion every 0.02 s to 1 s: time, positions, velocities, multipliers with the opposite sign.
fn exact() -> Vec<[f64; 9]> {
    let mut reader = csv::Reader::from_path("tests/reference/pendulum_dae.csv").unwrap();
    let rows = reader.deserialize::<Vec<f64>>().map(|row| row.unwrap().try_into().unwrap());
    rows.collect()
}

/// Largest errors in 1 s: positions, velocities, multipliers.
fn errors(method: Method, formulation: Formulation, h: f64) -> [f64; 3] {
    let mut solver = solver(method, formulation);
    let mut errors = [0.0_f64; 3];
    for row in exact() {
        solver.advance_to(row[0], h).unwrap();
        let DaeState { q, v, mu, .. } = solver.state();
        let found = [(q, &row[1..4], 1.0), (v, &row[4..7], 1.0), (mu, &row[7..9], -1.0)];
        for (error, (found, exact, sign)) in errors.iter_mut().zip(found) {
            for (x, exact) in found.iter().zip(exact) {
                *error = error.max((sign * x - exact).abs());
            }
        }
    }
    errors
}

fn check_order(method: Method, formulation: Formulation, order: f64, h: f64) {
    let [coarse, fine] = [h, 0.5 * h].map(|h| errors(method, formulation, h));
    for (quantity, (coarse, fine)) in ["q", "v", "mu"].iter().zip(coarse.iter().zip(fine)) {
        let found = (coarse / fine).log2();
        assert!(
            (found - order).abs() < 0.25,
            "{method:?} {formulation:?}: {quantity} has order {found:.2}, {coarse:.2e} to {fine:.2e}"
        );
    }
}

const STABILISED: [Formulation; 3] =
    [Formulation::Position, Formulation::PositionVelocity, Formulation::PositionVelocityAcceleration];

#[test]
fn second_order_rules_keep_their_order_in_everything() {
    let rules = [
        Method::Multistep { spectral_radius: 0.6 },
        Method::Multistep { spectral_radius: 0.0 },
        Method::GeneralizedAlpha { spectral_radius: 0.6 },
        Method::Hht { alpha: -0.2 },
        Method::Bdf { order: 2 },
    ];
    for method in rules {
        for formulation in STABILISED {
            check_order(method, formulation, 2.0, 5e-4);
        }
    }
    for formulation in [Formulation::Velocity, Formulation::Acceleration] {
        check_order(ALPHA, formulation, 2.0, 5e-4);
    }
    check_order(ALPHA, Formulation::Baumgarte { alpha: 20.0, beta: 20.0 }, 2.0, 5e-4);
}

/// A start with drift, `φ(0) ≠ 0`: feedback takes it out as `φ̈ + 2 α φ̇ + β² φ = 0` says, elimination alone lets it grow as
/// `φ̈ = 0` says.
#[test]
fn drift_obeys_the_equation_of_its_feedback() {
    let constraints = |solver: &DaeSolver<Pendulum>, level| {
        let DaeState { time, q, v, a, .. } = solver.state();
        let mut rows = [0.0; 2];
        Pendulum.constraints(level, Motion { t: *time, q, v }, a, &mut rows);
        rows
    };
    let end = 0.2;
    for alpha in [0.0_f64, 5.0, 20.0] {
        let formulation = if alpha > 0.0 {
            Formulation::Baumgarte { alpha, beta: alpha }
        } else {
            Formulation::Acceleration
        };
        let error = |h: f64| {
            // A rule that the accelerations of the start, which the drift does not fit, do not enter.
            let mut solver = solver(Method::ImplicitEuler, formulation);
            let mut saved = solver.save();
            // The positions follow the time and a flag.
            saved[2] += 0.03;
            saved[3] -= 0.02;
            saved[4] += 0.01;
            solver.restore(&saved).unwrap();
            let start = [Level::Position, Level::Velocity].map(|level| constraints(&solver, level));
            solver.advance_to(end, h).unwrap();
            let found = constraints(&solver, Level::Position);
            let exact = [0, 1]
                .map(|k| (start[0][k] + (start[1][k] + alpha * start[0][k]) * end) * (-alpha * end).exp());
            (found[0] - exact[0]).abs().max((found[1] - exact[1]).abs())
        };
        let [coarse, fine] = [2.5e-4, 1.25e-4].map(error);
        assert!(fine < 5e-3 && (coarse / fine - 2.0).abs() < 0.2, "{alpha}: {coarse:e} to {fine:e}");
    }
}

/// Feedback that is fast against the step is solved as well: drift is gone after a few steps.
#[test]
fn fast_feedback_converges() {
    for (alpha, beta) in [(20.0, 20.0), (500.0, 500.0), (1e4, 1e4), (0.0, 1e3)] {
        let mut solver = solver(ALPHA, Formulation::Baumgarte { alpha, beta });
        solver.advance_to(0.5, 5e-3).unwrap();
        let (steps, effort) = solver.effort();
        assert!(effort.iterations < 8 * steps, "{alpha}, {beta}: {} iterations", effort.iterations);
        let left = solver.violation(Level::Position);
        assert!(left < 1e-3, "{alpha}, {beta}: {left:e}");
    }
}

/// Multipliers of the midpoint rule are means: those at the end of a step would be of order 1.
#[test]
fn midpoint_rule_has_order_two_in_positions_and_velocities() {
    for formulation in [Formulation::Velocity, Formulation::PositionVelocity] {
        let [coarse, fine] = [1e-3, 5e-4].map(|h| errors(Method::Midpoint, formulation, h));
        for k in 0..2 {
            let order = (coarse[k] / fine[k]).log2();
            assert!((order - 2.0).abs() < 0.1, "{formulation:?}: {coarse:?} to {fine:?}");
        }
    }
    let settings = DaeSettings { formulation: Formulation::Position, ..DaeSettings::default() };
    let refused = DaeSolver::new(Pendulum, Method::Midpoint, settings, start());
    assert!(refused.is_err_and(|error| error.to_string().contains("PositionVelocity")));
}

#[test]
fn backward_differentiation_has_the_order_of_its_name() {
    for formulation in STABILISED {
        check_order(Method::ImplicitEuler, formulation, 1.0, 5e-5);
        for (order, h) in [(3, 1e-3), (4, 2e-3), (5, 2e-3)] {
            check_order(Method::Bdf { order }, formulation, order as f64, h);
        }
    }
}

/// Largest violations from 1 s to 2 s, at the three levels.
fn violations(formulation: Formulation) -> [f64; 3] {
    let mut solver = solver(ALPHA, formulation);
    solver.advance_to(1.0, 2e-3).unwrap();
    let mut largest = [0.0_f64; 3];
    for _ in 0..500 {
        solver.step(2e-3).unwrap();
        for (found, level) in largest.iter_mut().zip([Level::Position, Level::Velocity, Level::Acceleration])
        {
            *found = found.max(solver.violation(level));
        }
    }
    largest
}

/// Figure 2: what each formulation imposes is at round-off, what it does not is not.
#[test]
fn constraints_hold_at_the_levels_imposed() {
    let round_off = [1e-13, 1e-11, 1e-8];
    let imposed = [
        (Formulation::Position, [true, false, false]),
        (Formulation::Velocity, [false, true, false]),
        (Formulation::Acceleration, [false, false, true]),
        (Formulation::PositionVelocity, [true, true, false]),
        (Formulation::PositionVelocityAcceleration, [true, true, true]),
    ];
    for (formulation, levels) in imposed {
        let found = violations(formulation);
        for ((violation, limit), is_imposed) in found.iter().zip(round_off).zip(levels) {
            assert_eq!(*violation < limit, is_imposed, "{formulation:?}: {found:?}");
        }
    }
}

/// Violations of the accelerations in the first steps: how much of them alternates, and how large they are later.
fn alternation(formulation: Formulation, disturbed: bool) -> (f64, f64) {
    let mut solver = solver(ALPHA, formulation);
    if disturbed {
        solver = solver.with_start_acceleration(&[0.0; 3]).unwrap();
    }
    let mut past = Vec::new();
    let mut residual = [0.0; 2];
    for _ in 0..20 {
        solver.step(2e-3).unwrap();
        crate::pendulum_dae::acceleration_residual(solver.state(), &mut residual);
        past.push(residual[0]);
    }
    let second = past.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs() / 4.0);
    (second.fold(0.0, f64::max), past.iter().fold(0.0, |m: f64, x| m.max(x.abs())))
}

/// Figure 2, right: the index 3 formulation oscillates at the start although the start is consistent, by O(h).
#[test]
fn index_three_oscillates_at_the_start_and_the_others_do_not() {
    let [position, velocity, both, all] = [
        Formulation::Position,
        Formulation::Velocity,
        Formulation::PositionVelocity,
        Formulation::PositionVelocityAcceleration,
    ]
    .map(|formulation| alternation(formulation, false).0);
    assert!(position > 30.0 * velocity, "{position} {velocity}");
    assert!(velocity < 2e-2 && both < 2e-2 && all < 1e-8, "{velocity} {both} {all}");
}

/// Figure 3: after accelerations that do not fit, all formulations oscillate but that with accelerations.
#[test]
fn accelerations_that_do_not_fit_disturb_all_formulations_but_one() {
    for formulation in [Formulation::Position, Formulation::Velocity, Formulation::PositionVelocity] {
        let (oscillation, _) = alternation(formulation, true);
        assert!(oscillation > 10.0, "{formulation:?}: {oscillation}");
    }
    let (_, size) = alternation(Formulation::PositionVelocityAcceleration, true);
    assert!(size < 1e-8, "{size}");
}

#[test]
fn tangent_policies_agree_and_save_factorisations() {
    let run = |tangent| {
        let settings = DaeSettings { tangent, tolerance: 1e-12, ..DaeSettings::default() };
        let mut solver = DaeSolver::new(Pendulum, ALPHA, settings, start()).unwrap();
        solver.advance_to(1.0, 1e-3).unwrap();
        (solver.state().q.clone(), solver.effort().1.factorizations)
    };
    let [(full, many), (modified, some), (frozen, few)] =
        [TangentPolicy::Full, TangentPolicy::Modified, TangentPolicy::Frozen].map(run);
    for other in [&modified, &frozen] {
        assert!(full.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-10), "{full:?} {other:?}");
    }
    assert!(many > some && some >= 1000 && few < 300, "{many} {some} {few}");
}

/// Factors of an earlier step may give the motion before the reactions: those are iterated too. Steps so long that old factors are
/// poor, and a tolerance that the motion meets at once.
#[test]
fn old_factors_give_the_reactions_of_new_ones() {
    for formulation in STABILISED {
        let rules = [ALPHA, Method::Multistep { spectral_radius: 0.6 }];
        for (method, (h, tolerance)) in
            rules.iter().flat_map(|rule| [(1e-2, 1e-12), (1e-3, 1e-8)].map(|run| (*rule, run)))
        {
            let [full, frozen] = [TangentPolicy::Full, TangentPolicy::Frozen].map(|tangent| {
                let settings = DaeSettings { formulation, tangent, tolerance, ..DaeSettings::default() };
                let mut solver = DaeSolver::new(Pendulum, method, settings, start()).unwrap();
                let step = |_| {
                    solver.step(h).unwrap();
                    solver.state().mu[0]
                };
                (0..100).map(step).collect::<Vec<_>>()
            });
            let largest = full.iter().fold(0.0_f64, |m, mu| m.max(mu.abs()));
            for (full, frozen) in full.iter().zip(&frozen) {
                let allowed = 10.0 * tolerance / h * largest;
                assert!(
                    (full - frozen).abs() < allowed,
                    "{method:?}, {formulation:?}, {h} s: {frozen} for {full}"
                );
            }
        }
    }
}

/// The matrix does not depend on the step: the same iterations from 1e-2 to 1e-7 s, and the start is kept.
#[test]
fn tiny_steps_are_as_well_conditioned_as_large_ones() {
    for formulation in STABILISED {
        for h in [1e-2, 1e-4, 1e-6, 1e-7] {
            let mut solver = solver(ALPHA, formulation);
            for _ in 0..20 {
                let effort = solver.step(h).unwrap();
                assert!(effort.iterations <= 8, "{formulation:?} {h}: {effort:?}");
            }
            let t = 20.0 * h;
            let fall = 10.0 * t;
            assert!((solver.state().q[2] - start().1[2] - fall).abs() < 10.0 * t * t + 1e-13);
        }
    }
}

#[test]
fn changing_steps_keep_the_order() {
    let run = |method, h: f64| {
        let mut solver = solver(method, Formulation::PositionVelocityAcceleration);
        let mut k = 0;
        while solver.state().time < 1.0 - 1e-12 {
            let size = h * [1.0, 0.6, 1.4][k % 3];
            solver.step(size.min(1.0 - solver.state().time)).unwrap();
            k += 1;
        }
        (solver.state().q[2] - exact()[49][3]).abs()
    };
    let rules = [
        (Method::Multistep { spectral_radius: 0.6 }, 2.0),
        (Method::GeneralizedAlpha { spectral_radius: 0.6 }, 2.0),
        (Method::Bdf { order: 3 }, 3.0),
    ];
    for (method, order) in rules {
        let found = (run(method, 1e-3) / run(method, 5e-4)).log2();
        assert!((found - order).abs() < 0.3, "{method:?}: {found}");
    }
}

#[test]
fn a_restored_solver_repeats_the_same_bits() {
    let rules = [ALPHA, Method::Multistep { spectral_radius: 0.6 }, Method::Bdf { order: 4 }];
    for (method, tangent) in rules.into_iter().flat_map(|method| {
        [TangentPolicy::Full, TangentPolicy::Modified, TangentPolicy::Frozen].map(|tangent| (method, tangent))
    }) {
        let settings = DaeSettings { tangent, ..DaeSettings::default() };
        let begin = || DaeSolver::new(Pendulum, method, settings, start()).unwrap();
        let mut solver = begin();
        solver.advance_to(0.1, 1e-3).unwrap();
        let saved = solver.save();
        solver.advance_to(0.2, 1e-3).unwrap();
        let end = solver.state().clone();
        assert_eq!(solver.restore(&saved[1..]), None);
        for mut resumed in [solver, begin()] {
            resumed.restore(&saved).unwrap();
            resumed.advance_to(0.2, 1e-3).unwrap();
            assert_eq!(end, *resumed.state(), "{method:?}, {tangent:?}");
        }
    }
}

/// Frozen factors are those of the steps taken, whatever is tried or prepared in between.
#[test]
fn trials_leave_frozen_factors_as_they_were() {
    let settings = DaeSettings { tangent: TangentPolicy::Frozen, ..DaeSettings::default() };
    let begin = || DaeSolver::new(Pendulum, ALPHA, settings, start()).unwrap();
    let (mut straight, mut wavering) = (begin(), begin());
    for step in 1..=100 {
        let time = 2e-3 * f64::from(step);
        for h in [2e-2, 5e-4] {
            wavering.start_trial().unwrap();
            wavering.solve_trial(h).unwrap();
            let [mut motion, mut damped] = [0; 2].map(|_| nalgebra::DMatrix::zeros(3, 0));
            wavering.prepare_jump(h, &mut motion, &mut damped).unwrap();
        }
        for solver in [&mut straight, &mut wavering] {
            solver.start_trial().unwrap();
            solver.solve_trial(2e-3).unwrap();
            solver.take_trial(time);
        }
        assert_eq!(straight.state(), wavering.state(), "{time}");
    }
    let (steps, effort) = straight.effort();
    assert!(effort.factorizations < steps / 2, "{} factorisations in {steps} steps", effort.factorizations);
}

/// Trial steps of a rule that wants points before the start are the steps that the solver takes by itself, whatever was
/// tried before.
#[test]
fn trials_find_their_past() {
    let begin = || solver(Method::Bdf { order: 4 }, Formulation::PositionVelocity);
    let (mut whole, mut tried) = (begin(), begin());
    for step in 1..=10 {
        let time = 1e-3 * f64::from(step);
        whole.advance_to(time, 1e-3).unwrap();
        for h in [3e-3, 1e-3] {
            tried.start_trial().unwrap();
            tried.solve_trial(h).unwrap();
        }
        tried.take_trial(time);
        for (a, b) in whole.state().q.iter().zip(&tried.state().q) {
            assert!((a - b).abs() < 1e-15, "{a} {b}");
        }
    }
}

#[test]
fn steps_allocate_nothing_after_the_first() {
    for (method, formulation) in [
        (ALPHA, Formulation::PositionVelocityAcceleration),
        (Method::Bdf { order: 5 }, Formulation::PositionVelocity),
        (Method::Multistep { spectral_radius: 0.6 }, Formulation::Position),
    ] {
        let mut solver = solver(method, formulation);
        solver.step(1e-3).unwrap();
        let counted = allocation_counter::measure(|| {
            for _ in 0..10 {
                solver.step(1e-3).unwrap();
            }
        });
        assert_eq!(counted.count_total, 0, "{method:?}");
    }
    let mut adaptive =
        solver(Method::AdaptiveBdf { largest_order: 5 }, Formulation::PositionVelocityAcceleration);
    let (mut control, mut saved) = (ErrorControl::new(1e-8).unwrap(), Vec::new());
    adaptive.save_into(&mut saved);
    adaptive.advance_within(0.01, &mut control).unwrap();
    let counted = allocation_counter::measure(|| {
        saved.clear();
        adaptive.save_into(&mut saved);
        adaptive.advance_within(0.5, &mut control).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}

/// Largest error of the positions in 1 s, and steps taken, with controlled errors.
fn controlled(tolerance: f64, largest_order: usize) -> (f64, usize) {
    let formulation = Formulation::PositionVelocityAcceleration;
    let mut solver = solver(Method::AdaptiveBdf { largest_order }, formulation);
    let mut control = ErrorControl::new(tolerance).unwrap();
    let (mut error, mut steps) = (0.0_f64, 0);
    for row in exact() {
        steps += solver.advance_within(row[0], &mut control).unwrap();
        let off = solver.state().q.iter().zip(&row[1..4]).map(|(a, b)| (a - b).abs());
        error = off.fold(error, f64::max);
    }
    (error, steps)
}

#[test]
fn errors_follow_the_tolerance_and_higher_orders_save_steps() {
    let (mut before, mut few) = (f64::INFINITY, 0);
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
        let (error, steps) = controlled(tolerance, 5);
        assert!(error < 1e3 * tolerance && error < 0.1 * before, "{tolerance:e}: {error:e}, {steps} steps");
        (before, few) = (error, steps);
    }
    let (_, many) = controlled(1e-8, 2);
    assert!(few < many, "{few} steps at 1e-10 with order 5, {many} at 1e-8 with order 2");
}

#[test]
fn only_a_free_order_is_controlled() {
    let mut solver = solver(ALPHA, Formulation::Position);
    let outcome = solver.advance_within(1.0, &mut ErrorControl::new(1e-6).unwrap());
    assert!(matches!(outcome, Err(DaeError::OutOfRange { .. })), "{outcome:?}");
    assert!(ErrorControl::new(0.0).is_err());
}
