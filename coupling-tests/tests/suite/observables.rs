//! Forces of springs, bushings and contacts, states of contacts and violations of joints as quantities.

use coupling_tests::Run;

const G: f64 = 9.81;

fn system(parts: &str, end: f64) -> Run {
    let text = format!(
        "schema = 1\ntime = {{ end = {end:?}, step = 1e-3 }}\n[[subsystem]]\nname = \"b\"\nkind = \"multibody\"\n\
         gravity = [0, 0, -{G}]\n{parts}"
    );
    Run::completed(&Run::text(&text, &[]))
}

fn body(name: &str, mass: f64, at: [f64; 3]) -> String {
    format!(
        "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [0.1, 0.2, 0.15]\nposition = {at:?}\n"
    )
}

fn load(run: &Run, name: &str, t: f64) -> [f64; 6] {
    ["fx", "fy", "fz", "mx", "my", "mz"].map(|part| run.at(&format!("b.{name}.{part}"), t))
}

#[track_caller]
fn assert_near(found: [f64; 6], exact: [f64; 6], tolerance: f64) {
    let worst = found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < tolerance, "{found:?} instead of {exact:?}");
}

/// A weight at rest on a slanted pair of springs: each pulls its body along its line, the weight is carried.
#[test]
fn springs_carry_a_weight() {
    // Stretched by s from 1 m, at 45°: 2 k s cos 45° = m g.
    let (mass, k) = (2.0, 400.0);
    let tension = mass * G / 2.0_f64.sqrt();
    let length = 1.0 + tension / k;
    let side = length / 2.0_f64.sqrt();
    let spring = |name: &str, x: f64| {
        format!(
            "[[subsystem.force]]\nname = \"{name}\"\ntype = \"spring\"\nfirst = {{ body = \"ground\", point = [{x:?}, 0, {side:?}] }}\n\
             second = {{ body = \"weight\" }}\nstiffness = {k}\nlength = 1\n"
        )
    };
    let run =
        system(&(body("weight", mass, [0.0; 3]) + &spring("left", -side) + &spring("right", side)), 0.1);
    let half = 0.5 * mass * G;
    for t in [0.0, 0.05, 0.1] {
        assert_near(load(&run, "left", t), [-half, 0.0, half, 0.0, 0.0, 0.0], 1e-9);
        assert_near(load(&run, "right", t), [half, 0.0, half, 0.0, 0.0, 0.0], 1e-9);
    }
}

/// A bushing whose second frame is off the centre of mass: force and moment are about that frame, and carry weight and lever.
#[test]
fn a_bushing_carries_weight_and_lever() {
    let (mass, arm, k, turn) = (2.0, 0.3, 1e5, 1e4);
    // The frame of the body stands where force and moment balance: sagged by m g/k, turned by about m g arm/turn.
    let bushing = format!(
        "[[subsystem.force]]\nname = \"mount\"\ntype = \"bushing\"\nbodies = [\"ground\", \"weight\"]\nat = [0, 0, 0]\n\
         stiffness = [{k}, {k}, {k}, {turn}, {turn}, {turn}]\ndamping = [2e3, 2e3, 2e3, 4e2, 4e2, 4e2]\n"
    );
    let run = system(&(body("weight", mass, [arm, 0.0, 0.0]) + &bushing), 2.0);
    let angle = mass * G * arm / turn;
    let lever = arm * angle.cos();
    // Upwards on the second body; about y by the right hand the weight at +x turns down, which the bushing holds.
    assert_near(load(&run, "mount", 2.0), [0.0, 0.0, mass * G, 0.0, -mass * G * lever, 0.0], 1e-6);
}

