//! Models of files.

use std::collections::BTreeMap;

use cosimo::prelude::*;

use super::{MASSES, bits};

#[test]
fn entries_are_set_and_the_last_value_counts() {
    let mut model = Model::parse(MASSES).unwrap();
    let soft = model.run().unwrap();
    model.set("interface.spring.stiffness", 5e3).unwrap();
    model.set("interface.spring.stiffness", 4e3).unwrap();
    let stiff = model.run().unwrap();
    let mut written = Model::parse(MASSES.replace("stiffness = 1e3", "stiffness = 4e3")).unwrap();
    assert_eq!(bits(&stiff), bits(&written.run().unwrap()));
    assert_ne!(bits(&stiff), bits(&soft));
    model.unset("interface.spring.damping").unwrap_err();
    model.set("interface.spring.damping", 10.0).unwrap().unset("interface.spring.damping").unwrap();
    assert_eq!(bits(&model.run().unwrap()), bits(&stiff));
}

#[test]
fn values_of_all_kinds_are_set() {
    let mut model = Model::parse(MASSES).unwrap();
    model.set("master.scheme", "gauss-seidel").unwrap();
    model.set("master.impacts", "plain").unwrap();
    model.set("subsystem.lower.gravity", [0.0, 0.0, -5.0]).unwrap();
    model.set("record.every", 10).unwrap();
    let spec = model.spec().unwrap().unwrap();
    assert_eq!(spec.master.scheme, Scheme::GaussSeidel);
    assert_eq!(spec.record.every, 10);
    assert_eq!(model.run().unwrap().times().len(), 51);
}

#[test]
fn a_path_or_value_that_is_wrong_is_refused_at_once_and_not_kept() {
    let mut model = Model::parse(MASSES).unwrap();
    let text = model.set("interface.sprng.stiffness", 2e3).unwrap_err().to_string();
    assert!(text.contains("in --set interface.sprng.stiffness=2000.0: no interface `sprng`"), "{text}");
    assert!(text.contains("did you mean `spring`?"), "{text}");
    let text = model.set("subsystem.lower.mass", -1.0).unwrap_err().to_string();
    assert!(text.contains("mass is -1.0, must be positive"), "{text}");
    let text = model.set("subsystem..mass", 1.0).unwrap_err().to_string();
    assert!(text.contains("empty name in the path"), "{text}");
    assert!(model.check().is_ok());
}

#[test]
fn a_check_tells_every_mistake_with_its_place_and_warnings() {
    let text = MASSES.replace("mass = 1.0", "mas = 1.0").replace("0.8", "1.3");
    let findings = Model::parse(text).unwrap().check();
    let mistakes: Vec<_> = findings.mistakes().collect();
    assert_eq!(mistakes.len(), 3, "{findings}");
    assert_eq!(mistakes[0].position(), Some((5, 1)));
    assert_eq!(
        (mistakes[1].position(), mistakes[1].help.as_deref()),
        (Some((8, 1)), Some("did you mean `mass`?"))
    );
    assert_eq!(mistakes[2].message, "restitution is 1.3, must be in [0, 1]");
    assert!(
        findings
            .to_string()
            .contains("model:17:15: restitution is 1.3, must be in [0, 1]\n  restitution = 1.3")
    );
    assert!(matches!(findings.into_result(), Err(ModelError::Mistakes { .. })));

    // What only building finds: the masses overlap the floor.
    let findings = Model::parse(MASSES.replace("0, 0.5]", "0, -0.5]")).unwrap().check();
    let mistake = findings.mistakes().next().unwrap();
    assert!(mistake.position().is_none() && mistake.message.contains("lower.floor"), "{mistake}");

    let findings = Model::parse(MASSES).unwrap().check();
    assert!(findings.is_ok() && findings.iter().count() == 0, "{findings}");
}

#[test]
fn times_are_those_of_the_file_or_of_the_program() {
    let mut model = Model::parse(MASSES).unwrap();
    let own = model.run().unwrap();
    assert_eq!((own.times().len(), own.times().last()), (501, Some(&0.5)));
    assert_eq!(bits(&own), bits(&model.simulate(0.5, 1e-3).unwrap()));
    let short = model.simulate(0.1, 1e-2).unwrap();
    assert_eq!((short.times().len(), short.times().last()), (11, Some(&0.1)));

    let mut timeless = Model::parse(MASSES.replace("time = {", "# ")).unwrap();
    assert!(timeless.run().unwrap_err().to_string().contains("time"));
    assert_eq!(bits(&own), bits(&timeless.simulate(0.5, 1e-3).unwrap()));
    assert!(timeless.simulate(0.5, -1e-3).unwrap_err().to_string().contains("in --set time.step=-0.001"));
}

