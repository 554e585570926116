//! A four-bar linkage that a motor turns: a loop with redundant joints and a prescribed motion, from a rough start.
//!
//! Reference, in this file: the angle of the rocker by the law of cosines, and the balance of work.

use cosimo::master::ContactEventKind;
use coupling_tests::Run;

const MODEL: &str = "four-bar/model.toml";
/// Lengths of crank, coupler and rocker, and way between the pivots (m).
const LENGTHS: [f64; 4] = [0.3, 0.9, 0.7, 1.0];
const RATE: f64 = 2.0 * std::f64::consts::PI;

/// Angle of the rocker over the line of the pivots (rad) for an angle of the crank.
fn rocker(crank: f64) -> f64 {
    let [a, b, c, d] = LENGTHS;
    let displacement = [a * crank.cos() - d, a * crank.sin()];
    let square = displacement[0] * displacement[0] + displacement[1] * displacement[1];
    let inner = ((square + c * c - b * b) / (2.0 * c * square.sqrt())).acos();
    displacement[1].atan2(displacement[0]) - inner
}

/// The motion is decided by the joints: exact at any step, rates included.
#[test]
fn rocker_swings_as_geometry_says() {
    for h in ["1e-3", "2e-2"] {
        let run = Run::example(MODEL, &[&format!("time.step={h}")]);
        for (k, t) in run.times.iter().enumerate() {
            let value = |name: &str| run.value(&format!("linkage.{name}"), k);
            let error = value("swing.angle") - rocker(RATE * t);
            // Angles are known modulo whole turns.
            assert!(error.sin().abs() < 1e-9 && error.cos() > 0.0, "{error} rad at {t} s");
            let rate = (rocker(RATE * t + 1e-5) - rocker(RATE * t - 1e-5)).sin() / 2e-5 * RATE;
            assert!(
                (value("swing.rate") - rate).abs() < 1e-7,
                "rate {} instead of {rate} at {t} s",
                value("swing.rate")
            );
            assert!(value("residual") < 1e-10, "{} at {t} s", value("residual"));
        }
    }
}

/// What the motor does is what the energy changes, to second order; after whole turns, nothing.
#[test]
fn motor_does_the_work() {
    let errors = [4e-3, 2e-3].map(|h| {
        let run = Run::example(MODEL, &[&format!("time.step={h:e}"), "time.end=0.7"]);
        let moments = run.column("linkage.motor.my");
        // The motor turns about −y, and moments are means over the step.
        let work: f64 = moments[1..].iter().map(|moment| -moment * RATE * h).sum();
        let energy = run.report.energy;
        assert!((work - energy.external).abs() < 1e-9 * work.abs(), "{work} and {energy:?}");
        (energy.end - energy.start - work).abs()
    });
    assert!(errors[0] < 1e-2 && (3.0..5.0).contains(&(errors[0] / errors[1])), "{errors:?}");
    let whole = Run::example(MODEL, &["time.end=1"]).report.energy;
    assert!((whole.end - whole.start).abs() < 1e-8 * whole.start, "{whole:?}");
}

/// A motor of 12 N m presses a four-bar against a stop of its rocker: at rest the moment of the stop is that of the virtual work, by the
/// law of cosines; impacts repeat the restitution, and the energy balance closes.
#[test]
fn the_stop_of_a_four_bar_carries_the_motor() {
    let path = "four-bar-stop/model.toml";
    let run = Run::example(path, &[]);
    // Crank angle of a rocker angle, by bisection: the pins are 0.9 m apart.
    let crank = |rocker: f64| {
        let [x, z] = [1.0 + 0.7 * rocker.cos(), 0.7 * rocker.sin()];
        let apart = |angle: f64| (x - 0.3 * angle.cos()).hypot(z - 0.3 * angle.sin()) - 0.9;
        let (mut low, mut high) = (2.3_f64, 2.6);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if apart(low) * apart(middle) <= 0.0 { high = middle } else { low = middle }
        }
        low
    };
    let height = |rocker: f64| {
        let (of_crank, of_rocker) = (crank(rocker).sin(), rocker.sin());
        0.15 * of_crank + 1.5 * (0.3 * of_crank + 0.7 * of_rocker) + 0.7 * of_rocker
    };
    let (rocker, d) = (run.at("linkage.swing.angle", 2.0), 1e-5);
    let slope = |f: &dyn Fn(f64) -> f64| (f(rocker + d) - f(rocker - d)) / (2.0 * d);
    let moment = 12.0 * slope(&crank) - 9.81 * slope(&height);
    let found = run.at("linkage.end.force", 2.0);
    assert!((found - moment).abs() < 1e-6 * moment, "{found} {moment}");
    assert!((rocker - 2.2).abs() < 1e-5 && run.at("linkage.end.status", 2.0) == 1.0);
    let impacts = run.events_at("linkage.end", ContactEventKind::Impact);
    for impact in impacts.iter().take(5) {
        assert!((impact.velocities[1] + 0.5 * impact.velocities[0]).abs() < 1e-12, "{impact:?}");
    }
    // The motor's work is its moment on the way of the crank.
    let turned = run.at("linkage.turn.angle", 2.0) - run.at("linkage.turn.angle", 0.0);
    let energy = run.report.energy;
    assert!((energy.external - 12.0 * turned).abs() < 1e-3, "{} {}", energy.external, 12.0 * turned);
    let made = energy.end - energy.start - energy.contact - energy.external;
    assert!(made.abs() < 1e-3 && (made - energy.monitor_sum).abs() < 1e-9, "{made} J");
}
