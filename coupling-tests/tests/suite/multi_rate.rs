//! A stiff smooth side with micro steps on a soft spring, against all with the small step.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo::master::{NoObserver, RunReport};
use coupling_tests::{Run, fitted_order};

/// 0.5 kg and 0.5 kg on 2e4 N/m (280 rad/s) on one side, 1 kg on the other, joined by 400 N/m.
const MODEL: &str = r#"
schema = 1
time = { end = 0.2, step = 1e-3 }
[[subsystem]]
name = "stiff"
kind = "linear"
mass = [0.5, 0.5]
position = [0.0, 1e-4]
velocity = [0.3, 0.3]
port = [{ name = "end", coordinates = [0] }]
[[subsystem.spring]]
between = [0, 1]
stiffness = 2e4
[[subsystem]]
name = "soft"
kind = "linear"
mass = [1.0]
velocity = [VELOCITY]
port = [{ name = "end", coordinates = [0] }]
[[interface]]
name = "spring"
between = ["stiff.end", "soft.end"]
law = "compliant"
stiffness = 400.0
"#;

/// Positions and velocities at the end.
fn run(h: f64, micro: u32, law: &str) -> (Vec<f64>, RunReport) {
    let velocity = if law == RIGID { "0.3" } else { "0.0" };
    let text = MODEL.replace(SPRING, law).replace("VELOCITY", velocity);
    let settings = [format!("time.step={h:e}"), format!("subsystem.stiff.micro_steps={micro}")];
    let model = Run::text(&text, &[&settings[0], &settings[1]]);
    let mut master = model.build().unwrap();
    let report = master.run(model.time.end, h, &mut NoObserver).unwrap();
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    values.truncate(6);
    (values, report)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const SPRING: &str = "law = \"compliant\"\nstiffness = 400.0";
const RIGID: &str = "law = \"rigid\"";

#[test]
fn micro_steps_are_worth_small_steps_of_the_stiff_side() {
    let (reference, _) = run(2e-6, 1, SPRING);
    let coarse = distance(&run(2e-3, 1, SPRING).0, &reference);
    let (cycled, report) = run(2e-3, 10, SPRING);
    let cycled = distance(&cycled, &reference);
    let fine = distance(&run(2e-4, 1, SPRING).0, &reference);
    assert!(cycled < 0.1 * coarse, "{cycled:e} with micro steps, {coarse:e} without");
    // The spring still steps coarsely: a phase error of (ωH)²/12 ωt = 1.5e-3 of some 0.15 m/s comes on top.
    assert!(cycled < fine + 2.5e-4, "{cycled:e} with micro steps, {fine:e} with all steps small");
    assert_eq!(report.steps, 100);
    // One row: affine as the rest, one solve per step, one difference for the only step size and one to verify it.
    assert_eq!(report.interface_solves, 100);
    assert_eq!(report.subsystems[0].statistics.refreshes, 2);
}

#[test]
fn micro_steps_converge_with_order_two() {
    for law in [SPRING, RIGID] {
        let (reference, _) = run(1e-6, 1, law);
        let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
        let errors: Vec<f64> = steps.iter().map(|h| distance(&run(*h, 10, law).0, &reference)).collect();
        let order = fitted_order(&steps, &errors);
        assert!(order > 1.8, "{law}: order {order}, {errors:?}");
    }
}

#[test]
fn the_balance_tells_what_interpolation_costs() {
    let (_, report) = run(2e-3, 10, SPRING);
    let energy = report.energy;
    let drift = energy.end - energy.start;
    assert!((energy.monitor_sum - drift).abs() <= 1e-2 * drift.abs() + 1e-9 * energy.start, "{energy:?}");
    assert!(drift.abs() < 1e-3 * energy.start, "{energy:?}");
    // Constant loads cost nothing: a rigid joint has them.
    let (_, report) = run(2e-3, 10, RIGID);
    let made = report.subsystems[0].energy_numerical;
    assert!(made.abs() < 1e-12, "{made:e} J");
}

/// Macro steps chosen by their error, each with ten micro steps of the stiff side: at a spring; a joint that holds mean rates refuses them.
#[test]
fn micro_steps_go_with_steps_chosen_by_their_error() {
    let (reference, _) = run(1e-6, 1, SPRING);
    let model = |law: &str, tolerance: f64| {
        let settings = [
            "subsystem.stiff.micro_steps=10".to_owned(),
            "master.step_control=error".to_owned(),
            format!("master.error_tolerance={tolerance:e}"),
        ];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let velocity = if law == RIGID { "0.3" } else { "0.0" };
        Run::text(&MODEL.replace(SPRING, law).replace("VELOCITY", velocity), &settings)
    };
    let tolerances = [1e-6, 1e-7, 1e-8, 1e-9];
    let error = |tolerance: &f64| {
        let run = Run::completed(&model(SPRING, *tolerance));
        distance(&run.last()[..6], &reference)
    };
    let errors: Vec<f64> = tolerances.iter().map(error).collect();
    let order = fitted_order(&tolerances, &errors);
    assert!(order > 0.5, "order {order}, {errors:?}");
    let rejection = model(RIGID, 1e-6).build().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(rejection.contains("micro steps"), "{rejection}");
}

/// Two masses that do not move alike when they are joined: momentum and the centre of mass are kept, whatever the steps inside.
#[test]
fn what_takes_micro_steps_is_projected_as_what_does_not() {
    let side = |name: &str, mass: f64, z: f64, speed: f64| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"node\"\nmass = {mass:?}\nradius = 0.1\nposition = [0, 0, {z:?}]\n\
             velocity = [{speed:?}, 0, 0]\nport = [{{ name = \"p\" }}]\n"
        )
    };
    let text = "schema = 1\ntime = { end = 0.1, step = 1e-3 }\nmaster = { initial_state = \"project\" }\n"
        .to_owned()
        + &side("a", 1.0, 1.0, 1.0)
        + &side("b", 3.0, 1.004, 0.0)
        + "[[interface]]\nname = \"j\"\nbetween = [\"a.p\", \"b.p\"]\nlaw = \"rigid\"\n";
    for micro in ["subsystem.b.micro_steps=1", "subsystem.b.micro_steps=4"] {
        let run = Run::completed(&Run::text(&text, &[micro]));
        let last = |name: &str| run.value(name, run.times.len() - 1);
        for (name, exact) in [("a.vx", 0.25), ("b.vx", 0.25), ("a.z", 1.003), ("b.z", 1.003), ("b.x", 0.025)]
        {
            assert!((last(name) - exact).abs() < 1e-10, "{micro}: {name} {}", last(name));
        }
    }
}
