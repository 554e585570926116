//! Energy: conserved in free flight, and accounted for where a scheme does not conserve it.
//!
//! What a run gains or loses besides contacts, loads and dampers is measured from the outside, by `Measured`, and compared
//! with what the monitor has summed up step by step from forces and ways.

use coupling_tests::{Measured, Run, assert_monitored_run, models};

const OSCILLATOR: &str = "oscillator/model.toml";
const DROOP_STOP: &str = "droop-stop/model.toml";
const FLIGHT: [&str; 5] = [
    "subsystem.lower.gravity=[0, 0, 0]",
    "subsystem.upper.gravity=0",
    "subsystem.upper.velocity=1",
    "time.step=1e-3",
    "time.end=20",
];
const RIGID_FLIGHT: [&str; 6] = [
    "subsystem.node.gravity=[0, 0, 0]",
    "subsystem.node.plane.stop.point=[0, 0, -1]",
    "subsystem.rod.force=[0]",
    "subsystem.rod.stiffness=[1e6]",
    "time.step=1e-3",
    "time.end=20",
];
/// A Tikhonov joint to a rod by the multistep rule, on a spring, so that forces change.
const THESIS: [&str; 5] = [
    "interface.joint.law=tikhonov",
    "interface.joint.constant=2e-8",
    "subsystem.rod.stiffness=[1e9]",
    "subsystem.rod.solver=multistep",
    "time.end=0.25",
];

/// The monitor's sum is the drift that is measured.
fn monitored(what: &str, path: &str, overrides: &[&str]) -> (Run, Measured) {
    assert_monitored_run(what, &Run::model(path, overrides))
}

/// The same where there must be a drift to see.
fn assert_monitored(what: &str, path: &str, overrides: &[&str]) -> Run {
    let (run, measured) = monitored(what, path, overrides);
    let drift = measured.drift();
    assert!(drift.abs() > 1e-9 * measured.scale, "{what}: a drift of {drift:e} J shows nothing");
    run
}

#[test]
fn monitor_tells_the_drift_of_every_example() {
    let examples = models();
    assert!(examples.len() >= 25, "{examples:?}");
    // Those with friction are checked step by step in `friction.rs` (the work of friction is not measured here, that of the rocking box and of spheres neither), the motor's work in `four_bar.rs`, the walker has both, that of a moment
    // against a spring in `andrews.rs`, the losses of penalty contacts by their own tests, what force laws take in
    // `load_ports.rs`, what a motor puts in in `controlled_slider_crank.rs`, that of the hammer and of the wheel by their own tests, dampers inside models in
    // `nested.rs`, and the power of the air on rotors in the tests of their examples.
    const APART: &[&str] = &[
        "walker",
        "andrews",
        "bouc-wen-isolator",
        "controlled-slider-crank",
        "blade-elsewhere",
        "exported-mechanism",
        "falling-drag",
        "tilted-plane-friction",
        "rocking-box",
        "sliding-block",
        "spheres-in-a-box",
        "stick-slip-belt",
        "tippe-top",
        "train",
        "turbine",
        "woodpecker",
        "four-bar",
        "puma-",
        "python-controller",
        "droop-stop-nonlinear/penalty",
        "slider-crank-stop/compliant",
    ];
    let is_apart = |model: &String| APART.iter().any(|name| model.starts_with(name));
    for model in examples.into_iter().filter(|model| !is_apart(model)) {
        // Dampers take out what cannot be measured to the last digits from outside.
        let undamped: &[&str] = match model.as_str() {
            "three-subsystems/model.toml" => {
                &["subsystem.a.damping=0", "subsystem.b.damping=0", "subsystem.c.damping=0"]
            }
            "three-subsystems/model-one-piece.toml" => &["subsystem.whole.damping=0"],
            _ => &[],
        };
        for impacts in ["sub-step", "plain"] {
            let setting = format!("master.impacts={impacts}");
            monitored(&format!("{model}, {impacts}"), &model, &[undamped, &[&setting]].concat());
        }
    }
}

/// Impacts inside steps at a Tikhonov joint that the steps resolve let its ends meet: they take energy out, as those of a rigid joint do.
#[test]
fn impacts_at_a_soft_joint_take_energy_out() {
    let run = Run::example(DROOP_STOP, &[THESIS.as_slice(), &["subsystem.node.mass=100"]].concat());
    let energy = run.report.energy;
    assert!(run.report.impacts > 10 && run.report.warnings.is_empty(), "{:?}", run.report.warnings);
    assert!(energy.monitor_sum.abs() < 5e-3 * energy.start, "{energy:?}");
    assert!((energy.contact + energy.start).abs() < 1e-2 * energy.start, "{energy:?}");
}

