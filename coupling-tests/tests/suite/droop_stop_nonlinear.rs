//! The rigidly coupled droop stop at large angles: a rod falls from 60° with a node joined to its stop arm.
//!
//! Reference, in this file: node and rod are one body of one degree of freedom, the angle `φ`,
//!
//! ```text
//!   (I + m r² cos²φ) φ̈ = m r² sin φ cos φ φ̇² − (M g L/2 + m g r) cos φ        φ̇⁺ = −e φ̇⁻ at φ = 0
//! ```
//!
//! integrated by the classical Runge-Kutta rule of order four with 20 µs, stopped at `φ = 0` by Newton's method on the
//! length of the last step.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, fitted_order};

const MODEL: &str = "droop-stop-nonlinear/model.toml";
const END: f64 = 1.9;
const MASSES: [f64; 3] = [1e-3, 1.0, 100.0];
const RADIUS: f64 = 0.3;
/// Moment of inertia about the hinge (kg m²) and static moment times gravity (N m) of the rod.
const ROD: (f64, f64) = (1265.625, 2531.25);

#[derive(Clone, Copy)]
struct Pendulum {
    node: f64,
    angle: f64,
    rate: f64,
}

impl Pendulum {
    fn new(node: f64) -> Self {
        Self { node, angle: std::f64::consts::FRAC_PI_3, rate: 0.0 }
    }

    fn acceleration(self) -> f64 {
        let (s, c) = self.angle.sin_cos();
        let swept = self.node * RADIUS * RADIUS;
        (swept * s * c * self.rate * self.rate - (ROD.1 + 10.0 * self.node * RADIUS) * c)
            / (ROD.0 + swept * c * c)
    }

    fn moved(self, h: f64, (rate, acceleration): (f64, f64)) -> Self {
        Self { angle: self.angle + h * rate, rate: self.rate + h * acceleration, ..self }
    }

    fn step(self, h: f64) -> Self {
        let slope = |p: Self| (p.rate, p.acceleration());
        let k1 = slope(self);
        let k2 = slope(self.moved(0.5 * h, k1));
        let k3 = slope(self.moved(0.5 * h, k2));
        let k4 = slope(self.moved(h, k3));
        self.moved(h / 6.0, (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0, k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1))
    }

    /// State at the end, and impacts: time and rate before.
    fn fly(self, end: f64) -> (Self, Vec<(f64, f64)>) {
        let (mut p, mut t, mut impacts) = (self, 0.0, Vec::new());
        while t < end - 1e-12 {
            let h = 2e-5_f64.min(end - t);
            let next = p.step(h);
            if next.angle > 0.0 {
                (p, t) = (next, t + h);
                continue;
            }
            let mut part = h * p.angle / (p.angle - next.angle);
            for _ in 0..10 {
                let at = p.step(part);
                part -= at.angle / at.rate;
            }
            (p, t) = (p.step(part), t + part);
            impacts.push((t, p.rate));
            (p.angle, p.rate) = (0.0, -0.8 * p.rate);
        }
        (p, impacts)
    }
}

fn run(node: f64, h: f64, more: &[&str]) -> Run {
    let settings = [format!("subsystem.node.mass={node:e}"), format!("time.step={h:e}")];
    Run::example(MODEL, &[&[settings[0].as_str(), &settings[1]], more].concat())
}

