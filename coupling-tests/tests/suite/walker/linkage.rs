//! Jansen's linkage in closed form: every joint is the intersection of two circles.

use std::array;

use coupling_tests::Run;
use nalgebra::{Quaternion, UnitQuaternion, Vector2, Vector3};

#[expect(clippy::approx_constant, reason = "the speed of the paper, no half turn")]
const SPEED: f64 = 3.14;
/// The shaft above the floor at the start (m).
const SHAFT: f64 = 0.95;
/// Of Jansen's numbers (m).
const UNIT: f64 = 0.01;

/// Radius and phase of the crank, and the plane of the legs `2 k` and `2 k + 1` (m).
const CRANK: f64 = 15.0;
const PHASES: [f64; 4] = [0.0, 180.0, 90.0, 270.0];
const PLANES: [f64; 4] = [0.4, 0.5, -0.4, -0.5];

/// The triangle at a foot: its corner at the leg's lower knee, at the link to the upper triangle, and the toe.
struct Foot {
    corners: [Vector2<f64>; 3],
}

impl Foot {
    /// Of a left leg, `x` along and `z` up from the shaft, at this angle of the crank (rad).
    fn at(angle: f64) -> Self {
        let pivot = Vector2::new(-38.0, -7.8);
        let pin = CRANK * Vector2::new(angle.cos(), angle.sin());
        let top = meet((pivot, 41.5), (pin, 50.0));
        let knee = meet((pin, 61.9), (pivot, 39.3));
        let back = meet((pivot, 40.1), (top, 55.8));
        let heel = meet((knee, 36.7), (back, 39.4));
        let toe = meet((knee, 49.0), (heel, 65.7));
        Self { corners: [knee, heel, toe].map(|corner| UNIT * corner) }
    }

    /// The same leg to the right.
    fn mirrored(angle: f64) -> Self {
        let Self { corners } = Self::at(std::f64::consts::PI - angle);
        Self { corners: corners.map(|corner| Vector2::new(-corner.x, corner.y)) }
    }

    fn of(leg: usize, time: f64) -> Self {
        let angle = PHASES[leg / 2].to_radians() + SPEED * time;
        if leg.is_multiple_of(2) { Self::at(angle) } else { Self::mirrored(angle) }
    }

    /// Of the mass: the sides are rods of one weight a length.
    fn centre(&self) -> Vector2<f64> {
        let [knee, heel, toe] = self.corners;
        let sides = [(knee, heel), (heel, toe), (toe, knee)].map(|(a, b)| ((a - b).norm(), 0.5 * (a + b)));
        let length: f64 = sides.iter().map(|(length, _)| length).sum();
        sides.iter().map(|(share, middle)| *share * middle).sum::<Vector2<f64>>() / length
    }

    fn toe(&self) -> Vector2<f64> {
        self.corners[2]
    }
}

/// The intersection of two circles to the left of the way from the first centre to the second.
fn meet((a, from_a): (Vector2<f64>, f64), (b, from_b): (Vector2<f64>, f64)) -> Vector2<f64> {
    let displacement = b - a;
    let along =
        (displacement.norm_squared() + from_a * from_a - from_b * from_b) / (2.0 * displacement.norm());
    let across = (from_a * from_a - along * along).sqrt();
    let direction = displacement.normalize();
    a + along * direction + across * Vector2::new(-direction.y, direction.x)
}

/// Position and orientation of a body at communication point `k`.
fn pose(run: &Run, body: &str, k: usize) -> (Vector3<f64>, UnitQuaternion<f64>) {
    let of = |name| run.value(&format!("w.{body}.{name}"), k);
    let [w, i, j, l] = ["qw", "qx", "qy", "qz"].map(of);
    let [x, y, z] = ["x", "y", "z"].map(of);
    (Vector3::new(x, y, z), UnitQuaternion::new_normalize(Quaternion::new(w, i, j, l)))
}

fn in_plane(leg: usize, point: Vector2<f64>) -> Vector3<f64> {
    Vector3::new(point.x, PLANES[leg / 2], point.y)
}

/// Largest distance of a toe from where the linkage has it (m), seen from the chassis, over all communication points.
fn largest_miss(run: &Run, leg: usize) -> f64 {
    let start = Foot::of(leg, 0.0);
    let arm = in_plane(leg, start.toe()) - in_plane(leg, start.centre());
    let misses = run.times.iter().enumerate().map(|(k, time)| {
        let (chassis, turn) = pose(run, "chassis", k);
        let (foot, own) = pose(run, &format!("tri_foot{leg}"), k);
        let toe = turn.inverse() * (foot + own * arm - chassis);
        (toe - in_plane(leg, Foot::of(leg, *time).toe())).norm()
    });
    misses.fold(0.0, f64::max)
}

/// A turn in the air. The floating chassis is turned by what the legs do, seen from it the crank alone moves them.
#[test]
fn toes_follow_the_linkage_in_closed_form() {
    let overrides =
        ["subsystem.w.joint.drive.speed=3.14", "time.step=5e-3", "time.end=2.01", "record.every=1"];
    let run = Run::example("walker/no-ports.toml", &overrides);
    assert!(run.times.len() > 400);
    let misses: [f64; 8] = array::from_fn(|leg| largest_miss(&run, leg));
    assert!(misses.iter().all(|miss| *miss < 1e-12), "{misses:?}");

    let rise = |leg: usize| {
        let heights = (0..200).map(|k| Foot::of(leg, 0.01 * f64::from(k)).toe().y);
        heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min)
    };
    assert!((0..8).all(|leg| rise(leg) > 0.15 && (pose(&run, "chassis", 0).0.z - SHAFT).abs() < 1e-15));
}
