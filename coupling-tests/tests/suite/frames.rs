//! What is seen of a model is what its quantities say, in every example; forces of contacts balance what they hold.

use cosimo::nalgebra::{UnitQuaternion, Vector3};
use coupling_tests::{Run, models};

/// Weight of the bodies of these tests (N).
const WEIGHT: f64 = 2.0 * 10.0;

/// Compares the poses of a run with its quantities; returns how many bodies have any.
fn assert_seen_as_told(model: &str, run: &Run) -> usize {
    let mut compared = 0;
    for (number, body) in run.scene.bodies.iter().enumerate() {
        let prefixes = [body.full_name(), body.subsystem.clone()];
        let has = |name: &str| run.labels().iter().any(|own| own == name);
        let is_own = |prefix: &&String| has(&format!("{prefix}.x")) && has(&format!("{prefix}.y"));
        let is_alone = body.name == "node" || body.name == "body" || prefixes[0] != prefixes[1];
        let Some(prefix) = prefixes.iter().find(is_own).filter(|_| is_alone) else { continue };
        if prefix == &body.subsystem && !["node", "body"].contains(&body.name.as_str()) {
            continue;
        }
        let column = |part: &str| run.column(&format!("{prefix}.{part}"));
        let (x, y) = (column("x"), column("y"));
        for (k, sight) in run.sights.iter().enumerate() {
            let pose = sight.poses[number];
            assert_eq!([pose.position.x, pose.position.y], [x[k], y[k]], "{model} {prefix} {k}");
        }
        if has(&format!("{prefix}.z")) {
            let z = column("z");
            assert!(run.sights.iter().zip(z).all(|(sight, z)| sight.poses[number].position.z == z));
        }
        let expected: Option<Vec<UnitQuaternion<f64>>> = if has(&format!("{prefix}.qw")) {
            let parts = ["qw", "qx", "qy", "qz"].map(column);
            let turn = |k: usize| {
                let [w, x, y, z] = [0, 1, 2, 3].map(|part: usize| parts[part][k]);
                UnitQuaternion::new_normalize(cosimo::nalgebra::Quaternion::new(w, x, y, z))
            };
            Some((0..x.len()).map(turn).collect())
        } else if has(&format!("{prefix}.angle")) {
            let about = |angle: &f64| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), *angle);
            Some(column("angle").iter().map(about).collect())
        } else {
            None
        };
        for (k, turn) in expected.iter().flatten().enumerate() {
            let off = run.sights[k].poses[number].orientation.angle_to(turn);
            assert!(off < 1e-7, "{model} {prefix} {k}: {off}");
        }
        compared += 1;
    }
    compared
}