#[test]
fn reference_conserves_energy() {
    for node in MASSES {
        let energy = |p: Pendulum| {
            let inertia = ROD.0 + node * (RADIUS * p.angle.cos()).powi(2);
            0.5 * inertia * p.rate * p.rate + (ROD.1 + 10.0 * node * RADIUS) * p.angle.sin()
        };
        let (start, end) = (Pendulum::new(node), Pendulum::new(node).fly(1.0).0);
        assert!((energy(end) / energy(start) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn order_two_through_the_impact() {
    for node in MASSES {
        let (exact, _) = Pendulum::new(node).fly(END);
        let steps = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];
        let error = |h: f64| {
            let run = run(node, h, &[]);
            (run.at("rod.rod.angle", END) - exact.angle)
                .abs()
                .max(1e-1 * (run.at("rod.rod.omega", END) - exact.rate).abs())
        };
        let errors = steps.map(error);
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!(
                (3.8..4.2).contains(&ratio),
                "{node} kg: halving the step divides the error by {ratio:.3}: {errors:?}"
            );
        }
        let order = fitted_order(&steps, &errors);
        assert!((order - 2.0).abs() < 0.02, "{node} kg: order {order:.3}");
        assert!(errors[4] < 1e-5, "{node} kg: {errors:?}");
    }
}

#[test]
fn impact_happens_as_on_one_body() {
    for node in MASSES {
        let (_, exact) = Pendulum::new(node).fly(END);
        let run = run(node, 2.5e-4, &[]);
        assert_eq!((run.events.len(), exact.len()), (1, 1), "{node} kg");
        let (event, (time, rate)) = (&run.events[0], exact[0]);
        assert_eq!(event.kind, ContactEventKind::Impact);
        assert!((event.time - time).abs() < 1e-6, "{node} kg: at {} s, exact {time} s", event.time);
        let [before, after] = event.velocities;
        assert!((before / (RADIUS * rate) - 1.0).abs() < 1e-6, "{node} kg: {event:?}");
        assert!((after / before + 0.8).abs() < 1e-9, "{node} kg: {event:?}");
        let inertia = ROD.0 / (RADIUS * RADIUS) + node;
        assert!((event.impulse / (-1.8 * before * inertia) - 1.0).abs() < 1e-6, "{node} kg: {event:?}");
    }
}

#[test]
fn one_correction_a_step_is_enough() {
    for node in MASSES {
        let model = Run::model(MODEL, &[&format!("subsystem.node.mass={node:e}")]);
        let mut master = model.build().unwrap();
        let (mut corrections, mut split, mut count) = (0, 0, 0);
        for step in 0..1900 {
            let summary = master.step(1e-3).unwrap();
            // A correction is one evaluation of the rod at new loads, after that of the beginning of the step.
            corrections += summary.iterations;
            split += u32::from(summary.parts > 1);
            if summary.parts == 1 {
                assert!(summary.iterations <= 3, "{node} kg, step {step}: {summary:?}");
            }
            count += 1;
        }
        assert!(
            f64::from(corrections) <= 1.2 * f64::from(count),
            "{node} kg: {corrections} in {count} steps"
        );
        assert_eq!(split, 1, "{node} kg: one step is split, at the impact");
        let evaluations = master.subsystems()[1].statistics().evaluations;
        assert!(
            evaluations as f64 <= 2.2 * f64::from(count),
            "{node} kg: {evaluations} evaluations of the rod"
        );
    }
}

#[test]
fn tight_tolerance_is_reached_at_any_mass_ratio() {
    for node in MASSES {
        let report = run(node, 1e-3, &["master.tolerance=1e-12"]).report;
        assert_eq!(report.failed_steps, 0);
        assert!(
            report.master_iterations_per_step() < 3.0,
            "{node} kg: {}",
            report.master_iterations_per_step()
        );
        assert!(report.interfaces[0].largest_residual <= 1e-12);
    }
}

#[test]
fn joint_stays_closed() {
    for node in MASSES {
        let gap =
            run(node, 2.5e-4, &[]).column("joint.gap").iter().fold(0.0_f64, |most, g| most.max(g.abs()));
        // The port of the rod moves on a circle: what the velocities leave of it, O(h³), is taken back a step later.
        assert!(gap < 1e-11, "{node} kg: {gap:e} m");
    }
}

/// The momentum of the node changes by its weight, the stop and the joint; steps that are split at impacts count in all
/// their parts.
#[test]
fn recorded_impulses_add_up_to_the_change_of_momentum() {
    let run = Run::example(MODEL, &["subsystem.node.mass=100", "record.every=1"]);
    assert_eq!(run.impacts().len(), 1);
    let sum = |name: &str| run.column(name).iter().sum::<f64>();
    let change = 100.0 * (run.at("node.vz", END) - run.at("node.vz", 0.0));
    let passed = sum("node.stop.impulse") - sum("joint.impulse") - 1000.0 * END;
    let size = sum("node.stop.impulse");
    assert!(
        size > 1e3 && (passed - change).abs() < 1e-9 * size,
        "{passed} N s, momentum {change} N s of {size}"
    );
}

/// What Newton's iteration of a run of 1.9 s costs.
struct Corrections {
    /// Of a step that is not split, the most, and of a step the mean.
    most: u32,
    mean: f64,
    /// Largest speed of the node in the last half second (m/s).
    rest: f64,
}

fn corrections(node: f64, more: &[&str]) -> Corrections {
    let mass = format!("subsystem.node.mass={node:e}");
    let model = Run::model(MODEL, &[&[mass.as_str()], more].concat());
    let mut master = model.build().unwrap();
    let mut found = Corrections { most: 0, mean: 0.0, rest: 0.0 };
    for step in 0..1900 {
        let summary = master.step(1e-3).unwrap();
        found.mean += f64::from(summary.iterations) / 1900.0;
        if summary.parts == 1 {
            found.most = found.most.max(summary.iterations);
        }
        if step >= 1400 {
            found.rest = found.rest.max(master.subsystems()[0].rows().velocities[0].abs());
        }
    }
    found
}

/// At a tolerance of 1e-6 one correction a step is enough with the inverse mass of the step, and two with one that is kept
/// from earlier steps.
#[test]
fn exact_and_frozen_inverse_masses_need_few_corrections_a_step() {
    for node in MASSES {
        for (tangent, enough) in [("exact", 1.2), ("frozen", 2.0)] {
            let settings = ["master.tolerance=1e-6".to_owned(), format!("master.tangent={tangent}")];
            let found = corrections(node, &[&settings[0], &settings[1]]);
            let Corrections { most, mean, .. } = found;
            assert!(mean <= enough && most <= 3, "{node} kg, {tangent}: mean {mean}, most {most}");
        }
    }
}

/// The motion does not depend on the tangent.
#[test]
fn frozen_inverse_masses_lead_to_the_same_motion() {
    for node in MASSES {
        let [exact, frozen] = ["exact", "frozen"].map(|tangent| {
            run(node, 1e-3, &["master.tolerance=1e-12", &format!("master.tangent={tangent}")])
        });
        let angles = [&exact, &frozen].map(|run| run.column("rod.rod.angle"));
        let apart = angles[0].iter().zip(&angles[1]);
        let worst = apart.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-11, "{node} kg: {worst:e}");
    }
}

/// No floor of round-off: a light node rests under the rod and is pressed onto the stop 10⁷ times its weight. Its velocity
/// comes of the condensed contact row and not of the difference between the impulses of stop and joint.
#[test]
fn light_nodes_reach_tight_tolerances() {
    for node in [1e-3, 1e-6] {
        for tolerance in ["1e-9", "1e-12"] {
            for restitution in ["0.0", "0.8"] {
                let settings = [
                    format!("master.tolerance={tolerance}"),
                    format!("subsystem.node.plane.stop.restitution={restitution}"),
                ];
                let Corrections { most, rest, .. } = corrections(node, &[&settings[0], &settings[1]]);
                assert!(most <= 3, "{node} kg, {tolerance}: {most} corrections");
                if restitution == "0.0" {
                    assert!(rest < 1e-12, "{node} kg: {rest:e} m/s");
                }
            }
        }
    }
}

/// The angle at the end of a fall on a stop of this stiffness (N/m^1.5) that gives way.
fn angle_after_penalty(stiffness: f64, h: f64) -> f64 {
    let overrides = [
        format!("time.step={h:e}"),
        format!("subsystem.rod.force.stop.stiffness={stiffness:e}"),
        "record.every=1000000".to_owned(),
    ];
    let run = Run::example("droop-stop-nonlinear/penalty.toml", &overrides.each_ref().map(String::as_str));
    // The rod turns about −y.
    -2.0 * run.at("rod.rod.qy", END).atan2(run.at("rod.rod.qw", END))
}

/// A contact of finite stiffness lasts, and the later the rod leaves it the more it is behind: by `K^(−2/5)`.
#[test]
fn rigid_stop_is_the_limit_of_a_stiff_one() {
    let exact = Pendulum { node: 0.0, ..Pendulum::new(0.0) }.fly(END).0.angle;
    let errors = [(1e9, 2e-4), (1e10, 1e-4)].map(|(k, h)| exact - angle_after_penalty(k, h));
    let ratio = errors[0] / errors[1];
    assert!(errors[1] > 0.0 && errors[1] < 0.012, "errors {errors:?}");
    assert!((ratio / 10.0_f64.powf(0.4) - 1.0).abs() < 0.05, "errors {errors:?}");
}
