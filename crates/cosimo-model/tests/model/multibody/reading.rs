//! What is read and printed.

use cosimo_mechanics::TimeFunction;
use cosimo_model::{
    ForceLaw, JointFreedom, MotionSpec, MultibodySpec, PlaceSpec, SubsystemKind, TimeFunctionSpec,
};
use cosimo_smooth::dae::{Formulation, TangentPolicy};

use super::{TEXT, with};
use crate::{mistakes, model};

fn engine(text: &str) -> MultibodySpec {
    let SubsystemKind::Multibody(engine) = model(text).subsystems.remove(0).kind else {
        panic!("no multibody")
    };
    *engine
}

#[test]
fn bodies_joints_and_forces_are_read() {
    let engine = engine(TEXT);
    assert_eq!(engine.formulation, Formulation::Position);
    assert_eq!(engine.bodies.len(), 4);
    let half = 0.5_f64.sqrt();
    let turned = engine.bodies[3].orientation;
    assert!(turned.iter().zip([half, 0.0, 0.0, half]).all(|(a, b)| (a - b).abs() < 1e-15), "{turned:?}");
    assert_eq!(engine.joints[0].freedom, JointFreedom::Revolute);
    let ForceLaw::Spring { length: Some(length), .. } = engine.forces[0].law else {
        panic!("{:?}", engine.forces[0])
    };
    assert!((length - 0.5).abs() < 1e-15, "the length at the start is {length}");
}

#[test]
fn everything_survives_writing() {
    assert_survives(TEXT);
    for formulation in ["stabilised-index-2", "stabilised-index-1", "index-2", "index-1"] {
        assert_survives(&TEXT.replace("index-3", formulation));
    }
    let feedback = "{ method = \"baumgarte\", alpha = 20.5, beta = 1e-3 }";
    assert_survives(&TEXT.replace("\"index-3\"", feedback));
    assert_survives(&TEXT.replace("\"index-3\"", "{ method = \"index-2\" }"));
    for settings in ["newton = \"full\"", "newton = \"frozen\"\nmax_iterations = 7\ntolerance = 1e-9"] {
        assert_survives(&TEXT.replace("formulation = ", &format!("{settings}\nformulation = ")));
    }
    for solver in [
        "\"multistep\"",
        "{ method = \"hht\", alpha = -0.2 }",
        "{ method = \"newmark\", gamma = 0.6 }",
        "\"implicit-euler\"",
        "{ method = \"bdf\", order = 1 }",
    ] {
        let text = with(
            "solver = { method = \"generalized-alpha\", spectral_radius = 0.7 }",
            &format!("solver = {solver}"),
        );
        assert_survives(&text);
    }
}

#[test]
fn settings_are_read() {
    let text = with("formulation = \"index-3\"", "newton = \"frozen\"\nmax_iterations = 7\ntolerance = 1e-9");
    let engine = engine(&text);
    assert_eq!((engine.newton, engine.max_iterations, engine.tolerance), (TangentPolicy::Frozen, 7, 1e-9));
    let defaults = self::engine(TEXT);
    assert_eq!(
        (defaults.newton, defaults.max_iterations, defaults.tolerance),
        (TangentPolicy::Modified, 30, 1e-12)
    );
    let text = with("\"index-3\"", "{ method = \"baumgarte\", beta = 3, alpha = 2.0 }");
    assert_eq!(self::engine(&text).formulation, Formulation::Baumgarte { alpha: 2.0, beta: 3.0 });
}

#[test]
fn rules_for_systems_without_ports_survive() {
    for solver in [
        "\"bdf\"",
        "{ method = \"bdf\", order = 5 }",
        "\"adaptive-bdf\"",
        "{ method = \"adaptive-bdf\", largest_order = 3, error_tolerance = 1e-9 }",
    ] {
        let text = on_a("").replace("[[subsystem.body]]", &format!("solver = {solver}\n[[subsystem.body]]"));
        assert_survives(&text);
    }
}

