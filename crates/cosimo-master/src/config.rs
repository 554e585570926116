//! Settings of the master.

use std::collections::BTreeMap;

use cosimo_mechanics::{Activation, Restitution};
use serde::{Deserialize, Serialize};

/// How the interface problem of a step is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Acceleration {
    /// The answer itself, `x ← H(x)`.
    #[default]
    None,
    /// A constant share of the way, `x ← x + ω (H(x) − x)`.
    Relaxation {
        /// `ω` (–), positive. Default: 0.5.
        #[serde(default = "half")]
        factor: f64,
    },
    /// A share of the way that is found from the last two residuals; exact for scalar affine maps.
    Aitken {
        /// `ω` (–) of the first iteration of a step, positive. Default: 0.5.
        #[serde(default = "half")]
        first: f64,
    },
    /// Interface quasi-Newton: the inverse Jacobian by least squares from residuals of this step and of steps before.
    IqnIls {
        /// Number of former steps whose secants are used. Default: 8.
        #[serde(default = "former_steps")]
        reuse: u32,
        /// Share of a secant (–), in \[0, 1), that must be independent of the more recent ones for it to be kept. Default:
        /// 1e-3.
        #[serde(default = "independent_share")]
        filter: f64,
    },
}

fn half() -> f64 {
    0.5
}

fn former_steps() -> u32 {
    8
}

fn independent_share() -> f64 {
    1e-3
}

/// How impacts are resolved in time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Impacts {
    /// Every isolated impact at its own instant inside the step.
    #[default]
    SubStep,
    /// One complementarity problem over the whole step: the time stepping of Moreau and Jean.
    Plain {
        /// `γ` (–), not negative: the contacts with `y₀ + γ h U₀ ≤ 0` take part. Without it those that the step without contact impulses
        /// closes, and those that touch at rest. Default: none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gamma: Option<f64>,
        /// Which rates restitution sees. Default: those of contacts that approach.
        #[serde(default)]
        restitution: Restitution,
    },
}

impl Impacts {
    /// The plain problem with its defaults.
    pub const PLAIN: Self = Self::Plain { gamma: None, restitution: Restitution::Approaching };

    /// Whether the plain problem takes all impacts: the loads of contacts over a step are then momenta, impacts and all.
    pub(crate) fn are_plain(self) -> bool {
        self != Self::SubStep
    }

    /// How contacts enter the plain problem.
    pub(crate) fn activation(self) -> Activation {
        match self {
            Self::SubStep => Activation::default(),
            Self::Plain { gamma, restitution } => Activation { gamma, restitution },
        }
    }

    /// The default with this scheme: each impact at its own instant, which needs the effective mass of the condensed rows, else one
    /// problem over the step.
    #[must_use]
    pub fn default_with(scheme: Scheme) -> Self {
        if scheme.is_iterative() { Self::PLAIN } else { Self::SubStep }
    }
}

/// Which inverse masses Newton's iteration of a step works with; the solution does not depend on it, up to the tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Tangent {
    /// As [`Frozen`](Self::Frozen) where that takes less work than [`Exact`](Self::Exact), both tried and their evaluations and matrices
    /// counted; as [`Exact`](Self::Exact) where far contacts are left out, a rigid joint holds two nonlinear subsystems, or none of these has more than six rows.
    #[default]
    Auto,
    /// Those of the last answer of every subsystem: about one correction a step.
    Exact,
    /// Those of earlier steps, as long as one correction a step reaches the tolerance with them: the interface matrix is
    /// seldom factorised.
    Frozen,
}

/// Whether the tangents of load ports enter the answer of the bodies that they act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
#[non_exhaustive]
pub enum InitialState {
    /// Refuse it, naming what is violated and by how much.
    #[default]
    Refuse,
    /// Move it to the nearest admissible one, in the metric of the masses.
    Project,
}

