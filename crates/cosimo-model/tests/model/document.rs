//! The description of the format is true: its examples are one model without mistakes.

use super::{BASE, mistakes, model, warnings};

const DESCRIPTION: &str = include_str!("../../../../docs/reference/model-file.md");

/// All TOML examples of the description, one after the other.
fn examples() -> String {
    let blocks = DESCRIPTION.split("```toml\n").skip(1);
    blocks.filter_map(|block| block.split_once("```")).map(|(example, _)| format!("{example}\n")).collect()
}

#[test]
fn the_examples_of_the_description_are_a_model() {
    let found = model(&examples());
    assert_eq!((found.subsystems.len(), found.interfaces.len()), (9, 3));
    assert_eq!(warnings(&examples()), "");
}

#[test]
fn the_examples_of_the_description_run() {
    let model = model(&examples());
    let mut master = model.build().unwrap();
    master.run(0.01, model.time.step, &mut cosimo_master::NoObserver).unwrap();
    super::building::assert_labels_are_the_quantities(&model);
}

/// The example of the description without a `toml` mark that starts with this text.
fn block(start: &str) -> &'static str {
    let (_, rest) = DESCRIPTION.split_once(&format!("```text\n{start}")).unwrap();
    let end = rest.find("```").unwrap();
    let from = DESCRIPTION.len() - rest.len() - start.len();
    &DESCRIPTION[from..from + start.len() + end]
}

/// A hub that turns with four blades of four stations each, as frames of one body.
fn hub(stations: &[f64]) -> String {
    let mut text = "schema = 1\ntime = { end = 0.01, step = 1e-3 }\n[[subsystem]]\nname = \"rotor\"\nkind = \"multibody\"\n\
                    [[subsystem.body]]\nname = \"disk\"\nmass = 400.0\ninertia = [2000, 2000, 4000]\nangular_velocity = [0, 0, -28.0]\n\
                    [[subsystem.port]]\nname = \"hub\"\nbody = \"disk\"\n"
        .to_owned();
    for blade in 1..=4 {
        let azimuth = std::f64::consts::FRAC_PI_2 * f64::from(blade);
        for (k, radius) in stations.iter().enumerate() {
            let (x, y) = (radius * azimuth.cos(), radius * azimuth.sin());
            let turn = format!("[{}, 0, 0, {}]", (azimuth / 2.0).cos(), (azimuth / 2.0).sin());
            text += &format!(
                "[[subsystem.port]]\nname = \"blade_{blade}_{}\"\nbody = \"disk\"\npoint = [{x}, {y}, 0.0]\norientation = {turn}\n",
                k + 1
            );
        }
    }
    text
}

#[test]
fn the_rotor_in_the_air_of_the_description_steps() {
    let air = block("[[subsystem]]\nname = \"air\"\n");
    let stations = [0.43, 1.25, 4.4, 7.49];
    let joints: String = ["hub", "blade_1_*", "blade_2_*", "blade_3_*", "blade_4_*"]
        .iter()
        .enumerate()
        .map(|(k, port)| {
            format!("[[interface]]\nname = \"air_{k}\"\nbetween = [\"rotor.{port}\", \"air.{port}\"]\nlaw = \"load\"\n")
        })
        .collect();
    let text = format!("{}{air}{joints}", hub(&stations));
    assert_eq!(warnings(&text), "");
    let model = model(&text);
    model.build().unwrap().run(0.01, 1e-3, &mut cosimo_master::NoObserver).unwrap();
    super::building::assert_labels_are_the_quantities(&model);
}

/// An arm that is held level, and a bob that hangs from its end and starts off the plumb line.
const SWING: &str = r#"
schema = 1
time = { end = 0.1, step = 1e-3 }
[[subsystem]]
name = "swing"
kind = "multibody"
gravity = [0, 0, -9.81]
body = [
    { name = "arm", mass = 2.0, inertia = [0.01, 0.2, 0.2], centre_of_mass = [0.5, 0, 0] },
    { name = "bob", mass = 1.0, inertia = [0.01, 0.01, 0.01], position = [1.1, 0, -0.3] },
]
joint = [
    { name = "hinge", type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0], axis = [0, 1, 0] },
    { name = "hook", type = "revolute", bodies = ["arm", "bob"], at = [1, 0, 0], axis = [0, 1, 0] },
]
sensor = [{ name = "opening", type = "angle", bodies = ["ground", "arm"], at = [0, 0, 0], axis = [0, 1, 0] }]
"#;

