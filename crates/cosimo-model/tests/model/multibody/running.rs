//! What the file says is what moves: loads, motions, forces and joints against closed forms.

use cosimo_master::NoObserver;

use crate::model;

/// Values at the end of a run, whatever energy it counts for motions that jump, of one body of 2 kg and 0.5 kg m² at (1, 0, 0), with this text after it.
fn end_of(end: f64, step: f64, body: &str, text: &str) -> impl Fn(&str) -> f64 + use<> {
    let model = model(&format!(
        "schema = 1\ntime = {{ end = {end}, step = {step} }}\n[master]\ninitial_state = \"project\"\nenergy_action = \"ignore\"\n\
         [[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         [[subsystem.body]]\nname = \"bob\"\nmass = 2.0\ninertia = [0.5, 0.5, 0.5]\nposition = [1, 0, 0]\n{body}\n{text}\n"
    ));
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    move |name: &str| {
        let at = labels.iter().position(|label| label.name == name);
        values[at.unwrap_or_else(|| panic!("no {name}"))]
    }
}

#[track_caller]
fn assert_near(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance, "{found} instead of {exact}");
}

const GROUND: &str = "bodies = [\"ground\", \"bob\"]";

#[test]
fn loads_push_and_turn() {
    let moment = "[[subsystem.load]]\nbody = \"bob\"\nmoment_axis = [0, 3, 0]\ntime = [0]\nvalue = [1.5]";
    let value = end_of(1.0, 0.01, "", moment);
    assert_near(value("bob.wy"), 3.0, 1e-10);
    assert_near(value("bob.vx"), 0.0, 0.0);
    let force = "[[subsystem.load]]\nbody = \"bob\"\npoint = [0, 0.5, 0]\ndirection = [0, 0, 1]\ntime = [0]\nvalue = [0.1]";
    let value = end_of(0.1, 1e-3, "", force);
    assert_near(value("bob.vz"), 0.1 / 2.0 * 0.1, 1e-12);
    // The moment of the force about the centre, 0.5 y × 0.1 z.
    assert_near(value("bob.wx"), 0.05 / 0.5 * 0.1, 1e-9);
}

#[test]
fn loads_follow_the_body_where_they_should() {
    // The body spins once per second; a force along its x axis has no mean over whole turns, one along the world's has.
    let spin = "angular_velocity = [0, 0, 6.283185307179586]";
    let load = |axes: &str| {
        format!(
            "[[subsystem.load]]\nbody = \"bob\"\naxes = \"{axes}\"\ndirection = [1, 0, 0]\ntime = [0]\nvalue = [4]"
        )
    };
    let following = end_of(1.0, 1e-3, spin, &load("body"));
    assert_near(following("bob.vx"), 0.0, 1e-4);
    // Half the amplitude of v, 2/(2π), twice over: v_y = (2/2π)(1 − cos 2πt).
    let half = end_of(0.5, 1e-3, spin, &load("body"));
    assert_near(half("bob.vy"), 2.0 / std::f64::consts::PI, 1e-4);
    assert_near(end_of(1.0, 1e-3, spin, &load("world"))("bob.vx"), 2.0, 1e-10);
}

/// A joint that holds or drives the body, with a slide along z beside it.
fn driven(kind: &str, motion: &str) -> String {
    let guide = if kind == "angle" { "revolute" } else { "prismatic" };
    format!(
        "[[subsystem.joint]]\nname = \"guide\"\ntype = \"{guide}\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 0, 2]\n\
         [[subsystem.joint]]\nname = \"drive\"\ntype = \"{kind}\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 0, 2]\nmotion = {motion}\n\
         [[subsystem.sensor]]\nname = \"turn\"\ntype = \"angle\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 0, 1]"
    )
}

