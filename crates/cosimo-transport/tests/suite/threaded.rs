//! A subsystem in a thread of its own cannot be distinguished from the same one nearby.

use cosimo_subsystem::conformance::{Conformance, TwoMasses};
use cosimo_subsystem::{
    Call, MacroStep, Snapshot, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on,
};
use cosimo_transport::ThreadedSubsystem;

use super::OF_OTHERS;

const SIZE: f64 = 1e-3;

fn threaded() -> ThreadedSubsystem {
    ThreadedSubsystem::spawn(Box::new(TwoMasses::default())).unwrap()
}

pub(super) fn step(index: u32) -> MacroStep {
    MacroStep { time: f64::from(index) * SIZE, size: SIZE }
}

/// Loads of a step, different in each; every seventh has impulses inside.
pub(super) fn loads(index: u32) -> StepLoads {
    let mut loads = StepLoads::zeros(3);
    let phase = f64::from(index);
    loads.impulses = vec![0.01 * phase.sin(), -0.02 * phase.cos(), 0.001 * phase.sin()];
    if index % 7 == 6 {
        loads.has_moments = true;
        loads.moments.velocity = vec![0.1, 0.0, -0.2];
        loads.moments.position = vec![0.1 * SIZE, 0.0, -0.2 * SIZE];
    }
    loads
}

/// Everything that shows, as bits.
pub(super) fn bits(subsystem: &dyn Subsystem) -> Vec<u64> {
    let (rows, energy) = (subsystem.rows(), subsystem.energy());
    let mut observed = [0.0; 2];
    subsystem.observe(&mut observed);
    let energy = [energy.kinetic, energy.potential];
    [&rows.positions[..], &rows.velocities, &energy, &observed].concat().iter().map(|x| x.to_bits()).collect()
}

#[test]
fn it_passes_the_conformance_suite() {
    let report = Conformance::new(threaded).steps(20).check();
    report.assert_passed();
    assert!(report.skipped().all(|check| OF_OTHERS.contains(&check)), "{report}");
}

#[test]
fn a_thousand_steps_give_the_same_bits_announced_or_not() {
    let (mut near, mut plain, mut prefetched) = (TwoMasses::default(), threaded(), threaded());
    for index in 0..1000 {
        let (step, loads) = (step(index), loads(index));
        prefetched.prefetch(Call::Begin(step, &[0.0; 3]));
        let expected = near.begin(step, &[0.0; 3]).unwrap().clone();
        assert_eq!(*plain.begin(step, &[0.0; 3]).unwrap(), expected);
        assert_eq!(*prefetched.begin(step, &[0.0; 3]).unwrap(), expected);

        prefetched.prefetch(Call::Evaluate(&loads.impulses));
        let expected = near.evaluate(&loads.impulses).unwrap().clone();
        assert_eq!(*plain.evaluate(&loads.impulses).unwrap(), expected);
        assert_eq!(*prefetched.evaluate(&loads.impulses).unwrap(), expected);

        prefetched.prefetch(Call::Commit(&loads));
        let expected = near.commit(&loads).unwrap();
        assert_eq!(plain.commit(&loads).unwrap(), expected);
        assert_eq!(prefetched.commit(&loads).unwrap(), expected);

        assert_eq!(bits(&plain), bits(&near));
        assert_eq!(bits(&prefetched), bits(&near));
        assert_eq!(plain.statistics(), near.statistics());
        assert_eq!(prefetched.statistics(), near.statistics());
    }
}

#[test]
fn a_decorated_decorator_is_a_subsystem_too() {
    let twice = ThreadedSubsystem::spawn(Box::new(threaded())).unwrap();
    assert_eq!(bits(&twice), bits(&TwoMasses::default()));
    Conformance::new(|| ThreadedSubsystem::spawn(Box::new(threaded())).unwrap())
        .steps(8)
        .check()
        .assert_passed();
}

#[test]
fn the_masters_thread_allocates_in_the_first_step_only() {
    let mut subsystem = threaded();
    let all: Vec<StepLoads> = (0..100).map(loads).collect();
    let mut run = |range: std::ops::Range<u32>| {
        let counted = allocation_counter::measure(|| {
            for index in range {
                let (step, loads) = (step(index), &all[index as usize]);
                subsystem.prefetch(Call::Begin(step, &[0.0; 3]));
                subsystem.begin(step, &[0.0; 3]).unwrap();
                subsystem.evaluate(&loads.impulses).unwrap();
                subsystem.prefetch(Call::Commit(loads));
                subsystem.commit(loads).unwrap();
            }
        });
        counted.count_total
    };
    // The first with impulses inside is the seventh.
    assert!(run(0..7) > 0, "the counter does not count");
    // The channel allocates twice when a thread waits for the first time, which is in one step only.
    let second = run(7..50);
    assert!(second <= 2, "{second} allocations");
    assert!(second == 0 || run(50..100) == 0);
}

#[test]
fn an_announced_call_runs_while_the_master_does_something_else() {
    let mut subsystem = threaded();
    subsystem.prefetch(Call::Begin(step(0), &[0.0; 3]));
    let before = subsystem.statistics();
    assert_eq!(before.evaluations, 0, "nothing shows before the call is made");
    subsystem.begin(step(0), &[0.0; 3]).unwrap();
    assert_eq!(subsystem.statistics().evaluations, 1, "the call was made once");
}

#[test]
fn a_begin_that_stays_away_does_not_replace_the_step_begun() {
    let (mut near, mut far) = (TwoMasses::default(), threaded());
    near.begin(step(0), &[0.0; 3]).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    far.prefetch(Call::Begin(MacroStep { time: 0.0, size: 0.5 * SIZE }, &[0.0; 3]));
    assert_eq!(far.commit(&loads(1)).unwrap(), near.commit(&loads(1)).unwrap());
    assert_eq!(bits(&far), bits(&near));
}

