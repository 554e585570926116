//! Spring-damper joints of three coordinates with full matrices, between two point masses in space.
//!
//! Reference, in this file: the matrix exponential of the linear system,
//!
//! ```text
//!   x(t) = exp(t S) x(0)      S = [0, I; −M⁻¹ K̂, −M⁻¹ D̂]      K̂ = [K, −K; −K, K],  D̂ likewise
//! ```

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, fitted_order, step_sizes};
use nalgebra::{DMatrix, DVector, dmatrix, dvector};

const MODEL: &str = r#"
schema = 1
time = { end = 0.3, step = 1e-3 }

[[subsystem]]
name = "a"
kind = "node"
mass = 1.5
position = [0.1, -0.2, 0.05]
velocity = [1.0, 0.5, -2.0]

[[subsystem]]
name = "b"
kind = "linear"
coordinates = ["x", "y", "z"]
mass = [2.0, 2.5, 3.0]
position = [0.0, 0.0, 0.0]
velocity = [-0.3, 0.2, 0.1]
port = [{ name = "centre", coordinates = ["x", "y", "z"] }]

[[interface]]
name = "bushing"
between = ["a.centre", "b.centre"]
law = "compliant"
stiffness = [[900.0, 250.0, -120.0], [250.0, 600.0, 80.0], [-120.0, 80.0, 1400.0]]
damping = [[3.0, 1.0, 0.5], [1.0, 4.0, -0.7], [0.5, -0.7, 2.0]]
offset = [0.1, -0.2, 0.05]
"#;
const FLOOR: &str = r#"
[[subsystem.plane]]
name = "floor"
point = [0, 0, 0.0]
normal = [0.3, -0.2, 1.0]
restitution = 0.7
"#;
const STATE: [&str; 12] =
    ["a.x", "a.y", "a.z", "b.x", "b.y", "b.z", "a.vx", "a.vy", "a.vz", "b.v_x", "b.v_y", "b.v_z"];

fn run(text: &str, overrides: &[&str]) -> Run {
    Run::completed(&Run::text(text, overrides))
}

fn stiffness() -> DMatrix<f64> {
    dmatrix![900.0, 250.0, -120.0; 250.0, 600.0, 80.0; -120.0, 80.0, 1400.0]
}

fn damping() -> DMatrix<f64> {
    dmatrix![3.0, 1.0, 0.5; 1.0, 4.0, -0.7; 0.5, -0.7, 2.0]
}

/// State at `t` (s): displacements from the unstretched state, then velocities.
fn exact(k: &DMatrix<f64>, d: &DMatrix<f64>, t: f64) -> DVector<f64> {
    let masses = [1.5, 1.5, 1.5, 2.0, 2.5, 3.0];
    let mut s = DMatrix::zeros(12, 12);
    for i in 0..6 {
        s[(i, 6 + i)] = 1.0;
        for j in 0..6 {
            let sign = if (i < 3) == (j < 3) { -1.0 } else { 1.0 };
            s[(6 + i, j)] = sign * k[(i % 3, j % 3)] / masses[i];
            s[(6 + i, 6 + j)] = sign * d[(i % 3, j % 3)] / masses[i];
        }
    }
    let start = dvector![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5, -2.0, -0.3, 0.2, 0.1];
    (s * t).exp() * start
}

fn state(run: &Run, t: f64) -> DVector<f64> {
    let offset = [0.1, -0.2, 0.05];
    let at =
        STATE.iter().enumerate().map(|(i, name)| run.at(name, t) - offset.get(i).copied().unwrap_or(0.0));
    DVector::from_iterator(12, at)
}

/// Errors of the state at the end, positions weighted by 30 rad/s, for each step size.
fn errors(steps: &[f64], overrides: &[&str], (k, d): (&DMatrix<f64>, &DMatrix<f64>)) -> Vec<f64> {
    let error = |h: &f64| {
        let run = run(MODEL, &[overrides, &[format!("time.step={h:e}").as_str()]].concat());
        let mut difference = state(&run, 0.3) - exact(k, d, 0.3);
        difference.rows_mut(0, 6).scale_mut(30.0);
        difference.amax()
    };
    steps.iter().map(error).collect()
}

#[test]
fn full_matrices_are_of_order_two() {
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    for solver in ["theta", "multistep", "generalized-alpha"] {
        let setting = format!("subsystem.b.solver={solver}");
        let found = errors(&steps, &[&setting], (&stiffness(), &damping()));
        let order = fitted_order(&steps, &found);
        assert!((order - 2.0).abs() < 0.05, "{solver}: order {order:.3} of {found:?}");
        assert!(found[3] < 1e-4, "{solver}: {found:?}");
    }
}

