//! Steps that are begun anew with another size, and steps that fail.

use cosimo_fmi::unit::Start;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use crate::{VERSIONS, open, oscillator_options};

#[test]
fn a_step_given_up_does_not_answer_for_a_smaller_one() {
    for version in VERSIONS {
        let Some(_) = open("oscillator_half", version, &[]) else { return };
        let make = || {
            let mut fmu = open("oscillator_half", version, &[]).unwrap();
            fmu.co_simulation("half", &oscillator_options(), Start::default()).unwrap()
        };
        let (mut whole, mut fresh) = (make(), make());
        whole.begin(MacroStep { time: 0.0, size: 8e-3 }, &[0.0]).unwrap();
        whole.discard();
        let step = MacroStep { time: 0.0, size: 4e-3 };
        let found = whole.begin(step, &[0.0]).unwrap().positions.clone();
        let expected = fresh.begin(step, &[0.0]).unwrap().positions.clone();
        assert_eq!(found, expected);
        for unit in [&mut whole, &mut fresh] {
            unit.commit(&StepLoads::zeros(1)).unwrap();
        }
        assert_eq!(whole.rows(), fresh.rows());
    }
}
