//! Initial states that violate a joint or a contact are refused by name, or projected.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use cosimo::master::{Master, Outcome};
use coupling_tests::Run;

const MODEL: &str = "droop-stop/model.toml";
const GAP: &[&str] = &["subsystem.node.position=[0, 0, 0.0035]"];
const SPEED: &[&str] = &["subsystem.node.velocity=[0, 0, 0.25]"];
const PENETRATION: &[&str] = &["subsystem.node.position=[0, 0, -1e-3]", "subsystem.rod.position=-1e-3"];

fn rejection(overrides: &[&str]) -> String {
    match Run::model(MODEL, overrides).build() {
        Ok(_) => panic!("{overrides:?} is accepted"),
        Err(error) => error.to_string(),
    }
}

fn projected(overrides: &[&str]) -> Master {
    Run::model(MODEL, &[overrides, &["master.initial_state=project"]].concat()).build().unwrap()
}

/// Positions and velocities of node and rod at their joint.
fn state(master: &Master) -> [f64; 4] {
    let [node, rod] = [0, 1].map(|i: usize| master.subsystems()[i].rows());
    [node.positions[0], rod.positions[0], node.velocities[0], rod.velocities[0]]
}

fn assert_close(found: [f64; 4], exact: [f64; 4]) {
    let worst = found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-12, "{found:?} instead of {exact:?}");
}

#[test]
fn violations_are_refused_by_name_and_amount() {
    let amount = |text: &str, unit: &str| -> f64 {
        let end = text.find(&format!(" {unit}")).unwrap_or_else(|| panic!("no {unit} in: {text}"));
        text[..end].rsplit(' ').next().unwrap().parse().unwrap()
    };
    let text = rejection(GAP);
    assert!(text.contains("interface `joint`") && (amount(&text, "m") - 5e-4).abs() < 1e-15, "{text}");
    let text = rejection(SPEED);
    assert!(text.contains("interface `joint`") && (amount(&text, "m/s") - 0.25).abs() < 1e-15, "{text}");
    let text = rejection(PENETRATION);
    assert!(text.contains("contact `node.stop`") && (amount(&text, "m") - 1e-3).abs() < 1e-15, "{text}");
    for text in [rejection(GAP), rejection(SPEED), rejection(PENETRATION)] {
        assert!(text.contains("initial_state = \"project\""), "no way out in: {text}");
    }
}

#[test]
fn all_violations_are_told_at_once() {
    let text = rejection(&["subsystem.node.position=[0, 0, -1e-3]", "subsystem.node.velocity=[0, 0, 0.25]"]);
    for part in ["gap of", "speed difference of", "penetration of"] {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
}

#[test]
fn small_violations_are_accepted_as_told() {
    let tolerance = [GAP, &["master.initial_tolerance=1e-3"]].concat();
    assert!(Run::model(MODEL, &tolerance).build().is_ok());
}

#[test]
fn projection_moves_the_lighter_side() {
    let (node, rod) = (1.0, 14062.5);
    let shares = |a: f64, b: f64| (node * a + rod * b) / (node + rod);
    let x = shares(0.0035, 0.003);
    assert_close(state(&projected(GAP)), [x, x, 0.0, 0.0]);
    let v = shares(0.25, 0.0);
    assert_close(state(&projected(SPEED)), [0.003, 0.003, v, v]);
    assert_close(state(&projected(PENETRATION)), [0.0; 4]);
}

#[test]
fn projected_states_run() {
    for violation in [GAP, SPEED, PENETRATION] {
        let run = Run::of(&Run::model(MODEL, &[violation, &["master.initial_state=project"]].concat()));
        assert_eq!(run.report.outcome, Outcome::Completed);
        let gap = run.column("joint.gap").iter().fold(0.0_f64, |most, g| most.max(g.abs()));
        assert!(gap < 1e-9, "{violation:?}: {gap:e} m");
    }
}

#[test]
fn joints_of_three_coordinates_are_projected() {
    let model = "three-subsystems/model.toml";
    let bent = [
        "subsystem.a.position=[1e-3, -2e-3, 5e-4, 1e-3, 0]",
        "subsystem.c.velocity=[0.1, 0, -0.2, 0, 0.05]",
        "master.initial_state=project",
    ];
    let Err(error) = Run::model(model, &bent[..2]).build() else { panic!("accepted") };
    let text = error.to_string();
    assert!(
        text.contains("interface `ab` by a gap of") && text.contains("interface `bc` by a speed"),
        "{text}"
    );
    let run = Run::example(model, &bent);
    for name in ["ab.gap_0", "ab.gap_1", "ab.gap_2", "bc.gap_0", "bc.gap_1", "bc.gap_2", "b.guide.residual"] {
        let largest = run.column(name).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(largest < 1e-9, "{name}: {largest:e} m");
    }
}
