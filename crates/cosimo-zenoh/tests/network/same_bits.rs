//! The bits are those of a subsystem nearby.

use std::sync::atomic::{AtomicUsize, Ordering};

use cosimo_subsystem::conformance::{Check, Conformance, TwoMasses, TwoTables};
use cosimo_subsystem::{Call, Subsystem, SubsystemError};

use super::{KEY, Served, bits, endpoint, loads, network, remote, step, take_step};

/// Checks of load ports and of signals, which two masses do not have.
const OF_OTHERS: [Check; 7] = [
    Check::Respond,
    Check::Motion,
    Check::LoadTangents,
    Check::AffineLoads,
    Check::LoadWork,
    Check::Outputs,
    Check::FeedThrough,
];

/// Makes subsystems over one network, each under a key of its own: the suite has several at a time.
fn far<S: Subsystem + Default + 'static>() -> impl Fn() -> cosimo_zenoh::ZenohSubsystem {
    let endpoint = endpoint();
    let (served, network, count) = (Served::at(&endpoint), network(&endpoint), AtomicUsize::new(0));
    move || {
        let key: &'static str = format!("plant/{}", count.fetch_add(1, Ordering::Relaxed)).leak();
        served.offer(key, S::default);
        remote(&network, key).unwrap()
    }
}

#[test]
fn they_pass_the_conformance_suite() {
    let report = Conformance::new(far::<TwoMasses>()).steps(20).check();
    report.assert_passed();
    assert!(report.skipped().all(|check| OF_OTHERS.contains(&check)), "{report}");
    Conformance::new(far::<TwoTables>()).step(1.0 / 256.0).steps(40).check().assert_passed();
}

#[test]
fn three_hundred_steps_give_the_same_bits_announced_or_not() {
    let endpoint = endpoint();
    let (_served, network) = (Served::masses(&endpoint), network(&endpoint));
    let (mut near, mut far) = (TwoMasses::default(), remote(&network, KEY).unwrap());
    for index in 0..300 {
        if index % 2 == 0 {
            take_step(&mut near, &mut far, index);
            continue;
        }
        let (step, loads) = (step(index), loads(index));
        far.prefetch(Call::Begin(step, &[0.0; 3]));
        let expected = near.begin(step, &[0.0; 3]).unwrap().clone();
        assert_eq!(*far.begin(step, &[0.0; 3]).unwrap(), expected);
        far.prefetch(Call::Commit(&loads));
        assert_eq!(far.commit(&loads).unwrap(), near.commit(&loads).unwrap());
        assert_eq!(bits(&far), bits(&near));
        assert_eq!(far.statistics(), near.statistics());
    }
}

#[test]
fn one_network_may_be_both_ends() {
    let served = Served::masses(&endpoint());
    let (mut near, mut far) = (TwoMasses::default(), remote(&served.0, KEY).unwrap());
    (0..20).for_each(|index| take_step(&mut near, &mut far, index));
}

#[test]
fn errors_keep_their_types() {
    let endpoint = endpoint();
    let (_served, network) = (Served::masses(&endpoint), network(&endpoint));
    let mut far = remote(&network, KEY).unwrap();
    let error = far.begin(step(0), &[0.0, f64::NAN, 0.0]).unwrap_err();
    assert!(matches!(error, SubsystemError::LoadNotFinite { row: 1, .. }), "{error}");
    assert_eq!(far.commit(&loads(0)).unwrap_err(), TwoMasses::default().commit(&loads(0)).unwrap_err());
}

/// An assignment that zenoh sends in many pieces.
#[test]
fn long_messages_come_whole() {
    let endpoint = endpoint();
    let (served, network) = (Served::at(&endpoint), network(&endpoint));
    let assignment: Vec<u8> =
        (0..3_000_000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let (offering, expected) = (served.0.clone(), assignment.clone());
    std::thread::spawn(move || {
        offering.offer(KEY, |found| {
            assert_eq!(found, expected);
            Ok(Box::new(TwoMasses::default()))
        })
    });
    let remote = network.remote("masses", KEY).assignment(assignment);
    remote.deadline(super::PATIENCE).connect().unwrap();
}
