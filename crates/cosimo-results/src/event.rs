//! What happened at a contact.

use cosimo_master::{ContactEvent, ContactEventKind, FrictionState};

/// What happened at a contact, and when: a row of `events.csv`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Time (s); of impacts resolved inside a step and of releases, the instant itself to the order of the scheme.
    pub time: f64,
    /// What happened.
    pub kind: ContactEventKind,
    /// The contact, `subsystem.contact`.
    pub contact: String,
    /// Gap rate before (m/s), opening positive.
    pub velocity_before: f64,
    /// Gap rate after (m/s).
    pub velocity_after: f64,
    /// Impulse (N s); for closings that of the step.
    pub impulse: f64,
    /// Impulses along the tangents (N s), in the same way; zero along tangents that the contact does not have.
    pub tangential_impulse: [f64; 2],
    /// What friction does at the contact.
    pub friction: FrictionState,
    /// Energy that the impulses of an impact, or of a touch that closes the contact, put in (J): negative, unless the impact law
    /// creates energy; else zero.
    pub work: f64,
}

impl Event {
    /// Whether it is an impact, a velocity jump.
    #[must_use]
    pub fn is_impact(&self) -> bool {
        self.kind == ContactEventKind::Impact
    }

    /// The event as an observer sees it.
    #[must_use]
    pub fn shown(&self) -> ContactEvent<'_> {
        let (subsystem, contact) = self.contact.split_once('.').unwrap_or((&self.contact, ""));
        ContactEvent {
            time: self.time,
            kind: self.kind,
            subsystem,
            contact,
            velocity_before: self.velocity_before,
            velocity_after: self.velocity_after,
            impulse: self.impulse,
            tangential_impulse: self.tangential_impulse,
            friction: self.friction,
            work: self.work,
        }
    }
}

impl From<&ContactEvent<'_>> for Event {
    fn from(event: &ContactEvent<'_>) -> Self {
        Self {
            time: event.time,
            kind: event.kind,
            contact: format!("{}.{}", event.subsystem, event.contact),
            velocity_before: event.velocity_before,
            velocity_after: event.velocity_after,
            impulse: event.impulse,
            tangential_impulse: event.tangential_impulse,
            friction: event.friction,
            work: event.work,
        }
    }
}
