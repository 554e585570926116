//! What a model of the matrix gives: a text for a combination, and the motion that is right.

use std::fmt;
use std::sync::Arc;

use super::axes::Combination;

/// A motion known from elsewhere.
pub trait Truth: fmt::Debug + Send + Sync {
    /// The observed quantities at time `t` (s).
    fn values(&self, t: f64) -> Vec<f64>;

    /// Times at which velocities jump or contacts open (s).
    fn events(&self) -> &[f64];

    /// Load of the joint at time `t` (N), positive where it pulls the second side's way; `None` where it is not compared.
    fn load(&self, t: f64) -> Option<f64>;
}

/// Kinetic energy and all of it (J), of the observed quantities.
pub type Energy = Box<dyn Fn(&[f64]) -> [f64; 2]>;

/// One combination on one model.
pub struct Setup {
    /// The model file. Its step is replaced.
    pub text: String,
    /// End of the run (s).
    pub end: f64,
    /// Steps of the coarsest run.
    pub steps: u32,
    /// What is compared: positions first.
    pub labels: Vec<String>,
    /// How many of them are positions.
    pub positions: usize,
    /// The impulse of the joint in a step.
    pub impulse: Option<String>,
    /// The right motion.
    pub truth: Arc<dyn Truth>,
    /// Order that the model allows with rules of order 2.
    pub largest_order: f64,
    /// Its energies.
    pub energy: Energy,
}

/// A family of model files with one motion.
pub trait Model: fmt::Debug + Send + Sync {
    /// What it is.
    fn name(&self) -> &str;

    /// Whether the combination can be written down for this model, so that a rejection of it counts.
    fn fits(&self, combination: &Combination) -> bool;

    /// The combination.
    fn setup(&self, combination: &Combination) -> Setup;
}
