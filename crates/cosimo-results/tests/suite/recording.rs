//! Files of a run: what is in them, and what is left when a run does not end well.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

use cosimo_master::{
    CallSeconds, ContactEvent, ContactEventKind, CouplingMode, FrictionState, InterfaceReport, MasterSeconds,
    Observer, Outcome, QuantityLabel, RecordingSeconds, RunReport, StepRecord, SubsystemReport,
};
use cosimo_mechanics::EnergyBalance;
use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, ResultsError, Selection};
use cosimo_subsystem::Statistics;
use serde_json::Value;

fn label(owner: &str, name: &str, unit: &str) -> QuantityLabel {
    QuantityLabel { owner: owner.into(), name: name.into(), unit: unit.into() }
}

fn labels() -> Vec<QuantityLabel> {
    vec![
        label("lower", "z", "m"),
        label("lower", "vz", "m/s"),
        label("upper", "z", "m"),
        label("spring", "force", "N"),
    ]
}

fn report(outcome: Outcome) -> RunReport {
    let statistics = Statistics {
        steps: 4,
        evaluations: 9,
        newton_iterations: 2,
        rollbacks: 1,
        factorizations: 1,
        refreshes: 0,
    };
    RunReport {
        outcome,
        end_time: 0.5,
        steps: 4,
        interface_solves: 4,
        master_iterations: 6,
        most_iterations: 2,
        contraction: None,
        failed_steps: 1,
        solved_at_once: 0,
        unsolved_steps: 0,
        largest_contact_residual: 0.0,
        step_sizes: Default::default(),
        impacts: 1,
        contact_steps: 2,
        impact_gains: Vec::new(),
        energy: EnergyBalance {
            start: 10.0,
            end: f64::NAN,
            contact: -1.5,
            monitor_sum: 1e-12,
            ..Default::default()
        },
        warnings: Vec::new(),
        subsystems: vec![SubsystemReport {
            name: "lower".into(),
            coupling: CouplingMode::Exact,
            seconds: CallSeconds { begin: 0.0625, evaluate: 0.125, commit: 0.0625, other: 0.0 },
            statistics,
            energy_numerical: 1e-13,
        }],
        interfaces: vec![InterfaceReport {
            name: "spring".into(),
            iterations: 6,
            most_iterations: 2,
            largest_residual: f64::INFINITY,
            energy_monitor: 1e-12,
            energy_most: 2e-13,
            energy_dissipated: 0.0,
            energy_exceeded: 3,
            load_contraction: None,
        }],
        master: MasterSeconds { coupling: 0.125, ..MasterSeconds::default() },
        recording: RecordingSeconds { results: 0.5, checkpoints: 0.25 },
        wall_seconds: 2.0,
    }
}

fn recorder(path: &Path, config: RecordConfig) -> Recorder {
    Recorder::create(ResultDirectory::create(path, Overwrite::Refuse).unwrap(), config).unwrap()
}

/// Values that are not round in any base, some of them extreme.
fn values(step: u64) -> [f64; 4] {
    let x = (step as f64 + 0.1).sqrt();
    [x, -x / 3.0, x * 1e-300, f64::from_bits(x.to_bits() + 1) * 1e17]
}

fn run(recorder: &mut Recorder, steps: u64, outcome: Outcome) {
    recorder.start(&labels(), (0.0, 0.5));
    for step in 0..=steps {
        let record =
            StepRecord { step, time: step as f64 / 8.0, values: &values(step), is_last: step == steps };
        if step == 2 {
            recorder.event(&ContactEvent {
                time: 0.2,
                kind: ContactEventKind::Impact,
                subsystem: "lower",
                contact: "floor",
                velocity_before: -2.0 / 3.0,
                velocity_after: 0.5,
                impulse: 1.1,
                tangential_impulse: [-0.25, 0.0],
                friction: FrictionState::Slip,
                work: -0.5,
            });
        }
        if recorder.wants(step) || record.is_last {
            assert!(recorder.step(&record).is_continue());
        }
    }
    recorder.finish(&report(outcome));
}

fn rows(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let parse = |row: csv::StringRecord| row.iter().map(|field| field.parse().unwrap()).collect();
    (header, reader.records().map(|row| parse(row.unwrap())).collect())
}

fn summary(directory: &ResultDirectory) -> Value {
    serde_json::from_str(&fs::read_to_string(directory.summary()).unwrap()).unwrap()
}

