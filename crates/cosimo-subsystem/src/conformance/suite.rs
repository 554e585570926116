//! All checks, each after those that it builds on.

use super::check::Check;
use super::report::{CheckOutcome, ConformanceReport, Found};
use super::setup::Conformance;
use super::{
    absent, capabilities, inverse_mass, jumps, ledger, limited, momenta, purity, rejections, respond,
    rollback, shape, signals,
};

/// How a check is made.
struct Rule {
    check: Check,
    /// Checks that it builds on.
    needs: &'static [Check],
    run: fn(&Conformance<'_>) -> Found,
}

const fn rule(check: Check, needs: &'static [Check], run: fn(&Conformance<'_>) -> Found) -> Rule {
    Rule { check, needs, run }
}

/// All checks, each after those that it builds on.
const RULES: &[Rule] = &[
    rule(Check::Description, &[], shape::description),
    rule(Check::Shapes, &[Check::Description], shape::shapes),
    rule(Check::AbsentContacts, &[Check::Shapes], absent::absent_contacts),
    rule(Check::Determinism, &[Check::Shapes], purity::determinism),
    rule(Check::Begin, &[Check::Determinism], purity::begin),
    rule(Check::Evaluate, &[Check::Begin], purity::evaluate),
    rule(Check::StepCapability, &[Check::Begin], capabilities::step_sizes),
    rule(Check::Discard, &[Check::Evaluate, Check::StepCapability], purity::discard),
    rule(Check::Announce, &[Check::Discard], purity::prefetch),
    rule(Check::CallOrder, &[Check::Discard], rejections::call_order),
    rule(Check::Loads, &[Check::Discard], rejections::loads),
    rule(Check::StepSize, &[Check::Discard], rejections::step_size),
    rule(Check::Restore, &[Check::Discard], rollback::restore),
    rule(Check::RestoreRepeats, &[Check::Restore], rollback::repeats),
    rule(Check::RestoreElsewhere, &[Check::RestoreRepeats], rollback::elsewhere),
    rule(Check::DamagedSnapshot, &[Check::Restore], rollback::damaged),
    rule(Check::InverseMass, &[Check::Evaluate], inverse_mass::derivative),
    rule(Check::Affinity, &[Check::InverseMass], inverse_mass::affinity),
    rule(Check::PositionWeight, &[Check::Affinity], inverse_mass::position_weight),
    rule(Check::Commit, &[Check::PositionWeight], inverse_mass::commit),
    rule(Check::Revision, &[Check::Evaluate, Check::StepCapability], inverse_mass::revision),
    rule(Check::LimitedResponse, &[Check::Evaluate], limited::limited_response),
    rule(Check::Momenta, &[Check::Evaluate, Check::RestoreElsewhere], momenta::momenta),
    rule(Check::Moves, &[Check::PositionWeight], momenta::moves),
    rule(Check::InsideImpulses, &[Check::PositionWeight], jumps::inside_impulses),
    rule(Check::Jump, &[Check::Begin], jumps::jump),
    rule(Check::Shift, &[Check::Begin], jumps::project_positions),
    rule(Check::Ledger, &[Check::Evaluate], ledger::ledger),
    rule(Check::ImpulseCapability, &[Check::Begin], capabilities::impulses),
    rule(Check::RollBackCapability, &[Check::Begin], capabilities::roll_back),
    rule(Check::Statistics, &[Check::Begin], capabilities::statistics),
    rule(Check::Respond, &[Check::Begin], respond::respond),
    rule(Check::Motion, &[Check::Respond], respond::motions),
    rule(Check::LoadTangents, &[Check::Respond], respond::tangents),
    rule(Check::AffineLoads, &[Check::Respond], respond::affinity),
    rule(Check::LoadWork, &[Check::Respond], respond::work),
    rule(Check::Inputs, &[Check::Begin], signals::inputs),
    rule(Check::Outputs, &[Check::Begin], signals::outputs),
    rule(Check::FeedThrough, &[Check::Outputs], signals::feed_through),
];

impl Conformance<'_> {
    /// Makes all checks.
    #[must_use]
    pub fn check(&self) -> ConformanceReport {
        let mut outcomes: Vec<(Check, CheckOutcome)> = Vec::with_capacity(RULES.len());
        let mut unsound: Vec<(Check, Check)> = Vec::new();
        for rule in RULES {
            let check = rule.check;
            let cause =
                unsound.iter().find(|(broken, _)| rule.needs.contains(broken)).map(|(_, cause)| *cause);
            let exemption = self.exempt.iter().find(|(exempt, _)| *exempt == check);
            let outcome = match (exemption, cause) {
                (Some((_, reason)), _) => CheckOutcome::Skipped(reason.clone()),
                (None, Some(cause)) => CheckOutcome::Skipped(format!("because {cause} failed")),
                (None, None) => (rule.run)(self).into(),
            };
            match (&outcome, cause) {
                (CheckOutcome::Failed(_), _) => unsound.push((check, check)),
                (_, Some(cause)) => unsound.push((check, cause)),
                _ => {}
            }
            outcomes.push((check, outcome));
        }
        ConformanceReport::new(self.make().description().name.clone(), outcomes)
    }
}
