//! Values of every type, in and out.

use crate::support::{BOTH, STEPS, bad, initialize, instance, near, real};
use cosimo_fmi::binary::{BinaryError, Version, Width};

#[test]
fn both_versions_pass_reals_integers_booleans_texts_and_enumerations() {
    for version in BOTH {
        let Some(mut unit) = instance("feedthrough", version, STEPS) else { return };
        initialize(&mut unit, &[2], &[2.5]);
        near(real(&mut unit, 3), 2.5, 0.0);

        unit.set_i64(Width::I32, &[4], &[-7]).unwrap();
        unit.set_bool(&[6], &[true]).unwrap();
        unit.set_strings(&[8], &["Straße"]).unwrap();
        let choice = if version == Version::Two { Width::I32 } else { Width::I64 };
        unit.set_i64(choice, &[10], &[2]).unwrap();

        let (mut number, mut truth) = ([0], [false]);
        unit.get_i64(Width::I32, &[5], &mut number).unwrap();
        unit.get_bool(&[7], &mut truth).unwrap();
        assert_eq!((number, truth), ([-7], [true]));
        unit.get_i64(choice, &[11], &mut number).unwrap();
        assert_eq!(number, [2]);
        assert_eq!(unit.get_strings(&[9, 8], 2).unwrap(), ["Straße", "Straße"]);
    }
}

#[test]
fn fmi_3_passes_integers_of_all_widths_to_their_ends() {
    let Some(mut unit) = instance("feedthrough", Version::Three, STEPS) else { return };
    let ends = [
        (Width::I8, 14, i64::from(i8::MIN), i64::from(i8::MAX)),
        (Width::U8, 16, 0, i64::from(u8::MAX)),
        (Width::I16, 18, i64::from(i16::MIN), i64::from(i16::MAX)),
        (Width::U16, 20, 0, i64::from(u16::MAX)),
        (Width::I32, 4, i64::from(i32::MIN), i64::from(i32::MAX)),
        (Width::U32, 22, 0, i64::from(u32::MAX)),
        (Width::I64, 24, i64::MIN, i64::MAX),
    ];
    for (width, reference, least, most) in ends {
        for value in [least, most] {
            let mut found = [0];
            unit.set_i64(width, &[reference], &[value]).unwrap();
            unit.get_i64(width, &[reference + 1], &mut found).unwrap();
            assert_eq!(found, [value], "{width:?}");
        }
        if width != Width::I64 {
            let refused = unit.set_i64(width, &[reference], &[most + 1]).unwrap_err();
            assert!(
                matches!(refused, BinaryError::OutOfRange { value, .. } if value == most + 1),
                "{refused}"
            );
        }
    }
    let mut found = [0];
    unit.set_u64(&[26], &[u64::MAX]).unwrap();
    unit.get_u64(&[27], &mut found).unwrap();
    assert_eq!(found, [u64::MAX]);
    let mut single = [0.0];
    unit.set_f32(&[12], &[0.1]).unwrap();
    unit.get_f32(&[13], &mut single).unwrap();
    assert_eq!(single, [f64::from(0.1_f32)]);
}

#[test]
fn arrays_have_the_size_of_their_structural_parameter() {
    let Some(mut unit) = instance("feedthrough", Version::Three, STEPS) else { return };
    unit.enter_configuration().unwrap();
    unit.set_u64(&[28], &[5]).unwrap();
    unit.exit_configuration().unwrap();
    initialize(&mut unit, &[30], &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let mut values = [0.0; 7];
    unit.get_f64(&[31, 41, 3], &mut values).unwrap();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 0.0]);
    unit.get_f64(&[31], &mut values[..4]).unwrap_err();
}

#[test]
fn clocks_tick_at_events() {
    let Some(mut unit) = instance("feedthrough", Version::Three, STEPS) else { return };
    initialize(&mut unit, &[], &[]);
    unit.enter_event_mode().unwrap();
    let mut ticks = [false];
    let update = unit.update_discrete_states().unwrap();
    unit.get_clocks(&[40], &mut ticks).unwrap();
    assert!(ticks[0] && update.needs_another && update.next_event_time == Some(1.0));
    unit.set_clocks(&[40], &[false]).unwrap();
    unit.get_clocks(&[40], &mut ticks).unwrap();
    assert!(!ticks[0]);
    unit.enter_step_mode().unwrap();
}

#[test]
fn fmi_2_refuses_types_it_lacks_and_lists_of_other_lengths() {
    let Some(mut unit) = instance("feedthrough", Version::Two, STEPS) else { return };
    let unsupported = |result| matches!(result, Err(BinaryError::Unsupported { .. }));
    assert!(unsupported(unit.get_f32(&[12], &mut [0.0])));
    assert!(unsupported(unit.set_i64(Width::U8, &[16], &[1])));
    assert!(unsupported(unit.set_clocks(&[40], &[true])));
    assert!(unsupported(unit.enter_configuration()));
    let refused = unit.get_f64(&[2, 3], &mut [0.0]).unwrap_err();
    assert_eq!(refused, BinaryError::Length { call: "fmi2GetReal", expected: 2, given: 1 });
    let refused = unit.set_strings(&[8], &["a\0b"]).unwrap_err();
    assert_eq!(refused, BinaryError::ZeroCharacter { what: "a value" });
}

#[test]
fn values_that_are_no_sensible_numbers_pass_unchanged() {
    for version in BOTH {
        let Some(unit) = bad(11, version, STEPS) else { return };
        let mut unit = unit.unwrap();
        initialize(&mut unit, &[], &[]);
        unit.do_step(0.0, 0.1, true).unwrap();
        assert!(real(&mut unit, 2).is_nan());
        let mut unit = bad(12, version, STEPS).unwrap().unwrap();
        initialize(&mut unit, &[], &[]);
        unit.do_step(0.0, 0.1, true).unwrap();
        near(real(&mut unit, 2), 1e119, 1e-12);
    }
}
