//! The energy balance of a run.

use serde::Serialize;

/// Energies of a whole run of coupled systems (J): `end − start = contact + external − dissipated + monitor_sum`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct EnergyBalance {
    /// Energy of all subsystems and compliant interfaces at the start.
    pub start: f64,
    /// The same at the end.
    pub end: f64,
    /// Work of the contact impulses, `Σ P (U⁻ + U⁺)/2`, where it is negative: the loss of the impacts; less the gains of
    /// impacts by Newton's law with friction.
    pub contact: f64,
    /// Work of time-dependent loads.
    pub external: f64,
    /// Energy taken out by the damping of subsystems and interfaces.
    pub dissipated: f64,
    /// Energy created by the coupling: sum of the interfaces' monitors.
    pub interfaces: f64,
    /// Energy created by the time integration of the subsystems, impacts inside steps and contacts that push instead of
    /// taking energy out included.
    pub subsystems: f64,
    /// All energy created numerically, `interfaces + subsystems`.
    pub monitor_sum: f64,
}
