//! What is recorded of a rotor.

use super::loads::RotorLoads;
use super::rotor::Rotor;
use super::totals::RotorTotals;
use crate::frame::FrameMotion;

/// Quantities of the rotor as a whole, with their units.
const TOTALS: [(&str, &str); 6] = [
    ("thrust", "N"),
    ("torque", "N m"),
    ("power", "W"),
    ("inflow", "m/s"),
    ("inflow_gradient_1", "m/s"),
    ("inflow_gradient_2", "m/s"),
];

/// A number that is recorded of a rotor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotorQuantity {
    /// Name, such as `thrust` or `blade_1.alpha_3`.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
}

impl Rotor {
    /// What is recorded: totals and, if wanted, the angles of attack of all sections.
    #[must_use]
    pub fn quantities(&self, with_sections: bool) -> Vec<RotorQuantity> {
        let totals = TOTALS.map(|(name, unit)| RotorQuantity { name: name.to_owned(), unit });
        let sections = if with_sections { self.blade.sections() } else { 0 };
        let angle = |b, k| RotorQuantity { name: format!("blade_{b}.alpha_{k}"), unit: "rad" };
        let angles = (1..=self.blades).flat_map(|b| (1..=sections).map(move |k| angle(b, k)));
        totals.into_iter().chain(angles).collect()
    }
}

impl RotorLoads {
    /// Writes the values of [`Rotor::quantities`] of the last evaluation, whose frames these were; as many as there is room for.
    pub fn write_quantities(&self, rotor: &Rotor, frames: &[FrameMotion], out: &mut [f64]) {
        let RotorTotals { thrust, torque, power, inflow } = self.totals(rotor, frames).unwrap_or_default();
        let totals = [thrust, torque, power, inflow, self.field[1], self.field[2]];
        let angles = self.blades.iter().flat_map(|blade| &blade.points).map(|point| point.alpha);
        out.iter_mut().zip(totals.into_iter().chain(angles)).for_each(|(out, value)| *out = value);
    }

    /// Whether a section was faster in the last evaluation than the data of its airfoil, whose last values are then used.
    #[must_use]
    pub fn is_beyond_data(&self, rotor: &Rotor) -> bool {
        let largest = rotor.blade.largest_mach();
        self.blades.iter().flat_map(|blade| &blade.points).any(|point| point.mach > largest)
    }
}
