//! Settings of the master.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How the interface problem of a step is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// All interface multipliers and contact impulses in one problem, with the exact effective mass: one solve a
    /// step where the subsystems are affine, a Newton iteration where they are not.
    #[default]
    Condensed,
    /// The semi-implicit iteration of the thesis: subsystem after subsystem, each with the latest motions of those
    /// before it. Subsystems with contacts take forces, the others positions.
    GaussSeidel,
    /// All subsystems at once, each with the forces and motions that the others gave one iteration before: twice the
    /// iterations of [`GaussSeidel`](Self::GaussSeidel), for subsystems that are slow and run in parallel.
    Jacobi,
}

impl Scheme {
    /// Whether the scheme iterates between the subsystems' own problems.
    #[must_use]
    pub fn is_iterative(self) -> bool {
        self != Self::Condensed
    }
}

/// How an iterative scheme goes from its last iterate `x` and the subsystems' answer `H(x)` to the next iterate.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "method")]
pub enum Acceleration {
    /// The answer itself, `x ← H(x)`.
    #[default]
    None,
    /// A constant share of the way, `x ← x + ω (H(x) − x)`.
    Relaxation {
        /// `ω` (–), positive.
        factor: f64,
    },
    /// A share of the way that is found from the last two residuals; exact for scalar affine maps.
    Aitken {
        /// `ω` (–) of the first iteration of a step, positive.
        first: f64,
    },
    /// Interface quasi-Newton: the inverse Jacobian by least squares from residuals of this step and of steps before.
    IqnIls {
        /// Number of former steps whose secants are used.
        reuse: u32,
        /// Share of a secant (–), in \[0, 1), that must be independent of the more recent ones for it to be kept.
        filter: f64,
    },
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
    /// One complementarity problem over the whole step, on the contacts that the step without contact impulses closes.
    Plain,
    /// As [`Plain`](Self::Plain), on the contacts that the forecast `y₀ + h/2 U₀ ≤ 0` closes: the thesis' rule, for
    /// comparison. It makes energy where a stiff spring drives a light body.
    Forecast,
}

/// Which inverse masses Newton's iteration of a step works with; the solution does not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tangent {
    /// Those of the last answer of every subsystem: about one correction a step.
    #[default]
    Exact,
    /// Those of earlier steps, as long as one correction a step reaches the tolerance with them: the interface matrix is
    /// seldom factorised.
    Frozen,
}

/// Whether the tangents of load ports enter the answer of the bodies that they act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadTangents {
    /// Where an error of the loads would shrink by less than a factor of ten a pass without them; found once, at the start.
    #[default]
    Auto,
    /// Wherever a subsystem gives them.
    Always,
    /// Nowhere: every pass goes motion, load, motion.
    Never,
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

/// What to do when an interface creates more energy in a step than allowed.
///
/// Whatever it is, a run warns, once for each place, as soon as an interface, the time integration of a subsystem or a
/// contact has created more than a hundredth of the energy at stake; with [`Stop`](Self::Stop) it ends there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnergyAction {
    /// Nothing is done about single steps.
    #[default]
    None,
    /// Warn, once for each interface, and count.
    Warn,
    /// End the run with an error. The step is not taken, unless a subsystem is coupled explicitly: its energy is known
    /// only then.
    Stop,
    /// Take the step in halves, as often as `max_halvings` allows, then as [`Stop`](Self::Stop).
    Halve,
}

/// How a subsystem is to be coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coupling {
    /// By the best that its capabilities allow, its claims verified.
    #[default]
    Auto,
    /// By the inverse mass that it tells; a false claim is a warning.
    Exact,
    /// By an inverse mass from finite differences of its answers.
    Differenced,
    /// By an inverse mass from a scalar mass and secant updates.
    QuasiNewton,
    /// By extrapolation of its motion.
    Explicit,
}

/// How the sizes of macro steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepControl {
    /// By energy where a subsystem is coupled explicitly and step sizes may vary, fixed elsewhere.
    #[default]
    Auto,
    /// Always the step given.
    Fixed,
    /// At most the step given, by the energy that the interfaces create.
    Energy,
    /// At most the step given, by the error that a step makes in the rows; steps that err too much are not taken.
    Error,
}

/// What is done about loops of outputs that depend on each other at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignalLoops {
    /// They are solved at every communication point, to the tolerance of the interface iteration.
    #[default]
    Solve,
    /// They are refused.
    Forbid,
}

