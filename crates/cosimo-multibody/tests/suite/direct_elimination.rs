//! Direct elimination of the multipliers, `a = M⁻¹ (f − Φᵀ μ)`, `μ = (Φ M⁻¹ Φᵀ)⁻¹ (Φ M⁻¹ f + γ)`, carried out densely with the
//! public matrices of a system, against the formulations that impose accelerations.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::differences::Dense;
use crate::mechanisms::diagonal;
use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, DaeState, Formulation, Method};
use nalgebra::{DMatrix, DVector, UnitQuaternion, Vector3};

const ALPHA: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };
const FEEDBACK: [f64; 2] = [20.0, 30.0];

/// Numbers in (−1, 1) from a seed.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 / (1_u64 << 52) as f64) - 1.0
    }

    fn vector(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }
}

/// A loop in space, crank, rod and slider, with a bob on the rod, all somewhere, moving somehow; springs and a damper.
fn mechanism(seed: u64) -> SpatialModel {
    let random = &mut Random(seed);
    let mut model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    for (name, x) in [("crank", 0.0), ("rod", 1.5), ("slider", 3.0), ("bob", 1.5)] {
        let properties = RigidBody::new(1.0 + 0.5 * random.number(), diagonal(0.1, 0.12, 0.15)).unwrap();
        let [dx, y, z] = random.vector();
        let body = Body::new(name, properties)
            .with_centre_of_mass(random.vector().map(|x| 0.1 * x))
            .with_position([x + 0.3 * dx, y, z])
            .with_orientation(UnitQuaternion::from_scaled_axis(Vector3::from(random.vector()) * 2.0));
        model = model.with_body(body.with_velocity(random.vector(), random.vector().map(|x| 2.0 * x)));
    }
    for (name, kind, bodies, x) in [
        ("bearing", JointKind::Revolute, [None, Some("crank")], -0.5),
        ("big end", JointKind::Spherical, [Some("crank"), Some("rod")], 0.8),
        ("small end", JointKind::Universal, [Some("rod"), Some("slider")], 2.2),
        ("guide", JointKind::Cylindrical, [None, Some("slider")], 3.5),
        ("hook", JointKind::Spherical, [Some("rod"), Some("bob")], 1.5),
    ] {
        let [dx, y, z] = random.vector();
        model = model.with_joint_at(name, kind, bodies, ([x + 0.1 * dx, 0.5 * y, 0.5 * z], random.vector()));
    }
    let spring = ForceKind::Spring { stiffness: 40.0, damping: 0.5, free_length: 1.0, preload: 0.3 };
    let wire = ForceKind::Spring { stiffness: 20.0, damping: 0.0, free_length: 2.0, preload: 0.0 };
    let ends = |body: &str| Frame::on(body, [0.1, -0.2, 0.3]);
    model
        .with_force(Force::new("spring", spring, Frame::ground([1.0, 3.0, 2.0]), ends("bob")))
        .with_force(Force::new("wire", wire, ends("crank"), ends("slider")))
}

/// Accelerations and multipliers at a motion by dense elimination, with feedback of drift, `2 α φ̇ + β² φ`.
fn eliminated(system: &SpatialSystem, motion: Motion<'_>, [alpha, beta]: [f64; 2]) -> [DVector<f64>; 2] {
    let (n, m) = (system.structure().velocities(), system.structure().rows());
    let mut dense = Dense::new(system);
    system.masses(motion.q, &mut dense);
    system.jacobian(motion.t, motion.q, &mut dense);
    let (mass, jacobian) = (dense.mass.lu(), dense.jacobian);
    let still = vec![0.0; n];
    let mut force = vec![0.0; n];
    system.balance(motion, &still, &vec![0.0; m], &mut force);
    let force = -DVector::from_vec(force);
    let level = |level| {
        let mut rows = vec![0.0; m];
        system.constraints(level, motion, &still, &mut rows);
        DVector::from_vec(rows)
    };
    let gamma = level(Level::Acceleration)
        + level(Level::Velocity) * (2.0 * alpha)
        + level(Level::Position) * (beta * beta);
    let mobility: DMatrix<f64> = &jacobian * mass.solve(&jacobian.transpose()).unwrap();
    let mu = mobility.lu().solve(&(&jacobian * mass.solve(&force).unwrap() + gamma)).unwrap();
    [mass.solve(&(force - jacobian.transpose() * &mu)).unwrap(), mu]
}

fn motion(state: &DaeState) -> Motion<'_> {
    Motion { t: state.time, q: &state.q, v: &state.v }
}

