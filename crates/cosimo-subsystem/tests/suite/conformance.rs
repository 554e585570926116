//! The conformance suite passes what is honest and finds every fault, each by the check that is meant for it.

use std::cell::Cell;

use crate::faulty::{Twist, Twisted};
use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::conformance::{
    Check, CheckOutcome, Conformance, ConformanceReport, TwoMasses, TwoTables,
};
use cosimo_subsystem::{RowState, StepLoads, Subsystem, SubsystemError, pass_on};

/// Checks of load ports and of signals.
const NOT_OF_ROWS: [Check; 7] = [
    Check::Respond,
    Check::Motion,
    Check::LoadTangents,
    Check::AffineLoads,
    Check::LoadWork,
    Check::Outputs,
    Check::FeedThrough,
];

fn report(twist: Twist) -> ConformanceReport {
    Conformance::new(|| Twisted::new(twist)).steps(20).check()
}

/// Exactly this check fails; none of those that are skipped is skipped for another reason.
fn assert_found_by(check: Check, twist: Twist) {
    let report = report(twist);
    let failed: Vec<Check> = report.failed().collect();
    assert_eq!(failed, [check], "{twist:?}: {report}");
}

#[test]
fn the_reference_passes_every_check() {
    let report = Conformance::new(TwoMasses::default).check();
    report.assert_passed();
    assert_eq!(report.skipped().collect::<Vec<_>>(), NOT_OF_ROWS, "{report}");
    assert_eq!(report.outcome(Check::Jump), Some(&CheckOutcome::Passed));
    assert_eq!(report.subsystem(), "two-masses");
}

#[test]
fn honest_subsystems_with_fewer_capabilities_pass() {
    for (twist, skipped) in [
        (Twist::Nothing, &[][..]),
        (Twist::SavesHistory, &[]),
        (Twist::TakesNoImpulses, &[Check::InsideImpulses, Check::Jump, Check::Shift]),
        (Twist::HasFixedStep, &[]),
        (
            Twist::CannotRollBack,
            &[
                Check::Discard,
                Check::Restore,
                Check::RestoreRepeats,
                Check::RestoreElsewhere,
                Check::DamagedSnapshot,
            ],
        ),
        (Twist::HidesAffinity, &[Check::Affinity, Check::PositionWeight, Check::InsideImpulses]),
        (Twist::KnowsNoInverseMass, &[Check::Affinity, Check::PositionWeight, Check::InsideImpulses]),
    ] {
        let report = report(twist);
        assert!(report.has_passed(), "{twist:?}: {report}");
        let skipped = [skipped, &NOT_OF_ROWS].concat();
        assert_eq!(report.skipped().collect::<Vec<_>>(), skipped, "{twist:?}: {report}");
    }
}

#[test]
fn faults_of_shape_are_found() {
    assert_found_by(Check::Description, Twist::TwinPorts);
    assert_found_by(Check::Description, Twist::TwinQuantities);
    assert_found_by(Check::Shapes, Twist::TooManyEndPositions);
    assert_found_by(Check::Shapes, Twist::NonSquareInverseMass);
    assert_found_by(Check::Shapes, Twist::NanEndVelocity);
    assert_found_by(Check::Shapes, Twist::UnwrittenQuantity);
}

#[test]
fn calls_that_leave_traces_are_found() {
    assert_found_by(Check::Begin, Twist::BeginMoves);
    assert_found_by(Check::Begin, Twist::BeginDrifts);
    assert_found_by(Check::Evaluate, Twist::EvaluateDrifts);
    assert_found_by(Check::Evaluate, Twist::CommitsWhatWasEvaluated);
    assert_found_by(Check::Discard, Twist::DiscardMoves);
    assert_found_by(Check::Announce, Twist::AnnounceMoves);
}

#[test]
fn instances_that_differ_are_found() {
    let made = Cell::new(0_u32);
    let make = || {
        made.set(made.get() + 1);
        let mut subsystem = TwoMasses::default();
        subsystem.prepare_jump(1e-3).unwrap();
        subsystem.jump(&[1e-12 * f64::from(made.get()), 0.0, 0.0]).unwrap();
        subsystem
    };
    let report = Conformance::new(make).steps(20).check();
    assert_eq!(report.failed().collect::<Vec<_>>(), [Check::Determinism], "{report}");
}

#[test]
fn what_is_not_refused_is_found() {
    assert_found_by(Check::CallOrder, Twist::CommitsUnbegun);
    assert_found_by(Check::CallOrder, Twist::EvaluatesUnbegun);
    assert_found_by(Check::Loads, Twist::AcceptsNan);
    assert_found_by(Check::Loads, Twist::AcceptsNanMoments);
    assert_found_by(Check::Loads, Twist::AcceptsNanMomenta);
    assert_found_by(Check::Loads, Twist::AcceptsAnyLength);
    assert_found_by(Check::StepSize, Twist::AcceptsNegativeStep);
    assert_found_by(Check::StepSize, Twist::AcceptsNanTime);
}

#[test]
fn faults_of_saving_are_found() {
    assert_found_by(Check::Restore, Twist::RestoreMoves);
    assert_found_by(Check::Restore, Twist::RestoreForgetsBytes);
    assert_found_by(Check::RestoreRepeats, Twist::ForgetsHistory);
    assert_found_by(Check::RestoreElsewhere, Twist::KeepsHistoryInside);
    assert_found_by(Check::DamagedSnapshot, Twist::AcceptsDamage);
    assert_found_by(Check::DamagedSnapshot, Twist::RestoresPartly);
}

