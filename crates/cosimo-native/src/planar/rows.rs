//! The rows of a planar system.

use std::ops::Range;

use cosimo_dynamics::{Configuration, State, StateChange};
use cosimo_multibody::planar::{PlanarSystem, PointRow};
use cosimo_smooth::dae::DaeState;
use cosimo_subsystem::ContactScale;
use cosimo_subsystem::scene::Pose;
use nalgebra::{DMatrix, Matrix3, UnitQuaternion, Vector3};

use crate::constrained::{ConstrainedRows, Directions, Increment};

/// The rows of ports and contacts.
#[derive(Debug)]
pub struct PlanarRows {
    pub(super) all: Vec<PointRow>,
    pub(super) contacts: Range<usize>,
    pub(super) slips: Range<usize>,
    /// Whether something that stands still is seen.
    pub(super) has_ground: bool,
}

impl PlanarRows {
    /// `Z` where it is the same everywhere, `r × n`.
    pub(super) fn constant_jacobian(&self, q: &[f64]) -> Option<DMatrix<f64>> {
        let mut columns = DMatrix::zeros(q.len(), self.all.len());
        self.add_unit_forces(|_| q, &(0..self.all.len()).collect::<Vec<_>>(), &mut columns);
        self.all.iter().all(PointRow::is_constant).then(|| columns.transpose())
    }

    /// Adds the columns of `Zᵀ` of these rows, each at the positions it has.
    fn add_unit_forces<'a>(&self, at: impl Fn(usize) -> &'a [f64], wanted: &[usize], out: &mut DMatrix<f64>) {
        for (mut column, row) in out.column_iter_mut().zip(wanted) {
            self.all[*row].add_force(at(*row), 1.0, column.as_mut_slice());
        }
    }

    /// The positions that give the direction of a row.
    fn direction<'a>(&self, along: Directions<'a>, row: usize) -> &'a [f64] {
        if row < self.contacts.start { along.ports } else { along.contacts }
    }
}

impl ConstrainedRows for PlanarRows {
    type System = PlanarSystem;

    fn len(&self) -> usize {
        self.all.len()
    }

    fn contacts(&self) -> Range<usize> {
        self.contacts.clone()
    }

    fn slips(&self) -> Range<usize> {
        self.slips.clone()
    }

    fn add_forces(&self, along: Directions<'_>, factor: f64, loads: &[f64], out: &mut [f64]) {
        for (k, load) in loads.iter().enumerate().filter(|(_, load)| **load != 0.0) {
            self.all[k].add_force(self.direction(along, k), factor * load, out);
        }
    }

    fn unit_forces(&self, along: Directions<'_>, wanted: &[usize], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        self.add_unit_forces(|row| self.direction(along, row), wanted, out);
    }

    fn stiffness(&self, q: &[f64], loads: &[f64], give: &mut dyn FnMut(usize, usize, &[f64])) {
        let ports = &self.all[..self.contacts.start];
        for (row, load) in ports.iter().zip(loads).filter(|(_, load)| **load != 0.0) {
            row.give_stiffness(q, *load, |body, block| give(body, body, block));
        }
    }

    fn positions(&self, _system: &PlanarSystem, q: &[f64], _increment: Increment<'_>, out: &mut [f64]) {
        let placed = self.slips.start.min(self.all.len());
        out.iter_mut().zip(&self.all[..placed]).for_each(|(z, row)| *z = row.position(q));
    }

    fn add_ways(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        self.slips.clone().for_each(|slip| out[slip] += self.all[slip].velocity(q, x));
    }

    fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(&self.all).for_each(|(rate, row)| *rate = row.velocity(q, v));
    }

    fn scales(&self, q: &[f64], v: &[f64], out: &mut [ContactScale]) {
        for (out, row) in out.iter_mut().zip(&self.all[self.contacts.start..]) {
            let [length, speed] = row.scale(q, v);
            *out = ContactScale { length, speed };
        }
    }

    fn velocity_changes(&self, state: State<'_>, change: StateChange<'_>, out: &mut [f64]) {
        out.iter_mut().zip(&self.all).for_each(|(out, row)| *out = row.velocity_change(state, change));
    }

    fn add_poses(&self, _system: &PlanarSystem, q: &[f64], out: &mut Vec<Pose>) {
        let pose = |body: &[f64]| Pose {
            position: Vector3::new(body[0], body[1], 0.0),
            orientation: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), body[2]),
        };
        out.extend(q.chunks_exact(3).map(pose));
        if self.has_ground {
            out.push(Pose::default());
        }
    }

    fn place(&self, contact: usize, q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        let gap = self.all.get(self.contacts.start + contact)?;
        let (point, axes) =
            (gap.point(q).push(0.0), [*gap.axis(), *gap.slip().axis()].map(|axis| axis.push(0.0)));
        Some((point, Matrix3::from_columns(&[axes[0], axes[1], Vector3::z()])))
    }

    /// Position and velocity of every body, then the violations of the pins.
    fn observe(&self, system: &PlanarSystem, state: &DaeState, _stage: Configuration<'_>, out: &mut [f64]) {
        let (bodies, pins) = out.split_at_mut(2 * state.q.len().min(out.len() / 2));
        for ((out, q), v) in
            bodies.chunks_exact_mut(6).zip(state.q.chunks_exact(3)).zip(state.v.chunks_exact(3))
        {
            out[..3].copy_from_slice(q);
            out[3..].copy_from_slice(v);
        }
        system.write_residuals(&state.q, pins);
    }
}