#[test]
fn spring_between_midpoint_rules_conserves_energy() {
    let run = Run::example(OSCILLATOR, &FLIGHT);
    assert_eq!((run.report.steps, run.report.impacts), (20_000, 0));
    let measured = Measured::of(&Run::model(OSCILLATOR, &FLIGHT), &run);
    // Half a joule, all of it kinetic at the start.
    assert!((run.report.energy.start - 0.5).abs() < 1e-14);
    assert!(measured.change.abs() <= 1e-10 * 0.5, "drift {:e} J", measured.change);
    let created = run.report.energy.interfaces;
    assert!(created.abs() <= 1e-10 * 0.5, "the interface makes {created:e} J");
}

#[test]
fn rigid_joint_between_midpoint_rules_conserves_energy() {
    for mass in ["1e-3", "1", "1e4"] {
        let node = format!("subsystem.node.mass={mass}");
        let run = Run::example(DROOP_STOP, &[RIGID_FLIGHT.as_slice(), &[&node]].concat());
        assert_eq!((run.report.steps, run.report.impacts), (20_000, 0));
        let energy = run.report.energy;
        assert!((energy.end / energy.start - 1.0).abs() <= 1e-10, "{mass} kg: {energy:?}");
        let gap = run.column("joint.gap").iter().fold(0.0_f64, |most, g| most.max(g.abs()));
        assert!(gap <= 1e-12, "{mass} kg: gap {gap:e} m");
    }
}

#[test]
fn rigid_joints_of_three_coordinates_conserve_energy() {
    let free = [
        "subsystem.a.contact.stop.offset=-1000",
        "subsystem.c.contact.stop.offset=-1000",
        "subsystem.a.damping=[0, 0, 0, 0, 0]",
        "subsystem.b.damping=[0, 0, 0, 0, 0, 0]",
        "subsystem.c.damping=[0, 0, 0, 0, 0]",
        "time.end=10",
    ];
    let run = Run::example("three-subsystems/model.toml", &free);
    assert_eq!((run.report.steps, run.report.impacts), (20_000, 0));
    // It swings about the rest position of the loads, whose potential is what there is to convert.
    let energy = run.report.energy;
    assert!(energy.end.abs() < 1e-12, "{energy:?}");
    let speed = run.column("a.v_q0").iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    assert!(speed > 1e-3, "nothing moves");
}

#[test]
fn monitor_tells_what_rules_that_damp_take_out() {
    for solver in ["multistep", "generalized-alpha", "{ method = \"multistep\", spectral_radius = 0 }"] {
        let setting = format!("subsystem.upper.solver={solver}");
        let run = assert_monitored(solver, OSCILLATOR, &[FLIGHT.as_slice(), &[&setting]].concat());
        assert!(run.report.energy.monitor_sum < 0.0);
    }
    let implicit_euler = [
        "subsystem.lower.solver={ method = \"moreau-jean\", theta = 1.0 }",
        "subsystem.upper.solver={ method = \"theta\", theta = 1.0 }",
    ];
    assert_monitored("theta = 1", OSCILLATOR, &[FLIGHT.as_slice(), &implicit_euler].concat());
}

#[test]
fn monitor_tells_what_impacts_inside_steps_make() {
    for (step, impacts) in [("1e-3", "sub-step"), ("1e-4", "sub-step"), ("1e-3", "plain")] {
        let settings = [format!("time.step={step}"), format!("master.impacts={impacts}")];
        let overrides = [settings[0].as_str(), &settings[1], "time.end=0.9"];
        let (run, measured) = monitored(&format!("impacts {impacts}, h = {step}"), OSCILLATOR, &overrides);
        let drift = measured.drift().abs();
        if impacts == "plain" {
            // The impact law on mean forces books its work exactly: there is nothing to monitor.
            assert!(drift < 1e-10 && run.report.energy.monitor_sum.abs() < 1e-10, "{drift:e}");
        } else {
            assert!(drift > 1e-9 * measured.scale, "h = {step}: a drift of {drift:e} J shows nothing");
        }
    }
}

#[test]
fn monitor_tells_what_a_relaxed_joint_makes() {
    for constant in ["2e-8", "2e-9"] {
        for impacts in ["plain", "sub-step"] {
            let settings =
                [format!("interface.joint.constant={constant}"), format!("master.impacts={impacts}")];
            let overrides = [THESIS.as_slice(), &[&settings[0], &settings[1]]].concat();
            let run = assert_monitored(&format!("c = {constant}, {impacts}"), DROOP_STOP, &overrides);
            let interfaces = run.report.interfaces[0].energy_monitor;
            assert!((interfaces - run.report.energy.interfaces).abs() < 1e-12 * interfaces.abs());
        }
    }
}

