//! The Jacobian of contacts, by blocks.

use cosimo_dynamics::Coordinates;

use crate::contacts::{ContactLayout, ContactSink, Contacts};

/// `G` by its blocks, in storage that is kept.
#[derive(Debug, Default)]
pub(crate) struct ContactJacobian {
    dimension: usize,
    /// First velocity and size of every block of coordinates.
    blocks: Vec<(usize, usize)>,
    /// Contact, block of coordinates and first number of every block of `G`.
    entries: Vec<(usize, usize, usize)>,
    values: Vec<f64>,
}

impl ContactJacobian {
    pub(crate) fn new(layout: &ContactLayout, coordinates: &Coordinates) -> Self {
        let blocks = coordinates.blocks().iter().map(|block| (block.velocity, block.kind.velocities()));
        Self { dimension: layout.dimension(), blocks: blocks.collect(), ..Self::default() }
    }

    /// Takes `G` at this time (s) and position.
    pub(crate) fn update(&mut self, contacts: &dyn Contacts, t: f64, q: &[f64]) {
        self.entries.clear();
        self.values.clear();
        contacts.jacobian(t, q, self);
    }

    /// Writes the force of a unit load on one row.
    pub(crate) fn row(&self, row: usize, out: &mut [f64]) {
        out.fill(0.0);
        let (contact, inside) = (row / self.dimension, row % self.dimension);
        for &(_, block, start) in self.entries.iter().filter(|entry| entry.0 == contact) {
            let (first, size) = self.blocks[block];
            for k in 0..size {
                out[first + k] += self.values[start + k * self.dimension + inside];
            }
        }
    }

    /// Gives every block: contact, block of coordinates and numbers, by columns.
    pub(crate) fn for_each(&self, mut give: impl FnMut(usize, usize, &[f64])) {
        for &(contact, block, start) in &self.entries {
            give(contact, block, &self.values[start..start + self.blocks[block].1 * self.dimension]);
        }
    }

    /// `G x` of one row.
    pub(crate) fn product(&self, row: usize, x: &[f64]) -> f64 {
        let (contact, inside) = (row / self.dimension, row % self.dimension);
        let own = self.entries.iter().filter(|entry| entry.0 == contact);
        own.map(|&(_, block, start)| {
            let (first, size) = self.blocks[block];
            (0..size).map(|k| self.values[start + k * self.dimension + inside] * x[first + k]).sum::<f64>()
        })
        .sum()
    }
}

impl ContactSink for ContactJacobian {
    fn jacobian(&mut self, contact: usize, block: usize, values: &[f64]) {
        self.entries.push((contact, block, self.values.len()));
        self.values.extend_from_slice(values);
    }
}