#[test]
fn results_have_one_header_and_every_bit() {
    let scratch = tempfile::tempdir().unwrap();
    let mut recorder = recorder(&scratch.path().join("deep/out"), RecordConfig::default());
    run(&mut recorder, 4, Outcome::Completed);
    let directory = recorder.into_result().unwrap();
    let (header, rows) = rows(&directory.results());
    assert_eq!(header, ["t", "lower.z", "lower.vz", "upper.z", "spring.force"]);
    assert_eq!(rows.len(), 5);
    for (step, row) in rows.iter().enumerate() {
        let expected = values(step as u64);
        assert_eq!(row[0], step as f64 / 8.0);
        assert!(row[1..].iter().zip(&expected).all(|(found, value)| found.to_bits() == value.to_bits()));
    }
    let text = fs::read_to_string(directory.results()).unwrap();
    let field = text.lines().nth(1).unwrap().split(',').nth(1).unwrap();
    assert_eq!(field, "0.31622776601683794");
}

#[test]
fn only_selected_quantities_and_steps_are_recorded() {
    let scratch = tempfile::tempdir().unwrap();
    let config = RecordConfig {
        every: NonZeroU64::new(3).unwrap(),
        quantities: Selection::new(["spring.force", "lower.*"]),
        ..Default::default()
    };
    let mut recorder = recorder(scratch.path(), config);
    run(&mut recorder, 4, Outcome::Completed);
    let (header, rows) = rows(&recorder.into_result().unwrap().results());
    assert_eq!(header, ["t", "lower.z", "lower.vz", "spring.force"]);
    assert_eq!(rows.iter().map(|row| row[0] * 8.0).collect::<Vec<_>>(), [0.0, 3.0, 4.0]);
}

#[test]
fn what_another_observer_wants_is_not_recorded_and_nothing_is_recorded_twice() {
    let scratch = tempfile::tempdir().unwrap();
    let config = RecordConfig { every: NonZeroU64::new(10).unwrap(), ..Default::default() };
    let mut recorder = recorder(scratch.path(), config);
    recorder.start(&labels(), (0.0, 1.0));
    for (step, is_last) in [(0, false), (1, false), (2, false), (2, true), (2, true)] {
        let record = StepRecord { step, time: step as f64, values: &values(step), is_last };
        assert!(recorder.step(&record).is_continue());
    }
    let (_, rows) = rows(&recorder.into_result().unwrap().results());
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), [0.0, 2.0]);
}

#[test]
fn events_name_kind_contact_velocities_and_impulse() {
    let scratch = tempfile::tempdir().unwrap();
    let mut recorder = recorder(scratch.path(), RecordConfig::default());
    run(&mut recorder, 4, Outcome::Completed);
    let events = fs::read_to_string(recorder.into_result().unwrap().events()).unwrap();
    let expected = "t,kind,contact,velocity_before,velocity_after,impulse,friction_0,friction_1,\
        friction_state,work\n\
        0.2,impact,lower.floor,-0.6666666666666666,0.5,1.1,-0.25,0.0,slip,-0.5\n";
    assert_eq!(events, expected);
}

#[test]
fn a_directory_with_content_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("notes.txt"), "mine").unwrap();
    let error = ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap_err();
    assert!(matches!(error, ResultsError::NotEmpty { .. }), "{error}");
    let error = ResultDirectory::create(scratch.path().join("notes.txt"), Overwrite::Force).unwrap_err();
    assert!(matches!(error, ResultsError::NotADirectory { .. }), "{error}");
    let error = ResultDirectory::create(scratch.path().join("notes.txt/out"), Overwrite::Force).unwrap_err();
    assert!(matches!(error, ResultsError::Create { .. }), "{error}");
}

#[test]
fn overwriting_replaces_the_results_and_nothing_else() {
    let scratch = tempfile::tempdir().unwrap();
    ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap();
    for name in ["results.csv", "plot.svg", "notes.txt"] {
        fs::write(scratch.path().join(name), "old").unwrap();
    }
    let directory = ResultDirectory::create(scratch.path(), Overwrite::Force).unwrap();
    assert!(!directory.plot().exists());
    let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
    run(&mut recorder, 4, Outcome::Completed);
    let directory = recorder.into_result().unwrap();
    assert_eq!(rows(&directory.results()).1.len(), 5);
    assert_eq!(fs::read_to_string(scratch.path().join("notes.txt")).unwrap(), "old");
}

#[test]
fn files_that_no_run_has_written_are_not_replaced() {
    for name in ["model.toml", "results.csv", "events.csv", "summary.json", "plot.svg", "checkpoints"] {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join(name), "mine").unwrap();
        let error = ResultDirectory::create(scratch.path(), Overwrite::Force).unwrap_err();
        assert!(matches!(error, ResultsError::Foreign { .. }), "{error}");
        assert_eq!(fs::read_to_string(scratch.path().join(name)).unwrap(), "mine");
    }
}