#[test]
fn a_model_is_a_value() {
    let table: toml::Table = MASSES.parse().unwrap();
    let expected = bits(&Model::parse(MASSES).unwrap().run().unwrap());
    assert_eq!(bits(&Model::from_value(&table).unwrap().run().unwrap()), expected);
    let map: BTreeMap<String, toml::Value> = table.into_iter().collect();
    let mut model = Model::from_value(&map).unwrap();
    assert_eq!(bits(&model.run().unwrap()), expected);
    assert!(matches!(Model::from_value(&3.0), Err(ModelError::Value { .. })));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let text = Model::open("nowhere/model.toml").unwrap_err().to_string();
    assert!(text.starts_with("cannot read `nowhere/model.toml`: "), "{text}");
    let text = Model::new().set("time.end", 1.0).unwrap_err().to_string();
    assert!(text.contains("no file in which `time.end` could be set"), "{text}");
    assert!(matches!(Model::new().run(), Err(ModelError::NoTimes)));
    let mut model = Model::parse(MASSES).unwrap();
    assert!(matches!(model.configure(MasterConfig::default()), Err(ModelError::HasFile { table: "master" })));
}

#[test]
fn what_is_recorded_is_chosen_by_the_file_or_the_program() {
    let record = "record = { every = 5, quantities = [\"*.z\"] }\n";
    let mut model = Model::parse(
        MASSES
            .replace("[[subsystem]]\nname = \"lower\"", &format!("{record}[[subsystem]]\nname = \"lower\"")),
    )
    .unwrap();
    let trajectory = model.run().unwrap();
    assert_eq!(trajectory.names().collect::<Vec<_>>(), ["lower.z", "upper.z"]);
    assert_eq!(trajectory.times().len(), 101);
    model.record(["spring.*", "lower.z"]).record_every(std::num::NonZeroU64::new(200).unwrap());
    let trajectory = model.run().unwrap();
    assert_eq!(trajectory.names().next(), Some("lower.z"));
    assert_eq!(trajectory.times(), [0.0, 0.2, 0.4, 0.5]);
    model.record(["sprng.*"]);
    assert!(model.run().unwrap_err().to_string().contains("no quantity matches `sprng.*`"));
}

#[test]
fn names_are_suggested() {
    let trajectory = Model::parse(MASSES).unwrap().run().unwrap();
    let text = |name: &str| trajectory.series(name).unwrap_err().to_string();
    assert_eq!(text("uper.z"), "no quantity `uper.z`; did you mean `upper.z`?");
    assert_eq!(text("upper.angle"), "no quantity `upper.angle`; known: `upper.z`, `upper.v_z`");
    assert!(
        text("x").starts_with("no quantity `x`; there are quantities of `lower`, `upper`, `spring`"),
        "{}",
        text("x")
    );
}

/// Rows of a sweep are runs with what was set and the values of each case; what a program has added takes no part.
#[test]
fn a_sweep_is_of_the_file_with_what_was_set() {
    let mut model = Model::parse(MASSES).unwrap();
    model.set("time.end", 0.2).unwrap();
    let cases = || {
        let values = ["500.0", "4e3"].map(str::to_owned).to_vec();
        cosimo::sweep::Cases::new(vec![cosimo::sweep::Axis::list("interface.spring.stiffness", values)])
            .unwrap()
    };
    let threads = std::num::NonZeroUsize::MIN;
    let table = model.sweep(cases(), &["upper.z".parse().unwrap()], threads, &|| false).unwrap();
    let output = table.columns().iter().find(|own| own.name == "upper.z:last").unwrap();
    for (row, stiffness) in [500.0, 4e3].into_iter().enumerate() {
        let alone = model.set("interface.spring.stiffness", stiffness).unwrap().run().unwrap();
        let cosimo::sweep::ColumnValues::Numbers(numbers) = &output.values else { panic!() };
        assert_eq!(numbers[row].to_bits(), alone.last("upper.z").unwrap().to_bits());
    }
    model.add(PointMassBuilder::new("stone", 1.0).build().unwrap()).unwrap();
    let error = model.sweep(cases(), &[], threads, &|| false).unwrap_err().to_string();
    assert!(error.starts_with("`stone` was added to the model by the program"), "{error}");
}
