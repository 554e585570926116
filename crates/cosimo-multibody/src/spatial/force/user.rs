//! Forces that a user defines on a body.

use std::sync::Arc;

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::super::element::PairLaw;
use super::super::pose::{Gradient, Hessian, Pair, Pose, Twist};

/// Force and moment as a function of time, pose and velocities.
type Load = dyn Fn(f64, &Pose, &Twist) -> [Vector3<f64>; 2] + Send + Sync;

/// Force (N) and moment (N m) in world axes at a body point, as a function of the time (s), the pose and the velocities of
/// the body; derivatives are taken by central differences.
#[derive(Clone)]
pub struct BodyFunction(pub Arc<Load>);

impl std::fmt::Debug for BodyFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BodyFunction")
    }
}

/// Differences of positions (m and rad) and velocities (m/s and rad/s).
const WIDTH: f64 = 1e-6;

#[derive(Debug)]
pub(crate) struct UserForce {
    pub(crate) arm: Vector3<f64>,
    pub(crate) function: BodyFunction,
}

impl UserForce {
    fn load(&self, t: f64, pair: &Pair) -> Gradient {
        let [force, moment] = (self.function.0)(t, &pair.poses[1], &pair.twists[1]);
        let mut out = Gradient::default();
        add_load(pair, &self.arm, [&force, &moment], &mut out);
        out
    }

    /// Derivative by one increment or velocity of the second body.
    fn difference(&self, t: f64, pair: &Pair, change: impl Fn(&mut Pair, f64)) -> Gradient {
        let at = |width: f64| {
            let mut moved = *pair;
            change(&mut moved, width);
            self.load(t, &moved)
        };
        let mut out = Gradient::default();
        out.add(0.5 / WIDTH, &at(WIDTH));
        out.add(-0.5 / WIDTH, &at(-WIDTH));
        out
    }
}

impl PairLaw for UserForce {
    fn add(&self, t: f64, pair: &Pair, out: &mut Gradient) {
        out.add(1.0, &self.load(t, pair));
    }

    fn add_tangents(&self, t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian) {
        for k in 0..3 {
            let axis = |width: f64| Vector3::ith(k, width);
            let turn = |width: f64| -> Matrix3<f64> { Rotation3::new(axis(width)).into_inner() };
            let columns = [
                self.difference(t, pair, |pair, w| pair.poses[1].position += axis(w)),
                self.difference(t, pair, |pair, w| pair.poses[1].rotation *= turn(w)),
                self.difference(t, pair, |pair, w| pair.twists[1].velocity += axis(w)),
                self.difference(t, pair, |pair, w| pair.twists[1].spin += axis(w)),
            ];
            for part in [2, 3] {
                for (block, column) in [(2, 0), (3, 1)] {
                    let mut own = stiffness.0[part][block].column_mut(k);
                    own += columns[column].0[part];
                    let mut own = damping.0[part][block].column_mut(k);
                    own += columns[column + 2].0[part];
                }
            }
        }
    }

    /// The user knows the function.
    fn is_shown(&self) -> bool {
        false
    }

    fn external_power(&self, t: f64, pair: &Pair) -> f64 {
        -self.load(t, pair).rate(&pair.twists)
    }
}

/// A force on the second body at a point, as the negative of what the balance takes.
fn add_load(pair: &Pair, arm: &Vector3<f64>, load: [&Vector3<f64>; 2], out: &mut Gradient) {
    let rotation = &pair.poses[1].rotation;
    out.0[2] -= load[0];
    out.0[3] -= arm.cross(&rotation.tr_mul(load[0])) + rotation.tr_mul(load[1]);
}