/// What to do when an interface creates more energy in a step than allowed.
///
/// Whatever it is, a run warns as soon as an interface, the time integration of a subsystem or a contact has created more than a hundredth
/// of the energy at stake, and again whenever that place has created ten times as much; with [`Stop`](Self::Stop) it ends there. A run
/// that has created more than was at stake, all places together, ends with an error, except with [`Ignore`](Self::Ignore).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
    /// Nothing is done about single steps, nor at the end of a run, whatever it has created: warnings are all.
    Ignore,
}

/// What to do with a step on which contacts and bodies do not agree to the tolerance, halved as often as allowed, and with a contact problem
/// that no method solves to what a step needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OnUnsolved {
    /// It is taken with what is left, up to a relative residual of a hundredth, with a warning for every contact, and is counted; above
    /// that the run ends with an error. Recorded as `contacts.residual`.
    #[default]
    Warn,
    /// The run ends with an error.
    Stop,
}

/// How a subsystem is to be coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Coupling {
    /// By the best that its capabilities allow, its claims verified.
    #[default]
    Auto,
    /// By the inverse mass that it reports; a false claim is a warning.
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
#[non_exhaustive]
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
#[non_exhaustive]
pub enum SignalLoops {
    /// They are solved at every communication point, to the tolerance of the interface iteration.
    #[default]
    Solve,
    /// They are refused.
    Forbid,
}

/// Settings of a [`Master`](crate::Master), with all their rules and defaults: the table `[master]` of a model file is read
/// and written from here. What belongs to single subsystems is not in that table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MasterConfig {
    /// How the interface problem is solved. Default: condensed.
    pub scheme: Scheme,
    /// How an iterative scheme accelerates its iterates. Default: none.
    pub acceleration: Acceleration,
    /// Which inverse masses the condensed scheme corrects nonlinear subsystems with. Default: auto.
    pub tangent: Tangent,
    /// Whether the tangents of load ports enter. Default: auto.
    pub load_tangents: LoadTangents,
    /// How impacts are resolved. Default: sub-step.
    pub impacts: Impacts,
    /// How far a contact reaches: in a step that it could not close in, were it this many times faster, it is left out (–). Positive; with
    /// `inf` none is. Default: 2.
    pub contact_reach: f64,
    /// What is done about loops of signals that depend on each other at once. Default: solve.
    pub signal_loops: SignalLoops,
    /// Largest relative residual of the interface iteration, and of loops of signals (–), positive. Default: 1e-9.
    pub tolerance: f64,
    /// Iterations a step before it counts as not converged, at least 1. Default: 100.
    pub max_iterations: u32,
    /// How often a step that did not converge may be halved. Default: 0.
    pub max_halvings: u32,
    /// What to do with a step on which contacts and bodies do not agree, of the condensed scheme. Default: warn.
    pub on_unsolved: OnUnsolved,
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
    /// What to do with an initial state that violates an interface or a contact. Default: refuse.
    pub initial_state: InitialState,
    /// Gap of an interface or penetration of a contact (m), and speed difference (m/s), accepted at the start,
    /// positive. Default: 1e-9.
    pub initial_tolerance: f64,
    /// Threads that step the subsystems, at least 1; the results have the same bits. Used where the subsystems have
    /// enough to do, and no more than there are subsystems. Default: 1.
    pub threads: u32,
    /// How subsystems are coupled, by name. Default: all [`Coupling::Auto`].
    #[serde(skip)]
    pub couplings: BTreeMap<String, Coupling>,
    /// Micro steps per macro step of subsystems, by name; at least 1. Default: 1 for all.
    #[serde(skip)]
    pub micro_steps: BTreeMap<String, u32>,
}

impl Default for MasterConfig {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            acceleration: Acceleration::default(),
            tangent: Tangent::default(),
            load_tangents: LoadTangents::default(),
            impacts: Impacts::default(),
            contact_reach: 2.0,
            signal_loops: SignalLoops::default(),
            tolerance: 1e-9,
            max_iterations: 100,
            max_halvings: 0,
            on_unsolved: OnUnsolved::default(),
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

impl MasterConfig {
    /// How this subsystem is to be coupled.
    #[must_use]
    pub fn coupling(&self, subsystem: &str) -> Coupling {
        self.couplings.get(subsystem).copied().unwrap_or_default()
    }
}
