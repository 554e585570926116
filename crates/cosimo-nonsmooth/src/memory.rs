//! What a contact remembers from one step to the next.

use crate::thresholds::AT_BOUND;

/// What the one-step problem remembers of a contact. Part of the state: save it with the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactMemory {
    /// Load (N) the contact carried at the end of the last step, as a mean over it; zero when open.
    pub load: f64,
    /// Steps since the contact last received an impulse, saturating.
    pub quiet_steps: u32,
    /// Gap rate jump (m/s) inside the last step whose aftermath the next step shows; zero when there was none.
    pub jump: f64,
    /// Gap acceleration (m/s²) at the end of the last step; counts after a jump only.
    pub acceleration: f64,
    /// Share of a rate jump that the step after it took back, `|ΔA| h / |ΔU|` (–): about `(ω h)²` of the
    /// oscillation that an impulse excites. Zero until a jump has shown it; infinite where the step is known to be too long for it.
    pub stiffness: f64,
    /// Whether the contact sticks or slides at the end of the last step.
    pub state: FrictionState,
    /// Whether it has closed short of its obstacle, as impacts of the plain problem leave it, and has not risen since: to reach the
    /// obstacle is no impact then.
    pub is_short: bool,
    /// Whether it is known to arrive softly in the step at hand. False between steps.
    pub arrives: bool,
}

/// What friction does at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FrictionState {
    /// None acts: the contact is open or without friction.
    #[default]
    None,
    /// The friction holds the contact: its slip is zero, the friction inside the cone.
    Stick,
    /// The contact slides, against the friction at its bound. An impact counts as one with slip where its friction is at the
    /// bound.
    Slip,
}

impl FrictionState {
    /// The state of a contact with these impulses, solved to a residual: slip where the friction is at its bound `μ P_N`.
    pub(crate) fn of((friction, residual): (f64, f64), normal: f64, tangential: [f64; 2]) -> Self {
        if !(normal > 0.0) || friction == 0.0 {
            return Self::None;
        }
        let length = tangential[0].hypot(tangential[1]);
        if length < (1.0 - residual.max(AT_BOUND)) * friction * normal { Self::Stick } else { Self::Slip }
    }

    /// Name as written to `events.csv`; empty where no friction acts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }

    fn to_value(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Stick => 1.0,
            Self::Slip => 2.0,
        }
    }

    fn from_value(value: f64) -> Self {
        if value == 1.0 {
            Self::Stick
        } else if value == 2.0 {
            Self::Slip
        } else {
            Self::None
        }
    }
}

impl ContactMemory {
    /// A contact that has been open for ever.
    pub const OPEN: Self = Self {
        load: 0.0,
        quiet_steps: u32::MAX,
        jump: 0.0,
        acceleration: 0.0,
        stiffness: 0.0,
        state: FrictionState::None,
        is_short: false,
        arrives: false,
    };

    /// Whether the contact carried a load at the end of the last step.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.load > 0.0
    }

    /// What the contact does: 0 open, 1 closed without sliding, 2 closed and sliding.
    #[must_use]
    pub fn status(&self) -> f64 {
        match self.state {
            _ if !self.is_closed() => 0.0,
            FrictionState::Slip => 2.0,
            FrictionState::None | FrictionState::Stick => 1.0,
        }
    }

    /// Takes a step in which the contact is open and far, and part of no problem.
    pub fn stay_open(&mut self) {
        self.quiet_steps = self.quiet_steps.saturating_add(1);
        (self.is_short, self.arrives) = (false, false);
    }

    /// The memory as numbers.
    #[must_use]
    pub fn to_values(self) -> [f64; 7] {
        let Self { load, quiet_steps, jump, acceleration, stiffness, state, is_short, arrives: _ } = self;
        let is_short = f64::from(u8::from(is_short));
        [load, f64::from(quiet_steps), jump, acceleration, stiffness, state.to_value(), is_short]
    }

    /// The memory from the numbers of [`to_values`](Self::to_values).
    #[must_use]
    pub fn from_values(
        [load, quiet_steps, jump, acceleration, stiffness, state, is_short]: [f64; 7],
    ) -> Self {
        let (state, is_short) = (FrictionState::from_value(state), is_short != 0.0);
        // Saturating by definition of `as`; exact for every value that was saved.
        let quiet_steps = quiet_steps as u32;
        Self { load, quiet_steps, jump, acceleration, stiffness, state, is_short, arrives: false }
    }

    /// Whether the body swings on an undamped joint too fast for the step, `ω h > 2`, as passed to [`foresee`](Self::foresee).
    #[must_use]
    pub fn swings(&self) -> bool {
        self.stiffness == f64::INFINITY
    }

    /// Takes what is known of the step at hand: by how much less the body of the contact gives way on its undamped joints than alone,
    /// `κ = (ω h/2)²`; zero where there is damping, or nothing is known.
    pub fn foresee(&mut self, joint: f64) {
        if joint > 1.0 {
            self.stiffness = f64::INFINITY;
        } else if self.swings() {
            self.stiffness = 0.0;
        }
    }

    /// Learns the stiffness from the contact-free acceleration (m/s²) in a step of size `h` (s) after a jump.
    pub(crate) fn learn(&mut self, acceleration: f64, h: f64) {
        if self.jump != 0.0 && !self.swings() {
            self.stiffness = ((acceleration - self.acceleration) * h / self.jump).abs();
        }
        self.jump = 0.0;
    }
}

impl Default for ContactMemory {
    fn default() -> Self {
        Self::OPEN
    }
}
