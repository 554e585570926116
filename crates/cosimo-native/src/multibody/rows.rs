//! All rows of a multibody system: those of the ports, then those of the contacts.

use cosimo_multibody::spatial::SpatialSystem;
use nalgebra::{DMatrix, UnitQuaternion};

use super::contacts::Contacts;
use super::ports::PortRows;

/// The rows of ports and contacts. Vectors of rows hold both.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    ports: PortRows,
    contacts: Contacts,
}

impl Rows {
    pub(super) fn new(ports: PortRows, contacts: Contacts) -> Self {
        Self { ports, contacts }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.contacts.rows().end
    }

    /// Those of the contacts.
    pub(super) fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    /// Tells the response of these rows alone.
    pub(super) fn limit_response(&mut self, needed: &[bool]) {
        self.contacts.limit_response(needed);
    }

    /// A system with room in its tangents for all loads.
    pub(super) fn loaded(&self, system: SpatialSystem) -> SpatialSystem {
        let system = self.ports.coordinates().fold(system, SpatialSystem::loaded_along);
        self.contacts.placed().fold(system, SpatialSystem::loaded_at)
    }

    /// Adds `factor · Zᵀ ℓ`.
    pub(super) fn add_forces(&self, q: &[f64], (factor, loads): (f64, &[f64]), out: &mut [f64]) {
        self.ports.add_forces(q, (factor, loads), out);
        self.contacts.add_forces(q, (factor, loads), out);
    }

    /// Writes the columns of `Zᵀ` of these rows, ascending, `n ×` their number.
    pub(super) fn unit_forces(&self, q: &[f64], wanted: &[usize], out: &mut DMatrix<f64>) {
        self.ports.unit_forces(q, wanted, out);
        self.contacts.unit_forces(q, wanted, out);
    }

    /// Gives the blocks of `∂(Zᵀ ℓ)/∂q` of all that is loaded: two bodies and 36 numbers by columns.
    pub(super) fn stiffness(&self, q: &[f64], loads: &[f64], mut give: impl FnMut(usize, usize, &[f64])) {
        self.ports.stiffness(q, loads, &mut give);
        self.contacts.stiffness(q, loads, give);
    }

    /// Positions of the rows but the slips; those of the turns are the rotation by which the body has come from `start`, given
    /// by the increment `x` of the step, in world axes.
    pub(super) fn positions(
        &self,
        system: &SpatialSystem,
        q: &[f64],
        way: (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        self.ports.positions(system, q, way, out);
        self.contacts.gaps(system, q, out);
    }

    /// Velocities of the rows.
    pub(super) fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.ports.velocities(q, v, out);
        self.contacts.velocities(q, v, out);
    }

    /// Change of the velocities of the rows that have a response with the increment `dq` of the position and the change `dv` of the velocity.
    pub(super) fn velocity_changes(
        &self,
        state: (&[f64], &[f64]),
        changes: (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        self.ports.velocity_changes(state, changes, out);
        self.contacts.velocity_changes(state, changes, out);
    }

    /// Orientations of the frames of ports.
    pub(super) fn orientations(&self, q: &[f64], out: &mut Vec<UnitQuaternion<f64>>) {
        self.ports.orientations(q, out);
    }
}
