//! A step as a pair of points that depend on one acceleration and one jump.

/// A point of a step: velocity and increment of the position from the start,
///
/// ```text
///   v = v̂ + c_v a + e_v w        x = x̂ + c_q a + e_q w
/// ```
///
/// of the acceleration `a` of the smooth motion and the jump `w`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Point {
    /// `v̂`.
    pub(crate) velocity: Vec<f64>,
    /// `x̂`.
    pub(crate) increment: Vec<f64>,
    /// `c_v` (s) and `c_q` (s²).
    pub(crate) by_acceleration: (f64, f64),
    /// `e_v` and `e_q`; for jumps of velocities (–) and (s).
    pub(crate) by_jump: (f64, f64),
}

impl Point {
    fn zeros(n: usize) -> Self {
        Self { velocity: vec![0.0; n], increment: vec![0.0; n], ..Self::default() }
    }

    /// Writes `v` and `x`.
    pub(crate) fn at(&self, a: &[f64], jump: &[f64], v: &mut [f64], x: &mut [f64]) {
        let ((c_v, c_q), (e_v, e_q)) = (self.by_acceleration, self.by_jump);
        let both = a.iter().zip(jump);
        for ((out, known), (a, jump)) in v.iter_mut().zip(&self.velocity).zip(both.clone()) {
            *out = known + c_v * a + e_v * jump;
        }
        for ((out, known), (a, jump)) in x.iter_mut().zip(&self.increment).zip(both) {
            *out = known + c_q * a + e_q * jump;
        }
    }
}

/// At which level contacts and constraints are imposed on the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Imposed {
    /// On the end velocity; the jump is one of the velocity.
    #[default]
    Velocity,
    /// On the end position; the jump is one of the position.
    Position,
    /// On the end velocity, with directions of the start and what would close gaps and constraints within the step.
    Stabilized,
}

/// The step that a rule proposes: forces balance at the `stage`, and impulses act so that the `end` satisfies the contact law.
///
/// ```text
///   M(q_c) a + g − f(t₀ + c h, q_c, v_c) + Φᵀ μ = 0        M(q_c) w + Φᵀ Λ = Gᵀ P
/// ```
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// `h` (s).
    pub(crate) h: f64,
    /// `c`.
    pub(crate) share: f64,
    /// Where forces balance, unless that is at the end.
    pub(crate) stage: Point,
    pub(crate) is_balanced_at_end: bool,
    pub(crate) end: Point,
    pub(crate) imposed: Imposed,
    /// `x₋₁`, the increment that leads back to the step before; for contacts imposed on positions.
    pub(crate) back: Vec<f64>,
}

impl Plan {
    pub(crate) fn zeros(n: usize) -> Self {
        Self { stage: Point::zeros(n), end: Point::zeros(n), back: vec![0.0; n], ..Self::default() }
    }

    /// Lets the explicit parts be those of a constant velocity, after the times (s) of the stage and of the end.
    pub(crate) fn coast(&mut self, v: &[f64], (stage, end): (f64, f64)) {
        for (point, time) in [(&mut self.stage, stage), (&mut self.end, end)] {
            point.velocity.copy_from_slice(v);
            point.increment.iter_mut().zip(v).for_each(|(x, v)| *x = time * v);
        }
    }

    /// Lets forces balance at the end.
    pub(crate) fn balance_at_end(&mut self) {
        (self.share, self.is_balanced_at_end) = (1.0, true);
    }

    /// The point at which forces balance.
    pub(crate) fn balanced(&self) -> &Point {
        if self.is_balanced_at_end { &self.end } else { &self.stage }
    }

    /// Weight of the acceleration in what contacts are imposed on.
    pub(crate) fn imposed_weight(&self) -> f64 {
        match self.imposed {
            Imposed::Position => self.end.by_acceleration.1,
            Imposed::Velocity | Imposed::Stabilized => self.end.by_acceleration.0,
        }
    }

    /// What a change of what contacts are imposed on is as a velocity (1, or 1/s).
    pub(crate) fn as_velocity(&self) -> f64 {
        if self.imposed == Imposed::Position { self.h.recip() } else { 1.0 }
    }
}
