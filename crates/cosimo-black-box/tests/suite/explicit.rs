//! Explicit coupling of a single subsystem.

use crate::models::secret_chain;
use cosimo_black_box::Explicit;
use cosimo_dynamics::Multistep;
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use nalgebra::dmatrix;

#[test]
fn a_constant_acceleration_is_extrapolated_exactly() {
    let system = LinearSystem::new(dmatrix![2.0]).unwrap();
    let port = LinearRows(vec![LinearRow::coordinate(0)]);
    let mass = MechanismBuilder::new("mass", system).with_ports(&[("end", 1)], port).build().unwrap();
    let mut explicit = Explicit::new(mass);
    let mut time = 0.0;
    for (k, size) in [0.1, 0.1, 0.05].into_iter().enumerate() {
        let response = explicit.begin(MacroStep { time, size }, &[8.0]).unwrap().clone();
        // The same answer whatever the load, and as often as wanted.
        assert_eq!(explicit.evaluate(&[123.0]).unwrap(), &response);
        explicit.commit(&StepLoads { impulses: vec![8.0 * size], ..StepLoads::zeros(1) }).unwrap();
        time += size;
        let rows = explicit.rows();
        assert!((rows.velocities[0] - 4.0 * time).abs() < 1e-14);
        if k > 0 {
            assert!((response.velocities[0] - 4.0 * time).abs() < 1e-14, "{time} s: {response:?}");
            assert!((response.positions[0] - 2.0 * time * time).abs() < 1e-14, "{time} s: {response:?}");
        }
    }
}

#[test]
fn nothing_reaches_the_subsystem_before_the_commit() {
    let mut explicit = Explicit::new(secret_chain(2).without_roll_back());
    for size in [1e-3, 5e-4] {
        explicit.begin(MacroStep { time: 0.0, size }, &[0.0; 2]).unwrap();
        explicit.discard();
    }
    assert_eq!(explicit.statistics().evaluations, 0);
}

#[test]
fn loads_are_handed_over_as_the_subsystem_weighs_them() {
    // The multistep rule takes the load at the end of the step alone.
    let system = LinearSystem::new(dmatrix![1.0]).unwrap();
    let port = LinearRows(vec![LinearRow::coordinate(0)]);
    let build = || {
        MechanismBuilder::new("mass", LinearSystem::clone(&system))
            .with_rule(Multistep::new(0.6).unwrap())
            .with_ports(&[("end", 1)], LinearRows(port.0.clone()))
            .build()
            .unwrap()
    };
    let (mut explicit, mut plain) = (Explicit::new(build()), build());
    let step = MacroStep { time: 0.0, size: 1e-2 };
    let (start, end) = (3.0, 5.0);
    explicit.begin(step, &[start]).unwrap();
    let mean = 0.5 * step.size * (start + end);
    explicit.commit(&StepLoads { impulses: vec![mean], ..StepLoads::zeros(1) }).unwrap();
    let w = plain.begin(step, &[start]).unwrap().weights;
    plain
        .commit(&StepLoads { impulses: vec![w.end * end + w.start * start], ..StepLoads::zeros(1) })
        .unwrap();
    assert_eq!(explicit.rows(), plain.rows());
}
