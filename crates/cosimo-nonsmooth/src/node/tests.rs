//! Derivatives of the rows, and what is refused.

use super::*;
use cosimo_mechanics::ContactLaw;

fn turning_plane() -> MovingPlanes {
    let motion = PlaneMotion {
        velocity: Vector3::new(0.1, -0.2, 0.3),
        amplitude: Vector3::new(0.0, 0.05, 0.02),
        frequency: 7.0,
        phase: 0.3,
        angular_velocity: Vector3::new(0.4, -1.0, 0.2),
        ..PlaneMotion::at_rest(Vector3::new(0.0, 0.1, -1.0), Vector3::new(0.3, 0.1, 2.0))
    };
    MovingPlanes::new(
        vec![MovingPlane { name: "stop".into(), motion, law: ContactLaw::with_friction(0.5, 0.3) }],
        0.1,
    )
    .unwrap()
}

/// A sphere that turns over a plane in translation.
fn spinning_sphere() -> MovingPlanes {
    let mut planes = turning_plane().planes;
    planes[0].motion.angular_velocity = Vector3::zeros();
    MovingPlanes::with_spin(planes, 0.1, true).unwrap()
}

/// A sphere that turns over a plane that does.
fn sphere_on_a_turning_plane() -> MovingPlanes {
    MovingPlanes::with_spin(turning_plane().planes, 0.1, true).unwrap()
}

const Q: [f64; 6] = [0.5, -0.3, 0.8, 0.2, -0.1, 0.4];
const V: [f64; 6] = [1.0, 2.0, -0.7, 3.0, -2.0, 0.5];

#[test]
fn rates_are_the_derivative_of_gaps() {
    let (t, d) = (0.37, 1e-6);
    for (planes, n) in [(turning_plane(), 3), (spinning_sphere(), 6)] {
        let positions = |t: f64, shift: f64| {
            let moved: Vec<f64> = Q.iter().zip(V).take(n).map(|(x, v)| x + shift * v).collect();
            let mut out = [0.0; 3];
            planes.positions(t, &moved, &mut out);
            out
        };
        let mut rates = [0.0; 3];
        planes.velocities(t, &Q[..n], &V[..n], &mut rates);
        let (plus, minus) = (positions(t + d, d), positions(t - d, -d));
        for (k, rate) in rates.iter().enumerate() {
            let difference = (plus[k] - minus[k]) / (2.0 * d);
            assert!((rate - difference).abs() < 1e-8, "row {k}: {rate} {difference}");
        }
    }
}

/// The slip is the velocity of the sphere's lowest point over the point of the plane there.
#[test]
fn slips_are_velocities_of_the_surface_over_the_plane() {
    let (planes, t) = (turning_plane(), 0.37);
    let motion = &planes.planes[0].motion;
    let (n, x) = (motion.normal_at(t), Vector3::new(Q[0], Q[1], Q[2]));
    let arm = x - n * 0.1 - motion.point_at(t);
    let of_plane = motion.point_velocity_at(t) + motion.angular_velocity.cross(&arm);
    let over = Vector3::new(V[0], V[1], V[2]) - of_plane;
    let mut rates = [0.0; 3];
    planes.velocities(t, &Q[..3], &V[..3], &mut rates);
    for (rate, tangent) in rates[1..].iter().zip(motion.tangents()) {
        assert!((rate - motion.with_orientation(&tangent, t).dot(&over)).abs() < 1e-14);
    }

    for sphere in [spinning_sphere(), sphere_on_a_turning_plane()] {
        let motion = &sphere.planes[0].motion;
        let to_contact = motion.normal_at(t) * -0.1;
        let surface = Vector3::new(V[0], V[1], V[2]) + Vector3::new(V[3], V[4], V[5]).cross(&to_contact);
        let arm = x + to_contact - motion.point_at(t);
        let of_plane = motion.point_velocity_at(t) + motion.angular_velocity.cross(&arm);
        sphere.velocities(t, &Q, &V, &mut rates);
        for (rate, tangent) in rates[1..].iter().zip(motion.tangents()) {
            assert!((rate - motion.with_orientation(&tangent, t).dot(&(surface - of_plane))).abs() < 1e-14);
        }
    }
}

