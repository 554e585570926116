//! Modes of the sparse method beside those of dense matrices in an orthonormal null space of the constraints.

use super::*;
use crate::modes::Turning;
use crate::spatial::{
    Beam, Body, Force, ForceKind, Frame, JointKind, RigidBody, Section, SectionInertia, SectionStiffness,
    SpatialModel, SpatialSystem,
};
use cosimo_linear::eigenvalues;
use nalgebra::{Matrix2, Matrix3, Matrix6, UnitQuaternion, Vector2, Vector3, Vector6};

/// All eigenvalues by dense matrices, slowest first.
fn dense(system: &SpatialSystem, equilibrium: &Equilibrium, near: f64) -> Vec<Complex<f64>> {
    let matrices = equilibrium.linearised(system);
    let n = matrices.size();
    let full = |of: Of| {
        let mut out = DMatrix::zeros(n, n);
        matrices.sum(&[(of, 1.0)]).into_iter().for_each(|(i, j, x)| out[(i, j)] += x);
        out
    };
    // The last columns of the factor Q of [Φᵀ, 1].
    let rows = system.structure().rows();
    let mut wide = DMatrix::<f64>::zeros(n, n + rows);
    wide.columns_mut(rows, n).fill_with_identity();
    matrices.jacobian.iter().for_each(|(i, j, x)| wide[(*j, *i)] += x);
    let along = wide.qr().q().columns(rows, n - rows).into_owned();
    let [m, c, k] = [Of::Mass, Of::Damping, Of::Stiffness].map(|of| along.transpose() * full(of) * &along);
    let size = n - rows;
    let dynamic = (&m * (near * near) + &c * near + &k).lu();
    let [f, g] = [&m * near + &c, m * near].map(|right| dynamic.solve(&-right).unwrap());
    let mut inverse = DMatrix::zeros(2 * size, 2 * size);
    inverse.view_mut((0, 0), (size, size)).copy_from(&f);
    inverse.view_mut((0, size), (size, size)).copy_from(&g);
    inverse.view_mut((size, 0), (size, size)).copy_from(&(DMatrix::identity(size, size) / near + f));
    inverse.view_mut((size, size), (size, size)).copy_from(&g);
    let mut found: Vec<_> =
        eigenvalues(&inverse).unwrap().into_iter().map(|inverse| inverse.inv() + near).collect();
    found.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    found.retain(|value| value.im >= 0.0);
    found
}

fn check(system: &SpatialSystem, speed: f64, (count, near): (usize, f64)) {
    let turning = Turning::about_origin([0.0, 0.0, speed]);
    let found = Equilibrium::find(system, 0.0, &system.initial_position(), turning).unwrap();
    let mut sparse = modes(system, &found, (count, near)).unwrap();
    let mut dense = dense(system, &found, near);
    assert_eq!(sparse.len(), count);
    // Double eigenvalues of zero split by the root of the round-off.
    sparse.retain(|mode| mode.eigenvalue.norm() > 1e-3 * near);
    dense.retain(|value| value.norm() > 1e-3 * near);
    for mode in &sparse {
        let (nearest, _) = dense
            .iter()
            .enumerate()
            .min_by(|a, b| (a.1 - mode.eigenvalue).norm().total_cmp(&(b.1 - mode.eigenvalue).norm()))
            .unwrap();
        // Each once: repeated ones must be as often in both.
        let other = dense.remove(nearest);
        let off = (other - mode.eigenvalue).norm();
        assert!(off <= 1e-8 * (other.norm() + near), "{} instead of {other}: {off:e}", mode.eigenvalue);
    }
    // None is left out.
    let last = sparse.last().unwrap().eigenvalue.norm();
    assert!(dense.first().is_none_or(|next| next.norm() >= last * (1.0 - 1e-6)), "{dense:?} beside {last}");
}

