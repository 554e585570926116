//! What a step rule is.

use super::algorithmic::Algorithmic;
use super::formula::{Prediction, StepFormula};
use super::state_point::StatePoint;
use crate::{Coordinates, LoadQuadrature};

/// What the acceleration of a step stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collocation {
    /// The mean acceleration of the step: loads act as their mean over the step, jumps inside a step are allowed.
    Mean,
    /// The acceleration at the end of the step.
    End,
}

/// At which level a rule satisfies bilateral constraints of linear systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintLevel {
    /// `φ(t₁, q₁) = 0`.
    Position,
    /// `φ̇(t₁, q₁, v₁) + φ(t₀, q₀)/h = 0`: no ringing of multipliers, no drift.
    Velocity,
}

/// A step rule and its past: how a step is set up from what is known, for any system.
///
/// Call order: [`restart`](Self::restart) once; [`formula`](Self::formula) and [`predict`](Self::predict) any number of times, then
/// [`accept`](Self::accept) once when the step is taken. `restart` forgets the past after a velocity jump.
pub trait StepRule: std::fmt::Debug + Send {
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

    /// What the acceleration stands for. Default: that of the end.
    fn collocation(&self) -> Collocation {
        Collocation::End
    }

    /// Level of the bilateral constraints of linear systems. Default: positions.
    fn constraint_level(&self) -> ConstraintLevel {
        ConstraintLevel::Position
    }

    /// Coefficients for a step of size `h` (s) from the present past.
    fn formula(&self, h: f64) -> StepFormula;

    /// Share of the end in the mean load of a step, of a rule at work on equal steps: ½ where both ends count alike.
    fn end_share(&self) -> f64 {
        self.formula(1.0).end_load
    }

    /// Writes the explicit parts of a step of size `h` (s) in these coordinates.
    fn predict(&mut self, h: f64, start: StatePoint<'_>, coordinates: &Coordinates, out: &mut Prediction);

    /// Writes a first guess of the acceleration. Default: that of the start.
    fn guess(&self, _h: f64, start: StatePoint<'_>, out: &mut [f64]) {
        out.copy_from_slice(start.a);
    }

    /// How it passes on a momentum in a step of size `h` (s). Default, for rules whose loads are means: as it comes.
    fn quadrature(&self, _h: f64) -> LoadQuadrature {
        LoadQuadrature::default()
    }

    /// Whether it passes on a given momentum. Default: it does.
    fn passes_momenta(&self) -> bool {
        true
    }

    /// Shares of the impulses of a step of size `h` (s), and of those of the step before, by which the velocity at its end has
    /// changed. Default: its own, whole.
    fn shares_of_impulses(&self, _h: f64) -> [f64; 2] {
        [1.0, 0.0]
    }

    /// The increment from the start of the step [predicted](Self::predict) last that leads back to the step before, of rules that
    /// satisfy contact laws with positions. Default: none.
    fn leads_back(&self) -> &[f64] {
        &[]
    }

    /// Moves the positions that it remembers, those of the step just [accepted](Self::accept), by an increment. Default: there
    /// are none.
    fn move_past(&mut self, _displacement: &[f64], _coordinates: &Coordinates) {}

    /// Takes the step of size `h` (s) from this start to these accelerations at its end. `jumped` says whether impulses acted in it.
    fn accept(&mut self, _h: f64, _start: StatePoint<'_>, _end: &[f64], _jumped: bool) {}

    /// Forgets the past, and makes room for one in these coordinates.
    fn restart(&mut self, _coordinates: &Coordinates) {}

    /// Whether the next step begins without a past, so that it depends on the acceleration of its start. Default: never.
    fn needs_acceleration(&self) -> bool {
        false
    }

    /// Points before a start that the rule wants there. Default: none.
    fn wanted_past(&self) -> usize {
        0
    }

    /// Hands a point of the past to the rule, latest first, which lies so long (s) before the start. Default: does without.
    fn take_past(&mut self, _age: f64, _point: StatePoint<'_>) {}

    /// The same rule where its order can be chosen from step to step. Default: it cannot.
    fn variable_order(&mut self) -> Option<&mut dyn VariableOrder> {
        None
    }

    /// The acceleration that it integrates in place of the true one. Default: there is none.
    fn algorithmic(&self) -> Option<&Algorithmic> {
        None
    }

    /// Appends everything that influences the future to `out`. Default: nothing does.
    fn save(&self, _out: &mut Vec<f64>) {}

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took; `None` when there are too
    /// few.
    fn restore(&mut self, _saved: &[f64]) -> Option<usize> {
        Some(0)
    }
}

impl<R: StepRule + 'static> From<R> for Box<dyn StepRule> {
    fn from(rule: R) -> Self {
        Box::new(rule)
    }
}

/// A rule whose order is set from step to step.
pub trait VariableOrder {
    /// Sets the order of the next step, within the orders that there are.
    fn set_order(&mut self, order: usize);

    /// Estimates of the error of a step of size `h` (s) for this order, of positions and of velocities, between these ends; `None` where
    /// too few points are known.
    fn local_errors(
        &mut self,
        h: f64,
        order: usize,
        ends: [StatePoint<'_>; 2],
        coordinates: &Coordinates,
    ) -> Option<[f64; 2]>;
}
