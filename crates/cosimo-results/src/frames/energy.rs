//! The energies of a run up to a frame.

use cosimo_mechanics::EnergyBalance;

/// Energies (J) of a run up to an instant: `stored − stored at the start = contact + external − dissipated + created`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameEnergy {
    /// Energy of all subsystems and compliant interfaces.
    pub stored: f64,
    /// Work of the contacts.
    pub contact: f64,
    /// Work of time-dependent loads.
    pub external: f64,
    /// Energy taken out by damping.
    pub dissipated: f64,
    /// Energy created numerically.
    pub created: f64,
}

impl FrameEnergy {
    /// Names of the numbers, in their order.
    pub const NAMES: [&'static str; 5] = ["stored", "contact", "external", "dissipated", "created"];

    /// The numbers, in the order of [`NAMES`](Self::NAMES).
    #[must_use]
    pub fn numbers(&self) -> [f64; 5] {
        [self.stored, self.contact, self.external, self.dissipated, self.created]
    }

    pub(super) fn from_numbers([stored, contact, external, dissipated, created]: [f64; 5]) -> Self {
        Self { stored, contact, external, dissipated, created }
    }
}

impl From<EnergyBalance> for FrameEnergy {
    fn from(balance: EnergyBalance) -> Self {
        let EnergyBalance { end, contact, external, dissipated, monitor_sum, .. } = balance;
        Self { stored: end, contact, external, dissipated, created: monitor_sum }
    }
}

/// What a frame does not tell is zero: the energy at the start, and where energy was created.
impl From<FrameEnergy> for EnergyBalance {
    fn from(energy: FrameEnergy) -> Self {
        let FrameEnergy { stored, contact, external, dissipated, created } = energy;
        Self { end: stored, contact, external, dissipated, monitor_sum: created, ..Self::default() }
    }
}
