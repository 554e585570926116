//! Energy that comes from nowhere is warned of wherever it is created, with place, time, amount and the step that would do.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use cosimo::master::{Master, NoObserver, Outcome, RunError, RunReport, StepError};
use cosimo::model::ModelSpec;
use coupling_tests::{Run, models};

const OSCILLATOR: &str = include_str!("../../models/energy/oscillator.toml");
const CHAIN: &str = include_str!("../../models/energy/chain.toml");
const BAR: &str = include_str!("../../models/energy/bar.toml");
const DRIVEN_IMPACT: &str = include_str!("../../models/energy/driven-impact.toml");

/// Models, overrides, and where they create energy.
const CASES: [(&str, &[&str], &str); 6] = [
    (OSCILLATOR, &[], "contact `lower.floor`"),
    (OSCILLATOR, &["time.step=0.0632", "time.end=10.0"], "contact `lower.floor`"),
    (CHAIN, &[], "contact `left.wall`"),
    (CHAIN, &["time.step=0.01"], "contact `left.wall`"),
    (CHAIN, &["time.step=0.05", "master.step_control=energy"], "contact `left.wall`"),
    (BAR, &[], "contact `bar.wall`"),
];

/// What a warning says.
struct Told {
    place: String,
    created: f64,
    time: f64,
    at_stake: f64,
    /// Step that would do (s).
    step: f64,
}

fn number_after(text: &str, before: &str) -> f64 {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no `{before}` in: {text}")).1;
    rest.split_whitespace().next().unwrap().parse().unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn told(master: &Master) -> Vec<Told> {
    let warnings = master.warnings().iter().filter(|warning| warning.text.contains("has created"));
    let read = |text: &str| Told {
        place: text.split_once(" has created").unwrap().0.to_owned(),
        created: number_after(text, "has created "),
        time: number_after(text, "up to "),
        at_stake: number_after(text, "where "),
        step: number_after(text, "steps of "),
    };
    warnings.map(|warning| read(&warning.text)).collect()
}

fn run(model: &ModelSpec) -> (Master, RunReport) {
    let mut master = model.build().unwrap();
    let report = master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    (master, report)
}

fn with(text: &str, base: &[&str], more: &[String]) -> ModelSpec {
    let mut more: Vec<&str> = more.iter().map(String::as_str).collect();
    if more.iter().all(|entry| !entry.contains("energy_action")) {
        // Some create more than is at stake.
        more.push("master.energy_action=ignore");
    }
    Run::text(text, &[base, &more].concat())
}

#[test]
fn a_run_warns_where_and_as_soon_as_it_has_created_a_hundredth() {
    for (text, base, place) in CASES {
        let model = with(text, base, &[]);
        let (master, _) = run(&model);
        let all = told(&master);
        let first = &all[0];
        assert_eq!(first.place, place, "{:?}", master.warnings());
        assert!(first.created > 0.01 * first.at_stake, "{:?}", master.warnings());
        // The run up to that time has created as much altogether, and a run that ends a little earlier does not warn.
        let (short, report) = run(&with(text, base, &[format!("time.end={}", first.time)]));
        assert_eq!(told(&short).len(), 1, "{:?}", short.warnings());
        let sum = report.energy.monitor_sum;
        assert!((first.created - sum).abs() < 0.01 * sum, "{} J of {sum} J", first.created);
        let before = 0.999 * report.end_time - model.time.step;
        if before > 0.0 {
            let (earlier, _) = run(&with(text, base, &[format!("time.end={before}")]));
            assert!(told(&earlier).is_empty(), "{:?}", earlier.warnings());
        }
    }
}

#[test]
fn a_run_that_is_to_stop_stops_there() {
    for (text, base, place) in CASES {
        let first = told(&run(&with(text, base, &[])).0).remove(0);
        let model = with(text, base, &["master.energy_action=stop".to_owned()]);
        let RunError { report, source } =
            model.build().unwrap().run(model.time.end, model.time.step, &mut NoObserver).unwrap_err();
        let StepError::EnergyCreatedSoFar { place: stopped_at, created, at_stake, .. } = *source else {
            panic!("{source}")
        };
        assert_eq!(stopped_at, place);
        assert!((created / first.created - 1.0).abs() < 1e-3, "{created} J");
        assert!(created > 0.01 * at_stake);
        assert!((report.end_time - first.time).abs() < 1e-9, "{} s", report.end_time);
        assert!(matches!(&report.outcome, Outcome::Failed(text) if text.contains(place)));
    }
}

#[test]
fn the_step_advised_is_small_enough() {
    for (text, base, _) in &CASES {
        let first = told(&run(&with(text, base, &[])).0).remove(0);
        let (master, report) = run(&with(text, base, &[format!("time.step={}", first.step)]));
        assert!(told(&master).is_empty(), "{:?}", master.warnings());
        assert!(report.energy.monitor_sum < 0.01 * first.at_stake, "{:?}", report.energy);
    }
}

#[test]
fn no_example_creates_a_hundredth() {
    for path in models() {
        let (master, _) = run(&Run::model(&path, &[]));
        assert!(told(&master).is_empty(), "{path}: {:?}", master.warnings());
    }
}

/// The arm turns at `ω` before and after, so that chassis and tip change their velocity by the same `U`; the motor takes
/// the moment of the impulse `(m_chassis + m_arm) U` in the ankle about the pin.
#[test]
fn the_work_of_a_motor_at_an_impact_is_external() {
    for step in ["1e-3", "1e-4"] {
        let run = Run::completed(&Run::text(DRIVEN_IMPACT, &[&format!("time.step={step}")]));
        let energy = &run.report.energy;
        let [impact] = &run.events.iter().filter(|event| event.impulse > 1.0).collect::<Vec<_>>()[..] else {
            panic!("{:?}", run.events)
        };
        let (speed, change) = (2.0, -impact.velocities[0]);
        let arm = 0.5 * ((speed * impact.time).cos() - (speed * impact.time).sin());
        let work = speed * arm * 11.0 * change;
        assert!(work > 10.0 && (energy.external - work).abs() < 1e-3 * work, "{energy:?}, {work} J");
        assert!(energy.monitor_sum.abs() < 1e-9 * work, "{energy:?}");
    }
}