fn beam(name: &str, azimuth: f64, elements: usize, speed: f64) -> Beam {
    let stiffness = SectionStiffness::new(1e6, [1e6; 2], 0.5, [1.0, 3.0]).matrix();
    let second_moment = Matrix2::new(1e-4, 0.0, 0.0, 0.0);
    let inertia = SectionInertia { mass: 1.0, centre: Vector2::zeros(), second_moment };
    let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * azimuth);
    let section = Section { stiffness, inertia, twist: 0.0 };
    Beam::straight(name, ([0.0; 3], turn), &Beam::even(0.1, 1.0, elements), section)
        .moving([0.0; 3], [0.0, 0.0, speed])
}

/// Blades on a hub that turns about `z`.
fn rotor(blades: usize, elements: usize, speed: f64) -> SpatialSystem {
    let hub = RigidBody::new(1.0, Matrix3::identity()).unwrap();
    let mut model = SpatialModel::new().with_body(Body::new("hub", hub));
    let stiff = |size: f64| Box::new(Matrix6::from_diagonal_element(size));
    let bushing = ForceKind::Bushing { stiffness: stiff(1e3), damping: stiff(0.3) };
    if speed == 0.0 {
        let (ground, own) = (Frame::ground([0.0; 3]), Frame::on("hub", [0.0; 3]));
        model = model.with_force(Force::new("support", bushing, ground, own));
    } else {
        let at = ([0.0; 3], [0.0, 0.0, 1.0]);
        model = model.with_joint_at("shaft", JointKind::Revolute, [None, Some("hub")], at);
    }
    for blade in 0..blades {
        let azimuth = std::f64::consts::TAU * blade as f64 / blades as f64;
        let name = format!("blade_{blade}");
        let root = format!("{name}.0");
        let (sin, cos) = azimuth.sin_cos();
        model = model.with_beam(&beam(&name, azimuth, elements, speed)).unwrap();
        let at = ([0.1 * cos, 0.1 * sin, 0.0], [0.0, 0.0, 1.0]);
        model =
            model.with_joint_at(format!("root {blade}"), JointKind::Fixed, [Some("hub"), Some(&root)], at);
    }
    model.build().unwrap()
}

#[test]
fn blades_that_are_alike_have_the_modes_of_dense_matrices() {
    check(&rotor(3, 8, 0.0), 0.0, (24, 20.0));
    check(&rotor(5, 6, 0.0), 0.0, (30, 20.0));
}

#[test]
fn a_turning_rotor_has_the_modes_of_dense_matrices() {
    check(&rotor(3, 8, 6.0), 6.0, (20, 20.0));
}

#[test]
fn free_chains_have_the_modes_of_dense_matrices() {
    let model = SpatialModel::new().with_beam(&beam("free", 0.3, 24, 0.0)).unwrap();
    check(&model.build().unwrap(), 0.0, (24, 20.0));
}

/// Bodies in a row on bushings that differ at random.
#[test]
fn random_chains_have_the_modes_of_dense_matrices() {
    let mut seed = 7_u64;
    let mut any = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut model = SpatialModel::new();
    for k in 0..30 {
        let name = format!("b{k}");
        let own = RigidBody::new(0.5 + any(), Matrix3::from_diagonal_element(0.1 + 0.1 * any())).unwrap();
        model = model.with_body(Body::new(&name, own).with_position([f64::from(k), 0.0, 0.0]));
        let root = Matrix6::from_fn(|_, _| any() - 0.5);
        let stiffness = Box::new(root * root.transpose() * 100.0 + Matrix6::identity() * 10.0);
        let bushing = ForceKind::Bushing { stiffness, damping: Box::new(Matrix6::identity() * 0.05) };
        let place = [f64::from(k) - 0.5, 0.0, 0.0];
        let before =
            if k == 0 { Frame::ground(place) } else { Frame::on(format!("b{}", k - 1), [0.5, 0.0, 0.0]) };
        let own = Frame::on(&name, [-0.5, 0.0, 0.0]);
        model = model.with_force(Force::new(format!("f{k}"), bushing, before, own));
        if k % 7 == 3 {
            let other = format!("b{}", k - 1);
            let at = (place, [0.0, 0.0, 1.0]);
            model =
                model.with_joint_at(format!("j{k}"), JointKind::Spherical, [Some(&other), Some(&name)], at);
        }
    }
    check(&model.build().unwrap(), 0.0, (20, 2.0));
}

