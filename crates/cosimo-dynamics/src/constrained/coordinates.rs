//! Coordinates that may turn: vectors, and rigid-body poses with unit quaternions.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::rotation::{inverse_left_jacobian, mean, mean_gradient};

/// What one block of coordinates is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoordinateBlock {
    /// So many numbers of a vector space, with as many velocities.
    Flat(usize),
    /// A rigid body: position in world axes (3) and unit quaternion `w, x, y, z` (4) that turns body vectors into world
    /// vectors; velocity in world axes (3) and angular velocity in body axes (3).
    Rigid,
}

impl CoordinateBlock {
    /// Numbers of a position.
    #[must_use]
    pub fn positions(self) -> usize {
        match self {
            Self::Flat(n) => n,
            Self::Rigid => 7,
        }
    }

    /// Numbers of a velocity.
    #[must_use]
    pub fn velocities(self) -> usize {
        match self {
            Self::Flat(n) => n,
            Self::Rigid => 6,
        }
    }

    /// Whether part of the block turns.
    #[must_use]
    pub fn turns(self) -> bool {
        self == Self::Rigid
    }
}

/// The positions `q` of a system, of length `positions()`, as points of a product of vector spaces and rotation groups.
///
/// An increment `x`, of length `velocities()`, moves a position to `q ∘ exp(x)`: translations are added, rotation
/// vectors (rad, in body axes) turn the body. With the rate `ẋ` of an increment the velocity is `v = T(x) ẋ`, where `T`
/// is the identity but for rotations, and there `T(x) = 1 − b [x]× + c [x]×²`, the transpose of the
/// [left Jacobian](super::rotation::left_jacobian).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coordinates {
    blocks: Vec<PlacedBlock>,
    positions: usize,
    velocities: usize,
    /// Whether some block turns.
    turns: bool,
}

/// A block and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedBlock {
    /// What it is.
    pub kind: CoordinateBlock,
    /// First entry among the positions.
    pub position: usize,
    /// First entry among the velocities.
    pub velocity: usize,
}

impl PlacedBlock {
    /// Place of the rotation vector among the increments; `None` for blocks that do not turn.
    fn turn(&self) -> Option<std::ops::Range<usize>> {
        self.kind.turns().then_some(self.velocity + 3..self.velocity + 6)
    }
}

impl Coordinates {
    /// Coordinates made of these blocks.
    #[must_use]
    pub fn new(kinds: impl IntoIterator<Item = CoordinateBlock>) -> Self {
        let mut all = Self::default();
        for kind in kinds {
            all.blocks.push(PlacedBlock { kind, position: all.positions, velocity: all.velocities });
            all.positions += kind.positions();
            all.velocities += kind.velocities();
            all.turns |= kind.turns();
        }
        all
    }

    /// The blocks in order.
    #[must_use]
    pub fn blocks(&self) -> &[PlacedBlock] {
        &self.blocks
    }

    /// Numbers of a position `q`.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Numbers of a velocity, and of an increment.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.velocities
    }

    /// Writes `q ∘ exp(x)`.
    pub fn move_by(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        if !self.turns {
            return out.iter_mut().zip(q.iter().zip(x)).for_each(|(out, (q, x))| *out = q + x);
        }
        for block in &self.blocks {
            let (p, v) = (block.position, block.velocity);
            let flat = if let CoordinateBlock::Flat(n) = block.kind { n } else { 3 };
            for k in 0..flat {
                out[p + k] = q[p + k] + x[v + k];
            }
            if let Some(turn) = block.turn() {
                let product =
                    orientation(q, p).into_inner() * exponential(&vector(x, turn.start)).into_inner();
                write_orientation(&UnitQuaternion::new_normalize(product), &mut out[p + 3..p + 7]);
            }
        }
    }

    /// Writes the increment `x` with `to = from ∘ exp(x)`; turns are at most half a turn.
    pub fn difference(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        if !self.turns {
            return out.iter_mut().zip(to.iter().zip(from)).for_each(|(out, (to, from))| *out = to - from);
        }
        for block in &self.blocks {
            let (p, v) = (block.position, block.velocity);
            let flat = if let CoordinateBlock::Flat(n) = block.kind { n } else { 3 };
            for k in 0..flat {
                out[v + k] = to[p + k] - from[p + k];
            }
            if let Some(turn) = block.turn() {
                let relative = orientation(from, p).inverse() * orientation(to, p);
                out[turn].copy_from_slice(relative.scaled_axis().as_slice());
            }
        }
    }

    /// The block that an increment turns most, and by which angle (rad); `None` where nothing turns.
    #[must_use]
    pub fn largest_turn(&self, x: &[f64]) -> Option<(usize, f64)> {
        let turns = self.blocks.iter().enumerate().filter_map(|(k, block)| Some((k, block.turn()?)));
        let angles = turns.map(|(block, turn)| (block, vector(x, turn.start).norm()));
        angles.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Writes the velocity `T(x) ẋ` of a motion whose increment is `x` and changes by `ẋ`.
    pub fn velocity(&self, x: &[f64], rate: &[f64], out: &mut [f64]) {
        out.copy_from_slice(rate);
        for turn in self.turns() {
            let turned = mean(&-vector(x, turn.start), &vector(rate, turn.start));
            out[turn].copy_from_slice(turned.as_slice());
        }
    }

    /// Writes the rate `ẋ = T(x)⁻¹ v` of the increment `x` for the velocity `v`.
    pub fn rate(&self, x: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
        for turn in self.turns() {
            let rate = inverse_left_jacobian(&-vector(x, turn.start)) * vector(v, turn.start);
            out[turn].copy_from_slice(rate.as_slice());
        }
    }

    /// `T(x)⁻¹` of the rotation of one block; `None` for blocks that do not turn.
    #[must_use]
    pub fn inverse_turn(&self, block: usize, x: &[f64]) -> Option<Matrix3<f64>> {
        let turn = self.blocks[block].turn()?;
        Some(inverse_left_jacobian(&-vector(x, turn.start)))
    }

    /// `∂(T(x) w)/∂x` of the rotation of one block at fixed `w`; `None` for blocks that do not turn.
    #[must_use]
    pub fn turn_gradient(&self, block: usize, x: &[f64], w: &[f64]) -> Option<Matrix3<f64>> {
        let turn = self.blocks[block].turn()?;
        Some(-mean_gradient(&-vector(x, turn.start), &vector(w, turn.start)))
    }

    fn turns(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.blocks.iter().filter_map(PlacedBlock::turn)
    }
}

