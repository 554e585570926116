//! The bouncing pendulum of Brüls, Acary and Cardona, 2018, figures 5 to 8.

use std::time::Instant;

use cosimo_dynamics::{ConstrainedSystem, Level};
use cosimo_impact::{Correction, NonsmoothStepper, Scheme, SmoothConstraints};
use cosimo_mechanics::Restitution;

use crate::common::pendulum::{Pendulum, Wall, pendulum};
use crate::common::{pva, pvv, schemes, table};

type Stepper = NonsmoothStepper<Pendulum, Wall>;

/// Largest residual of the constraints at a level.
fn violation(stepper: &Stepper, level: Level) -> f64 {
    let state = stepper.state();
    let mut rows = [0.0; 2];
    Pendulum.constraints(level, state.motion(), &state.a, &mut rows);
    rows.iter().fold(0.0, |m: f64, row| m.max(row.abs()))
}

#[test]
fn pva_satisfies_constraints_at_three_levels_through_impacts() {
    for rho in [0.9, 1.0] {
        let mut stepper = pendulum(pva(rho));
        for k in 1..=4000 {
            stepper.step(1e-3).unwrap();
            for (level, allowed) in
                [(Level::Position, 1e-14), (Level::Velocity, 1e-13), (Level::Acceleration, 1e-11)]
            {
                let found = violation(&stepper, level);
                assert!(found < allowed, "step {k}, {level:?}: {found:e}");
            }
            let gap = stepper.state().q[0] - std::f64::consts::FRAC_1_SQRT_2;
            assert!(gap > -1e-13, "step {k}: {gap:e}");
        }
    }
}

/// Largest second difference of the first multiplier from 0.36 s to 0.5 s, after the first impact (N).
fn ripple(scheme: Scheme) -> f64 {
    let mut stepper = pendulum(scheme);
    let mut multipliers = Vec::new();
    for k in 1..=500 {
        stepper.step(1e-3).unwrap();
        if k >= 360 {
            multipliers.push(stepper.state().mu[0]);
        }
    }
    multipliers.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).fold(0.0, f64::max)
}

/// Without numerical damping the multipliers of PVV oscillate for ever after an impact, those of PVA do not (figure 8).
#[test]
fn multipliers_of_pva_do_not_oscillate_at_spectral_radius_one() {
    let (of_pva, of_pvv) = (ripple(pva(1.0)), ripple(pvv(1.0)));
    assert!(of_pva < 1e-3, "{of_pva}");
    assert!(of_pvv > 100.0 * of_pva, "{of_pvv} against {of_pva}");
}

/// At rest on the wall the reaction `μ + Λ/h` and the contact force are those of statics, 10 N each (figures 6 and 7).
#[test]
fn total_reactions_of_pvv_and_pva_agree_in_the_end() {
    let mut shares = Vec::new();
    for scheme in [pvv(0.9), pva(0.9)] {
        let mut stepper = pendulum(scheme);
        stepper.advance_to(6.0, 1e-3).unwrap();
        let found = stepper.contacts();
        let impulse = found.constraint_impulses[0];
        let reaction = stepper.state().mu[0] + impulse / 1e-3;
        assert!((reaction - 10.0).abs() < 1e-6, "{reaction}");
        assert!((found.impulses[0] / 1e-3 - 10.0).abs() < 1e-6);
        shares.push(impulse.abs() / 1e-3);
    }
    // The smooth motion of PVA has all of it.
    assert!(shares[0] > 1.0 && shares[1] < 1e-9, "{shares:?}");
}

#[test]
fn impact_times_converge_for_every_scheme() {
    let events = table("pendulum_events.csv");
    for (name, scheme) in schemes() {
        let error = |h: f64| {
            let mut stepper = pendulum(scheme);
            let (mut times, mut was_closing) = (Vec::new(), true);
            while times.len() < 4 && stepper.state().time < 3.0 {
                stepper.step(h).unwrap();
                // The velocity turns at an impact, from closing to opening.
                let is_closing = stepper.state().v[0] < 0.0;
                if was_closing && !is_closing {
                    times.push(stepper.state().time);
                }
                was_closing = is_closing;
            }
            times.iter().zip(&events).map(|(t, event)| (t - event[1]).abs()).fold(0.0, f64::max)
        };
        // Of order one: some steps, and those of implicit Euler more of them.
        let steps = if name == "theta = 1" { 100.0 } else { 20.0 };
        for h in [1e-3, 1e-4] {
            let error = error(h);
            assert!(error < steps * h, "{name}: {error} with steps of {h}");
        }
    }
}

#[test]
fn pva_costs_at_most_three_times_moreau_jean() {
    let time = |scheme: Scheme| {
        let run = || {
            let mut stepper = pendulum(scheme);
            let start = Instant::now();
            stepper.advance_to(4.0, 1e-3).unwrap();
            start.elapsed().as_secs_f64()
        };
        (0..5).map(|_| run()).fold(f64::INFINITY, f64::min)
    };
    let (of_pva, of_moreau_jean) = (time(pva(0.9)), time(Scheme::moreau_jean(0.5)));
    assert!(of_pva < 3.0 * of_moreau_jean, "{of_pva} s against {of_moreau_jean} s");
}

#[test]
fn corrections_at_once_find_the_motion_of_those_one_by_one() {
    for smooth in [SmoothConstraints::Velocity, SmoothConstraints::Acceleration] {
        let [full, decoupled] = [Correction::Full, Correction::Decoupled].map(|correction| {
            let restitution = Restitution::default();
            let scheme =
                Scheme::NonsmoothGeneralizedAlpha { spectral_radius: 0.9, smooth, correction, restitution };
            let mut stepper = pendulum(scheme);
            stepper.advance_to(1.2, 1e-3).unwrap();
            stepper.state().q.clone()
        });
        let apart = full.iter().zip(&decoupled).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "{smooth:?}: {full:?}, {decoupled:?}");
    }
}
