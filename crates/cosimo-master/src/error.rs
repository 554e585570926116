//! Errors of the master.

use std::fmt;

use cosimo_nonsmooth::OneStepError;
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

use crate::{ConfigError, EnergyAction, SignalError};

/// Why a coupled model cannot be set up.
#[derive(Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A setting breaks its rule.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A start that is no time.
    #[error("the time at the start is {found} s, must be finite")]
    Time {
        /// The time given (s).
        found: f64,
    },
    /// A subsystem's description is wrong, or it failed at the start.
    #[error(transparent)]
    Subsystem(#[from] SubsystemError),
    /// Two subsystems or interfaces of the same name.
    #[error("the name `{name}` is used twice")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A subsystem or an interface of a name that quantities of the whole model have.
    #[error(
        "the name `{name}` belongs to the quantities of the whole model, such as `contacts.residual`: choose another"
    )]
    ReservedName {
        /// The name.
        name: String,
    },
    /// An interface names a subsystem or port that does not exist.
    #[error("interface `{interface}` joins `{subsystem}.{port}`, which does not exist; there are: {known}")]
    UnknownPort {
        /// Name of the interface.
        interface: String,
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the port.
        port: String,
        /// What there is.
        known: String,
    },
    /// A port that is joined twice, or to another port of its own subsystem.
    #[error("interface `{interface}` joins `{port}`, which {reason}")]
    BadJoint {
        /// Name of the interface.
        interface: String,
        /// `subsystem.port`.
        port: String,
        /// The rule broken.
        reason: String,
    },
    /// A load port that nothing moves.
    #[error("the load port `{port}` is joined to nothing; join it to a port of a subsystem that moves")]
    UnjoinedLoadPort {
        /// `subsystem.port`.
        port: String,
    },
    /// Sizes or values that do not fit.
    #[error("interface `{interface}`: {reason}")]
    BadInterface {
        /// Name of the interface.
        interface: String,
        /// The rule broken.
        reason: String,
    },
    /// A subsystem cannot do what an interface needs.
    #[error("interface `{interface}` {need}, but subsystem `{subsystem}` {lack}; {remedy}")]
    Incapable {
        /// Name of the interface.
        interface: String,
        /// What it needs.
        need: &'static str,
        /// Name of the subsystem.
        subsystem: String,
        /// What it lacks.
        lack: &'static str,
        /// The way out.
        remedy: &'static str,
    },
    /// A setting for a subsystem that does not exist.
    #[error("there is a setting for subsystem `{subsystem}`, which does not exist; there are: {known}")]
    UnknownSubsystem {
        /// The name.
        subsystem: String,
        /// What there is.
        known: String,
    },
    /// A subsystem cannot be coupled as it is wanted.
    #[error("subsystem `{subsystem}` cannot have coupling = \"{coupling}\": it {lack}; {remedy}")]
    Coupling {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wanted.
        coupling: &'static str,
        /// What it lacks.
        lack: &'static str,
        /// The way out.
        remedy: &'static str,
    },
    /// Impulses at a subsystem of which nobody knows how it answers to them.
    #[error(
        "subsystem `{subsystem}` can only be coupled explicitly, at compliant interfaces: {missing}; but {what}; {remedy}"
    )]
    Explicit {
        /// Name of the subsystem.
        subsystem: String,
        /// What asks for more.
        what: String,
        /// What is missing.
        missing: &'static str,
        /// The way out.
        remedy: &'static str,
    },
    /// Steps are to be taken back where interfaces create energy, and a subsystem cannot.
    #[error(
        "energy_action = \"halve\" takes steps back, which subsystem `{subsystem}` cannot; use energy_action = \"stop\" or \
         \"warn\", or step_control = \"energy\""
    )]
    NoRollback {
        /// Name of the subsystem.
        subsystem: String,
    },
    /// A subsystem that does not let its steps be controlled by their error.
    #[error(
        "step_control = \"error\" needs steps that can be taken back, but subsystem `{subsystem}` {lack}; or use \
         step_control = \"fixed\", or \"energy\" on compliant interfaces"
    )]
    StepControl {
        /// Name of the subsystem.
        subsystem: String,
        /// What it lacks.
        lack: &'static str,
    },
    /// The initial state violates interfaces or contacts.
    #[error("the initial state violates {}; correct it, or set initial_state = \"project\"", .violations.join("; "))]
    InitialState {
        /// Each violation, with names and amounts.
        violations: Vec<String>,
    },
    /// Joints of a loop that contradict each other: no state closes them all.
    #[error(
        "the interfaces {} form a loop that cannot be closed: shared among them as the subsystems give way, up to {amount:.3e} {unit} remain at \
         one of them; correct their offsets or the places of their ports, or make one of them compliant", list_names(.interfaces)
    )]
    InconsistentLoop {
        /// Names of the interfaces.
        interfaces: Vec<String>,
        /// The most that remains at one of them when the violations are shared among them as the inverse masses of the subsystems
        /// weigh them (`unit`); another share may leave less.
        amount: f64,
        /// `m` or `m/s`, of a rotation `rad` or `rad/s`.
        unit: &'static str,
    },
    /// Signals that cannot be connected, or not be evaluated at the start.
    #[error(transparent)]
    Signals(#[from] SignalError),
    /// The threads of the master cannot be started.
    #[error("{threads} threads cannot be started: {reason}; set fewer `threads`")]
    Threads {
        /// Number of threads wanted.
        threads: u32,
        /// What the system says.
        reason: String,
    },
    /// The initial state cannot be projected.
    #[error("the initial state cannot be projected: {reason}")]
    NotProjected {
        /// Why.
        reason: String,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

/// Why a saved state cannot be taken up; the master is as it was.
#[derive(Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The state belongs to another model.
    #[error(
        "the state belongs to another model: its {what} differ; restore it into the model it was saved from"
    )]
    Foreign {
        /// What differs.
        what: &'static str,
    },
    /// A subsystem refuses its part, or cannot be saved and restored at all.
    #[error(transparent)]
    Subsystem(#[from] SubsystemError),
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

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
    /// A subsystem failed to take a step or a jump that others have taken: the model cannot go on from here.
    #[error("step from {time} s, which other subsystems have taken: {source}")]
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

/// The first names of a list, and how many more there are.
pub(crate) fn list_names<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_converge_without_interfaces_is_named_all_the_same() {
        let error = |place: ResidualPlace| {
            let (contraction, remedy) = (String::new(), "use a smaller step");
            let (time, size, iterations, residual) = (0.0, 1e-3, 100, 1.0);
            StepError::NotConverged { time, size, iterations, place, residual, contraction, remedy }
                .to_string()
        };
        let [arm, tip, pin] = ["arm", "arm.tip", "pin"].map(str::to_owned);
        let at_pin = ResidualPlace::Interface { name: pin, side: arm.clone() };
        assert!(
            error(ResidualPlace::Subsystem(arm))
                .contains("100 iterations: subsystem `arm` has the relative residual")
        );
        assert!(error(ResidualPlace::Contact(tip)).contains("contact `arm.tip` has"));
        assert!(error(ResidualPlace::Unknown).contains("the interface problem has"));
        assert!(error(at_pin).contains("interface `pin` (to subsystem `arm`) has"));
    }
}
