//! A slider-crank whose motor torque a PI control sets from the speed of the crank: signals both ways.
//!
//! Reference, in this file: the machine is one degree of freedom, the angle `θ` of the crank, and the control adds a state,
//!
//! ```text
//!   I θ̈ + ½ I' θ̇² + V' = u      u = kp (w − θ̇) + s      ṡ = ki (w − θ̇)      I = J + m_r |r'|² + J_r β'² + m_s x'²
//! ```
//!
//! integrated as a whole by the classical Runge-Kutta rule of order four with 20 µs.

use coupling_tests::{Measured, Run, fitted_order};

const MODEL: &str = "controlled-slider-crank/model.toml";
/// Length of the crank; of the rod (m).
const R: f64 = 0.1;
const L: f64 = 0.3;
/// Gains (N m s/rad, N m/rad) and setpoint (rad/s).
const KP: f64 = 0.5;
const KI: f64 = 2.0;
const SETPOINT: f64 = 20.0;

/// Inertia seen at the crank (kg m²); derivative of the potential energy, the load on the slider included (N m).
fn seen(angle: f64) -> (f64, f64) {
    let (s, c) = angle.sin_cos();
    let sin_rod = R * s / L;
    let cos_rod = (1.0 - sin_rod * sin_rod).sqrt();
    let of_rod = R * c / (L * cos_rod);
    let slider = -R * s - L * sin_rod * of_rod;
    let centre = [-R * s - 0.5 * L * sin_rod * of_rod, 0.5 * R * c];
    let rod = 0.5 * (centre[0] * centre[0] + centre[1] * centre[1]) + 4e-3 * of_rod * of_rod;
    (0.02 + rod + slider * slider, 0.5 * 9.81 * centre[1] + 20.0 * slider)
}

/// Angle (rad), its rate, and the integral part of the torque (N m).
type State = [f64; 3];

fn rates([angle, rate, integral]: State) -> State {
    const WIDTH: f64 = 1e-5;
    let slope = (seen(angle + WIDTH).0 - seen(angle - WIDTH).0) / (2.0 * WIDTH);
    let (inertia, weight) = seen(angle);
    let torque = KP * (SETPOINT - rate) + integral;
    [rate, (torque - 0.5 * slope * rate * rate - weight) / inertia, KI * (SETPOINT - rate)]
}

/// The machine and its control at a time (s), as one system.
fn exact(end: f64) -> State {
    let h = 2e-5;
    let moved = |x: State, h: f64, k: State| [0, 1, 2].map(|i| x[i] + h * k[i]);
    let mut x = [0.0; 3];
    for _ in 0..(end / h).round() as usize {
        let k1 = rates(x);
        let k2 = rates(moved(x, 0.5 * h, k1));
        let k3 = rates(moved(x, 0.5 * h, k2));
        let k4 = rates(moved(x, h, k3));
        x = [0, 1, 2].map(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x
}

/// The example without limits of the torque, with all inputs held so.
fn unlimited(hold: &str, step: f64, end: f64) -> Run {
    let settings = [
        "subsystem.governor.upper=1e3".to_owned(),
        "subsystem.governor.lower=-1e3".to_owned(),
        format!("subsystem.governor.hold=\"{hold}\""),
        format!("subsystem.machine.force.motor.hold=\"{hold}\""),
        format!("time.step={step:?}"),
        format!("time.end={end:?}"),
    ];
    Run::example(MODEL, &settings.each_ref().map(String::as_str))
}

#[test]
fn the_coupled_run_meets_the_machine_and_its_control_as_one_system() {
    let end = 0.6;
    let [angle, rate, integral] = exact(end);
    for (hold, order, largest) in [("held", 1.0, 0.1), ("linear", 2.0, 5e-3)] {
        let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
        let errors = steps.map(|step| {
            let run = unlimited(hold, step, end);
            let last = |name: &str| *run.column(name).last().unwrap();
            let torque = KP * (SETPOINT - rate) + integral;
            let off = [
                last("machine.shaft.angle") - angle,
                (last("machine.shaft.rate") - rate) / SETPOINT,
                (last("governor.output") - torque) / torque,
            ];
            off.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
        });
        let found = fitted_order(&steps, &errors);
        assert!((found - order).abs() < 0.15, "{hold}: order {found}, errors {errors:?}");
        assert!(errors[1] < largest, "{hold}: errors {errors:?}");
    }
}

#[test]
fn the_limited_control_reaches_its_setpoint_and_the_energy_closes() {
    let model = Run::model(MODEL, &[]);
    let run = Run::completed(&model);
    let torque = run.column("governor.output");
    assert_eq!(torque[0], 6.0);
    assert!(torque.iter().all(|torque| torque.abs() <= 6.0));
    // Over whole turns the integral part comes back to where it was: the mean speed is the setpoint.
    let angle = run.column("machine.shaft.angle");
    let (last, turns) = (angle.len() - 1, 628);
    let mean = (angle[last] - angle[last - turns]) / (turns as f64 * 1e-3);
    assert!((mean - SETPOINT).abs() < 0.05, "{mean}");

    // The work of motor, load and gravity is the change of the energy: what motor and load put in is external work.
    let slider = run.column("machine.slider.x");
    let work = |k: usize| {
        let motor = 0.5 * (torque[k] + torque[k - 1]) * (angle[k] - angle[k - 1]);
        motor - 20.0 * (slider[k] - slider[k - 1])
    };
    let external: f64 = (1..torque.len()).map(work).sum();
    let energy = run.report.energy;
    assert!((energy.external - external).abs() < 1e-3 * external.abs(), "{external} {energy:?}");
    let measured = Measured::of(&model, &run);
    let balance = energy.end - energy.start - energy.external - energy.subsystems;
    assert!(balance.abs() < 1e-10 * energy.end, "{balance:e}: {energy:?}");
    assert!(energy.subsystems.abs() < 1e-4 * energy.end, "{energy:?}");
    assert!((energy.end - energy.start - measured.change).abs() < 1e-10 * energy.end, "{energy:?}");
}

#[test]
fn a_resumed_run_and_one_by_threads_have_the_same_bits() {
    let model = Run::model(MODEL, &["time.end=0.3", "checkpoint.every_steps=0"]);
    let (whole, resumed) = (Run::completed(&model), Run::interrupted(&model, &[1, 2, 137]));
    let threads = [&["time.end=0.3", "master.threads=2"], &["time.end=0.3", "master.execution=\"threads\""]];
    let others = threads.map(|settings| Run::example(MODEL, settings));
    for name in ["machine.shaft.angle", "machine.shaft.rate", "governor.output", "governor.integral"] {
        let bits = |run: &Run| run.column(name).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for other in others.iter().chain([&resumed]) {
            assert_eq!(bits(&whole), bits(other), "{name}");
        }
    }
}
