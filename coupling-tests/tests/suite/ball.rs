//! The bouncing ball: impacts at their own instants, the plain scheme's order, rest, and threads.
//!
//! Reference: cases A1, A2, A3, A4; closed forms.

use coupling_tests::{Bounces, Run, Table, orders_in_bands, step_sizes};

use cosimo::master::ContactEventKind;

const MODEL: &str = "bouncing-ball/model.toml";
const A1: &[&str] = &[];
const A2: &[&str] = &[
    "subsystem.ball.radius=0.1",
    "subsystem.ball.position=[0, 0, 1]",
    "subsystem.ball.gravity=[0, 0, -9.81]",
];
const A3: &[&str] = &[A2[0], A2[1], A2[2], "subsystem.ball.plane.floor.restitution=0.2"];
const A4: &[&str] =
    &["subsystem.ball.radius=0", A2[1], A2[2], "subsystem.ball.plane.floor.restitution=0.9", "time.end=9"];

fn run(case: &[&str], more: &[&str]) -> Run {
    Run::example(MODEL, &[case, more].concat())
}

/// The first `count` impacts and everything up to the last of them.
fn assert_exact(folder: &str, overrides: &[&str], count: usize) {
    let run = run(overrides, &[]);
    let events = Table::reference(&format!("{folder}/events.csv"));
    let impacts = run.events_at("ball.floor", ContactEventKind::Impact);
    assert!(impacts.len() >= count, "{folder}: {} impacts", impacts.len());
    for (k, found) in impacts[..count].iter().enumerate() {
        let exact = |name| events.column(name)[k];
        assert!((found.time - exact("t")).abs() < 1e-9, "{folder}, impact {k}: {} s", found.time);
        let speeds = [found.velocities[0] - exact("v_minus"), found.velocities[1] - exact("v_plus")];
        assert!(speeds.iter().all(|error| error.abs() < 1e-9), "{folder}, impact {k}: {speeds:?} m/s");
        let impulse = found.impulse - exact("impulse");
        assert!(impulse.abs() < 1e-9, "{folder}, impact {k}: {impulse} N s");
    }
    let (table, last) = (Table::reference(&format!("{folder}/reference.csv")), events.column("t")[count - 1]);
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t < last) {
        for (name, exact) in [("ball.z", table.column("z")[k]), ("ball.vz", table.column("v")[k])] {
            let error = run.at(name, t) - exact;
            assert!(error.abs() < 1e-9, "{folder}: {name} at {t} s is off by {error}");
        }
    }
}

#[test]
fn first_ten_bounces_of_table_5_1_are_exact() {
    assert_exact("A1_table5_1", A1, 10);
}

#[test]
fn first_ten_bounces_of_table_3_1_are_exact() {
    assert_exact("A2_table3_1", A2, 10);
}

#[test]
fn first_three_bounces_with_low_restitution_are_exact() {
    assert_exact("A3_table2_1_e02", A3, 3);
}

#[test]
fn first_ten_bounces_with_high_restitution_are_exact() {
    assert_exact("A4_acary_e09", A4, 10);
}

/// Mean errors of position (m) and velocity (m/s) up to 2 s.
fn mean_errors(case: &[&str], exact: Bounces, radius: f64, settings: [&str; 2]) -> [f64; 2] {
    let run = run(case, &["time.end=2", settings[0], settings[1]]);
    let (z, v) = (run.column("ball.z"), run.column("ball.vz"));
    exact.mean_errors(&run, |k| [z[k] - radius, v[k]])
}

#[test]
fn plain_scheme_has_order_one_in_the_mean() {
    let ball = |height, gravity, restitution| Bounces { height, gravity, restitution };
    for (case, exact, radius) in
        [(A1, ball(0.801, 10.0, 0.8), 0.2), (A2, ball(0.9, 9.81, 0.8), 0.1), (A4, ball(1.0, 9.81, 0.9), 0.0)]
    {
        let errors = |h: f64, impacts: &str| {
            let settings = [format!("time.step={h:e}"), format!("master.impacts={impacts}")];
            mean_errors(case, exact, radius, [&settings[0], &settings[1]])
        };
        let steps = step_sizes(1e-2, 1e-4, 200);
        let all: Vec<_> = steps.iter().map(|h| errors(*h, "plain")).collect();
        let orders = orders_in_bands(&steps, &all);
        assert!(orders.iter().all(|order| (0.9..1.1).contains(order)), "{exact:?}: orders {orders:?}");
        let [z, v] = errors(1e-3, "plain");
        assert!((1e-4..2e-3).contains(&z) && (1e-3..3e-2).contains(&v), "{exact:?}: {z} {v}");
        // The same measure of the sub-step scheme is round-off: the flights are parabolas.
        let [z, v] = errors(1e-3, "sub-step");
        assert!(z < 1e-11 && v < 1e-11, "{exact:?}: {z} {v}");
    }
}

