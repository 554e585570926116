//! An elastic bar that hits a wall without restitution.
//!
//! Reference: case I2; modal solution of the lumped mesh.

use coupling_tests::{Measured, Run, Table, fitted_order, step_sizes};

use cosimo::master::ContactEventKind;

const MODEL: &str = "elastic-bar/model.toml";
const RELEASE: f64 = 1.169_140_334_853_204_6;

fn run(step: f64, more: &[&str]) -> Run {
    Run::example(MODEL, &[&[format!("time.step={step:e}").as_str()], more].concat())
}

/// Time (s) and impulse (N s) of the first impact.
fn impact(run: &Run) -> (f64, f64) {
    let events = run.events_at("bar.wall", ContactEventKind::Impact);
    (events[0].time, events[0].impulse)
}

/// Time of the one release (s).
fn release(run: &Run) -> f64 {
    let events = run.events_at("bar.wall", ContactEventKind::Release);
    assert_eq!(events.len(), 1, "{events:?}");
    events[0].time
}

#[test]
fn bar_touches_the_wall_at_half_a_second() {
    for step in [1e-4, 3.7e-4, 1e-3] {
        let (time, _) = impact(&run(step, &[]));
        assert!((time - 0.5).abs() < 1e-9, "{time} s with steps of {step} s");
    }
}

/// Half a second is a communication point or not, by round-off or by a large part of a step: it is one impact.
#[test]
fn bar_hits_the_wall_once() {
    for step in [1e-4, 1.380_5e-4, 3.7e-4] {
        let run = run(step, &[]);
        assert_eq!(run.impacts().len(), 1, "steps of {step} s: {:?}", run.events);
    }
}

#[test]
fn release_and_first_impulse_converge_with_order_two() {
    let steps = step_sizes(4e-4, 4e-5, 24);
    let runs: Vec<Run> = steps.iter().map(|h| run(*h, &["time.end=1.2"])).collect();
    let assert_order = |quantity: &str, error: fn(&Run) -> f64| {
        let errors: Vec<f64> = runs.iter().map(|run| error(run).abs()).collect();
        let order = fitted_order(&steps, &errors);
        assert!((1.8..2.5).contains(&order), "{quantity}: order {order}");
    };
    assert_order("release", |run| release(run) - RELEASE);
    assert_order("first impulse", |run| impact(run).1 - 0.25);
    assert_order("energy", |run| run.report.energy.end - 498.75);
}

#[test]
fn contact_carries_a_steady_force() {
    let run = run(1e-4, &["time.end=1.2"]);
    let impulse = run.column("bar.wall.impulse");
    let between = |from: f64, to: f64| -> Vec<f64> {
        let inside = run.times.iter().zip(&impulse).filter(|(t, _)| **t > from && **t <= to);
        inside.map(|(_, p)| p / 1e-4).collect()
    };
    let middle = between(0.7, 1.0);
    let mean: f64 = middle.iter().sum::<f64>() / middle.len() as f64;
    let largest = between(0.501, 1.2).into_iter().fold(0.0, f64::max);
    assert!((mean - 300.0).abs() < 0.1, "{mean} N");
    assert!((largest - 327.66).abs() < 1.0, "{largest} N");
}

#[test]
fn motion_follows_the_modal_solution() {
    let table = Table::reference("I2_bar_fe200_lumped/reference.csv");
    let run = run(1e-4, &[]);
    let mut worst = [0.0_f64; 3];
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= 1.5) {
        for (i, (name, column)) in
            [("bar.q0", "gap"), ("bar.q200", "free_end"), ("bar.v_q200", "free_rate")].iter().enumerate()
        {
            worst[i] = worst[i].max((run.at(name, t) - table.column(column)[k]).abs());
        }
    }
    assert!(worst[0] < 6e-4 && worst[1] < 4e-4 && worst[2] < 0.3, "{worst:?}");
}

#[test]
fn energy_is_lost_at_the_first_touch_only() {
    let run = run(1e-4, &[]);
    let (energy, measured) = (run.report.energy, Measured::of(&Run::model(MODEL, &[]), &run));
    assert!((energy.start - 500.0).abs() < 1e-9, "{}", energy.start);
    assert!((energy.contact + 1.25).abs() < 5e-3, "{}", energy.contact);
    assert!((energy.end - 498.75).abs() < 5e-3, "{}", energy.end);
    // Measured from the states and the impact, not from the balance of the run.
    assert!((measured.change + 1.25).abs() < 5e-3 && (measured.contact + 1.25).abs() < 5e-3, "{measured:?}");
    assert!(measured.drift().abs() < 5e-3, "{measured:?}");
}
