//! The step rules, each once: for linear, constrained and nonsmooth systems.

mod algorithmic;
mod backward_differentiation;
mod formula;
mod generalized_alpha;
mod multistep;
mod parameters;
mod past;
mod plan;
mod ranges;
mod state_point;
mod step_rule;
mod theta;
mod two_step;

pub use algorithmic::{Algorithmic, AlgorithmicWeights, Passage};
pub use formula::{EndWeights, PositionUpdate, Prediction, StageFractions, StepFormula};
pub use generalized_alpha::GeneralizedAlpha;
pub use multistep::Multistep;
pub use parameters::GeneralizedAlphaParameters;
pub use plan::StepPlan;
pub use state_point::StatePoint;
pub use step_rule::{Collocation, ConstraintLevel, StepRule, VariableOrder};
pub use theta::Theta;
pub use two_step::TwoStepCoefficients;
