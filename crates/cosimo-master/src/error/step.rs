//! Errors of a step.

use std::fmt;

use cosimo_nonsmooth::OneStepError;
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

use super::signals::SignalError;
use crate::EnergyAction;

/// Why a step failed. The state is that of the last communication point reached.
#[derive(Error)]
#[non_exhaustive]
pub enum StepError {
    /// A size that is none, or that does not advance the time.
    #[error(
        "the step from {time} s has the size {size} s, must be positive, finite, and large enough to advance the time"
    )]
    Size {
        /// Start of the step (s).
        time: f64,
        /// The size given (s).
        size: f64,
    },
    /// A time to run to that is not reached from the present one.
    #[error("the run from {time} s ends at {end} s, must be finite and not before its start")]
    End {
        /// The present time (s).
        time: f64,
        /// The time given (s).
        end: f64,
    },
    /// A subsystem failed.
    #[error("step from {time} s: {source}")]
    Subsystem {
        /// Start of the step (s).
        time: f64,
        /// What the subsystem says.
        #[source]
        source: SubsystemError,
    },
    /// A subsystem failed to take a step or a jump that was found, and that others may have taken: the model cannot go on from here.
    #[error("step from {time} s, from which there is no way back: {source}")]
    NotCommitted {
        /// Start of the step (s).
        time: f64,
        /// What the subsystem says.
        #[source]
        source: SubsystemError,
    },
    /// The signals cannot be exchanged.
    #[error("communication point at {time} s: {source}")]
    Signals {
        /// The communication point (s).
        time: f64,
        /// What is the matter.
        #[source]
        source: SignalError,
    },
    /// The interface iteration did not converge.
    #[error(
        "the step from {time} s of {size} s did not converge in {iterations} iterations: {place} has the relative residual \
         {residual:.3e}{contraction}; {remedy}"
    )]
    NotConverged {
        /// Start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
        /// Iterations done.
        iterations: u32,
        /// Where the largest residual is.
        place: ResidualPlace,
        /// Relative residual reached (–).
        residual: f64,
        /// Observed contraction, as text; empty when unknown.
        contraction: String,
        /// The way out.
        remedy: &'static str,
    },
    /// An interface creates more energy than allowed.
    #[error(
        "the step from {time} s of {size} s: interface `{interface}` creates {created:.3e} J of energy, {allowed:.3e} J are \
         allowed; {}", way_out(*.action, *.is_explicit)
    )]
    EnergyCreated {
        /// Start of the step, or of its part (s).
        time: f64,
        /// Size of it (s).
        size: f64,
        /// Name of the interface.
        interface: String,
        /// Energy created in the step so far (J).
        created: f64,
        /// Energy allowed (J).
        allowed: f64,
        /// What was to be done about it.
        action: EnergyAction,
        /// Whether a subsystem of the model is coupled explicitly, so that no step can be taken back.
        is_explicit: bool,
    },
    /// A run created too much energy, and `energy_action` is to stop it.
    #[error(
        "the step from {time} s of {size} s: {place} has created {created:.3e} J in the run so far, where {at_stake:.3e} J \
         are at stake; {advice}"
    )]
    EnergyCreatedSoFar {
        /// Start of the step (s), which was taken.
        time: f64,
        /// Size of it (s).
        size: f64,
        /// What created it: an interface, the time integration of a subsystem, or a contact.
        place: String,
        /// Energy created in the run so far (J).
        created: f64,
        /// Energy at stake (J).
        at_stake: f64,
        /// What to do.
        advice: String,
    },
    /// A run that has come to its end has created, net, more energy than was at stake.
    #[error(
        "the run to {time} s has created {created:.3e} J where {at_stake:.3e} J were at stake{}: its results are not to be trusted; see \
         the warnings for the step that would do; energy_action = \"ignore\" takes the results all the same", most_at(.place)
    )]
    EnergyCreatedInRun {
        /// Time reached (s).
        time: f64,
        /// Energy created, all places together (J).
        created: f64,
        /// Energy at stake (J).
        at_stake: f64,
        /// What created most of it; empty where that is not known.
        place: String,
    },
    /// The contact problem was not solved.
    #[error("step from {time} s, contact `{contact}`: {source}")]
    Contacts {
        /// Start of the step (s).
        time: f64,
        /// The contact concerned, `subsystem.contact`.
        contact: String,
        /// What the solver says.
        #[source]
        source: OneStepError,
    },
    /// A contact is pressed together by bodies that cannot give way.
    #[error(
        "step from {time} s: contact `{contact}` closes at {rate:.3e} m/s and nothing gives way there: {held} is held by a \
         prescribed motion or by its joints, and no finite impulse stops it; make the interface behind the contact compliant, \
         use a force law instead of the rigid contact, or drive the body by a force or torque instead of a prescribed motion"
    )]
    HeldContact {
        /// Start of the step (s).
        time: f64,
        /// The contact, `subsystem.contact`.
        contact: String,
        /// Its gap rate (m/s).
        rate: f64,
        /// What does not give way, as text.
        held: String,
    },
    /// Contacts are pressed together, and whatever stops one presses another.
    #[error(
        "step from {time} s: the contacts {contacts} clamp what is between them: together they close at {rate:.3e} m/s, and what \
         opens one closes another, since the bodies behind are held by prescribed motions or by joints; no finite impulses stop them; \
         use a force law instead of one of the contacts, or drive the bodies by a force or torque instead of a prescribed motion"
    )]
    ClampedContacts {
        /// Start of the step (s).
        time: f64,
        /// The contacts, `subsystem.contact`, as text.
        contacts: String,
        /// Mean of their gap rates, weighted by what they share of the clamping (m/s).
        rate: f64,
    },
    /// The interface matrix is singular.
    #[error(
        "step from {time} s: the interface equations are singular at coordinate {coordinate} of interface \
         `{interface}`; a joint is given twice or a port cannot move: use a Tikhonov joint"
    )]
    SingularInterface {
        /// Start of the step (s).
        time: f64,
        /// Name of the interface.
        interface: String,
        /// Its coordinate.
        coordinate: usize,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

impl StepError {
    /// Whether the model stands where it was and a smaller step may succeed: the iteration of the interfaces, or the
    /// solver of a subsystem, did not converge.
    #[must_use]
    pub fn is_of_step_size(&self) -> bool {
        match self {
            Self::NotConverged { .. } => true,
            Self::EnergyCreated { action, .. } => *action == EnergyAction::Halve,
            Self::Subsystem { source, .. } => {
                matches!(source, SubsystemError::StepFailed { .. } | SubsystemError::StepHoldsEvent { .. })
            }
            _ => false,
        }
    }

    /// Whether something happens inside the step because of which it has no solution.
    pub(crate) fn is_of_event(&self) -> bool {
        matches!(self, Self::Subsystem { source: SubsystemError::StepHoldsEvent { .. }, .. })
    }
}

/// Where the largest residual of an interface problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResidualPlace {
    /// At an interface, which waits for the answer of a subsystem, `subsystem.port`; that is empty where it is not known.
    Interface {
        /// Name of the interface.
        name: String,
        /// The side that it waits for.
        side: String,
    },
    /// At a contact, `subsystem.contact`.
    Contact(String),
    /// At a port without interface of a subsystem.
    Subsystem(String),
    /// It is not known where.
    Unknown,
}

impl fmt::Display for ResidualPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interface { name, side } => write!(f, "interface `{name}` (to subsystem `{side}`)"),
            Self::Contact(name) => write!(f, "contact `{name}`"),
            Self::Subsystem(name) => write!(f, "subsystem `{name}`"),
            Self::Unknown => f.write_str("the interface problem"),
        }
    }
}

/// Where most of something is.
fn most_at(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(", most of it by {place}") }
}

/// What helps against an interface that creates energy.
fn way_out(action: EnergyAction, is_explicit: bool) -> &'static str {
    match action {
        _ if is_explicit => {
            "use a smaller step, step_control = \"energy\" with a smaller energy_tolerance and energy_action = \"warn\", a \
             coupling other than \"explicit\" where the subsystem has one, or raise energy_limit"
        }
        EnergyAction::Halve => {
            "allow more max_halvings, use a smaller step, scheme = \"condensed\", or raise \
             energy_limit"
        }
        _ => {
            "use a smaller step, energy_action = \"halve\", scheme = \"condensed\", or raise \
             energy_limit"
        }
    }
}

#[cfg(test)]
mod tests;
