//! Whether surfaces that are apart at both ends of a step meet on the way.

use super::placed::{PlacedContact, Rows};
use super::touch::Surfaces;
use crate::spatial::pose::Pair;

/// Advances allowed: of a pass that just misses each is short.
const MOST_ADVANCES: usize = 200;
/// Share of the bound on the way at which surfaces count as met.
const MET: f64 = 1e-7;

impl PlacedContact {
    /// The share of a step of increments `displacement` from `q` after which the surfaces first meet, where they are apart at the start and by
    /// `end_gap` (m) at the end; `None` where they do not, which is certain. With a bound `ℓ` on how far the gap `y` falls
    /// over the whole way,
    ///
    /// ```text
    ///   y₀ + y₁ > ℓ   proves that they do not,       else  s ← s + y(s)/ℓ
    /// ```
    ///
    /// never passes the first contact (conservative advancement: B. Mirtich, thesis, Berkeley 1996, chapter 2). Gaps that are numbers
    /// have no surfaces.
    #[must_use]
    pub fn first_touch(&self, q: &[f64], displacement: &[f64], end_gap: f64) -> Option<f64> {
        let Rows::Surfaces(surfaces) = self.rows() else { return None };
        let pair = Pair::read(q, displacement, self.bodies());
        let bound = longest_approach(surfaces, &pair);
        if end_gap > bound {
            return None;
        }
        let start_gap = surfaces.gap(&pair);
        // What nearly touches at an end is left to the step that begins there, and what is in at the end to those who know its rates, unless
        // the gap is no parabola by far.
        let is_passed = end_gap > 2.0 * MET * bound || (end_gap < 0.0 && is_curved(surfaces, bound));
        if start_gap + end_gap > bound || !(start_gap > 2.0 * MET * bound) || !is_passed {
            return None;
        }
        let (mut share, mut gap) = (0.0, start_gap);
        for _ in 0..MOST_ADVANCES {
            share += gap / bound;
            if !(share < 1.0) {
                return None;
            }
            gap = surfaces.gap(&pair.moved(share));
            if gap <= MET * bound {
                return Some(share);
            }
        }
        None
    }
}

/// Whether a way so long (m) is more than a tenth of the distance of the centres of touching spheres.
fn is_curved(surfaces: &Surfaces, displacement: f64) -> bool {
    match surfaces {
        Surfaces::Spheres(spheres) => displacement > 0.1 * spheres.reach(),
        Surfaces::SpherePlane(_) => false,
    }
}

/// A bound on how far the gap falls (m): the way of one body along the other, and what turning moves their points and the plane by.
fn longest_approach(surfaces: &Surfaces, pair: &Pair) -> f64 {
    let [first, second] = &pair.twists;
    let arms = surfaces.arms();
    let turned = first.spin.norm() * arms[0].norm() + second.spin.norm() * arms[1].norm();
    let displacement = (second.velocity - first.velocity).norm() + turned;
    match surfaces {
        Surfaces::Spheres(_) => displacement,
        Surfaces::SpherePlane(_) => {
            let apart = (pair.poses[1].point(&arms[1]) - pair.poses[0].point(&arms[0])).norm();
            displacement + first.spin.norm() * (apart + displacement)
        }
    }
}
