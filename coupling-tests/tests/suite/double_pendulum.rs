//! A double pendulum of two point masses, described as bodies and joints in space.
//!
//! Reference: case O2; extrapolation in 30 digits.

use coupling_tests::{Run, Table, fitted_order};

const MODEL: &str = "double-pendulum/model.toml";
const GRAVITY: f64 = 9.81;

fn run(h: f64, formulation: &str) -> Run {
    let settings = [
        format!("time.step={h:e}"),
        format!("subsystem.pendulum.formulation={formulation}"),
        "record.every=1".to_owned(),
    ];
    Run::example(MODEL, &settings.each_ref().map(String::as_str))
}

/// State and accelerations of the reference at one row: angles, rates, angular accelerations.
fn rows(until: f64) -> Vec<(f64, [[f64; 2]; 3])> {
    let table = Table::reference("O2_double_pendulum_points/reference.csv");
    let column = |name: &str| table.column(name);
    let pairs = [["th1", "th2"], ["w1", "w2"], ["al1", "al2"]].map(|pair| pair.map(column));
    let times = column("t").iter().copied().enumerate();
    let rows = times.map(|(k, t)| (t, pairs.each_ref().map(|pair| pair.each_ref().map(|x| x[k]))));
    rows.take_while(|(t, _)| *t <= until + 1e-9).collect()
}

/// Positions of both masses.
fn places([angles, ..]: &[[f64; 2]; 3]) -> [[f64; 2]; 2] {
    let [a, b] = angles.map(|angle| [angle.sin(), -angle.cos()]);
    [a, [a[0] + b[0], a[1] + b[1]]]
}

/// Accelerations of both masses.
fn accelerations([angles, rates, accelerations]: &[[f64; 2]; 3]) -> [[f64; 2]; 2] {
    let [a, b] = [0, 1].map(|k| {
        let ((sine, cosine), square) = (angles[k].sin_cos(), rates[k] * rates[k]);
        [accelerations[k] * cosine - square * sine, accelerations[k] * sine + square * cosine]
    });
    [a, [a[0] + b[0], a[1] + b[1]]]
}

/// Largest errors up to this time: positions of the masses, and the force of the support.
fn errors(run: &Run, until: f64) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    for (t, row) in rows(until) {
        for (body, place) in ["upper", "lower"].into_iter().zip(places(&row)) {
            for (axis, exact) in ["x", "z"].into_iter().zip(place) {
                let found = run.at(&format!("pendulum.{body}.{axis}"), t);
                worst[0] = worst[0].max((found - exact).abs());
            }
        }
        // The support carries both masses.
        let [a, b] = accelerations(&row);
        for (force, exact) in [("fx", a[0] + b[0]), ("fz", a[1] + b[1] + 2.0 * GRAVITY)] {
            let found = run.at(&format!("pendulum.support.{force}"), t);
            worst[1] = worst[1].max((found - exact).abs());
        }
    }
    worst
}

/// Second order in positions and in reactions, whatever the formulation.
#[test]
fn positions_and_reactions_are_of_second_order() {
    let steps = [4e-3, 2e-3, 1e-3];
    for formulation in ["index-3", "stabilised-index-2", "stabilised-index-1"] {
        let found = steps.map(|h| errors(&run(h, formulation), 2.0));
        for (k, bound) in [1e-4, 5e-3].into_iter().enumerate() {
            let order = fitted_order(&steps, &found.map(|errors| errors[k]));
            assert!((1.8..2.2).contains(&order), "{formulation}, {k}: order {order} of {found:?}");
            assert!(found[2][k] < bound, "{formulation}, {k}: off by {:e}", found[2][k]);
        }
    }
}

/// Sensors report the motion of the bodies, and the joints hold.
#[test]
fn sensors_and_residuals_are_those_of_the_motion() {
    let run = run(1e-3, "stabilised-index-1");
    for (k, t) in run.times.iter().enumerate() {
        let value = |name: &str| run.value(&format!("pendulum.{name}"), k);
        assert_eq!([value("tip.x"), value("tip.vz")], [value("lower.x"), value("lower.vz")]);
        let angle = value("first.angle");
        let from_place = value("upper.z").atan2(value("upper.x"));
        // Both are an angle modulo whole turns.
        assert!((angle - from_place).sin().abs() < 1e-9, "{angle} and {from_place} at {t} s");
        assert!((value("first.rate") + value("upper.wy")).abs() < 1e-12, "at {t} s");
        assert!(value("residual") < 1e-11, "{} at {t} s", value("residual"));
    }
    let energy = run.report.energy;
    assert!((energy.end - energy.start).abs() < 1e-4, "{energy:?}");
}
