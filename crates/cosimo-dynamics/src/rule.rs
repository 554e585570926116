//! What distinguishes one step rule from another.

use crate::{CoordinateVector, LoadQuadrature, Motion};

/// Positions, velocities and accelerations at a communication point, lengths `n`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MotionState {
    /// Time (s).
    pub time: f64,
    /// Positions (m or rad).
    pub q: CoordinateVector,
    /// Velocities, right limits (m/s or rad/s).
    pub v: CoordinateVector,
    /// Accelerations as the rule defines them (m/s² or rad/s²).
    pub a: CoordinateVector,
}

impl MotionState {
    /// The state without its accelerations.
    #[inline]
    pub(crate) fn motion(&self) -> Motion<'_> {
        Motion { t: self.time, q: &self.q, v: &self.v }
    }
}

/// The coefficients of one implicit stage. The unknown `u` (m/s²) satisfies the equations of motion at
///
/// ```text
///   t_e = t₀ + c h      v_e = v* + c_v u      q_e = q* + c_q u
/// ```
///
/// and the step ends at `v₁ = v̂ + d_v u`, `q₁ = q̂ + d_q u`. The explicit parts `v*, q*, v̂, q̂` are the
/// [`Prediction`]. The iteration matrix of every rule is `J = M + c_v C + c_q K`. A load `ℓ` at the stage changes
/// the end velocity by `d_v J⁻¹ Zᵀ ℓ`, so that `X = d_v ℓ` is its impulse: one inverse mass `W = Z J⁻¹ Zᵀ` serves
/// finite forces and impulses alike.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stage {
    /// `c`: where in the step the equations are satisfied, as a share of `h`.
    pub time_share: f64,
    /// `c_v` (s).
    pub velocity: f64,
    /// `c_q` (s²).
    pub position: f64,
    /// `d_v` (s).
    pub end_velocity: f64,
    /// `d_q` (s²).
    pub end_position: f64,
    /// Weight (s) of a load at the step's end in the impulse `X`.
    pub end_load: f64,
    /// Weight (s) of a load at the step's start in the impulse `X`.
    pub start_load: f64,
}

impl Stage {
    /// `χ = d_q / d_v` (s): position change at the end for a unit velocity change by a stage load.
    #[must_use]
    pub fn position_weight(&self) -> f64 {
        self.end_position / self.end_velocity
    }
}

/// Explicit parts of a step, lengths `n`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// `q*`.
    pub stage_q: CoordinateVector,
    /// `v*`.
    pub stage_v: CoordinateVector,
    /// `q̂`.
    pub end_q: CoordinateVector,
    /// `v̂`.
    pub end_v: CoordinateVector,
}

impl Prediction {
    /// Zero vectors of length `n`.
    #[must_use]
    pub fn zeros(n: usize) -> Self {
        let zero = CoordinateVector::zeros(n);
        Self { stage_q: zero.clone(), stage_v: zero.clone(), end_q: zero.clone(), end_v: zero }
    }
}

/// What the stage's unknown stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collocation {
    /// The mean acceleration of the step: loads act as their mean over the step, jumps inside a step are allowed.
    Mean,
    /// The acceleration at the end of the step.
    End,
}

/// At which level a rule satisfies bilateral constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintLevel {
    /// `φ(t₁, q₁) = 0`.
    Position,
    /// `φ̇(t₁, q₁, v₁) + φ(t₀, q₀)/h = 0`: no ringing of multipliers, no drift.
    Velocity,
}

/// A step rule: how one implicit stage is set up from the past and how the step uses its solution.
///
/// Call order: [`stage`](Self::stage) and [`predict`](Self::predict) any number of times, then
/// [`accept`](Self::accept) once when the step is taken. [`restart`](Self::restart) forgets the past after a
/// velocity jump.
pub trait StepRule: Send {
    /// Name as in model files, e.g. `theta`.
    fn name(&self) -> &'static str;

    /// Name and parameters, e.g. `theta 0.5`: rules of one label make the same positions of the same rates.
    /// Default: the name, of rules without parameters.
    fn label(&self) -> String {
        self.name().to_owned()
    }

    /// Whether a step depends on more of the past than the state that it starts from. Default: it may.
    fn has_past(&self) -> bool {
        true
    }

    /// What the stage's unknown stands for.
    fn collocation(&self) -> Collocation;

    /// Level of the bilateral constraints.
    fn constraint_level(&self) -> ConstraintLevel;

    /// Coefficients for a step of size `h` (s) from the present history.
    fn stage(&self, h: f64) -> Stage;

    /// Share of the end in the mean load of a step, of a rule at work on equal steps: ½ where both ends count alike.
    fn end_share(&self) -> f64 {
        self.stage(1.0).end_load
    }

    /// Writes the explicit parts of a step of size `h` (s).
    fn predict(&self, h: f64, state: &MotionState, out: &mut Prediction);

    /// How it passes on a momentum in a step of size `h` (s). Default, for rules whose loads are means: as it comes.
    fn quadrature(&self, _h: f64) -> LoadQuadrature {
        LoadQuadrature::default()
    }

    /// Moves the positions that it remembers, those of the step just [accepted](Self::accept), by `way` (m), length `n`. Default: there
    /// are none.
    fn move_past(&mut self, _way: &[f64]) {}

    /// Takes the step from `before` to `after`, where `after.a` holds the stage's unknown; may rewrite `after.a`.
    fn accept(&mut self, h: f64, before: &MotionState, after: &mut MotionState);

    /// Forgets the history: the next step starts anew from `state`, whose acceleration is consistent.
    fn restart(&mut self, state: &MotionState);

    /// Whether the next step needs consistent accelerations in the state because the history was forgotten.
    fn needs_acceleration(&self) -> bool;

    /// Appends everything that influences the future to `out`.
    fn save(&self, out: &mut Vec<f64>);

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took; `None` when there are too
    /// few.
    fn restore(&mut self, saved: &[f64]) -> Option<usize>;
}