/// Bodies on bushings of their own, the first with a decay of 3/s along `x` beside vibrations of 4 rad/s to 9 rad/s and faster ones.
fn with_slow_decay(bodies: usize) -> SpatialSystem {
    let mut model = SpatialModel::new();
    for k in 0..bodies {
        let name = format!("b{k}");
        let place = [k as f64, 0.0, 0.0];
        let own = RigidBody::new(1.0, Matrix3::identity()).unwrap();
        model = model.with_body(Body::new(&name, own).with_position(place));
        let frequency = |i: usize| 4.0 + 5.0 * (6 * k + i) as f64 / 12.0;
        let mut stiffness = Matrix6::from_fn(|i, j| if i == j { frequency(i).powi(2) } else { 0.0 });
        let mut damping = Matrix6::identity() * 0.01;
        if k == 0 {
            // (λ + 3) (λ + 30).
            (stiffness[(0, 0)], damping[(0, 0)]) = (90.0, 33.0);
        }
        let bushing = ForceKind::Bushing { stiffness: Box::new(stiffness), damping: Box::new(damping) };
        let (ground, own) = (Frame::ground(place), Frame::on(&name, [0.0; 3]));
        model = model.with_force(Force::new(format!("f{k}"), bushing, ground, own));
    }
    model.build().unwrap()
}

/// A decay is farther from the shift than vibrations of three times its size.
#[test]
fn slow_decays_are_found_beside_vibrations() {
    for bodies in [2, 20] {
        let system = with_slow_decay(bodies);
        for count in [1, 3] {
            check(&system, 0.0, (count, 10.0));
        }
        let at_rest = Turning::about_origin([0.0; 3]);
        let found = Equilibrium::find(&system, 0.0, &system.initial_position(), at_rest).unwrap();
        let slowest = modes(&system, &found, (1, 10.0)).unwrap()[0].eigenvalue;
        assert!((slowest + 3.0).norm() < 1e-8, "{slowest}");
    }
}

/// Vibrations that are all alike beside motions that nothing holds: of a body on springs without torsion `λ = ±i √(k/m)` thrice, and
/// zero six times.
#[test]
fn equal_vibrations_are_found_beside_free_motions() {
    for mass in [0.3, 0.7, 1.0, 2.0, 3.0, 7.0] {
        for stiffness in [10.0, 1000.0, 1e6] {
            let own = RigidBody::new(mass, Matrix3::from_diagonal(&Vector3::new(0.03, 0.03, 0.05))).unwrap();
            let along = Vector6::new(stiffness, stiffness, stiffness, 0.0, 0.0, 0.0);
            let bushing = ForceKind::Bushing {
                stiffness: Box::new(Matrix6::from_diagonal(&along)),
                damping: Box::new(Matrix6::zeros()),
            };
            let (ground, end) = (Frame::ground([0.0; 3]), Frame::on("b", [0.0; 3]));
            let model = SpatialModel::new().with_body(Body::new("b", own));
            let system = model.with_force(Force::new("k", bushing, ground, end)).build().unwrap();
            let at_rest = Turning::about_origin([0.0; 3]);
            let found = Equilibrium::find(&system, 0.0, &system.initial_position(), at_rest).unwrap();
            for near in [1.0, 10.0, 62.831_853] {
                let found = modes(&system, &found, (9, near)).unwrap();
                let frequency = (stiffness / mass).sqrt();
                let exact =
                    |own: &&Mode| (own.eigenvalue - Complex::new(0.0, frequency)).norm() < 1e-8 * frequency;
                let zero = |own: &&Mode| own.eigenvalue.norm() < 1e-5 * frequency;
                let count = [found.iter().filter(exact).count(), found.iter().filter(zero).count()];
                assert_eq!(count[0], 3, "{mass} {stiffness} {near}: {found:?}");
                assert!(count[0] + count[1] == found.len(), "{found:?}");
            }
        }
    }
}