#[test]
fn monitor_tells_what_an_unfinished_iteration_makes() {
    for tolerance in ["1e-2", "1e-4"] {
        let settings = [format!("master.tolerance={tolerance}")];
        let more = ["master.scheme=gauss-seidel", &settings[0]];
        let about = format!("Gauss-Seidel, tolerance {tolerance}");
        assert_monitored(&about, DROOP_STOP, &[THESIS.as_slice(), &more].concat());
        let more = ["master.scheme=gauss-seidel", &settings[0]];
        let run = assert_monitored(&about, OSCILLATOR, &[FLIGHT.as_slice(), &more].concat());
        // Both rules conserve: it is the interface, and nothing else.
        let energy = run.report.energy;
        assert!(energy.subsystems.abs() < 1e-3 * energy.interfaces.abs(), "{energy:?}");
    }
}

#[test]
fn monitor_tells_what_a_curved_motion_makes() {
    for step in ["4e-3", "1e-3"] {
        let setting = format!("time.step={step}");
        assert_monitored(&format!("falling rod, h = {step}"), "droop-stop-nonlinear/model.toml", &[&setting]);
    }
}

/// The step rules of the two sides differ, and the joint damps: what its dashpot takes out is measured from the gap, which
/// moves in a straight line over a step.
#[test]
fn monitor_tells_what_is_left_beside_a_dashpot() {
    for (solver, damping) in [("multistep", 2.0), ("generalized-alpha", 20.0), ("multistep", 0.1)] {
        let settings =
            [format!("subsystem.upper.solver={solver}"), format!("interface.spring.damping={damping}")];
        let overrides = [FLIGHT.as_slice(), &[&settings[0], &settings[1], "time.end=0.5"]].concat();
        let model = Run::model(OSCILLATOR, &overrides);
        let run = Run::completed(&model);
        let gap = run.column("spring.gap");
        let dissipated: f64 = gap.windows(2).map(|g| damping * (g[1] - g[0]).powi(2) / model.time.step).sum();
        let (energy, change) = (run.report.energy, Measured::of(&model, &run).change);
        assert!((energy.dissipated / dissipated - 1.0).abs() < 1e-9 && dissipated > 1e-3, "{energy:?}");
        let drift = change + dissipated;
        let about =
            format!("{solver}, {damping} N s/m: {:e} J told, {drift:e} J measured", energy.monitor_sum);
        assert!(drift.abs() > 1e-9 * energy.start, "{about}: nothing to tell");
        assert!((energy.monitor_sum / drift - 1.0).abs() < 1e-2, "{about}");
    }
}

#[test]
fn monitor_tells_what_extrapolation_makes() {
    for (stiffness, step) in [("1e4", "1e-3"), ("1e3", "1e-3"), ("1e4", "2e-4")] {
        let settings = [
            format!("interface.spring.stiffness={stiffness}"),
            format!("time.step={step}"),
            "time.end=1".to_owned(),
            "subsystem.upper.coupling=explicit".to_owned(),
            "master.step_control=fixed".to_owned(),
        ];
        let overrides = [&FLIGHT[..3], &settings.each_ref().map(String::as_str)].concat();
        let about = format!("explicit, k = {stiffness} N/m, h = {step} s");
        let run = assert_monitored(&about, OSCILLATOR, &overrides);
        let energy = run.report.energy;
        assert!(energy.subsystems.abs() < 1e-2 * energy.interfaces.abs(), "{about}: {energy:?}");
    }
}

#[test]
fn monitor_tells_the_drift_on_obstacles_that_move() {
    let shaken = [
        "subsystem.lower.plane.floor.amplitude=[0, 0, 0.02]",
        "subsystem.lower.plane.floor.frequency=40",
        "time.step=1e-3",
        "time.end=1.5",
    ];
    for more in [&[][..], &["subsystem.upper.solver=multistep"], &["master.impacts=plain"]] {
        let overrides = [shaken.as_slice(), more].concat();
        let (run, measured) = monitored(&format!("shaken, {more:?}"), OSCILLATOR, &overrides);
        assert!(run.report.impacts > 2 && measured.external.abs() > 1e-3, "{measured:?}");
    }
    for scheme in ["gauss-seidel", "jacobi"] {
        let scheme = format!("master.scheme={scheme}");
        let overrides = [shaken.as_slice(), &[&scheme, "master.tolerance=1e-3"]].concat();
        assert_monitored(&format!("shaken, {scheme}"), OSCILLATOR, &overrides);
    }
}
