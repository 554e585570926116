//! The begin of the next step rides behind a commit: both are sent before any answer is read.

use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{Call, MacroStep, StepLoads, Subsystem};
use cosimo_transport::{DEADLINE, Key, Remote, Server, StreamSubsystem, ThreadedSubsystem};

use super::served;
use super::threaded::{bits, loads, step};

fn far_ones() -> Vec<Box<dyn Subsystem>> {
    let (reader, writer) = served(Box::new(TwoMasses::default()));
    let server = Server::bind("127.0.0.1:0", Key::NONE).unwrap();
    let address = server.address().to_string();
    std::thread::spawn(move || server.serve(|_| Ok(Box::new(TwoMasses::default()))));
    vec![
        Box::new(ThreadedSubsystem::spawn(Box::new(TwoMasses::default())).unwrap()),
        Box::new(StreamSubsystem::connect("masses", reader, writer, DEADLINE).unwrap()),
        Box::new(Remote::new("masses", &address).connect().unwrap()),
    ]
}

/// What is done between a commit and the next step.
fn between(subsystem: &mut dyn Subsystem, index: u32) {
    match index % 5 {
        1 => drop(subsystem.save().unwrap()),
        2 => {
            subsystem.prepare_jump(1e-3).unwrap();
            subsystem.jump(&[0.01, 0.0, -0.02]).unwrap();
        }
        3 => {
            let saved = subsystem.save().unwrap();
            subsystem.restore(&saved).unwrap();
        }
        _ => {}
    }
}

#[test]
fn steps_whose_begins_ride_give_the_same_bits() {
    let mut near = TwoMasses::default();
    let mut all = far_ones();
    for index in 0..500 {
        // Now and then the next step is another one than was foretold.
        let size = if index % 11 == 10 { 5e-4 } else { 1e-3 };
        let (now, loads) = (MacroStep { size, ..step(index) }, loads(index));
        let begun = near.begin(now, &[0.0; 3]).unwrap().clone();
        let ledger = near.commit(&loads).unwrap();
        between(&mut near, index);
        for far in &mut all {
            assert_eq!(*far.begin(now, &[0.0; 3]).unwrap(), begun);
            far.prefetch(Call::Commit(&loads));
            far.prefetch(Call::Begin(step(index + 1), &[0.0; 3]));
            assert_eq!(far.commit(&loads).unwrap(), ledger);
            between(far.as_mut(), index);
            assert_eq!(bits(far.as_ref()), bits(&near));
        }
    }
}

#[test]
fn a_commit_that_fails_leaves_the_step_begun() {
    let bad = StepLoads { impulses: vec![0.0, f64::NAN, 0.0], ..StepLoads::zeros(3) };
    for mut far in far_ones() {
        let mut near = TwoMasses::default();
        near.begin(step(0), &[0.0; 3]).unwrap();
        far.begin(step(0), &[0.0; 3]).unwrap();
        far.prefetch(Call::Commit(&bad));
        far.prefetch(Call::Begin(step(1), &[0.0; 3]));
        assert_eq!(far.commit(&bad).unwrap_err(), near.commit(&bad).unwrap_err());
        assert_eq!(far.commit(&loads(3)).unwrap(), near.commit(&loads(3)).unwrap());
        assert_eq!(bits(far.as_ref()), bits(&near));
    }
}

/// What a thread does for a subsystem is soon done: it begins nothing ahead.
#[test]
fn threads_begin_nothing_behind_a_commit() {
    let mut far = ThreadedSubsystem::spawn(Box::new(TwoMasses::default())).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    far.prefetch(Call::Commit(&loads(0)));
    far.prefetch(Call::Begin(step(1), &[0.0; 3]));
    far.commit(&loads(0)).unwrap();
    drop(far.save().unwrap());
    assert_eq!(far.statistics().rollbacks, 0);
}

/// Questions between two steps neither repeat nor forget the step that has begun.
#[test]
fn questions_do_not_touch_the_step_begun_ahead() {
    for mut far in far_ones().into_iter().skip(1) {
        let mut near = TwoMasses::default();
        for index in 0..3 {
            near.begin(step(index), &[0.0; 3]).unwrap();
            near.commit(&loads(index)).unwrap();
            far.begin(step(index), &[0.0; 3]).unwrap();
            far.prefetch(Call::Commit(&loads(index)));
            far.prefetch(Call::Begin(step(index + 1), &[0.0; 3]));
            far.commit(&loads(index)).unwrap();
            assert_eq!(far.save().unwrap(), near.save().unwrap());
            assert_eq!(far.statistics(), near.statistics());
        }
    }
}
