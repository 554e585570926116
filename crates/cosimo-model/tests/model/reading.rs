//! What is read from models without mistakes.

use cosimo_master::{Acceleration, Impacts, Scheme};
use cosimo_mechanics::Restitution;
use cosimo_model::{
    BodyRef, CheckpointSpec, LawSpec, MatrixSpec, NodePortSpec, PortRef, SolverSpec, SpringEnds,
    SubsystemKind,
};

use super::{BASE, mistakes, model};

#[test]
fn a_node_is_read_with_its_defaults() {
    let model = model(BASE);
    let SubsystemKind::Node(ball) = &model.subsystems[0].kind else {
        panic!("not a node");
    };
    assert_eq!((ball.mass, ball.radius, ball.gravity), (1.5, 0.25, [0.0, 0.0, -10.0]));
    assert_eq!(ball.ports[1], NodePortSpec { name: "top".into(), direction: Some([0.0, 0.0, 2.0]) });
    assert_eq!((ball.planes[0].point, ball.planes[0].law.restitution), ([0.0; 3], 0.8));
    assert_eq!(ball.loads[0].size.table().unwrap().value, [0.0, 5.0]);
    assert_eq!(model.subsystems[0].solver, SolverSpec::Theta { theta: 0.5 });
}

#[test]
fn a_linear_system_is_read_with_its_defaults() {
    let model = model(BASE);
    let SubsystemKind::Linear(chain) = &model.subsystems[1].kind else {
        panic!("not linear");
    };
    assert_eq!(chain.mass, MatrixSpec::Diagonal(vec![1.0, 2.0, 3.0]));
    assert_eq!(chain.stiffness.to_dense()[(2, 0)], -1.0);
    assert!(chain.damping.is_zero());
    assert_eq!(chain.position, [0.125; 3]);
    assert_eq!(chain.springs[0].ends, SpringEnds::Between(0, 1));
    assert_eq!(chain.springs[1].ends, SpringEnds::Chain(0, 2));
    assert_eq!(chain.loads[0].direction.entries, [(2, 1.0)]);
    assert_eq!(chain.constraints[0].row.to_dense(3), [-1.0, 0.0, 1.0]);
    assert_eq!(chain.ports[1].rows[0].entries, [(0, 0.5), (1, 0.5)]);
    assert_eq!(chain.elimination, None);
    assert_eq!(model.subsystems[1].solver, SolverSpec::Theta { theta: 0.75 });
}

#[test]
fn a_planar_system_is_read_with_its_defaults() {
    let model = model(BASE);
    let SubsystemKind::Planar(rotor) = &model.subsystems[2].kind else {
        panic!("not planar");
    };
    assert_eq!((rotor.bodies[0].mass, rotor.bodies[0].angle), (67.5, 0.0));
    assert_eq!(rotor.pins[0].between.map(|end| end.body), [BodyRef::Body(0), BodyRef::Ground]);
    assert_eq!(rotor.springs[0].between[1].point, [1.0, -1.0]);
    assert_eq!((rotor.contacts[0].body, rotor.contacts[0].point), (0, [0.0; 2]));
    assert_eq!(rotor.ports[0].direction, Some([0.0, 1.0]));
    assert_eq!(model.subsystems[2].solver, SolverSpec::Theta { theta: 0.75 });
}

#[test]
fn interfaces_refer_to_ports() {
    let model = model(BASE);
    assert_eq!(
        model.interfaces[0].between,
        [PortRef { subsystem: 0, port: 1 }, PortRef { subsystem: 1, port: 1 }]
    );
    let (subsystem, shape) = model.port(model.interfaces[1].between[1]).unwrap();
    assert_eq!((subsystem.name.as_str(), shape.name.as_str(), shape.size), ("rotor", "tip", 1));
    assert_eq!((&model.interfaces[1].law, &model.interfaces[1].offset), (&LawSpec::Rigid, &vec![0.125]));
}

#[test]
fn impacts_are_plain_where_sub_steps_are_impossible() {
    let master = |line: &str| model(&BASE.replace("scheme = \"condensed\"", line)).master;
    assert_eq!(master("").impacts, Impacts::SubStep);
    let gauss_seidel = master("scheme = \"gauss-seidel\"");
    assert_eq!((gauss_seidel.scheme, gauss_seidel.impacts), (Scheme::GaussSeidel, Impacts::PLAIN));
    let jacobi = master("scheme = \"jacobi\"");
    assert_eq!((jacobi.scheme, jacobi.impacts), (Scheme::Jacobi, Impacts::PLAIN));
}

