//! Bodies with arms as a Delassus operator.

use nalgebra::{SMatrix, SVector};

use super::block_matrix::BlockMatrix;
use super::bodies::BodyDelassus;
use super::operator::Delassus;
use super::scaled::ScaledSystem;
use super::scaled_bodies::ScaledBodies;
use crate::friction::by_contact::{of_contact, set_contact};

impl<const D: usize, const B: usize> Delassus<D> for BodyDelassus<D, B> {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn block(&self, contact: usize) -> SMatrix<f64, D, D> {
        self.diagonal[contact]
    }

    fn trail(&self) -> usize {
        self.bodies() * B
    }

    fn start(&self, r: &[f64], trail: &mut [f64]) {
        trail.fill(0.0);
        for contact in 0..self.contacts() {
            self.follow(contact, &of_contact(r, contact), trail);
        }
    }

    #[inline]
    fn row(&self, contact: usize, _r: &[f64], trail: &[f64]) -> SVector<f64, D> {
        self.of_contact(contact)
            .fold(SVector::zeros(), |sum, (arm, _)| sum + arm.rows * of_contact::<B>(trail, arm.body))
    }

    #[inline]
    fn follow(&self, contact: usize, change: &SVector<f64, D>, trail: &mut [f64]) {
        for (arm, answer) in self.of_contact(contact) {
            let velocity = of_contact::<B>(trail, arm.body) + answer * change;
            set_contact(trail, arm.body, &velocity);
        }
    }

    /// Through the bodies: the trail holds the sums of what each of them is given.
    fn largest_terms(&self, r: &[f64], trail: &mut [f64]) -> f64 {
        trail.fill(0.0);
        for contact in 0..self.contacts() {
            let impulse = of_contact::<D>(r, contact).abs();
            for (arm, answer) in self.of_contact(contact) {
                let sum = of_contact::<B>(trail, arm.body) + answer.abs() * impulse;
                set_contact(trail, arm.body, &sum);
            }
        }
        let terms = |contact: usize| {
            let arms = self.of_contact(contact);
            let of_arm = arms.map(|(arm, _)| arm.rows.abs() * of_contact::<B>(trail, arm.body));
            of_arm.sum::<SVector<f64, D>>().max()
        };
        (0..self.contacts()).map(terms).fold(0.0, f64::max)
    }

    fn between(&self, contact: usize, other: usize) -> SMatrix<f64, D, D> {
        let mut block = SMatrix::zeros();
        for (arm, _) in self.of_contact(contact) {
            let shared = self.of_contact(other).filter(|(theirs, _)| theirs.body == arm.body);
            block = shared.fold(block, |sum, (_, answer)| sum + arm.rows * answer);
        }
        block
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend(self.of_contact(contact).flat_map(|(arm, _)| &self.at_body[arm.body]));
    }

    fn to_blocks(&self) -> BlockMatrix<D> {
        let mut of_body = vec![Vec::new(); self.bodies()];
        for contact in 0..self.contacts() {
            for (arm, answer) in self.of_contact(contact) {
                of_body[arm.body].push((contact, arm.rows, answer));
            }
        }
        let pairs =
            of_body.iter().flat_map(|all| all.iter().flat_map(move |a| all.iter().map(move |b| (a, b))));
        let entries = pairs.flat_map(|((i, rows, _), (j, _, answer))| {
            let block = rows * *answer;
            (0..D * D).map(move |k| (i * D + k % D, j * D + k / D, block[(k % D, k / D)]))
        });
        BlockMatrix::gather(self.contacts(), entries.collect())
    }

    fn scaled(&self) -> Box<dyn ScaledSystem<D> + '_> {
        Box::new(ScaledBodies::new(self))
    }
}
