//! Energies of a step.

use serde::{Deserialize, Serialize};

use super::Energy;

/// Energies of one step that is taken (J).
///
/// ```text
///   E₁ − E₀ = port + contact + external − dissipated + inner contacts + jumps + numerical
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StepEnergy {
    /// Energy at the end of the step.
    pub energy: Energy,
    /// Work of the finite loads on the ports: load times displacement.
    pub port_work: f64,
    /// Work of the loads on the contacts that acted over the whole step; the own motion of a row, `∂z/∂t`, does not count.
    pub contact_work: f64,
    /// Work of time-dependent and other loads that do not come from outside, along the displacement of the whole step: impulses inside it
    /// included.
    pub external_work: f64,
    /// Energy taken out by damping, impulses inside the step included.
    pub dissipated: f64,
    /// Work of contacts inside the system, which have no rows: impacts, closed contacts and friction.
    pub inner_contacts: f64,
    /// Energy that impulses inside the step put in: the change that they make, without what it does to the external work and to
    /// what is dissipated.
    pub jumps: f64,
    /// What remains: energy that the time integration created (positive) or dissipated (negative).
    pub numerical: f64,
}
