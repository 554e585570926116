//! What Newton's method iterates on.

/// Increments and multipliers of a step, those of the balance of forces aside, which are in its end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Increments {
    /// `y`.
    pub(super) rule: Vec<f64>,
    /// `U`.
    pub(super) position: Vec<f64>,
    /// `ν`.
    pub(super) position_multipliers: Vec<f64>,
    /// `W`.
    pub(super) velocity: Vec<f64>,
    /// `Λ`.
    pub(super) velocity_multipliers: Vec<f64>,
}

impl Increments {
    /// Zeros for `n` velocities and `m` constraint rows.
    pub(super) fn zeros(n: usize, m: usize) -> Self {
        Self {
            rule: vec![0.0; n],
            position: vec![0.0; n],
            position_multipliers: vec![0.0; m],
            velocity: vec![0.0; n],
            velocity_multipliers: vec![0.0; m],
        }
    }

    /// Removes the projections.
    pub(super) fn clear_projections(&mut self) {
        let Self { position, position_multipliers, velocity, velocity_multipliers, .. } = self;
        for part in [position, position_multipliers, velocity, velocity_multipliers] {
            part.fill(0.0);
        }
    }

    /// Takes over another's.
    pub(super) fn copy(&mut self, other: &Self) {
        self.rule.copy_from_slice(&other.rule);
        self.position.copy_from_slice(&other.position);
        self.position_multipliers.copy_from_slice(&other.position_multipliers);
        self.velocity.copy_from_slice(&other.velocity);
        self.velocity_multipliers.copy_from_slice(&other.velocity_multipliers);
    }
}
