//! The chain of 100 masses on a wall, in one piece and cut in 2, 4 and 10 subsystems, at springs and through masses.
//!
//! Reference: case F1, modes with 40-digit impact roots.

use coupling_tests::{Run, Table};

const CUTS: [(usize, &str); 6] =
    [(2, "springs"), (4, "springs"), (10, "springs"), (2, "masses"), (4, "masses"), (10, "masses")];

/// Where mass `i` of the uncut chain is found: subsystems and their own coordinates. A mass that is cut is the first of
/// its right part and the last, one more than the others, of its left part.
fn owners(i: usize, parts: usize, kind: &str) -> Vec<(usize, usize)> {
    let size = 100 / parts;
    let (part, local) = (i / size, i % size);
    let mut found = vec![(part + 1, local)];
    if kind == "masses" && local == 0 && part > 0 {
        found.push((part, size));
    }
    found
}

#[test]
fn chain_follows_the_exact_solution() {
    let run = Run::example("chain/model.toml", &[]);
    let exact = Table::reference("F1_chain100_on_wall/reference.csv");
    let (times, first) = (exact.column("t"), exact.column("first"));
    for end in [0.4, 2.6] {
        let row = times.partition_point(|t| *t < end - 1e-9);
        let error = run.at("chain.q0", end) - first[row];
        assert!(error.abs() <= 5e-4, "first mass at {end} s is off by {error:e} m");
        let short = Run::example("chain/model.toml", &[&format!("time.end={end}")]);
        let energy = short.report.energy;
        assert!((energy.start - 50.0).abs() < 1e-9);
        let error = energy.end - exact.column("energy")[row];
        assert!(error.abs() <= 2e-4 * energy.start, "energy at {end} s is off by {error:e} J");
        assert_eq!(short.last(), run_values(&run, end).as_slice(), "the end time changes the run");
    }
    let worst = times.iter().zip(first).map(|(t, x)| (run.at("chain.q0", *t) - x).abs()).fold(0.0, f64::max);
    assert!(worst <= 5e-4, "first mass is off by {worst:e} m on the way");
}

fn run_values(run: &Run, t: f64) -> Vec<f64> {
    run.labels().iter().map(|label| run.at(label, t)).collect()
}

#[test]
fn every_cut_equals_the_uncut_chain() {
    let whole = Run::example("chain/model.toml", &[]);
    let [q, v]: [Vec<Vec<f64>>; 2] =
        ["q", "v_q"].map(|kind| (0..100).map(|i| whole.column(&format!("chain.{kind}{i}"))).collect());
    for (parts, kind) in CUTS {
        let run = Run::example(&format!("chain/model-{parts}-{kind}.toml"), &[]);
        assert_eq!(run.report.interface_solves, run.report.steps, "{parts} {kind}");
        assert_eq!(run.report.subsystems.len(), parts);
        assert_eq!(run.impacts().len(), whole.impacts().len(), "{parts} {kind}");
        let (mut worst, mut compared) = ([0.0_f64; 2], 0);
        for i in 0..100 {
            for (part, local) in owners(i, parts, kind) {
                for (worst, (prefix, whole)) in worst.iter_mut().zip([("q", &q[i]), ("v_q", &v[i])]) {
                    let cut = run.column(&format!("part{part}.{prefix}{local}"));
                    assert_eq!(cut.len(), whole.len());
                    *worst = cut.iter().zip(whole).map(|(a, b)| (a - b).abs()).fold(*worst, f64::max);
                }
                compared += 1;
            }
        }
        assert_eq!(compared, if kind == "masses" { 99 + parts } else { 100 });
        assert!(worst[0] <= 2e-14, "{parts} {kind}: positions differ by {:e} m", worst[0]);
        assert!(worst[1] <= 1e-12, "{parts} {kind}: velocities differ by {:e} m/s", worst[1]);
    }
}

#[test]
fn halves_of_a_cut_mass_stay_together() {
    for parts in [2, 4, 10] {
        let run = Run::example(&format!("chain/model-{parts}-masses.toml"), &[]);
        for joint in 1..parts {
            let gap =
                run.column(&format!("joint{joint}.gap")).iter().fold(0.0_f64, |most, g| most.max(g.abs()));
            assert!(gap <= 1e-12, "{parts} parts, joint {joint}: {gap:e} m");
        }
    }
}

#[test]
fn cut_chains_book_the_same_energy() {
    let whole = Run::example("chain/model.toml", &[]).report.energy;
    for (parts, kind) in CUTS {
        let report = Run::example(&format!("chain/model-{parts}-{kind}.toml"), &[]).report;
        let energy = report.energy;
        for (name, cut, uncut) in [
            ("start", energy.start, whole.start),
            ("end", energy.end, whole.end),
            ("contact", energy.contact, whole.contact),
            ("monitor", energy.monitor_sum, whole.monitor_sum),
        ] {
            assert!((cut - uncut).abs() < 1e-9, "{parts} {kind}: {name} {cut:e} instead of {uncut:e} J");
        }
        let made = report.interfaces.iter().map(|joint| joint.energy_monitor.abs()).fold(0.0, f64::max);
        assert!(made < 1e-10, "{parts} {kind}: an interface makes {made:e} J");
    }
}
