//! What constraints leave free.
//!
//! Rows that others imply are found, and forces are split into those along and across the constraints, by the sparse saddle point
//!
//! ```text
//!   [ D   Φᵀ ] [ y ]   [ f ]
//!   [ Φ   0  ] [ μ ] = [ g ]
//! ```
//!
//! in which `D` is diagonal: every coordinate in the measure of its largest entry of `Φ`, and every row of length one, so that no
//! unit matters.

use cosimo_dynamics::Structure;
use cosimo_linear::{BlockLu, BlockPattern, FactorizationError};
use nalgebra::DVector;

use super::ModesError;
use super::matrices::Entry;

/// The constraints of a system at one state.
#[derive(Debug)]
pub(super) struct Constraints {
    /// Entries of the rows that others do not imply, numbered among them.
    pub(super) entries: Vec<Entry<f64>>,
    /// Those rows.
    pub(super) kept: Vec<usize>,
    /// `1/√D`.
    scales: Vec<f64>,
    /// One over the length of every row that is kept.
    lengths: Vec<f64>,
    saddle: BlockLu,
    n: usize,
    /// Rows with those left out.
    m: usize,
}

impl Constraints {
    pub(super) fn of(structure: &Structure, jacobian: &[Entry<f64>]) -> Result<Self, ModesError> {
        let (n, m) = (structure.velocities(), structure.rows());
        let mut largest = vec![0.0; n];
        jacobian.iter().for_each(|(_, j, x)| largest[*j] = f64::max(largest[*j], x.abs()));
        let scales: Vec<f64> = largest.into_iter().map(|x| if x > 0.0 { 1.0 / x } else { 1.0 }).collect();
        let mut lengths = vec![0.0; m];
        jacobian.iter().for_each(|(i, j, x)| lengths[*i] += (x * scales[*j]).powi(2));
        lengths.iter_mut().for_each(|x: &mut f64| *x = if *x > 0.0 { 1.0 / x.sqrt() } else { 1.0 });
        let mut saddle = BlockLu::new(pattern(structure));
        let mut is_out = vec![false; m];
        loop {
            assemble(&mut saddle, structure, &is_out, (jacobian, &scales, &lengths));
            match saddle.factorize() {
                Ok(()) => break,
                Err(FactorizationError::Singular { column }) if column >= n && !is_out[column - n] => {
                    is_out[column - n] = true;
                }
                Err(_) => return Err(ModesError::Singular),
            }
        }
        let kept: Vec<usize> = (0..m).filter(|row| !is_out[*row]).collect();
        let mut number = vec![None; m];
        kept.iter().enumerate().for_each(|(place, row)| number[*row] = Some(place));
        let own = |(i, j, x): &Entry<f64>| Some((number[*i]?, *j, *x)).filter(|(_, _, x)| *x != 0.0);
        let entries = jacobian.iter().filter_map(own).collect();
        Ok(Self { entries, kept, scales, lengths, saddle, n, m })
    }

    /// Coordinates that are free.
    pub(super) fn free(&self) -> usize {
        self.n - self.kept.len()
    }

    /// `y` and `μ` for forces `f` and rows `g`; those of rows left out are zero.
    fn solve(&mut self, forces: &DVector<f64>, rows: &[f64]) -> [DVector<f64>; 2] {
        let (n, m) = (self.n, self.m);
        let mut x = vec![0.0; n + m];
        (0..n).for_each(|k| x[k] = forces[k] * self.scales[k]);
        self.kept.iter().for_each(|row| x[n + row] = rows[*row] * self.lengths[*row]);
        self.saddle.solve(&mut x);
        let y = DVector::from_fn(n, |k, _| x[k] * self.scales[k]);
        let mu = DVector::from_fn(m, |row, _| x[n + row] * self.lengths[row]);
        [y, mu]
    }

    /// An increment that changes the constraints by `−residual`.
    pub(super) fn closing(&mut self, residual: &[f64]) -> DVector<f64> {
        let right: Vec<f64> = residual.iter().map(|x| -x).collect();
        let [y, _] = self.solve(&DVector::zeros(self.n), &right);
        y
    }

    /// Multipliers that balance the forces across the constraints; those of rows that others imply are zero.
    pub(super) fn multipliers(&mut self, forces: &DVector<f64>) -> DVector<f64> {
        let [_, mu] = self.solve(&-forces, &vec![0.0; self.m]);
        mu
    }

    /// What is left of forces without those across the constraints.
    pub(super) fn forces_along(&mut self, forces: &DVector<f64>) -> DVector<f64> {
        let [y, _] = self.solve(forces, &vec![0.0; self.m]);
        DVector::from_fn(self.n, |k, _| y[k] / self.scales[k].powi(2))
    }

    /// What is left of an increment without that across the constraints.
    pub(super) fn increment_along(&mut self, y: &DVector<f64>) -> DVector<f64> {
        let forces = DVector::from_fn(self.n, |k, _| y[k] / self.scales[k].powi(2));
        let [along, _] = self.solve(&forces, &vec![0.0; self.m]);
        along
    }
}

/// Coordinates meet their constraints, which are eliminated after them.
fn pattern(structure: &Structure) -> BlockPattern {
    let blocks = structure.coordinates().blocks();
    let coordinates = blocks.len();
    let sizes = blocks.iter().map(|block| block.kind.velocities());
    let sizes: Vec<usize> = sizes.chain(structure.constraints().iter().map(|block| block.rows)).collect();
    let own = structure.constraints().iter().enumerate();
    let pairs = own.flat_map(|(k, own)| own.touches.iter().map(move |&block| (block, coordinates + k)));
    BlockPattern::with_late(&sizes, pairs, |block| block >= coordinates)
}

/// The scaled matrix; rows that are left out have a unit diagonal.
fn assemble(
    saddle: &mut BlockLu,
    structure: &Structure,
    is_out: &[bool],
    (jacobian, scales, lengths): (&[Entry<f64>], &[f64], &[f64]),
) {
    let (blocks, constraints) = (structure.coordinates().blocks(), structure.constraints());
    let mut add = |(row, column): (usize, usize), inside: (usize, usize), value: f64| {
        if let Some(position) = saddle.pattern().position(row, column) {
            saddle.add(position, inside, value);
        }
    };
    for (number, block) in blocks.iter().enumerate() {
        (0..block.kind.velocities()).for_each(|k| add((number, number), (k, k), 1.0));
    }
    for (number, block) in constraints.iter().enumerate() {
        let own = blocks.len() + number;
        let out = (0..block.rows).filter(|k| is_out[block.first + k]);
        out.for_each(|k| add((own, own), (k, k), 1.0));
    }
    for (i, j, x) in jacobian.iter().filter(|(i, _, _)| !is_out[*i]) {
        let of_row = constraints.partition_point(|block| block.first <= *i) - 1;
        let of_column = blocks.partition_point(|block| block.velocity <= *j) - 1;
        let (row, column) = (i - constraints[of_row].first, j - blocks[of_column].velocity);
        let value = x * scales[*j] * lengths[*i];
        add((blocks.len() + of_row, of_column), (row, column), value);
        add((of_column, blocks.len() + of_row), (column, row), value);
    }
}
