//! Bushings: six displacements times matrices.

use cosimo_dynamics::rotation::{inverse_gradient, inverse_left_jacobian};
use nalgebra::{Matrix3, Matrix6, Rotation3, UnitQuaternion, Vector3, Vector6};

use super::super::element::{Memory, Overturned, PairLaw};
use super::super::geometry::Geometry;
use super::super::joint::Marker;
use super::super::pose::{Gradient, Hessian, Pair};
use super::super::turns::{HALF_TURN, WHOLE_TURN};

/// Displacements of the second frame in the axes `A₁` of the first: `sₖ = aₖ · r` and the rotation vector
///
/// ```text
///   ψ = log(A₁ᵀ R₁ᵀ R₂ A₂)        ψ̇ = T⁻¹(ψ) A₁ᵀ (R ω₂ − ω₁)        R = R₁ᵀ R₂
/// ```
///
/// with angular velocities in body axes and the left Jacobian `T` of the rotation group. The potential is `½ sᵀ K s`,
/// `s = (u, ψ)`, to which the symmetric part of `K` gives alone. Of all rotation vectors that a position may have, the one nearest to that at the state accepted last is taken:
/// `ψ` goes on beyond half a turn, up to a whole one, where `T` is singular.
#[derive(Debug)]
pub(crate) struct BushingForce {
    ways: [Geometry; 3],
    /// `A₁`, `A₂`: axes of the frames in those of their bodies.
    axes: [Matrix3<f64>; 2],
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
    /// `ψ` of the state accepted last.
    last: Vector3<f64>,
}

/// The turn of a bushing at one pose of the bodies.
struct Turn {
    psi: Vector3<f64>,
    /// `A₁`.
    axes: Matrix3<f64>,
    /// `R`.
    relative: Matrix3<f64>,
    /// `T⁻¹(ψ) A₁ᵀ`: changes of `ψ` by turns `R θ₂ − θ₁`.
    inverse: Matrix3<f64>,
}

impl Turn {
    fn gradients(&self) -> [Gradient; 3] {
        let of_second = self.inverse * self.relative;
        let (zero, row) = (Vector3::zeros(), |of: &Matrix3<f64>, k: usize| of.row(k).transpose());
        std::array::from_fn(|k| Gradient([zero, -row(&self.inverse, k), zero, row(&of_second, k)]))
    }

    /// Adds the second derivative of `m · ψ`: that of `w = A₁ T⁻ᵀ(ψ) m`, felt as `−w` and `Rᵀ w`.
    fn add_hessian(&self, moment: &Vector3<f64>, out: &mut Hessian) {
        let (felt, relative, h) = (self.inverse.tr_mul(moment), &self.relative, &mut out.0);
        let by_turn = -self.axes * inverse_gradient(&-self.psi, moment) * self.inverse;
        let across = by_turn * relative;
        h[1][1] += by_turn;
        h[1][3] -= across;
        h[3][1] -= relative.tr_mul(&(by_turn + felt.cross_matrix()));
        h[3][3] += relative.tr_mul(&across) + relative.tr_mul(&felt).cross_matrix();
    }

    /// How the rates of `ψ` change with the increments of both bodies.
    fn rate_gradients(&self, pair: &Pair) -> [Gradient; 3] {
        let [first, second] = [&pair.twists[0].spin, &pair.twists[1].spin];
        let turned = self.relative * second;
        let by_turn = inverse_gradient(&self.psi, &self.axes.tr_mul(&(turned - first))) * self.inverse;
        let of_first = self.inverse * turned.cross_matrix() - by_turn;
        let of_second = (by_turn - self.inverse * turned.cross_matrix()) * self.relative;
        let (zero, row) = (Vector3::zeros(), |of: &Matrix3<f64>, k: usize| of.row(k).transpose());
        std::array::from_fn(|k| Gradient([zero, row(&of_first, k), zero, row(&of_second, k)]))
    }
}

impl BushingForce {
    pub(crate) fn new(
        first: &Marker,
        second: &Marker,
        stiffness: Matrix6<f64>,
        damping: Matrix6<f64>,
    ) -> Self {
        let arms = [first.arm, second.arm];
        let ways = first.axes.map(|a| Geometry::Dot2 { a, arms });
        let axes = [first, second].map(|marker| Matrix3::from_columns(&marker.axes));
        Self { ways, axes, stiffness, damping, last: Vector3::zeros() }
    }

    /// `ψ` below half a turn, and `R`.
    fn shortest(&self, pair: &Pair) -> (Vector3<f64>, Matrix3<f64>) {
        let relative = pair.poses[0].rotation.tr_mul(&pair.poses[1].rotation);
        let of_frames = Rotation3::from_matrix_unchecked(self.axes[0].tr_mul(&relative) * self.axes[1]);
        (UnitQuaternion::from_rotation_matrix(&of_frames).scaled_axis(), relative)
    }