#[test]
fn inputs_are_not_replaced_even_where_a_run_has_written_them() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap();
    directory.store_model("mine").unwrap();
    let input = scratch.path().join("checkpoints/../model.toml");
    fs::create_dir(scratch.path().join("checkpoints")).unwrap();
    for input in [directory.model(), input] {
        let error =
            ResultDirectory::create_from(&[input], &[], scratch.path(), Overwrite::Force).unwrap_err();
        assert!(matches!(error, ResultsError::Input { .. }), "{error}");
        assert_eq!(fs::read_to_string(directory.model()).unwrap(), "mine");
    }
}

#[test]
fn what_results_were_converted_into_goes_with_them() {
    let scratch = tempfile::tempdir().unwrap();
    let path = |name: &str| scratch.path().join(name);
    ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap();
    fs::write(path("results.parquet"), "mine").unwrap();
    let names = ["results.parquet", "scene/"];
    let claim = |overwrite| ResultDirectory::claim(scratch.path(), &names, overwrite);
    assert!(matches!(claim(Overwrite::Refuse), Err(ResultsError::Exists { .. })));
    assert!(matches!(claim(Overwrite::Force), Err(ResultsError::Foreign { .. })));
    // A run that will write one of the names is refused as well, before anything is removed.
    let refused = ResultDirectory::create_from(&[], &names, scratch.path(), Overwrite::Force);
    assert!(matches!(refused, Err(ResultsError::Foreign { .. })));
    assert_eq!(fs::read_to_string(path("results.parquet")).unwrap(), "mine");
    fs::remove_file(path("results.parquet")).unwrap();
    claim(Overwrite::Refuse).unwrap();
    claim(Overwrite::Refuse).unwrap();
    fs::write(path("results.parquet"), "ours").unwrap();
    fs::create_dir(path("scene")).unwrap();
    fs::write(path("scene/frame"), "ours").unwrap();
    claim(Overwrite::Force).unwrap();
    // Lines that lead out of the directory are none of ours.
    let manifest = fs::read_to_string(path(".cosimo-run")).unwrap();
    fs::write(path(".cosimo-run"), manifest + "../outside\n/outside\n..\n").unwrap();
    ResultDirectory::create(scratch.path(), Overwrite::Force).unwrap();
    assert!(!path("results.parquet").exists() && !path("scene").exists());
    let manifest = fs::read_to_string(path(".cosimo-run")).unwrap();
    assert!(!manifest.contains("parquet") && !manifest.contains("outside"), "{manifest}");
}

#[test]
fn the_summary_has_every_promised_key_and_is_valid_json() {
    let scratch = tempfile::tempdir().unwrap();
    let config = RecordConfig { title: Some("Two masses".into()), schema: Some(1), ..Default::default() };
    let mut recorder = recorder(scratch.path(), config);
    run(&mut recorder, 4, Outcome::Completed);
    let summary = summary(&recorder.into_result().unwrap());
    let numbers = [
        ("schema", 1.0),
        ("end_time", 0.5),
        ("steps", 4.0),
        ("interface_solves", 4.0),
        ("interface_solves_per_step", 1.0),
        ("master_iterations", 6.0),
        ("master_iterations_per_step", 1.5),
        ("most_iterations", 2.0),
        ("failed_steps", 1.0),
        ("impacts", 1.0),
        ("contact_steps", 2.0),
        ("energy_start", 10.0),
        ("energy_contact", -1.5),
        ("energy_external", 0.0),
        ("energy_dissipated", 0.0),
        ("energy_monitor_interfaces", 0.0),
        ("energy_monitor_subsystems", 0.0),
        ("energy_monitor_sum", 1e-12),
        ("wall_seconds", 2.0),
        ("processor_seconds", 1.125),
        ("steps_per_second", 2.0),
    ];
    for (key, value) in numbers {
        assert_eq!(summary[key].as_f64(), Some(value), "{key}");
    }
    assert_eq!((&summary["title"], &summary["outcome"]), (&"Two masses".into(), &"completed".into()));
    assert!(summary["cosimo_version"].is_string());
    for key in ["reason", "energy_end"] {
        assert_eq!(summary.get(key), Some(&Value::Null), "{key}");
    }
    let share =
        |part: &Value, phase: &str| [&part["seconds"], &part["phases"][phase]].map(|x| x.as_f64().unwrap());
    assert_eq!(share(&summary["subsystems"][0], "evaluate"), [0.25, 0.125]);
    assert_eq!(share(&summary["master"], "coupling"), [0.125, 0.125]);
    assert_eq!(share(&summary["recording"], "results"), [0.75, 0.5]);
    assert_eq!(summary["slowest"], serde_json::json!(["lower"]));
    let subsystem = &summary["subsystems"][0];
    assert_eq!((&subsystem["name"], &subsystem["coupling"]), (&"lower".into(), &"exact".into()));
    for key in [
        "seconds",
        "evaluations",
        "newton_iterations",
        "rollbacks",
        "factorizations",
        "refreshes",
        "energy_numerical",
    ] {
        assert!(subsystem[key].is_number(), "{key}");
    }
    let interface = &summary["interfaces"][0];
    assert_eq!((&interface["name"], &interface["largest_residual"]), (&"spring".into(), &Value::Null));
    for key in [
        "iterations",
        "most_iterations",
        "energy_monitor",
        "energy_most",
        "energy_dissipated",
        "energy_exceeded",
    ] {
        assert!(interface[key].is_number(), "{key}");
    }
    assert_eq!(summary["quantities"][1]["name"], "lower.vz");
    assert_eq!(summary["quantities"][1]["unit"], "m/s");
}

