//! Settings of a run: time, master, recording.

use super::AccelerationSpec;
use cosimo_master::LoadTangents;

/// A setting with a few named values.
pub(crate) trait Choice: Copy + Default + PartialEq + 'static {
    /// Every value with its name in the file.
    const NAMES: &'static [(&'static str, Self)];

    /// Name in the file.
    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }
}

/// Time span and macro step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSpec {
    /// Start of the run (s). Default: 0.
    pub start: f64,
    /// End of the run (s), after the start; need not be a multiple of the step.
    pub end: f64,
    /// Macro step (s), positive.
    pub step: f64,
}

/// How the master joins the subsystems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MasterSpec {
    /// Coupling scheme. Default: condensed.
    pub scheme: Scheme,
    /// What an iterative scheme makes of its iterates. Default: none.
    pub acceleration: AccelerationSpec,
    /// Which inverse masses the condensed scheme corrects nonlinear subsystems with. Default: exact.
    pub tangent: Tangent,
    /// Whether the tangents of load ports enter. Default: auto.
    pub load_tangents: LoadTangents,
    /// Unknown of rigid interfaces. Default: impulse.
    pub discretisation: Discretisation,
    /// How impacts within a macro step are treated. Default: sub-step, where the scheme and the discretisation can.
    pub impacts: Impacts,
    /// What is done about loops of signals that depend on each other at once. Default: solve.
    pub signal_loops: SignalLoops,
    /// Relative residual of the interface iteration, and of loops of signals (no unit), positive. Default: 1e-9.
    pub tolerance: f64,
    /// Iterations a step before it counts as not converged, at least 1. Default: 100.
    pub max_iterations: u32,
    /// How often a step that did not converge may be halved. Default: 0.
    pub max_halvings: u32,
    /// How the sizes of the steps are chosen. Default: auto.
    pub step_control: StepControl,
    /// Energy that the interfaces may create in a step, relative to that of the model (no unit), positive. Default:
    /// 1e-6.
    pub energy_tolerance: f64,
    /// Error that a step may make in a port coordinate or gap (m, rad), positive; for the control by error. Default:
    /// 1e-6.
    pub error_tolerance: f64,
    /// How often the step may be halved by its control, at most 60. Default: 10.
    pub max_refinements: u32,
    /// What to do when an interface creates more energy in a step than allowed. Default: none.
    pub energy_action: EnergyAction,
    /// Energy that an interface may create in a step in any case (J), not negative; beside `energy_tolerance`. Default:
    /// 0.
    pub energy_limit: f64,
    /// What to do with an initial state that violates an interface or a contact. Default: refuse.
    pub initial_state: InitialState,
    /// Gap of an interface, penetration of a contact, violation of a constraint (m) and speed differences of them
    /// (m/s) accepted at the start, positive. Default: 1e-9.
    pub initial_tolerance: f64,
    /// Where subsystems run. Default: in the thread of the master.
    pub execution: Execution,
    /// How long a subsystem in a thread or process of its own may take for one answer (s), positive. Default: 60.
    pub deadline: f64,
    /// Threads of the master that step subsystems, at least 1. Default: 1.
    pub threads: u32,
}

impl Default for MasterSpec {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            acceleration: AccelerationSpec::default(),
            tangent: Tangent::default(),
            load_tangents: LoadTangents::default(),
            discretisation: Discretisation::default(),
            impacts: Impacts::default(),
            signal_loops: SignalLoops::default(),
            tolerance: 1e-9,
            max_iterations: 100,
            max_halvings: 0,
            step_control: StepControl::default(),
            energy_tolerance: 1e-6,
            error_tolerance: 1e-6,
            max_refinements: 10,
            energy_action: EnergyAction::default(),
            energy_limit: 0.0,
            initial_state: InitialState::default(),
            initial_tolerance: 1e-9,
            execution: Execution::default(),
            deadline: 60.0,
            threads: 1,
        }
    }
}

/// What is recorded and plotted; patterns are names of quantities in which `*` stands for anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSpec {
    /// Every how many macro steps to record, at least 1; the first and the last are always recorded. Default: 1.
    pub every: u32,
    /// Patterns of the quantities to record; each matches at least one. Default: everything.
    pub quantities: Vec<String>,
    /// Patterns of the recorded quantities to plot. Default: the first position-like ones, at most 6.
    pub plot: Vec<String>,
}

/// When the state of a run is saved, to go on from it after the process has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckpointSpec {
    /// Every how many macro steps; 0 for never. Default: 0.
    pub every_steps: u32,
    /// After how much wall time (s), not negative; 0 for never. Default: 60.
    pub every_seconds: f64,
    /// How many checkpoints are kept, at least 2. Default: 2.
    pub keep: u32,
}

impl Default for CheckpointSpec {
    fn default() -> Self {
        Self { every_steps: 0, every_seconds: 60.0, keep: 2 }
    }
}

