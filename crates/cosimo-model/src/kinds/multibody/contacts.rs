//! Contacts that are deep at the start.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::spatial::SpatialSystem;

use super::geometry::Geometry;
use super::spec::{ForceLaw, ForceSpec, MultibodySpec};
use crate::kinds::{Diagnostic, Start};

/// How many times the other energies that of a contact must be: what rests on a contact, or is clamped by it, stays below.
const EXCESS: f64 = 10.0;

/// Warnings about contacts whose elastic energy at the start exceeds that of the motion, of the other forces and of the weight
/// on their depth.
pub(super) fn deep_contacts(
    system: &MultibodySpec,
    equations: &SpatialSystem,
    start: &Start,
) -> Vec<Diagnostic> {
    let (q, v) = (equations.initial_position(), equations.initial_velocity());
    let kinetic = equations.energy(Motion { t: start.time, q: &q, v: &v }).kinetic;
    let potentials: Vec<f64> = equations.force_potentials(&q).collect();
    let of_forces: f64 = potentials.iter().map(|energy| energy.abs()).sum();
    let mass: f64 = system.bodies.iter().map(|body| body.mass).sum();
    let weight = mass * system.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    // Forces come first among those of the equations, in the order of the file.
    let contacts = system.forces.iter().zip(&potentials).enumerate();
    contacts
        .filter_map(|(index, (force, energy))| {
            let depth = depth(system, force).filter(|depth| *depth > 0.0)?;
            let others = kinetic + (of_forces - energy.abs()) + weight * depth;
            (*energy > EXCESS * others).then(|| warning(index, force, depth, *energy))
        })
        .collect()
}

/// How far two surfaces go through each other at the start (m).
fn depth(system: &MultibodySpec, force: &ForceSpec) -> Option<f64> {
    let at_start = Geometry::of(&system.bodies, &force.place);
    match force.law {
        ForceLaw::SpherePlane { radius, .. } => Some(radius - at_start.displacement),
        ForceLaw::SphereSphere { radii, .. } => Some(radii[0] + radii[1] - at_start.distance),
        _ => None,
    }
}

fn warning(index: usize, force: &ForceSpec, depth: f64, energy: f64) -> Diagnostic {
    Diagnostic {
        key: "force",
        index,
        name: force.name.clone(),
        message: format!(
            "is {depth:.3e} m deep at the start, with an elastic energy of {energy:.3e} J, more than all else has"
        ),
        help: "it throws the bodies apart; check points, radius and the direction of the axis".to_owned(),
        is_warning: true,
    }
}
