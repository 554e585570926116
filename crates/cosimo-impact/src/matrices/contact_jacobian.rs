//! The Jacobian of contacts, by blocks.

use cosimo_dynamics::Coordinates;

use crate::contacts::{ContactLayout, ContactSink, Contacts};

/// `G` by its blocks, in storage that is kept.
#[derive(Debug, Default)]
pub(crate) struct ContactJacobian {
    dimension: usize,
    /// First velocity and size of every block of coordinates.
    blocks: Vec<(usize, usize)>,
    /// Contact, block of coordinates and first number of every block of `G`, by contacts.
    entries: Vec<(usize, usize, usize)>,
    /// First entry of every contact, and of none.
    first: Vec<usize>,
    values: Vec<f64>,
    /// How often `G` was taken; what was made with it holds until it is taken again.
    pub(crate) takings: usize,
}

impl ContactJacobian {
    pub(crate) fn new(layout: &ContactLayout, coordinates: &Coordinates) -> Self {
        let blocks = coordinates.blocks().iter().map(|block| (block.velocity, block.kind.velocities()));
        Self { dimension: layout.dimension(), blocks: blocks.collect(), ..Self::default() }
    }

    /// Takes `G` at this time (s) and position; that of linear gaps once.
    pub(crate) fn update(&mut self, contacts: &dyn Contacts, t: f64, q: &[f64]) {
        if contacts.is_linear() && self.takings > 0 {
            return;
        }
        self.takings += 1;
        self.entries.clear();
        self.values.clear();
        contacts.jacobian(t, q, self);
        if !self.entries.is_sorted_by_key(|entry| entry.0) {
            self.entries.sort_by_key(|entry| entry.0);
        }
        let count = contacts.layout().contacts().len();
        self.first.clear();
        self.first.extend((0..=count).scan(0, |at, contact| {
            *at += self.entries[*at..].iter().take_while(|entry| entry.0 < contact).count();
            Some(*at)
        }));
    }

    /// The blocks of a contact.
    fn of(&self, contact: usize) -> &[(usize, usize, usize)] {
        match self.first.get(contact..contact + 2) {
            Some(&[start, end]) => &self.entries[start..end],
            _ => &[],
        }
    }

    /// Writes the force of a unit load on one row.
    pub(crate) fn row(&self, row: usize, out: &mut [f64]) {
        out.fill(0.0);
        let (contact, inside) = (row / self.dimension, row % self.dimension);
        for &(_, block, start) in self.of(contact) {
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

    /// `G W Gᵀ` of one row with the reciprocals of these weights on the diagonal of `W`.
    pub(crate) fn square(&self, row: usize, weights: &[f64]) -> f64 {
        let (contact, inside) = (row / self.dimension, row % self.dimension);
        let of = |&(_, block, start): &(usize, usize, usize)| {
            let (first, size) = self.blocks[block];
            let entries = (0..size).filter(|k| weights[first + k] > 0.0);
            entries
                .map(|k| self.values[start + k * self.dimension + inside].powi(2) / weights[first + k])
                .sum::<f64>()
        };
        self.of(contact).iter().map(of).sum()
    }

    /// `G x` of one row.
    pub(crate) fn product(&self, row: usize, x: &[f64]) -> f64 {
        let (contact, inside) = (row / self.dimension, row % self.dimension);
        let own = self.of(contact).iter();
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
