//! Observed quantities of a mechanism.

/// What an observed quantity of a mechanism is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Channel {
    /// Position of this coordinate.
    Position(usize),
    /// Velocity of this coordinate.
    Velocity(usize),
    /// Gap of this contact.
    Gap(usize),
    /// Velocity of this slip, numbered over all contacts.
    Slip(usize),
    /// Residual of this bilateral constraint.
    Residual(usize),
}
