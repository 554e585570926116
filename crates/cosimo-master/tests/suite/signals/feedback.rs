//! A closed loop against its closed form; saved, restored, by threads, and without allocation.

use allocation_counter::measure;
use cosimo_control::{ControllerBuilder, Pid, TransferFunction};
use cosimo_master::{Master, MasterConfig};
use cosimo_subsystem::{Hold, Subsystem, codec};

use super::{assemble, controller};
use crate::models::bouncing_mass;

/// A PI control of the plant `1 / (s + 1)`, from the setpoint 1: `ÿ + (1 + kp) ẏ + ki y = ki` with kp = 3, ki = 20.
fn controlled(hold: Hold) -> Vec<Box<dyn Subsystem>> {
    let plant = TransferFunction { numerator: vec![1.0], denominator: vec![1.0, 1.0] };
    let control = ControllerBuilder::new("control", Pid::new(3.0, 20.0)).with_default("setpoint", 1.0);
    vec![Box::new(control.with_hold(hold).build().unwrap()), controller("plant", plant, hold)]
}

const CONNECTIONS: [(&str, &str); 2] =
    [("control.output", "plant.input"), ("plant.output", "control.measurement")];

/// The control beside a bouncing ball.
fn closed_loop(hold: Hold, threads: u32) -> Master {
    let mut subsystems = controlled(hold);
    subsystems.push(bouncing_mass("ball", 1.0, 0.02));
    assemble(subsystems, &CONNECTIONS, MasterConfig { threads, ..MasterConfig::default() }).unwrap()
}

/// Answer of the plant at a time (s): `ẏ = 3` at the start.
fn exact(t: f64) -> f64 {
    let (decay, omega) = (2.0, 4.0_f64);
    1.0 - (-decay * t).exp() * ((omega * t).cos() + (decay - 3.0) / omega * (omega * t).sin())
}

fn error(hold: Hold, steps: u32) -> f64 {
    let mut master = assemble(controlled(hold), &CONNECTIONS, MasterConfig::default()).unwrap();
    for _ in 0..steps {
        master.step(1.0 / f64::from(steps)).unwrap();
    }
    (master.signal("plant.output").unwrap() - exact(1.0)).abs()
}

#[test]
fn held_signals_are_of_order_one_and_linear_ones_of_order_two() {
    for (hold, order) in [(Hold::Held, 1.0), (Hold::Linear, 2.0)] {
        let errors = [200, 400, 800].map(|steps| error(hold, steps));
        for pair in errors.windows(2) {
            let found = (pair[0] / pair[1]).log2();
            assert!((found - order).abs() < 0.1, "{hold:?}: order {found}, errors {errors:?}");
        }
    }
}

fn bits(master: &Master) -> Vec<u64> {
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn a_restored_run_and_one_with_threads_have_the_same_bits() {
    for hold in [Hold::Held, Hold::Linear, Hold::Smooth] {
        let mut master = closed_loop(hold, 1);
        let mut threaded = closed_loop(hold, 3);
        // At 0.06 s the ball has just bounced: the extrapolation is about to restart.
        for step in 0..40 {
            let state = codec::encode(&master.save().unwrap()).unwrap();
            let mut resumed = closed_loop(hold, 1);
            resumed.restore(&codec::decode(&state).unwrap()).unwrap();
            assert_eq!(bits(&resumed), bits(&master), "{hold:?}, restored after {step} steps");
            for other in [&mut resumed, &mut threaded, &mut master] {
                other.step(0.01).unwrap();
            }
            assert_eq!(bits(&resumed), bits(&master), "{hold:?}, step {step} after a restart");
            assert_eq!(bits(&threaded), bits(&master), "{hold:?}, step {step} by threads");
        }
    }
}

#[test]
fn outputs_are_recorded_with_their_units() {
    let master = closed_loop(Hold::Linear, 1);
    let labels = master.labels();
    let index = labels.iter().position(|label| label.owner == "control" && label.name == "output").unwrap();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    assert_eq!(values[index], 3.0);
}

#[test]
fn signals_allocate_nothing_after_the_first_step() {
    let mut master = closed_loop(Hold::Smooth, 1);
    master.step(0.01).unwrap();
    let info = measure(|| {
        for _ in 0..100 {
            master.step(0.01).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
}
