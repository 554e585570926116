//! All rows of a multibody system: those of the ports, then those of the contacts.

use std::ops::Range;

use cosimo_dynamics::{Configuration, State, StateChange};
use cosimo_mechanics::TimeInput;
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::DaeState;
use cosimo_subsystem::scene::Pose;
use cosimo_subsystem::{ContactScale, Signal};
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};

use super::contacts::Contacts;
use super::ports::PortRows;
use super::quantities;
use crate::constrained::{ConstrainedRows, ContactPools, Directions, Increment, Touching};

/// The rows of ports and contacts, and what the inputs drive.
#[derive(Debug)]
pub struct SpatialRows {
    ports: PortRows,
    contacts: Contacts,
    time_inputs: Vec<TimeInput>,
}

impl SpatialRows {
    pub(super) fn new(ports: PortRows, contacts: Contacts, time_inputs: Vec<TimeInput>) -> Self {
        Self { ports, contacts, time_inputs }
    }

    /// A system with room in its tangents for the loads of the ports.
    pub(super) fn loaded(&self, system: SpatialSystem) -> SpatialSystem {
        self.ports.coordinates().fold(system, SpatialSystem::loaded_along)
    }
}

impl ConstrainedRows for SpatialRows {
    type System = SpatialSystem;

    fn len(&self) -> usize {
        self.contacts.rows().end
    }

    fn contacts(&self) -> Range<usize> {
        self.contacts.rows()
    }

    fn slips(&self) -> Range<usize> {
        self.contacts.slips()
    }

    fn pools(&self) -> Option<&ContactPools> {
        Some(&self.contacts.pools).filter(|pools| !pools.is_empty())
    }

    fn pools_mut(&mut self) -> Option<&mut ContactPools> {
        Some(&mut self.contacts.pools).filter(|pools| !pools.is_empty())
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.contacts.set_active_rows(needed);
    }

    fn add_forces(&self, along: Directions<'_>, factor: f64, loads: &[f64], out: &mut [f64]) {
        self.ports.add_forces(along.ports, factor, loads, out);
        self.contacts.add_forces(along.contacts, factor, loads, out);
    }

    fn unit_forces(&self, along: Directions<'_>, wanted: &[usize], out: &mut DMatrix<f64>) {
        self.ports.unit_forces(along.ports, wanted, out);
        self.contacts.unit_forces(along.contacts, wanted, out);
    }

    fn stiffness(&self, q: &[f64], loads: &[f64], give: &mut dyn FnMut(usize, usize, &[f64])) {
        self.ports.stiffness(q, loads, give);
    }

    fn positions(&self, system: &SpatialSystem, q: &[f64], increment: Increment<'_>, out: &mut [f64]) {
        self.ports.positions(system, q, increment, out);
        self.contacts.gaps(system, q, out);
    }

    fn sweep(&self, q: &[f64], displacement: &[f64], ends: &[f64], out: &mut Vec<f64>) {
        self.contacts.sweep(q, displacement, ends, out);
    }

    fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.ports.velocities(q, v, out);
        self.contacts.velocities(q, v, out);
    }

    fn scales(&self, q: &[f64], v: &[f64], out: &mut [ContactScale]) {
        self.contacts.scales(q, v, out);
    }

    fn velocity_changes(&self, state: State<'_>, change: StateChange<'_>, out: &mut [f64]) {
        self.ports.velocity_changes(state, change, out);
        self.contacts.velocity_changes(state, change, out);
    }

    fn touching(&self, contact: usize) -> Option<Touching> {
        self.contacts.touching(contact)
    }

    fn directions_of(&self, contact: usize, q: &[f64], rows: usize, give: &mut dyn FnMut(usize, &[f64])) {
        if let Some(placed) = self.contacts.placed(contact) {
            placed.give_jacobian(q, rows, give);
        }
    }

    fn rate_gradients_of(
        &self,
        contact: usize,
        state: State<'_>,
        rows: usize,
        give: &mut dyn FnMut(usize, [&[f64]; 2]),
    ) {
        if let Some(placed) = self.contacts.placed(contact) {
            placed.give_rate_gradients(state, rows, give);
        }
    }

    fn orientations(&self, q: &[f64], out: &mut Vec<UnitQuaternion<f64>>) {
        self.ports.orientations(q, out);
    }

    fn add_ways(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        self.contacts.add_ways(q, x, out);
    }

    fn set_inputs(&self, inputs: &[Signal]) {
        for (own, input) in self.time_inputs.iter().zip(inputs) {
            own.set(input.time, input.coefficients);
        }
    }

    fn write_outputs(&self, system: &SpatialSystem, state: &DaeState, out: &mut [f64]) {
        system.observe_sensors(&state.q, &state.v, &state.a, out);
    }

    fn add_poses(&self, system: &SpatialSystem, q: &[f64], out: &mut Vec<Pose>) {
        system.add_poses(q, out);
    }

    fn place(&self, contact: usize, q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        self.contacts.placed(contact)?.place(q)
    }

    fn observe(&self, system: &SpatialSystem, state: &DaeState, stage: Configuration<'_>, out: &mut [f64]) {
        quantities::observe(system, state, stage, out);
    }
}
