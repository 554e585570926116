//! Checkpoints: written behind the results, refused when they are not whole, and taken up with the same bits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::Path;

use cosimo_master::{Master, MasterConfig, Observer, Outcome, RunPosition, StepRecord};
use cosimo_results::{
    CheckpointConfig, CheckpointError, ModelId, Overwrite, RecordConfig, Recorder, ResultDirectory,
    ResultsError,
};
use cosimo_subsystem::Subsystem;
use cosimo_subsystem::conformance::TwoMasses;

const STEPS: u64 = 50;

fn master() -> Master {
    let masses: Box<dyn Subsystem> = Box::new(TwoMasses::default());
    Master::new(vec![masses], Vec::new(), MasterConfig::default(), 0.0).unwrap()
}

fn start() -> RunPosition {
    RunPosition::start(0.0, STEPS as f64 * 1e-2, 1e-2)
}

fn model() -> ModelId {
    ModelId::of("two masses")
}

/// A checkpoint every ten steps, a row every third.
fn config() -> RecordConfig {
    let checkpoints = CheckpointConfig { model: model(), every_steps: 10, every_seconds: 0.0, keep: 2 };
    RecordConfig {
        every: NonZeroU64::new(3).unwrap(),
        checkpoints: Some(checkpoints),
        ..RecordConfig::default()
    }
}

/// Stops after a step.
struct StopAfter(u64);

impl Observer for StopAfter {
    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if record.step == self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A run that is stopped after a step, and its directory.
fn stopped(path: &Path, step: u64) -> ResultDirectory {
    let recorder =
        Recorder::create(ResultDirectory::create(path, Overwrite::Refuse).unwrap(), config()).unwrap();
    let mut watchers = (recorder, StopAfter(step));
    let report = master().run_from(start(), &mut watchers).unwrap();
    assert_eq!(report.outcome, if step < STEPS { Outcome::Stopped } else { Outcome::Completed });
    watchers.0.into_result().unwrap()
}

/// Goes on from the checkpoint of this step to the end.
fn go_on(directory: &ResultDirectory, step: u64) {
    let files = directory.checkpoints().unwrap();
    let checkpoint = files.iter().find(|file| file.step() == step).unwrap().read(model()).unwrap();
    let mut master = master();
    master.restore(&checkpoint.run.master).unwrap();
    let mut recorder = Recorder::resume(directory.clone(), config(), &checkpoint).unwrap();
    master.run_from(checkpoint.run.position, &mut recorder).unwrap();
    recorder.into_result().unwrap();
}

/// Results, events and figure.
fn contents(directory: &ResultDirectory) -> Vec<Vec<u8>> {
    [directory.results(), directory.events(), directory.plot()].map(|path| fs::read(path).unwrap()).into()
}

#[test]
fn a_run_that_goes_on_leaves_the_files_of_one_without_a_break() {
    let scratch = tempfile::tempdir().unwrap();
    let whole = stopped(&scratch.path().join("whole"), STEPS);
    assert!(whole.is_complete() && whole.checkpoints().unwrap().is_empty());
    // A step with a row, one without, one with a checkpoint of its own.
    for step in [24, 25, 30] {
        let directory = stopped(&scratch.path().join(step.to_string()), step);
        assert!(!directory.is_complete());
        let steps: Vec<_> = directory.checkpoints().unwrap().iter().map(|file| file.step()).collect();
        assert_eq!(steps, [step, 20]);
        go_on(&directory, step);
        assert!(directory.is_complete());
        assert!(contents(&directory) == contents(&whole), "after {step} steps");
    }
}

#[test]
fn results_ahead_of_the_checkpoint_are_cut_off_and_later_checkpoints_removed() {
    let scratch = tempfile::tempdir().unwrap();
    let whole = stopped(&scratch.path().join("whole"), STEPS);
    let directory = stopped(&scratch.path().join("out"), 38);
    let torn = [fs::read(directory.results()).unwrap(), b"3.9999999999999".to_vec()].concat();
    fs::write(directory.results(), torn).unwrap();
    let last = directory.checkpoints().unwrap()[0].path().to_owned();
    fs::write(last.with_extension("checkpoint.part"), "half of one").unwrap();
    go_on(&directory, 30);
    assert!(contents(&directory) == contents(&whole));
    assert!(!last.parent().unwrap().exists());
}

#[test]
fn results_behind_the_checkpoint_are_refused_and_left_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = stopped(&scratch.path().join("out"), 25);
    let checkpoint = directory.checkpoints().unwrap()[0].read(model()).unwrap();
    fs::write(directory.results(), "t,x\n").unwrap();
    let refused = Recorder::resume(directory.clone(), config(), &checkpoint).unwrap_err();
    assert!(matches!(refused, ResultsError::Shortened { found: 4, .. }), "{refused}");
    assert_eq!(fs::read_to_string(directory.results()).unwrap(), "t,x\n");
}