#[test]
fn a_failed_run_leaves_its_results_and_the_reason() {
    let scratch = tempfile::tempdir().unwrap();
    let mut recorder = recorder(scratch.path(), RecordConfig::default());
    run(&mut recorder, 2, Outcome::Failed("`spring` did not converge at t = 0.25 s".into()));
    let directory = recorder.into_result().unwrap();
    assert_eq!(rows(&directory.results()).1.len(), 3);
    assert!(directory.plot().exists());
    let summary = summary(&directory);
    assert_eq!(summary["outcome"], "failed");
    assert_eq!(summary["reason"], "`spring` did not converge at t = 0.25 s");
}

#[test]
fn the_caller_explains_why_a_run_was_stopped() {
    let scratch = tempfile::tempdir().unwrap();
    let mut recorder = recorder(scratch.path(), RecordConfig::default());
    run(&mut recorder, 2, Outcome::Stopped);
    recorder.explain("interrupted with Ctrl-C").unwrap();
    let summary = summary(&recorder.into_result().unwrap());
    assert_eq!((&summary["outcome"], &summary["steps"]), (&"stopped".into(), &4.into()));
    assert_eq!(summary["reason"], "interrupted with Ctrl-C");
}

#[test]
fn a_run_that_never_began_is_a_failure_with_a_reason() {
    let scratch = tempfile::tempdir().unwrap();
    let mut recorder = recorder(scratch.path(), RecordConfig::default());
    recorder.explain("the initial state violates `floor`").unwrap();
    let summary = summary(&recorder.into_result().unwrap());
    assert_eq!((&summary["outcome"], &summary["steps"]), (&"failed".into(), &0.into()));
    assert_eq!(summary["reason"], "the initial state violates `floor`");
}

#[test]
fn a_dropped_recorder_leaves_its_rows_and_says_unfinished() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("out");
    let mut recorder = recorder(&path, RecordConfig::default());
    assert!(["results.csv", "events.csv", "summary.json"].iter().all(|name| path.join(name).exists()));
    recorder.start(&labels(), (0.0, 1.0));
    for step in 0..3 {
        let _ = recorder.step(&StepRecord { step, time: step as f64, values: &values(step), is_last: false });
    }
    drop(recorder);
    assert_eq!(rows(&path.join("results.csv")).1.len(), 3);
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(path.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["outcome"], "unfinished");
}

#[test]
fn an_unknown_quantity_stops_the_run_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let config = RecordConfig { plot: Some(Selection::new(["lower.y"])), ..Default::default() };
    let mut recorder = recorder(scratch.path(), config);
    recorder.start(&labels(), (0.0, 1.0));
    assert!(recorder.step(&StepRecord { step: 0, time: 0.0, values: &values(0), is_last: false }).is_break());
    let error = recorder.into_result().unwrap_err();
    assert!(error.to_string().starts_with("no quantity matches `lower.y`: the run has `lower.z`"), "{error}");
}

#[test]
fn a_directory_that_vanishes_is_reported_not_fatal() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("out");
    let mut recorder = recorder(&path, RecordConfig::default());
    recorder.start(&labels(), (0.0, 1.0));
    fs::remove_dir_all(&path).unwrap();
    recorder.finish(&report(Outcome::Completed));
    assert!(
        matches!(recorder.error(), Some(ResultsError::Write { path, .. }) if path.ends_with("summary.json"))
    );
    assert!(recorder.into_result().is_err());
}

#[test]
fn a_directory_removed_before_the_start_is_an_error() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path().join("out"), Overwrite::Refuse).unwrap();
    fs::remove_dir_all(directory.path()).unwrap();
    assert!(matches!(Recorder::create(directory, RecordConfig::default()), Err(ResultsError::Create { .. })));
}
