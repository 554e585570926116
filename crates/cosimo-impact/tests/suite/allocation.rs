//! Steps of linear systems do not allocate.

use allocation_counter::measure;
use cosimo_impact::{
    Correction, LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, Scheme, SmoothConstraints,
};
use cosimo_mechanics::Restitution;

use crate::common::{Masses, schemes};

/// A chain of 60 masses that falls on the floor and on a stop of its third mass, again and again.
fn falling(scheme: Scheme) -> Masses {
    let chain =
        (0..60).fold(MassesAndSprings::chain(60, 1.0, 1e4), |chain, mass| chain.with_force(mass, -9.81));
    let contacts = [(0, 0.0), (2, 0.004)].map(|(mass, offset)| {
        LinearContact::on_coordinate(mass, 1.0).with_offset(offset).with_restitution(0.5)
    });
    let start = (0.0, vec![0.01; 60], vec![0.0; 60]);
    NonsmoothStepper::new(chain, LinearContacts::new(contacts.to_vec()), scheme, start).unwrap()
}

#[test]
fn steps_allocate_nothing_after_the_first_contacts() {
    let at_once = Scheme::NonsmoothGeneralizedAlpha {
        spectral_radius: 0.8,
        smooth: SmoothConstraints::Acceleration,
        correction: Correction::Full,
        restitution: Restitution::default(),
    };
    for (name, scheme) in schemes().into_iter().chain([("pva at once", at_once)]) {
        let mut chain = falling(scheme);
        let mut most = 0;
        let mut run = |steps: usize| {
            for _ in 0..steps {
                chain.step(1e-3).unwrap();
                most = most.max(chain.contacts().is_active.iter().filter(|is| **is).count());
            }
        };
        let first = measure(|| run(700));
        assert!(first.count_total > 0, "the counter counts");
        let later = measure(|| run(900));
        assert_eq!((later.count_total, most), (0, 2), "{name}");
    }
}