#[test]
fn altered_results_are_refused_and_left_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = stopped(&scratch.path().join("out"), 25);
    let checkpoint = directory.checkpoints().unwrap()[0].read(model()).unwrap();
    for path in [directory.results(), directory.events()] {
        let written = fs::read(&path).unwrap();
        let mut altered = written.clone();
        altered[written.len() / 2] ^= 1;
        fs::write(&path, &altered).unwrap();
        let refused = Recorder::resume(directory.clone(), config(), &checkpoint).unwrap_err();
        assert!(matches!(&refused, ResultsError::Altered { path: found } if *found == path), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), altered);
        fs::write(&path, written).unwrap();
    }
    Recorder::resume(directory.clone(), config(), &checkpoint).unwrap();
}

#[test]
fn one_run_at_a_time_writes_into_a_directory() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("out");
    let directory = ResultDirectory::create(&path, Overwrite::Refuse).unwrap();
    let lock = directory.lock().unwrap();
    fs::write(directory.results(), "t").unwrap();
    assert!(matches!(directory.lock(), Err(ResultsError::InUse { .. })));
    let refused = ResultDirectory::create(&path, Overwrite::Force).unwrap_err();
    assert!(matches!(refused, ResultsError::InUse { .. }), "{refused}");
    assert!(directory.results().exists());
    drop(lock);
    ResultDirectory::create(&path, Overwrite::Force).unwrap().lock().unwrap();
    assert!(!directory.results().exists());
    // The file that is locked is no content.
    ResultDirectory::create(&path, Overwrite::Refuse).unwrap();
}

#[test]
fn a_checkpoint_with_any_byte_changed_or_missing_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = stopped(&scratch.path().join("out"), 25);
    let file = directory.checkpoints().unwrap().remove(0);
    let bytes = fs::read(file.path()).unwrap();
    for at in (0..bytes.len()).step_by(13).chain(0..64) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(file.path(), changed).unwrap();
        assert!(file.read(model()).is_err(), "byte {at} changed");
        fs::write(file.path(), &bytes[..at]).unwrap();
        assert!(file.read(model()).is_err(), "cut at byte {at}");
    }
    fs::write(file.path(), [bytes.as_slice(), &[0]].concat()).unwrap();
    assert!(matches!(file.read(model()).unwrap_err().reason, CheckpointError::Damaged { .. }));
    fs::write(file.path(), &bytes).unwrap();
    file.read(model()).unwrap();
}

#[test]
fn a_refusal_says_why() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = stopped(&scratch.path().join("out"), 25);
    let file = directory.checkpoints().unwrap().remove(0);
    let foreign = file.read(ModelId::of("three masses")).unwrap_err();
    assert!(
        matches!(foreign.reason, CheckpointError::Foreign { found, .. } if found == model()),
        "{foreign}"
    );
    let mut bytes = fs::read(file.path()).unwrap();
    bytes[8] = 14;
    fs::write(file.path(), &bytes).unwrap();
    let newer = file.read(model()).unwrap_err().to_string();
    assert!(newer.ends_with("it has version 14 of the format, this program reads version 13"), "{newer}");
    fs::write(file.path(), "t,x\n0.0,1.0\n").unwrap();
    assert!(matches!(file.read(model()).unwrap_err().reason, CheckpointError::NotACheckpoint));
    fs::remove_file(file.path()).unwrap();
    assert!(matches!(file.read(model()).unwrap_err().reason, CheckpointError::Unreadable(_)));
}

#[test]
fn as_many_checkpoints_are_kept_as_wanted() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = stopped(&scratch.path().join("out"), 45);
    let steps: Vec<_> = directory.checkpoints().unwrap().iter().map(|file| file.step()).collect();
    assert_eq!(steps, [45, 40]);
}

#[test]
fn a_directory_without_a_model_has_no_run() {
    let scratch = tempfile::tempdir().unwrap();
    let error = ResultDirectory::open(scratch.path()).unwrap_err();
    assert!(matches!(error, ResultsError::NoRun { .. }), "{error}");
    let directory = ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap();
    directory.store_model("step = 1e-3").unwrap();
    assert_eq!(fs::read_to_string(directory.model()).unwrap(), "step = 1e-3");
    assert_eq!(ResultDirectory::open(scratch.path()).unwrap(), directory);
}
