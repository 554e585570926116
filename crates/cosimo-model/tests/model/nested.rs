//! Models within models.

use std::fs;
use std::path::Path;

use cosimo_fmi::binary::Version;
use cosimo_fmi::test_units::build;
use cosimo_model::{BuildError, Diagnostics, ModelSpec, model_files, read_model};
use tempfile::TempDir;

const WAGON: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "chassis"
kind = "linear"
coordinates = ["x"]
mass = [2.0]
port = [{ name = "front", coordinates = ["x"] }, { name = "deck", coordinates = ["x"] }]
[[subsystem]]
name = "load"
kind = "node"
mass = 1.0
port = [{ name = "lashing", direction = [1, 0, 0] }]
[[interface]]
name = "lashing"
between = ["load.lashing", "chassis.deck"]
law = "compliant"
stiffness = 100.0
"#;

/// Two wagons, the entries of the first completed by this text.
fn train(entries: &str) -> String {
    format!(
        r#"
schema = 1
time = {{ end = 1.0, step = 1e-3 }}
[[subsystem]]
name = "first"
kind = "model"
file = "wagon.toml"
{entries}
[[subsystem]]
name = "second"
kind = "model"
file = "wagon.toml"
[[interface]]
name = "rod"
between = ["first.chassis.front", "second.chassis.front"]
law = "rigid"
"#
    )
}

/// A folder with both files; the result of reading the outer one.
fn read(train: &str, wagon: &str) -> (TempDir, Result<ModelSpec, Diagnostics>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wagon.toml"), wagon).unwrap();
    let read = read_at(folder.path(), train);
    (folder, read)
}

fn read_at(folder: &Path, text: &str) -> Result<ModelSpec, Diagnostics> {
    let name = folder.join("train.toml").display().to_string();
    read_model(&name, text, &[]).map(|(model, _)| model)
}

#[test]
fn open_ends_and_quantities_lead_into_a_nested_model() {
    let (folder, model) = read(&train("set = { \"subsystem.load.mass\" = 3.0 }"), WAGON);
    let model = model.unwrap();
    let kind = &model.subsystems[0].kind;
    let ports: Vec<String> = kind.ports().into_iter().map(|port| port.name).collect();
    assert_eq!(ports, ["chassis.front"]);
    for name in ["first.chassis.x", "second.load.vx", "first.lashing.force"] {
        assert!(model.quantities().iter().any(|own| own.name == name), "{name}");
    }
    // What is recorded of the model as it is built has these names.
    let mut master = model.build().unwrap();
    let built: Vec<String> =
        master.labels().iter().map(|label| format!("{}.{}", label.owner, label.name)).collect();
    let known: Vec<String> = model.quantities().into_iter().map(|own| own.name).collect();
    assert_eq!(built, known);
    master.step(1e-3).unwrap();
    // The complete model reads back to an equal one, wherever it is read.
    let again = read_model("elsewhere.toml", &model.to_toml(), &[]).unwrap().0;
    assert_eq!(again, model);
    drop(folder);
}

#[test]
fn mistakes_of_nested_models_have_their_place() {
    let told = |entries: &str, wagon: &str| read(&train(entries), wagon).1.unwrap_err().to_string();
    let unknown = told("ports = [\"chassis.fornt\"]", WAGON);
    assert!(
        unknown.contains(":8:10: no open port `chassis.fornt`") && unknown.contains("`chassis.front`"),
        "{unknown}"
    );
    let joined = told("ports = [\"chassis.deck\"]", WAGON);
    assert!(joined.contains("no open port `chassis.deck`"), "{joined}");
    let inside = told("", &WAGON.replace("[2.0]", "[-2.0]"));
    assert!(inside.contains(":7:8:") && inside.contains("wagon.toml:8:9: mass"), "{inside}");
    let entry = told("set = { \"subsystem.load.mas\" = 3.0 }", WAGON);
    assert!(entry.contains("--set subsystem.load.mas=3.0") && entry.contains("mass"), "{entry}");
    let solver = told("solver = \"theta\"", WAGON);
    assert!(solver.contains("brings the solvers of its own subsystems"), "{solver}");
    let missing = read(&train("").replace("wagon.toml", "waggon.toml"), WAGON).1.unwrap_err().to_string();
    assert!(missing.contains("cannot read") && missing.contains("waggon.toml"), "{missing}");
    let floor = "[[subsystem.plane]]\nname = \"floor\"\nnormal = [1, 0, 0]\npoint = [-1, 0, 0]\nrestitution = 0.5\n[[interface]]";
    let impacts = told("", &WAGON.replace("[[interface]]", floor));
    assert!(impacts.contains("impacts = \"plain\"") && impacts.contains("`rod` is rigid"), "{impacts}");
}

