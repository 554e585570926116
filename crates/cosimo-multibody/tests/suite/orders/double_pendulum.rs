//! The double pendulum of points; reactions by the accelerations of its masses.

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSolver, Method};
use nalgebra::Vector3;

use super::case::{Case, Quantities};
use super::{SECOND_ORDER, table};
use crate::mechanisms::{STABILISED, Z, diagonal};

/// Two masses of 1 kg at the ends of rods of 1 m without mass: the joints carry what the masses' accelerations ask for.
fn double_pendulum() -> SpatialModel {
    // Point masses have no inertia; that of the reference is met to the size of this one.
    let tiny = 1e-11;
    let mut model = SpatialModel::new().with_gravity([0.0, -9.81, 0.0]);
    for (k, name) in ["upper", "lower"].into_iter().enumerate() {
        let body = RigidBody::new(1.0, diagonal(tiny, tiny, tiny)).unwrap();
        model = model.with_body(Body::new(name, body).with_position([k as f64 + 1.0, 0.0, 0.0]));
    }
    let axis = |x: f64| ([x, 0.0, 0.0], Z);
    model.with_joint_at("support", JointKind::Revolute, [None, Some("upper")], axis(0.0)).with_joint_at(
        "elbow",
        JointKind::Revolute,
        [Some("upper"), Some("lower")],
        axis(1.0),
    )
}

/// From angles, rates and their rates.
fn masses_at(row: &[f64]) -> Quantities {
    let [mut x, mut v, mut a] = [Vector3::zeros(); 3];
    let g = Vector3::new(0.0, -9.81, 0.0);
    let mut masses = [[x; 3]; 2];
    for k in 0..2 {
        let ((s, c), rate, second) = (row[1 + k].sin_cos(), row[3 + k], row[5 + k]);
        let (along, down) = (Vector3::new(c, s, 0.0), Vector3::new(s, -c, 0.0));
        (x, v, a) = (x + down, v + along * rate, a + along * second - down * (rate * rate));
        masses[k] = [x, v, a];
    }
    let [[x1, v1, a1], [x2, v2, a2]] = masses;
    let both = |a: Vector3<f64>, b: Vector3<f64>| a.iter().chain(&b).copied().collect();
    vec![
        ("position", both(x1, x2)),
        ("velocity", both(v1, v2)),
        ("reaction", both(2.0 * g - a1 - a2, g - a2)),
    ]
}

fn masses_found(solver: &DaeSolver<SpatialSystem>) -> Quantities {
    let state = solver.state();
    let both = |x: &[f64], second: usize| [&x[..3], &x[second..second + 3]].concat();
    vec![("position", both(&state.q, 7)), ("velocity", both(&state.v, 6)), ("reaction", both(&state.mu, 5))]
}

#[test]
fn double_pendulum_of_points() {
    let rows = table("double_pendulum");
    let exact: Vec<_> = rows.iter().filter(|row| row[0] < 1.55).map(|row| (row[0], masses_at(row))).collect();
    let case = Case { model: &double_pendulum, exact: &exact, found: &masses_found, tolerance: 1e-12 };
    for formulation in STABILISED {
        for method in SECOND_ORDER {
            case.check(method, formulation, (1e-3, 2.0, 0.3));
        }
        case.check(Method::Bdf { order: 4 }, formulation, (2e-3, 4.0, 0.4));
    }
}