#[test]
fn wrong_answers_to_impulses_are_found() {
    assert_found_by(Check::InverseMass, Twist::WrongInverseMass);
    assert_found_by(Check::InverseMass, Twist::ClaimsUnknownInverseMass);
    assert_found_by(Check::Affinity, Twist::NotQuiteAffine);
    assert_found_by(Check::PositionWeight, Twist::WrongPositionWeight);
    assert_found_by(Check::Commit, Twist::CommitsMore);
    assert_found_by(Check::Revision, Twist::FrozenRevision);
    assert_found_by(Check::Revision, Twist::RestlessRevision);
    assert_found_by(Check::Momenta, Twist::KeepsMomentaInside);
    assert_found_by(Check::Moves, Twist::MovesFarther);
    assert_found_by(Check::Moves, Twist::FalseMoveMass);
    assert_found_by(Check::InsideImpulses, Twist::HalvesMoments);
    assert_found_by(Check::Jump, Twist::JumpsFarther);
    assert_found_by(Check::Jump, Twist::JumpMoves);
    assert_found_by(Check::Shift, Twist::ShiftsFarther);
}

#[test]
fn faults_of_the_ledger_are_found() {
    assert_found_by(Check::Ledger, Twist::LosesEnergy);
    assert_found_by(Check::Ledger, Twist::NanEnergy);
    assert_found_by(Check::Ledger, Twist::CreatesEnergy);
    assert_found_by(Check::Ledger, Twist::LedgerEndsElsewhere);
}

#[test]
fn dishonest_capabilities_and_counts_are_found() {
    assert_found_by(Check::ImpulseCapability, Twist::HidesImpulses);
    assert_found_by(Check::StepCapability, Twist::HidesVariableStep);
    assert_found_by(Check::StepCapability, Twist::ClaimsVariableStep);
    assert_found_by(Check::RollBackCapability, Twist::HidesRollBack);
    assert_found_by(Check::Statistics, Twist::CountsNoSteps);
}

#[test]
fn checks_can_be_left_out_with_a_reason() {
    let report = Conformance::new(|| Twisted::new(Twist::LosesEnergy))
        .skip(Check::Ledger, "the energy of this fault is not kept")
        .check();
    report.assert_passed();
    let reason = CheckOutcome::Skipped("the energy of this fault is not kept".into());
    assert_eq!(report.outcome(Check::Ledger), Some(&reason));
}

#[test]
fn the_report_names_the_cause_and_what_it_blocks() {
    let report = report(Twist::BeginMoves);
    let text = report.to_string();
    assert!(text.contains("FAILED   Begin: begin leaves the state untouched and can be repeated"), "{text}");
    assert!(text.contains("skipped  RestoreElsewhere: because Begin failed"), "{text}");
}

#[test]
#[should_panic(expected = "FAILED   Ledger")]
fn assert_passed_panics_with_the_report() {
    report(Twist::LosesEnergy).assert_passed();
}

#[test]
fn the_ledger_tolerance_is_relative_to_the_energy_exchanged() {
    let check = |tolerance: f64| {
        Conformance::new(|| Twisted::new(Twist::CreatesEnergy)).ledger_tolerance(tolerance).check()
    };
    assert!(!check(1e-9).has_passed());
    assert!(check(1.0).has_passed());
}

#[test]
fn an_announced_call_of_a_near_subsystem_costs_nothing() {
    let mut subsystem = TwoMasses::default();
    let before = subsystem.statistics();
    subsystem.prefetch(cosimo_subsystem::Call::Commit(&StepLoads::zeros(3)));
    assert_eq!(subsystem.statistics(), before);
}

#[test]
fn contacts_may_vanish_and_come_back() {
    let report = Conformance::new(TwoTables::default).step(1.0 / 256.0).steps(200).check();
    report.assert_passed();
    assert!(report.skipped().all(|check| NOT_OF_ROWS.contains(&check)), "{report}");
}

/// Tells of two contacts that they are absent, where there is one; or of the one after a jump.
struct Vanishing {
    inner: TwoMasses,
    rows: RowState,
    with_jump: bool,
}

impl Vanishing {
    fn new(with_jump: bool) -> Self {
        let inner = TwoMasses::default();
        let absent = if with_jump { vec![false] } else { vec![false; 2] };
        let rows = RowState { absent, ..inner.rows().clone() };
        Self { inner, rows, with_jump }
    }

    fn show(&mut self) {
        let absent = std::mem::take(&mut self.rows.absent);
        self.rows = RowState { absent, ..self.inner.rows().clone() };
    }
}

impl Subsystem for Vanishing {
    pass_on!(inner: description, energy, begin, evaluate, discard, prepare_jump, project_positions, observe, save, statistics);

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let ledger = self.inner.commit(loads)?;
        self.show();
        Ok(ledger)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.inner.jump(impulses)?;
        self.show();
        self.rows.absent[0] = self.with_jump;
        Ok(())
    }
}

#[test]
fn faults_of_absent_contacts_are_found() {
    for (with_jump, what) in
        [(false, "2 contacts, the description has 1"), (true, "a jump of velocities takes contacts away")]
    {
        let report = Conformance::new(|| Vanishing::new(with_jump)).steps(20).check();
        let outcome = report.outcome(Check::AbsentContacts);
        assert!(matches!(outcome, Some(CheckOutcome::Failed(text)) if text.contains(what)), "{report}");
    }
}
