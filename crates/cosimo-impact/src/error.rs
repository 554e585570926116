//! Why a system cannot be stepped.

use cosimo_complementarity::LcpError;
use cosimo_dynamics::SystemError;
use cosimo_mechanics::ContactLawError;
use cosimo_nonsmooth::OneStepError;
use cosimo_smooth::dae::DaeError;
use thiserror::Error;

/// Why a system with contacts cannot be stepped.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// A parameter breaks its rule.
    #[error("{quantity} must be {rule}, not {found}")]
    OutOfRange {
        /// What it is.
        quantity: &'static str,
        /// The value given.
        found: f64,
        /// What is allowed.
        rule: &'static str,
    },
    /// The law of a contact breaks a rule.
    #[error("contact {contact}: {source}")]
    BadLaw {
        /// Number of the contact.
        contact: usize,
        /// The rule.
        source: ContactLawError,
    },
    /// Guaranteed dissipation is asked for with a `θ` that does not have it.
    #[error(
        "theta = {theta} does not guarantee dissipation with restitution {restitution}: it must be at most 1/(1 + e) = {bound}; \
         lower theta, or use `dissipative-moreau-jean`"
    )]
    NotDissipative {
        /// `θ`.
        theta: f64,
        /// Largest coefficient of restitution.
        restitution: f64,
        /// `1/(1 + e)`.
        bound: f64,
    },
    /// A vector has another length.
    #[error("{quantity} has {found} entries, the system {expected}")]
    Length {
        /// What it is.
        quantity: &'static str,
        /// Length given.
        found: usize,
        /// Length of the system.
        expected: usize,
    },
    /// A number of the start is not finite.
    #[error("{quantity} is not finite")]
    NotFinite {
        /// What it is.
        quantity: &'static str,
    },
    /// Bodies overlap at the start.
    #[error(
        "contact `{contact}` is {depth:.3e} m inside its obstacle at the start; move the start out of it"
    )]
    Penetration {
        /// Name of the contact.
        contact: String,
        /// How deep (m).
        depth: f64,
    },
    /// The start does not satisfy a constraint.
    #[error("constraint `{constraint}` is open at the start: {level} residual {residual:e}")]
    Open {
        /// The constraint block.
        constraint: String,
        /// `position` or `velocity`.
        level: &'static str,
        /// The residual.
        residual: f64,
    },
    /// The scheme has no such contacts.
    #[error("the scheme `{scheme}` does not take contacts with {what}; {way_out}")]
    Unsupported {
        /// The scheme.
        scheme: &'static str,
        /// What it cannot do.
        what: &'static str,
        /// What to use instead.
        way_out: &'static str,
    },
    /// The scheme takes no impulses from outside.
    #[error("the scheme `{scheme}` takes no loads on ports: {why}; {way_out}")]
    NoOuterRows {
        /// The scheme.
        scheme: &'static str,
        /// What it would do with them.
        why: &'static str,
        /// What to use instead.
        way_out: &'static str,
    },
    /// The matrix of a step is singular.
    #[error(transparent)]
    Matrix(#[from] DaeError),
    /// The contact problem has broken a rule.
    #[error("contact problem at {time} s: {source}")]
    Complementarity {
        /// Time of the step's start (s).
        time: f64,
        /// The rule.
        source: LcpError,
    },
    /// The problem of the contact laws is not solved, or has broken a rule.
    #[error("contact problem at {time} s: {source}")]
    Law {
        /// Time of the step's start (s).
        time: f64,
        /// Why.
        source: OneStepError,
    },
    /// The contact problem has no solution that was found.
    #[error(
        "the problem of {contacts} contacts at {time} s is not solved: residual {residual:e}; halve the step, and look for bodies \
         that are pressed between contacts and prescribed motions"
    )]
    Contacts {
        /// Time of the step's start (s).
        time: f64,
        /// Contacts in it.
        contacts: usize,
        /// Residual of the best point.
        residual: f64,
    },
    /// A contact closes at which nothing gives way.
    #[error(
        "contact `{contact}` closes at {rate:.3e} m/s in the step from {time} s, and nothing there gives way: prescribed motions or \
         joints hold what it presses on, and no finite impulse stops it; let the drive give way, by a spring or a force instead of \
         the prescribed motion, or remove the contact"
    )]
    Jammed {
        /// Time of the step's start (s).
        time: f64,
        /// Name of the contact.
        contact: String,
        /// Rate at which it closes (m/s).
        rate: f64,
    },
    /// Newton's method did not converge.
    #[error(
        "the step of {size} s at {time} s did not converge in {iterations} iterations: last change {change:e} m/s{}; halve the \
         step, or use `moreau-jean`",
        of_contacts(.changing)
    )]
    NotConverged {
        /// Time of the step's start (s).
        time: f64,
        /// Step size (s).
        size: f64,
        /// Iterations done.
        iterations: usize,
        /// Last change of a velocity (m/s).
        change: f64,
        /// Names of the contacts that take part, or that keep opening and closing.
        changing: Vec<String>,
    },
}

/// The most contacts that a message names.
const MAX_NAMES: usize = 5;

/// The contacts in a message.
fn of_contacts(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MAX_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(", with the contacts {shown}{rest}")
}

impl ImpactError {
    /// A rule with a parameter out of its range.
    pub(crate) fn of_rule(error: SystemError) -> Self {
        match error {
            SystemError::OutOfRange { quantity, found, rule } => Self::OutOfRange { quantity, found, rule },
            _ => Self::OutOfRange { quantity: "parameter of the rule", found: f64::NAN, rule: "finite" },
        }
    }
}
