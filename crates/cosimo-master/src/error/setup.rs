//! Errors of the setup.

use std::fmt;

use cosimo_subsystem::SubsystemError;
use thiserror::Error;

use super::list_names;
use super::signals::SignalError;
use crate::ConfigError;

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