#[track_caller]
fn assert_eliminated(solver: &DaeSolver<SpatialSystem>, feedback: [f64; 2], tolerance: f64) {
    let state = solver.state();
    let [a, mu] = eliminated(solver.system(), motion(state), feedback);
    for (found, exact) in [(&state.a, a), (&state.mu, mu)] {
        let apart = (DVector::from_column_slice(found) - &exact).amax();
        assert!(apart < tolerance * (1.0 + exact.amax()), "{apart:e} of {:e}", exact.amax());
    }
}

/// At random states of random mechanisms, and after steps from them, drift included.
#[test]
fn accelerations_and_multipliers_are_those_of_direct_elimination() {
    let [alpha, beta] = FEEDBACK;
    for seed in 1..=30 {
        for (formulation, feedback) in [
            (Formulation::Acceleration, [0.0; 2]),
            (Formulation::Baumgarte { alpha, beta }, FEEDBACK),
            (Formulation::PositionVelocityAcceleration, [0.0; 2]),
        ] {
            let settings = DaeSettings { formulation, tolerance: 1e-15, ..DaeSettings::default() };
            let mut solver = crate::mechanisms::start(mechanism(seed), ALPHA, settings);
            assert!(solver.redundant_rows().is_empty());
            assert_eliminated(&solver, [0.0; 2], 1e-11);
            for _ in 0..10 {
                solver.step(5e-3).unwrap();
                assert_eliminated(&solver, feedback, 1e-10);
            }
            if formulation == Formulation::Acceleration {
                assert!(solver.violation(Level::Position) > 1e-9, "there is drift to be eliminated with");
            }
        }
    }
}

/// The motion of the eliminated equations by the classical Runge-Kutta rule.
fn followed(system: &SpatialSystem, state: &DaeState, (end, steps): (f64, usize)) -> DaeState {
    let coordinates = system.structure().coordinates();
    let n = state.v.len();
    let (mut state, h) = (state.clone(), (end - state.time) / steps as f64);
    for _ in 0..steps {
        let mut slopes: Vec<[DVector<f64>; 2]> = Vec::new();
        for share in [0.0, 0.5, 0.5, 1.0] {
            let mut stage = state.clone();
            let mut x = DVector::zeros(n);
            if let Some([rate, acceleration]) = slopes.last() {
                x = rate * (share * h);
                stage.v.iter_mut().zip(acceleration.iter()).for_each(|(v, a)| *v += share * h * a);
            }
            coordinates.move_by(&state.q, x.as_slice(), &mut stage.q);
            let mut rate = DVector::zeros(n);
            coordinates.rate(x.as_slice(), &stage.v, rate.as_mut_slice());
            slopes.push([rate, eliminated(system, motion(&stage), [0.0; 2])[0].clone()]);
        }
        let sum = |k: usize| {
            (&slopes[0][k] + &slopes[1][k] * 2.0 + &slopes[2][k] * 2.0 + &slopes[3][k]) * (h / 6.0)
        };
        let q = state.q.clone();
        coordinates.move_by(&q, sum(0).as_slice(), &mut state.q);
        state.v.iter_mut().zip(sum(1).iter()).for_each(|(v, d)| *v += d);
        state.time += h;
    }
    state
}

/// Runs meet that motion to the order of their rule.
#[test]
fn runs_follow_the_eliminated_equations() {
    let [alpha, beta] = FEEDBACK;
    let end = 0.2;
    for seed in [3, 8] {
        let begin = |method, formulation| {
            let settings = DaeSettings { formulation, tolerance: 1e-14, ..DaeSettings::default() };
            crate::mechanisms::start(mechanism(seed), method, settings)
        };
        let first = begin(ALPHA, Formulation::Acceleration);
        let exact = followed(first.system(), first.state(), (end, 400));
        for formulation in [Formulation::Acceleration, Formulation::Baumgarte { alpha, beta }] {
            for (method, order, h) in [
                (ALPHA, 2.0, 1e-3),
                (Method::Multistep { spectral_radius: 0.6 }, 2.0, 1e-3),
                (Method::Bdf { order: 3 }, 3.0, 1e-3),
            ] {
                let error = |h: f64| {
                    let mut solver = begin(method, formulation);
                    solver.advance_to(end, h).unwrap();
                    let pairs = solver.state().q.iter().zip(&exact.q);
                    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
                };
                let [coarse, fine] = [h, 0.5 * h].map(error);
                let found = (coarse / fine).log2();
                assert!((found - order).abs() < 0.3, "{method:?}, {formulation:?}: {coarse:e} to {fine:e}");
            }
        }
    }
}
