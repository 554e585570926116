//! Redundant loops of bodies that turn: two bodies joined at two points, the distance of which each holds for itself.
//!
//! No step shows that exactly, since the bodies turn alike only when the joints have made them. Loads along the line between the
//! points move nothing, and whatever is found there is the solver's. Held against the same with a joint that is relaxed by hand, at
//! several steps.

use cosimo::model::ModelSpec;
use coupling_tests::Run;
use nalgebra::{UnitQuaternion, Vector3};

/// Angular velocity (rad/s) of both bodies at the start.
const SPIN: [f64; 3] = [0.5, 1.0, 2.0];

/// Points of the joints, as body `a` has them.
const POINTS: [[f64; 3]; 2] = [[0.2, 0.0, 0.0], [0.2, 0.3, 0.0]];

/// A body of this mass in the air, of a kind that turns, with a port at each of the points.
fn body(name: &str, kind: &str, (mass, x): (f64, f64), spin: [f64; 3]) -> String {
    let inertia = [0.02 * mass, 0.03 * mass, 0.04 * mass];
    let velocity = [0.0, spin[2] * x, -spin[1] * x];
    let state = format!(
        "mass = {mass:?}\ninertia = {inertia:?}\nposition = [{x:?}, 0, 0]\nvelocity = {velocity:?}\nangular_velocity = {spin:?}\n"
    );
    let mut text = format!("[[subsystem]]\nname = \"{name}\"\nkind = \"{kind}\"\ngravity = [0, 0, -9.81]\n");
    let owner = if kind == "multibody" {
        text += &format!("[[subsystem.body]]\nname = \"it\"\n{state}");
        "body = \"it\"\n"
    } else {
        text += &state;
        ""
    };
    for (port, [px, py, pz]) in ["p", "q"].iter().zip(POINTS) {
        let point = [px - x, py, pz];
        text +=
            &format!("[[subsystem.port]]\nname = \"{port}\"\n{owner}point = {point:?}\ncoordinates = 3\n");
    }
    text
}

/// Two bodies that turn as one at the start, joined at both points by this law, the second of them.
fn joined(kinds: [&str; 2], spin: [f64; 3], law: &str, overrides: &[&str]) -> ModelSpec {
    let joint = |name: &str, law: &str| {
        format!("[[interface]]\nname = \"at-{name}\"\nbetween = [\"a.{name}\", \"b.{name}\"]\n{law}\n")
    };
    let bodies = body("a", kinds[0], (1.0, 0.0), spin) + &body("b", kinds[1], (3.0, 0.4), spin);
    let joints = joint("p", "law = \"rigid\"") + &joint("q", law);
    Run::text(&format!("schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n{bodies}{joints}"), overrides)
}

fn hinge(kinds: [&str; 2], spin: [f64; 3], overrides: &[&str]) -> ModelSpec {
    joined(kinds, spin, "law = \"rigid\"", overrides)
}

fn tikhonov(kinds: [&str; 2], spin: [f64; 3]) -> ModelSpec {
    joined(kinds, spin, "law = \"tikhonov\"\nconstant = 1e-11", &[])
}

/// Force of a joint on body `b` over a run.
fn force(run: &Run, joint: &str) -> Vec<[f64; 3]> {
    let of = |k: usize| run.column(&format!("at-{joint}.force_{k}")).to_vec();
    let [x, y, z] = [0, 1, 2].map(of);
    (0..x.len()).map(|i| [x[i], y[i], z[i]]).collect()
}

/// Largest force at any joint, in any coordinate.
fn largest_force(run: &Run) -> f64 {
    let forces = [force(run, "p"), force(run, "q")];
    forces.iter().flatten().flatten().fold(0.0, |most, x| most.max(x.abs()))
}

#[test]
fn a_hinge_of_two_points_is_told_and_carries_the_forces_of_a_hinge() {
    for kinds in [["rigid-body"; 2], ["multibody", "rigid-body"], ["multibody"; 2]] {
        let model = |step: f64| hinge(kinds, SPIN, &[&format!("time.step={step:?}")]);
        let mut master = model(1e-3).build().unwrap();
        master.step(1e-3).unwrap();
        let warning = master.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(warning.contains("`at-p`, `at-q` are redundant"), "{kinds:?}: {warning}");
        // The same joint with as much play as a hundredth of a micron under a newton.
        let soft = Run::completed(&tikhonov(kinds, SPIN));
        for step in [1e-2, 1e-3, 1e-4] {
            let run = Run::completed(&model(step));
            let (found, soft) = (largest_force(&run), largest_force(&soft));
            assert!((found / soft - 1.0).abs() < 0.01, "{kinds:?}, {step} s: {found} N for {soft} N");
        }
    }
}

