//! Decorators allocate nothing in a step after the first ones.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::{pendulum, secret_chain};
use allocation_counter::measure;
use cosimo_black_box::{DifferencedInverseMass, Explicit, Refresh};
use cosimo_subsystem::conformance::Hidden;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

fn assert_silent(name: &str, mut subsystem: impl Subsystem) {
    let rows = subsystem.description().rows();
    let (start_loads, loads) =
        (vec![0.0; rows], StepLoads { impulses: vec![1e-2; rows], ..StepLoads::zeros(rows) });
    let mut run = |steps: std::ops::Range<u32>| {
        for k in steps {
            subsystem.begin(MacroStep { time: 1e-3 * f64::from(k), size: 1e-3 }, &start_loads).unwrap();
            subsystem.evaluate(&loads.impulses).unwrap();
            subsystem.commit(&loads).unwrap();
        }
    };
    run(0..3);
    assert_eq!(measure(|| run(3..300)).count_total, 0, "{name}");
}

#[test]
fn inverse_masses_are_found_without_allocating() {
    for refresh in [Refresh::Columns, Refresh::QuasiNewton] {
        assert_silent("chain", DifferencedInverseMass::new(secret_chain(6).without_affinity(), refresh));
        assert_silent(
            "pendulum",
            DifferencedInverseMass::new(Hidden::new(pendulum()).without_inverse_mass(), refresh),
        );
    }
}

#[test]
fn explicit_coupling_allocates_nothing() {
    assert_silent("chain", Explicit::new(secret_chain(6)));
}
