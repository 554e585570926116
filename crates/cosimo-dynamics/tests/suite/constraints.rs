//! Bilateral constraints: on velocity level, moving in time, violated at the start, eliminated.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{chain, stepper};
use cosimo_dynamics::{
    Elimination, LinearRow, LinearRows, LinearSystem, NoRows, Stepper, Theta, eliminate_constraints,
};
use nalgebra::dmatrix;

fn tie(offset: f64) -> LinearRow {
    LinearRow { weights: vec![(0, -1.0), (1, 1.0)], offset }
}

/// Two masses of 0.5 kg held together, one of them on a spring, under gravity.
fn pair() -> LinearSystem {
    LinearSystem::new(dmatrix![0.5, 0.0; 0.0, 0.5])
        .unwrap()
        .with_stiffness(dmatrix![40.0, 0.0; 0.0, 0.0])
        .unwrap()
        .with_damping(dmatrix![0.3, 0.0; 0.0, 0.1])
        .unwrap()
        .with_force(vec![-4.905, -4.905])
        .unwrap()
        .with_constraint(tie(0.2))
}

fn run(stepper: &mut Stepper, (h, steps): (f64, usize)) {
    let loads = vec![0.0; stepper.start_positions().len()];
    for _ in 0..steps {
        stepper.begin(h, &loads).unwrap();
        stepper.commit(&loads, None).unwrap();
    }
}

fn violation(stepper: &Stepper) -> f64 {
    let mut residual = vec![0.0; stepper.system().constraints()];
    stepper.system().constraint(&stepper.state().q, &mut residual);
    residual.iter().fold(0.0, |m, phi| m.max(phi.abs()))
}

#[test]
fn linear_constraints_do_not_drift() {
    let mut stepper = stepper(pair(), Theta::default(), NoRows, (&[0.0, 0.2], &[1.0, 1.0]));
    run(&mut stepper, (1e-3, 20_000));
    assert!(violation(&stepper) < 1e-13, "{:e}", violation(&stepper));
}

#[test]
fn violated_start_is_corrected() {
    let mut stepper = stepper(pair(), Theta::default(), NoRows, (&[0.0, 0.21], &[1.0, 1.0]));
    run(&mut stepper, (1e-3, 100));
    assert!(violation(&stepper) < 1e-12, "{:e}", violation(&stepper));
}

#[test]
fn eliminated_constraints_give_the_constrained_motion() {
    let start: (&[f64], &[f64]) = (&[0.0, 0.2], &[1.0, 1.0]);
    let port = || LinearRows(vec![LinearRow::coordinate(1)]);
    for (alpha, beta) in [(0.0, 0.0), (5.0, 5.0)] {
        let how = Elimination { alpha, beta, project_impulses: true };
        let mut eliminated =
            stepper(eliminate_constraints(&pair(), how).unwrap(), Theta::default(), port(), start);
        let mut constrained = stepper(pair(), Theta::default(), port(), start);
        for k in 0..1000 {
            for stepper in [&mut eliminated, &mut constrained] {
                stepper.begin(1e-3, &[0.0]).unwrap();
                stepper.commit(&[0.01 * f64::from(k % 7)], None).unwrap();
            }
            assert!((eliminated.inverse_mass() - constrained.inverse_mass()).amax() < 1e-12);
        }
        let (a, b) = (eliminated.state(), constrained.state());
        let difference =
            (0..2).map(|i| (a.q[i] - b.q[i]).abs().max((a.v[i] - b.v[i]).abs())).fold(0.0, f64::max);
        assert!(difference < 1e-10, "{difference:e}");
        assert!((eliminated.energy().total() - constrained.energy().total()).abs() < 1e-10);
        assert_eq!(eliminated.system().constraints(), 0);
    }
}

#[test]
fn baumgarte_corrects_a_violated_start_as_its_equation_says() {
    // φ̈ + 10 φ̇ + 25 φ = 0 from rest: φ = φ₀ (1 + 5 t) exp(−5 t).
    let how = Elimination { alpha: 5.0, beta: 5.0, project_impulses: true };
    let system = eliminate_constraints(&pair(), how).unwrap();
    let mut stepper = stepper(system, Theta::default(), NoRows, (&[0.0, 0.23], &[1.0, 1.0]));
    for (steps, time) in [(500, 0.5), (1500, 2.0)] {
        run(&mut stepper, (1e-3, steps));
        let phi = stepper.state().q[1] - stepper.state().q[0] - 0.2;
        let exact = 0.03 * (1.0 + 5.0 * time) * (-5.0_f64 * time).exp();
        assert!((phi - exact).abs() < 1e-7, "{phi} for {exact} at {time} s");
    }
}

#[test]
fn impulse_on_an_eliminated_constraint_moves_one_body_or_both() {
    let port = || LinearRows(vec![LinearRow::coordinate(1)]);
    for (project_impulses, expected) in [(true, 1.0), (false, 2.0)] {
        let how = Elimination { alpha: 5.0, beta: 5.0, project_impulses };
        let system = eliminate_constraints(&pair(), how).unwrap();
        let mut stepper = stepper(system, Theta::default(), port(), (&[0.0, 0.2], &[0.0, 0.0]));
        stepper.prepare_jump(1e-6).unwrap();
        assert!((stepper.inverse_mass()[(0, 0)] - expected).abs() < 1e-4, "{}", stepper.inverse_mass());
    }
}

#[test]
fn ends_of_a_tied_chain_move_alike() {
    let masses = chain(8, (1.0, 1e3, 0.2))
        .with_constraint(LinearRow { weights: vec![(0, 1.0), (7, -1.0)], offset: 0.0 });
    let mut stepper = stepper(masses, Theta::default(), NoRows, (&[0.0; 8], &[1.0; 8]));
    run(&mut stepper, (1e-3, 1000));
    assert!((stepper.state().q[0] - stepper.state().q[7]).abs() < 1e-14);
    assert!((stepper.state().v[0] - stepper.state().v[7]).abs() < 1e-12);
}
