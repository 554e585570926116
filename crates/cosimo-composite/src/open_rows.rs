//! The rows of the open ports, as they stand inside.

use std::ops::Range;

use cosimo_master::{Master, RowChanges, RowLoad};
use cosimo_subsystem::nalgebra::Vector3;
use cosimo_subsystem::{PortSpec, RowState};

/// An open port by its rows.
#[derive(Debug, Clone)]
pub(crate) struct OpenPort {
    /// Index of the subsystem.
    pub(crate) subsystem: usize,
    /// Its first row there.
    pub(crate) first: usize,
    /// Its place among the frames there, if it is one.
    pub(crate) frame: Option<usize>,
    /// Kind of the port, by its name inside.
    pub(crate) spec: PortSpec,
}

/// All open ports, in the order of the rows of the composite.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenRows {
    pub(crate) ports: Vec<OpenPort>,
}

impl OpenRows {
    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.ports.iter().map(|port| port.spec.size).sum()
    }

    /// Ports with their rows in the composite.
    fn with_rows(&self) -> impl Iterator<Item = (&OpenPort, Range<usize>)> {
        self.ports.iter().scan(0, |next, port| {
            let first = *next;
            *next += port.spec.size;
            Some((port, first..*next))
        })
    }

    /// Rows of the open ports of a subsystem, with their places among all.
    pub(crate) fn rows_of(&self, subsystem: usize) -> Vec<(usize, usize)> {
        let own = self.with_rows().filter(|(port, _)| port.subsystem == subsystem);
        own.flat_map(|(port, rows)| rows.enumerate().map(|(k, place)| (port.first + k, place))).collect()
    }

    /// A load (N, N s) on a row.
    pub(crate) fn load(&self, row: usize, load: f64) -> Option<RowLoad> {
        let (port, rows) = self.with_rows().find(|(_, rows)| rows.contains(&row))?;
        Some(RowLoad { subsystem: port.subsystem, row: port.first + row - rows.start, load })
    }

    /// Writes the rows at the present communication point of the model.
    pub(crate) fn write_state(&self, master: &Master, out: &mut RowState) {
        out.orientations.clear();
        for (port, rows) in self.with_rows() {
            let own = master.subsystems()[port.subsystem].rows();
            let inside = port.first..port.first + port.spec.size;
            out.positions[rows.clone()].copy_from_slice(&own.positions[inside.clone()]);
            out.velocities[rows.clone()].copy_from_slice(&own.velocities[inside.clone()]);
            if let (false, Some(moving)) =
                (out.surface_velocities.is_empty(), own.surface_velocities.get(inside))
            {
                out.surface_velocities[rows].copy_from_slice(moving);
            }
            out.orientations.extend(port.frame.map(|place| own.orientations[place]));
        }
    }

    /// Whether a row may move while its subsystem stands still.
    pub(crate) fn move_by_themselves(&self, master: &Master) -> bool {
        self.ports
            .iter()
            .any(|port| !master.subsystems()[port.subsystem].rows().surface_velocities.is_empty())
    }

    /// Writes positions and velocities where the model stands, a step after `start`: frames have turned by rotation increments since then.
    pub(crate) fn write_end(
        &self,
        master: &Master,
        start: &RowState,
        positions: &mut [f64],
        velocities: &mut [f64],
    ) {
        let mut frames = start.orientations.iter();
        for (port, rows) in self.with_rows() {
            let own = master.subsystems()[port.subsystem].rows();
            let inside = port.first..port.first + port.spec.size;
            positions[rows.clone()].copy_from_slice(&own.positions[inside.clone()]);
            velocities[rows.clone()].copy_from_slice(&own.velocities[inside]);
            if let (Some(place), Some(before)) = (port.frame, frames.by_ref().next()) {
                let turned = own.orientations[place] * before.inverse();
                let increment: Vector3<f64> = turned.scaled_axis();
                positions[rows.start + 3..rows.end].copy_from_slice(increment.as_slice());
            }
        }
    }

    /// Writes the changes of all positions and velocities.
    pub(crate) fn write_changes(&self, changes: &RowChanges, positions: &mut [f64], velocities: &mut [f64]) {
        for (port, rows) in self.with_rows() {
            for (k, row) in rows.enumerate() {
                [positions[row], velocities[row]] = changes.of(port.subsystem, port.first + k);
            }
        }
    }
}
