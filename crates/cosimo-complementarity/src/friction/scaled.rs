//! Direct solvers of `(L W R + B) x = b` with `L`, `R`, `B` of one block a contact: what Newton's methods need of the
//! Delassus operator.

use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};
use nalgebra::{SMatrix, SVector};

use super::delassus::{of_contact, set_contact};
use super::{BlockMatrix, BodyDelassus, Delassus};

/// The blocks of one contact in `(L W R + B) x = b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled<const D: usize> {
    /// Its block of `L`.
    pub left: SMatrix<f64, D, D>,
    /// Its block of `R`.
    pub right: SMatrix<f64, D, D>,
    /// Its block of `B`, regular.
    pub block: SMatrix<f64, D, D>,
}

/// `B⁻¹`, `B⁻¹ L` and `R` of one contact: what a system smaller than the rows needs of [`Scaled`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Divided<const D: usize> {
    pub(super) inverse: SMatrix<f64, D, D>,
    pub(super) left: SMatrix<f64, D, D>,
    pub(super) right: SMatrix<f64, D, D>,
}

impl<const D: usize> Divided<D> {
    pub(super) fn new(
        contact: usize,
        Scaled { left, right, block }: &Scaled<D>,
    ) -> Result<Self, FactorizationError> {
        let inverse = block.try_inverse().ok_or(FactorizationError::Singular { column: contact * D })?;
        Ok(Self { inverse, left: inverse * left, right: *right })
    }
}

/// A direct solver of `(L W R + B) x = b` with its storage. The symmetric part of the matrix is positive definite or
/// nearly so.
pub trait ScaledSystem<const D: usize> {
    /// Factorises the matrix with these blocks, one set a contact.
    ///
    /// # Errors
    /// A matrix that is singular to working precision.
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError>;

    /// Overwrites `x`, `D` numbers a contact, by the solution with this right-hand side.
    fn solve(&mut self, x: &mut [f64]);
}

/// The system of a matrix: as many unknowns as rows.
#[derive(Debug)]
pub(crate) struct ScaledMatrix<const D: usize> {
    matrix: BlockMatrix<D>,
    lu: BlockLu,
    positions: Vec<BlockPosition>,
}

impl<const D: usize> ScaledMatrix<D> {
    pub(crate) fn new(matrix: BlockMatrix<D>) -> Self {
        let pairs = matrix.blocks().map(|(row, column, _)| (row, column));
        let pattern = BlockPattern::new(&vec![D; matrix.contacts()], pairs);
        let positions =
            matrix.blocks().filter_map(|(row, column, _)| pattern.position(row, column)).collect();
        Self { matrix, lu: BlockLu::new(pattern), positions }
    }
}

impl<const D: usize> ScaledSystem<D> for ScaledMatrix<D> {
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError> {
        self.lu.clear();
        for ((row, column, block), position) in self.matrix.blocks().zip(&self.positions) {
            let mut entries = scaled[row].left * block * scaled[column].right;
            if row == column {
                entries += scaled[row].block;
            }
            add(&mut self.lu, *position, &entries);
        }
        self.lu.factorize()
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }
}

/// The system of bodies: with `v = M⁻¹ Hᵀ R x` the velocities that the impulses give the bodies,
///
/// ```text
///   (1 + M⁻¹ Hᵀ R B⁻¹ L H) v = M⁻¹ Hᵀ R B⁻¹ b        x = B⁻¹ (b − L H v)
/// ```
///
/// as many unknowns as the bodies have degrees of freedom, however many contacts there are.
#[derive(Debug)]
pub(crate) struct ScaledBodies<'a, const D: usize, const B: usize> {
    delassus: &'a BodyDelassus<D, B>,
    lu: BlockLu,
    /// Of each body, then of each pair of arms of each contact.
    positions: Vec<BlockPosition>,
    blocks: Vec<Divided<D>>,
    velocities: Vec<f64>,
}

impl<'a, const D: usize, const B: usize> ScaledBodies<'a, D, B> {
    pub(crate) fn new(delassus: &'a BodyDelassus<D, B>) -> Self {
        let bodies = delassus.bodies();
        let pairs = || (0..delassus.contacts()).flat_map(move |i| delassus.body_pairs(i));
        let pattern = BlockPattern::new(&vec![B; bodies], pairs());
        let all = (0..bodies).map(|body| (body, body)).chain(pairs());
        let positions = all.filter_map(|(a, b)| pattern.position(a, b)).collect();
        let velocities = vec![0.0; bodies * B];
        Self { delassus, lu: BlockLu::new(pattern), positions, blocks: Vec::new(), velocities }
    }
}

impl<const D: usize, const B: usize> ScaledSystem<D> for ScaledBodies<'_, D, B> {
    fn factorize(&mut self, scaled: &[Scaled<D>]) -> Result<(), FactorizationError> {
        self.blocks.clear();
        for (contact, scaled) in scaled.iter().enumerate() {
            self.blocks.push(Divided::new(contact, scaled)?);
        }
        self.lu.clear();
        let mut positions = self.positions.iter().copied();
        for position in positions.by_ref().take(self.delassus.bodies()) {
            add(&mut self.lu, position, &SMatrix::<f64, B, B>::identity());
        }
        for (contact, blocks) in self.blocks.iter().enumerate() {
            let between = blocks.right * blocks.left;
            for (_, answer) in self.delassus.of_contact(contact) {
                let pushed = answer * between;
                for ((arm, _), position) in self.delassus.of_contact(contact).zip(positions.by_ref()) {
                    add(&mut self.lu, position, &(pushed * arm.rows));
                }
            }
        }
        self.lu.factorize()
    }

    fn solve(&mut self, x: &mut [f64]) {
        let v = &mut self.velocities;
        v.fill(0.0);
        for (contact, blocks) in self.blocks.iter().enumerate() {
            let pushed = blocks.right * (blocks.inverse * of_contact::<D>(x, contact));
            self.delassus.follow(contact, &pushed, v);
        }
        self.lu.solve(v);
        for (contact, blocks) in self.blocks.iter().enumerate() {
            let own: SVector<f64, D> = blocks.inverse * of_contact::<D>(x, contact);
            set_contact(x, contact, &(own - blocks.left * self.delassus.row(contact, x, v)));
        }
    }
}

fn add<const N: usize>(lu: &mut BlockLu, position: BlockPosition, block: &SMatrix<f64, N, N>) {
    for column in 0..N {
        for row in 0..N {
            lu.add(position, (row, column), block[(row, column)]);
        }
    }
}
