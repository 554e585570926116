//! A coupled model: all that a step works on.

use cosimo_subsystem::Subsystem;

use crate::SetupError;
use crate::condensation::Condensation;
use crate::contacts::Contacts;
use crate::energy::Energy;
use crate::execution::coupling_mode::CouplingModes;
use crate::execution::subsystems::Subsystems;
use crate::laws::forces::JointForces;
use crate::linearisation::Linearisation;
use crate::loads::Loads;
use crate::rows::StepRows;
use crate::schemes::Schemes;
use crate::signals::Signals;
use crate::statistics::counters::Counters;
use crate::step_size::control::Control;
use crate::time::clock::Clock;
use crate::time::part::StepProgress;
use crate::topology::Topology;
use crate::warnings::Warnings;

/// A coupled model: what never changes, whom to call, and the parts that the phases of a step own, state and work arrays together. A
/// phase borrows what it uses.
pub(crate) struct StepContext {
    /// What never changes after setup.
    pub(crate) topology: Topology,
    /// Whom to call, by which threads, and what a call leaves behind.
    pub(crate) subsystems: Subsystems,
    /// How each subsystem is coupled, and what the first step found of their claims.
    pub(crate) coupling: CouplingModes,
    /// Communication points are counted from an origin.
    pub(crate) clock: Clock,
    pub(crate) progress: StepProgress,
    /// What controls the sizes of the steps of a run, once it has begun.
    pub(crate) step_control: Option<Control>,
    pub(crate) signals: Signals,
    pub(crate) loads: Loads,
    pub(crate) rows: StepRows,
    pub(crate) linearisation: Linearisation,
    pub(crate) condensation: Condensation,
    pub(crate) joints: JointForces,
    pub(crate) contacts: Contacts,
    pub(crate) schemes: Schemes,
    pub(crate) energy: Energy,
    pub(crate) counters: Counters,
    pub(crate) warnings: Warnings,
}

impl StepContext {
    /// Subsystems that are coupled so, as they stand at a time (s), before anything is read or checked.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub(crate) fn new(
        topology: Topology,
        coupling: CouplingModes,
        all: Vec<Box<dyn Subsystem>>,
        time: f64,
    ) -> Result<Self, SetupError> {
        let linearisation = Linearisation::new(&topology);
        Ok(Self {
            rows: StepRows::new(&topology).with_contacts_of(&topology, &all),
            subsystems: Subsystems::new(all, &topology, &coupling.modes, linearisation.is_affine)?,
            coupling,
            clock: Clock::at(time),
            progress: StepProgress::start(),
            step_control: None,
            signals: Signals::new(&topology, time),
            loads: Loads::new(&topology),
            condensation: Condensation::new(&topology),
            joints: JointForces::zeros(&topology),
            contacts: Contacts::new(&topology),
            schemes: Schemes::new(&topology),
            energy: Energy::new(&topology),
            counters: Counters::new(&topology),
            warnings: Warnings::new(&topology),
            linearisation,
            topology,
        })
    }
}
