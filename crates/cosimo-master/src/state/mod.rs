//! What influences the future of a coupled model, besides the subsystems' own states and what algorithms carry in their work arrays
//! (`run/carried`): it is what a checkpoint holds.
//!
//! | where | what |
//! |---|---|
//! | `statistics`, `interface_statistics` | counts for the report |
//! | `tangent`, `frozen` | whether inverse masses are kept from step to step, and which |
//! | `warnings` | warnings, each given once |

pub(crate) mod frozen;
pub(crate) mod interface_statistics;
pub(crate) mod statistics;
pub(crate) mod tangent;
pub(crate) mod warnings;

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::Statistics;
use serde::{Deserialize, Serialize};

use crate::energy::guard::EnergyGuard;
use crate::energy::monitor::Monitor;
use crate::execution::clock::Clock;
use crate::loads::history::LoadHistory;
use crate::run::cost_report::CostSeconds;
use crate::setup::coupling_mode::CouplingModes;
use crate::signals::state::SignalState;
use crate::step_control::control::Control;
use crate::topology::Topology;
use statistics::Counters;
use tangent::TangentChoice;
use warnings::Warnings;

/// The state of the coupling.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// What the first step found of the subsystems' claims.
    pub(crate) coupling: CouplingModes,
    /// What controls the sizes of the steps of a run, once it has begun.
    pub(crate) step_control: Option<Control>,
    /// Communication points are counted from an origin.
    pub(crate) clock: Clock,
    /// Signals at the last two communication points, and the courses of the inputs.
    pub(crate) signals: SignalState,
    /// Loads carried, rate jumps whose aftermath is due.
    #[serde(with = "memory_values")]
    pub(crate) contact_memory: Vec<ContactMemory>,
    /// By how much the gap rates have changed in the last part of a step (m/s).
    pub(crate) gap_rate_changes: Vec<f64>,
    /// Impulses of contacts and joints in the current macro step, in all its parts (N s).
    pub(crate) contact_impulses: Vec<f64>,
    pub(crate) has_contact_impulses: bool,
    /// Whether all rules begin anew in the next step: it is the first, or the first after velocities jumped at the communication point.
    pub(crate) begins_anew: bool,
    pub(crate) joint_impulses: Vec<f64>,
    /// Interface forces at the present communication point (N).
    pub(crate) end_forces: Vec<f64>,
    /// Those by which Tikhonov joints are open.
    pub(crate) relaxed_forces: Vec<f64>,
    /// Largest relative residual (–) that a part of the last macro step was left with; zero where all are solved.
    pub(crate) contact_residual: f64,
    /// Forces of contacts at the present communication point, by row (N); zero where they are open.
    pub(crate) contact_forces: Vec<f64>,
    /// Whether the forces balance the motion at this instant, as at the start and after a velocity jump: rules that begin anew
    /// take them for their accelerations.
    pub(crate) has_instant_forces: bool,
    /// Loads of load ports at the present communication point.
    pub(crate) loads: LoadHistory,
    pub(crate) monitor: Monitor,
    pub(crate) energy_guard: EnergyGuard,
    /// Whether inverse masses are kept from step to step.
    pub(crate) tangent: TangentChoice,
    pub(crate) counters: Counters,
    pub(crate) warnings: Warnings,
}

impl State {
    /// The state at the start, at time `time` (s).
    pub(crate) fn new(topology: &Topology, coupling: CouplingModes, time: f64) -> Self {
        Self {
            coupling,
            step_control: None,
            clock: Clock::at(time),
            signals: SignalState::new(&topology.signals, time),
            contact_memory: vec![ContactMemory::OPEN; topology.contacts.len()],
            gap_rate_changes: vec![0.0; topology.contacts.len()],
            contact_impulses: vec![0.0; topology.contact_rows.len()],
            has_contact_impulses: false,
            begins_anew: true,
            joint_impulses: vec![0.0; topology.unknowns],
            end_forces: vec![0.0; topology.unknowns],
            relaxed_forces: vec![0.0; topology.unknowns],
            contact_residual: 0.0,
            contact_forces: vec![0.0; topology.contact_rows.len()],
            has_instant_forces: false,
            loads: LoadHistory::new(topology),
            monitor: Monitor::new(topology),
            energy_guard: EnergyGuard::new(topology),
            tangent: TangentChoice::new(topology),
            counters: Counters::new(topology),
            warnings: Warnings::new(topology),
        }
    }

    /// A copy to be saved; `counted` is the work that the subsystems have counted, `seconds` what all has cost.
    pub(crate) fn saved(&self, counted: impl Iterator<Item = Statistics>, seconds: CostSeconds) -> Self {
        Self { counters: self.counters.saved(counted, seconds), ..self.clone() }
    }

    /// Goes to a saved state that fits, all but the coupling modes; `counted` is the work that the subsystems have counted
    /// by now.
    pub(crate) fn restore(&mut self, saved: &Self, counted: impl Iterator<Item = Statistics>) {
        let mut counters = self.counters.clone();
        counters.restore(&saved.counters, counted);
        let coupling = self.coupling.clone();
        *self = Self { coupling, counters, has_contact_impulses: true, ..saved.clone() };
    }

    /// What a saved state must agree in with this one, and whether it does.
    pub(crate) fn compare(&self, saved: &Self, topology: &Topology) -> [(&'static str, bool); 11] {
        let joint_values = [&saved.end_forces, &saved.joint_impulses];
        let contact_values = [&saved.contact_impulses, &saved.contact_forces];
        [
            ("sizes", saved.step_control.as_ref().is_none_or(|control| control.fits(topology))),
            ("signals", self.signals.fits(&saved.signals)),
            ("couplings", self.coupling.fits(&saved.coupling)),
            ("contacts", self.contact_memory.len() == saved.contact_memory.len()),
            ("contacts", self.gap_rate_changes.len() == saved.gap_rate_changes.len()),
            ("contacts", contact_values.iter().all(|values| values.len() == topology.contact_rows.len())),
            ("interfaces", joint_values.iter().all(|values| values.len() == topology.unknowns)),
            ("interfaces", saved.relaxed_forces.len() == topology.unknowns),
            ("interfaces", saved.warnings.fits(topology)),
            ("energies", saved.monitor.fits(topology) && saved.energy_guard.fits(topology)),
            ("counts", saved.counters.fits(topology)),
        ]
    }

    /// Begins the sums of impulses of a macro step.
    pub(crate) fn clear_impulses(&mut self) {
        if self.has_contact_impulses {
            self.contact_impulses.fill(0.0);
            self.has_contact_impulses = false;
        }
        self.joint_impulses.iter_mut().for_each(|sum| *sum = 0.0);
    }
}

/// Contact memories by their numbers.
mod memory_values {
    use cosimo_nonsmooth::ContactMemory;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(memory: &[ContactMemory], to: S) -> Result<S::Ok, S::Error> {
        memory.iter().map(|memory| memory.to_values()).collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ContactMemory>, D::Error> {
        let values = Vec::deserialize(from)?;
        Ok(values.into_iter().map(ContactMemory::from_values).collect())
    }
}