/// Length of the bob's pendulum: the hook to the centre (m).
const PENDULUM: f64 = 0.316_227_766_016_837_94;

#[test]
fn the_equilibrium_of_the_description_is_found() {
    let text = format!("{SWING}{}", block("[subsystem.equilibrium]\n"));
    assert_eq!(warnings(&text), "");
    let master = model(&text).build().unwrap();
    let labels = master.labels();
    let at = |name: &str| labels.iter().position(|label| label.name == name).unwrap();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    assert!((values[at("bob.x")] - 1.0).abs() < 1e-9 && (values[at("bob.z")] + PENDULUM).abs() < 1e-9);
    assert!(values[at("opening.angle")].abs() < 1e-12);
}

#[test]
fn the_remote_subsystem_of_the_description_is_read() {
    let source = "schema = 1\ntime = { end = 0.1, step = 1e-3 }\n[[subsystem]]\nname = \"speed\"\nkind = \"source\"\n\
                  [[subsystem.output]]\nname = \"value\"\nunit = \"rad/s\"\nvalue = 1.0\n";
    let connection = "[[connection]]\nfrom = \"speed.value\"\nto = \"governor.measurement\"\n";
    let own = block("[[subsystem]]\nname = \"governor\"\nkind = \"remote\"");
    let (before, _) = own.split_once("[subsystem.remote]").unwrap();
    for remote in [&own[before.len()..], block("[subsystem.remote]\n")] {
        let text = format!("{source}{before}{remote}{connection}");
        assert_eq!(warnings(&text), "");
        assert!(model(&text).subsystems[1].remote.is_some());
    }
}

#[test]
fn the_defaults_of_the_description_are_the_defaults() {
    let text = examples();
    let (before, rest) = text.split_once("[master]").unwrap();
    let (_, after) = rest.split_once("[record]").unwrap();
    assert_eq!(model(&format!("{before}[record]{after}")).master, model(&text).master);
}

/// The entries of `[master]` of a complete model, `key = value`.
fn entries_of_master() -> Vec<(String, String)> {
    let text = model(BASE).to_toml();
    let (_, section) = text.split_once("[master]\n").unwrap();
    let entries = section.split("\n\n").next().unwrap().lines().filter_map(|line| line.split_once(" = "));
    entries.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// What is known in place of an unknown name or key `?` in this entry of `[master]`.
fn known_in(entry: &str) -> Vec<String> {
    let base = BASE.replace("scheme = \"condensed\"", "");
    let found = mistakes(&base.replace("[master]", &format!("[master]\n{entry}"))).to_string();
    let (_, known) = found.split_once("known: ").unwrap_or_else(|| panic!("{entry}: {found}"));
    known.lines().next().unwrap().split(", ").map(|name| name.replace('`', "")).collect()
}

#[test]
fn the_description_has_every_setting_of_the_master() {
    let entries = entries_of_master();
    assert!(entries.len() > 20, "{entries:?}");
    let (_, described) = DESCRIPTION.split_once("\n[master] ").unwrap();
    let described = described.split("\n[record]").next().unwrap();
    for (key, value) in &entries {
        let (_, line) = described.split_once(&format!("\n{key} ")).unwrap_or_else(|| panic!("{key}"));
        // As far as the next entry.
        let end = line.match_indices('\n').find(|(at, _)| !line[at + 1..].starts_with(' '));
        let line = &line[..end.map_or(line.len(), |(at, _)| at)];
        if value.starts_with('"') {
            for name in known_in(&format!("{key} = \"?\"")) {
                assert!(line.contains(&format!("\"{name}\"")), "{key}: {name}");
            }
        }
    }
}

#[test]
fn the_description_has_every_parameter_of_accelerations() {
    let (_, table) = DESCRIPTION.split_once("| acceleration | parameters |").unwrap();
    for name in known_in("acceleration = \"?\"") {
        let (_, row) = table.split_once(&format!("\n| `\"{name}\"` |")).unwrap_or_else(|| panic!("{name}"));
        let row = row.split('\n').next().unwrap();
        let keys = known_in(&format!("acceleration = {{ method = \"{name}\", \"?\" = 1 }}"));
        for key in keys.iter().filter(|key| *key != "method") {
            assert!(row.contains(&format!("`{key}`")), "{name}: {key}");
        }
    }
}
