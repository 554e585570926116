//! Why a constrained system is refused, or a step of it fails.

use cosimo_dynamics::{AngleWrap, SystemError};
use thiserror::Error;

/// What stops a [`DaeSolver`](super::DaeSolver); the texts name the joint.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DaeError {
    /// A law that has no forces in the step.
    #[error("forces are not known at t = {time} s with a step of {size} s: {reason}")]
    NoForces {
        /// The law, and why it has none.
        reason: String,
        /// Start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// A number outside its range.
    #[error("the {quantity} is {found:?}, must be {rule}")]
    OutOfRange {
        /// Name of the number.
        quantity: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A vector of the wrong length.
    #[error("{quantity} has {found} numbers instead of {expected}")]
    Length {
        /// Which vector.
        quantity: &'static str,
        /// Numbers found.
        found: usize,
        /// Numbers needed.
        expected: usize,
    },
    /// No position near the guess satisfies the constraints.
    #[error(
        "`{constraint}` cannot be closed from the given positions: {residual:.3e} is left; give better positions, or check \
         that the lengths fit"
    )]
    Open {
        /// The constraint block with the largest residual.
        constraint: String,
        /// Its largest residual (m, or – for directions).
        residual: f64,
    },
    /// A position that satisfies the constraints, but not as they are meant.
    #[error(
        "`{constraint}` closes the wrong way round, turned by {angle:.3} rad from what it means; give better orientations, or \
         check the axes"
    )]
    Opposite {
        /// The constraint block that is turned most.
        constraint: String,
        /// By which angle (rad).
        angle: f64,
    },
    /// A motion that the constraints forbid.
    #[error(
        "`{constraint}` contradicts the other constraints: its {level} is {residual:.3e} where they already decide it"
    )]
    Contradiction {
        /// The constraint block.
        constraint: String,
        /// `position` or `velocity`.
        level: &'static str,
        /// Its residual.
        residual: f64,
    },
    /// A constraint left out as redundant is not.
    #[error(
        "`{constraint}` was redundant at the start but is violated by {residual:.3e} at t = {time} s: start from a position \
         that is not singular, make prescribed motions fit each other, and impose positions where the formulation drifts"
    )]
    NotRedundant {
        /// The constraint block.
        constraint: String,
        /// Its residual.
        residual: f64,
        /// Time (s).
        time: f64,
    },
    /// Prescribed motions that no motion of the system follows.
    #[error(
        "the motions that `{constraint}` and {others} prescribe contradict each other: they are {residual:.3e} (m, rad or –) \
         apart at t = {time:.6e} s; make them fit, or remove one of the joints"
    )]
    Motions {
        /// The constraint block that the others imply.
        constraint: String,
        /// Those that it depends on.
        others: String,
        /// Its residual where the others are followed.
        residual: f64,
        /// When that is found (s).
        time: f64,
    },
    /// The matrix of the step cannot be factorised.
    #[error(
        "the equations are singular at {place}: it has no mass, or constraints depend on each other in this position; \
         formulation `index-3` (`Formulation::Position`) with `generalized-alpha` passes such positions"
    )]
    Singular {
        /// Name of the constraint or of the body.
        place: String,
    },
    /// A step by positions alone ends where its equations are singular.
    #[error(
        "the equations of a step of {size} s from t = {time} s are singular at {place}: it has no mass, or constraints depend on \
         each other where the step ends; use a step that ends elsewhere"
    )]
    SingularEnd {
        /// Name of the constraint or of the body.
        place: String,
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// Prescribed motions lead where the mechanism cannot follow.
    #[error(
        "the motion that {constraints} prescribes cannot be reached at t = {time} s: {residual:.3e} (m, rad or –) stays open in \
         every position nearby; end the motion before, or check the lengths"
    )]
    Unreachable {
        /// The constraint blocks that prescribe motions.
        constraints: String,
        /// Least residual found of the constraints.
        residual: f64,
        /// Time at the end of the step (s).
        time: f64,
    },
    /// The equations of a step are singular, although those of its start are not.
    #[error(
        "the equations of a step of {size} s from t = {time} s are singular at {place}, those of its start are not: the step \
         is too long; use a smaller step"
    )]
    StepTooLong {
        /// Name of the constraint or of the body.
        place: String,
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// A body turns too far in one step: by half a turn or more, over all steps that the method looks back together.
    #[error(
        "{body} turns by {angle:.3} rad in a step of {size} s at t = {time} s, must be less than {allowed:.3} rad; use a smaller \
         step"
    )]
    TurnsTooFar {
        /// The body.
        body: String,
        /// Angle of the rotation (rad).
        angle: f64,
        /// What it must stay below (rad).
        allowed: f64,
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// An angle between two bodies changes too much in one step for its turns to be counted.
    #[error(
        "{name} changes by {angle:.3} rad in a step of {size} s at t = {time} s, must change by less than {allowed:.3} rad; use a \
         smaller step"
    )]
    AngleTooFar {
        /// What counts the angle.
        name: String,
        /// By how much it changes (rad).
        angle: f64,
        /// What that must stay below (rad).
        allowed: f64,
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// A turn between two bodies beyond that for which a law is defined.
    #[error("{name} reaches {angle:.3} rad at t = {time} s, must stay below {allowed:.3} rad; {way_out}")]
    OutOfReach {
        /// What turns.
        name: String,
        /// How far it is turned (rad).
        angle: f64,
        /// What that must stay below (rad).
        allowed: f64,
        /// Time at the end of the step (s).
        time: f64,
        /// What to use instead.
        way_out: &'static str,
    },
    /// Newton's method did not converge where constraints nearly depend on each other.
    #[error(
        "no convergence at t = {time} s with a step of {size} s, near a position in which `{constraint}` depends on the other \
         constraints ({share:.1e} of it does not); formulation `index-3` (`Formulation::Position`) with `generalized-alpha` \
         passes such positions"
    )]
    NearSingular {
        /// The constraint block that depends most.
        constraint: String,
        /// Share of its row outside the span of the others.
        share: f64,
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// Newton's method did not converge in a step in which a force jumps.
    #[error(
        "no convergence at t = {time} s with a step of {size} s, in which {name} closes: its damping acts at once with the whole \
         speed of the impact, and a step that ends about there may have no solution; take it in shorter ones, or use a law without \
         a jump, such as `hunt-crossley`"
    )]
    ForceJumps {
        /// What jumps.
        name: String,
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
    /// Newton's method did not converge in a step over which forces or loads are stiff against the inertia.
    #[error(
        "no convergence in {iterations} iterations at t = {time} s with a step of {size} s: forces, loads or reactions are stiff \
         against the inertia that they move, ω h = {stiffness:.1}; use a step below {way_out:.1e} s, more inertia, or \
         less stiffness"
    )]
    Stiff {
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
        /// Iterations done.
        iterations: usize,
        /// `ω h` (–) of the fastest motion of a body without joints.
        stiffness: f64,
        /// The step with `ω h = 1` (s).
        way_out: f64,
    },
    /// Newton's method did not converge.
    #[error(
        "no convergence in {iterations} iterations at t = {time} s with a step of {size} s (last correction {correction:.3e}); \
         use a smaller step"
    )]
    NotConverged {
        /// Time at the start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
        /// Iterations done.
        iterations: usize,
        /// Last correction of the velocities (m/s or rad/s).
        correction: f64,
    },
    /// A number that is not finite.
    #[error("{quantity} is not finite at t = {time} s")]
    NotFinite {
        /// Which quantity.
        quantity: &'static str,
        /// Time (s).
        time: f64,
    },
    /// The error control refuses even the smallest step.
    #[error("the error stays above the tolerance at t = {time} s even with a step of {size:.3e} s")]
    StepTooSmall {
        /// Time (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
    },
}

impl DaeError {
    /// A rule with a parameter out of its range.
    pub(super) fn of_rule(error: SystemError) -> Self {
        match error {
            SystemError::OutOfRange { quantity, found, rule } => Self::OutOfRange { quantity, found, rule },
            _ => Self::OutOfRange { quantity: "parameter of the rule", found: f64::NAN, rule: "finite" },
        }
    }

    /// A step of size `size` (s) from the time `time` (s) that laws do not follow.
    pub(super) fn angle_wrapped(angle_wrap: AngleWrap, time: f64, size: f64) -> Self {
        let AngleWrap { name, angle, allowed, way_out } = angle_wrap;
        match way_out {
            None => Self::AngleTooFar { name, angle, allowed, time, size },
            Some(way_out) => Self::OutOfReach { name, angle, allowed, time: time + size, way_out },
        }
    }
}
