//! Energy: conserved in free flight, and accounted for where a scheme does not conserve it.
//!
//! What a run gains or loses besides contacts, loads and dampers is measured here from positions and velocities, by
//! formulas of each model's own, and compared with what the monitor has summed up step by step from forces and ways.

use cosimo::master::EnergyBalance;
use coupling_tests::Run;

const FLIGHT: [&str; 5] = [
    "subsystem.lower.gravity=[0, 0, 0]",
    "subsystem.upper.gravity=0",
    "subsystem.upper.velocity=1",
    "time.step=1e-3",
    "time.end=20",
];
const RIGID_FLIGHT: [&str; 6] = [
    "subsystem.node.gravity=[0, 0, 0]",
    "subsystem.node.plane.stop.point=[0, 0, -1]",
    "subsystem.rod.force=[0]",
    "subsystem.rod.stiffness=[1e6]",
    "time.step=1e-3",
    "time.end=20",
];
const THESIS: [&str; 4] = [
    "master.discretisation=position",
    "interface.joint.law=tikhonov",
    "subsystem.rod.solver=multistep",
    "time.end=0.25",
];

/// Energies of the oscillator at the start and at the end, for a spring of this stiffness.
fn oscillator(run: &Run, stiffness: f64, gravity: f64) -> (f64, f64) {
    let [z, vz, u, vu] = ["lower.z", "lower.vz", "upper.z", "upper.v_z"].map(|name| run.column(name));
    let energy = |i: usize| {
        let stretch = u[i] - z[i] - 0.5;
        0.5 * (vz[i] * vz[i] + vu[i] * vu[i]) + 0.5 * stiffness * stretch * stretch + gravity * (z[i] + u[i])
    };
    (energy(0), energy(z.len() - 1))
}

/// Energies of the linearised droop stop with a node of 1 kg.
fn droop_stop(run: &Run) -> (f64, f64) {
    let [z, vz, x, vx] = ["node.z", "node.vz", "rod.x", "rod.v_x"].map(|name| run.column(name));
    let energy = |i: usize| 0.5 * vz[i] * vz[i] + 10.0 * z[i] + 0.5 * 14062.5 * vx[i] * vx[i] + 8437.5 * x[i];
    (energy(0), energy(z.len() - 1))
}

/// Energies of the nonlinear one.
fn falling_rod(run: &Run) -> (f64, f64) {
    let [z, vz, y, vx, vy, omega] =
        ["node.z", "node.vz", "rod.rod.y", "rod.rod.vx", "rod.rod.vy", "rod.rod.omega"]
            .map(|name| run.column(name));
    let energy = |i: usize| {
        let rod = 0.5 * 67.5 * (vx[i] * vx[i] + vy[i] * vy[i]) + 0.5 * 316.406_25 * omega[i] * omega[i];
        0.5 * vz[i] * vz[i] + 10.0 * z[i] + rod + 675.0 * y[i]
    };
    (energy(0), energy(z.len() - 1))
}

/// The monitor's sum is the drift measured, to one per cent, and the balance closes.
fn assert_monitored(what: &str, run: &Run, (start, end): (f64, f64), scale: f64) {
    let EnergyBalance { contact, external, dissipated, monitor_sum, interfaces, subsystems, .. } =
        run.report.energy;
    let drift = end - start - contact - external + dissipated;
    assert!(drift.abs() > 1e-9 * scale, "{what}: a drift of {drift:e} J shows nothing");
    assert!(
        (monitor_sum / drift - 1.0).abs() < 1e-2,
        "{what}: monitor {monitor_sum:e} J, measured {drift:e} J"
    );
    assert!((interfaces + subsystems - monitor_sum).abs() <= 1e-12 * monitor_sum.abs());
    let reported = run.report.energy.end - run.report.energy.start;
    assert!((reported - (end - start)).abs() < 1e-9 * scale, "{what}: energy changes by {reported:e} J");
}

#[test]
fn spring_between_midpoint_rules_conserves_energy() {
    let run = Run::example("oscillator/model.toml", &FLIGHT);
    assert_eq!((run.report.steps, run.report.impacts), (20_000, 0));
    let (start, end) = oscillator(&run, 1e3, 0.0);
    assert!((end / start - 1.0).abs() <= 1e-10, "relative drift {:e}", end / start - 1.0);
    let created = run.report.energy.interfaces;
    assert!(created.abs() <= 1e-10 * start, "the interface makes {created:e} J");
}

#[test]
fn rigid_joint_between_midpoint_rules_conserves_energy() {
    for mass in ["1e-3", "1", "1e4"] {
        let node = format!("subsystem.node.mass={mass}");
        let run = Run::example("droop-stop/model.toml", &[RIGID_FLIGHT.as_slice(), &[&node]].concat());
        assert_eq!((run.report.steps, run.report.impacts), (20_000, 0));
        let energy = run.report.energy;
        assert!((energy.end / energy.start - 1.0).abs() <= 1e-10, "{mass} kg: {energy:?}");
        let gap = run.column("joint.gap").iter().fold(0.0_f64, |most, g| most.max(g.abs()));
        assert!(gap <= 1e-12, "{mass} kg: gap {gap:e} m");
    }
}

