//! Steps that do not converge, and the last step of a run.

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
fn step_that_does_not_converge_ends_the_run() {
    let run = Run::of(&Run::model("oscillator/model.toml", &HARD));
    let Outcome::Failed(text) = &run.report.outcome else { panic!("{:?}", run.report.outcome) };
    for part in ["interface `spring`", "subsystem `upper", "from 0 s", "residual", "max_halvings"] {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    assert_eq!((run.report.steps, run.report.failed_steps, run.report.end_time), (0, 1, 0.0));
    assert_eq!(run.times, [0.0]);
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
fn halved_steps_converge_to_the_same_tolerance() {
    let halved =
        Run::example("oscillator/model.toml", &[HARD.as_slice(), &["master.max_halvings=1"]].concat());
    let report = &halved.report;
    assert_eq!((report.steps, report.failed_steps), (5, 5));
    let residual = report.interfaces[0].largest_residual;
    assert!(residual > 0.0 && residual <= 1e-10, "{residual:e}");
    // Two halves a step are the run of half the step.
    let fine = Run::example("oscillator/model.toml", &[HARD.as_slice(), &["time.step=0.0375"]].concat());
    for (k, &t) in halved.times.iter().enumerate() {
        assert_eq!(t.to_bits(), (0.075 * k as f64).to_bits());
        for name in ["lower.z", "lower.vz", "upper.z", "upper.v_z"] {
            let difference = halved.at(name, t) - fine.at(name, t);
            assert!(difference.abs() < 1e-8, "{name} at {t} s differs by {difference:e}");
        }
    }
}

#[test]
fn failed_run_keeps_what_it_has() {
    // Two iterations are enough for free flight, where the spring carries nothing, but not for the impact at 0.40025 s.
    let flight = ["time.step=1e-3", "time.end=0.9", "master.scheme=gauss-seidel"];
    let whole = Run::example("oscillator/model.toml", &flight);
    let hasty = [flight.as_slice(), &["master.max_iterations=2"]].concat();
    let run = Run::of(&Run::model("oscillator/model.toml", &hasty));
    let Outcome::Failed(text) = &run.report.outcome else { panic!("{:?}", run.report.outcome) };
    let time = run.report.end_time;
    assert!((0.4 - 1e-9..0.402).contains(&time), "fails at {time} s");
    assert!(text.contains(&format!("from {time} s")) && text.contains("in 2 iterations"), "{text}");
    assert_eq!(run.times.len() as u64, run.report.steps + 1);
    assert_eq!(run.times.last(), Some(&time));
    assert_eq!(run.report.failed_steps, 1);
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