#[test]
fn motions_are_followed() {
    let linear = end_of(0.5, 1e-3, "", &driven("displacement", "{ rate = 2.0 }"));
    assert_near(linear("bob.z"), 1.0, 1e-10);
    let (amplitude, frequency, phase) = (0.25_f64, 3.0_f64, 0.5_f64);
    let harmonic = format!("{{ amplitude = {amplitude}, frequency = {frequency}, phase = {phase} }}");
    let value = end_of(0.7, 1e-3, "", &driven("displacement", &harmonic));
    let at = frequency * 0.7 + phase;
    assert_near(value("bob.z"), amplitude * at.sin(), 1e-10);
    assert_near(value("bob.vz"), amplitude * frequency * at.cos(), 1e-10);
    // What moves it, the mean over the last step: m Δv/h.
    let speed = |t: f64| amplitude * frequency * (frequency * t + phase).cos();
    assert_near(value("drive.fz"), 2.0 * (speed(0.7) - speed(0.699)) / 1e-3, 1e-7);
    // Half way of the smooth step: 1.5 times the mean speed.
    let table = end_of(0.5, 1e-3, "", &driven("displacement", "{ time = [0, 1], value = [0, 0.4] }"));
    assert_near(table("bob.z"), 0.2, 1e-10);
    assert_near(table("bob.vz"), 0.6, 1e-10);
    let turned = end_of(1.0, 1e-3, "", &driven("angle", "{ rate = 4.0 }"));
    assert_near(turned("bob.wz"), 4.0, 1e-10);
    assert_near(turned("turn.angle"), 4.0, 1e-9);
    assert_near(turned("turn.rate"), 4.0, 1e-10);
}

/// Positions are integrals of the speed from where the joint stands at the start.
#[test]
fn speeds_are_followed() {
    let drive = |kind: &str, speed: &str| driven(kind, speed).replace("motion =", "speed =");
    let at_start = |text: &str| end_of(0.7, 1e-3, "", &drive("displacement", text));
    let constant = at_start("2.0");
    assert_near(constant("bob.z"), 1.4, 1e-10);
    assert_near(constant("bob.vz"), 2.0, 1e-10);
    let linear = at_start("{ start = 1.0, rate = -3.0 }");
    assert_near(linear("bob.z"), 0.7 - 1.5 * 0.49, 1e-10);
    let harmonic = at_start("{ mean = 0.3, amplitude = 2.0, frequency = 5.0, phase = 0.4 }");
    assert_near(harmonic("bob.z"), 0.3 * 0.7 + 0.4 * (0.4_f64.cos() - 3.9_f64.cos()), 1e-10);
    // A speed that rises as 3 s² − 2 s³, of which the integral is s³ − s⁴/2.
    let table = at_start("{ time = [0, 1], value = [0, 2] }");
    assert_near(table("bob.z"), 2.0 * (0.343 - 0.5 * 0.2401), 1e-10);
    let turned = end_of(1.0, 1e-3, "", &drive("angle", "{ start = 4.0, rate = 2.0 }"));
    assert_near(turned("turn.angle"), 5.0, 1e-9);
    // A run that starts later, from a position of the joint that is not zero.
    let later = |speed: &str| {
        let model = model(&format!(
            "schema = 1\ntime = {{ start = 0.5, end = 0.7, step = 1e-3 }}\n[master]\ninitial_state = \"project\"\n\
             [[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n[[subsystem.body]]\nname = \"bob\"\nmass = 2.0\n\
             inertia = [0.5, 0.5, 0.5]\nposition = [0, 0, 0.25]\n[[subsystem.joint]]\nname = \"drive\"\n\
             type = \"displacement\"\n{GROUND}\nat = [[0, 0, 0], [0, 0, 0.25]]\naxis = [0, 0, 1]\nspeed = {speed}"
        ));
        let mut master = model.build().unwrap();
        master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
        let at = master.labels().iter().position(|label| label.name == "bob.z");
        let mut values = vec![0.0; master.labels().len()];
        master.observe(&mut values).unwrap();
        values[at.unwrap()]
    };
    assert_near(later("{ rate = 1.0 }"), 0.25 + 0.5 * (0.49 - 0.25), 1e-10);
}

