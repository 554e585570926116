//! What is done about interfaces that create energy: warned of, stopped, taken in halves.
//!
//! What is allowed, and which steps exceed it, is worked out here from the recorded `created` of a run that nothing is
//! done about.

use cosimo::master::{NoObserver, Outcome, RunError, SetupError, StepError};
use cosimo::model::{BuildError, ModelSpec};
use coupling_tests::Run;

/// Two masses on a spring in free flight, by an iteration that stops early: the spring does not learn the work that it does.
const FLIGHT: [&str; 8] = [
    "subsystem.lower.gravity=[0, 0, 0]",
    "subsystem.upper.gravity=0",
    "subsystem.upper.velocity=1",
    "master.scheme=gauss-seidel",
    "master.tolerance=1e-2",
    "time.step=1e-3",
    "time.end=0.5",
    "master.energy_tolerance=1e-300",
];
/// An iteration that stops short of agreement: each side takes forces of its own.
const UNFINISHED: [&str; 8] = [
    "master.scheme=gauss-seidel",
    "master.tolerance=1e-2",
    "master.impacts=plain",
    "interface.joint.law=tikhonov",
    "interface.joint.constant=2e-8",
    "subsystem.rod.stiffness=[1e9]",
    "time.end=0.25",
    "master.energy_tolerance=1e-300",
];
const OSCILLATOR: &str = "oscillator/model.toml";
const DROOP_STOP: &str = "droop-stop/model.toml";

fn model(path: &str, base: &[&str], more: &[String]) -> ModelSpec {
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    Run::model(path, &[base, &more].concat())
}

/// Energies that the interface creates, step by step, when nothing is done.
fn created(path: &str, base: &[&str], interface: &str) -> Vec<f64> {
    let accepted = [base, &["master.energy_action=ignore"]].concat();
    Run::completed(&Run::model(path, &accepted)).column(&format!("{interface}.created"))
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(*x))
}

fn settings(action: &str, limit: f64, halvings: u32) -> Vec<String> {
    vec![
        format!("master.energy_action={action}"),
        format!("master.energy_limit={limit:e}"),
        format!("master.max_halvings={halvings}"),
    ]
}

#[test]
fn a_warning_is_given_once_and_every_step_is_counted() {
    for (path, base, name) in
        [(OSCILLATOR, FLIGHT.as_slice(), "spring"), (DROOP_STOP, UNFINISHED.as_slice(), "joint")]
    {
        let created = created(path, base, name);
        let limit = 0.3 * largest(&created);
        let over: Vec<usize> = (0..created.len()).filter(|k| created[*k] > limit).collect();
        assert!(over.len() > 1, "{name}: {over:?}");
        let model = model(path, base, &settings("warn", limit, 0));
        let mut master = model.build().unwrap();
        // Multipliers that ring make more than was at stake.
        let ended = master.run(model.time.end, model.time.step, &mut NoObserver);
        let report = ended.unwrap_or_else(|error| *error.report);
        assert_eq!(report.interfaces[0].energy_exceeded, over.len() as u64, "{name}");
        let warnings: Vec<_> =
            master.warnings().iter().filter(|warning| warning.text.contains("energy_limit")).collect();
        let [warning] = warnings[..] else { panic!("{warnings:?}") };
        let time = (over[0] - 1) as f64 * model.time.step;
        let amount = format!("{:.3e}", created[over[0]]);
        for part in [format!("`{name}`"), format!("from {time} s"), amount] {
            assert!(warning.text.contains(&part), "`{part}` is not in: {warning}");
        }
    }
}

#[test]
fn what_is_allowed_grows_with_the_energy_there_is() {
    // Half a joule, all of it kinetic at the start; a part of it goes to the spring and back.
    let created = created(OSCILLATOR, &FLIGHT, "spring");
    let tolerance = 0.3 * largest(&created) / 0.5;
    let over = created.iter().filter(|x| **x > 0.5 * tolerance).count();
    let relative = format!("master.energy_tolerance={tolerance:e}");
    let run = Run::completed(&model(
        OSCILLATOR,
        &FLIGHT[..7],
        &[settings("warn", 0.0, 0), vec![relative]].concat(),
    ));
    assert_eq!(run.report.interfaces[0].energy_exceeded, over as u64);
}

