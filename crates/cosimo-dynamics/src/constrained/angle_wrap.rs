//! Turns that laws do not follow.

/// A turn between bodies that a law of a system does not follow.
#[derive(Debug, Clone, PartialEq)]
pub struct AngleWrap {
    /// What turns, for messages, such as ``the angle of force `spring` ``.
    pub name: String,
    /// By how much the step turns it; where no step helps, how far it is turned at the end (rad).
    pub angle: f64,
    /// What that must stay below (rad).
    pub allowed: f64,
    /// What to use instead, where no smaller step helps.
    pub way_out: Option<&'static str>,
}