#[test]
fn the_formulation_follows_the_solver() {
    let free = with("formulation = \"index-3\"\n", "");
    assert_eq!(engine(&free).formulation, Formulation::PositionVelocityAcceleration);
    let solver = "solver = { method = \"generalized-alpha\", spectral_radius = 0.7 }\n";
    for midpoint in ["", "solver = \"theta\"\n", "solver = { theta = 0.5 }\n"] {
        let text = free.replace(solver, midpoint);
        assert_eq!(engine(&text).formulation, Formulation::PositionVelocity, "{midpoint}");
        assert_eq!(model(&text).subsystems[0].solver.name(), "theta");
        assert_survives(&text);
    }
}

#[track_caller]
fn assert_survives(text: &str) {
    let first = model(text);
    let written = first.to_toml();
    assert_eq!(model(&written), first, "{written}");
    assert_eq!(model(&written).to_toml(), written);
}

/// A bob on a ground point by a joint of this text.
fn on_a(joint: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n[[subsystem]]\nname = \"a\"\nkind = \"multibody\"\n\
         [[subsystem.body]]\nname = \"bob\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 2]\n{joint}\n"
    )
}

#[test]
fn every_joint_survives() {
    let place = "bodies = [\"ground\", \"bob\"]\nat = [1, 0, 2]\naxis = [0, 3, 4]";
    for kind in ["fixed", "revolute", "prismatic", "cylindrical", "planar"] {
        assert_survives(&on_a(&format!("[[subsystem.joint]]\nname = \"j\"\ntype = \"{kind}\"\n{place}")));
    }
    assert_survives(&on_a(&format!(
        "[[subsystem.joint]]\nname = \"j\"\ntype = \"universal\"\n{place}\nx = [2, 0, 0]"
    )));
    assert_survives(&on_a(
        "[[subsystem.joint]]\nname = \"j\"\ntype = \"spherical\"\nbodies = [\"bob\", \"ground\"]\nat = [1, 0, 2]",
    ));
    let dot = "[[subsystem.joint]]\nname = \"j\"\ntype = \"dot-product\"";
    assert_survives(&on_a(&format!("{dot}\n{place}\nx = [2, 0, 0]\nspeed = 0.0")));
    assert_survives(&on_a(&format!(
        "{dot}\nfirst = {{ body = \"ground\", axis = [0, 0, 1], x = [1, 0, 0] }}\n\
         second = {{ body = \"bob\", axis = [0, 1, 0], x = [1, 0, 0] }}"
    )));
    let coordinate = "[[subsystem.joint]]\nname = \"j\"\ntype = \"coordinate\"\naxis = [0, 3, 4]";
    assert_survives(&on_a(&format!(
        "{coordinate}\nbodies = [\"ground\", \"bob\"]\nat = [1, 0, 2]\nmotion = 0.0"
    )));
    assert_survives(&on_a(&format!(
        "{coordinate}\nfirst = {{ body = \"ground\" }}\nsecond = {{ body = \"bob\", point = [0, 0, 1] }}"
    )));
    for motion in [
        "0.0",
        "{ start = 0.0, rate = 3.5 }",
        "{ mean = 0.0, amplitude = 0.25, frequency = 3.0, phase = 0.0 }",
        "{ time = [0, 1, 2], value = [0, 1, -1] }",
        "{ time = [0, 1, 2], value = [0, 1, -1], interpolation = \"monotone\" }",
        "{ time = [0, 1, 2], value = [0, 1, -1], interpolation = \"linear\" }",
    ] {
        for (kind, key) in
            [("angle", "motion"), ("displacement", "motion"), ("angle", "speed"), ("displacement", "speed")]
        {
            let joint =
                format!("[[subsystem.joint]]\nname = \"j\"\ntype = \"{kind}\"\n{place}\n{key} = {motion}");
            let projected =
                on_a(&joint).replace("[[subsystem]]", "[master]\ninitial_state = \"project\"\n[[subsystem]]");
            assert_survives(&projected);
        }
    }
}

#[test]
fn motions_are_held_where_they_start() {
    let joint = "[[subsystem.joint]]\nname = \"rope\"\ntype = \"distance\"\nfirst = { body = \"ground\", point = [1, 0, 0] }\n\
                 second = { body = \"bob\", point = [0, 1.5, 0] }";
    let system = engine(&on_a(joint));
    assert_eq!(
        system.joints[0].freedom,
        JointFreedom::Distance(MotionSpec::Position(TimeFunctionSpec::Known(TimeFunction::Constant(2.5))))
    );
    let PlaceSpec::Frames([_, second]) = &system.joints[0].place else { panic!("{:?}", system.joints[0]) };
    assert_eq!((second.point, second.axis, second.x), ([0.0, 1.5, 0.0], None, None));
    assert_survives(&on_a(joint));
}

