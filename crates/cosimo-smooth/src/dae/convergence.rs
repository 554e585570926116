//! When Newton's method has solved a step.

use super::formulation::Formulation;
use super::norm::largest;
use super::problem::StepProblem;
use super::state::DaeState;

/// Contraction above which kept factors are renewed.
pub(super) const SLOW: f64 = 0.25;

/// How fast the contraction that is believed of factors of an earlier step may fall from one iteration to the next: the first
/// corrections may lessen fast by chance. As in CVODE (A. C. Hindmarsh et al., ACM TOMS 31, 2005).
pub(super) const BELIEF: f64 = 0.3;

/// Contraction by factors of the present iterate that shows corrections to be round-off: near a solution they would
/// otherwise lessen quadratically.
const STAGNANT: f64 = 0.5;

/// Round-off of positions, relative to `1 + max |q|`: of the numbers themselves, and what the conditioning of long
/// mechanisms may make of it.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
pub(super) const CONDITIONED_ROUND_OFF: f64 = 1000.0 * f64::EPSILON;

/// Where rows depend on each other the round-off of the constraints moves positions by as much as its root: there they meet
/// like the two sides of a double root.
const SINGULAR_ROUND_OFF: f64 = 1.5e-8;

/// Share of the corrections of velocities that what the balance of forces lacks may account for where they are taken for the
/// round-off of the constraints. Where corrections converge slowly it accounts for more than a quarter of the next.
pub(super) const UNBALANCED: f64 = 0.1;

/// Sizes of the last corrections, as velocities and as positions, and of the multipliers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Correction {
    pub(super) velocity: f64,
    pub(super) position: f64,
    pub(super) multiplier: f64,
}

impl Correction {
    /// Of an iterate that is nowhere near.
    pub(super) const UNKNOWN: Self =
        Self { velocity: f64::INFINITY, position: f64::INFINITY, multiplier: f64::INFINITY };
}

/// How the corrections of a step contract (–), from one to the next.
#[derive(Debug)]
pub(super) struct Contraction {
    /// The last correction.
    pub(super) before: Correction,
    /// What is believed of the motion.
    pub(super) of_motion: f64,
    /// What is believed of the multipliers.
    pub(super) of_multipliers: f64,
    /// What the last correction showed of both, where corrections contract by turns; else zeros.
    last: [f64; 2],
    has_turns: bool,
}

impl Contraction {
    /// Of a step whose corrections contract by turns, or evenly.
    pub(super) fn new(believed: f64, has_turns: bool) -> Self {
        let before = Correction::UNKNOWN;
        Self { before, of_motion: believed, of_multipliers: believed, last: [0.0; 2], has_turns }
    }

    /// What a correction shows of motion and multipliers, beside the one before it.
    #[inline]
    pub(super) fn note(&mut self, size: Correction) -> [f64; 2] {
        let contraction = size.velocity / self.before.velocity;
        let found = size.multiplier / self.before.multiplier;
        self.of_multipliers = found.max(BELIEF * self.of_multipliers).max(self.last[1]);
        self.of_motion = contraction.max(BELIEF * self.of_motion).max(self.last[0]);
        [contraction, found]
    }

    /// Goes on from a correction; returns the contraction, of the multipliers where the motion is found, averaged over turns.
    #[inline]
    pub(super) fn go_on(&mut self, size: Correction, found: [f64; 2], has_motion: bool) -> f64 {
        let which = usize::from(has_motion);
        let (now, turn) = (found[which], self.last[which]);
        if self.has_turns {
            self.last = found;
        }
        self.before = size;
        if turn > 0.0 { (now * turn).sqrt() } else { now }
    }

    /// Forgets the last correction.
    pub(super) fn restart(&mut self) {
        (self.before, self.last) = (Correction::UNKNOWN, [0.0; 2]);
    }
}

/// Whether the error left by a correction is small: below the tolerance by the contraction believed, or round-off that
/// further corrections do not lessen by the contraction observed. `is_fresh` says whether the factors are those of the iterate.
pub(super) fn is_done(
    p: &StepProblem<'_>,
    size: Correction,
    [contraction, believed]: [f64; 2],
    is_fresh: bool,
    end: &DaeState,
) -> bool {
    let share = share_left(believed);
    if share * size.velocity <= p.settings.tolerance * (1.0 + largest(&end.v)) {
        return true;
    }
    let round_off = size.position / (1.0 + largest(&end.q));
    (contraction > SLOW && round_off <= ROUND_OFF)
        || (is_fresh && contraction > STAGNANT && round_off <= CONDITIONED_ROUND_OFF)
}

/// Whether a correction by factors of the iterate may come from the round-off of constraints that nearly depend on each other: it
/// has not lessened, and is no larger than that makes it. Positions alone decide: rates and accelerations have no double roots.
pub(super) fn may_be_round_off(
    p: &StepProblem<'_>,
    size: Correction,
    contraction: f64,
    end: &DaeState,
) -> bool {
    p.settings.formulation == Formulation::Position
        && contraction > SLOW
        && size.position <= SINGULAR_ROUND_OFF * (1.0 + largest(&end.q))
}

/// Share of the last correction that is left where corrections contract like this; all of it where that is not known, zero.
pub(super) fn share_left(contraction: f64) -> f64 {
    if contraction > 0.0 && contraction < 0.5 { contraction / (1.0 - contraction) } else { 1.0 }
}
