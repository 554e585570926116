//! Energies of a subsystem.

use serde::{Deserialize, Serialize};

/// Mechanical energy of a state (J).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Energy {
    /// Kinetic energy (J).
    pub kinetic: f64,
    /// Potential energy (J).
    pub potential: f64,
}

impl Energy {
    /// Kinetic plus potential energy (J).
    #[must_use]
    pub fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Energies of one committed step (J).
///
/// ```text
///   E₁ − E₀ = port + contact + external − dissipated + inner contacts + jumps + numerical
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// Energy at the end of the step.
    pub energy: Energy,
    /// Work of the finite loads on the ports: load times displacement.
    pub port_work: f64,
    /// Work of the loads on the contacts that acted over the whole step; the own motion of a row, `∂z/∂t`, does not count.
    pub contact_work: f64,
    /// Work of loads that the master does not see, on the way of the whole step: impulses inside it included.
    pub external_work: f64,
    /// Energy taken out by damping, impulses inside the step included.
    pub dissipated: f64,
    /// Work of contacts inside the subsystem that the master does not see: impacts, closed contacts and friction.
    pub inner_contacts: f64,
    /// Energy that impulses inside the step put in: the change that they make, without what it does to the two above.
    pub jumps: f64,
    /// Energy that the subsystem's time integration created (positive) or dissipated (negative).
    pub numerical: f64,
}
