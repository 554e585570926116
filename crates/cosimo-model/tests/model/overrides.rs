//! Overrides, `--set key.path=value`.

use cosimo_model::{Override, OverrideError, SolverSpec, SubsystemKind};

use super::{BASE, overridden};

#[test]
fn overrides_replace_and_add_entries() {
    let model = overridden(
        BASE,
        &[
            "time.step=1e-4",
            "time.start = 0.5",
            "subsystem.ball.mass=2.5",
            "subsystem.0.plane.floor.restitution=0.25",
            "subsystem.ball.gravity.2=-9.81",
            "subsystem.rotor.body.rod.inertia=300",
            "master.execution=threads",
            "subsystem.chain.solver={ method = \"theta\", theta = 1.0 }",
            "subsystem.rotor.solver.theta=1",
            "interface.spring.stiffness=1e4",
            "record.quantities=[\"*\"]",
        ],
    );
    let model = model.unwrap();
    assert_eq!((model.time.start, model.time.step), (0.5, 1e-4));
    let SubsystemKind::Node(ball) = &model.subsystems[0].kind else {
        panic!("not a node");
    };
    assert_eq!((ball.mass, ball.planes[0].law.restitution, ball.gravity), (2.5, 0.25, [0.0, 0.0, -9.81]));
    assert_eq!(model.subsystems[1].solver, SolverSpec::Theta { theta: 1.0 });
    assert_eq!(model.subsystems[2].solver, SolverSpec::Theta { theta: 1.0 });
    assert_eq!(model.placement.execution, cosimo_model::Execution::Threads);
    assert_eq!(model.record.quantities, ["*"]);
}

/// The model with these entries removed, as messages if that is a mistake.
fn without(paths: &[&str]) -> Result<cosimo_model::ModelSpec, String> {
    let removals: Vec<_> = paths.iter().map(|path| Override::parse_removal(path).unwrap()).collect();
    let read = cosimo_model::read_model("model.toml", BASE, &removals);
    read.map(|(model, _)| model).map_err(|mistakes| mistakes.to_string())
}

#[test]
fn removed_entries_are_as_if_they_were_not_in_the_file() {
    let model =
        without(&["master.tolerance", "subsystem.ball.gravity", "subsystem.ball.plane.floor"]).unwrap();
    assert_eq!(model.master.tolerance, cosimo_master::MasterConfig::default().tolerance);
    let SubsystemKind::Node(ball) = &model.subsystems[0].kind else {
        panic!("not a node");
    };
    assert_eq!((ball.gravity, ball.planes.len()), ([0.0; 3], 0));
}

#[test]
fn removals_that_lead_nowhere_are_mistakes() {
    let refused = |path: &str, expected: &str| {
        let found = without(&[path]).unwrap_err();
        assert!(found.contains(expected), "`{expected}` is not in\n{found}");
    };
    refused("master.tolerence", "in --unset master.tolerence: no entry `tolerence`");
    refused("master.tolerence", "`tolerance`");
    refused("subsystem.bal.mass", "no subsystem `bal`");
    refused("time.step.size", "it has no entry `size`");
    refused("time.end", "missing key `end`");
    let error = Override::parse_removal("time.step=1").unwrap_err();
    assert!(matches!(error, OverrideError::ValueOfRemoval { .. }), "{error}");
    assert!(error.to_string().contains("use --set"), "{error}");
}

#[test]
fn absent_tables_are_added_and_the_last_override_counts() {
    let text = BASE.replace("[master]\nscheme = \"condensed\"\ntolerance = 1e-8\n", "");
    let model = overridden(&text, &["master.tolerance=1e-6", "master.tolerance=1e-7"]).unwrap();
    assert_eq!(model.master.tolerance, 1e-7);
}

#[test]
fn mistakes_of_values_name_the_override() {
    let found = overridden(BASE, &["time.end=1.0", "time.step=-1"]).unwrap_err();
    assert_eq!(found, "in --set time.step=-1: step is -1, must be positive");
    let found = overridden(BASE, &["subsystem.ball.plane.floor.normal=[0, 0, nan]"]).unwrap_err();
    assert_eq!(
        found,
        "in --set subsystem.ball.plane.floor.normal=[0, 0, nan]: normal[2] is nan, must be finite"
    );
    let found = overridden(BASE, &["subsystem.ball.mass=heavy"]).unwrap_err();
    assert_eq!(found, "in --set subsystem.ball.mass=heavy: mass is the string \"heavy\", expected a number");
    let found = overridden(BASE, &["interface.joint.between=[\"ball.top\", \"rotor.tp\"]"]).unwrap_err();
    assert!(found.contains("in --set interface.joint.between") && found.contains("`tp`"), "{found}");
}

