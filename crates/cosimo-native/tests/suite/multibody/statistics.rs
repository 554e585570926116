//! What subsystems report of their work.

use cosimo_multibody::spatial::RigidBody;
use cosimo_native::FreeBodyBuilder;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use nalgebra::Matrix3;

use super::models::pendulum;

/// Begun and given up: by `discard`, by another `begin`, for a jump; and a state restored. A step taken is none of them.
fn assert_counts_rollbacks(system: &mut dyn Subsystem) {
    let rows = system.rows().positions.len();
    let (step, nothing) = (MacroStep { time: 0.0, size: 1e-3 }, StepLoads::zeros(rows));
    let told = |system: &dyn Subsystem| system.statistics().rollbacks;
    system.discard();
    assert_eq!(told(system), 0, "there was nothing to give up");
    system.begin(step, &nothing.impulses).unwrap();
    system.discard();
    assert_eq!(told(system), 1);
    system.begin(step, &nothing.impulses).unwrap();
    system.begin(step, &nothing.impulses).unwrap();
    assert_eq!(told(system), 2);
    system.prepare_jump(1e-3).unwrap();
    assert_eq!(told(system), 3);
    let saved = system.save().unwrap();
    system.begin(step, &nothing.impulses).unwrap();
    system.commit(&nothing).unwrap();
    system.discard();
    assert_eq!((told(system), system.statistics().steps), (3, 1));
    system.restore(&saved).unwrap();
    assert_eq!(told(system), 4);
}

#[test]
fn steps_given_up_are_rollbacks() {
    assert_counts_rollbacks(&mut pendulum().build().unwrap());
    let body = RigidBody::new(1.5, Matrix3::identity()).unwrap();
    assert_counts_rollbacks(&mut FreeBodyBuilder::new("body", body).build().unwrap());
}
