//! What influences the future of a coupled model, besides the subsystems' own states and what algorithms carry in their work arrays
//! (`run/carried`): it is what a checkpoint holds, composed of what the phases of a step own.

use serde::{Deserialize, Serialize};

use crate::contacts::state::ContactState;
use crate::energy::guard::EnergyGuard;
use crate::energy::monitor::Monitor;
use crate::execution::coupling_mode::CouplingModes;
use crate::loads::history::LoadHistory;
use crate::schemes::tangent::TangentChoice;
use crate::signals::state::SignalState;
use crate::simulation::StepContext;
use crate::statistics::counters::Counters;
use crate::statistics::seconds::CostSeconds;
use crate::step_size::control::Control;
use crate::time::clock::Clock;
use crate::topology::Topology;
use crate::warnings::Warnings;

/// The state of the coupling, as it is saved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) coupling: CouplingModes,
    step_control: Option<Control>,
    clock: Clock,
    signals: SignalState,
    contacts: ContactState,
    begins_anew: bool,
    joint_impulses: Vec<f64>,
    end_forces: Vec<f64>,
    relaxed_forces: Vec<f64>,
    contact_residual: f64,
    contact_forces: Vec<f64>,
    has_instant_forces: bool,
    loads: LoadHistory,
    monitor: Monitor,
    energy_guard: EnergyGuard,
    tangent: TangentChoice,
    counters: Counters,
    warnings: Warnings,
}

impl State {
    /// That of a model; `seconds` is what all has cost.
    pub(crate) fn of(sim: &StepContext, seconds: CostSeconds) -> Self {
        Self {
            coupling: sim.coupling.clone(),
            step_control: sim.step_control.clone(),
            clock: sim.clock,
            signals: sim.signals.state.clone(),
            contacts: sim.contacts.state.clone(),
            begins_anew: sim.progress.begins_anew,
            joint_impulses: sim.joints.impulses.clone(),
            end_forces: sim.joints.end.clone(),
            relaxed_forces: sim.joints.relaxed.clone(),
            contact_residual: sim.contacts.residual,
            contact_forces: sim.contacts.forces.clone(),
            has_instant_forces: sim.joints.are_of_instant,
            loads: sim.loads.history.clone(),
            monitor: sim.energy.monitor.clone(),
            energy_guard: sim.energy.guard.clone(),
            tangent: sim.schemes.tangent.clone(),
            counters: sim.counters.saved(sim.subsystems.counted(), seconds),
            warnings: sim.warnings.clone(),
        }
    }

    /// Takes a model, which fits, to this state, in all but the coupling modes.
    pub(crate) fn restore(&self, sim: &mut StepContext) {
        let saved = self.clone();
        sim.step_control = saved.step_control;
        sim.clock = saved.clock;
        sim.signals.state = saved.signals;
        sim.contacts.state = ContactState { has_impulses: true, ..saved.contacts };
        (sim.contacts.residual, sim.contacts.forces) = (saved.contact_residual, saved.contact_forces);
        sim.progress.begins_anew = saved.begins_anew;
        sim.joints.impulses = saved.joint_impulses;
        (sim.joints.end, sim.joints.relaxed) = (saved.end_forces, saved.relaxed_forces);
        sim.joints.are_of_instant = saved.has_instant_forces;
        sim.loads.history = saved.loads;
        (sim.energy.monitor, sim.energy.guard) = (saved.monitor, saved.energy_guard);
        sim.schemes.tangent = saved.tangent;
        sim.counters.restore(&self.counters, sim.subsystems.counted());
        sim.warnings = saved.warnings;
    }

    /// What it must agree in with a model, and whether it does.
    pub(crate) fn compare(
        &self,
        topology: &Topology,
        signals: &SignalState,
        coupling: &CouplingModes,
    ) -> [(&'static str, bool); 10] {
        let joint_values = [&self.end_forces, &self.joint_impulses, &self.relaxed_forces];
        [
            ("sizes", self.step_control.as_ref().is_none_or(|control| control.fits(topology))),
            ("signals", signals.fits(&self.signals)),
            ("couplings", coupling.fits(&self.coupling)),
            ("contacts", self.contacts.fits(topology)),
            ("contacts", self.contact_forces.len() == topology.contact_rows.len()),
            ("interfaces", joint_values.iter().all(|values| values.len() == topology.unknowns)),
            ("interfaces", self.warnings.fits(topology)),
            ("energies", self.monitor.fits(topology) && self.energy_guard.fits(topology)),
            ("counts", self.counters.fits(topology)),
            ("load ports", self.loads.fits(topology)),
        ]
    }

    /// Without what the report tells of costs.
    pub(crate) fn without_costs(mut self) -> Self {
        self.counters.forget_costs();
        // To be cleared at the next step, whether there are any.
        self.contacts.has_impulses = true;
        self
    }
}
