//! Units under every rule at joints, under all schemes of the master, with micro steps and in steps chosen by their error: to the order, as
//! native subsystems.

use cosimo::master::Warning;
use cosimo::model::read_model;
use coupling_tests::{Run, fitted_order};

use super::{HALVES, Half, VERSIONS, file, model};

const SPRING: &str = "law = \"compliant\"\nstiffness = 1000.0\ndamping = 1.0";
const RIGID: &str = "law = \"rigid\"\noffset = 0.15";
const STEPS: [f64; 3] = [4e-3, 2e-3, 1e-3];
/// The step of the reference (s).
const FINE: f64 = 5e-5;

/// Positions of both masses at the communication points, of native halves and of units.
fn places(run: &Run) -> [Vec<f64>; 2] {
    ["a", "b"].map(|name| {
        let native = format!("{name}.q0");
        let is_native = run.labels().contains(&native);
        run.column(&if is_native { native } else { format!("{name}.place") })
    })
}

fn text(step: f64, halves: [&String; 2], joint: &str) -> String {
    model(step, halves.map(String::as_str), joint)
}

/// Positions of a fine run of native halves.
fn fine(joint: &str) -> [Vec<f64>; 2] {
    let native = HALVES.map(|half| half.native("theta"));
    places(&Run::completed(&Run::text(&text(FINE, [&native[0], &native[1]], joint), &[])))
}

/// Largest errors of the positions (m) with three steps, with the last run.
fn errors(halves: [&String; 2], joint: &str, exact: &[Vec<f64>; 2], set: &[&str]) -> ([f64; 3], Run) {
    let runs = STEPS.map(|step| Run::completed(&Run::text(&text(step, halves, joint), set)));
    let error = |run: &Run| {
        let both = places(run).into_iter().zip(exact);
        both.fold(0.0_f64, |most, (found, exact)| {
            let stride = (exact.len() - 1) / (found.len() - 1);
            let apart = found.iter().zip(exact.iter().step_by(stride)).map(|(a, b)| (a - b).abs());
            apart.fold(most, f64::max)
        })
    };
    let errors = runs.each_ref().map(error);
    let [_, _, last] = runs;
    (errors, last)
}

/// Errors at a step of a millisecond: motion of 0.15 m against each other at 40 rad/s, or as one at 15 rad/s.
fn allowed(joint: &str) -> f64 {
    if joint == RIGID { 2e-6 } else { 2.5e-4 }
}

fn largest_gap(run: &Run) -> f64 {
    run.column("j.gap").iter().fold(0.0_f64, |most, gap| most.max(gap.abs()))
}

fn assert_order(told: &str, errors: [f64; 3], allowed: f64) {
    let order = fitted_order(&STEPS, &errors);
    assert!((order - 2.0).abs() < 0.05 && errors[2] < allowed, "{told}: order {order}, errors {errors:?}");
}

#[test]
fn every_rule_meets_every_rule_at_a_joint() {
    for joint in [SPRING, RIGID] {
        let exact = fine(joint);
        for version in VERSIONS {
            let Some(file) = file("oscillator_half", version, &[]) else { return };
            for solver in ["generalized-alpha", "multistep", "theta"] {
                let units = HALVES.map(|half| half.unit(&file, &format!("solver = \"{solver}\"")));
                for other in ["generalized-alpha", "theta"] {
                    let natives = HALVES.map(|half| half.native(other));
                    for halves in [[&natives[0], &units[1]], [&units[0], &natives[1]], [&units[0], &units[1]]]
                    {
                        let told = format!("{version:?}, {solver} beside {other}, {joint}");
                        let (errors, run) = errors(halves, joint, &exact, &[]);
                        assert_order(&told, errors, allowed(joint));
                        let gap = largest_gap(&run);
                        assert!(joint == SPRING || gap < 1e-14, "{told}: gap {gap:e}");
                        assert_eq!(run.report.master_iterations, run.report.steps, "{told}");
                    }
                }
            }
        }
    }
}