/// Settings of a [`Master`](crate::Master).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MasterConfig {
    /// How the interface problem is solved. Default: condensed.
    pub scheme: Scheme,
    /// What an iterative scheme makes of its iterates. Default: none.
    pub acceleration: Acceleration,
    /// Which inverse masses the condensed scheme corrects nonlinear subsystems with. Default: exact.
    pub tangent: Tangent,
    /// Whether the tangents of load ports enter. Default: auto.
    pub load_tangents: LoadTangents,
    /// What the interface equations say. Default: impulse.
    pub discretisation: Discretisation,
    /// How impacts are resolved. Default: sub-step.
    pub impacts: Impacts,
    /// What is done about loops of signals that depend on each other at once. Default: solve.
    pub signal_loops: SignalLoops,
    /// Largest relative residual of the interface iteration, and of loops of signals (–), positive. Default: 1e-9.
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
    /// enough to do, and no more than there are subsystems. Default: 1.
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
    /// Error that a step may make in a row (m, or the unit of the row), positive; for the control by error. Default: 1e-6.
    pub error_tolerance: f64,
    /// How often the step of a run may be halved by its control, at most 60. Default: 10.
    pub max_refinements: u32,
    /// What to do when an interface creates more energy in a step than allowed, which is `energy_limit` and, relative to
    /// the largest energy so far, `energy_tolerance`. Default: none.
    pub energy_action: EnergyAction,
    /// Energy that an interface may create in a step in any case (J), not negative. Default: 0.
    pub energy_limit: f64,
}

impl Default for MasterConfig {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            acceleration: Acceleration::default(),
            tangent: Tangent::default(),
            load_tangents: LoadTangents::default(),
            discretisation: Discretisation::default(),
            impacts: Impacts::default(),
            signal_loops: SignalLoops::default(),
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
            error_tolerance: 1e-6,
            max_refinements: 10,
            energy_action: EnergyAction::default(),
            energy_limit: 0.0,
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

/// Micro steps that a subsystem may take in a macro step.
const MOST_MICRO_STEPS: u32 = 100_000;

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
        let controls =
            [("energy_tolerance", self.energy_tolerance), ("error_tolerance", self.error_tolerance)];
        if let Some((field, found)) = controls.into_iter().find(|(_, x)| !(*x > 0.0 && x.is_finite())) {
            return Err(ConfigError::OutOfRange { field, found, rule: "positive and finite" });
        }
        if !(self.energy_limit >= 0.0 && self.energy_limit.is_finite()) {
            let (found, rule) = (self.energy_limit, "not negative and finite");
            return Err(ConfigError::OutOfRange { field: "energy_limit", found, rule });
        }
        if self.energy_action == EnergyAction::Halve && self.max_halvings == 0 {
            return Err(ConfigError::Conflict {
                first: "energy_action = \"halve\"",
                second: "max_halvings = 0",
                reason: "no step may be halved; allow one halving or more",
            });
        }
        if let Some(count) = self.micro_steps.values().find(|count| !(1..=MOST_MICRO_STEPS).contains(*count))
        {
            let (found, rule) = (f64::from(*count), "at least 1 and at most 100000");
            return Err(ConfigError::OutOfRange { field: "micro_steps", found, rule });
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
        if self.tangent == Tangent::Frozen && self.scheme.is_iterative() {
            let (first, second) = ("tangent = \"frozen\"", "an iterative scheme");
            let reason = "there is no tangent; use scheme = \"condensed\"";
            return Err(ConfigError::Conflict { first, second, reason });
        }
        let conflict = |second| {
            let reason = "impacts inside a step need the effective mass of the condensed impulse rows; use impacts = \"plain\"";
            Err(ConfigError::Conflict { first: "impacts = \"sub-step\"", second, reason })
        };
        match (self.impacts, self.scheme, self.discretisation) {
            (Impacts::SubStep, Scheme::GaussSeidel, _) => return conflict("scheme = \"gauss-seidel\""),
            (Impacts::SubStep, Scheme::Jacobi, _) => return conflict("scheme = \"jacobi\""),
            (Impacts::SubStep, _, Discretisation::Position) => {
                return conflict("discretisation = \"position\"");
            }
            _ => {}
        }
        self.validate_acceleration()
    }

    fn validate_acceleration(&self) -> Result<(), ConfigError> {
        if self.acceleration != Acceleration::None && !self.scheme.is_iterative() {
            let (first, second) = ("acceleration", "scheme = \"condensed\"");
            let reason = "there is no iteration to accelerate; use scheme = \"gauss-seidel\" or \"jacobi\"";
            return Err(ConfigError::Conflict { first, second, reason });
        }
        let positive = |field, found: f64| {
            let rule = "positive and finite";
            let is_right = found > 0.0 && found.is_finite();
            if is_right { Ok(()) } else { Err(ConfigError::OutOfRange { field, found, rule }) }
        };
        match self.acceleration {
            Acceleration::None => Ok(()),
            Acceleration::Relaxation { factor } => positive("acceleration.factor", factor),
            Acceleration::Aitken { first } => positive("acceleration.first", first),
            Acceleration::IqnIls { filter, .. } if (0.0..1.0).contains(&filter) => Ok(()),
            Acceleration::IqnIls { filter, .. } => {
                let (field, rule) = ("acceleration.filter", "zero or positive and less than 1");
                Err(ConfigError::OutOfRange { field, found: filter, rule })
            }
        }
    }
}
