//! Loads over time on a body.

use cosimo_mechanics::TimeFunction;
use nalgebra::{Matrix3, Vector3};

use super::super::element::PairLaw;
use super::super::pose::{Gradient, Hessian, Pair};

/// A force or a moment on the second body, of a given size over time.
#[derive(Debug, Clone)]
pub struct BodyLoad {
    /// Its direction, of length one: in world axes, or in those of the body.
    pub direction: Vector3<f64>,
    /// Whether the direction turns with the body.
    pub follows: bool,
    /// Whether it is a moment (N m) or a force (N) at the second frame's origin.
    pub is_moment: bool,
    /// Its size (N, N m).
    pub size: TimeFunction,
}

/// With `b` the load in body axes, `r` the arm and `θ` increments of the turn in body axes, the balance takes `−f` and `−r × b`, or `−b` of a
/// moment. A load that keeps its direction in space has `∂b/∂θ = [b]×`, one that turns with the body `∂f/∂θ = −R [b]×`.
#[derive(Debug)]
pub(crate) struct LoadForce {
    pub(crate) arm: Vector3<f64>,
    pub(crate) load: BodyLoad,
}

impl LoadForce {
    /// The load in body axes.
    fn in_body(&self, t: f64, pair: &Pair) -> Vector3<f64> {
        let load = self.load.direction * self.load.size.at(t)[0];
        if self.load.follows { load } else { pair.poses[1].rotation.tr_mul(&load) }
    }
}

impl PairLaw for LoadForce {
    fn add(&self, t: f64, pair: &Pair, out: &mut Gradient) {
        let load = self.in_body(t, pair);
        if self.load.is_moment {
            out.0[3] -= load;
        } else {
            out.0[2] -= pair.poses[1].rotation * load;
            out.0[3] -= self.arm.cross(&load);
        }
    }

    fn add_tangents(&self, t: f64, pair: &Pair, stiffness: &mut Hessian, _damping: &mut Hessian) {
        let load: Matrix3<f64> = self.in_body(t, pair).cross_matrix();
        match (self.load.follows, self.load.is_moment) {
            (true, true) => {}
            (true, false) => stiffness.0[2][3] += pair.poses[1].rotation * load,
            (false, true) => stiffness.0[3][3] -= load,
            (false, false) => stiffness.0[3][3] -= self.arm.cross_matrix() * load,
        }
    }

    /// It is given.
    fn is_shown(&self) -> bool {
        false
    }

    fn external_power(&self, t: f64, pair: &Pair) -> f64 {
        let mut load = Gradient::default();
        self.add(t, pair, &mut load);
        -load.rate(&pair.twists)
    }
}
