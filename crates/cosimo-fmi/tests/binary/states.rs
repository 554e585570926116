//! Saved states.

use crate::support::{BOTH, STEPS, initialize, instance, options, real};
use cosimo_fmi::binary::{BinaryError, Instance, Library};
use cosimo_fmi::test_units;

/// What a ball does in steps from a time on, to the bit.
fn path(ball: &mut Instance, from: f64) -> Vec<[u64; 2]> {
    (0..20)
        .map(|step| {
            ball.do_step(from + f64::from(step) * 0.05, 0.05, false).unwrap();
            [real(ball, 4).to_bits(), real(ball, 5).to_bits()]
        })
        .collect()
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    for version in BOTH {
        for (name, state_of) in
            [("bouncing_ball", 4), ("oscillator_half", 7), ("van_der_pol", 2), ("feedthrough", 3)]
        {
            let Some(mut unit) = instance(name, version, STEPS) else { return };
            initialize(&mut unit, &[], &[]);
            unit.do_step(0.0, 0.3, false).unwrap();
            let state = unit.save_state().unwrap();
            let mut onward = || {
                unit.restore_state(&state).unwrap();
                unit.do_step(0.3, 0.3, false).unwrap();
                real(&mut unit, state_of).to_bits()
            };
            assert_eq!(onward(), onward(), "{name}");
        }
    }
}

#[test]
fn a_serialised_state_goes_on_in_another_instance() {
    for version in BOTH {
        let Some(mut first) = instance("bouncing_ball", version, STEPS) else { return };
        let mut second = instance("bouncing_ball", version, STEPS).unwrap();
        initialize(&mut first, &[3], &[0.9]);
        initialize(&mut second, &[], &[]);
        first.do_step(0.0, 0.7, false).unwrap();
        let state = first.save_state().unwrap();
        let bytes = first.serialize(&state).unwrap();
        let moved = second.deserialize(&bytes).unwrap();
        second.restore_state(&moved).unwrap();
        assert_eq!(path(&mut first, 0.7), path(&mut second, 0.7));
        second.deserialize(&bytes[1..]).unwrap_err();
    }
}

#[test]
fn states_are_overwritten_dropped_and_outlive_their_instance() {
    for version in BOTH {
        let Some(mut ball) = instance("bouncing_ball", version, STEPS) else { return };
        initialize(&mut ball, &[], &[]);
        let mut kept = ball.save_state().unwrap();
        ball.do_step(0.0, 0.2, false).unwrap();
        ball.overwrite_state(&mut kept).unwrap();
        let expected = path(&mut ball, 0.2);
        for _ in 0..100 {
            drop(ball.save_state().unwrap());
        }
        ball.restore_state(&kept).unwrap();
        assert_eq!(path(&mut ball, 0.2), expected);

        let mut other = instance("bouncing_ball", version, STEPS).unwrap();
        initialize(&mut other, &[], &[]);
        assert_eq!(other.restore_state(&kept).unwrap_err(), BinaryError::ForeignState);
        drop(ball);
        assert_eq!(other.restore_state(&kept).unwrap_err(), BinaryError::ForeignState);
    }
}

#[test]
fn a_unit_without_states_refuses_by_the_name_of_the_function() {
    for version in BOTH {
        let Some(built) = test_units::build("oscillator_half", version, &[("NO_STATE", "1")]) else { return };
        let library = Library::load(&built.library, version, &built.identifier).unwrap();
        assert!(library.absent().iter().any(|name| name.contains("FMU")), "{:?}", library.absent());
        let mut unit = library.instantiate(&options(&built, STEPS)).unwrap();
        initialize(&mut unit, &[], &[]);
        assert!(
            matches!(unit.save_state().unwrap_err(), BinaryError::Missing { call } if call.ends_with("tate"))
        );
        let refused = unit.directional_derivative(&[10], &[6], &[1.0], &mut [0.0]).unwrap_err();
        assert!(
            matches!(refused, BinaryError::Missing { call } if call.ends_with("GetDirectionalDerivative"))
        );
        unit.do_step(0.0, 0.1, true).unwrap();
    }
}

#[test]
fn an_instance_keeps_its_library_loaded_and_moves_between_threads() {
    for version in BOTH {
        let Some(mut ball) = instance("bouncing_ball", version, STEPS) else { return };
        initialize(&mut ball, &[], &[]);
        let state = ball.save_state().unwrap();
        let (mut ball, expected) = std::thread::spawn(move || {
            let expected = path(&mut ball, 0.0);
            (ball, expected)
        })
        .join()
        .unwrap();
        ball.restore_state(&state).unwrap();
        assert_eq!(path(&mut ball, 0.0), expected);
    }
}
