//! Springs with dry friction, and a block on a belt.

use cosimo::master::ContactEventKind;
use cosimo::model::ModelSpec;
use coupling_tests::{Run, Table, assert_balanced_within, fitted_order};

use super::{stick_times, turns};

/// The oscillator with dry friction.
fn dry_oscillator((h, end): (f64, f64)) -> ModelSpec {
    let text = "schema = 1\ntime = { end = 6.0, step = 1e-3 }\n[[subsystem]]\nname = \"mass\"\nkind = \"linear\"\n\
        coordinates = [\"x\", \"z\"]\nmass = [1, 1]\nforce = [0, -9.81]\nposition = [0.5, 0]\n[[subsystem.spring]]\n\
        ground = \"x\"\nstiffness = 100\n[[subsystem.contact]]\nname = \"floor\"\nrow = { z = 1 }\nrestitution = 0\n\
        friction = 0.2\ntangents = [{ x = 1 }]\n";
    Run::text(text, &[&format!("time.step={h:e}"), &format!("time.end={end:e}")])
}

/// Twelve turns and a stop at whatever parts of the steps: way and speed at the times of the reference are of order two.
#[test]
fn a_spring_with_dry_friction_is_of_order_two() {
    let table = Table::reference("L8_coulomb_oscillator/reference.csv");
    let times = table.column("t");
    // The reference has its times at equal distances: whole numbers of steps, with turns at all parts of them.
    let distance = times[1] - times[0];
    let steps: Vec<f64> = [7.0, 9.0, 13.0, 18.0, 25.0, 36.0, 50.0, 71.0].map(|n| distance / n).to_vec();
    let errors_with = |h: &f64| {
        let last = times.iter().rposition(|t| *t < 5.0).unwrap_or(0);
        let run = Run::completed(&dry_oscillator((*h, times[last])));
        ["x", "v"].map(|name| {
            let (found, exact) =
                (format!("mass.{}", if name == "x" { "x" } else { "v_x" }), table.column(name));
            let error = |k: usize| (run.at(&found, times[k]) - exact[k]).abs();
            (0..=last).map(error).fold(0.0, f64::max)
        })
    };
    let errors: Vec<[f64; 2]> = steps.iter().map(errors_with).collect();
    for (k, bound) in [50.0, 500.0].into_iter().enumerate() {
        let of: Vec<f64> = errors.iter().map(|errors| errors[k]).collect();
        assert!(of.iter().zip(&steps).all(|(error, h)| *error < bound * h * h), "{steps:?} {of:?}");
        let order = fitted_order(&steps, &of);
        assert!((1.9..2.1).contains(&order), "{order}: {steps:?} {of:?}");
    }
}

/// Its turning points, the time of its end, the place where it ends.
#[test]
fn a_spring_with_dry_friction_stops_in_the_dead_band() {
    let model = dry_oscillator((1e-3, 6.0));
    let run = Run::completed(&model);
    let last = stick_times(&run, "mass.floor").last().copied().unwrap_or(0.0);
    assert!((last - 4.084_070_449_666_731).abs() < 5e-5, "{last}");
    assert!((run.at("mass.x", 6.0) - 0.010_12).abs() < 1e-8);
    assert!(run.at("mass.v_x", 6.0).abs() < 1e-12);
    let (turns, v) = (Table::reference("L8_coulomb_oscillator/events.csv"), run.column("mass.v_x"));
    for (&t, &x) in turns.column("t_turn").iter().zip(turns.column("x_turn")).take(12) {
        let k = run.times.partition_point(|time| *time < t);
        assert!((run.value("mass.x", k) - x).abs() < 1e-4, "{t}");
        assert!(v[k - 3] * v[k + 2] < 0.0, "{t}");
    }
    // Friction changes by at most `2 μ m g` where the slip turns, with `ω h` and speeds below `2 μ g h`: see `created_inside`.
    let (h, change) = (1e-3_f64, 2.0 * 0.2 * 9.81);
    assert_balanced_within(&model, 1e-13, &|_, _| 0.25 * h * h * 100.0 * 5.0 * (change * h).powi(2));
}

/// A block on a belt at constant speed, held by a spring: slides until it has the speed of the belt, rides to where the
/// spring is as strong as friction, and swings from there.
#[test]
fn a_block_on_a_belt_sticks_and_slips() {
    let path = "stick-slip-belt/model.toml";
    let overrides = ["subsystem.block.plane.belt.amplitude=[0, 0, 0]", "time.end=0.75"];
    let run = Run::example(path, &overrides);
    let (v, omega, edge) = (0.2, 10.0, 0.3 * 9.81 / 100.0_f64);
    let caught = (v / (edge * omega)).asin() / omega;
    let freed = caught + edge * (omega * caught).cos() / v;
    let exact = |t: f64| {
        if t < caught {
            edge * (1.0 - (omega * t).cos())
        } else if t < freed {
            edge + v * (t - freed)
        } else {
            edge + v / omega * (omega * (t - freed)).sin()
        }
    };
    for &t in &run.times {
        assert!((run.at("block.x", t) - exact(t)).abs() < 2e-5, "{t}: {} {}", run.at("block.x", t), exact(t));
    }
    let slips = run.events_at("block.belt", ContactEventKind::Slip);
    assert!((stick_times(&run, "block.belt")[0] - caught).abs() < 3e-3);
    assert!((slips[0].time - freed).abs() < 3e-3, "{} {freed}", slips[0].time);
    // The work of the belt is external, the friction's is that of the slip. Where that stops, friction changes by at most
    // `2 μ m g`: see `created_inside`.
    let created = |run: &Run, k: usize| {
        let kick = 2.0 * 0.3 * 9.81 * 1e-3;
        let speed = run.value("block.vx", k).abs() + kick;
        let most = 0.25 * (omega * 1e-3_f64).powi(2) * (speed * kick + 1.5 * kick * kick);
        if turns(run, "block.belt", k) { most } else { 0.0 }
    };
    assert_balanced_within(&Run::model(path, &overrides), 1e-12, &created);
    assert_balanced_within(&Run::model(path, &[]), 1e-12, &created);
}
