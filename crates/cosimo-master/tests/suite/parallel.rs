//! Subsystems stepped by several threads: the same bits, the same errors.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::time::Duration;

use crate::models::chains::{Chains, Joints};
use crate::models::network::Network;
use crate::models::witness::{Threads, Witness};
use crate::models::{bouncing_mass, rod};
use cosimo_master::{
    Acceleration, Impacts, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, RunReport, Scheme,
    StepControl,
};
use cosimo_subsystem::Subsystem;

fn watched(inner: Box<dyn Subsystem>, threads: &Threads, fails_at: f64) -> Box<dyn Subsystem> {
    Box::new(Witness { inner, threads: threads.clone(), delay: Duration::from_micros(50), fails_at })
}

/// Bouncing nodes on rods, rigidly and by springs, and masses without any joint.
fn model(threads: u32, seen: &Threads, failures: [f64; 2]) -> Master {
    let law =
        |i: usize| if i.is_multiple_of(2) { InterfaceLaw::Rigid } else { InterfaceLaw::spring(1e4, 10.0, 1) };
    joined(MasterConfig { threads, ..MasterConfig::default() }, law, seen, failures)
}

fn joined(
    config: MasterConfig,
    law: impl Fn(usize) -> InterfaceLaw,
    seen: &Threads,
    failures: [f64; 2],
) -> Master {
    let (mut subsystems, mut interfaces) = (Vec::new(), Vec::new());
    for i in 0..6 {
        let node = bouncing_mass(&format!("node{i}"), 1.0 + i as f64, 0.0);
        subsystems.push(watched(node, seen, if i == 2 { failures[0] } else { f64::INFINITY }));
        let rod = rod(&format!("rod{i}"));
        subsystems.push(watched(rod, seen, if i == 4 { failures[1] } else { f64::INFINITY }));
        interfaces.push(Interface::new(
            format!("j{i}"),
            format!("node{i}.end"),
            format!("rod{i}.end"),
            law(i),
        ));
        subsystems.push(bouncing_mass(&format!("ball{i}"), 1.0, 0.01 + 0.003 * i as f64));
    }
    Master::new(subsystems, interfaces, config, 0.0).unwrap()
}

fn bits(master: &Master) -> Vec<u64> {
    let rows = master.subsystems().iter().map(|s| s.rows());
    rows.flat_map(|r| r.positions.iter().chain(&r.velocities)).map(|x| x.to_bits()).collect()
}

fn numbers(report: &RunReport) -> impl PartialEq + std::fmt::Debug {
    let counts = (report.steps, report.impacts, report.contact_steps, report.master_iterations);
    (counts, report.energy, report.contraction)
}