#[test]
fn sweeps_find_what_the_condensed_scheme_finds() {
    for joint in [SPRING, RIGID] {
        let exact = fine(joint);
        for version in VERSIONS {
            let Some(file) = file("oscillator_half", version, &[]) else { return };
            for face in ["model-exchange", "co-simulation"] {
                let native = HALVES[0].native("theta");
                let units = HALVES.map(|half| half.unit(&file, &format!("face = \"{face}\"")));
                for halves in [[&native, &units[1]], [&units[0], &units[1]]] {
                    let (expected, _) = errors(halves, joint, &exact, &[]);
                    for scheme in ["gauss-seidel", "jacobi"] {
                        let told = format!("{version:?}, {face}, {scheme}, {joint}");
                        let set = [&format!("master.scheme={scheme}"), "master.acceleration=iqn-ils"];
                        let (found, run) = errors(halves, joint, &exact, &set);
                        let unsolved = |warning: &Warning| warning.text.contains("converge");
                        assert!(!run.report.warnings.iter().any(unsolved), "{told}");
                        assert_order(&told, found, allowed(joint));
                        let apart =
                            found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                        assert!(apart < 1e-10, "{told}: {apart:e} m from the condensed scheme");
                        // Between two units with solvers of their own nothing closes the gap, which is of order two.
                        let gap = largest_gap(&run);
                        assert!(joint == SPRING || gap < 1e-7, "{told}: gap {gap:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn micro_steps_of_units_are_those_of_native_subsystems() {
    let with = |half: Half, text: String| {
        let name = format!("name = \"{}\"", half.name);
        text.replacen(&name, &format!("{name}\nmicro_steps = 4"), 1)
    };
    for joint in [SPRING, RIGID] {
        let exact = fine(joint);
        for version in VERSIONS {
            let Some(file) = file("oscillator_half", version, &[]) else { return };
            for solver in ["theta", "multistep", "generalized-alpha"] {
                let keys = format!("solver = \"{solver}\"");
                let whole = HALVES[0].native("theta");
                let natives = HALVES.map(|half| with(half, half.native(solver)));
                let units = HALVES.map(|half| with(half, half.unit(&file, &keys)));
                for halves in [[&whole, &units[1]], [&units[0], &units[1]]] {
                    let told = format!("{version:?}, {solver}, {joint}");
                    let (found, run) = errors(halves, joint, &exact, &[]);
                    assert_order(&told, found, allowed(joint));
                    let first = if halves[0] == &whole { &whole } else { &natives[0] };
                    let (native, _) = errors([first, &natives[1]], joint, &exact, &[]);
                    assert!(
                        (found[2] / native[2] - 1.0).abs() < 0.02,
                        "{told}: {found:?}, natively {native:?}"
                    );
                    let gap = largest_gap(&run);
                    assert!(joint == SPRING || gap < 1e-8, "{told}: gap {gap:e}");
                }
            }
        }
    }
}

/// Error of the positions at the end (m) of steps chosen by their error, and how many there are.
fn adaptive(halves: [&String; 2], joint: &str, exact: &[Vec<f64>; 2], tolerance: f64) -> (f64, f64) {
    let tolerance = format!("master.error_tolerance={tolerance}");
    let run =
        Run::completed(&Run::text(&text(0.1, halves, joint), &["master.step_control=error", &tolerance]));
    let ends = places(&run).into_iter().zip(exact);
    let error = ends.fold(0.0_f64, |most, (found, exact)| {
        most.max((found[found.len() - 1] - exact[exact.len() - 1]).abs())
    });
    (error, run.times.len() as f64 - 1.0)
}

#[test]
fn steps_chosen_by_their_error_are_as_many_and_as_good_as_native_ones() {
    let faces = [
        "solver = \"theta\"",
        "solver = \"multistep\"",
        "solver = \"generalized-alpha\"",
        "face = \"co-simulation\"",
    ];
    for joint in [SPRING, RIGID] {
        let exact = fine(joint);
        let native = HALVES.map(|half| half.native("theta"));
        for version in VERSIONS {
            let Some(file) = file("oscillator_half", version, &[]) else { return };
            for keys in faces {
                let units = HALVES.map(|half| half.unit(&file, keys));
                for halves in [[&native[0], &units[1]], [&units[0], &units[1]]] {
                    let [coarse, fine] = [1e-3, 1e-5].map(|tolerance| {
                        let (expected, steps) = adaptive([&native[0], &native[1]], joint, &exact, tolerance);
                        let (error, taken) = adaptive(halves, joint, &exact, tolerance);
                        let told =
                            format!("{version:?}, {keys}, {joint}, {tolerance}: {error:e} in {taken} steps");
                        assert!((taken / steps - 1.0).abs() < 0.15, "{told}, natively {steps}");
                        assert!(error < 1.5 * expected, "{told}, natively {expected:e}");
                        error
                    });
                    assert!(fine < 0.25 * coarse, "{version:?}, {keys}, {joint}: {coarse:e}, {fine:e}");
                }
            }
        }
    }
}

#[test]
fn micro_steps_that_a_unit_cannot_take_are_refused_by_name() {
    let half = "position = \"x\"\nvelocity = \"v\"\nforce = \"F\"";
    let spring = "position = \"x1\"\nvelocity = \"v1\"\nforce = \"f\"";
    for version in VERSIONS {
        let [Some(half_file), Some(body_file), Some(spring_file)] =
            ["oscillator_half", "rigid_body", "spring_half"].map(|name| file(name, version, &[]))
        else {
            return;
        };
        for (file, keys, port, reason) in [
            (
                &half_file,
                "face = \"co-simulation\"",
                half,
                "brings its own solver: it takes part in co-simulation",
            ),
            (&body_file, "", "", "is a frame, whose rotations of 2 micro steps do not add up"),
            (&spring_file, "", spring, "is a load port, which answers a motion of whole steps"),
        ] {
            let text = format!(
                "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\n[[subsystem]]\nname = \"s\"\nkind = \"fmu\"\nfile = \"{file}\"\n\
                 micro_steps = 2\n{keys}\n[[subsystem.port]]\nname = \"tip\"\n{port}\n"
            );
            let told =
                read_model("model.toml", &text, &[]).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(told.contains(reason) && told.contains("micro_steps = 2"), "{told}");
        }
    }
}

#[test]
fn units_of_different_rules_and_faces_meet_at_a_joint_with_order_two() {
    let faces = [
        ["solver = \"theta\"", "solver = \"generalized-alpha\""],
        ["solver = \"multistep\"", "solver = \"generalized-alpha\""],
        ["solver = \"theta\"", "face = \"co-simulation\""],
        ["face = \"co-simulation\"", "solver = \"multistep\""],
    ];
    for joint in [SPRING, RIGID] {
        let exact = fine(joint);
        for version in VERSIONS {
            let Some(file) = file("oscillator_half", version, &[]) else { return };
            for [a, b] in faces {
                let units = [HALVES[0].unit(&file, a), HALVES[1].unit(&file, b)];
                let told = format!("{version:?}, {a}, {b}, {joint}");
                let (errors, run) = errors([&units[0], &units[1]], joint, &exact, &[]);
                assert_order(&told, errors, allowed(joint));
                // Nothing closes it; it is of order two.
                let gap = largest_gap(&run);
                assert!(joint == SPRING || gap < 5e-7, "{told}: gap {gap:e}");
            }
        }
    }
}
