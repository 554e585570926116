//! The facade in Rust gives what the command gives, to the bit.

use std::fs;

use cosimo::Model;

use super::{MODEL, Scratch, assert_code, read};

/// The rows of a table of results, as numbers.
fn rows(text: &str) -> (Vec<String>, Vec<Vec<u64>>) {
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').skip(1).map(str::to_owned).collect();
    let bits = |field: &str| field.parse::<f64>().unwrap().to_bits();
    (names, lines.map(|line| line.split(',').map(bits).collect()).collect())
}

#[track_caller]
fn assert_same(results: &str, events: &str, trajectory: &cosimo::Trajectory) {
    let (names, rows) = rows(results);
    assert_eq!(names, trajectory.names().collect::<Vec<_>>());
    assert_eq!(rows.len(), trajectory.times().len());
    for (point, row) in rows.iter().enumerate() {
        let values = trajectory.all().iter().map(|series| series.values()[point].to_bits());
        let own: Vec<u64> = std::iter::once(trajectory.times()[point].to_bits()).chain(values).collect();
        assert_eq!(&own, row, "point {point}");
    }
    let times = events.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<f64>().unwrap());
    assert_eq!(
        times.collect::<Vec<_>>(),
        trajectory.events().iter().map(|event| event.time).collect::<Vec<_>>()
    );
    assert!(rows.len() > 100 && events.lines().count() > 2);
}

#[test]
fn a_model_of_a_file_gives_the_results_of_the_command_to_the_bit() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet"]), 0);
    let mut model = Model::open(scratch.path("masses.toml")).unwrap();
    assert_same(&scratch.result("results.csv"), &scratch.result("events.csv"), &model.run().unwrap());

    let set = ["--set", "interface.spring.stiffness=2e3", "--set", "record.every=3", "--set", "time.end=0.6"];
    let arguments = [&["run", "masses.toml", "--quiet", "--out", "set"][..], &set].concat();
    assert_code(&scratch.cosimo(&arguments), 0);
    model.set("interface.spring.stiffness", 2e3).unwrap().set("record.every", 3).unwrap();
    let trajectory = model.simulate(0.6, 1e-3).unwrap();
    assert_same(&read(&scratch.path("set/results.csv")), &read(&scratch.path("set/events.csv")), &trajectory);

    // The files that the trajectory writes are those of the command.
    trajectory.write(scratch.path("written"), cosimo::results::Overwrite::Refuse).unwrap();
    for name in ["results.csv", "events.csv", "plot.svg", "model.toml", "scene.json"] {
        let [one, other] = ["set", "written"].map(|own| read(&scratch.path(own).join(name)));
        assert!(one == other, "{name}");
    }
    let [one, other] = ["set", "written"].map(|own| fs::read(scratch.path(own).join("frames.bin")).unwrap());
    assert!(!one.is_empty() && one == other, "frames.bin");
}

#[test]
fn mistakes_read_as_those_of_the_command() {
    let scratch = Scratch::new(&MODEL.replace("mass = 1.0", "mas = 1.0"));
    let path = scratch.path("masses.toml");
    let output = scratch.cosimo(&["check", path.to_str().unwrap()]);
    assert_code(&output, 2);
    let findings = Model::open(path).unwrap().check();
    assert!(
        super::stderr(&output).starts_with(&findings.to_string()),
        "{findings}\n{}",
        super::stderr(&output)
    );
}