/// With a coefficient of 0.2 the impacts end at 0.64 s; the rest of the two seconds the ball lies on the floor.
#[test]
fn plain_scheme_has_order_one_through_the_accumulation_of_impacts() {
    let exact = Bounces { height: 0.9, gravity: 9.81, restitution: 0.2 };
    let steps = step_sizes(1e-2, 1e-4, 200);
    let errors = |h: &f64| mean_errors(A3, exact, 0.1, [&format!("time.step={h:e}"), "master.impacts=plain"]);
    let all: Vec<_> = steps.iter().map(errors).collect();
    let orders = orders_in_bands(&steps, &all);
    assert!(orders.iter().all(|order| (0.9..1.1).contains(order)), "orders {orders:?}");
}

/// What the example's description says of the plain scheme: a millimetre in the mean over two seconds.
#[test]
fn plain_scheme_is_off_by_a_millimetre() {
    let exact = Bounces { height: 0.801, gravity: 10.0, restitution: 0.8 };
    let [z, _] = mean_errors(A1, exact, 0.2, ["time.step=1e-3", "master.impacts=plain"]);
    assert!((0.5e-3..1.5e-3).contains(&z), "{z} m");
}

#[test]
fn ball_rests_after_the_zeno_time() {
    for (overrides, zeno, weight, radius) in [
        (A1, 3.602_249_297_314_11, 10.0, 0.2),
        (A3, 0.642_529_405_317_179_1, 9.81, 0.1),
        (A4, 8.578_949_178_728_887, 9.81, 0.0),
    ] {
        for impacts in ["sub-step", "plain"] {
            let run = run(overrides, &[&format!("master.impacts={impacts}")]);
            let rest = if impacts == "plain" { zeno + 0.1 } else { zeno + 0.005 };
            let last = run.impacts().last().copied().unwrap_or_default();
            assert!(last < rest, "{impacts}: an impact at {last} s, at rest from {zeno} s");
            let start = run.times.partition_point(|t| *t < rest);
            let (gap, v) = (run.column("ball.floor.gap"), run.column("ball.vz"));
            let impulse = run.column("ball.floor.impulse");
            for k in start + 2..run.times.len() {
                assert!(v[k].abs() < 1e-12, "{} m/s at {} s", v[k], run.times[k]);
                assert!((0.0..1e-5).contains(&gap[k].abs()), "gap {} at {} s", gap[k], run.times[k]);
                let force = impulse[k] / 1e-3;
                assert!((force - weight).abs() < 1e-9, "{force} N at {} s", run.times[k]);
            }
            assert!((run.at("ball.z", run.times[run.times.len() - 1]) - radius).abs() < 1e-5);
        }
    }
}

#[test]
fn energy_is_lost_at_impacts_only() {
    let run = run(A1, &["time.end=3.2"]);
    let energy = run.report.energy;
    let losses = Table::reference("A1_table5_1/events.csv");
    let lost: f64 = losses.column("energy_loss")[..10].iter().sum();
    assert!((energy.start - 10.01).abs() < 1e-12, "{}", energy.start);
    assert!((energy.contact + lost).abs() < 1e-9, "{} {lost}", energy.contact);
    assert!((energy.end - energy.start + lost).abs() < 1e-9, "{}", energy.end);
    assert!(energy.monitor_sum.abs() < 1e-11, "{}", energy.monitor_sum);
}

#[test]
fn ball_in_its_own_thread_has_the_same_bits() {
    let here = run(A1, &[]);
    let there = run(A1, &["master.execution=threads"]);
    assert!(here.has_bits_of(&there));
}

/// The fall of 0.8 m ends at 0.4 s, a communication point but for round-off: still one impact, and then rest.
#[test]
fn landing_at_a_communication_point_is_one_impact() {
    let run = run(&["subsystem.ball.position=[0, 0, 1]", "subsystem.ball.plane.floor.restitution=0"], &[]);
    assert_eq!(run.impacts().len(), 1, "{:?}", run.events);
    assert!((run.impacts()[0] - 0.4).abs() < 1e-9);
    assert_eq!(run.events_at("ball.floor", ContactEventKind::Release), Vec::<&coupling_tests::Event>::new());
}

#[test]
fn ball_put_on_the_floor_has_no_impact() {
    let run = run(&["subsystem.ball.position=[0, 0, 0.2]", "time.end=0.1"], &[]);
    assert_eq!(run.impacts(), Vec::<f64>::new(), "{:?}", run.events);
    assert!(run.column("ball.floor.impulse")[1..].iter().all(|p| (p - 0.01).abs() < 1e-12));
}
