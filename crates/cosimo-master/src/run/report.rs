//! What is known of a run when it ends.

use cosimo_mechanics::EnergyBalance;
use cosimo_subsystem::Statistics;
use cosimo_subsystem::cost::CallSeconds;
use serde::Serialize;

use crate::Warning;
use crate::execution::coupling_mode::CouplingMode;
use crate::statistics::seconds::{MasterSeconds, RecordingSeconds};
use crate::statistics::sizes::StepSizes;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "outcome", content = "reason")]
pub enum Outcome {
    /// The end time was reached.
    Completed,
    /// An observer asked the run to stop.
    Stopped,
    /// A step failed; the text names subsystem, interface, time and residual. Or the end was reached, and the run has created more energy
    /// than was at stake.
    Failed(String),
}

/// One subsystem's share of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubsystemReport {
    /// Name.
    pub name: String,
    /// How it is coupled.
    pub coupling: CouplingMode,
    /// Processor time of its calls (s), wherever it runs.
    pub seconds: CallSeconds,
    /// Work done.
    pub statistics: Statistics,
    /// Energy its time integration created (J).
    pub energy_numerical: f64,
}

/// Energy that the impacts of a contact created.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactGain {
    /// `subsystem.contact`.
    pub contact: String,
    /// Sum over the run (J).
    pub energy: f64,
}

/// One interface's share of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InterfaceReport {
    /// Name.
    pub name: String,
    /// Master iterations until the subsystems that it joins, directly or through others, agreed.
    pub iterations: u64,
    /// Largest number of them in one macro step.
    pub most_iterations: u64,
    /// Its own largest residual of an accepted step, relative as the tolerance is (–); 0 where all subsystems are affine.
    pub largest_residual: f64,
    /// Energy it created (J): the monitor's sum.
    pub energy_monitor: f64,
    /// The most energy that it created in one macro step (J).
    pub energy_most: f64,
    /// Energy its dashpots took out (J).
    pub energy_dissipated: f64,
    /// How often it created more energy than the settings allow: macro steps or, where they are halved, parts of them; 0
    /// where nothing is done about it.
    pub energy_exceeded: u64,
    /// Of a load interface: by what an error of the loads would be multiplied in a pass without their tangents, as found at the start
    /// for the whole load source (–); by themselves, tangents enter above a tenth. `None` where the source gives no tangents or the body
    /// cannot be evaluated, and of other interfaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_contraction: Option<f64>,
}

/// A run in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// How it ended.
    pub outcome: Outcome,
    /// Time reached (s).
    pub end_time: f64,
    /// Macro steps done.
    pub steps: u64,
    /// Solves of the interface problem.
    pub interface_solves: u64,
    /// Iterations of the master: new loads on all interfaces, at least one per step. Subsystems that are not affine are
    /// evaluated at each of them; affine ones answer by their inverse mass and are not asked.
    pub master_iterations: u64,
    /// Largest number of master iterations in one step.
    pub most_iterations: u64,
    /// Observed contraction of the interface iteration, correction by correction before, at the end of the last step
    /// that took more than two iterations (–); above 1 it diverges. `None` where no step did.
    pub contraction: Option<f64>,
    /// Steps that did not converge and were repeated with half the size, or that ended the run.
    pub failed_steps: u64,
    /// Steps on which iterations between the subsystems did not agree, and which the condensed scheme took.
    pub solved_at_once: u64,
    /// Steps on which contacts and bodies did not agree, and which were taken with what was left.
    pub unsolved_steps: u64,
    /// The largest relative residual that such a step was left with (–); zero where there is none.
    pub largest_contact_residual: f64,
    /// Sizes of the macro steps, and how many were refused.
    pub step_sizes: StepSizes,
    /// Impacts: velocity jumps at contacts.
    pub impacts: u64,
    /// Steps in which a contact carried a load.
    pub contact_steps: u64,
    /// Energy that impacts created, which Newton's law with friction can, by the contact that put in most.
    pub impact_gains: Vec<ImpactGain>,
    /// Energies.
    pub energy: EnergyBalance,
    /// What was found odd, the first first.
    pub warnings: Vec<Warning>,
    /// Subsystems in the order of the model.
    pub subsystems: Vec<SubsystemReport>,
    /// Interfaces in the order of the model.
    pub interfaces: Vec<InterfaceReport>,
    /// Processor time of the master itself (s).
    pub master: MasterSeconds,
    /// Processor time of what the observer was shown (s), until the report.
    pub recording: RecordingSeconds,
    /// Wall time of the run (s), waiting for others included.
    pub wall_seconds: f64,
}

impl RunReport {
    /// Macro steps per second of wall time (1/s).
    #[must_use]
    pub fn steps_per_second(&self) -> f64 {
        if self.wall_seconds > 0.0 { self.steps as f64 / self.wall_seconds } else { 0.0 }
    }

    /// Processor time of the run (s): of all subsystems, of the master, and of recording.
    #[must_use]
    pub fn processor_seconds(&self) -> f64 {
        let subsystems: f64 = self.subsystems.iter().map(|subsystem| subsystem.seconds.total()).sum();
        subsystems + self.master.total() + self.recording.total()
    }

    /// The subsystems, those that took most time first; in the order of the model where they took the same.
    #[must_use]
    pub fn slowest_subsystems(&self) -> Vec<&SubsystemReport> {
        let mut subsystems: Vec<_> = self.subsystems.iter().collect();
        subsystems.sort_by(|a, b| b.seconds.total().total_cmp(&a.seconds.total()));
        subsystems
    }

    /// The interfaces, those of most iterations first, then those that created or lost most energy.
    #[must_use]
    pub fn slowest_interfaces(&self) -> Vec<&InterfaceReport> {
        let mut interfaces: Vec<_> = self.interfaces.iter().collect();
        interfaces.sort_by(|a, b| {
            let energy = || b.energy_monitor.abs().total_cmp(&a.energy_monitor.abs());
            b.iterations.cmp(&a.iterations).then_with(energy)
        });
        interfaces
    }

    /// Mean number of solves of the interface problem per step (–).
    #[must_use]
    pub fn interface_solves_per_step(&self) -> f64 {
        self.interface_solves as f64 / self.steps.max(1) as f64
    }

    /// Mean number of master iterations per step (–).
    #[must_use]
    pub fn master_iterations_per_step(&self) -> f64 {
        self.master_iterations as f64 / self.steps.max(1) as f64
    }
}