/// DP1 and coordinates make the joints that are composed of them.
#[test]
fn basic_constraints_compose_joints() {
    let body = "angular_velocity = [0.3, 0.5, -0.7]\nvelocity = [0, 0, 0]";
    let joint = |name: &str, kind: &str, more: &str| {
        format!(
            "[[subsystem.joint]]\nname = \"{name}\"\ntype = \"{kind}\"\n{GROUND}\nat = [0, 0, 0]\n{more}\n"
        )
    };
    let load = "[[subsystem.load]]\nbody = \"bob\"\ndirection = [1, 2, 3]\ntime = [0]\nvalue = [5]\n";
    let end = |joints: &str| {
        let value = end_of(0.5, 1e-3, body, &format!("{joints}{load}"));
        ["bob.x", "bob.y", "bob.z", "bob.qx", "bob.qy", "bob.qz", "bob.wx", "bob.wy", "bob.wz"].map(value)
    };
    let axes = "axis = [0, 0, 2]\nx = [1, 0, 0]";
    let coordinates = |directions: [&str; 3]| {
        let row = |k: usize| joint(&format!("c{k}"), "coordinate", &format!("axis = {}", directions[k]));
        (0..3).map(row).collect::<String>()
    };
    let spherical = joint("ball", "spherical", "");
    for (composed, ordinary) in [
        (coordinates(["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"]), spherical.clone()),
        (coordinates(["[1, 1, 0]", "[0, 1, 1]", "[3, 0, 1]"]), spherical.clone()),
        (spherical + &joint("right", "dot-product", axes), joint("cross", "universal", axes)),
    ] {
        for (found, exact) in end(&composed).into_iter().zip(end(&ordinary)) {
            assert_near(found, exact, 1e-9);
        }
    }
    // From the ground a coordinate is a displacement.
    let slide = driven("displacement", "{ rate = 2.0 }");
    let along = slide.replace("type = \"displacement\"", "type = \"coordinate\"");
    assert_near(end_of(0.5, 1e-3, "", &along)("bob.z"), end_of(0.5, 1e-3, "", &slide)("bob.z"), 1e-12);
    // A turn about y by which x · z is −sin: driven to −0.6.
    let tilt = "[[subsystem.joint]]\nname = \"guide\"\ntype = \"revolute\"\nbodies = [\"ground\", \"bob\"]\nat = [1, 0, 0]\n\
                axis = [0, 1, 0]\n";
    let cosine = joint(
        "tilt",
        "dot-product",
        "axis = [0, 0, 1]\nx = [1, 0, 0]\nspeed = { time = [0, 1], value = [-1.2, 0] }",
    );
    let turned = end_of(1.0, 1e-3, "", &format!("{tilt}{cosine}"));
    assert_near(turned("bob.qy"), (0.5 * 0.6_f64.asin()).sin(), 1e-10);
}

#[test]
fn springs_swing_with_their_frequency() {
    let (k, c): (f64, f64) = (50.0, 0.0);
    let spring = format!(
        "[[subsystem.force]]\nname = \"f\"\ntype = \"spring\"\n{GROUND}\nat = [[0, 0, 0], [1, 0, 0]]\nstiffness = {k}\ndamping = {c}\nlength = 0.9"
    );
    let at = (k / 2.0).sqrt() * 0.8;
    assert_near(end_of(0.8, 1e-4, "", &spring)("bob.x"), 0.9 + 0.1 * at.cos(), 1e-7);
    let torsion = format!(
        "[[subsystem.joint]]\nname = \"j\"\ntype = \"revolute\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 1, 0]\n\
         [[subsystem.force]]\nname = \"f\"\ntype = \"torsion-spring\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 1, 0]\nstiffness = 8.0\n\
         [[subsystem.sensor]]\nname = \"a\"\ntype = \"angle\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 1, 0]"
    );
    let value = end_of(0.3, 1e-4, "angular_velocity = [0, 1, 0]", &torsion);
    assert_near(value("a.angle"), (4.0_f64 * 0.3).sin() / 4.0, 1e-7);
}

