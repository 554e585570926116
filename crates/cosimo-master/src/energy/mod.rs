//! Energies: what the coupling creates or loses, and what is done about it.
//!
//! ```text
//!   end − start = contacts + external − dissipated + monitor_sum        monitor_sum = interfaces + subsystems
//! ```
//!
//! | where | what |
//! |---|---|
//! | `monitor` | energies summed over a run, interface by interface |
//! | `accounts` | the accounts of a step just taken |
//! | `dashpots`, `inner_impulses` | what damping takes out, impulses inside steps included |
//! | `watch`, `created` | where a run has created energy |
//! | `advice` | which step would do |
//! | `guard`, `limit` | how much an interface may create, and what is done about more |

pub(crate) mod accounts;
pub(crate) mod advice;
pub(crate) mod created;
pub(crate) mod dashpots;
pub(crate) mod guard;
pub(crate) mod inner_impulses;
pub(crate) mod limit;
pub(crate) mod monitor;
pub(crate) mod watch;

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::Subsystem;

use crate::EnergyAction;
use crate::topology::Topology;
use guard::EnergyGuard;
use monitor::Monitor;

/// The account of the energy, and what watches it.
#[derive(Debug)]
pub(crate) struct Energy {
    pub(crate) monitor: Monitor,
    pub(crate) guard: EnergyGuard,
    /// Whether anything is done about interfaces that create more in a step than allowed.
    pub(crate) is_limited: bool,
    /// Memory of the contacts at the start of a part of a step that the guard may reject.
    guarded: Vec<ContactMemory>,
}

impl Energy {
    /// That of a model before its first step.
    pub(crate) fn new(topology: &Topology) -> Self {
        Self {
            monitor: Monitor::new(topology),
            guard: EnergyGuard::new(topology),
            is_limited: !matches!(topology.config.energy_action, EnergyAction::None | EnergyAction::Ignore),
            guarded: vec![ContactMemory::OPEN; topology.contacts.len()],
        }
    }

    /// Energy of the model without regard to the sign of the potential energies of subsystems (J).
    pub(crate) fn present(&self, subsystems: &[Box<dyn Subsystem>]) -> f64 {
        let energy = |s: &dyn Subsystem| s.energy().kinetic + s.energy().potential.abs();
        subsystems.iter().map(|s| energy(s.as_ref())).sum::<f64>() + self.monitor.stored()
    }

    /// Takes up the energy there is, at the beginning of a macro step.
    pub(crate) fn take_up(&mut self, subsystems: &[Box<dyn Subsystem>]) {
        self.guard.take_up(self.present(subsystems));
    }

    /// Begins a part of a step that may be rejected.
    pub(crate) fn begin_part(&mut self, action: EnergyAction, memory: &[ContactMemory]) {
        if matches!(action, EnergyAction::Stop | EnergyAction::Halve) {
            self.guarded.copy_from_slice(memory);
        }
    }

    /// Memory of the contacts at the start of the part of a step that was rejected.
    pub(crate) fn memory_before(&self) -> &[ContactMemory] {
        &self.guarded
    }
}
