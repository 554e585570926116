//! Several micro steps per macro step.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::{STEP, chain, secret_chain};
use cosimo_black_box::{DifferencedInverseMass, LoadHistory, Refresh, SubCycled};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_native::{Mechanism, MechanismBuilder};
use cosimo_subsystem::conformance::{Hidden, TwoMasses};
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};
use nalgebra::dmatrix;

fn mass(mass: f64) -> Mechanism {
    let port = LinearRows(vec![LinearRow::coordinate(0)]);
    MechanismBuilder::new("mass", LinearSystem::new(dmatrix![mass]).unwrap())
        .with_ports(&[("end", 1)], port)
        .build()
        .unwrap()
}

/// Micro steps under constant loads are the subsystem's own small steps.
#[test]
fn micro_steps_are_the_steps_of_the_subsystem() {
    let (count, size) = (4, 2e-3);
    let mut cycled = SubCycled::new(chain(2), count, vec![LoadHistory::Mean; 2]).unwrap();
    let mut plain = chain(2);
    let loads = [3.0, -1.0];
    for k in 0..20 {
        let time = size * f64::from(k);
        cycled.begin(MacroStep { time, size }, &[0.0; 2]).unwrap();
        let impulses: Vec<f64> = loads.iter().map(|load| load * size).collect();
        let said = cycled.evaluate(&impulses).unwrap().clone();
        cycled.commit(&StepLoads { impulses, ..StepLoads::zeros(2) }).unwrap();
        let micro = size / f64::from(count);
        for i in 0..count {
            plain.begin(MacroStep { time: time + f64::from(i) * micro, size: micro }, &loads).unwrap();
            let impulses = loads.iter().map(|load| load * micro).collect();
            plain.commit(&StepLoads { impulses, ..StepLoads::zeros(2) }).unwrap();
        }
        assert_eq!(said.positions, cycled.rows().positions);
        for (a, b) in cycled.rows().positions.iter().zip(&plain.rows().positions) {
            assert!((a - b).abs() < 1e-14, "{a} and {b} after {k} steps");
        }
    }
    assert_eq!(cycled.statistics().steps, 20);
}

/// A linear load gives a free mass `Δv = X/m` and, as the micro steps become many, `Δz = (2 λ₀ + λ₁) h²/6m`.
#[test]
fn a_linear_load_moves_a_mass_as_in_closed_form() {
    let (h, m, start, end) = (0.1, 2.0, 3.0, 9.0);
    let mut cycled = SubCycled::new(mass(m), 1000, vec![LoadHistory::Linear]).unwrap();
    cycled.begin(MacroStep { time: 0.0, size: h }, &[start]).unwrap();
    let answer = cycled.evaluate(&[0.5 * h * (start + end)]).unwrap();
    assert!((answer.velocities[0] - 0.5 * h * (start + end) / m).abs() < 1e-13);
    assert!((answer.positions[0] - (2.0 * start + end) * h * h / (6.0 * m)).abs() < 1e-7);
    // By the position weight, a third of the step in place of half of it.
    let cycled = SubCycled::new(mass(m), 1000, vec![LoadHistory::Linear]).unwrap();
    let mut found = DifferencedInverseMass::new(cycled, Refresh::Columns);
    let answer = found.begin(MacroStep { time: 0.0, size: h }, &[start]).unwrap();
    assert!((answer.inverse_mass[(0, 0)] * m - 1.0).abs() < 1e-12);
    assert!((answer.weights.position / h - 1.0 / 3.0).abs() < 1e-6, "{:?}", answer.weights);
}

#[test]
fn what_cannot_be_sub_cycled_is_refused_with_the_reason() {
    let refuse = |text: String, expected: &str| assert!(text.contains(expected), "{text}");
    let contact = SubCycled::new(TwoMasses::default(), 4, vec![LoadHistory::Mean; 3]).unwrap_err();
    refuse(
        contact.to_string(),
        "contact `stop` cannot act between the communication points of 4 micro steps",
    );
    let opaque = SubCycled::new(secret_chain(1).without_roll_back(), 4, vec![LoadHistory::Mean]).unwrap_err();
    refuse(opaque.to_string(), "4 micro steps need a subsystem that can be saved and restored");
    let none = SubCycled::new(chain(1), 0, vec![LoadHistory::Mean]).unwrap_err();
    refuse(none.to_string(), "0 micro steps");
    let mut cycled = SubCycled::new(Hidden::new(chain(1)), 2, vec![LoadHistory::Mean]).unwrap();
    cycled.begin(STEP, &[0.0]).unwrap();
    let impulse = StepLoads { has_moments: true, ..StepLoads::zeros(1) };
    refuse(cycled.commit(&impulse).unwrap_err().to_string(), "it takes micro steps");
}