#[test]
fn joints_leave_free_what_they_say() {
    let joint = |kind: &str, more: &str| {
        format!("[[subsystem.joint]]\nname = \"j\"\ntype = \"{kind}\"\n{GROUND}\nat = [1, 0, 0]\n{more}")
    };
    let moving = "velocity = [1, 2, 3]\nangular_velocity = [0.1, 0.2, 0.3]";
    let rates = |text: &str| {
        let value = end_of(0.01, 1e-3, moving, text);
        ["bob.vx", "bob.vy", "bob.vz", "bob.wx", "bob.wy", "bob.wz"].map(value)
    };
    let along = "axis = [0, 0, 1]";
    for (kind, more, free) in [
        ("fixed", "", [0.0; 6]),
        ("spherical", "", [0.0, 0.0, 0.0, 0.1, 0.2, 0.3]),
        ("revolute", along, [0.0, 0.0, 0.0, 0.0, 0.0, 0.3]),
        ("prismatic", along, [0.0, 0.0, 3.0, 0.0, 0.0, 0.0]),
        ("cylindrical", along, [0.0, 0.0, 3.0, 0.0, 0.0, 0.3]),
        ("planar", along, [1.0, 2.0, 0.0, 0.0, 0.0, 0.3]),
        ("displacement", along, [1.0, 2.0, 0.0, 0.1, 0.2, 0.3]),
    ] {
        for (found, exact) in rates(&joint(kind, more)).into_iter().zip(free) {
            assert!((found - exact).abs() < 1e-8, "{kind}: {found} instead of {exact}");
        }
    }
    // The cross of a universal joint: free about z of the ground and x of the body, held about y.
    let cross = rates(&joint("universal", "axis = [0, 0, 1]\nx = [1, 0, 0]"));
    for (found, exact) in cross.into_iter().zip([0.0, 0.0, 0.0, 0.1, 0.0, 0.3]) {
        assert!((found - exact).abs() < 1e-3, "universal: {found} instead of {exact}");
    }
}

#[test]
fn contacts_and_stops_throw_back() {
    let law = "law = \"hertz\"\nstiffness = 1e5";
    let plane = format!(
        "[[subsystem.force]]\nname = \"f\"\ntype = \"sphere-plane\"\n{GROUND}\nat = [[1.3, 0, 0], [1, 0, 0]]\naxis = [-1, 0, 0]\nradius = 0.2\n{law}"
    );
    assert_near(end_of(0.3, 1e-4, "velocity = [1, 0, 0]", &plane)("bob.vx"), -1.0, 1e-3);
    let stop = format!(
        "[[subsystem.joint]]\nname = \"j\"\ntype = \"revolute\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 0, 1]\n\
         [[subsystem.force]]\nname = \"f\"\ntype = \"stop\"\n{GROUND}\nat = [1, 0, 0]\naxis = [0, 0, 1]\nlimit = 0.1\n{law}"
    );
    assert_near(end_of(0.3, 1e-4, "angular_velocity = [0, 0, 1]", &stop)("bob.wz"), -1.0, 1e-3);
    let lower = stop.replace("limit = 0.1", "limit = -0.1\nside = \"lower\"");
    assert_near(end_of(0.3, 1e-4, "angular_velocity = [0, 0, -1]", &lower)("bob.wz"), 1.0, 1e-3);
}

