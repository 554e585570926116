//! Settings of the master.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Coupling, StepControl};

/// How the interface problem of a step is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// All interface multipliers and contact impulses in one problem, with the exact effective mass: one solve a
    /// step where the subsystems are affine, a Newton iteration where they are not.
    #[default]
    Condensed,
    /// The semi-implicit iteration of the thesis: subsystem after subsystem, each with the latest loads of the
    /// others. Subsystems with contacts take forces, the others positions.
    GaussSeidel,
}

/// What an interface equation says of a rigid or Tikhonov joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Discretisation {
    /// Velocities agree at the end of the step, `ġ₁ + g₀/h = (c/h²) X`; the unknown is the impulse.
    #[default]
    Impulse,
    /// Positions agree at the end of the step, `g₁ = c λ₁`; the unknown is the force at the end of the step (the
    /// thesis' rows, for comparison: without a relaxation impacts make energy).
    Position,
}

/// How impacts are resolved in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Impacts {
    /// Every isolated impact at its own instant inside the step.
    #[default]
    SubStep,
    /// One complementarity problem over the whole step.
    Plain,
}

/// What to do with an initial state that violates an interface or a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InitialState {
    /// Refuse it, naming what is violated and by how much.
    #[default]
    Refuse,
    /// Move it to the nearest admissible one, in the metric of the masses.
    Project,
}

/// Settings of a [`Master`](crate::Master).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MasterConfig {
    /// How the interface problem is solved. Default: condensed.
    pub scheme: Scheme,
    /// What the interface equations say. Default: impulse.
    pub discretisation: Discretisation,
    /// How impacts are resolved. Default: sub-step.
    pub impacts: Impacts,
    /// Largest relative residual of the interface iteration (–), positive. Default: 1e-9.
    pub tolerance: f64,
    /// Iterations a step before it counts as not converged, at least 1. Default: 100.
    pub max_iterations: u32,
    /// How often a step that did not converge may be halved. Default: 0.
    pub max_halvings: u32,
    /// What to do with an initial state that violates an interface or a contact. Default: refuse.
    pub initial_state: InitialState,
    /// Gap of an interface or penetration of a contact (m), and speed difference (m/s), accepted at the start, not
    /// negative. Default: 1e-9.
    pub initial_tolerance: f64,
    /// Threads that step the subsystems, at least 1; the results have the same bits. Used where the subsystems have
    /// enough to do. Default: 1.
    pub threads: u32,
    /// How subsystems are coupled, by name. Default: all [`Coupling::Auto`].
    pub couplings: BTreeMap<String, Coupling>,
    /// Micro steps per macro step of subsystems, by name; at least 1. Default: 1 for all.
    pub micro_steps: BTreeMap<String, u32>,
    /// How the sizes of the steps of a run are chosen. Default: auto.
    pub step_control: StepControl,
    /// Energy that the interfaces may create in a step, relative to the energy of the model (–), positive; for the
    /// control by energy. Default: 1e-6.
    pub energy_tolerance: f64,
    /// How often the step of a run may be halved by its control, at most 60. Default: 10.
    pub max_refinements: u32,
}

impl Default for MasterConfig {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            discretisation: Discretisation::default(),
            impacts: Impacts::default(),
            tolerance: 1e-9,
            max_iterations: 100,
            max_halvings: 0,
            initial_state: InitialState::default(),
            initial_tolerance: 1e-9,
            threads: 1,
            couplings: BTreeMap::new(),
            micro_steps: BTreeMap::new(),
            step_control: StepControl::default(),
            energy_tolerance: 1e-6,
            max_refinements: 10,
        }
    }
}

/// A setting that breaks its rule.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A number outside its range.
    #[error("`{field}` is {found}, must be {rule}")]
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// Two settings that exclude each other.
    #[error("`{first}` does not go with `{second}`: {reason}")]
    Conflict {
        /// One setting.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// Why, and what to do.
        reason: &'static str,
    },
}

impl MasterConfig {
    /// How this subsystem is to be coupled.
    #[must_use]
    pub fn coupling(&self, subsystem: &str) -> Coupling {
        self.couplings.get(subsystem).copied().unwrap_or_default()
    }

    /// Checks every rule stated on the fields.
    ///
    /// # Errors
    /// The first rule broken, naming the field and the value found.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            let rule = "positive and finite";
            return Err(ConfigError::OutOfRange { field: "tolerance", found: self.tolerance, rule });
        }
        if !(self.initial_tolerance >= 0.0 && self.initial_tolerance.is_finite()) {
            let (found, rule) = (self.initial_tolerance, "not negative and finite");
            return Err(ConfigError::OutOfRange { field: "initial_tolerance", found, rule });
        }
        if !(self.energy_tolerance > 0.0 && self.energy_tolerance.is_finite()) {
            let (found, rule) = (self.energy_tolerance, "positive and finite");
            return Err(ConfigError::OutOfRange { field: "energy_tolerance", found, rule });
        }
        if self.micro_steps.values().any(|count| *count == 0) {
            return Err(ConfigError::OutOfRange { field: "micro_steps", found: 0.0, rule: "at least 1" });
        }
        if self.max_refinements > 60 {
            let found = f64::from(self.max_refinements);
            return Err(ConfigError::OutOfRange { field: "max_refinements", found, rule: "at most 60" });
        }
        if self.max_iterations == 0 {
            return Err(ConfigError::OutOfRange { field: "max_iterations", found: 0.0, rule: "at least 1" });
        }
        if self.threads == 0 {
            return Err(ConfigError::OutOfRange { field: "threads", found: 0.0, rule: "at least 1" });
        }
        let conflict = |second| {
            let reason = "impacts inside a step need the effective mass of the condensed impulse rows; use impacts = \"plain\"";
            Err(ConfigError::Conflict { first: "impacts = \"sub-step\"", second, reason })
        };
        match (self.impacts, self.scheme, self.discretisation) {
            (Impacts::SubStep, Scheme::GaussSeidel, _) => conflict("scheme = \"gauss-seidel\""),
            (Impacts::SubStep, _, Discretisation::Position) => conflict("discretisation = \"position\""),
            _ => Ok(()),
        }
    }
}
