//! Shapes that are seen only, of every kind that has any.

use std::fs;

use cosimo_model::read_model;
use cosimo_subsystem::scene::{Geometry, Role};

use crate::{mistakes, model};

const HEAD: &str = "schema = 1\ntime = { end = 1, step = 1e-2 }\n[[subsystem]]\nname = \"s\"\n";

/// A model of one kind whose body has these shapes.
fn with_shapes(kind: &str, shapes: &str) -> String {
    let own = match kind {
        "node" => "kind = \"node\"\nmass = 1\n".to_owned() + &shapes.replace("body.shape", "shape"),
        "rigid-body" => {
            "kind = \"rigid-body\"\nmass = 1\ninertia = [1, 1, 1]\n".to_owned() + &shapes.replace("body.shape", "shape")
        }
        "planar" => "kind = \"planar\"\n[[subsystem.body]]\nname = \"b\"\nmass = 1\ninertia = 1\n".to_owned() + shapes,
        "multibody" => {
            "kind = \"multibody\"\n[[subsystem.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\ncentre_of_mass = [0, 0, 1]\n"
                .to_owned()
                + shapes
        }
        _ => {
            "kind = \"linear\"\nmass = [1]\n[[subsystem.body]]\nname = \"b\"\ncoordinate = 0\ndirection = [2, 0, 0]\n".to_owned()
                + shapes
        }
    };
    format!("{HEAD}{own}")
}

const ALL: &str = "[[subsystem.body.shape]]\ntype = \"sphere\"\nradius = 0.5\nposition = [0, 0, 2]\n\
    [[subsystem.body.shape]]\ntype = \"box\"\nsize = [1, 2, 3]\ncolor = [1, 0.5, 0]\n\
    [[subsystem.body.shape]]\ntype = \"cylinder\"\nradius = 0.1\nlength = 2\norientation = { axis = [0, 1, 0], angle = 0.5 }\n\
    [[subsystem.body.shape]]\ntype = \"capsule\"\nradius = 0.1\nlength = 2\n\
    [[subsystem.body.shape]]\ntype = \"arrow\"\nvector = [1, 0, 0]\nradius = 0.01\n\
    [[subsystem.body.shape]]\ntype = \"line\"\npoints = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\n";

#[test]
fn every_kind_has_all_shapes_and_prints_them() {
    for kind in ["node", "rigid-body", "planar", "multibody", "linear"] {
        for scheme in ["", "solver = { scheme = \"moreau-jean\" }\n"] {
            if !scheme.is_empty() && !["multibody", "linear"].contains(&kind) {
                continue;
            }
            let text = with_shapes(kind, ALL).replacen("kind = ", &format!("{scheme}kind = "), 1);
            let read = model(&text);
            assert_eq!(model(&read.to_toml()), read, "{kind}");
            let master = read.build().unwrap();
            let scene = master.scene();
            let shapes: Vec<_> =
                scene.bodies[0].shapes.iter().filter(|shape| shape.role == Role::Body).collect();
            assert_eq!(shapes.len(), 6, "{kind} {scheme}");
            assert_eq!(shapes[0].geometry, Geometry::Sphere { radius: 0.5 });
            // A pose is that of the centre of mass, and so are the shapes of a body whose frame has its origin elsewhere.
            let height = if kind == "multibody" { 1.0 } else { 2.0 };
            assert_eq!(shapes[0].position.z, height, "{kind}");
            assert_eq!(shapes[1].color, Some([1.0, 0.5, 0.0]));
            assert!((shapes[2].orientation.angle() - 0.5).abs() < 1e-12);
        }
    }
}

#[test]
fn a_linear_body_is_where_its_coordinate_takes_it() {
    let text = with_shapes("linear", ALL).replace("mass = [1]\n", "mass = [1]\nposition = [0.3]\n");
    let mut sight = cosimo_subsystem::scene::Sight::default();
    model(&text).build().unwrap().look(&mut sight);
    assert_eq!(sight.poses[0].position.as_slice(), [0.6, 0.0, 0.0]);
}

#[test]
fn meshes_stand_beside_the_model_and_are_read_when_it_is() {
    let scratch = tempfile::tempdir().unwrap();
    let obj = "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nf 1 2 3\n";
    fs::write(scratch.path().join("part.obj"), obj).unwrap();
    let text = with_shapes(
        "multibody",
        "[[subsystem.body.shape]]\ntype = \"mesh\"\nfile = \"part.obj\"\nscale = 1e-3\n",
    );
    let path = scratch.path().join("model.toml");
    let (read, _) = read_model(path.to_str().unwrap(), &text, &[]).unwrap();
    let scene = read.build().unwrap().scene();
    let Geometry::Mesh { mesh } = &scene.bodies[0].shapes[0].geometry else { panic!("no mesh") };
    assert_eq!(mesh.vertices[1], [1.0, 0.0, 0.0]);
    // Printed with its whole path, it is found from elsewhere.
    assert_eq!(model(&read.to_toml()), read);
}