#[test]
fn jacobian_and_gradient_agree_with_differences() {
    let (t, d) = (0.37, 1e-6);
    for (planes, n) in [(turning_plane(), 3), (spinning_sphere(), 6), (sphere_on_a_turning_plane(), 6)] {
        let (mut jacobian, mut gradient) = (DMatrix::zeros(3, n), DMatrix::zeros(3, n));
        planes.jacobian(t, &Q[..n], 0, &mut jacobian);
        planes.velocity_gradient(t, &Q[..n], &V[..n], 0, &mut gradient);
        for j in 0..n {
            let at = |shift: f64| {
                let mut moved = Q;
                moved[j] += shift;
                let (mut positions, mut rates) = ([0.0; 3], [0.0; 3]);
                planes.positions(t, &moved[..n], &mut positions);
                planes.velocities(t, &moved[..n], &V[..n], &mut rates);
                (positions, rates)
            };
            let (plus, minus) = (at(d), at(-d));
            for k in 0..3 {
                assert!((jacobian[(k, j)] - (plus.0[k] - minus.0[k]) / (2.0 * d)).abs() < 1e-8);
                assert!((gradient[(k, j)] - (plus.1[k] - minus.1[k]) / (2.0 * d)).abs() < 1e-8);
            }
        }
    }
}

#[test]
fn bad_nodes_are_refused() {
    let plane = |normal| MovingPlane {
        name: "p".into(),
        motion: PlaneMotion::at_rest(Vector3::zeros(), normal),
        law: ContactLaw::frictionless(0.5),
    };
    assert!(MovingPlanes::new(vec![plane(Vector3::zeros())], 0.0).is_err());
    assert!(MovingPlanes::new(vec![plane(Vector3::z())], -1.0).is_err());
    assert!(MovingPlanes::point_mass(0.0, Vector3::zeros()).is_err());
    for law in [ContactLaw::frictionless(1.1), ContactLaw::with_friction(0.5, -0.1)] {
        assert!(MovingPlanes::new(vec![MovingPlane { law, ..plane(Vector3::z()) }], 0.0).is_err());
    }
}

#[test]
fn planes_at_rest_are_rows_of_constant_weights() {
    let plane = |normal: Vector3<f64>, point: Vector3<f64>, law| MovingPlane {
        name: "plane".into(),
        motion: PlaneMotion::at_rest(point, normal.normalize()),
        law,
    };
    let planes = || {
        let slope = plane(
            Vector3::new(0.3, -0.2, 1.0),
            Vector3::new(0.1, 0.5, -0.7),
            ContactLaw::with_friction(0.5, 0.3),
        );
        vec![slope, plane(Vector3::x(), Vector3::new(-2.0, 0.0, 0.0), ContactLaw::frictionless(0.2))]
    };
    for has_spin in [false, true] {
        let node = MovingPlanes::with_spin(planes(), 0.2, has_spin).unwrap();
        let rows = node.as_linear().unwrap();
        let n = if has_spin { 6 } else { 3 };
        let q: Vec<f64> = (0..n).map(|k| 0.3 * (k as f64 + 1.0).sin()).collect();
        let v: Vec<f64> = (0..n).map(|k| 0.7 * (2.0 * k as f64).cos()).collect();
        let read = |rows: &dyn RowMap| {
            let (mut z, mut rate) = (vec![0.0; rows.rows()], vec![0.0; rows.rows()]);
            rows.positions(0.4, &q, &mut z);
            rows.velocities(0.4, &q, &v, &mut rate);
            let mut jacobian = DMatrix::zeros(rows.rows(), n);
            rows.jacobian(0.4, &q, 0, &mut jacobian);
            [z, rate, jacobian.as_slice().to_vec()].concat()
        };
        assert_eq!((node.rows(), rows.rows()), (4, 4));
        for (own, linear) in read(&node).iter().zip(read(rows)) {
            assert!((own - linear).abs() < 1e-15, "{own} {linear}");
        }
    }
    let mut moving = planes();
    moving[1].motion.velocity = Vector3::z();
    assert!(MovingPlanes::new(moving, 0.2).unwrap().as_linear().is_none());
}
