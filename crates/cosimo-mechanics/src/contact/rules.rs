//! What is asked of the numbers of a contact law.

use thiserror::Error;

/// What is asked of one number.
#[derive(Debug, Clone, Copy)]
pub struct NumberRule {
    /// What the number is.
    pub quantity: &'static str,
    /// What is allowed, to stand behind "must be".
    pub expected: &'static str,
    holds: fn(f64) -> bool,
}

/// Of the coefficient of restitution.
pub const RESTITUTION: NumberRule =
    NumberRule { quantity: "restitution", expected: "in [0, 1]", holds: is_share };

/// Of the coefficient of tangential restitution.
pub const TANGENTIAL_RESTITUTION: NumberRule =
    NumberRule { quantity: "tangential restitution", expected: "in [0, 1]", holds: is_share };

/// Of the coefficient of friction.
pub const FRICTION: NumberRule =
    NumberRule { quantity: "friction", expected: "zero or positive", holds: is_not_negative };

/// Of the speed of Stribeck's curve.
pub const STRIBECK_SPEED: NumberRule =
    NumberRule { quantity: "Stribeck's speed", expected: "positive", holds: is_positive };

/// Of the exponent of Stribeck's curve.
pub const STRIBECK_EXPONENT: NumberRule =
    NumberRule { quantity: "Stribeck's exponent", expected: "positive", holds: is_positive };

/// Of `γ`, by which a contact enters a step.
pub const GAMMA: NumberRule =
    NumberRule { quantity: "gamma", expected: "zero or positive", holds: is_not_negative };

/// The rule that a contact law breaks.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ContactLawError {
    /// A number is not finite or out of its range.
    #[error("{quantity} is {found}, must be {expected}")]
    OutOfRange {
        /// What it is.
        quantity: &'static str,
        /// The number.
        found: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A cone has too few facets, or too many.
    #[error("the cone of friction has {found} facets, must have 3 to 360")]
    Facets {
        /// Their number.
        found: usize,
    },
    /// A contact would break away and be held again at once.
    #[error("static friction is {found}, must be finite and at least that of sliding, {sliding}")]
    StaticBelowSliding {
        /// Coefficient of a contact that sticks (–).
        found: f64,
        /// Coefficient of one that slides (–).
        sliding: f64,
    },
    /// A contact has friction where it sticks alone.
    #[error("friction is zero where it slides, but not where it sticks")]
    SlidesFreely,
}

impl NumberRule {
    /// Whether a number obeys.
    #[must_use]
    pub fn holds(&self, found: f64) -> bool {
        (self.holds)(found)
    }

    /// Checks a number.
    ///
    /// # Errors
    /// [`ContactLawError::OutOfRange`].
    pub fn check(&self, found: f64) -> Result<(), ContactLawError> {
        let Self { quantity, expected, .. } = *self;
        if self.holds(found) {
            return Ok(());
        }
        Err(ContactLawError::OutOfRange { quantity, found, expected })
    }
}

fn is_share(x: f64) -> bool {
    (0.0..=1.0).contains(&x)
}

fn is_not_negative(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}

fn is_positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}
