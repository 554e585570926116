//! Instances that are turned, mirrored and moved do what their images do.

use super::model;

/// A hinged body with a beam on it, on a bushing and a coil spring, under a load, with what measures it.
pub(super) const PART: &str = r#"schema = 1
time = { end = 0.02, step = 1e-3 }
master = { initial_state = "project" }
[[template]]
name = "part"
[[template.body]]
name = "body"
mass = 2
inertia = [[0.3, 0.01, 0.02], [0.01, 0.4, 0.03], [0.02, 0.03, 0.5]]
centre_of_mass = [0.1, 0.2, 0.3]
position = [0.4, 0.2, 0.3]
orientation = { axis = [1, 2, 3], angle = 0.7 }
[[template.beam]]
name = "beam"
origin = [0.3, -0.4, 0.5]
orientation = { axis = [3, -2, 1], angle = 0.9 }
length = 1.0
elements = 2
[template.beam.section]
mass = 1.5
centre = [0.02, 0.03]
second_moment = [0.01, 0.02, 0.003]
axial = 1e4
torsion = 1e2
bending = [2e2, 3e2]
principal_angle = 0.2
tension_centre = [0.01, 0.02]
shear_centre = [0.03, 0.04]
[[template.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "body"]
at = [0.1, 0.2, 0.1]
axis = [0, 0.6, 0.8]
[[template.joint]]
name = "root"
type = "fixed"
bodies = ["body", "beam.0"]
at = [0.3, -0.4, 0.5]
[[template.force]]
name = "coil"
type = "torsion-spring"
bodies = ["ground", "body"]
at = [0.1, 0.2, 0.1]
axis = [0, 0.6, 0.8]
stiffness = 30
angle = 0.4
[[template.force]]
name = "bush"
type = "bushing"
bodies = ["ground", "beam.2"]
at = [0.5, 0.2, 1]
axis = [0, 0.6, 0.8]
x = [1, 0, 0]
stiffness = [[50, 5, 4, 1, 2, 3], [5, 60, 6, 2, 3, 1], [4, 6, 70, 3, 1, 2], [1, 2, 3, 8, 1, 1], [2, 3, 1, 1, 9, 1], [3, 1, 2, 1, 1, 7]]
[[template.load]]
body = "body"
point = [0.1, 0.2, 0.3]
direction = [1, 0.5, 0]
axes = "body"
time = [0]
value = [100]
[[template.load]]
body = "beam.1"
moment_axis = [1, 0.5, 0]
time = [0]
value = [10]
[[template.sensor]]
name = "turn"
type = "angle"
bodies = ["ground", "body"]
at = [0.1, 0.2, 0.1]
axis = [0, 0.6, 0.8]
[[template.sensor]]
name = "tip"
type = "point"
body = "beam.2"
point = [0.1, 0.2, 0.3]
[[subsystem]]
name = "s"
kind = "multibody"
[[subsystem.instance]]
template = "part"
name = "p"
PLACE
"#;

/// Angle, and the way of the tip since the start, at the end of a run.
fn moved(place: &str) -> (f64, nalgebra::Vector3<f64>) {
    moved_of(PART, place)
}

fn moved_of(part: &str, place: &str) -> (f64, nalgebra::Vector3<f64>) {
    let text = part.replace("PLACE", place);
    let tip = |of: &dyn Fn(&str) -> f64| {
        nalgebra::Vector3::from(["x", "y", "z"].map(|axis| of(&format!("s.p_tip.{axis}"))))
    };
    let start = text.replace("end = 0.02", "end = 0.001");
    let (_, at_start) = super::building::run(&model(&start));
    let (_, at_end) = super::building::run(&model(&text));
    (at_end("s.p_turn.angle"), tip(&at_end) - tip(&at_start))
}

/// The section of [`PART`] as tables, with a twist and offsets along the beam.
const TABLES: &str = r#"[template.beam.tables]
mass = "r0_m,r1_m,m_kg_per_m_at_r0,m_kg_per_m_at_r1\n0,1,1.5,1.2"
second_moment_y = "r0_m,r1_m,i_kg_m_at_r0,i_kg_m_at_r1\n0,1,0.01,0.01"
second_moment_z = "r0_m,r1_m,i_kg_m_at_r0,i_kg_m_at_r1\n0,1,0.02,0.02"
axial = "r0_m,r1_m,e_N_at_r0,e_N_at_r1\n0,1,1e4,1e4"
torsion = "r0_m,r1_m,g_N_m2_at_r0,g_N_m2_at_r1\n0,1,100,100"
bending_y = "r0_m,r1_m,e_N_m2_at_r0,e_N_m2_at_r1\n0,1,200,200"
bending_z = "r0_m,r1_m,e_N_m2_at_r0,e_N_m2_at_r1\n0,1,300,300"
centre_y = "r0_m,r1_m,c_m_at_r0,c_m_at_r1\n0,1,0.02,0.05"
tension_y = "r0_m,r1_m,c_m_at_r0,c_m_at_r1\n0,1,0.01,0.03"
shear_centre_y = "r0_m,r1_m,c_m_at_r0,c_m_at_r1\n0,1,0.03,0.01"
twist = "r0_m,r1_m,t_deg_at_r0,t_deg_at_r1\n0,1,10,25"
"#;

/// Beams by tables are mirrored as those by sections.
#[test]
fn tables_of_sections_are_mirrored() {
    let (start, end) =
        (PART.find("[template.beam.section]").unwrap(), PART.find("[[template.joint]]").unwrap());
    let text = format!("{}{TABLES}{}", &PART[..start], &PART[end..]);
    let (angle, way) = moved_of(&text, "");
    assert!(way.norm() > 1e-3);
    for axis in 0..3 {
        let (own_angle, own_way) = moved_of(&text, &format!("mirror = \"{}\"", ["x", "y", "z"][axis]));
        let mut image = way;
        image[axis] = -image[axis];
        assert!(
            (own_way - image).norm() < 1e-10 && (own_angle - angle).abs() < 1e-10,
            "{axis}: {own_way} {image}"
        );
    }
    // The twist is seen: without it the tip goes elsewhere.
    let straight = moved_of(&text.replace("10,25", "0,0"), "").1;
    assert!((straight - way).norm() > 1e-6, "{straight} {way}");
}

/// Bodies that slide down planes, on ropes, of every kind that has a place.
const SLIDING: &str = r#"schema = 1
time = { end = 0.3, step = 1e-3 }
[[template]]
name = "scene"
[[template.body]]
name = "ball"
mass = 1
inertia = [0.01, 0.02, 0.025]
position = [0.5, 0.4, 0.3]
angular_velocity = [1, 2, 3]
[[template.contact]]
name = "slope"
type = "sphere-plane"
first = { body = "ground", point = [0.5, 0.4, 0.15], axis = [0.3, 0.2, 1] }
second = { body = "ball", point = [0.01, 0.02, 0.03] }
radius = 0.1
restitution = 0.3
friction = 0.4
[[template.rope]]
name = "rope"
points = [{ body = "ground", point = [0.1, 0.2, 0.9] }, { body = "ball", point = [0.05, 0.02, 0.01] }]
stiffness = 50
length = 0.5
[[template.load]]
body = "ball"
point = [0, 0.05, 0]
direction = [5, 2, -60]
time = [0]
value = [60]
[[template.sensor]]
name = "mark"
type = "point"
body = "ball"
point = [0.1, 0.2, 0.3]
[[template.port]]
name = "grip"
body = "ball"
point = [0.02, 0.03, -0.04]
coordinates = 3
[[template.subsystem]]
name = "brick"
kind = "rigid-body"
mass = 0.5
inertia = [[0.02, 0.001, 0.002], [0.001, 0.03, 0.003], [0.002, 0.003, 0.04]]
position = [0.6, 0.2, 0.5]
orientation = [0.8, 0.36, -0.48, 0]
velocity = [0.1, 0.2, 0.3]
angular_velocity = [0.5, 0.4, 0.3]
port = [{ name = "end", point = [0.1, 0.05, 0.02], coordinates = 3 }]
[[template.subsystem]]
name = "pea"
kind = "node"
mass = 0.2
force = [0.3, 0.2, -2]
velocity = [0.5, 0, 0]
position = [0.2, 0.7, 0.25]
plane = [{ name = "slope", point = [0.2, 0.7, 0.2], normal = [0.2, -0.3, 1], restitution = 0.5, friction = 0.3, velocity = [0.1, 0, 0.2] }]
[[template.interface]]
name = "spring"
between = ["{subsystem}.grip", "brick.end"]
law = "compliant"
stiffness = [20, 20, 20]
[[subsystem]]
name = "s"
kind = "multibody"
[[subsystem.instance]]
template = "scene"
PLACE
"#;

/// Contacts, friction, ropes, ports and bodies of every kind, mirrored and turned, do what their images do.
#[test]
fn placed_scenes_move_as_their_images() {
    let ends = |place: &str| {
        let text = SLIDING.replace("PLACE", place);
        let (_, of) = super::building::run(&model(&text));
        let point =
            |name: &str| nalgebra::Vector3::from(["x", "y", "z"].map(|axis| of(&format!("{name}.{axis}"))));
        ["s.mark", "brick", "pea"].map(point)
    };
    let plain = ends("");
    // Contacts and ropes act: without them the bodies are elsewhere.
    for (part, body) in [("radius = 0.1", 0), ("stiffness = 50", 0), ("friction = 0.3, velocity", 2)] {
        let without = part.replace("0.1", "0").replace("50", "1e-9").replace("0.3", "0");
        let found = super::building::run(&model(&SLIDING.replace("PLACE", "").replace(part, &without))).1;
        let name = ["s.mark", "brick", "pea"][body];
        let point = nalgebra::Vector3::from(["x", "y", "z"].map(|axis| found(&format!("{name}.{axis}"))));
        assert!((point - plain[body]).norm() > 1e-4, "{part}");
    }
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(nalgebra::Vector3::new(0.3, 0.5, -0.2));
    let none = nalgebra::UnitQuaternion::identity();
    let placed = [
        ("mirror = \"x\"\nposition = [1, 2, 3]", [-1.0, 1.0, 1.0], none),
        ("mirror = \"y\"\nposition = [1, 2, 3]", [1.0, -1.0, 1.0], none),
        ("mirror = \"z\"\nposition = [1, 2, 3]\norientation = TURN", [1.0, 1.0, -1.0], turn),
        ("position = [1, 2, 3]\norientation = TURN", [1.0, 1.0, 1.0], turn),
    ];
    let written = format!("[{:?}, {:?}, {:?}, {:?}]", turn.w, turn.i, turn.j, turn.k);
    for (place, signs, turn) in placed {
        let found = ends(&place.replace("TURN", &written));
        for (found, plain) in found.into_iter().zip(plain) {
            let mirrored = plain.component_mul(&nalgebra::Vector3::from(signs));
            let expected = turn * mirrored + nalgebra::Vector3::new(1.0, 2.0, 3.0);
            assert!((found - expected).norm() < 1e-7, "{place}: {found} {expected}");
        }
    }
}

/// A mirrored part does what its mirror image does, and a turned one what it does, turned.
#[test]
fn placed_parts_move_as_their_images() {
    let (angle, way) = moved("");
    assert!(angle.abs() > 1e-3 && way.norm() > 1e-3, "{angle} {way}");
    for axis in 0..3 {
        let name = ["x", "y", "z"][axis];
        let (own_angle, own_way) = moved(&format!("mirror = \"{name}\"\nposition = [1, 2, 3]"));
        let mut image = way;
        image[axis] = -image[axis];
        assert!((own_way - image).norm() < 1e-10, "{name}: {own_way} {image}");
        assert!((own_angle - angle).abs() < 1e-10, "{name}: {own_angle} {angle}");
    }
    let turn = nalgebra::UnitQuaternion::from_axis_angle(&nalgebra::Vector3::z_axis(), 2.0);
    let (own_angle, own_way) = moved("orientation = { axis = [0, 0, 1], angle = 2.0 }");
    assert!((own_way - turn * way).norm() < 1e-10 && (own_angle - angle).abs() < 1e-10);
}