#[test]
fn paths_that_lead_nowhere_are_reported() {
    let found = overridden(BASE, &["subsystem.bal.mass=1"]).unwrap_err();
    assert_eq!(found, "in --set subsystem.bal.mass=1: no subsystem `bal`\n  help: did you mean `ball`?");
    let found = overridden(BASE, &["subsystem.7.mass=1"]).unwrap_err();
    assert_eq!(found, "in --set subsystem.7.mass=1: no subsystem 7: there are 3, counted from 0");
    let found = overridden(BASE, &["subsystem.ball.plane.flor.restitution=1"]).unwrap_err();
    assert!(found.contains("no plane `flor`\n  help: did you mean `floor`?"), "{found}");
    let found = overridden(BASE, &["subsystem.ball.mas=1"]).unwrap_err();
    assert!(
        found.starts_with("in --set subsystem.ball.mas=1: unknown key `mas` in subsystem `ball`"),
        "{found}"
    );
    let found = overridden(BASE, &["tme.step=1"]).unwrap_err();
    assert!(found.contains("unknown key `tme` in the model\n  help: did you mean `time`?"), "{found}");
    let found = overridden(BASE, &["time.step.x=1"]).unwrap_err();
    assert!(
        found.contains("`step` is the number 1e-3, it has no entry `x`\n  help: set `step` as a whole"),
        "{found}"
    );
}

#[test]
fn entries_of_lists_that_the_file_leaves_out_are_reported() {
    let text = BASE.replace("gravity = [0, 0, -10]\n", "");
    let found = overridden(&text, &["subsystem.ball.gravity.2=-9.81"]).unwrap_err();
    assert_eq!(
        found,
        "in --set subsystem.ball.gravity.2=-9.81: gravity is not in the file, so it has no entry `2`\n  \
         help: set `gravity` as a whole: a list of 3 numbers"
    );
    let found = overridden(BASE, &["subsystem.rotor.gravity={ y = 1 }"]).unwrap_err();
    assert!(found.contains("gravity is a table, expected a list of 2 numbers"), "{found}");
    overridden(BASE, &["subsystem.chain.damping.uniform=1", "subsystem.chain.damping.set.1=2"]).unwrap();
}

#[test]
fn paths_and_values_have_limits_of_depth() {
    let path = vec!["a"; 20_000].join(".");
    let error = Override::parse(&format!("{path}=1")).unwrap_err();
    assert!(matches!(error, OverrideError::TooLong { parts: 20_000, .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("the path has 20000 parts, at most 32 are possible"), "{message}");
    assert!(message.len() < 200, "{message}");
    let error = Override::parse(&format!("a={}1{}", "[".repeat(20_000), "]".repeat(20_000))).unwrap_err();
    assert!(matches!(error, OverrideError::Value { .. }), "{error}");
    let deep = format!("{}1{}", "{ a = ".repeat(20_000), " }".repeat(20_000));
    let found = overridden(&BASE.replace("[0, 0, -10]", &deep), &[]).unwrap_err();
    assert!(found.contains("max recursion depth"), "{}", &found[..80]);
}

#[test]
fn several_matches_are_reported() {
    let text = BASE.replace("name = \"rotor\"", "name = \"ball\"");
    let found = overridden(&text, &["subsystem.ball.mass=1"]).unwrap_err();
    assert!(
        found.contains("in --set subsystem.ball.mass=1: several of subsystem are named `ball`"),
        "{found}"
    );
}

#[test]
fn mistakes_of_the_file_come_before_those_of_overrides() {
    let text = BASE.replace("mass = 1.5", "mass = 0.0");
    let found = overridden(&text, &["time.step=0", "subsystem.ball.radius=-1"]).unwrap_err();
    let (file, rest) = found.split_once("\n\n").unwrap();
    assert!(file.starts_with("model.toml:20:8: mass is 0.0"), "{file}");
    assert_eq!(
        rest,
        "in --set time.step=0: step is 0, must be positive\n\n\
         in --set subsystem.ball.radius=-1: radius is -1, must be zero or positive"
    );
}

#[test]
fn arguments_that_are_no_overrides_are_rejected() {
    let rejected = |argument: &str| Override::parse(argument).unwrap_err();
    assert_eq!(rejected("time.step").to_string(), "--set time.step: no `=`, must be key.path=value");
    assert_eq!(rejected("time..step=1").to_string(), "--set time..step=1: empty name in the path");
    assert!(matches!(rejected("=1"), OverrideError::EmptySegment { .. }));
    assert!(matches!(rejected("a=[1, 2"), OverrideError::Value { .. }));
    assert!(Override::parse("a=").is_ok());
    assert_eq!(Override::parse("a.b=c=d").unwrap().argument(), "a.b=c=d");
}
