//! The heavy top; reactions by its accelerations.

use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::{DaeSolver, Formulation, Method};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::case::{Case, Quantities};
use super::{SECOND_ORDER, table};
use crate::mechanisms::{self, STABILISED, diagonal};

/// Rules that are there for comparison, with their orders.
const OTHERS: [(Method, f64); 4] = [
    (Method::Hht { alpha: -0.1 }, 2.0),
    (Method::Newmark { gamma: 0.5 }, 2.0),
    (Method::Newmark { gamma: 0.6 }, 1.0),
    (Method::ImplicitEuler, 1.0),
];

fn vector(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(x)
}

/// A heavy top turns about its tip: `a = α × x + ω × (ω × x)` with `J α + ω × J ω = −m g x × e_z`, all about the tip.
fn top_at(row: &[f64]) -> Quantities {
    let (mass, g) = (15.0, Vector3::new(0.0, 0.0, -9.81));
    let x = vector(&row[1..4]);
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(row[4], row[5], row[6], row[7]));
    let spin = vector(&row[8..11]);
    let arm = Vector3::y();
    let about_tip =
        diagonal(0.234_375, 0.468_75, 0.234_375) + (Matrix3::identity() - arm * arm.transpose()) * mass;
    let moment = arm.cross(&(rotation.inverse() * (mass * g)));
    let rate = about_tip.try_inverse().unwrap() * (moment - spin.cross(&(about_tip * spin)));
    let acceleration = rotation * (rate.cross(&arm) + spin.cross(&spin.cross(&arm)));
    vec![
        ("position", x.as_slice().to_vec()),
        ("orientation", rotation.to_rotation_matrix().matrix().as_slice().to_vec()),
        ("velocity", (rotation * spin.cross(&arm)).as_slice().to_vec()),
        ("spin", spin.as_slice().to_vec()),
        ("reaction", (mass * (g - acceleration)).as_slice().to_vec()),
    ]
}

fn top_found(solver: &DaeSolver<SpatialSystem>) -> Quantities {
    let state = solver.state();
    let q = &state.q;
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(q[3], q[4], q[5], q[6]));
    vec![
        ("position", q[..3].to_vec()),
        ("orientation", rotation.to_rotation_matrix().matrix().as_slice().to_vec()),
        ("velocity", state.v[..3].to_vec()),
        ("spin", state.v[3..6].to_vec()),
        ("reaction", state.mu[..3].to_vec()),
    ]
}

#[test]
fn heavy_top() {
    let rows = table("heavy_top");
    let exact: Vec<_> = rows.iter().filter(|row| row[0] < 0.55).map(|row| (row[0], top_at(row))).collect();
    let case = Case { model: &mechanisms::heavy_top, exact: &exact, found: &top_found, tolerance: 1e-12 };
    for formulation in STABILISED {
        for method in SECOND_ORDER {
            case.check(method, formulation, (2.5e-4, 2.0, 0.3));
        }
        // Newmark's rule without damping makes the reactions of index 3 grow without bound.
        for (method, order) in OTHERS.into_iter().filter(|_| formulation != Formulation::Position) {
            case.check(method, formulation, (2.5e-4, order, 0.3));
        }
        for (order, h) in [(2, 1e-4), (3, 2.5e-4), (4, 5e-4)] {
            case.check(Method::Bdf { order }, formulation, (h, order as f64, 0.4));
        }
    }
}
