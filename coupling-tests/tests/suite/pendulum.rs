//! A rigid pendulum that bounces off a wall: constraints and impacts in one subsystem.
//!
//! Reference: case H1; elliptic integrals for each arc.

use coupling_tests::{Event, Run, Table, fitted_order};

use cosimo::master::ContactEventKind;

const MODEL: &str = "bouncing-pendulum/model.toml";
const CONTACT: &str = "pendulum.stop";

fn run(h: f64) -> Run {
    Run::example(MODEL, &[&format!("time.step={h:e}")])
}

fn impacts(run: &Run) -> Vec<&Event> {
    run.events_at(CONTACT, ContactEventKind::Impact)
}

/// Times, rates and impulses of the first ten impacts: second order, unharmed by the impacts between.
#[test]
fn impacts_have_the_order_of_the_smooth_motion() {
    let exact = Table::reference("H1_bouncing_pendulum/events.csv");
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    let errors = steps.map(|h| {
        let run = run(h);
        let largest = |column: &str, found: &dyn Fn(&Event) -> f64| {
            let pairs = impacts(&run).into_iter().zip(exact.column(column)).take(10);
            pairs.map(|(event, exact)| (found(event) - exact).abs()).fold(0.0, f64::max)
        };
        [
            largest("t", &|event| event.time),
            largest("gapdot_minus", &|event| event.velocities[0]),
            largest("gapdot_plus", &|event| event.velocities[1]),
            largest("p_contact", &|event| event.impulse),
        ]
    });
    for (k, bound) in [3e-6, 1e-5, 1e-5, 2e-5].into_iter().enumerate() {
        let order = fitted_order(&steps, &errors.map(|error| error[k]));
        assert!((1.9..2.1).contains(&order), "quantity {k}: order {order}");
        assert!(errors[1][k] < bound, "quantity {k}: off by {} at h = 1e-3", errors[1][k]);
    }
}

/// Between the impacts, position and velocity; everywhere, the length of the pendulum.
#[test]
fn motion_is_that_of_the_arcs() {
    let exact = Table::reference("H1_bouncing_pendulum/reference.csv");
    let run = run(1e-3);
    for (k, &t) in exact.column("t").iter().enumerate().take_while(|(_, t)| **t < 3.0) {
        let positions = [("x", "x", 1e-5), ("y", "y", 1e-5), ("angle", "theta", 1e-5)];
        let velocities = [("vx", "vx", 1e-4), ("vy", "vy", 1e-4), ("omega", "omega", 1e-4)];
        for (name, column, bound) in positions.into_iter().chain(velocities) {
            let error = run.at(&format!("pendulum.bob.{name}"), t) - exact.column(column)[k];
            assert!(error.abs() < bound, "{name} at {t} s is off by {error}");
        }
    }
    for name in ["pendulum.hinge.residual_x", "pendulum.hinge.residual_y"] {
        assert!(run.column(name).iter().all(|residual| residual.abs() < 1e-12));
    }
}

/// After infinitely many impacts until 3.63 s the bob rests on the wall, which carries `m g tan 45°`.
#[test]
fn pendulum_comes_to_rest_on_the_wall() {
    let run = run(1e-3);
    let (angle, force) = (run.at("pendulum.bob.angle", 4.5), run.at("pendulum.stop.impulse", 4.5) / 1e-3);
    assert!((angle - std::f64::consts::FRAC_PI_4).abs() < 2e-6, "{angle} rad");
    assert!(run.at("pendulum.bob.omega", 4.5).abs() < 1e-12);
    assert!((force - 10.0).abs() < 1e-4, "{force} N");
    let last = run.events_at(CONTACT, ContactEventKind::Impact).last().map(|event| event.time);
    assert!(
        last.is_some_and(|last| (last - 3.630_238_296_418_246_7).abs() < 5e-3),
        "last impact at {last:?} s"
    );
}
