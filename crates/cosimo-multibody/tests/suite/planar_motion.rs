//! Motions with known laws, stepped with the implicit midpoint rule.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::PI;

use crate::common::{hinged_rod, midpoint};
use crate::differences::{Dense, balance};
use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::planar::{
    Body, Pin, PlanarModel, PlanarSystem, PlaneContact, Point, PointRow, SpringDamper,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::DMatrix;

/// Two rods of 1 m, pinned to the ground and to each other, from rest at these angles to the horizontal.
fn double_pendulum(first: f64, second: f64) -> PlanarModel {
    let knee = [first.cos(), first.sin()];
    PlanarModel::new([0.0, -9.81])
        .with_body(Body::new("upper", 1.0, 1.0 / 12.0).with_pose([0.5 * knee[0], 0.5 * knee[1]], first))
        .with_body(
            Body::new("lower", 2.0, 2.0 / 12.0)
                .with_pose([knee[0] + 0.5 * second.cos(), knee[1] + 0.5 * second.sin()], second),
        )
        .with_pin(Pin::new("hip", Point::ground([0.0, 0.0]), Point::on("upper", [-0.5, 0.0])))
        .with_pin(Pin::new("knee", Point::on("upper", [0.5, 0.0]), Point::on("lower", [-0.5, 0.0])))
}

/// Largest energy change (J) and pin distance (m) over 4 s.
fn double_pendulum_drift(h: f64) -> (f64, f64) {
    let model = double_pendulum(-0.6, -1.2);
    let (system, mut stepper) = (model.clone().build().unwrap(), midpoint(model.build().unwrap()));
    let start = stepper.energy().total();
    let (mut energy, mut apart, mut pins) = (0.0_f64, 0.0_f64, [0.0; 2]);
    for _ in 0..(4.0 / h).round() as usize {
        stepper.step(h).unwrap();
        energy = energy.max((stepper.energy().total() - start).abs());
        system.pin_distances(&stepper.state().q, &mut pins);
        apart = apart.max(pins[0]).max(pins[1]);
    }
    (energy, apart)
}

#[test]
fn double_pendulum_keeps_its_energy_to_order_two_and_its_pins_closed() {
    let (coarse, coarse_pins) = double_pendulum_drift(4e-3);
    let (fine, fine_pins) = double_pendulum_drift(2e-3);
    let order = (coarse / fine).log2();
    assert!((1.8..2.3).contains(&order), "energy errors {coarse:e} J, {fine:e} J: order {order}");
    assert!(coarse < 1e-2, "energy error {coarse:e} J");
    assert!(coarse_pins <= 1e-10 && fine_pins <= 1e-10, "pins {coarse_pins:e} m, {fine_pins:e} m");
}

#[test]
fn double_pendulum_energy_error_does_not_grow() {
    let mut stepper = midpoint(double_pendulum(-0.6, -1.2).build().unwrap());
    let start = stepper.energy().total();
    let mut worst = [0.0_f64; 2];
    for half in &mut worst {
        for _ in 0..5000 {
            stepper.step(4e-3).unwrap();
            *half = half.max((stepper.energy().total() - start).abs());
        }
    }
    assert!(worst[1] < 1.5 * worst[0], "largest error in two periods of 20 s: {worst:?} J");
}

/// Arithmetic-geometric mean.
fn agm(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 4.0 * f64::EPSILON * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// Angle from the vertical (rad) at `5/4` of the exact period, where it should vanish.
///
/// `T = 2π √(I / (m g s)) / agm(1, cos(θ₀/2))` with the amplitude `θ₀` and the inertia `I` about the hinge.
fn pendulum_error(steps: u32) -> f64 {
    let (length, amplitude) = (1.2, 2.0_f64);
    let mut model = hinged_rod(length, 1.0, 9.81);
    let angle = amplitude - 0.5 * PI;
    model.bodies[0] = model.bodies[0].clone().with_pose([0.6 * angle.cos(), 0.6 * angle.sin()], angle);
    let small = 2.0 * PI * (2.0 / 3.0 * length / 9.81).sqrt();
    let period = small / agm(1.0, (0.5 * amplitude).cos());
    let mut stepper = midpoint(model.build().unwrap());
    for _ in 0..steps {
        stepper.step(1.25 * period / f64::from(steps)).unwrap();
    }
    (stepper.state().q[2] + 0.5 * PI).abs()
}

#[test]
fn pendulum_converges_to_the_elliptic_period_with_order_two() {
    let (coarse, fine) = (pendulum_error(400), pendulum_error(800));
    let order = (coarse / fine).log2();
    assert!((1.9..2.1).contains(&order), "errors {coarse:e}, {fine:e} rad: order {order}");
    assert!(fine < 1e-4, "error {fine:e} rad");
}

#[test]
fn free_body_keeps_its_velocity_bits() {
    let body = Body::new("puck", 0.3, 0.07).with_pose([0.1, -2.0], 0.4).with_velocity([1.7, -0.3], 5.1);
    let mut stepper = midpoint(PlanarModel::new([0.0; 2]).with_body(body).build().unwrap());
    for _ in 0..1000 {
        stepper.step(1.3e-3).unwrap();
        assert_eq!(stepper.state().v, [1.7, -0.3, 5.1]);
    }
    let reached = &stepper.state().q;
    for (q, exact) in reached.iter().zip([0.1 + 1.7 * 1.3, -2.0 - 0.3 * 1.3, 0.4 + 5.1 * 1.3]) {
        assert!((q - exact).abs() < 1e-12, "{q} instead of {exact}");
    }
}

/// Two free bodies, and a spring with damper between points off their centres.
fn dumbbell(stiffness: f64, damping: f64) -> PlanarModel {
    let between = [Point::on("left", [0.2, 0.3]), Point::on("right", [-0.4, 0.1])];
    PlanarModel::new([0.0; 2])
        .with_body(Body::new("left", 2.0, 0.5).with_pose([-1.0, 0.0], 0.3).with_velocity([0.4, 1.0], -2.0))
        .with_body(Body::new("right", 0.7, 0.2).with_pose([1.0, 0.5], -0.8).with_velocity([-0.1, -1.5], 3.0))
        .with_spring(SpringDamper { between, stiffness, damping, length: 0.9 })
}

/// Linear momentum (N s) and angular momentum about the origin (N m s).
fn momentum(solver: &DaeSolver<PlanarSystem>) -> [f64; 3] {
    let (q, v) = (&solver.state().q, &solver.state().v);
    let mut p = vec![0.0; v.len()];
    solver.system().mass_product(q, v, &mut p);
    let mut sum = [0.0; 3];
    for (q, p) in q.chunks_exact(3).zip(p.chunks_exact(3)) {
        sum[0] += p[0];
        sum[1] += p[1];
        sum[2] += q[0] * p[1] - q[1] * p[0] + p[2];
    }
    sum
}

#[test]
fn internal_forces_keep_the_linear_and_angular_momentum() {
    let mut stepper = midpoint(dumbbell(80.0, 0.6).build().unwrap());
    let start = momentum(&stepper);
    for _ in 0..1000 {
        stepper.step(5e-3).unwrap();
        for (now, then) in momentum(&stepper).iter().zip(start) {
            assert!((now - then).abs() < 1e-11, "momentum {now} instead of {then}");
        }
    }
}

/// Takes a step; returns the energy (J) dissipated at the power in its middle.
fn dissipate(solver: &mut DaeSolver<PlanarSystem>, h: f64) -> f64 {
    let before = solver.state().clone();
    solver.step(h).unwrap();
    let mean = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| 0.5 * (x + y)).collect::<Vec<_>>();
    let after = solver.state();
    let (q, v) = (mean(&before.q, &after.q), mean(&before.v, &after.v));
    h * solver.system().dissipated_power(Motion { t: after.time - 0.5 * h, q: &q, v: &v })
}

/// `|ΔE + ∫ c ℓ̇² dt|` (J) over 1 s, and what is dissipated.
fn dumbbell_balance(h: f64) -> (f64, f64) {
    let mut stepper = midpoint(dumbbell(80.0, 3.0).build().unwrap());
    let start = stepper.energy().total();
    let dissipated = (0..(1.0 / h).round() as usize).map(|_| dissipate(&mut stepper, h)).sum::<f64>();
    ((stepper.energy().total() - start + dissipated).abs(), dissipated)
}

#[test]
fn spring_and_damper_balance_their_energy_with_order_two() {
    let ((coarse, dissipated), (fine, _)) = (dumbbell_balance(4e-3), dumbbell_balance(2e-3));
    let order = (coarse / fine).log2();
    assert!(dissipated > 0.5, "only {dissipated} J dissipated");
    assert!((1.8..2.2).contains(&order), "errors {coarse:e}, {fine:e} J: order {order}");
}

#[test]
fn radial_spring_and_damper_balance_their_energy_in_every_step() {
    let between = [Point::ground([0.0, 0.0]), Point::on("mass", [0.0, 0.0])];
    let spring = SpringDamper { between, stiffness: 40.0, damping: 0.8, length: 0.5 };
    let body = Body::new("mass", 1.0, 1.0).with_pose([0.6, 0.8], 0.0);
    let model = PlanarModel::new([0.0; 2]).with_body(body).with_spring(spring);
    let mut stepper = midpoint(model.build().unwrap());
    assert!((stepper.energy().total() - 5.0).abs() < 1e-13, "½ 40 (1 − 0.5)² = 5 J");
    for _ in 0..500 {
        let before = stepper.energy().total();
        let dissipated = dissipate(&mut stepper, 1e-2);
        let numerical = stepper.energy().total() - before + dissipated;
        assert!(dissipated >= 0.0 && numerical.abs() < 1e-12, "{dissipated} J, {numerical:e} J");
    }
    assert!(stepper.energy().total() < 0.5);
}

/// Rotor blade at the droop stop: 7.5 m, 9 kg/m, gravity 10 m/s², first moment `S₁ = ½ m L`, inertia `I = ⅓ m L²`.
#[test]
fn horizontal_rod_droops_with_the_closed_form_acceleration() {
    let system = hinged_rod(7.5, 9.0, 10.0).build().unwrap();
    let start = (0.0, system.initial_position().to_vec(), system.initial_velocity().to_vec());
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let stepper = DaeSolver::new(system, rule, DaeSettings::default(), start).unwrap();
    let (first_moment, inertia) = (0.5 * 67.5 * 7.5, 67.5 * 7.5 * 7.5 / 3.0);
    let acceleration: f64 = -10.0 * first_moment / inertia;
    assert!((acceleration + 2.0).abs() < 1e-15);
    for (a, exact) in stepper.state().a.iter().zip([0.0, 3.75 * acceleration, acceleration]) {
        assert!((a - exact).abs() < 1e-12, "{a} instead of {exact}");
    }
}

/// The same rod hanging: `ω² = g S₁ / I = 2`; after one period the angle is back to its first value, after a quarter
/// at zero.
#[test]
fn hanging_rod_swings_with_the_closed_form_frequency() {
    let (amplitude, angle) = (1e-4, 1e-4 - 0.5 * PI);
    let mut model = hinged_rod(7.5, 9.0, 10.0);
    model.bodies[0] = model.bodies[0].clone().with_pose([3.75 * angle.cos(), 3.75 * angle.sin()], angle);
    let mut stepper = midpoint(model.build().unwrap());
    let quarter = 0.5 * PI / 2.0_f64.sqrt();
    for _ in 0..1000 {
        stepper.step(quarter / 1000.0).unwrap();
    }
    assert!((stepper.state().q[2] + 0.5 * PI).abs() < 1e-6 * amplitude);
    let speed = amplitude * 2.0_f64.sqrt();
    assert!((stepper.state().v[2] + speed).abs() < 1e-5 * speed);
}

#[test]
fn impulse_at_the_droop_stop_reverses_the_contact_point() {
    let mut model = hinged_rod(7.5, 9.0, 10.0);
    model.bodies[0] = model.bodies[0].clone().with_velocity([0.0, -3.75], -1.0);
    let system = model.build().unwrap();
    let stop = PlaneContact {
        name: "stop".to_owned(),
        point: Point::on("rod", [-3.45, 0.0]),
        plane: [0.0, 0.0],
        normal: [0.0, 1.0],
    };
    let row = PointRow::gaps(&system, &[stop]).unwrap()[0];
    let mut stepper = midpoint(system);
    let rate = |solver: &DaeSolver<PlanarSystem>| row.velocity(&solver.state().q, &solver.state().v);
    assert_eq!(row.position(&stepper.state().q), 0.0);
    assert!((rate(&stepper) + 0.3).abs() < 1e-15);

    let (mut change, mut damped) = (DMatrix::zeros(3, 1), DMatrix::zeros(3, 1));
    row.add_force(&stepper.state().q, 1.0, change.as_mut_slice());
    stepper.prepare_jump(1e-6, &mut change, &mut damped).unwrap();
    let inverse_mass = row.velocity(&stepper.state().q, change.as_slice());
    let exact = 0.3 * 0.3 / (67.5 * 7.5 * 7.5 / 3.0);
    assert!((inverse_mass / exact - 1.0).abs() < 1e-10, "{inverse_mass} instead of {exact} 1/kg");

    change *= 1.8 * 0.3 / inverse_mass;
    stepper.jump(&[], change.as_slice()).unwrap();
    assert!((rate(&stepper) - 0.8 * 0.3).abs() < 1e-12);
    assert!((stepper.state().v[2] - 0.8).abs() < 1e-12);
}

#[test]
fn spring_of_zero_length_gives_finite_forces() {
    for (length, damping) in [(0.0, 0.0), (0.0, 3.0), (0.7, 3.0)] {
        let between = [Point::on("a", [0.5, 0.0]), Point::ground([0.5, 0.0])];
        let spring = SpringDamper { between, stiffness: 100.0, damping, length };
        let body = Body::new("a", 1.0, 1.0).with_velocity([0.3, 0.2], 1.0);
        let system = PlanarModel::new([0.0; 2]).with_body(body).with_spring(spring).build().unwrap();
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let mut dense = Dense::new(&system);
        let motion = Motion { t: 0.0, q, v };
        system.tangents(motion, &[0.0; 3], &[], &mut dense);
        assert_eq!(balance(&system, (0.0, q, v), &[0.0; 3], &[]), [0.0; 3]);
        assert!(dense.stiffness.iter().chain(dense.damping.iter()).all(|x| x.is_finite()));
        assert!(system.energy(motion).total().is_finite());
    }
}

#[test]
fn spring_without_free_length_is_linear() {
    let between = [Point::on("a", [0.0, 0.0]), Point::ground([0.0, 0.0])];
    let spring = SpringDamper { between, stiffness: 100.0, damping: 0.0, length: 0.0 };
    let model = PlanarModel::new([0.0; 2]).with_body(Body::new("a", 1.0, 1.0)).with_spring(spring);
    let system = model.build().unwrap();
    for x in [1e-12, 1e-9, 1e-3, 10.0] {
        let force = balance(&system, (0.0, &[x, -2.0 * x, 0.3], &[0.0; 3]), &[0.0; 3], &[]);
        for (found, exact) in force.iter().zip([100.0 * x, -200.0 * x, 0.0]) {
            assert!((found - exact).abs() <= 1e-15 * (100.0 * x).abs() * 4.0, "{found} instead of {exact}");
        }
    }
}