#[test]
fn the_plain_problem_is_read_with_its_forecast() {
    let impacts = |text: &str| {
        model(&BASE.replace("scheme = \"condensed\"", &format!("impacts = {text}"))).master.impacts
    };
    assert_eq!(impacts("\"plain\""), Impacts::PLAIN);
    assert_eq!(impacts("{ method = \"plain\" }"), Impacts::PLAIN);
    let always = Restitution::Always;
    assert_eq!(
        impacts("{ method = \"plain\", gamma = 1.5, restitution = \"always\" }"),
        Impacts::Plain { gamma: Some(1.5), restitution: always }
    );
    let negative = BASE.replace("scheme = \"condensed\"", "impacts = { method = \"plain\", gamma = -1 }");
    let mistakes = mistakes(&negative).to_string();
    assert!(mistakes.contains("gamma is -1, must be zero or positive"), "{mistakes}");
}

#[test]
fn checkpoints_are_read_with_their_defaults() {
    assert_eq!(model(BASE).checkpoint, CheckpointSpec { every_steps: 0, every_seconds: 60.0, keep: 2 });
    let some = model(&BASE.replace("[record]", "[checkpoint]\nevery_steps = 500\nkeep = 4\n[record]"));
    assert_eq!(some.checkpoint, CheckpointSpec { every_steps: 500, every_seconds: 60.0, keep: 4 });
}

#[test]
fn schemes_and_accelerations_are_read_with_their_defaults() {
    let master = |line: &str| model(&BASE.replace("scheme = \"condensed\"", line)).master;
    let jacobi = master("scheme = \"jacobi\"\nimpacts = \"plain\"");
    assert_eq!((jacobi.scheme, jacobi.impacts), (Scheme::Jacobi, Impacts::PLAIN));
    assert_eq!(jacobi.acceleration, Acceleration::None);
    let acceleration =
        |text: &str| master(&format!("scheme = \"jacobi\"\nacceleration = {text}")).acceleration;
    assert_eq!(acceleration("\"none\""), Acceleration::None);
    assert_eq!(acceleration("\"relaxation\""), Acceleration::Relaxation { factor: 0.5 });
    assert_eq!(acceleration("\"aitken\""), Acceleration::Aitken { first: 0.5 });
    assert_eq!(acceleration("\"iqn-ils\""), Acceleration::IqnIls { reuse: 8, filter: 1e-3 });
    assert_eq!(
        acceleration("{ method = \"iqn-ils\", reuse = 0 }"),
        Acceleration::IqnIls { reuse: 0, filter: 1e-3 }
    );
    assert_eq!(
        acceleration("{ method = \"relaxation\", factor = 0.25 }"),
        Acceleration::Relaxation { factor: 0.25 }
    );
    assert_eq!(acceleration("{ method = \"aitken\", first = 1 }"), Acceleration::Aitken { first: 1.0 });
}