/// Whatever is known of a subsystem, the loop is reported and carries what it carries where all is known; also where one takes
/// micro steps, in which nothing is exactly redundant.
#[test]
fn loops_are_told_on_every_rung() {
    let kinds = ["rigid-body"; 2];
    let exact = largest_force(&Run::completed(&hinge(kinds, SPIN, &[])));
    for (setting, allowed) in [
        ("subsystem.b.coupling=differenced", 1e-4),
        ("subsystem.b.coupling=quasi-newton", 1e-2),
        ("subsystem.b.micro_steps=4", 1e-3),
        ("subsystem.a.micro_steps=3", 1e-3),
    ] {
        let model = hinge(kinds, SPIN, &[setting]);
        let mut master = model.build().unwrap();
        master.step(1e-3).unwrap();
        let warning = master.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(warning.contains("`at-p`, `at-q` are redundant"), "{setting}: {warning}");
        let found = largest_force(&Run::completed(&model));
        assert!((found / exact - 1.0).abs() < allowed, "{setting}: {found} N for {exact} N");
    }
}

/// The hinge of bodies that are not turned along any axis, by points that are not on any: differences of a bent motion do not show
/// that it is redundant, those of a jump, which is linear in its impulses, do.
#[test]
fn loops_of_differenced_bodies_are_told_in_any_position() {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.19, 0.37, 0.56));
    let (spin, ahead) = (Vector3::new(3.0, -2.0, 4.0), Vector3::new(0.4, 0.0, 0.0));
    let body = |name: &str, kind: &str, mass: f64, place: Vector3<f64>| {
        let x = turn * place;
        let list = |v: Vector3<f64>| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z);
        let state = format!(
            "mass = {mass:?}\ninertia = {}\nposition = {}\norientation = [{:?}, {:?}, {:?}, {:?}]\nvelocity = {}\n\
             angular_velocity = {}\n",
            list(Vector3::new(0.02, 0.03, 0.04) * mass),
            list(x),
            turn.w,
            turn.i,
            turn.j,
            turn.k,
            list(spin.cross(&x)),
            list(spin)
        );
        let (head, owner) = match kind {
            "multibody" => ("[[subsystem.body]]\nname = \"it\"\n", "body = \"it\"\n"),
            _ => ("", ""),
        };
        let port = |port: &str, point: Vector3<f64>| {
            let point = list(point - place);
            format!("[[subsystem.port]]\nname = \"{port}\"\n{owner}point = {point}\ncoordinates = 3\n")
        };
        format!("[[subsystem]]\nname = \"{name}\"\nkind = \"{kind}\"\n{head}{state}")
            + &port("p", Vector3::new(0.2, 0.0, 0.1))
            + &port("q", Vector3::new(0.25, 0.3, -0.2))
    };
    let joint = |name: &str| {
        format!(
            "[[interface]]\nname = \"at-{name}\"\nbetween = [\"a.{name}\", \"b.{name}\"]\nlaw = \"rigid\"\n"
        )
    };
    let text = "schema = 1\ntime = { end = 0.01, step = 1e-3 }\n".to_owned()
        + &body("a", "rigid-body", 1.0, Vector3::zeros())
        + &body("b", "multibody", 3.0, ahead)
        + &joint("p")
        + &joint("q");
    for setting in ["coupling=differenced", "coupling=quasi-newton", "micro_steps=2"] {
        let mut master = Run::text(&text, &[&format!("subsystem.b.{setting}")]).build().unwrap();
        // Whether it goes on is another question.
        let _ = master.step(1e-3);
        let warning = master.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let is_told =
            warning.contains("`at-p`, `at-q` are redundant") && warning.contains("a Tikhonov joint");
        assert!(is_told, "{setting}: {warning}");
    }
}

#[test]
fn round_off_makes_no_forces_where_bodies_fall_freely() {
    for kinds in [["rigid-body"; 2], ["multibody"; 2]] {
        for (step, limit) in [(1e-2, 1e-9), (1e-3, 1e-8), (1e-4, 1e-6)] {
            let run = Run::completed(&hinge(kinds, [0.0; 3], &[&format!("time.step={step:?}")]));
            let found = largest_force(&run);
            assert!(found < limit, "{kinds:?}, {step} s: {found} N");
        }
    }
}
