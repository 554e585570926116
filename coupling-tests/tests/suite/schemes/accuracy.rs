//! Accuracy against event-driven solutions of the droop stop, rigid and elastic: one problem a step and impacts at their own instants, a joint
//! between unlike rules and between like ones.

use coupling_tests::Run;
use nalgebra::DVector;

use super::blade::{STOP, blade, model};
use super::exact::Exact;
use super::{constant, run};

/// Rule of the smooth side, and how impacts are resolved; the node has the θ rule.
const WAYS: [(&str, &str); 4] =
    [("multistep", "plain"), ("theta", "plain"), ("multistep", "sub-step"), ("theta", "sub-step")];

/// The rigid rod with a node of mass `m` (kg) until 0.25 s, one impact: largest error of the node (m), energy (J) too much.
fn rigid((solver, impacts): (&str, &str), m: f64, h: &str, c: f64) -> (f64, f64) {
    let mut all = vec![format!("master.impacts={impacts}"), format!("subsystem.rod.solver={solver}")];
    all.extend(["time.end=0.25".to_owned(), format!("time.step={h}"), format!("subsystem.node.mass={m:e}")]);
    all.extend(constant("joint", c));
    let run = run("droop-stop/model.toml", &all);
    let inertia = 14062.5 + m;
    let fall = (8437.5 + 10.0 * m) / inertia;
    let impact = (2.0 * 0.003 / fall).sqrt();
    let exact = |t: f64| match t - impact {
        s if s < 0.0 => 0.003 - 0.5 * fall * t * t,
        s => 0.8 * fall * impact * s - 0.5 * fall * s * s,
    };
    let errors = run.times.iter().zip(run.column("node.z")).map(|(t, z)| (z - exact(*t)).abs());
    let loss = 0.5 * inertia * (fall * impact).powi(2) * (1.0 - 0.64);
    (errors.fold(0.0, f64::max), run.report.energy.end - run.report.energy.start + loss)
}

/// Inside steps exact, plain to the part of a step in which the impact falls. The rule of the rod makes no difference.
#[test]
fn rigid_rod_is_as_accurate_as_in_the_table() {
    for (m, h, position, energy) in [
        (1.0, "1e-3", 6e-5, 0.15),
        (1.0, "1e-4", 3e-6, 0.01),
        (1e-3, "1e-3", 6e-5, 0.15),
        (1e-3, "1e-4", 6e-6, 0.015),
    ] {
        for (solver, impacts) in WAYS {
            let found = rigid((solver, impacts), m, h, 0.0);
            let (position, energy) = if impacts == "plain" { (position, energy) } else { (1e-14, 1e-10) };
            assert!(
                found.0 <= position && found.1.abs() <= energy,
                "{solver}, {impacts}, {m} kg, {h}: {found:?}"
            );
        }
    }
}

/// A relaxed joint passes impacts as a rigid one: the node's motion is the same to what it gives way, twice as much as at rest where it
/// starts without a force.
#[test]
fn a_relaxed_joint_changes_the_motion_by_what_it_gives_way() {
    for (solver, _) in &WAYS[..2] {
        let (error, energy) = rigid((solver, "sub-step"), 1.0, "1e-4", 2e-8);
        // The weight of the rod times the way that the joint gives.
        assert!(
            error < 3.8e-7 && energy.abs() < 2.0 * 8437.5 * 2e-8 * 9.4,
            "{solver}: {error:e} m, {energy:e} J"
        );
    }
}

/// The elastic blade until 0.25 s: largest error of the node (m), energy (J) too much, impacts of the exact solution.
fn elastic((solver, impacts): (&str, &str), m: f64, h: f64) -> (f64, f64, usize) {
    let settings =
        [format!("master.impacts={impacts}"), "time.end=0.25".to_owned(), format!("time.step={h:e}")];
    let run = Run::of(&Run::text(&model(m, solver), &settings.each_ref().map(String::as_str)));
    let (mut mass, stiffness, mut load, shape) = blade();
    mass[(STOP, STOP)] += m;
    load[STOP] -= 10.0 * m;
    let mut exact = Exact::new((mass, stiffness, load), STOP, 0.8);
    let (mut q, mut v) = (shape.clone(), DVector::zeros(shape.len()));
    let start = exact.energy(&q, &v);
    let mut worst = 0.0_f64;
    for (k, z) in run.column("node.z").iter().enumerate() {
        if k > 0 {
            // Short enough to see every event.
            let parts = (h / 1e-5_f64).round();
            (0..parts as usize).for_each(|_| exact.advance(&mut q, &mut v, h / parts));
        }
        worst = worst.max((z - q[STOP]).abs());
    }
    let change = exact.energy(&q, &v) - start;
    (worst, run.report.energy.end - run.report.energy.start - change, exact.impacts)
}

/// The energy is that of 25 J.
#[test]
fn elastic_blade_is_as_accurate_as_in_the_table() {
    for (m, h, errors) in [
        (1.0, 1e-3, [(4.1e-5, 0.007), (3.4e-5, 0.020), (3.7e-5, 0.008), (3.0e-5, 0.015)]),
        (1e-3, 1e-3, [(5.9e-5, 0.027), (7.0e-5, 0.139), (2.0e-4, 0.003), (2.1e-4, 0.069)]),
        (1.0, 1e-4, [(1.5e-5, 1.2e-3), (2.3e-5, 7.4e-3), (2.4e-5, 2.6e-3), (3.2e-5, 7e-4)]),
        (1e-3, 1e-4, [(1.5e-5, 1.6e-3), (9.0e-6, 7e-4), (1.5e-5, 3.3e-3), (6.0e-6, 2.6e-3)]),
    ] {
        for (displacement, (position, energy)) in WAYS.into_iter().zip(errors) {
            let found = elastic(displacement, m, h);
            let what = format!("{displacement:?}, {m} kg, h = {h:e}: {found:?}");
            assert!(found.0 <= 1.5 * position && found.1.abs() <= 2.0 * energy + 1e-3, "{what}");
            assert_eq!(found.2, if m == 1.0 { 112 } else { 116 }, "impacts of the exact solution");
        }
    }
}
