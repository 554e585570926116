//! Bushings: six displacements times matrices.

use nalgebra::{Matrix6, Vector6};

use super::super::geometry::Geometry;
use super::super::joint::Marker;
use super::super::pose::{Gradient, Hessian, Pair};
use super::ForceElement;

/// Displacements of the second frame in the axes of the first: `sₖ = aₖ · r` and the turns `½ (a_m · b_l − a_l · b_m)`, which
/// are `sin φ` for a turn by `φ` about one axis. The potential is `½ sᵀ K s`.
#[derive(Debug)]
pub(crate) struct BushingForce {
    /// What each displacement is a sum of, with factors.
    parts: [Vec<(f64, Geometry)>; 6],
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
}

impl BushingForce {
    pub(crate) fn new(
        first: &Marker,
        second: &Marker,
        stiffness: Matrix6<f64>,
        damping: Matrix6<f64>,
    ) -> Self {
        let arms = [first.arm, second.arm];
        let (a, b) = (first.axes, second.axes);
        let parts = std::array::from_fn(|k| match k {
            0..=2 => vec![(1.0, Geometry::Dot2 { a: a[k], arms })],
            _ => {
                let (l, m) = ((k - 2) % 3, (k - 1) % 3);
                let half = |factor, of: usize, on: usize| (factor, Geometry::Dot1 { a: a[of], b: b[on] });
                vec![half(0.5, m, l), half(-0.5, l, m)]
            }
        });
        Self { parts, stiffness, damping }
    }

    fn displacements(&self, pair: &Pair) -> Vector6<f64> {
        Vector6::from_fn(|k, _| self.parts[k].iter().map(|(factor, part)| factor * part.value(pair)).sum())
    }

    fn gradients(&self, pair: &Pair) -> [Gradient; 6] {
        std::array::from_fn(|k| {
            let mut out = Gradient::default();
            self.parts[k].iter().for_each(|(factor, part)| out.add(*factor, &part.gradient(pair)));
            out
        })
    }

    fn forces(&self, pair: &Pair, gradients: &[Gradient; 6]) -> Vector6<f64> {
        let rates = Vector6::from_fn(|k, _| gradients[k].rate(&pair.twists));
        self.stiffness * self.displacements(pair) + self.damping * rates
    }
}

impl ForceElement for BushingForce {
    fn add(&self, _t: f64, pair: &Pair, out: &mut Gradient) {
        let gradients = self.gradients(pair);
        let forces = self.forces(pair, &gradients);
        gradients.iter().zip(forces.iter()).for_each(|(gradient, force)| out.add(*force, gradient));
    }

    fn add_tangents(&self, _t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian) {
        let gradients = self.gradients(pair);
        let forces = self.forces(pair, &gradients);
        for k in 0..6 {
            let mut own = Hessian::default();
            self.parts[k].iter().for_each(|(factor, part)| part.add_hessian(*factor, pair, &mut own));
            let of_rate = own.rate_gradient(&pair.twists);
            self.parts[k]
                .iter()
                .for_each(|(factor, part)| part.add_hessian(factor * forces[k], pair, stiffness));
            for (l, gradient) in gradients.iter().enumerate() {
                let (k_lk, d_lk) = (self.stiffness[(l, k)], self.damping[(l, k)]);
                if k_lk != 0.0 {
                    stiffness.add_product(k_lk, gradient, &gradients[k]);
                }
                if d_lk != 0.0 {
                    stiffness.add_product(d_lk, gradient, &of_rate);
                    damping.add_product(d_lk, gradient, &gradients[k]);
                }
            }
        }
    }

    fn potential(&self, pair: &Pair) -> f64 {
        let s = self.displacements(pair);
        0.5 * s.dot(&(self.stiffness * s))
    }

    fn powers(&self, _t: f64, pair: &Pair) -> [f64; 2] {
        let gradients = self.gradients(pair);
        let rates = Vector6::from_fn(|k, _| gradients[k].rate(&pair.twists));
        [rates.dot(&(self.damping * rates)), 0.0]
    }
}