fn different(seen: &Threads) -> usize {
    let seen: BTreeSet<String> =
        seen.lock().iter().flat_map(|s| s.iter().map(|id| format!("{id:?}"))).collect();
    seen.len()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads| {
        let seen = Threads::default();
        let mut master = model(threads, &seen, [f64::INFINITY; 2]);
        let report = master.run(0.12, 1e-3, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
        (bits(&master), report, different(&seen))
    };
    let (one, report, threads) = run(1);
    assert_eq!(threads, 1);
    assert!(report.impacts > 5, "{report:?}");
    for count in [2, 3, 8] {
        let (other, other_report, threads) = run(count);
        assert!(one == other, "{count} threads");
        assert_eq!(numbers(&report), numbers(&other_report), "{count} threads");
        // The first call of a kind is made by the caller.
        assert!(threads > 2, "{threads} threads seen");
    }
}

/// With Jacobi the subsystems of a sweep are evaluated side by side; with Gauss-Seidel steps begin and end so.
#[test]
fn iterative_schemes_have_the_same_bits() {
    let accelerations = [
        Acceleration::None,
        Acceleration::Relaxation { factor: 0.8 },
        Acceleration::Aitken { first: 0.5 },
        Acceleration::IqnIls { reuse: 4, filter: 1e-3 },
    ];
    for scheme in [Scheme::GaussSeidel, Scheme::Jacobi] {
        for acceleration in accelerations {
            let run = |threads| {
                let (seen, impacts) = (Threads::default(), Impacts::PLAIN);
                let config =
                    MasterConfig { scheme, acceleration, impacts, threads, ..MasterConfig::default() };
                let mut master =
                    joined(config, |_| InterfaceLaw::spring(1e4, 10.0, 1), &seen, [f64::INFINITY; 2]);
                let report =
                    master.run(0.02, 1e-3, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
                (bits(&master), report, different(&seen))
            };
            let (one, report, _) = run(1);
            assert!(report.master_iterations > report.steps, "{report:?}");
            for count in [2, 8] {
                let (other, other_report, threads) = run(count);
                assert!(one == other, "{scheme:?} {acceleration:?}, {count} threads");
                assert_eq!(numbers(&report), numbers(&other_report), "{scheme:?} {acceleration:?}");
                assert!(threads > 2, "{threads} threads seen");
            }
        }
    }
}

#[test]
fn steps_that_follow_the_error_have_the_same_bits() {
    let run = |threads| {
        let seen = Threads::default();
        let (step_control, error_tolerance) = (StepControl::Error, 1e-5);
        let config = MasterConfig { threads, step_control, error_tolerance, ..MasterConfig::default() };
        let law = |_| InterfaceLaw::spring(1e4, 10.0, 1);
        let mut master = joined(config, law, &seen, [f64::INFINITY; 2]);
        let report = master.run(0.05, 4e-3, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
        (bits(&master), report, different(&seen))
    };
    let (one, report, _) = run(1);
    assert!(report.steps > 15 && report.step_sizes.refused > 0, "{report:?}");
    for count in [2, 8] {
        let (other, other_report, threads) = run(count);
        assert!(one == other, "{count} threads");
        assert_eq!(numbers(&report), numbers(&other_report), "{count} threads");
        assert!(threads > 1, "{threads} threads seen");
    }
}

#[test]
fn a_large_network_has_the_same_bits() {
    let [one, eight] = [1, 8].map(|threads| {
        let mut master = Network::grid(40).springs(MasterConfig { threads, ..MasterConfig::default() });
        for _ in 0..20 {
            master.step(1e-2).unwrap_or_else(|error| panic!("{error}"));
        }
        bits(&master)
    });
    assert!(one == eight);
}

/// Nonlinear chains in shares that are not alike, by more threads than there are processors, too.
#[test]
fn chains_have_the_same_bits() {
    for joints in [Joints::Springs, Joints::Pins] {
        let model = Chains { count: 22, links: 3, joints };
        let run = |threads| {
            let mut master = model.build(threads);
            let report = master.run(0.05, 1e-3, &mut NoObserver).unwrap_or_else(|error| panic!("{error}"));
            (bits(&master), format!("{:?}", numbers(&report)))
        };
        let one = run(1);
        for threads in [2, 3, 5, 16] {
            assert!(run(threads) == one, "{}, {threads} threads", model.name());
        }
    }
}

#[test]
fn the_first_failure_in_the_order_of_subsystems_is_told() {
    for threads in [1, 2, 8] {
        let mut master = model(threads, &Threads::default(), [0.01; 2]);
        let before = |error: &dyn std::error::Error| error.to_string();
        let error = master.run(0.12, 1e-3, &mut NoObserver).map_err(|error| before(&error));
        let Err(text) = error else { panic!("no failure") };
        assert!(text.contains("node2") && text.contains("0.01"), "{threads} threads: {text}");
    }
}

/// Eighteen subsystems keep eighteen threads busy, whatever is asked for.
#[test]
#[cfg(target_os = "linux")]
fn no_more_threads_are_started_than_there_are_subsystems() {
    let master = model(u32::MAX, &Threads::default(), [f64::INFINITY; 2]);
    // Those of the other tests included.
    let threads = std::fs::read_dir("/proc/self/task").unwrap().count();
    assert!(threads < 200, "{threads} threads for {} subsystems", master.subsystems().len());
}
