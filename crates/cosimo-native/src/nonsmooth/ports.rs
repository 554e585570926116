//! Ports of systems that a nonsmooth integrator steps.

use cosimo_dynamics::{ConstrainedSystem, LinearRow};
use cosimo_impact::{ImpactState, OuterRows};
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_subsystem::{PortSpec, RowState};
use nalgebra::{DMatrix, UnitQuaternion};

use crate::constrained::Increment;
use crate::multibody::PortRows;

/// Where the rows of ports are.
pub(super) trait PortMotions<S>: std::fmt::Debug + Send {
    /// Positions of the rows; those of the turns are the rotation by which a body has come from a start, given by the positions there and
    /// the increment since.
    fn positions(&self, system: &S, q: &[f64], increment: Increment<'_>, out: &mut [f64]);

    /// Velocities of the rows.
    fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]);

    /// Orientations of the frames. Default: there are none.
    fn orientations(&self, _q: &[f64], _out: &mut Vec<UnitQuaternion<f64>>) {}
}

/// The ports of a system.
#[derive(Debug)]
pub(super) struct Ports<S> {
    pub(super) specs: Vec<PortSpec>,
    pub(super) motions: Box<dyn PortMotions<S>>,
    pub(super) rows: Box<dyn OuterRows>,
}

/// Where they are, in reused storage.
#[derive(Debug)]
pub(super) struct PortState<S> {
    motions: Box<dyn PortMotions<S>>,
    displacement: Vec<f64>,
}

impl<S: ConstrainedSystem> PortState<S> {
    pub(super) fn new(motions: Box<dyn PortMotions<S>>, system: &S) -> Self {
        Self { motions, displacement: vec![0.0; system.structure().velocities()] }
    }

    /// Fills the rows with the present state.
    pub(super) fn read(&self, system: &S, state: &ImpactState, rows: &mut RowState) {
        self.motions.positions(system, &state.q, Increment { start: &state.q, by: &[] }, &mut rows.positions);
        self.motions.velocities(&state.q, &state.v, &mut rows.velocities);
        self.motions.orientations(&state.q, &mut rows.orientations);
    }

    /// Writes positions and velocities of the rows at the end of a step.
    pub(super) fn read_end(
        &mut self,
        system: &S,
        [start, end]: [&ImpactState; 2],
        positions: &mut [f64],
        velocities: &mut [f64],
    ) {
        system.structure().coordinates().difference(&start.q, &end.q, &mut self.displacement);
        self.motions.positions(
            system,
            &end.q,
            Increment { start: &start.q, by: &self.displacement },
            positions,
        );
        self.motions.velocities(&end.q, &end.v, velocities);
    }
}

impl PortMotions<SpatialSystem> for PortRows {
    fn positions(&self, system: &SpatialSystem, q: &[f64], increment: Increment<'_>, out: &mut [f64]) {
        Self::positions(self, system, q, increment, out);
    }

    fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        Self::velocities(self, q, v, out);
    }

    fn orientations(&self, q: &[f64], out: &mut Vec<UnitQuaternion<f64>>) {
        Self::orientations(self, q, out);
    }
}

/// ConstrainedRows of a multibody system on which others act.
#[derive(Debug)]
pub(super) struct SpatialOuterRows {
    rows: PortRows,
    all: Vec<usize>,
}

impl SpatialOuterRows {
    pub(super) fn new(rows: PortRows) -> Self {
        Self { all: (0..rows.len()).collect(), rows }
    }
}

impl OuterRows for SpatialOuterRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn unit_forces(&self, q: &[f64], out: &mut DMatrix<f64>) {
        self.rows.unit_forces(q, &self.all, out);
    }
}

/// ConstrainedRows of a linear system.
#[derive(Debug, Clone)]
pub(super) struct LinearPorts {
    pub(super) rows: Vec<LinearRow>,
}

impl<S> PortMotions<S> for LinearPorts {
    fn positions(&self, _: &S, q: &[f64], _increment: Increment<'_>, out: &mut [f64]) {
        out.iter_mut().zip(&self.rows).for_each(|(out, row)| *out = row.dot(q) - row.offset);
    }

    fn velocities(&self, _q: &[f64], v: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(&self.rows).for_each(|(out, row)| *out = row.dot(v));
    }
}

impl OuterRows for LinearPorts {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn unit_forces(&self, _q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        for (mut column, row) in out.column_iter_mut().zip(&self.rows) {
            row.weights.iter().for_each(|(k, weight)| column[*k] += weight);
        }
    }
}
