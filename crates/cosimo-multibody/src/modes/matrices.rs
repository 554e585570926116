//! Sparse matrices of a system at one state.

use std::collections::BTreeMap;

use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Motion, Structure};
use nalgebra::{ComplexField, DVector};

use super::turning::Turning;

/// Which of the matrices of an equation of motion is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Mass,
    Damping,
    Stiffness,
}

/// Entries of `M`, `C` and `K` in the rows of one block of coordinates and the columns of another, by columns.
#[derive(Debug, Clone, Default)]
struct Block([Vec<f64>; 3]);

impl Block {
    fn add(&mut self, of: Of, values: &[f64]) {
        let own = &mut self.0[of as usize];
        own.resize(values.len(), 0.0);
        own.iter_mut().zip(values).for_each(|(own, x)| *own += x);
    }

    /// Makes the damping of these entries the stiffness, and the mass the damping.
    fn shift_column(&mut self, entries: std::ops::Range<usize>) {
        let length = self.0.iter().map(Vec::len).max().unwrap_or(0);
        self.0.iter_mut().for_each(|values| values.resize(length, 0.0));
        let [mass, damping, stiffness] = &mut self.0;
        if length > 0 {
            stiffness[entries.clone()].copy_from_slice(&damping[entries.clone()]);
            damping[entries.clone()].copy_from_slice(&mass[entries.clone()]);
            mass[entries].fill(0.0);
        }
    }
}

/// An entry of a sparse matrix: row, column, value.
pub(super) type Entry<T> = (usize, usize, T);

/// Matrices in axes that turn with the system.
#[derive(Debug)]
pub(super) struct Linearised {
    /// First velocity and number of velocities of every block of coordinates.
    places: Vec<(usize, usize)>,
    /// `M`, `C + M G` and `K + C S + M Z`.
    blocks: BTreeMap<(usize, usize), Block>,
    /// Entries of `Φ`.
    pub(super) jacobian: Vec<Entry<f64>>,
    /// Coordinates of which the rate alone matters: `y` is their rate.
    pub(super) states: Vec<usize>,
}

impl Linearised {
    pub(super) fn at(
        system: &dyn ConstrainedSystem,
        turning: &Turning,
        motion: Motion<'_>,
        (a, mu): (&[f64], &[f64]),
    ) -> Self {
        let structure = system.structure();
        let blocks = structure.coordinates().blocks();
        let places = blocks.iter().map(|block| (block.velocity, block.kind.velocities())).collect();
        let mut of = Collector {
            structure,
            found: Self { places, blocks: BTreeMap::new(), jacobian: Vec::new(), states: Vec::new() },
        };
        system.tangents(motion, a, mu, &mut of);
        system.jacobian(motion.t, motion.q, &mut of);
        let mut found = of.found;
        if turning.spin.norm() > 0.0 {
            found.turn(turning, structure, motion.q);
        }
        found.find_states(structure);
        found
    }

    /// Numbers of a velocity.
    pub(super) fn size(&self) -> usize {
        self.places.last().map_or(0, |(first, size)| first + size)
    }

    /// Adds what the derivatives of a steady turn do to the columns of every block.
    fn turn(&mut self, turning: &Turning, structure: &Structure, q: &[f64]) {
        for (&(row, column), block) in &mut self.blocks {
            let own = &structure.coordinates().blocks()[column];
            let rows = self.places[row].1;
            let Some([of_velocity, by_rate, by_position]) = turning.derivatives(own, q) else { continue };
            let [mass, damping, _] = block.0.clone();
            let product = |values: &[f64], by: &nalgebra::Matrix6<f64>| {
                let product =
                    nalgebra::DMatrix::from_column_slice(rows, values.len() / rows.max(1), values) * by;
                product.as_slice().to_vec()
            };
            if !damping.is_empty() {
                block.add(Of::Stiffness, &product(&damping, &of_velocity));
            }
            if !mass.is_empty() {
                block.add(Of::Stiffness, &product(&mass, &by_position));
                block.add(Of::Damping, &product(&mass, &by_rate));
            }
        }
    }

