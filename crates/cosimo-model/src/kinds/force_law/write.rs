//! Writes a force law.

use super::ForceLawSpec;
use crate::write::Writer;

/// Writes the keys of a force law.
pub(super) fn write(law: &ForceLawSpec, writer: &mut Writer) {
    writer.entry("law", law.law_name());
    let ends = |has_other_end: bool| if has_other_end { 2_u32 } else { 1 };
    match law {
        ForceLawSpec::QuadraticDrag(law) => {
            writer.entry("coefficient", law.coefficient);
            writer.entry("coordinates", law.size as u32);
        }
        ForceLawSpec::SpringDamper(law) => {
            writer.entry("ends", ends(law.has_other_end));
            writer.entry("stiffness", law.stiffness);
            writer.entry("damping", law.damping);
            writer.entry("rest", law.rest);
        }
        ForceLawSpec::BoucWen(law) => {
            writer.entry("ends", ends(law.has_other_end));
            writer.entry("stiffness", law.stiffness);
            writer.entry("hardening", law.hardening);
            writer.entry("damping", law.damping);
            writer.entry("amplitude", law.amplitude);
            writer.entry("beta", law.beta);
            writer.entry("gamma", law.gamma);
            writer.entry("exponent", law.exponent);
        }
    }
}