/// How many quantities are plotted by default.
pub(crate) const PLOT_LIMIT: usize = 6;

/// Coupling scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// One condensed problem for all interfaces.
    #[default]
    Condensed,
    /// Subsystems one after the other, iterated.
    GaussSeidel,
    /// All subsystems at once, iterated.
    Jacobi,
}

impl Scheme {
    /// Whether the scheme iterates between the subsystems.
    #[must_use]
    pub fn is_iterative(self) -> bool {
        self != Self::Condensed
    }
}

impl Choice for Scheme {
    const NAMES: &'static [(&'static str, Self)] =
        &[("condensed", Self::Condensed), ("gauss-seidel", Self::GaussSeidel), ("jacobi", Self::Jacobi)];
}

/// Unknown of rigid interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discretisation {
    /// The impulse of the step, from velocities.
    #[default]
    Impulse,
    /// A finite multiplier, from positions.
    Position,
}

impl Choice for Discretisation {
    const NAMES: &'static [(&'static str, Self)] =
        &[("impulse", Self::Impulse), ("position", Self::Position)];
}

/// How impacts within a macro step are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Impacts {
    /// Every isolated impact at its own instant inside the macro step. Affine models take the step in one solve all the
    /// same; others are stepped in parts that end at impacts.
    #[default]
    SubStep,
    /// One problem over the step, on the contacts that close in it.
    Plain,
    /// One problem over the step, on the contacts that a forecast from its start closes.
    Forecast,
}

impl Choice for Impacts {
    const NAMES: &'static [(&'static str, Self)] =
        &[("sub-step", Self::SubStep), ("plain", Self::Plain), ("forecast", Self::Forecast)];
}

/// What to do with an initial state that violates an interface or a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InitialState {
    /// Stop with an error.
    #[default]
    Refuse,
    /// Project it onto the admissible states.
    Project,
}

impl Choice for InitialState {
    const NAMES: &'static [(&'static str, Self)] = &[("refuse", Self::Refuse), ("project", Self::Project)];
}

/// Where subsystems run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Execution {
    /// In the thread of the master.
    #[default]
    InThread,
    /// Every subsystem in its own thread, over channels; the results have the same bits.
    Threads,
    /// Every subsystem in its own process, over pipes; the results have the same bits.
    Processes,
}

impl Choice for Execution {
    const NAMES: &'static [(&'static str, Self)] =
        &[("in-thread", Self::InThread), ("threads", Self::Threads), ("processes", Self::Processes)];
}

/// How a subsystem is coupled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coupling {
    /// By the best that it can, its claims verified.
    #[default]
    Auto,
    /// By the inverse mass that it tells.
    Exact,
    /// By an inverse mass from finite differences of its answers.
    Differenced,
    /// By an inverse mass from a scalar mass and secant updates.
    QuasiNewton,
    /// By extrapolation of its motion.
    Explicit,
}

impl Choice for Coupling {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("exact", Self::Exact),
        ("differenced", Self::Differenced),
        ("quasi-newton", Self::QuasiNewton),
        ("explicit", Self::Explicit),
    ];
}

/// What to do when an interface creates more energy in a step than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EnergyAction {
    /// Nothing.
    #[default]
    None,
    /// Warn, once for each interface, and count.
    Warn,
    /// End the run.
    Stop,
    /// Take the step in halves.
    Halve,
}

impl Choice for EnergyAction {
    const NAMES: &'static [(&'static str, Self)] =
        &[("none", Self::None), ("warn", Self::Warn), ("stop", Self::Stop), ("halve", Self::Halve)];
}

/// How the sizes of the macro steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepControl {
    /// By energy where a subsystem is coupled explicitly, fixed elsewhere.
    #[default]
    Auto,
    /// Always the step given.
    Fixed,
    /// At most the step given, by the energy that the interfaces create.
    Energy,
    /// At most the step given, by the error that a step makes.
    Error,
}

impl Choice for StepControl {
    const NAMES: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("fixed", Self::Fixed), ("energy", Self::Energy), ("error", Self::Error)];
}

/// Which inverse masses Newton's iteration of a step works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tangent {
    /// Those of the last answers.
    #[default]
    Exact,
    /// Those of earlier steps, renewed where one correction a step does not suffice.
    Frozen,
}

impl Choice for LoadTangents {
    const NAMES: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

impl Choice for Tangent {
    const NAMES: &'static [(&'static str, Self)] = &[("exact", Self::Exact), ("frozen", Self::Frozen)];
}

/// What is done about loops of signals that depend on each other at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SignalLoops {
    /// They are solved at every communication point.
    #[default]
    Solve,
    /// They are refused.
    Forbid,
}

impl Choice for SignalLoops {
    const NAMES: &'static [(&'static str, Self)] = &[("solve", Self::Solve), ("forbid", Self::Forbid)];
}