    /// Finds coordinates of vector spaces on whose positions nothing depends, such as the integrals of the states of elements, and makes
    /// `y` their rate: `δv = y`, `δa = ẏ`.
    fn find_states(&mut self, structure: &Structure) {
        let mut matters = vec![false; self.size()];
        for (_, column, x) in self.jacobian.iter().copied().chain(self.each(Of::Stiffness)) {
            matters[column] |= x != 0.0;
        }
        let blocks = structure.coordinates().blocks();
        let of_spaces = blocks.iter().filter(|block| !block.kind.turns());
        let columns = of_spaces.flat_map(|block| block.velocity..block.velocity + block.kind.velocities());
        self.states = columns.filter(|column| !matters[*column]).collect();
        let mut is_state = vec![false; matters.len()];
        self.states.iter().for_each(|column| is_state[*column] = true);
        for (&(row, column), block) in &mut self.blocks {
            let (rows, (first, columns)) = (self.places[row].1, self.places[column]);
            for k in (0..columns).filter(|k| is_state[first + k]) {
                block.shift_column(k * rows..(k + 1) * rows);
            }
        }
    }

    /// All entries of one matrix.
    fn each(&self, of: Of) -> impl Iterator<Item = Entry<f64>> {
        self.blocks.iter().flat_map(move |(&(row, column), block)| {
            let ((first, rows), (from, _)) = (self.places[row], self.places[column]);
            let values = block.0[of as usize].iter().enumerate();
            values.map(move |(k, x)| (first + k % rows, from + k / rows, *x))
        })
    }

    /// Entries of `Σ wᵢ Aᵢ`.
    pub(super) fn sum<T: ComplexField<RealField = f64>>(&self, parts: &[(Of, T)]) -> Vec<Entry<T>> {
        let of = |(of, weight): &(Of, T)| {
            let weight = weight.clone();
            let scaled = move |(i, j, x): Entry<f64>| (i, j, weight.clone().scale(x));
            self.each(*of).filter(|(_, _, x)| *x != 0.0).map(scaled).collect::<Vec<_>>()
        };
        parts.iter().flat_map(of).collect()
    }

    /// The product of one of the matrices.
    pub(super) fn product<T: ComplexField<RealField = f64>>(&self, of: Of, x: &DVector<T>) -> DVector<T> {
        let mut out = DVector::zeros(x.len());
        self.each(of).for_each(|(i, j, value)| out[i] += x[j].clone().scale(value));
        out
    }

    /// The product of the symmetric part of one of the matrices.
    pub(super) fn symmetric_product(&self, of: Of, x: &DVector<f64>) -> DVector<f64> {
        let mut out = DVector::zeros(x.len());
        for (i, j, value) in self.each(of) {
            out[i] += 0.5 * value * x[j];
            out[j] += 0.5 * value * x[i];
        }
        out
    }

    /// `xᵀ |A| x` of sizes `x`.
    pub(super) fn size_along(&self, of: Of, x: &DVector<f64>) -> f64 {
        self.each(of).map(|(i, j, value)| x[i] * value.abs() * x[j]).sum()
    }

    pub(super) fn diagonal(&self, of: Of) -> DVector<f64> {
        let mut out = DVector::zeros(self.size());
        self.each(of).filter(|(i, j, _)| i == j).for_each(|(i, _, value)| out[i] += value);
        out
    }

    /// The largest entry.
    pub(super) fn largest(&self, of: Of) -> f64 {
        self.each(of).fold(0.0, |most: f64, (_, _, value)| most.max(value.abs()))
    }
}

/// Collects blocks.
struct Collector<'a> {
    structure: &'a Structure,
    found: Linearised,
}

impl Collector<'_> {
    fn add(&mut self, of: Of, place: (usize, usize), values: &[f64]) {
        self.found.blocks.entry(place).or_default().add(of, values);
    }
}

impl MatrixSink for Collector<'_> {
    fn mass(&mut self, block: usize, values: &[f64]) {
        self.add(Of::Mass, (block, block), values);
    }
    fn mass_coupling(&mut self, row: usize, column: usize, values: &[f64]) {
        self.add(Of::Mass, (row, column), values);
    }
    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        self.add(Of::Damping, (row, column), values);
    }
    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        self.add(Of::Stiffness, (row, column), values);
    }
    fn jacobian(&mut self, constraint: usize, block: usize, values: &[f64]) {
        let (own, first) = (&self.structure.constraints()[constraint], self.found.places[block].0);
        let entry = |(k, x): (usize, &f64)| (own.first + k % own.rows, first + k / own.rows, *x);
        self.found.jacobian.extend(values.iter().enumerate().map(entry));
    }
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}
