//! What is built from models.

use cosimo_master::{Master, NoObserver};
use cosimo_model::{BuildError, ModelSpec};
use cosimo_subsystem::Subsystem;

use super::{BASE, model, overridden};

/// The base model with the ball above the floor.
fn buildable(arguments: &[&str]) -> ModelSpec {
    let lifted = ["subsystem.ball.position=[0, 0, 1]"];
    overridden(BASE, &[&lifted, arguments].concat()).unwrap()
}

/// A model of one subsystem of which the text after the header is given.
fn single(text: &str) -> ModelSpec {
    model(&format!(
        "schema = 1\ntime = {{ start = 1.5, end = 3.5, step = 0.01 }}\n[[subsystem]]\nname = \"body\"\n{text}"
    ))
}

/// The state after a run, by the names of the quantities.
pub(crate) fn run(model: &ModelSpec) -> (Master, impl Fn(&str) -> f64 + use<>) {
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let value = move |name: &str| {
        let at = labels.iter().position(|label| format!("{}.{}", label.owner, label.name) == name);
        values[at.unwrap()]
    };
    (master, value)
}

/// Asserts that the quantities of the master are those of the model, with the same units.
#[track_caller]
pub(crate) fn assert_labels_are_the_quantities(model: &ModelSpec) {
    let labels = model.build().unwrap().labels();
    let mut built: Vec<_> =
        labels.into_iter().map(|label| (format!("{}.{}", label.owner, label.name), label.unit)).collect();
    let mut read: Vec<_> =
        model.quantities().into_iter().map(|quantity| (quantity.name, quantity.unit.to_owned())).collect();
    built.sort();
    read.sort();
    assert_eq!(built, read);
}

#[test]
fn every_kind_and_law_is_built_with_its_quantities() {
    assert_labels_are_the_quantities(&buildable(&[]));
    assert_labels_are_the_quantities(&buildable(&["subsystem.chain.elimination={}"]));
    assert_labels_are_the_quantities(&buildable(&[
        "interface.joint.law=tikhonov",
        "interface.joint.constant=1e-9",
    ]));
}

#[test]
fn interfaces_of_three_coordinates_have_numbered_quantities() {
    let three = [
        "subsystem.chain.port.mean={ name = \"mean\", coordinates = [0, 1, 2] }",
        "interface.spring.between=[\"ball.centre\", \"chain.mean\"]",
        "interface.spring.stiffness=[[2, 1, 0], [1, 2, 0], [0, 0, 1]]",
        "record.quantities=[\"*\"]",
    ];
    assert_labels_are_the_quantities(&buildable(&three));
}

#[test]
fn nodes_fall_under_gravity_force_and_load() {
    let ball = single(
        "kind = \"node\"\nmass = 2\ngravity = [0, 0, -10]\nforce = [4, 0, 0]\nvelocity = [0, 1, 0]\n\
         [[subsystem.load]]\ndirection = [0, 0, 5]\ntime = [2.5, 2.5000001]\nvalue = [0, 4]\n",
    );
    let (master, value) = run(&ball);
    assert!((master.time() - 3.5).abs() < 1e-12);
    assert!((value("body.x") - 4.0).abs() < 1e-9 && (value("body.y") - 2.0).abs() < 1e-9);
    // Two seconds of fall; the load of 4 N acts from half time on.
    assert!((value("body.vz") + 20.0 - 2.0).abs() < 1e-5, "{}", value("body.vz"));
}

#[test]
fn planes_have_unit_normals_and_move_from_time_zero() {
    let plane = "[[subsystem.plane]]\nname = \"lift\"\nnormal = [0, 0, 4]\nrestitution = 0\n\
                 velocity = [0, 0, 0.5]\npoint = [0, 0, 0.25]\n";
    let ball = single(&format!("kind = \"node\"\nmass = 2\nradius = 0.5\nposition = [0, 0, 2]\n{plane}"));
    let gap = ball.build().unwrap().subsystems()[0].rows().positions[3];
    assert!((gap - (2.0 - 0.25 - 0.5 * 1.5 - 0.5)).abs() < 1e-14, "{gap}");
}

#[test]
fn springs_are_added_to_the_matrices() {
    let springs = "mass = [1, 2, 4]\nstiffness = [5, 0, 0]\nposition = [0.1, 0.3, 0.2]\ngravity = 2.0\n\
        [[subsystem.spring]]\nbetween = [2, 0]\nstiffness = 3\nrest = 0.5\ndamping = 0.25\n\
        [[subsystem.spring]]\nground = 1\nstiffness = 7\nrest = 0.2\n\
        [[subsystem.spring]]\nchain = [0, 2]\nstiffness = 2\nrest = -0.1\n";
    // Both springs of the chain push forward and backward by 0.2 N; gravity is 2 m/s².
    let matrices = "mass = [1, 2, 4]\nposition = [0.1, 0.3, 0.2]\n\
        stiffness = [[10, -2, -3], [-2, 11, -2], [-3, -2, 5]]\n\
        damping = [[0.25, 0, -0.25], [0, 0, 0], [-0.25, 0, 0.25]]\n\
        force = [0.3, 5.4, 9.7]\n";
    let built = |text: &str| run(&single(&format!("kind = \"linear\"\n{text}")));
    let ((_, by_springs), (_, by_matrices)) = (built(springs), built(matrices));
    for name in ["body.q0", "body.q1", "body.q2", "body.v_q0", "body.v_q2"] {
        assert!((by_springs(name) - by_matrices(name)).abs() < 1e-12, "{name}");
    }
}

