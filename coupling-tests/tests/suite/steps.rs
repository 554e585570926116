//! Steps on which iterations do not agree, runs that fail, and the last step of a run.

use cosimo::master::Outcome;
use coupling_tests::{Run, Table};

/// A heavy mass above the spring: the iteration contracts by about `k h²/4`, 1.4 at this step and 0.4 at half of it.
const HARD: [&str; 7] = [
    "master.scheme=gauss-seidel",
    "subsystem.upper.velocity=0.5",
    "subsystem.upper.mass=[1e4]",
    "time.step=0.075",
    "time.end=0.375",
    "master.tolerance=1e-10",
    "master.max_iterations=60",
];

#[test]
fn step_on_which_iterations_do_not_agree_is_solved_at_once() {
    let run = Run::example("oscillator/model.toml", &HARD);
    let condensed = Run::example("oscillator/model.toml", &[&HARD[1..], &["master.impacts=plain"]].concat());
    assert_eq!((run.report.steps, run.report.solved_at_once, run.report.failed_steps), (5, 5, 0));
    for name in ["lower.z", "lower.vz", "upper.z", "upper.v_z", "spring.force"] {
        assert_eq!(run.column(name), condensed.column(name), "{name}");
    }
    let warnings: String = run.report.warnings.iter().map(|warning| warning.text.as_str()).collect();
    for part in ["interface `spring`", "subsystem `upper", "from 0 s", "residual", "solved at once"] {
        assert!(warnings.contains(part), "`{part}` is missing in: {warnings}");
    }
}

#[test]
fn force_that_is_zero_is_converged() {
    // In free fall the spring carries round-off only: no correction is small against that.
    let fall = [&HARD[..1], &["time.end=0.375", "time.step=0.0125", "master.tolerance=1e-12"]].concat();
    let run = Run::example("oscillator/model.toml", &fall);
    assert_eq!((run.report.steps, run.report.failed_steps), (30, 0));
    let force = run.column("spring.force").iter().fold(0.0_f64, |most, force| most.max(force.abs()));
    assert!(
        force < 1e-9 && run.report.most_iterations <= 10,
        "{force:e} N, {} iterations",
        run.report.most_iterations
    );
}

#[test]
fn failed_run_keeps_what_it_has() {
    // By extrapolation the spring makes energy from the impact at 0.40025 s on, which is not allowed to one of the runs.
    let explicit = ["time.step=1e-3", "time.end=0.9", "subsystem.upper.coupling=explicit"];
    let common = [explicit.as_slice(), &["master.step_control=fixed"]].concat();
    let whole = Run::example("oscillator/model.toml", &common);
    let strict = [common.as_slice(), &["master.energy_action=stop", "master.energy_tolerance=1e-9"]].concat();
    let run = Run::of(&Run::model("oscillator/model.toml", &strict));
    let Outcome::Failed(text) = &run.report.outcome else { panic!("{:?}", run.report.outcome) };
    let time = run.report.end_time;
    assert!((0.4 - 1e-9..0.9).contains(&time), "fails at {time} s");
    // The step that made it is taken; the points up to it are kept.
    let start = run.times.last().copied().unwrap_or(f64::NAN);
    assert!(text.contains(&format!("from {start} s")) && text.contains("interface `spring`"), "{text}");
    assert!((time - start - 1e-3).abs() < 1e-12, "{time} after {start}");
    assert_eq!((run.times.len() as u64, run.report.failed_steps), (run.report.steps, 0));
    for name in ["lower.z", "lower.vz", "upper.z", "upper.v_z"] {
        let (part, all) = (run.column(name), whole.column(name));
        let worst = part.iter().zip(&all).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(part.len() >= 401 && worst < 1e-9, "{name} differs by {worst:e}");
    }
}

#[test]
fn last_step_ends_at_the_end() {
    let run = Run::example("oscillator/model.toml", &["time.step=7e-4", "time.end=0.4"]);
    assert_eq!((run.report.steps, run.times.len()), (572, 573));
    assert_eq!((run.report.end_time, run.times[572]), (0.4, 0.4));
    for (k, t) in run.times[..572].iter().enumerate() {
        assert_eq!(
            t.to_bits(),
            (k as f64 * 7e-4).to_bits(),
            "communication points are not multiples of the step"
        );
    }
    // Both masses fall freely until 0.40025 s: the parabola is exact whatever the step.
    let exact = 1.001 - 5.0 * 0.4 * 0.4;
    assert!((run.at("lower.z", 0.4) - exact).abs() < 1e-13);
    assert!((run.at("upper.v_z", 0.4) + 4.0).abs() < 1e-12);
}

#[test]
fn shortened_last_step_resolves_its_impact() {
    // The first impact, at 0.40025 s, lies in the last step, three tenths of a whole one.
    let run = Run::example("oscillator/model.toml", &["time.step=1e-3", "time.end=0.4003"]);
    let exact = Table::reference("E1_oscillator_k1e3/events.csv").column("t")[0];
    assert_eq!((run.report.steps, run.impacts().len()), (401, 1));
    assert!((run.impacts()[0] - exact).abs() < 1e-12);
    let gap = 3.201_999_375_390_32 * (0.4003 - exact);
    assert!((run.at("lower.floor.gap", 0.4003) - gap).abs() < 1e-7);
}

#[test]
fn run_may_be_shorter_than_a_step() {
    let run = Run::example("oscillator/model.toml", &["time.step=0.5", "time.end=0.125"]);
    assert_eq!((run.report.steps, run.report.end_time), (1, 0.125));
    assert!((run.at("lower.z", 0.125) - (1.001 - 5.0 * 0.015_625)).abs() < 1e-14);
}