#[test]
fn a_begin_that_stays_away_begins_nothing() {
    let mut subsystem = threaded();
    subsystem.prefetch(Call::Begin(step(0), &[0.0; 3]));
    let error = subsystem.commit(&loads(0)).unwrap_err();
    assert!(matches!(&error, SubsystemError::NotBegun { call, .. } if call == "commit"), "{error}");
}

#[test]
fn an_evaluation_that_stays_away_is_dropped() {
    let (mut near, mut far) = (TwoMasses::default(), threaded());
    near.begin(step(0), &[0.0; 3]).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    far.prefetch(Call::Evaluate(&[1.0, 2.0, 3.0]));
    assert_eq!(far.evaluate(&[3.0; 3]).unwrap().clone(), *near.evaluate(&[3.0; 3]).unwrap());
    far.prefetch(Call::Evaluate(&[1.0, 2.0, 3.0]));
    assert_eq!(far.save().unwrap(), near.save().unwrap());
}

#[test]
fn an_announced_commit_must_follow() {
    let (mut near, mut far) = (TwoMasses::default(), threaded());
    near.begin(step(0), &[0.0; 3]).unwrap();
    far.begin(step(0), &[0.0; 3]).unwrap();
    far.prefetch(Call::Commit(&loads(0)));
    let errors = [
        far.commit(&loads(1)).unwrap_err(),
        far.begin(step(1), &[0.0; 3]).unwrap_err(),
        far.evaluate(&[0.0; 3]).unwrap_err(),
        far.save().unwrap_err(),
        far.jump(&[0.0; 3]).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, SubsystemError::CommitPrefetched { .. }), "{error}");
    }
    far.discard();
    far.prefetch(Call::Begin(step(1), &[0.0; 3]));
    assert_eq!(bits(&far), bits(&TwoMasses::default()), "nothing shows before the commit");
    assert_eq!(far.commit(&loads(0)).unwrap(), near.commit(&loads(0)).unwrap());
    assert_eq!(bits(&far), bits(&near));
    far.begin(step(1), &[0.0; 3]).unwrap();
}

#[test]
fn an_announced_commit_that_was_refused_may_stay_away() {
    let mut subsystem = threaded();
    subsystem.prefetch(Call::Commit(&loads(0)));
    subsystem.begin(step(0), &[0.0; 3]).unwrap();
    subsystem.commit(&loads(0)).unwrap();
}

#[test]
fn errors_keep_their_types() {
    let mut subsystem = threaded();
    let error = subsystem.begin(step(0), &[0.0; 2]).unwrap_err();
    assert!(matches!(error, SubsystemError::LoadLength { expected: 3, found: 2, .. }), "{error}");
    let error = subsystem.restore(&Snapshot::from_bytes(Vec::new())).unwrap_err();
    assert!(matches!(error, SubsystemError::BadSnapshot { .. }), "{error}");
    let bad = [0.0, f64::NAN, 0.0];
    subsystem.prefetch(Call::Begin(step(0), &bad));
    let error = subsystem.begin(step(0), &bad).unwrap_err();
    assert!(matches!(error, SubsystemError::LoadNotFinite { row: 1, .. }), "{error}");
    let place = subsystem.description().row_name(1);
    assert!(place.contains("port `") && error.to_string().contains(&place), "{error}");
}

/// Panics where it should answer.
struct Panicking(TwoMasses);

impl Subsystem for Panicking {
    pass_on!(0: description, rows, energy, begin, commit, prepare_jump, jump, project_positions, observe, save);
    pass_on!(0: restore, statistics);

    fn evaluate(&mut self, _impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        panic!("the spring broke")
    }

    fn discard(&mut self) {}
}

#[test]
fn a_panic_in_the_thread_is_an_error_that_names_the_subsystem() {
    let mut subsystem = ThreadedSubsystem::spawn(Box::new(Panicking(TwoMasses::default()))).unwrap();
    subsystem.begin(step(0), &[0.0; 3]).unwrap();
    let before = bits(&subsystem);
    for _ in 0..2 {
        let error = subsystem.evaluate(&[0.0; 3]).unwrap_err();
        let text = "subsystem `two-masses` does not answer: its thread panicked: the spring broke";
        assert_eq!(error.to_string(), text);
        assert!(matches!(error, SubsystemError::Disconnected { .. }));
    }
    subsystem.prefetch(Call::Begin(step(0), &[0.0; 3]));
    subsystem.discard();
    assert!(matches!(subsystem.save(), Err(SubsystemError::Disconnected { .. })));
    assert_eq!(bits(&subsystem), before, "what was known last still shows");
}

#[test]
fn a_panic_after_an_announcement_is_reported_by_the_call() {
    let mut subsystem = ThreadedSubsystem::spawn(Box::new(Panicking(TwoMasses::default()))).unwrap();
    subsystem.begin(step(0), &[0.0; 3]).unwrap();
    subsystem.prefetch(Call::Evaluate(&[0.0; 3]));
    let error = subsystem.evaluate(&[0.0; 3]).unwrap_err();
    assert!(matches!(error, SubsystemError::Disconnected { .. }), "{error}");
}

#[test]
fn dropping_ends_the_thread_whatever_was_announced() {
    let mut subsystem = threaded();
    subsystem.prefetch(Call::Begin(step(0), &[0.0; 3]));
    drop(subsystem);
    let mut subsystem = ThreadedSubsystem::spawn(Box::new(Panicking(TwoMasses::default()))).unwrap();
    subsystem.prefetch(Call::Evaluate(&[0.0; 3]));
    drop(subsystem);
}