/// A rod hinged at the origin and a bob 0.2 m beyond its end, in one piece or cut there.
fn pendulum(cut: bool, coordinates: &str) -> Vec<f64> {
    let start = "schema = 1\ntime = { end = 0.3, step = 1e-3 }\n";
    let system = |name: &str| {
        format!("[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n")
    };
    let rod = "[[subsystem.body]]\nname = \"rod\"\nmass = 2.0\ninertia = [0.01, 0.2, 0.2]\ncentre_of_mass = [0.5, 0, 0]\n";
    let bob = "[[subsystem.body]]\nname = \"bob\"\nmass = 1.0\ninertia = [0.01, 0.02, 0.02]\nposition = [1.2, 0, 0]\n\
               orientation = { axis = [1, 0, 0], angle = 0.5 }\n";
    let hinge = "[[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n";
    let weld = format!(
        "[[subsystem.joint]]\nname = \"weld\"\ntype = \"{}\"\nbodies = [\"rod\", \"bob\"]\nat = [1, 0, 0]\n",
        if coordinates == "coordinates = 3" { "spherical" } else { "fixed" }
    );
    // The frame of the bob is turned back, so that both frames have the axes of the world.
    let turned = if coordinates == "coordinates = 3" {
        ""
    } else {
        "orientation = { axis = [1, 0, 0], angle = -0.5 }"
    };
    let port = |body: &str, point: &str, more: &str| {
        format!(
            "[[subsystem.port]]\nname = \"end\"\nbody = \"{body}\"\npoint = {point}\n{coordinates}\n{more}\n"
        )
    };
    let text = if cut {
        let (ends, law) =
            ("[[interface]]\nname = \"weld\"\nbetween = [\"a.end\", \"b.end\"]\n", "law = \"rigid\"\n");
        let first = [&system("a"), rod, hinge, &port("rod", "[1, 0, 0]", "")].concat();
        let second = [&system("b"), bob, &port("bob", "[-0.2, 0, 0]", turned)].concat();
        [start, &first, &second, ends, law].concat()
    } else {
        [start, &system("a"), rod, bob, hinge, &weld].concat()
    };
    let model = model(&text);
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let of_bob = labels.iter().zip(values).filter(|(label, _)| label.name.starts_with("bob."));
    of_bob.map(|(_, value)| value).collect()
}

#[test]
fn ports_of_points_and_frames_join_as_joints_do() {
    for coordinates in ["coordinates = 6", "coordinates = 3"] {
        let (whole, cut) = (pendulum(false, coordinates), pendulum(true, coordinates));
        assert_eq!((whole.len(), cut.len()), (13, 13));
        for (k, (whole, cut)) in whole.iter().zip(&cut).enumerate() {
            assert!((whole - cut).abs() < 1e-5, "{coordinates}, {k}: {cut} instead of {whole}");
        }
        assert!(whole[2] < -0.2, "it falls, to {}", whole[2]);
    }
}

#[test]
fn velocities_are_in_world_axes_at_the_origin_of_the_frame() {
    // A quarter turn about x; the centre of mass stays on the x axis of the world.
    let body = "centre_of_mass = [0.5, 0, 0]\norientation = { axis = [1, 0, 0], angle = 1.5707963267948966 }\n\
                velocity = [1, 0, 0]\nangular_velocity = [0, 0, 2]";
    let value = end_of(1e-6, 1e-6, body, "");
    for (name, exact) in
        [("x", 1.5), ("vx", 1.0), ("vy", 1.0), ("vz", 0.0), ("wx", 0.0), ("wy", 0.0), ("wz", 2.0)]
    {
        assert_near(value(&format!("bob.{name}")), exact, 2e-6);
    }
    assert_near(value("bob.qx"), 0.5_f64.sqrt(), 2e-6);
}

/// A table through which the spline rings: a rest, a rise, a rest. The others stay within it, and meet its points.
#[test]
fn motions_by_monotone_and_linear_tables_do_not_overshoot() {
    let greatest = |interpolation: &str| {
        let table =
            format!("{{ time = [0, 0.2, 0.4, 0.45, 0.6], value = [0, 0, 0, 0.1, 0.1], {interpolation} }}");
        let ends = [0.1, 0.3, 0.42, 0.45, 0.5, 0.6]
            .map(|end| end_of(end, 1e-3, "", &driven("displacement", &table))("bob.z"));
        assert!((ends[3] - 0.1).abs() < 1e-9, "{interpolation}: {ends:?}");
        ends.into_iter().map(|value| (value - 0.1).max(-value)).fold(0.0, f64::max)
    };
    assert!(greatest("interpolation = \"spline\"") > 5e-3);
    assert!(greatest("interpolation = \"monotone\"") < 1e-9);
    assert!(greatest("interpolation = \"linear\"") < 1e-9);
}