    fn turn(&self, pair: &Pair) -> Turn {
        let (shortest, relative) = self.shortest(pair);
        let psi = nearest(shortest, &self.last);
        let inverse = inverse_left_jacobian(&psi) * self.axes[0].transpose();
        Turn { psi, axes: self.axes[0], relative, inverse }
    }

    fn displacements(&self, pair: &Pair, turn: &Turn) -> Vector6<f64> {
        Vector6::from_fn(|k, _| self.ways.get(k).map_or_else(|| turn.psi[k - 3], |way| way.value(pair)))
    }

    fn gradients(&self, pair: &Pair, turn: &Turn) -> [Gradient; 6] {
        let of_turn = turn.gradients();
        std::array::from_fn(|k| self.ways.get(k).map_or_else(|| of_turn[k - 3], |way| way.gradient(pair)))
    }

    /// Power (W) that damping takes out, and that is put in from outside: by damping that does the opposite, and by the part of the
    /// stiffness that is not symmetric.
    fn powers(&self, pair: &Pair) -> [f64; 2] {
        let turn = self.turn(pair);
        let rates = rates(pair, &self.gradients(pair, &turn));
        let circulatory = (self.stiffness - self.stiffness.transpose()) * 0.5;
        let circulating = -rates.dot(&(circulatory * self.displacements(pair, &turn)));
        let damped = rates.dot(&(self.damping * rates));
        [damped.max(0.0), circulating + (-damped).max(0.0)]
    }

    fn forces(&self, pair: &Pair, turn: &Turn, gradients: &[Gradient; 6]) -> Vector6<f64> {
        self.stiffness * self.displacements(pair, turn) + self.damping * rates(pair, gradients)
    }
}

/// The rotation vector of the same rotation as `psi` that is nearest to `last`.
fn nearest(psi: Vector3<f64>, last: &Vector3<f64>) -> Vector3<f64> {
    let angle = psi.norm();
    if angle == 0.0 {
        return psi;
    }
    let axis = psi / angle;
    psi + axis * (WHOLE_TURN * ((last.dot(&axis) - angle) / WHOLE_TURN).round())
}

fn rates(pair: &Pair, gradients: &[Gradient; 6]) -> Vector6<f64> {
    Vector6::from_fn(|k, _| gradients[k].rate(&pair.twists))
}

impl PairLaw for BushingForce {
    fn add(&self, _t: f64, pair: &Pair, out: &mut Gradient) {
        let turn = self.turn(pair);
        let gradients = self.gradients(pair, &turn);
        let forces = self.forces(pair, &turn, &gradients);
        gradients.iter().zip(forces.iter()).for_each(|(gradient, force)| out.add(*force, gradient));
    }

    fn add_tangents(&self, _t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian) {
        let turn = self.turn(pair);
        let gradients = self.gradients(pair, &turn);
        let forces = self.forces(pair, &turn, &gradients);
        let mut of_rates = [Gradient::default(); 6];
        for (k, way) in self.ways.iter().enumerate() {
            let mut own = Hessian::default();
            way.add_hessian(1.0, pair, &mut own);
            of_rates[k] = own.rate_gradient(&pair.twists);
            way.add_hessian(forces[k], pair, stiffness);
        }
        of_rates[3..].copy_from_slice(&turn.rate_gradients(pair));
        turn.add_hessian(&forces.fixed_rows::<3>(3).into_owned(), stiffness);
        for (l, gradient) in gradients.iter().enumerate() {
            let (mut by_position, mut by_velocity) = (Gradient::default(), Gradient::default());
            for k in 0..6 {
                by_position.add(self.stiffness[(l, k)], &gradients[k]);
                by_position.add(self.damping[(l, k)], &of_rates[k]);
                by_velocity.add(self.damping[(l, k)], &gradients[k]);
            }
            stiffness.add_product(1.0, gradient, &by_position);
            damping.add_product(1.0, gradient, &by_velocity);
        }
    }

    fn potential(&self, pair: &Pair) -> f64 {
        let s = self.displacements(pair, &self.turn(pair));
        0.5 * s.dot(&(self.stiffness * s))
    }

    fn dissipated_power(&self, _t: f64, pair: &Pair) -> f64 {
        self.powers(pair)[0]
    }

    fn external_power(&self, _t: f64, pair: &Pair) -> f64 {
        self.powers(pair)[1]
    }

    fn angle_wrap(&self, step: &Pair) -> Option<Overturned> {
        let mut psi = self.last;
        for pair in step.displacement() {
            psi = nearest(self.shortest(&pair).0, &psi);
            if !(psi.norm() < WHOLE_TURN) {
                return Some(Overturned::Whole(psi.norm()));
            }
        }
        let change = (psi - self.last).norm();
        (!(change < HALF_TURN)).then_some(Overturned::Uncounted(change))
    }

    fn accept(&mut self, pair: &Pair) {
        self.last = nearest(self.shortest(pair).0, &self.last);
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend(self.last.iter());
    }

    fn restore(&mut self, saved: &mut Memory<'_>) -> Option<()> {
        for own in self.last.iter_mut() {
            *own = *saved.next()?;
        }
        Some(())
    }
}