#[test]
fn a_run_stops_before_the_step_that_creates_too_much() {
    let (path, base, name) = (OSCILLATOR, FLIGHT.as_slice(), "spring");
    let created = created(path, base, name);
    let limit = 0.3 * largest(&created);
    let first = (0..created.len()).find(|k| created[*k] > limit).unwrap();
    // Halvings are allowed for what does not converge; they are not made for this.
    let model = model(path, base, &settings("stop", limit, 5));
    let mut master = model.build().unwrap();
    let error = master.run(model.time.end, model.time.step, &mut NoObserver).unwrap_err();
    let RunError { report, source } = error;
    let StepError::EnergyCreated { time, size, interface, created: amount, allowed, .. } = *source else {
        panic!("{source}")
    };
    assert_eq!((interface.as_str(), size, amount), (name, model.time.step, created[first]));
    assert_eq!(time, (first - 1) as f64 * model.time.step);
    assert!((allowed / limit - 1.0).abs() < 1e-12, "{allowed} J");
    assert_eq!((report.steps, report.end_time), (first as u64 - 1, time));
    assert!(
        matches!(&report.outcome, Outcome::Failed(text) if text.contains("creates") && text.contains(name))
    );
    assert_eq!(report.interfaces[0].energy_exceeded, 1);
    assert_eq!(master.time(), time);
}

#[test]
fn halves_create_less_than_allowed() {
    let (path, name) = (OSCILLATOR, "spring");
    for scheme in ["gauss-seidel", "jacobi"] {
        let scheme = format!("master.scheme={scheme}");
        let base = &[FLIGHT.as_slice(), &[&scheme]].concat();
        let unguarded = Run::completed(&Run::model(path, base));
        let limit = 0.3 * largest(&unguarded.column(&format!("{name}.created")));
        let guarded = Run::completed(&model(path, base, &settings("halve", limit, 10)));
        let created = guarded.column(&format!("{name}.created"));
        assert!(
            largest(&created) <= limit * (1.0 + 1e-9),
            "{name}: {:e} J of {limit:e} J",
            largest(&created)
        );
        let report = &guarded.report;
        assert!(report.failed_steps > 0, "{name}: {report:?}");
        assert_eq!(report.interfaces[0].energy_exceeded, report.failed_steps, "{name}");
        // The grid of communication points is that of the run without halves.
        assert_eq!((guarded.times.len(), report.steps), (unguarded.times.len(), unguarded.report.steps));
        let halved: Vec<u64> = report.subsystems.iter().map(|s| s.statistics.steps).collect();
        let plain = unguarded.report.subsystems[0].statistics.steps;
        assert!(halved.iter().all(|steps| *steps >= plain + report.failed_steps / 2), "{name}: {halved:?}");
        // What halves take is still on the books.
        let sum: f64 = created.iter().sum();
        let told = report.interfaces[0].energy_monitor;
        assert!((sum - told).abs() <= 1e-9 * told.abs().max(limit), "{name}: {sum:e} J and {told:e} J");
    }
}

/// Three halves do not make what an unfinished iteration leaves a millionth.
#[test]
fn halves_that_do_not_help_end_the_run() {
    let limit = 1e-6 * largest(&created(DROOP_STOP, &UNFINISHED, "joint"));
    let run = Run::of(&model(DROOP_STOP, &UNFINISHED, &settings("halve", limit, 3)));
    let Outcome::Failed(reason) = &run.report.outcome else { panic!("{:?}", run.report) };
    for part in ["interface `joint` creates", "max_halvings"] {
        assert!(reason.contains(part), "{reason}");
    }
    assert!(run.report.failed_steps >= 4, "{:?}", run.report);
}

const EXPLICIT: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
master = { step_control = "fixed" }
[[subsystem]]
name = "a"
kind = "linear"
mass = [1.0]
position = [0.02]
port = [{ name = "end", coordinates = [0] }]
[[subsystem]]
name = "b"
kind = "linear"
mass = [2.0]
position = [-0.01]
coupling = "explicit"
port = [{ name = "end", coordinates = [0] }]
[[interface]]
name = "spring"
between = ["a.end", "b.end"]
law = "compliant"
stiffness = 1e4
"#;

#[test]
fn an_explicit_step_is_stopped_behind_it_and_cannot_be_halved() {
    let created = Run::completed(&Run::text(EXPLICIT, &[])).column("spring.created");
    let limit = 0.5 * largest(&created);
    let first = (0..created.len()).find(|k| created[*k] > limit).unwrap();
    let text = |action: &str, halvings: u32| {
        let more =
            [vec!["master.energy_tolerance=1e-300".to_owned()], settings(action, limit, halvings)].concat();
        Run::text(EXPLICIT, &more.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let run = Run::of(&text("stop", 0));
    assert!(matches!(&run.report.outcome, Outcome::Failed(reason) if reason.contains("`spring` creates")));
    assert_eq!(run.report.steps, first as u64);
    assert!((run.report.end_time - first as f64 * 1e-3).abs() < 1e-12);

    let refused = text("halve", 3).build().unwrap_err();
    let BuildError::Setup(SetupError::NoRollback { subsystem }) = &refused else { panic!("{refused}") };
    assert_eq!(subsystem, "b");
}