#[test]
fn springs_at_rest_have_no_energy() {
    let text = "kind = \"linear\"\nmass = [1, 1]\nposition = [0.7, 0.2]\n\
        [[subsystem.spring]]\nbetween = [0, 1]\nstiffness = 30\nrest = 0.5\n\
        [[subsystem.spring]]\nground = 0\nstiffness = 20\nrest = 0.7\n";
    let energy = single(text).build_subsystems().unwrap()[0].energy();
    assert!(energy.potential.abs() < 1e-14 && energy.kinetic == 0.0, "{energy:?}");
}

#[test]
fn constraints_hold_by_multipliers_and_by_elimination() {
    let with = |elimination: &str| {
        single(&format!(
            "kind = \"linear\"\nmass = [0.5, 0.5]\nstiffness = [10, 0]\ngravity = 9.81\nposition = [0, 0.2]\n\
             {elimination}\n[[subsystem.constraint]]\nname = \"link\"\nrow = {{ 0 = -1, 1 = 1 }}\nvalue = 0.2\n"
        ))
    };
    let (by_multipliers, by_elimination) = (run(&with("")).1, run(&with("elimination = {}")).1);
    assert!(by_multipliers("body.link.residual").abs() < 1e-12);
    assert!((by_multipliers("body.q0") - by_elimination("body.q0")).abs() < 1e-9);
}

#[test]
fn every_solver_steps() {
    for solver in ["moreau-jean", "theta", "multistep", "generalized-alpha"] {
        let text =
            format!("kind = \"linear\"\nsolver = \"{solver}\"\nmass = [2]\nstiffness = [8]\nposition = 1\n");
        let (_, value) = run(&single(&text));
        assert!((value("body.q0") - 4.0_f64.cos()).abs() < 1e-3, "{solver}: {}", value("body.q0"));
    }
}

#[test]
fn threads_give_the_same_bits() {
    let bits = |execution: &str| {
        let mut master = buildable(&[execution]).build().unwrap();
        master.run(0.05, 1e-3, &mut NoObserver).unwrap();
        let mut values = vec![0.0; master.labels().len()];
        master.observe(&mut values).unwrap();
        values.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits("master.execution=in-thread"), bits("master.execution=threads"));
}

#[test]
fn processes_need_a_program_that_serves() {
    let model = buildable(&["master.execution=processes"]);
    let error = model.build().unwrap_err();
    assert!(matches!(error, BuildError::NoServer { .. }), "{error}");
    let nobody = || std::process::Command::new("./no-such-program");
    let error = model.build_served(&nobody).unwrap_err();
    let name = &model.subsystems[0].name;
    let text =
        format!("subsystem `{name}` does not answer: its process `./no-such-program` cannot be started");
    assert!(error.to_string().starts_with(&text), "{error}");
    assert!(matches!(model.build_subsystem("nobody"), Err(BuildError::NoSubsystem { .. })));
}

#[test]
fn initial_states_are_refused_by_name_or_projected() {
    let offset = "interface.joint.offset=0.5";
    let refused = buildable(&[offset]).build().unwrap_err();
    assert!(matches!(refused, BuildError::Setup(_)));
    assert!(refused.to_string().contains("interface `joint` by a gap of 3.75"), "{refused}");
    let penetrating = buildable(&["subsystem.ball.position=[0, 0, 0]"]).build().unwrap_err().to_string();
    assert!(penetrating.contains("contact `ball.floor` by a penetration of 2.5"), "{penetrating}");
    let projected = buildable(&[offset, "master.initial_state=project"]).build().unwrap();
    let rows = |index: usize| projected.subsystems()[index].rows().positions.clone();
    assert!((rows(1)[0] - rows(2)[0] - 0.5).abs() < 1e-9);
}

#[test]
fn constraints_given_twice_are_refused_by_the_name_of_the_subsystem() {
    let twice = "kind = \"linear\"\nmass = [1, 1]\n\
        [[subsystem.constraint]]\nname = \"a\"\nrow = [1, -1]\n\
        [[subsystem.constraint]]\nname = \"b\"\nrow = [2, -2]\n";
    let refused = single(twice).build().unwrap_err().to_string();
    assert!(
        refused.starts_with("subsystem `body`: ") && refused.contains("a constraint given twice"),
        "{refused}"
    );
}

#[test]
fn micro_steps_beside_impacts_have_the_plain_problem_and_are_told_so() {
    let text = "
schema = 1
time = { end = 1.0, step = 0.01 }
[[subsystem]]
name = \"ball\"
kind = \"node\"
mass = 1.0
plane = [{ name = \"floor\", normal = [0, 0, 1], restitution = 0.5 }]
port = [{ name = \"top\", direction = [0, 0, 1] }]
[[subsystem]]
name = \"mass\"
kind = \"linear\"
solver = \"theta\"
coordinates = [\"z\"]
mass = [1.0]
micro_steps = 2
port = [{ name = \"foot\", coordinates = [\"z\"] }]
[[interface]]
name = \"joint\"
between = [\"ball.top\", \"mass.foot\"]
law = \"rigid\"
";
    let mut master = model(text).build().unwrap();
    master.step(1e-3).unwrap();
    let warnings: Vec<&str> = master.warnings().iter().map(|warning| warning.text.as_str()).collect();
    assert!(
        warnings.iter().any(|text| text.contains("the plain problem takes the impacts there")),
        "{warnings:?}"
    );
    // Every way out that is named runs without.
    let plain = text.replace(
        "[[subsystem]]\nname = \"ball\"",
        "master = { impacts = \"plain\" }\n[[subsystem]]\nname = \"ball\"",
    );
    model(&plain).build().unwrap();
    model(&text.replace("micro_steps = 2\n", "")).build().unwrap();
    let compliant = text.replace("law = \"rigid\"", "law = \"compliant\"\nstiffness = 1.0");
    model(&compliant).build().unwrap();
}