#[test]
fn rigid_joints_of_three_coordinates_conserve_energy() {
    let free = [
        "subsystem.a.contact.stop.offset=-1000",
        "subsystem.c.contact.stop.offset=-1000",
        "subsystem.a.damping=[0, 0, 0, 0, 0]",
        "subsystem.b.damping=[0, 0, 0, 0, 0, 0]",
        "subsystem.c.damping=[0, 0, 0, 0, 0]",
        "time.end=10",
    ];
    let run = Run::example("three-subsystems/model.toml", &free);
    assert_eq!((run.report.steps, run.report.impacts), (20_000, 0));
    // It swings about the rest position of the loads, whose potential is what there is to convert.
    let energy = run.report.energy;
    assert!(energy.end.abs() < 1e-12, "{energy:?}");
    let speed = run.column("a.v_q0").iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    assert!(speed > 1e-3, "nothing moves");
}

#[test]
fn monitor_tells_what_rules_that_damp_take_out() {
    for solver in ["multistep", "generalized-alpha", "{ method = \"multistep\", spectral_radius = 0 }"] {
        let setting = format!("subsystem.upper.solver={solver}");
        let run = Run::example("oscillator/model.toml", &[FLIGHT.as_slice(), &[&setting]].concat());
        let energies = oscillator(&run, 1e3, 0.0);
        assert_monitored(solver, &run, energies, energies.0);
        assert!(run.report.energy.monitor_sum < 0.0);
    }
    let implicit_euler = [
        "subsystem.lower.solver={ method = \"moreau-jean\", theta = 1.0 }",
        "subsystem.upper.solver={ method = \"theta\", theta = 1.0 }",
    ];
    let run = Run::example("oscillator/model.toml", &[FLIGHT.as_slice(), &implicit_euler].concat());
    assert_monitored("theta = 1", &run, oscillator(&run, 1e3, 0.0), 0.5);
}

#[test]
fn monitor_tells_what_impacts_inside_steps_make() {
    for (step, impacts) in [("1e-3", "sub-step"), ("1e-4", "sub-step"), ("1e-3", "plain")] {
        let settings = [format!("time.step={step}"), format!("master.impacts={impacts}")];
        let run = Run::example("oscillator/model.toml", &[&settings[0], &settings[1], "time.end=0.9"]);
        let energies = oscillator(&run, 1e3, 10.0);
        let drift = energies.1 - energies.0 - run.report.energy.contact;
        if impacts == "plain" {
            // The impact law on mean forces books its work exactly: there is nothing to monitor.
            assert!(drift.abs() < 1e-10 && run.report.energy.monitor_sum.abs() < 1e-10, "{drift:e}");
        } else {
            assert_monitored(&format!("impacts {impacts}, h = {step}"), &run, energies, 16.0);
        }
    }
}

#[test]
fn monitor_tells_what_position_rows_make() {
    for constant in ["5e-9", "5e-10", "1e-16"] {
        let setting = format!("interface.joint.constant={constant}");
        let run = Run::example("droop-stop/model.toml", &[THESIS.as_slice(), &[&setting]].concat());
        let energies = droop_stop(&run);
        assert_monitored(&format!("position rows, c = {constant}"), &run, energies, 25.3);
        let interfaces = run.report.interfaces[0].energy_monitor;
        assert!((interfaces - run.report.energy.interfaces).abs() < 1e-12 * interfaces.abs());
    }
    // Without a relaxation the finite multiplier rings and makes energy out of nothing: the monitor says so.
    let run = Run::example(
        "droop-stop/model.toml",
        &[THESIS.as_slice(), &["interface.joint.constant=1e-16"]].concat(),
    );
    assert!(run.report.energy.monitor_sum > 25.3, "{:?}", run.report.energy);
}

#[test]
fn monitor_tells_what_a_relaxed_joint_takes_out() {
    let run = Run::example(
        "droop-stop/model.toml",
        &["interface.joint.law=tikhonov", "interface.joint.constant=5e-9", "time.end=0.25"],
    );
    assert_monitored("Tikhonov, impulse rows", &run, droop_stop(&run), 25.3);
}

#[test]
fn monitor_tells_what_an_unfinished_iteration_makes() {
    for tolerance in ["1e-2", "1e-4"] {
        let settings = [format!("master.tolerance={tolerance}"), "interface.joint.constant=5e-9".to_owned()];
        let more = ["master.scheme=gauss-seidel", &settings[0], &settings[1]];
        let run = Run::example("droop-stop/model.toml", &[THESIS.as_slice(), &more].concat());
        assert_monitored(&format!("Gauss-Seidel, tolerance {tolerance}"), &run, droop_stop(&run), 25.3);
        let more = ["master.scheme=gauss-seidel", &settings[0]];
        let run = Run::example("oscillator/model.toml", &[FLIGHT.as_slice(), &more].concat());
        let energies = oscillator(&run, 1e3, 0.0);
        assert_monitored(&format!("Gauss-Seidel on a spring, tolerance {tolerance}"), &run, energies, 0.5);
        // Both rules conserve: it is the interface, and nothing else.
        let energy = run.report.energy;
        assert!(energy.subsystems.abs() < 1e-3 * energy.interfaces.abs(), "{energy:?}");
    }
}

#[test]
fn monitor_tells_what_a_curved_motion_makes() {
    for step in ["4e-3", "1e-3"] {
        let run = Run::example("droop-stop-nonlinear/model.toml", &[&format!("time.step={step}")]);
        assert_monitored(&format!("falling rod, h = {step}"), &run, falling_rod(&run), 2200.0);
    }
}
