//! Runs step by step, observers, files of trajectories.

use std::fs;
use std::ops::ControlFlow;

use cosimo::prelude::*;

use super::{MASSES, bits};

#[test]
fn steps_of_the_program_are_those_of_a_run() {
    let mut model = Model::parse(MASSES).unwrap();
    let whole = model.run().unwrap();
    let mut run = model.start().unwrap();
    assert_eq!((run.time(), run.value("upper.z").unwrap()), (0.0, 1.0));
    for step in 1..=500 {
        run.step(1e-3).unwrap();
        assert_eq!(run.value("upper.z").unwrap(), whole.series("upper.z").unwrap().values()[step]);
    }
    let text = run.value("upper.zz").unwrap_err().to_string();
    assert_eq!(text, "no quantity `upper.zz`; did you mean `upper.z`?");
    let own = run.finish();
    assert_eq!(bits(&own), bits(&whole));
    assert_eq!(own.events(), whole.events());
    assert!(own.events().iter().any(Event::is_impact));
    assert_eq!(own.report().impacts, whole.report().impacts);
    assert_eq!(own.energy(), whole.energy());
}

#[test]
fn a_run_advances_to_a_time() {
    let mut model = Model::parse(MASSES).unwrap();
    let whole = model.run().unwrap();
    let mut run = model.start().unwrap();
    run.advance(0.2, 1e-3).unwrap();
    run.advance(0.5, 1e-3).unwrap();
    assert_eq!(run.time(), 0.5);
    let own = run.finish();
    assert_eq!((own.times().len(), own.events().len()), (501, whole.events().len()));
    let [one, other] = [&own, &whole].map(|trajectory| trajectory.last("upper.z").unwrap());
    assert!((one - other).abs() < 1e-9, "{one} {other}");
}

#[test]
fn a_step_that_fails_is_told_and_what_was_before_is_kept() {
    let mut run = Model::parse(MASSES).unwrap().start().unwrap();
    run.step(1e-3).unwrap();
    let text = run.step(-1.0).unwrap_err().to_string();
    assert!(text.contains("-1"), "{text}");
    let trajectory = run.finish();
    assert_eq!(trajectory.times(), [0.0, 1e-3]);
    assert!(matches!(trajectory.outcome(), Outcome::Failed(_)));
}

/// Stops after so many steps.
struct Limit(u64);

impl Observer for Limit {
    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if record.step >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_observer_sees_every_step_and_stops_the_run() {
    let mut model = Model::parse(MASSES).unwrap();
    model.record_every(std::num::NonZeroU64::new(7).unwrap());
    let trajectory = model.run_with(&mut Limit(10)).unwrap();
    assert_eq!(trajectory.outcome(), &Outcome::Stopped);
    assert_eq!(trajectory.times(), [0.0, 0.007, 0.01]);
}

/// What the observer writes while the model runs, and what the trajectory writes afterwards.
#[test]
fn a_trajectory_writes_the_files_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = Model::parse(MASSES).unwrap();
    let directory = ResultDirectory::create(folder.path().join("observed"), Overwrite::Refuse).unwrap();
    let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
    let trajectory = model.run_with(&mut recorder).unwrap();
    recorder.into_result().unwrap();
    let written = trajectory.write(folder.path().join("written"), Overwrite::Refuse).unwrap();
    for name in ["results.csv", "events.csv"] {
        let [one, other] = ["observed", "written"]
            .map(|own| fs::read_to_string(folder.path().join(own).join(name)).unwrap());
        assert!(one.lines().count() > 1 && one == other, "{name}");
    }
    let summary = fs::read_to_string(written.summary()).unwrap();
    assert!(summary.contains("\"completed\"") && summary.contains("Two masses"), "{summary}");
    assert!(fs::read_to_string(written.plot()).unwrap().contains("lower.z"));
    let again = Model::open(written.model()).unwrap().run().unwrap();
    assert_eq!(bits(&again), bits(&trajectory));
    assert!(trajectory.write(folder.path().join("written"), Overwrite::Refuse).is_err());
}
