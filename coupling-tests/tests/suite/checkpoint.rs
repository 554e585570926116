//! A run that is stopped, saved and taken up by a model built anew has the bits of one without a break.

use cosimo::model::ModelSpec;
use coupling_tests::{Run, models};

/// Breaks at the first steps, and at others that are spread over the run: before, in and after its contacts.
fn breaks(steps: u64) -> Vec<u64> {
    let mut breaks = vec![1, 2, 3];
    breaks.extend([7, 19, 31, 53, 73, 97].map(|percent| steps * percent / 100));
    breaks.retain(|step| *step > 0 && *step < steps);
    breaks.sort_unstable();
    breaks.dedup();
    breaks
}

fn assert_same_bits(what: &str, model: &ModelSpec) {
    let whole = Run::of(model);
    assert!(whole.report.steps > 3, "{what}: {:?}", whole.report.outcome);
    let parts = Run::interrupted(model, &breaks(whole.report.steps));
    assert!(parts.has_bits_of(&whole), "{what}");
    assert_eq!(parts.timeless_report(), whole.timeless_report(), "{what}");
}

fn model(name: &str, overrides: &[&str]) -> ModelSpec {
    Run::model(name, overrides)
}

#[test]
fn every_example_goes_on_with_the_same_bits() {
    for name in models() {
        // Long enough for impacts in every example, short enough for all of them.
        assert_same_bits(&name, &Run::first_steps(&name, &[], 6000));
    }
}

#[test]
fn steps_chosen_by_their_error_go_on_with_the_same_bits() {
    for name in models() {
        let by_error = ["master.step_control=error", "master.error_tolerance=1e-7"];
        let mut model = Run::first_steps(&name, &by_error, 6000);
        model.time.step *= 16.0;
        assert_same_bits(&name, &model);
    }
}

#[test]
fn subsystems_in_threads_go_on_with_the_same_bits() {
    for name in ["droop-stop/model.toml", "droop-stop-nonlinear/model.toml", "rods/impact.toml"] {
        assert_same_bits(name, &model(name, &["master.execution=threads"]));
    }
}

#[test]
fn iterations_go_on_with_the_same_bits() {
    let thesis = [
        "time.end=0.12",
        "master.scheme=gauss-seidel",
        "interface.joint.law=tikhonov",
        "interface.joint.constant=2e-8",
        "subsystem.rod.solver=multistep",
    ];
    assert_same_bits("thesis", &model("droop-stop/model.toml", &thesis));
    let heavy = ["subsystem.node.mass=100", "master.tolerance=1e-12"];
    assert_same_bits("nonlinear", &model("droop-stop-nonlinear/model.toml", &heavy));
    let compliant = ["master.scheme=gauss-seidel", "time.end=0.9"];
    assert_same_bits("compliant", &model("oscillator/model.toml", &compliant));
}

/// A rod that falls on a floor with a mass at each of many points, and two masses that are joined twice.
fn hub_and_loop() -> String {
    let mut text = String::from(
        "schema = 1\n[time]\nend = 0.6\nstep = 1e-3\n[master]\ninitial_state = \"project\"\n\
         [[subsystem]]\nname = \"rod\"\nkind = \"planar\"\ngravity = [0, -10]\n\
         body = [{ name = \"rod\", mass = 5, inertia = 3, position = [0, 1] }]\n\
         contact = [{ name = \"foot\", body = \"rod\", point = [1, 0], normal = [0, 1], restitution = 0.5 }]\n",
    );
    let at = |k: i32| f64::from(k) / 25.0 - 1.0;
    for k in 0..50 {
        let x = at(k);
        text += &format!(
            "[[subsystem.port]]\nname = \"p{k}\"\nbody = \"rod\"\npoint = [{x}, 0]\ndirection = [0, 1]\n"
        );
    }
    let node = |name: &str, ports: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"node\"\nmass = 0.1\ngravity = [0, -10, 0]\n\
             position = [0, 1, 0]\nport = [{ports}]\n"
        )
    };
    let port = |name: &str| format!("{{ name = \"{name}\", direction = [0, 1, 0] }}");
    let joint = |name: &str, a: &str, b: &str| {
        format!("[[interface]]\nname = \"{name}\"\nbetween = [\"{a}\", \"{b}\"]\nlaw = \"rigid\"\n")
    };
    let mut joints = String::new();
    for k in 0..50 {
        text += &node(&format!("n{k}"), &port("c"));
        joints += &joint(&format!("j{k}"), &format!("n{k}.c"), &format!("rod.p{k}"));
    }
    let two = format!("{}, {}", port("c"), port("d"));
    text += &node("left", &two);
    text += &node("right", &two);
    text + &joints + &joint("once", "left.c", "right.c") + &joint("twice", "left.d", "right.d")
}

#[test]
fn hubs_and_redundant_loops_go_on_with_the_same_bits() {
    let model = Run::text(&hub_and_loop(), &[]);
    let mut master = model.build().unwrap();
    master.step(1e-3).unwrap();
    assert!(
        master.warnings().iter().any(|warning| warning.text.contains("redundant")),
        "{:?}",
        master.warnings()
    );
    assert_same_bits("hub and loop", &model);
}

#[test]
fn a_state_of_another_model_is_refused_and_changes_nothing() {
    let here = model("oscillator/model.toml", &[]);
    let there = model("droop-stop/model.toml", &[]);
    let (mut a, b) = (here.build().unwrap(), there.build().unwrap());
    let refused = a.restore(&b.save().unwrap()).unwrap_err();
    assert!(refused.to_string().contains("its subsystems differ"), "{refused}");
    let mut untouched = here.build().unwrap();
    for _ in 0..50 {
        a.step(1e-3).unwrap();
        untouched.step(1e-3).unwrap();
    }
    let bits = |master: &cosimo::master::Master| {
        let mut values = vec![0.0; master.labels().len()];
        master.observe(&mut values).unwrap();
        values.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits(&a), bits(&untouched));
}