#[test]
fn a_model_that_would_hold_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inner = "[[subsystem]]\nname = \"again\"\nkind = \"model\"\nfile = \"train.toml\"\n";
    fs::write(folder.path().join("wagon.toml"), format!("{WAGON}{inner}")).unwrap();
    fs::write(folder.path().join("train.toml"), train("")).unwrap();
    let told = read_at(folder.path(), &train("")).unwrap_err().to_string();
    assert!(told.contains("would hold itself"), "{told}");
}

/// A mass on a control that is a model of its own: `ẍ = 2 (1 − x)`.
#[test]
fn signals_lead_into_a_nested_model() {
    let governor = "schema = 1\ntime = { end = 1, step = 1e-3 }\n[export]\n[[subsystem]]\nname = \"governor\"\nkind = \"controller\"\n\
                    type = \"pid\"\nproportional = 2.0\nsetpoint = 1.0\ninput_unit = \"m\"\noutput_unit = \"N\"\n";
    let outer = "schema = 1\ntime = { end = 1, step = 1e-3 }\n[[subsystem]]\nname = \"c\"\nkind = \"model\"\nfile = \"wagon.toml\"\n\
                 [[subsystem]]\nname = \"b\"\nkind = \"multibody\"\n[[subsystem.body]]\nname = \"m\"\nmass = 1.0\ninertia = [1, 1, 1]\n\
                 [[subsystem.load]]\nbody = \"m\"\ndirection = [1, 0, 0]\nsignal = \"push\"\n\
                 [[subsystem.sensor]]\nname = \"x\"\ntype = \"point\"\nbody = \"m\"\n\
                 [[connection]]\nfrom = \"c.governor.output\"\nto = \"b.push\"\n\
                 [[connection]]\nfrom = \"b.x.x\"\nto = \"c.governor.measurement\"\n";
    let (_folder, model) = read(outer, governor);
    let mut master = model.unwrap().build().unwrap();
    master.run(1.0, 1e-3, &mut cosimo_master::NoObserver).unwrap();
    let sine = 2.0_f64.sqrt().sin();
    assert!((master.energy().end - sine * sine).abs() < 1e-5, "{:?}", master.energy());
    // Without `[export]` the input has no source.
    let told = read(outer, &governor.replace("[export]\n", "")).1.unwrap_err().to_string();
    assert!(told.contains("governor.measurement"), "{told}");
}

/// A unit of which a process can hold one instance, in two models that are nested.
#[test]
fn units_that_a_process_holds_once_are_found_in_nested_models() {
    let Some(unit) = build("once", Version::Three, &[]) else { return };
    let wagon = format!(
        "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\n[[subsystem]]\nname = \"unit\"\nkind = \"fmu\"\nfile = '{}'\n",
        unit.fmu.display()
    );
    let train = train("");
    let (_folder, model) = read(train.split("[[interface]]").next().unwrap(), &wagon);
    let mut model = model.unwrap();
    assert!(model.has_single_units());
    let alone = |model: &ModelSpec| match model.build_subsystems() {
        Err(BuildError::NoServer { subsystem }) => subsystem,
        other => panic!("{}", other.is_ok()),
    };
    assert_eq!(alone(&model), "second");
    model.isolate_single_units();
    assert_eq!(alone(&model), "first");
}

#[test]
fn all_files_of_a_model_are_known() {
    let wagon = format!("include = \"more.toml\"\n{WAGON}");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("wagon.toml"), wagon).unwrap();
    fs::write(at("more.toml"), "[parameters]\nv = { csv = \"v.csv\", column = \"v\" }\n").unwrap();
    fs::write(at("v.csv"), "v\n1\n").unwrap();
    let found = model_files(&at("train.toml").display().to_string(), &train(""), &[]);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["more.toml", "v.csv", "wagon.toml"].map(at));
}