#[test]
fn bodies_are_seen_where_their_quantities_say() {
    let mut seen = 0;
    for model in models() {
        let everything = [r#"record.quantities=["*"]"#, "record.plot=[]"];
        let run = Run::of(&Run::first_steps(&model, &everything, 60));
        assert!(run.sights.iter().all(|sight| sight.fits(&whole(&run))), "{model}");
        seen += assert_seen_as_told(&model, &run);
    }
    assert!(seen > 100, "{seen} bodies");
}

/// The scene as one appearance.
fn whole(run: &Run) -> cosimo::subsystem::scene::Appearance {
    let body = |own: &cosimo::subsystem::scene::SceneBody| cosimo::subsystem::scene::Body {
        name: own.full_name(),
        shapes: own.shapes.clone(),
    };
    cosimo::subsystem::scene::Appearance {
        bodies: run.scene.bodies.iter().map(body).collect(),
        links: run.scene.links.clone(),
        contacts: run.scene.contacts.clone(),
        up: None,
    }
}

/// A ball of 2 kg at rest on a slope of 0.2 rad, held there by friction, by several kinds and rules.
fn resting(kind: &str, solver: &str) -> String {
    let (sine, cosine) = 0.2_f64.sin_cos();
    let (x, z) = (0.1 * sine, 0.1 * cosine);
    let head = format!(
        "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n[[subsystem]]\nname = \"ball\"\nkind = \"{kind}\"\n{solver}\ngravity = [0, 0, -10.0]\n"
    );
    let law = "restitution = 0.0\nfriction = 0.5\n";
    match kind {
        "node" => format!(
            "{head}mass = 2.0\nradius = 0.1\nposition = [{x}, 0, {z}]\nport = []\n\
             [[subsystem.plane]]\nname = \"slope\"\nnormal = [{sine}, 0, {cosine}]\n{law}"
        ),
        // A sphere that cannot roll, since a second one beside it shares its body.
        _ => format!(
            "{head}[[subsystem.body]]\nname = \"block\"\nmass = 2.0\ninertia = [0.02, 0.02, 0.02]\nposition = [{x}, 0, {z}]\n\
             [[subsystem.contact]]\nname = \"left\"\ntype = \"sphere-plane\"\nradius = 0.1\n\
             first = {{ body = \"ground\", axis = [{sine}, 0, {cosine}] }}\nsecond = {{ body = \"block\", point = [{}, 0, {}] }}\n{law}\
             [[subsystem.contact]]\nname = \"right\"\ntype = \"sphere-plane\"\nradius = 0.1\n\
             first = {{ body = \"ground\", axis = [{sine}, 0, {cosine}] }}\nsecond = {{ body = \"block\", point = [{}, 0, {}] }}\n{law}",
            0.2 * cosine,
            -0.2 * sine,
            -0.2 * cosine,
            0.2 * sine,
        ),
    }
}

#[test]
fn forces_of_contacts_hold_what_rests_on_them() {
    let cases = [("node", ""), ("multibody", ""), ("multibody", "solver = { scheme = \"moreau-jean\" }")];
    for (kind, solver) in cases {
        let run = Run::completed(&Run::text(&resting(kind, solver), &[]));
        let last = run.sights.last().unwrap();
        let force: Vector3<f64> = last.forces.iter().map(|own| own.force).sum();
        let off = (force - Vector3::z() * WEIGHT).norm();
        assert!(off < 1e-6 * WEIGHT, "{kind} {solver}: {force}");
        // They act on the slope, up to the drift of rules that impose velocities, about g h².
        let normal = Vector3::new(0.2_f64.sin(), 0.0, 0.2_f64.cos());
        assert!(last.forces.iter().all(|own| own.point.dot(&normal).abs() < 1e-4), "{kind} {solver}");
        // Without a moment about the centre of mass they hold it at rest.
        if kind == "multibody" {
            let centre = last.poses[0].position;
            let moment: Vector3<f64> =
                last.forces.iter().map(|own| (own.point - centre).cross(&own.force)).sum();
            assert!(moment.norm() < 1e-5 * WEIGHT * 0.2, "{solver}: {moment}");
        }
    }
}

#[test]
fn forces_of_a_pool_hold_all_that_rests_on_it() {
    let text = "schema = 1\ntime = { end = 0.1, step = 1e-3 }\n[[subsystem]]\nname = \"pile\"\nkind = \"multibody\"\n\
         gravity = [0, 0, -10]\n[[subsystem.body]]\nname = \"ball\"\ncount = [2, 1, 2]\nposition = [0, 0, 0.05]\n\
         spacing = [0.3, 1, 0.1]\nmass = 2.0\ninertia = [2e-3, 2e-3, 2e-3]\n\
         [[subsystem.contact]]\nname = \"pair\"\ntype = \"sphere-sphere\"\nbetween = [\"ball*\", \"ball*\"]\nradii = [0.05, 0.05]\n\
         friction = 0.3\nrestitution = 0.0\n\
         [[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nradius = 0.05\nsecond = \"ball*\"\n\
         first = { body = \"ground\", axis = [0, 0, 1] }\nfriction = 0.3\nrestitution = 0.0\n";
    let run = Run::completed(&Run::text(text, &[]));
    let last = run.sights.last().unwrap();
    let of = |name: &str| -> Vec<Vector3<f64>> {
        let is_own = |own: &&cosimo::subsystem::scene::ContactForce| {
            run.scene.contacts[own.contact as usize].starts_with(&format!("pile.{name}_"))
        };
        last.forces.iter().filter(is_own).map(|own| own.force).collect()
    };
    // Two columns of two balls: the floor carries both, each pair the upper one.
    for (name, load) in [("floor", 2.0 * WEIGHT), ("pair", WEIGHT)] {
        let forces = of(name);
        assert_eq!(forces.len(), 2, "{name}: {:?}", last.forces);
        for force in forces {
            assert!(
                (force.norm() - load).abs() < 1e-6 * load && force.xy().norm() < 1e-6 * load,
                "{name}: {force}"
            );
        }
    }
}
