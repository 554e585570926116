//! The first steps of every example, wherever its subsystems run.

use std::sync::Mutex;

use cosimo::model::{read_model, read_text};

use super::super::examples::IMPACTS;
use super::*;

/// Steps of every example.
const STEPS: f64 = 300.0;

/// The end of the first steps of a model.
fn end_of_first_steps(model: &Path) -> String {
    let text = read_text(model).unwrap();
    let time = read_model(model.to_str().unwrap(), &text, &[]).unwrap().0.time;
    format!("time.end={:?}", time.end.min(time.start + STEPS * time.step))
}

/// Runs a model up to an end here, in threads, in processes and over TCP; what differs.
fn differences(model: &Path, end: &str) -> Vec<String> {
    let scratch = Scratch::new("");
    let whole = expected(&scratch, model, &[end]);
    let mut found = Vec::new();
    let mut compare = |place: &str, output: std::process::Output| {
        let is_same = output.status.success() && outcome(&scratch.path(place)) == whole;
        if !is_same {
            found.push(format!("{} {place}: {}", model.display(), stderr(&output)));
        }
    };
    for execution in ["threads", "processes"] {
        let set = format!("master.execution={execution}");
        let arguments =
            ["run", model.to_str().unwrap(), "--quiet", "--set", end, "--set", &set, "--out", execution];
        compare(execution, scratch.cosimo(&arguments));
    }
    let stations = Stations::of(&scratch, model, &[end]);
    compare("tcp", stations.run(&["--quiet", "--out", "tcp"]));
    found
}

#[test]
fn the_first_steps_of_every_example_have_the_same_bits_everywhere() {
    let left = Mutex::new(IMPACTS.iter().map(|(model, ..)| example(model)).collect::<Vec<_>>());
    let found = Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while let Some(model) = { left.lock().unwrap().pop() } {
                    let own = differences(&model, &end_of_first_steps(&model));
                    found.lock().unwrap().extend(own);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn whole_runs_have_the_same_bits_everywhere() {
    for model in ["oscillator/model.toml", "rigid-pair/model.toml"] {
        let found = differences(&example(model), "time.start=0.0");
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
