//! One rule, one meaning: the two names of the theta method in every kind of subsystem.

use cosimo_master::NoObserver;
use cosimo_model::{ModelSpec, SolverSpec};

use crate::{mistakes, model};

/// Every kind that steps by a rule, with a contact where it can have one.
const KINDS: [(&str, &str); 6] = [
    (
        "node",
        "mass = 1.0\nradius = 0.25\ngravity = [0, 0, -9.81]\nposition = [0, 0, 0.3]\n[[subsystem.plane]]\nname = \"floor\"\n\
         normal = [0, 0, 1]\nrestitution = 0.5\n",
    ),
    (
        "linear",
        "mass = [2]\ngravity = -9.81\nposition = 0.05\n[[subsystem.contact]]\nname = \"floor\"\nrow = { 0 = 1 }\n\
         restitution = 0.5\n",
    ),
    ("linear", "mass = [2]\nstiffness = [8]\nposition = 1\n"),
    (
        "planar",
        "gravity = [0, -9.81]\n[[subsystem.body]]\nname = \"rod\"\nmass = 1.0\ninertia = 0.1\nposition = [0, 0.05]\n\
         [[subsystem.contact]]\nname = \"floor\"\nbody = \"rod\"\nnormal = [0, 1]\nrestitution = 0.5\n",
    ),
    (
        "multibody",
        "gravity = [0, 0, -9.81]\n[[subsystem.body]]\nname = \"ball\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n\
         position = [0, 0, 0.3]\n[[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\n\
         bodies = [\"ground\", \"ball\"]\nat = [[0, 0, 0], [0, 0, 0.3]]\naxis = [0, 0, 1]\nradius = 0.25\nrestitution = 0.5\n",
    ),
    ("rigid-body", "mass = 1.0\ninertia = [0.1, 0.2, 0.25]\nangular_velocity = [1, 2, 3]\n"),
];

fn with_solver((kind, text): (&str, &str), solver: &str) -> String {
    let start = "schema = 1\ntime = { end = 0.3, step = 0.01 }\n[[subsystem]]\nname = \"body\"";
    format!("{start}\nkind = \"{kind}\"\n{solver}\n{text}")
}

/// The bits of every quantity after a run.
fn bits(model: &ModelSpec) -> Vec<u64> {
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    values.into_iter().map(f64::to_bits).collect()
}

#[test]
fn both_names_are_read_by_every_kind_and_mean_the_same() {
    for kind in KINDS {
        let plain = model(&with_solver(kind, ""));
        for name in ["theta", "moreau-jean"] {
            for solver in [
                format!("solver = \"{name}\""),
                format!("solver = {{ method = \"{name}\" }}"),
                format!("solver = {{ method = \"{name}\", theta = 0.5 }}"),
            ] {
                let read = model(&with_solver(kind, &solver));
                assert_eq!(read, plain, "{} with {solver}", kind.0);
                assert_eq!(bits(&read), bits(&plain), "{} with {solver}", kind.0);
                // What is written has one name, and is read.
                let written = read.to_toml();
                assert!(!written.contains("moreau-jean"), "{written}");
                assert_eq!(model(&written), read);
            }
        }
    }
}

#[test]
fn a_parameter_goes_with_both_names_where_the_kind_has_it() {
    for kind in KINDS {
        let solver = |name: &str| format!("solver = {{ method = \"{name}\", theta = 0.75 }}");
        let [theta, moreau_jean] = ["theta", "moreau-jean"].map(|name| with_solver(kind, &solver(name)));
        if matches!(kind.0, "multibody" | "rigid-body") {
            let refused =
                |text: &str| mistakes(text).iter().map(|one| one.message.clone()).collect::<Vec<_>>();
            assert_eq!(refused(&theta), refused(&moreau_jean));
            continue;
        }
        let read = model(&moreau_jean);
        assert_eq!(read, model(&theta));
        assert_eq!(read.subsystems[0].solver, SolverSpec::Theta { theta: 0.75 });
    }
}