/// Bushings and springs between two bodies, seen from either side: what one does to its second body the other does to its first.
#[test]
fn actions_are_reactions() {
    let place = |name: &str, bodies: [&str; 2]| {
        format!(
            "[[subsystem.force]]\nname = \"{name}\"\ntype = \"bushing\"\nbodies = {bodies:?}\nat = [0.3, 0.1, -0.2]\n\
             stiffness = [100, 200, 300, 4, 5, 6]\ndamping = [1, 2, 3, 0.4, 0.5, 0.6]\n"
        )
    };
    let spring = |name: &str, bodies: [&str; 2], points: [&str; 2]| {
        format!(
            "[[subsystem.force]]\nname = \"{name}\"\ntype = \"spring\"\nfirst = {{ body = \"{}\", point = {} }}\n\
             second = {{ body = \"{}\", point = {} }}\nstiffness = 50\ndamping = 2\nlength = 0.7\n",
            bodies[0], points[0], bodies[1], points[1]
        )
    };
    let points = ["[0, 0.1, 0]", "[0, 0, 0.2]"];
    let run = system(
        &(body("one", 1.0, [0.0; 3])
            + "velocity = [0.3, 0.1, -0.2]\nangular_velocity = [0.2, 0.5, -0.4]\n"
            + &body("two", 3.0, [0.8, 0.2, 0.1])
            + &spring("there", ["one", "two"], points)
            + &spring("back", ["two", "one"], [points[1], points[0]])
            + &place("mount", ["one", "two"])),
        0.2,
    );
    for t in [0.05, 0.1, 0.2] {
        let [there, back] = ["there", "back"].map(|name| load(&run, name, t));
        assert!(there[..3].iter().any(|force| force.abs() > 0.5), "{there:?}");
        // Moments about points of a force along the line between them are none.
        assert_near(there, back.map(|x| -x), 1e-11);
    }
    // All inner forces together change nothing: the centre of mass falls freely.
    let momentum = |t: f64| run.at("b.one.vz", t) + 3.0 * run.at("b.two.vz", t);
    assert!((momentum(0.2) - momentum(0.0) + 4.0 * G * 0.2).abs() < 1e-9);
    // What the body feels is its acceleration: m v̇ of the second body over a step by the mean of both ends.
    let (t, h) = (0.1, 1e-3);
    let felt = |t: f64| load(&run, "there", t)[2] - load(&run, "back", t)[2] + load(&run, "mount", t)[2];
    let change = 3.0 * (run.at("b.two.vz", t + h) - run.at("b.two.vz", t)) / h + 3.0 * G;
    assert!((change - 0.5 * (felt(t) + felt(t + h))).abs() < 1e-3, "{change} {}", felt(t));
}

/// A ball at rest on the floor and one above it: the force is the weight, the state closed and held, or open.
#[test]
fn contacts_tell_force_and_state() {
    let contact = |ball: &str| {
        format!(
            "[[subsystem.contact]]\nname = \"{ball}-floor\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
             second = {{ body = \"{ball}\" }}\nradius = 0.1\nrestitution = 0\nfriction = 0.3\n"
        )
    };
    let slider = body("slider", 2.0, [3.0, 0.0, 0.1])
        .replace("inertia = [0.1, 0.2, 0.15]", "inertia = [1e9, 1e9, 1e9]")
        + "velocity = [5, 0, 0]\n";
    let run = system(
        &(body("low", 2.0, [0.0, 0.0, 0.1])
            + &body("high", 2.0, [1.0, 0.0, 3.0])
            + &slider
            + &["low", "high", "slider"].map(contact).concat()),
        0.2,
    );
    for t in [0.1, 0.2] {
        let of =
            |part: &str| ["low", "high", "slider"].map(|ball| run.at(&format!("b.{ball}-floor.{part}"), t));
        assert_eq!(of("status"), [1.0, 0.0, 2.0]);
        let forces = of("force");
        assert!(
            (forces[0] - 2.0 * G).abs() < 1e-9 && forces[1] == 0.0 && (forces[2] - 2.0 * G).abs() < 1e-9,
            "{forces:?}"
        );
    }
}

/// Violations at three levels: with joints imposed at all of them, and at velocities alone, where positions drift.
#[test]
fn violations_are_told_at_three_levels() {
    let pendulum = |formulation: &str, solver: &str| {
        let joint = "[[subsystem.joint]]\nname = \"pivot\"\ntype = \"spherical\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0, 0]\n";
        system(
            &(format!("formulation = \"{formulation}\"\nsolver = {solver}\n")
                + &body("bob", 1.0, [0.5, 0.0, 0.0])
                + joint),
            1.0,
        )
    };
    let alpha = "{ method = \"generalized-alpha\", spectral_radius = 0.8 }";
    let levels = |run: &Run| {
        ["residual", "residual_rate", "residual_acceleration"].map(|name| run.at(&format!("b.{name}"), 1.0))
    };
    let all = levels(&pendulum("stabilised-index-1", alpha));
    assert!(all.iter().all(|level| *level < 1e-9), "{all:?}");
    let drifting = levels(&pendulum("index-2", "\"theta\""));
    assert!(drifting[0] > 1e-9 && drifting[1] < 1e-10, "{drifting:?}");
}
