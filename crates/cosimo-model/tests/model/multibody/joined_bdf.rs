//! Backward differentiation at joints: of order one as any rule, above refused with the reason.

use cosimo_master::NoObserver;
use cosimo_model::{ModelSpec, SolverSpec, SubsystemKind};

use crate::{mistakes, model};

/// Two pendulums whose bobs are joined rigidly, both with this solver.
fn pair(solver: &str) -> String {
    let pendulum = |name: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\nsolver = {solver}\n\
             [[subsystem.body]]\nname = \"bob\"\nmass = 1.0\ninertia = [0.01, 0.01, 0.01]\nposition = [1, 0, 0]\n\
             [[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0, 0]\n\
             axis = [0, 1, 0]\n[[subsystem.port]]\nname = \"end\"\nbody = \"bob\"\ndirection = [0, 0, 1]\n"
        )
    };
    format!(
        "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n{}{}[[interface]]\nname = \"joint\"\n\
         between = [\"a.end\", \"b.end\"]\nlaw = \"rigid\"\n",
        pendulum("a"),
        pendulum("b")
    )
}

fn bdf(order: u32) -> String {
    pair(&format!("{{ method = \"bdf\", order = {order} }}"))
}

fn run(model: &ModelSpec) {
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
}

#[test]
fn orders_above_one_are_refused_before_the_run() {
    for order in 2..=5 {
        let found = mistakes(&bdf(order));
        assert_eq!(found.error_count(), 2, "{found}");
        for mistake in &found {
            let text = mistake.to_string();
            for part in [
                "at joints, \"bdf\" of order 2 to 5",
                "know nothing of the loads",
                "\"multistep\" with spectral_radius = 0",
            ] {
                assert!(text.contains(part), "{text}");
            }
        }
        // A program that makes the specification itself is told, too.
        let mut spec = model(&bdf(1));
        spec.subsystems[1].solver = SolverSpec::Bdf { order };
        assert!(matches!(spec.subsystems[1].kind, SubsystemKind::Multibody(_)));
        let error = spec.build().unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(format!("{error} {source}").contains("of spectral radius 0 it is BDF 2"), "{error} {source}");
    }
}

#[test]
fn order_one_and_the_way_out_run() {
    run(&model(&bdf(1)));
    run(&model(&pair("{ method = \"multistep\", spectral_radius = 0.0 }")));
}
