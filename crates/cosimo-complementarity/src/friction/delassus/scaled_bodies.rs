//! The system of bodies.

use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};
use nalgebra::{SMatrix, SVector};

use super::add_block::add_block;
use super::bodies::BodyDelassus;
use super::operator::Delassus;
use super::scaled::{Divided, Scaled, ScaledSystem};
use crate::friction::by_contact::{of_contact, set_contact};

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
            add_block(&mut self.lu, position, &SMatrix::<f64, B, B>::identity());
        }
        for (contact, blocks) in self.blocks.iter().enumerate() {
            let between = blocks.right * blocks.left;
            for (_, answer) in self.delassus.of_contact(contact) {
                let pushed = answer * between;
                for ((arm, _), position) in self.delassus.of_contact(contact).zip(positions.by_ref()) {
                    add_block(&mut self.lu, position, &(pushed * arm.rows));
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
