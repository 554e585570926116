//! The list of checks.

use std::fmt;

/// One rule of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// The description contradicts nothing.
    Description,
    /// Everything has one entry per row and is finite.
    Shapes,
    /// Absent contacts are reported for all contacts or, always, for none; only a step takes contacts away, and one that is between
    /// others has been absent.
    AbsentContacts,
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
    /// The inverse mass is the derivative of the end velocities.
    InverseMass,
    /// The answer of an affine subsystem is `free + W X`.
    Affinity,
    /// End positions of an affine subsystem change by `χ W X`.
    PositionWeight,
    /// `commit` ends where `evaluate` said.
    Commit,
    /// The revision says whether inverse mass or weights changed.
    Revision,
    /// Limited to some rows, the response is the same for them; loads are the same with and without tangents.
    LimitedResponse,
    /// Steps that pass on momenta repeat bit for bit, also from a snapshot, and `begin` leaves them alone.
    Momenta,
    /// Moves change the end of a step as stated for [`StepLoads`](crate::StepLoads); who takes none refuses them.
    Moves,
    /// Impulses inside a step act by their moments, as stated for [`ImpulseMoments`](cosimo_mechanics::ImpulseMoments).
    InsideImpulses,
    /// `jump` changes the row velocities by the prepared matrix times the impulses, and no position.
    Jump,
    /// `project_positions` changes the row positions by the prepared matrix times the weights.
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
    /// `respond` can be repeated in any order; neither it nor `commit` depends on earlier motions, and the state is untouched.
    Respond,
    /// Motions of the wrong shape and motions that are not finite are refused and change nothing.
    Motion,
    /// The tangents of load ports are the derivatives of the loads at the end.
    LoadTangents,
    /// Loads of an affine subsystem are affine in the motion at the end.
    AffineLoads,
    /// The work of the load ports in the ledger is mean load times displacement.
    LoadWork,
    /// Outputs do not change with inputs that do not feed through to them.
    FeedThrough,
}

impl Check {
    /// The rule in one sentence.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Description => "the description contradicts nothing",
            Self::Shapes => "everything has one entry per row and is finite",
            Self::AbsentContacts => {
                "absent contacts are told of all contacts or of none, and a jump takes none away"
            }
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
            Self::InverseMass => "the inverse mass is the derivative of the end velocities",
            Self::Affinity => "an affine answer is free + W X",
            Self::PositionWeight => "end positions change by χ W X",
            Self::Commit => "commit ends where evaluate said",
            Self::Revision => "the revision tells whether inverse mass or weights changed",
            Self::LimitedResponse => "limited to some rows, the response tells the same of them",
            Self::Momenta => "steps that pass on momenta repeat bit for bit, also from a snapshot",
            Self::Moves => "moves change the end as stated, or are refused",
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
            Self::Respond => "respond can be repeated in any order",
            Self::Motion => "bad motions are refused and change nothing",
            Self::LoadTangents => "tangents are the derivatives of the loads",
            Self::AffineLoads => "affine loads are affine in the motion at the end",
            Self::LoadWork => "the work of load ports is mean load times displacement",
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