/// A plane has a normal, a sphere has none.
#[test]
fn second_frame_at_a_plane_is_a_point() {
    let force = |second: &str| {
        on_a(&format!(
            "[[subsystem.force]]\nname = \"f\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
             second = {{ body = \"bob\"{second} }}\nlaw = \"hertz\"\nstiffness = 1e5"
        ))
    };
    assert_survives(&force(", point = [0, 0, 1]"));
    let found = mistakes(&force(", axis = [0, 0, 1]")).to_string();
    assert!(found.contains("axis") && found.contains("has no effect"), "{found}");
}

#[test]
fn every_force_and_sensor_survives() {
    let place = "bodies = [\"ground\", \"bob\"]\nat = [[0, 0, 0], [1, 0, 2]]";
    let forces = [
        ("spring", "stiffness = 1\ndamping = 2\nlength = 3\npreload = -4"),
        ("torsion-spring", "axis = [0, 0, 1]\nstiffness = 1\nangle = 0.5"),
        (
            "bushing",
            "stiffness = [1, 2, 3, 4, 5, 6]\ndamping = [[1, 0, 0, 0, 0, 0.5], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0.5, 0, 0, 0, 0, 1]]",
        ),
        ("sphere-plane", "axis = [0, 0, 1]\nradius = 0.5\nlaw = \"hertz\"\nstiffness = 1e5"),
        ("sphere-plane", "axis = [0, 0, 1]\nlaw = \"kelvin-voigt\"\nstiffness = 1e5\ndamping = 3"),
        (
            "sphere-sphere",
            "radii = [0.5, 0.25]\nlaw = \"hunt-crossley\"\nstiffness = 1e5\nexponent = 2\nrestitution = 0.5",
        ),
        (
            "sphere-sphere",
            "radii = [0.5, 0.25]\nlaw = \"lankarani-nikravesh\"\nstiffness = 1e5\nrestitution = 0.0",
        ),
        (
            "stop",
            "axis = [0, 1, 0]\nx = [0, 0, 1]\nlimit = -0.5\nside = \"lower\"\nlaw = \"flores\"\nstiffness = 1e3\nrestitution = 1",
        ),
    ];
    for (kind, rest) in forces {
        assert_survives(&on_a(&format!(
            "[[subsystem.force]]\nname = \"f\"\ntype = \"{kind}\"\n{place}\n{rest}"
        )));
    }
    for (kind, axis) in
        [("distance", ""), ("displacement", "axis = [0, 0, 1]"), ("angle", "axis = [0, 0, 1]\nx = [1, 1, 0]")]
    {
        assert_survives(&on_a(&format!(
            "[[subsystem.sensor]]\nname = \"s\"\ntype = \"{kind}\"\n{place}\n{axis}"
        )));
    }
    assert_survives(&on_a(
        "[[subsystem.sensor]]\nname = \"s\"\ntype = \"point\"\nbody = \"bob\"\npoint = [1, 2, 3]",
    ));
    let load = "[[subsystem.load]]\nbody = \"bob\"\naxes = \"body\"\npoint = [0, 0, 1]\ndirection = [0, 2, 0]\ntime = [0]\nvalue = [5]";
    assert_survives(&on_a(load));
    for shape in ["direction = [0, 1, 0]", "coordinates = 3", "orientation = { axis = [1, 1, 0], angle = 2 }"]
    {
        assert_survives(&on_a(&format!("[[subsystem.port]]\nname = \"p\"\nbody = \"bob\"\n{shape}")));
    }
}

#[test]
fn what_is_built_shows_what_is_told() {
    crate::building::assert_labels_are_the_quantities(&model(TEXT));
    let system = model(TEXT);
    let mut master = system.build().unwrap();
    (0..5).for_each(|_| assert!(master.step(1e-3).is_ok()));
    let names: Vec<String> = system.quantities().into_iter().map(|quantity| quantity.name).collect();
    for name in ["engine.crank.wy", "engine.main.my", "engine.residual", "engine.turn.angle"] {
        assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
    }
}