#[test]
fn direction_without_stiffness_transmits_nothing() {
    // Stiffness and damping along one direction only, none across it: momentum across is that of the start.
    let along = dvector![2.0, -1.0, 2.0] / 3.0;
    let (k, d) = (&along * along.transpose() * 900.0, &along * along.transpose() * 2.0);
    let text = |m: &DMatrix<f64>| {
        let rows: Vec<String> =
            (0..3).map(|i| format!("[{}, {}, {}]", m[(i, 0)], m[(i, 1)], m[(i, 2)])).collect();
        format!("[{}]", rows.join(", "))
    };
    let settings = [
        format!("interface.bushing.stiffness={}", text(&k)),
        format!("interface.bushing.damping={}", text(&d)),
    ];
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let steps = [2e-3, 1e-3, 5e-4];
    let found = errors(&steps, &settings, (&k, &d));
    let order = fitted_order(&steps, &found);
    assert!((order - 2.0).abs() < 0.05 && found[2] < 1e-3, "order {order:.3} of {found:?}");
    let end = state(&run(MODEL, &settings), 0.3);
    // (1, 2, 0) is orthogonal to the spring.
    let across = end[6] + 2.0 * end[7];
    assert!((across - 2.0).abs() < 1e-12, "{across}");
}

#[test]
fn energy_and_momentum_are_kept() {
    let run = run(MODEL, &["time.end=20", "interface.bushing.damping=0"]);
    let energy = run.report.energy;
    assert_eq!(run.report.steps, 20_000);
    assert!((energy.end / energy.start - 1.0).abs() <= 1e-10, "{energy:?}");
    for (a, b, mass) in [("a.vx", "b.v_x", 2.0), ("a.vy", "b.v_y", 2.5), ("a.vz", "b.v_z", 3.0)] {
        let momentum = |t: f64| 1.5 * run.at(a, t) + mass * run.at(b, t);
        assert!((momentum(20.0) - momentum(0.0)).abs() < 1e-10);
    }
}

#[test]
fn dampers_take_out_what_is_missing() {
    let run = run(MODEL, &[]);
    let energy = run.report.energy;
    assert!(energy.dissipated > 0.1, "{energy:?}");
    assert!((energy.end - energy.start + energy.dissipated).abs() < 1e-12 * energy.start, "{energy:?}");
    assert!((run.report.interfaces[0].energy_dissipated - energy.dissipated).abs() < 1e-15);
    // The joint itself makes nothing.
    let created = run.report.interfaces[0].energy_monitor;
    assert!(
        created.abs() < 1e-12 * energy.start && energy.monitor_sum.abs() < 1e-12 * energy.start,
        "{energy:?}"
    );
    // Against the exact solution, whose energy is that of its state.
    let x = exact(&stiffness(), &damping(), 0.3);
    let stretch = x.rows(0, 3) - x.rows(3, 3);
    let kinetic: f64 =
        [1.5, 1.5, 1.5, 2.0, 2.5, 3.0].iter().zip(x.iter().skip(6)).map(|(m, v)| 0.5 * m * v * v).sum();
    let end = kinetic + 0.5 * (stretch.transpose() * stiffness() * &stretch)[0];
    assert!((energy.end - end).abs() < 1e-3, "{} instead of {end} J", energy.end);
}

#[test]
fn impacts_behind_full_matrices_are_of_order_two() {
    // A tilted plane meets the first mass; the jump goes through dashpots in all coordinates.
    let text =
        MODEL.replacen("\n[[subsystem]]\nname = \"b\"", &format!("{FLOOR}\n[[subsystem]]\nname = \"b\""), 1);
    assert!(text.contains("floor"));
    let at_end = |h: f64| {
        let run =
            run(&text, &[&format!("time.step={h:e}"), "time.end=0.36", "subsystem.a.gravity=[0, 0, -15]"]);
        let impacts = run.events_at("a.floor", ContactEventKind::Impact).len();
        (DVector::from_iterator(12, STATE.iter().map(|name| run.at(name, 0.36))), impacts)
    };
    let (fine, impacts) = at_end(1e-5 / 2.0);
    assert_eq!(impacts, 4);
    let steps: Vec<f64> = step_sizes(2e-3, 1e-4, 24).iter().map(|h| 0.36 / (0.36 / h).round()).collect();
    let errors: Vec<f64> = steps
        .iter()
        .map(|h| {
            let (found, count) = at_end(*h);
            assert_eq!(count, impacts, "h = {h:e}");
            (found - &fine).rows(0, 6).amax()
        })
        .collect();
    let order = fitted_order(&steps, &errors);
    assert!(order >= 1.8, "fitted order {order:.3} of {errors:?}");
}