/// Three consecutive numbers as a vector.
fn vector(x: &[f64], first: usize) -> Vector3<f64> {
    Vector3::new(x[first], x[first + 1], x[first + 2])
}

/// The quaternion of a rigid block whose position begins at `first`.
fn orientation(q: &[f64], first: usize) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[first + 3], q[first + 4], q[first + 5], q[first + 6]))
}

fn write_orientation(orientation: &UnitQuaternion<f64>, out: &mut [f64]) {
    out.copy_from_slice(&[orientation.w, orientation.i, orientation.j, orientation.k]);
}

/// The rotation by a rotation vector.
fn exponential(theta: &Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(*theta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Coordinates, Vec<f64>, Vec<f64>) {
        let coordinates =
            Coordinates::new([CoordinateBlock::Flat(2), CoordinateBlock::Rigid, CoordinateBlock::Flat(1)]);
        let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -1.0, 0.7));
        let q = vec![1.0, 2.0, 0.1, 0.2, 0.3, turned.w, turned.i, turned.j, turned.k, 5.0];
        (coordinates, q, vec![0.1, 0.2, -0.3, 0.4, 0.5, 0.6, -0.8, 0.9, 2.0])
    }

    #[test]
    fn difference_undoes_a_move() {
        let (coordinates, q, x) = example();
        let (mut moved, mut back) = (vec![0.0; 10], vec![0.0; 9]);
        coordinates.move_by(&q, &x, &mut moved);
        coordinates.difference(&q, &moved, &mut back);
        assert!(x.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-15), "{back:?}");
        assert!((moved[5..9].iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn velocity_is_the_derivative_of_the_move() {
        let (coordinates, q, x) = example();
        let rate: Vec<f64> = (0..9).map(|i| (f64::from(i)).sin()).collect();
        let (mut v, mut back) = (vec![0.0; 9], vec![0.0; 9]);
        coordinates.velocity(&x, &rate, &mut v);
        coordinates.rate(&x, &v, &mut back);
        assert!(rate.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-14));
        let d = 1e-5;
        let at = |s: f64| {
            let x: Vec<f64> = x.iter().zip(&rate).map(|(x, r)| x + s * r).collect();
            let mut out = vec![0.0; 10];
            coordinates.move_by(&q, &x, &mut out);
            out
        };
        let mut displacement = vec![0.0; 9];
        coordinates.difference(&at(-d), &at(d), &mut displacement);
        assert!(
            displacement.iter().zip(&v).all(|(w, v)| (w / (2.0 * d) - v).abs() < 1e-9),
            "{displacement:?} {v:?}"
        );
    }

    #[test]
    fn gradient_of_the_turn_is_that_of_central_differences() {
        let (coordinates, _, x) = example();
        let w: Vec<f64> = (0..9).map(|i| (f64::from(i)).cos()).collect();
        let stated = coordinates.turn_gradient(1, &x, &w).unwrap();
        for j in 0..3 {
            let at = |d: f64| {
                let (mut x, mut out) = (x.clone(), vec![0.0; 9]);
                x[5 + j] += d;
                coordinates.velocity(&x, &w, &mut out);
                Vector3::from_column_slice(&out[5..8])
            };
            let found = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((found - stated.column(j)).norm() < 1e-9);
        }
        assert!(coordinates.turn_gradient(0, &x, &w).is_none());
    }

    #[test]
    fn largest_turn_is_that_of_rotations_alone() {
        let (coordinates, _, x) = example();
        let (block, angle) = coordinates.largest_turn(&x).unwrap();
        assert!(block == 1 && (angle - (0.6_f64.powi(2) + 0.8 * 0.8 + 0.9 * 0.9).sqrt()).abs() < 1e-15);
        assert_eq!(Coordinates::new([CoordinateBlock::Flat(2)]).largest_turn(&[5.0, 6.0]), None);
    }
}