#[test]
fn quantities_are_listed_in_the_order_of_the_file() {
    let names: Vec<String> = model(BASE).quantities().into_iter().map(|quantity| quantity.name).collect();
    let expected = "ball.x ball.y ball.z ball.vx ball.vy ball.vz ball.floor.gap ball.floor.force ball.floor.status ball.floor.impulse \
        chain.x0 chain.x1 chain.x2 chain.v_x0 chain.v_x1 chain.v_x2 chain.link.residual \
        rotor.rod.x rotor.rod.y rotor.rod.angle rotor.rod.vx rotor.rod.vy rotor.rod.omega \
        rotor.stop.gap rotor.stop.force rotor.stop.status rotor.stop.impulse rotor.hinge.residual_x rotor.hinge.residual_y \
        spring.force spring.gap spring.impulse spring.iterations spring.residual spring.created \
        joint.force joint.gap joint.impulse joint.iterations joint.residual joint.created contacts.residual";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn quantities_have_units() {
    let model = model(BASE);
    let unit =
        |name: &str| model.quantities().into_iter().find(|quantity| quantity.name == name).unwrap().unit;
    assert_eq!(unit("ball.vx"), "m/s");
    assert_eq!(unit("ball.floor.impulse"), "N s");
    assert_eq!(unit("rotor.rod.omega"), "rad/s");
    assert_eq!(unit("spring.force"), "N");
    assert_eq!(unit("chain.v_x1"), "m/s");
}

#[test]
fn angles_are_in_radians() {
    let names = "coordinates = [\"x0\", \"x1\", \"x2\"]";
    let spec = model(&BASE.replace(names, &format!("{names}\nangles = [\"x1\"]")));
    let units: Vec<_> = spec
        .quantities()
        .into_iter()
        .filter(|quantity| ["chain.x0", "chain.x1", "chain.v_x1"].contains(&quantity.name.as_str()))
        .map(|quantity| quantity.unit)
        .collect();
    assert_eq!(units, ["m", "rad", "rad/s"]);
    assert!(spec.to_toml().contains("angles = [\"x1\"]"));
}

#[test]
fn interfaces_of_several_coordinates_number_their_quantities() {
    let text = BASE.replace(
        "[[subsystem.port]]\nname = \"mean\"\nrows = [[0.5, 0.5, 0.0]]",
        "[[subsystem.port]]\nname = \"mean\"\ncoordinates = [0, 1, 2]",
    );
    let text =
        text.replace("\"ball.top\"", "\"ball.centre\"").replace("\"spring.force\"", "\"spring.force_*\"");
    let names: Vec<String> =
        model(&text).recorded_quantities().into_iter().map(|quantity| quantity.name).collect();
    assert!(names.contains(&"spring.force_2".to_owned()), "{names:?}");
    assert!(!names.contains(&"spring.gap_0".to_owned()), "{names:?}");
}

#[test]
fn what_is_recorded_and_plotted_follows_the_patterns() {
    let spec = model(BASE);
    assert_eq!(spec.recorded_quantities().len(), 10 + 1 + 1 + 1 + 6);
    let plotted: Vec<String> = spec.plotted_quantities().into_iter().map(|quantity| quantity.name).collect();
    assert_eq!(plotted, ["ball.z", "chain.x1"]);
    let spec = model(&BASE.replace("plot = [\"ball.z\", \"chain.x1\"]\n", ""));
    assert_eq!(spec.record.plot, ["ball.x", "ball.y", "ball.z", "chain.x1"]);
    let spec = model(&BASE.replace("plot = [\"ball.z\", \"chain.x1\"]\n", "plot = []\n"));
    assert!(spec.plotted_quantities().is_empty());
}

/// Without positions the first signals are plotted, those with the unit of the first.
#[test]
fn a_model_of_signals_plots_those_of_one_unit() {
    let gain = |name: &str, unit: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"controller\"\ntype = \"state-space\"\nd = [[1.0]]\ndefault = 1.0\noutput_unit = \"{unit}\"\n"
        )
    };
    let head = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n".to_owned();
    let spec = model(&[head, gain("a", "m"), gain("b", "N"), gain("c", "m")].concat());
    assert_eq!(spec.record.plot, ["a.output", "c.output"]);
}

/// A chain of this many nodes.
fn chain(count: usize) -> String {
    use std::fmt::Write as _;
    let mut text = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n".to_owned();
    for i in 0..count {
        write!(
            text,
            "[[subsystem]]\nname = \"s{i}\"\nkind = \"node\"\nmass = 1.0\nport = [{{ name = \"a\" }}, {{ name = \"b\" }}]\n"
        )
        .unwrap();
    }
    for i in 1..count {
        write!(
            text,
            "[[interface]]\nname = \"i{i}\"\nbetween = [\"s{}.b\", \"s{i}.a\"]\nlaw = \"compliant\"\nstiffness = 1e3\n",
            i - 1
        )
        .unwrap();
    }
    text
}

#[test]
fn reading_takes_time_in_proportion_to_the_model() {
    let seconds = |count: usize| {
        let text = chain(count);
        let once = || {
            let start = std::time::Instant::now();
            assert_eq!(model(&text).interfaces.len(), count - 1);
            start.elapsed().as_secs_f64()
        };
        (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
    };
    let ratio = seconds(8000) / seconds(1000);
    // A search of all names for every name makes it 64.
    assert!(ratio < 24.0, "eight times the model takes {ratio:.1} times as long");
}
