//! A steady turn about an axis.

use cosimo_dynamics::{CoordinateBlock, Coordinates, PlacedBlock};
use nalgebra::{Matrix3, Matrix6, Quaternion, UnitQuaternion, Vector3};

/// How a system turns as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// A point of the axis in world axes (m).
    pub point: Vector3<f64>,
    /// `Ω` in world axes (rad/s).
    pub spin: Vector3<f64>,
}

impl Turning {
    /// At rest.
    pub const REST: Self = Self { point: Vector3::new(0.0, 0.0, 0.0), spin: Vector3::new(0.0, 0.0, 0.0) };

    /// About an axis through the world's origin, with this angular velocity (rad/s).
    #[must_use]
    pub fn about_origin(spin: [f64; 3]) -> Self {
        Self { point: Vector3::zeros(), spin: spin.into() }
    }

    /// Position of a body against the axis, and its angular velocity in body axes.
    fn of_body(&self, q: &[f64], block: &PlacedBlock) -> (Vector3<f64>, Vector3<f64>) {
        let x = &q[block.position..block.position + 7];
        let turn = UnitQuaternion::new_unchecked(Quaternion::new(x[3], x[4], x[5], x[6]));
        (Vector3::new(x[0], x[1], x[2]) - self.point, turn.inverse() * self.spin)
    }

    /// Writes velocities of bodies at positions `q`; other velocities stay.
    pub fn write_velocities(&self, coordinates: &Coordinates, q: &[f64], v: &mut [f64]) {
        for block in rigid(coordinates) {
            let (displacement, spin) = self.of_body(q, block);
            let at = block.velocity;
            v[at..at + 3].copy_from_slice(self.spin.cross(&displacement).as_slice());
            v[at + 3..at + 6].copy_from_slice(spin.as_slice());
        }
    }

    /// Writes accelerations of bodies at positions `q`; others are zero.
    pub(super) fn write_accelerations(&self, coordinates: &Coordinates, q: &[f64], a: &mut [f64]) {
        a.fill(0.0);
        for block in rigid(coordinates) {
            let velocity = self.spin.cross(&self.of_body(q, block).0);
            a[block.velocity..block.velocity + 3].copy_from_slice(self.spin.cross(&velocity).as_slice());
        }
    }

    /// The blocks of `S`, `G` and `Z` of the module's equations; `None` for what is no rigid body.
    pub(super) fn derivatives(&self, block: &PlacedBlock, q: &[f64]) -> Option<[Matrix6<f64>; 3]> {
        if block.kind != CoordinateBlock::Rigid {
            return None;
        }
        let (across, own) = (self.spin.cross_matrix(), self.of_body(q, block).1.cross_matrix());
        let diagonal = |translation: Matrix3<f64>, turn: Matrix3<f64>| {
            let mut out = Matrix6::zeros();
            out.fixed_view_mut::<3, 3>(0, 0).copy_from(&translation);
            out.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
            out
        };
        Some([
            diagonal(across, own),
            diagonal(across * 2.0, own),
            diagonal(across * across, Matrix3::zeros()),
        ])
    }
}

/// The bodies among coordinates.
fn rigid(coordinates: &Coordinates) -> impl Iterator<Item = &PlacedBlock> {
    coordinates.blocks().iter().filter(|block| block.kind == CoordinateBlock::Rigid)
}