#[test]
fn mistakes_of_shapes_are_named_at_their_places() {
    let mistake = |shape: &str| {
        let found = mistakes(&with_shapes("multibody", &format!("[[subsystem.body.shape]]\n{shape}")));
        found.to_string()
    };
    let expected = [
        ("type = \"ball\"\nradius = 1\n", "known: `sphere`"),
        ("radius = 1\n", "missing key `type`"),
        ("type = \"sphere\"\n", "missing key `radius`"),
        ("type = \"sphere\"\nradius = -1\n", "positive"),
        ("type = \"box\"\nsize = [1, 0, 1]\n", "three positive lengths"),
        ("type = \"line\"\npoints = [[0, 0, 0]]\n", "two or more points"),
        ("type = \"sphere\"\nradius = 1\ncolor = [2, 0, 0]\n", "from 0 to 1"),
        ("type = \"sphere\"\nradius = 1\nlength = 1\n", "unknown key `length`"),
        ("type = \"mesh\"\nfile = \"nowhere.stl\"\n", "nowhere.stl"),
        ("type = \"mesh\"\nfile = \"part.step\"\n", ".stl or .obj"),
    ];
    for (shape, text) in expected {
        let found = mistake(shape);
        assert!(found.contains(text) && found.contains("model.toml:"), "{shape}: {found}");
    }
    let bare = with_shapes("linear", "");
    assert!(mistakes(&bare).to_string().contains("has no shape"));
}

/// An arm on a hinge with a ball at its end above a floor, held by a spring, and a clamped beam of three elements.
const MACHINE: &str = r#"
schema = 1
time = { end = 1, step = 1e-3 }
[[subsystem]]
name = "s"
kind = "multibody"
gravity = [0, -10, 0]
[[subsystem.body]]
name = "arm"
mass = 1
inertia = [1, 1, 1]
position = [1, 2, 0]
[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "arm"]
at = [0, 2, 0]
axis = [0, 0, 1]
[[subsystem.force]]
name = "spring"
type = "spring"
first = { body = "ground", point = [1, 4, 0] }
second = { body = "arm" }
stiffness = 10
length = 1
[[subsystem.contact]]
name = "floor"
type = "sphere-plane"
radius = 0.25
first = { body = "ground", axis = [0, 1, 0] }
second = { body = "arm", point = [1, 0, 0] }
restitution = 0.5
[[subsystem.beam]]
name = "rod"
origin = [5, 0, 0]
length = 3.0
elements = 3
[subsystem.beam.section]
mass = 1.0
second_moment = [1e-4, 1e-4, 0]
axial = 1e4
torsion = 0.5
bending = [1.0, 2.0]
[[subsystem.joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "rod.0"]
at = [5, 0, 0]
"#;

#[test]
fn contacts_joints_beams_and_springs_give_shapes_by_themselves() {
    let master = model(MACHINE).build().unwrap();
    let (scene, mut sight) = (master.scene(), cosimo_subsystem::scene::Sight::default());
    master.look(&mut sight);
    assert_eq!(scene.up.unwrap().as_slice(), [0.0, 1.0, 0.0]);
    let body = |name: &str| scene.bodies.iter().position(|own| own.name == name).unwrap();
    // The shapes of a role with the places of their middles, and the directions of their axes, in the world.
    let seen = |name: &str, role: Role| -> Vec<(Geometry, [f64; 3], [f64; 3])> {
        let pose = sight.poses[body(name)];
        let own = scene.bodies[body(name)].shapes.iter().filter(|shape| shape.role == role);
        let placed = |shape: &cosimo_subsystem::scene::Shape| {
            let axis = pose.orientation * (shape.orientation * nalgebra::Vector3::z());
            (shape.geometry.clone(), pose.point(&shape.position).into(), axis.into())
        };
        own.map(placed).collect()
    };
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);

    let hinge = seen("ground", Role::Joint);
    let [(Geometry::Cylinder { .. }, at, axis)] = &hinge[..] else { panic!("{hinge:?}") };
    assert!(near(*at, [0.0, 2.0, 0.0]) && near(*axis, [0.0, 0.0, 1.0]), "{hinge:?}");
    let floor = seen("ground", Role::Ground);
    let [(Geometry::Plane { .. }, at, axis)] = &floor[..] else { panic!("{floor:?}") };
    assert!(near(*at, [0.0; 3]) && near(*axis, [0.0, 1.0, 0.0]), "{floor:?}");
    let ball = seen("arm", Role::Contact);
    let [(Geometry::Sphere { radius: 0.25 }, at, _)] = &ball[..] else { panic!("{ball:?}") };
    assert!(near(*at, [2.0, 2.0, 0.0]), "{ball:?}");
    // A stick from the centre of mass to the hinge.
    let stick = seen("arm", Role::Body);
    let [(Geometry::Capsule { length, .. }, at, _)] = &stick[..] else { panic!("{stick:?}") };
    assert!((length - 1.0).abs() < 1e-12 && near(*at, [0.5, 2.0, 0.0]), "{stick:?}");

    let end = |anchor: &cosimo_subsystem::scene::Anchor| -> [f64; 3] {
        anchor.body.map_or(anchor.point, |body| sight.poses[body].point(&anchor.point)).into()
    };
    let links = |role: Role| -> Vec<[[f64; 3]; 2]> {
        scene
            .links
            .iter()
            .filter(|link| link.role == role)
            .map(|link| [end(&link.from), end(&link.to)])
            .collect()
    };
    assert_eq!(links(Role::Force), [[[1.0, 4.0, 0.0], [1.0, 2.0, 0.0]]]);
    let elements = links(Role::Beam);
    assert_eq!(elements.len(), 3);
    for (number, [from, to]) in elements.into_iter().enumerate() {
        let x = 5.0 + number as f64;
        assert!(near(from, [x, 0.0, 0.0]) && near(to, [x + 1.0, 0.0, 0.0]), "{from:?} {to:?}");
    }
}
