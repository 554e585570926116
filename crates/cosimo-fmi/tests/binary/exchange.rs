//! Model exchange.

use crate::support::{BOTH, exchange, initialize, instance, near, real};
use cosimo_fmi::binary::{BinaryError, Version};

#[test]
fn a_ball_tells_its_derivatives_and_events() {
    for version in BOTH {
        let Some(mut ball) = instance("bouncing_ball", version, exchange(2, 1)) else { return };
        assert_eq!((ball.number_of_states().unwrap(), ball.number_of_event_indicators().unwrap()), (2, 1));
        initialize(&mut ball, &[], &[]);
        assert!(!ball.update_discrete_states().unwrap().needs_another);
        ball.enter_continuous_time_mode().unwrap();

        let (mut states, mut rates, mut z, mut nominals) = ([0.0; 2], [0.0; 2], [0.0], [0.0; 2]);
        ball.get_continuous_states(&mut states).unwrap();
        ball.get_derivatives(&mut rates).unwrap();
        ball.get_event_indicators(&mut z).unwrap();
        ball.get_nominals_of_states(&mut nominals).unwrap();
        assert_eq!((states, rates, z, nominals), ([1.0, 0.0], [0.0, -9.81], [1.0], [1.0, 1.0]));

        ball.set_time(0.5).unwrap();
        ball.set_continuous_states(&[-1e-12, -4.0]).unwrap();
        assert_eq!(ball.completed_integrator_step(true).unwrap(), (false, false));
        ball.get_event_indicators(&mut z).unwrap();
        assert!(z[0] < 0.0);
        ball.enter_event_mode().unwrap();
        let update = ball.update_discrete_states().unwrap();
        assert!(update.states_changed && !update.nominals_changed && !update.terminate);
        ball.enter_continuous_time_mode().unwrap();
        ball.get_continuous_states(&mut states).unwrap();
        assert_eq!(states[0], 0.0);
        near(states[1], 2.8, 1e-15);
    }
}

#[test]
fn lists_of_other_lengths_are_refused_before_the_unit_sees_them() {
    for version in BOTH {
        let Some(mut half) = instance("oscillator_half", version, exchange(2, 0)) else { return };
        initialize(&mut half, &[], &[]);
        let refused = half.get_derivatives(&mut [0.0]).unwrap_err();
        assert!(matches!(refused, BinaryError::Length { expected: 2, given: 1, .. }), "{refused}");
        half.set_continuous_states(&[0.0; 3]).unwrap_err();
        half.get_event_indicators(&mut []).unwrap();
        assert!(!half.is_dead());
    }
}

/// The classical scheme of Runge and Kutta over a unit of two states, as an importer would use it.
#[test]
fn an_oscillator_is_integrated_from_outside() {
    for version in BOTH {
        let Some(mut half) = instance("oscillator_half", version, exchange(2, 0)) else { return };
        initialize(&mut half, &[2, 6], &[4.0, 2.0]);
        half.update_discrete_states().unwrap();
        half.enter_continuous_time_mode().unwrap();
        let mut x = [0.0; 2];
        half.get_continuous_states(&mut x).unwrap();
        let h = 0.01;
        for step in 0..100 {
            let (mut k, mut sum) = ([0.0; 2], [0.0; 2]);
            for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
                half.set_time(f64::from(step) * h + part * h).unwrap();
                half.set_continuous_states(&[x[0] + part * h * k[0], x[1] + part * h * k[1]]).unwrap();
                half.get_derivatives(&mut k).unwrap();
                (0..2).for_each(|i| sum[i] += weight * k[i]);
            }
            (0..2).for_each(|i| x[i] += h / 6.0 * sum[i]);
        }
        near(x[0], 0.5 + 0.5 * 2.0_f64.cos(), 1e-8);
    }
}

#[test]
fn derivatives_agree_with_differences() {
    for version in BOTH {
        let Some(mut unit) = instance("van_der_pol", version, exchange(2, 0)) else { return };
        initialize(&mut unit, &[1, 2, 3], &[5.0, 1.5, -0.5]);
        unit.update_discrete_states().unwrap();
        unit.enter_continuous_time_mode().unwrap();
        let (seed, mut change) = ([0.3, -0.8], [0.0; 2]);
        unit.directional_derivative(&[4, 5], &[2, 3], &seed, &mut change).unwrap();
        let h = 1e-6;
        let mut at = |sign: f64| {
            let (mut rates, step) = ([0.0; 2], sign * h);
            unit.set_continuous_states(&[1.5 + step * seed[0], -0.5 + step * seed[1]]).unwrap();
            unit.get_derivatives(&mut rates).unwrap();
            rates
        };
        let (after, before) = (at(1.0), at(-1.0));
        (0..2).for_each(|i| near(change[i], (after[i] - before[i]) / (2.0 * h), 1e-8));
    }
}

#[test]
fn derivatives_tell_the_feed_through_of_both_halves() {
    for version in BOTH {
        let Some(mut spring) = instance("spring_half", version, exchange(0, 0)) else { return };
        initialize(&mut spring, &[1, 2], &[70.0, 3.0]);
        let mut force = [0.0];
        spring.directional_derivative(&[8], &[4, 5, 6, 7], &[1.0, 0.0, 0.0, 10.0], &mut force).unwrap();
        assert_eq!(force, [-70.0 + 30.0]);

        let mut half = instance("oscillator_half", version, exchange(2, 0)).unwrap();
        initialize(&mut half, &[1, 2, 3], &[2.0, 8.0, 0.5]);
        let mut found = [0.0; 3];
        half.directional_derivative(&[7, 8, 10], &[6], &[1.0], &mut found).unwrap();
        assert_eq!(found, [0.0, 0.0, 0.5]);
        near(real(&mut half, 10), -4.0, 1e-15);
        if version == Version::Two {
            half.directional_derivative(&[7], &[6], &[1.0], &mut found).unwrap_err();
        }
    }
}
