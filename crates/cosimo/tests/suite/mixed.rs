//! A model of a file to which parts are added.

use cosimo::prelude::*;

use super::{MASSES, bits};

/// A third mass that hangs on the upper one by a spring.
const HANGER: &str = r#"
[[subsystem]]
name = "hanger"
kind = "linear"
coordinates = ["z"]
mass = [0.5]
gravity = -10.0
position = 1.0
[[subsystem.port]]
name = "hook"
coordinates = ["z"]
"#;
const ROPE: &str = "[[interface]]\nname = \"rope\"\nbetween = [\"upper.foot\", \"hanger.hook\"]\nlaw = \"compliant\"\nstiffness = 2e2\n";

fn hanger() -> Mechanism {
    let system = LinearSystem::new(DMatrix::from_element(1, 1, 0.5)).unwrap().with_force(vec![-5.0]).unwrap();
    MechanismBuilder::new("hanger", system)
        .with_ports(&[("hook", 1)], LinearRows(vec![LinearRow::coordinate(0)]))
        .with_initial_state(vec![1.0], vec![0.0])
        .with_coordinate_quantities(&["z".to_owned()])
        .build()
        .unwrap()
}

#[test]
fn a_part_beside_a_file_moves_as_if_it_were_in_the_file() {
    let mut file = Model::parse(
        format!("{MASSES}{HANGER}{ROPE}")
            .replace("[[interface]]\nname = \"rope", "[[interface]]\nname = \"rope"),
    )
    .unwrap();
    let expected = file.run().unwrap();
    let mut model = Model::parse(MASSES).unwrap();
    let upper = model.part("upper");
    let hanger = model.add(hanger()).unwrap();
    let rope = model.spring("rope", upper.port("foot"), hanger.port("hook"), 2e2).unwrap();
    for _ in 0..2 {
        let trajectory = model.run().unwrap();
        for name in [upper.quantity("z"), hanger.quantity("z"), rope.quantity("force"), "lower.vz".to_owned()]
        {
            assert_eq!(
                trajectory.series(&name).unwrap().values(),
                expected.series(&name).unwrap().values(),
                "{name}"
            );
        }
        assert_eq!(bits(&trajectory).len(), bits(&expected).len());
    }
    // Entries of the file can still be set.
    model.set("subsystem.upper.mass", [2.0]).unwrap();
    assert_ne!(model.run().unwrap().last("hanger.z").unwrap(), expected.last("hanger.z").unwrap());
}

#[test]
fn a_part_in_the_place_of_one_of_the_file_stays_joined() {
    let text = format!("{MASSES}{HANGER}{ROPE}");
    let expected = Model::parse(text.clone()).unwrap().run().unwrap();
    let mut model = Model::parse(text.replace(
        "position = 1.0\n[[subsystem.port]]\nname = \"hook\"",
        "position = 0.5\n[[subsystem.port]]\nname = \"hook\"",
    ))
    .unwrap();
    assert_ne!(model.run().unwrap().last("hanger.z").unwrap(), expected.last("hanger.z").unwrap());
    for _ in 0..2 {
        model.replace(hanger()).unwrap();
        let trajectory = model.run().unwrap();
        let replaced = |name: &str| trajectory.series(name).unwrap().values().clone();
        for name in ["hanger.z", "upper.z", "rope.force"] {
            assert_eq!(&replaced(name), expected.series(name).unwrap().values(), "{name}");
        }
    }
    let error = Model::parse(MASSES).unwrap().replace(hanger()).unwrap_err().to_string();
    assert!(error.starts_with("no part `hanger`"), "{error}");
    assert_eq!(model.port_size("hanger.hook").unwrap(), 1);
}

#[test]
fn names_of_the_file_are_taken_and_known() {
    let mut model = Model::parse(MASSES).unwrap();
    let hanger_part = model.add(hanger()).unwrap();
    assert!(matches!(
        model.spring("spring", "upper.foot", "hanger.hook", 1.0),
        Err(ModelError::NameTaken { .. })
    ));
    let text = model.rigid("rod", hanger_part.port("hook"), "uper.foot").unwrap_err().to_string();
    assert_eq!(text, "no part `uper`; did you mean `upper`?");
    let text = model.rigid("rod", hanger_part.port("hook"), "upper.fot").unwrap_err().to_string();
    assert_eq!(text, "no port `upper.fot`; did you mean `foot`?");
}
