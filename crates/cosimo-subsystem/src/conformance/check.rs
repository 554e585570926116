//! The list of checks.

use std::fmt;

use super::report::Found;
use super::{
    Conformance, capabilities, compliance, jumps, ledger, purity, refusals, rollback, shape, signals,
};

/// One rule of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// The description contradicts nothing.
    Description,
    /// Everything has one entry a row and is finite.
    Shapes,
    /// Two new instances that are driven alike agree bit for bit.
    Determinism,
    /// `begin` leaves the state untouched and can be repeated.
    Begin,
    /// `evaluate` can be repeated in any order; neither it nor `commit` depends on earlier evaluations.
    Evaluate,
    /// A step that was begun, evaluated and discarded leaves no trace.
    Discard,
    /// Announcing calls changes nothing, whether the calls follow or not.
    Announce,
    /// Calls without a step begun are refused.
    CallOrder,
    /// Loads of the wrong length and loads that are not finite are refused and change nothing.
    Loads,
    /// Step sizes that are not positive and finite are refused and change nothing.
    StepSize,
    /// Right after `restore` everything shows as it was when saved, the saved bytes included.
    Restore,
    /// After `restore` the run repeats bit for bit.
    RestoreRepeats,
    /// A new instance continues from another's snapshot bit for bit.
    RestoreElsewhere,
    /// Damaged snapshots and those of others are refused and change nothing.
    DamagedSnapshot,
    /// The compliance is the derivative of the end velocities.
    Compliance,
    /// The answer of an affine subsystem is `free + W X`.
    Affinity,
    /// End positions of an affine subsystem change by `χ W X`.
    PositionWeight,
    /// `commit` ends where `evaluate` said.
    Commit,
    /// The revision tells whether compliance or weights changed.
    Revision,
    /// Impulses inside a step act by their moments, as stated for [`ImpulseMoments`](crate::ImpulseMoments).
    InsideImpulses,
    /// `jump` changes the row velocities by the prepared matrix times the impulses, and no position.
    Jump,
    /// `shift` changes the row positions by the prepared matrix times the weights.
    Shift,
    /// The energy ledger closes and the share of the time integration stays within the tolerance.
    Ledger,
    /// Impulses are refused by those who say that they take none.
    ImpulseCapability,
    /// Step sizes may change exactly where the capabilities say so.
    StepCapability,
    /// Saving is refused by those who say that they cannot roll back.
    RollBackCapability,
    /// The counts of work are those of the calls made.
    Statistics,
    /// Courses of inputs of the wrong number, or not finite, are refused and change nothing.
    Inputs,
    /// Outputs are finite, the same every time, and refused for inputs that do not fit.
    Outputs,
    /// Outputs do not change with inputs that do not feed through to them.
    FeedThrough,
}

impl Check {
    /// The rule in one sentence.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Description => "the description contradicts nothing",
            Self::Shapes => "everything has one entry a row and is finite",
            Self::Determinism => "two new instances agree bit for bit",
            Self::Begin => "begin leaves the state untouched and can be repeated",
            Self::Evaluate => "evaluate can be repeated in any order",
            Self::Discard => "a discarded step leaves no trace",
            Self::Announce => "announcing calls changes nothing",
            Self::CallOrder => "calls without a step begun are refused",
            Self::Loads => "bad loads are refused and change nothing",
            Self::StepSize => "bad step sizes are refused and change nothing",
            Self::Restore => "restore brings everything back",
            Self::RestoreRepeats => "after restore the run repeats bit for bit",
            Self::RestoreElsewhere => "a new instance continues from a snapshot bit for bit",
            Self::DamagedSnapshot => "damaged snapshots are refused and change nothing",
            Self::Compliance => "the compliance is the derivative of the end velocities",
            Self::Affinity => "an affine answer is free + W X",
            Self::PositionWeight => "end positions change by χ W X",
            Self::Commit => "commit ends where evaluate said",
            Self::Revision => "the revision tells whether compliance or weights changed",
            Self::InsideImpulses => "impulses inside a step act by their moments",
            Self::Jump => "jump changes the row velocities as prepared, and no position",
            Self::Shift => "shift changes the row positions as prepared",
            Self::Ledger => "the energy ledger closes within the tolerance",
            Self::ImpulseCapability => "impulses are refused by those who take none",
            Self::StepCapability => "step sizes may change exactly where the capabilities say so",
            Self::RollBackCapability => "saving is refused by those who cannot roll back",
            Self::Statistics => "the counts of work are those of the calls made",
            Self::Inputs => "bad inputs are refused and change nothing",
            Self::Outputs => "outputs are finite and the same every time",
            Self::FeedThrough => "outputs change only with inputs that feed through to them",
        }
    }
}

impl fmt::Display for Check {
    /// The name of the variant.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// How a check is made.
pub(super) struct Rule {
    pub(super) check: Check,
    /// Checks that it builds on.
    pub(super) needs: &'static [Check],
    pub(super) run: fn(&Conformance<'_>) -> Found,
}

const fn rule(check: Check, needs: &'static [Check], run: fn(&Conformance<'_>) -> Found) -> Rule {
    Rule { check, needs, run }
}

/// All checks, each after those that it builds on.
pub(super) const RULES: &[Rule] = &[
    rule(Check::Description, &[], shape::description),
    rule(Check::Shapes, &[Check::Description], shape::shapes),
    rule(Check::Determinism, &[Check::Shapes], purity::determinism),
    rule(Check::Begin, &[Check::Determinism], purity::begin),
    rule(Check::Evaluate, &[Check::Begin], purity::evaluate),
    rule(Check::StepCapability, &[Check::Begin], capabilities::step_sizes),
    rule(Check::Discard, &[Check::Evaluate, Check::StepCapability], purity::discard),
    rule(Check::Announce, &[Check::Discard], purity::announce),
    rule(Check::CallOrder, &[Check::Discard], refusals::call_order),
    rule(Check::Loads, &[Check::Discard], refusals::loads),
    rule(Check::StepSize, &[Check::Discard], refusals::step_size),
    rule(Check::Restore, &[Check::Discard], rollback::restore),
    rule(Check::RestoreRepeats, &[Check::Restore], rollback::repeats),
    rule(Check::RestoreElsewhere, &[Check::RestoreRepeats], rollback::elsewhere),
    rule(Check::DamagedSnapshot, &[Check::Restore], rollback::damaged),
    rule(Check::Compliance, &[Check::Evaluate], compliance::derivative),
    rule(Check::Affinity, &[Check::Compliance], compliance::affinity),
    rule(Check::PositionWeight, &[Check::Affinity], compliance::position_weight),
    rule(Check::Commit, &[Check::PositionWeight], compliance::commit),
    rule(Check::Revision, &[Check::Evaluate, Check::StepCapability], compliance::revision),
    rule(Check::InsideImpulses, &[Check::PositionWeight], jumps::inside_impulses),
    rule(Check::Jump, &[Check::Begin], jumps::jump),
    rule(Check::Shift, &[Check::Begin], jumps::shift),
    rule(Check::Ledger, &[Check::Evaluate], ledger::ledger),
    rule(Check::ImpulseCapability, &[Check::Begin], capabilities::impulses),
    rule(Check::RollBackCapability, &[Check::Begin], capabilities::roll_back),
    rule(Check::Statistics, &[Check::Begin], capabilities::statistics),
    rule(Check::Inputs, &[Check::Begin], signals::inputs),
    rule(Check::Outputs, &[Check::Begin], signals::outputs),
    rule(Check::FeedThrough, &[Check::Outputs], signals::feed_through),
];
