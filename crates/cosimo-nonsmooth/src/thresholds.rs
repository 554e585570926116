//! The numbers that decide what a contact does: one place for all modules.
//!
//! They are shares, without unit, of what the quantity compared is made of, unless they count steps. Three sizes recur: what
//! rounding leaves of sums of numbers (1e-12 to 1e-14), what solvers leave of their equations (1e-9), and what parabolas in a
//! step know of a motion (a twentieth).

/// Rounding of a gap and of its rate, as a share of the largest numbers that they are differences of: of several sums and products.
pub(crate) const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Rate changes, slips and energies below this share of the terms they are the sum of are round-off.
pub(crate) const ROUND_OFF: f64 = 1e-12;
/// Loads below this share of the largest are round-off: they come from one factorisation.
pub(crate) const NO_LOAD: f64 = 1e-14;
/// Share of the energy exchanged in an impact above which a gain is more than round-off.
pub(crate) const GAIN: f64 = 1e-10;

/// Residual of contacts with friction that is aimed at: round-off, so that a model does not depend on how it is cut into
/// subsystems. It costs little where sweeps and Newton's method reach it, and is asked of these alone.
pub(crate) const GOAL: f64 = 1e-14;
/// Residual that a step needs: accepted where round-off is out of reach, and asked of the solvers for hard problems.
pub(crate) const ACCEPTED: f64 = 1e-9;

/// A contact sticks whose slip is below this share of what the loads change rates by.
pub(crate) const STICKING: f64 = 1e-6;
/// A slip below this share of what rates are made of, or of the one before, is that of a contact that friction holds: what
/// solvers leave.
pub(crate) const HELD_SLIP: f64 = 1e-9;
/// Share of its bound by which friction stays below it where a coefficient for sticking is to hold: what solvers leave.
pub(crate) const NEAR_BOUND: f64 = 1e-9;
/// The same for the state that is told: round-off.
pub(crate) const AT_BOUND: f64 = 1e-12;
/// Share of the largest inverse mass of a contact below which that along a tangent is none: to about so many digits
/// subsystems know how they answer.
pub(crate) const HELD_TANGENT: f64 = 1e-11;
/// Share of the velocity of a contact below which it does not slide along a tangent that is held.
pub(crate) const AT_REST_ALONG: f64 = 1e-8;

/// A rebound below this share of the contact-free rate change of the step is none.
pub(crate) const SMALL_REBOUND: f64 = 1e-6;
/// A contact that touches with less than this share of the rate change of a step closes without impact.
pub(crate) const TOUCHING: f64 = 1e-5;
/// Impacts closer than this share of the step are one, and by how much that grows with every repeated hit of a contact.
pub(crate) const TIE: f64 = 1e-9;
pub(crate) const TIE_GROWTH: f64 = 8.0;

/// Share of a step for which a parabola must stay below zero to be an impact where it comes back: what is shorter is within
/// the error of parabolas.
pub(crate) const BRIEF: f64 = 0.05;
/// Below this stiffness of a contact (see [`ContactMemory::stiffness`](crate::ContactMemory::stiffness)) the parabolas are
/// trusted after impacts,
pub(crate) const SOFT: f64 = 0.05;
/// and a rebound shorter than twice this share of a step is chatter.
pub(crate) const CHATTER: f64 = 0.05;
/// Where they are not trusted, a rebound must outrun the acceleration of this many steps to be an impact of its own,
pub(crate) const ISOLATION: f64 = 2.0;
/// and the contact must have been without impulse for more than this many steps.
pub(crate) const QUIET_STEPS: u32 = 3;
/// A jump shows the stiffness of its contact when it is this many times the rate change of a step.
pub(crate) const TELLING: f64 = 4.0;

/// How accurately contacts with friction are solved: what is aimed at, and what is accepted (–).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accuracy {
    pub(crate) goal: f64,
    pub(crate) accepted: f64,
}

impl Accuracy {
    /// Round-off where it is within reach; a tolerance above what a step needs is aimed at and accepted.
    pub(crate) fn of(tolerance: f64) -> Self {
        if tolerance > ACCEPTED {
            return Self { goal: tolerance, accepted: tolerance };
        }
        Self { goal: GOAL, accepted: ACCEPTED }
    }
}

impl Default for Accuracy {
    fn default() -> Self {
        Self::of(ACCEPTED)
    }
}
