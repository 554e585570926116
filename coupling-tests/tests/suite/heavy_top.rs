//! A fast top held at its tip, described as a body and a spherical joint in space.
//!
//! Reference: case O4; extrapolation in 30 digits.

use coupling_tests::{Run, Table, fitted_order};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

const MODEL: &str = "heavy-top/model.toml";
const END: f64 = 0.2;

fn run(h: f64, solver: &str) -> Run {
    let settings = [
        format!("time.step={h:e}"),
        format!("time.end={END}"),
        format!("subsystem.top.solver={solver}"),
        "record.every=1".to_owned(),
    ];
    Run::example(MODEL, &settings.each_ref().map(String::as_str))
}

fn vector(value: impl Fn(&str) -> f64, names: [&str; 3]) -> Vector3<f64> {
    Vector3::from(names.map(value))
}

/// Largest errors of the centre of mass (m), of the orientation (rad) and of the angular velocity (rad/s).
fn errors(run: &Run) -> [f64; 3] {
    let table = Table::reference("O4_heavy_top/reference.csv");
    let mut worst = [0.0_f64; 3];
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= END + 1e-9) {
        let exact = |name: &str| table.column(name)[k];
        let found = |name: &str| run.at(&format!("top.disc.{name}"), t);
        let turned = |w, imaginary| UnitQuaternion::new_normalize(Quaternion::from_parts(w, imaginary));
        let place = vector(found, ["x", "y", "z"]) - vector(exact, ["x", "y", "z"]);
        let exact_turn = turned(exact("q0"), vector(exact, ["q1", "q2", "q3"]));
        let turn = turned(found("qw"), vector(found, ["qx", "qy", "qz"]));
        // The reference has the angular velocity in body axes, the run in those of space.
        let spin = vector(found, ["wx", "wy", "wz"]) - exact_turn * vector(exact, ["Ox", "Oy", "Oz"]);
        let now = [place.norm(), turn.angle_to(&exact_turn), spin.norm()];
        worst.iter_mut().zip(now).for_each(|(worst, now)| *worst = worst.max(now));
    }
    worst
}

/// Second order in places, orientations and angular velocities.
#[test]
fn motion_is_of_second_order() {
    let steps = [5e-4, 2.5e-4, 1.25e-4];
    for solver in ["theta", "generalized-alpha", "multistep"] {
        let found = steps.map(|h| errors(&run(h, solver)));
        for k in 0..3 {
            let order = fitted_order(&steps, &found.map(|errors| errors[k]));
            assert!((1.9..2.1).contains(&order), "{solver}, quantity {k}: order {order} of {found:?}");
        }
        assert!(found[2][0] < 2e-3, "{solver}: {found:?}");
    }
}

/// The midpoint rule keeps the energy nearly, the joint to round-off.
#[test]
fn energy_and_joint_hold() {
    let run = run(2.5e-4, "theta");
    let energy = run.report.energy;
    assert!((energy.end / energy.start - 1.0).abs() < 1e-4, "{energy:?}");
    assert!(run.column("top.residual").iter().all(|residual| *residual < 1e-12));
}
