//! Ports and contacts as one row set.

use cosimo_linear::InlineVector;
use nalgebra::DMatrix;

use crate::{LinearRow, Motion, RowMap};

/// Both row sets of a system seen as one: ports first, contacts after.
pub(crate) struct RowSets {
    port_rows: usize,
    contact_rows: usize,
    form: Form,
}

enum Form {
    /// Every row is one of the coordinates: its index.
    Coordinates(InlineVector<6, u32>),
    /// All rows have constant weights.
    Linear(Box<PackedRows>),
    General(Box<General>),
}

/// Row sets of any kind.
struct General {
    ports: Box<dyn RowMap>,
    contacts: Box<dyn RowMap>,
    is_constant: bool,
    depend_on_time: bool,
}

impl RowSets {
    pub(crate) fn new(ports: Box<dyn RowMap>, contacts: Box<dyn RowMap>) -> Self {
        let (port_rows, contact_rows) = (ports.rows(), contacts.rows());
        let linear = (as_linear(ports.as_ref()), as_linear(contacts.as_ref()));
        let form = if let (Some(ports), Some(contacts)) = linear {
            let rows = ports.iter().chain(contacts);
            match rows.clone().map(index_of_coordinate).collect::<Option<Vec<u32>>>() {
                Some(indices) => Form::Coordinates(indices.into()),
                None => Form::Linear(Box::new(PackedRows::new(rows))),
            }
        } else {
            let is_constant = ports.is_constant() && contacts.is_constant();
            let depend_on_time = ports.depends_on_time() || contacts.depends_on_time();
            Form::General(Box::new(General { ports, contacts, is_constant, depend_on_time }))
        };
        Self { port_rows, contact_rows, form }
    }

    /// Number of rows of both sets.
    pub(crate) fn len(&self) -> usize {
        self.port_rows + self.contact_rows
    }

    /// Number of rows of the ports.
    pub(crate) fn ports(&self) -> usize {
        self.port_rows
    }

    pub(crate) fn depend_on_time(&self) -> bool {
        matches!(&self.form, Form::General(general) if general.depend_on_time)
    }

    pub(crate) fn are_constant(&self) -> bool {
        match &self.form {
            Form::Coordinates(_) | Form::Linear(_) => true,
            Form::General(general) => general.is_constant,
        }
    }

    pub(crate) fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        match &self.form {
            Form::Coordinates(indices) => out.iter_mut().zip(indices).for_each(|(z, i)| *z = q[*i as usize]),
            Form::Linear(rows) => rows.positions(q, out),
            Form::General(general) => {
                let (ports, contacts) = out.split_at_mut(self.port_rows);
                if !ports.is_empty() {
                    general.ports.positions(t, q, ports);
                }
                if !contacts.is_empty() {
                    general.contacts.positions(t, q, contacts);
                }
            }
        }
    }

    /// Velocities of rows that move by themselves.
    pub(crate) fn surface_velocities(&self, t: f64, q: &[f64], still: &[f64], out: &mut [f64]) {
        if let Form::General(general) = &self.form {
            let (ports, contacts) = out.split_at_mut(self.port_rows);
            if !ports.is_empty() {
                general.ports.velocities(t, q, still, ports);
            }
            if !contacts.is_empty() {
                general.contacts.velocities(t, q, still, contacts);
            }
        }
    }

    /// Positions and velocities of all rows.
    #[inline]
    pub(crate) fn observe(&self, motion: Motion<'_>, positions: &mut [f64], velocities: &mut [f64]) {
        match &self.form {
            Form::Coordinates(indices) => {
                for ((z, rate), i) in positions.iter_mut().zip(velocities).zip(indices) {
                    (*z, *rate) = (motion.q[*i as usize], motion.v[*i as usize]);
                }
            }
            Form::Linear(rows) => rows.observe(motion, positions, velocities),
            Form::General(general) => {
                let (positions, velocities) =
                    (positions.split_at_mut(self.port_rows), velocities.split_at_mut(self.port_rows));
                if self.port_rows > 0 {
                    general.ports.observe(motion, positions.0, velocities.0);
                }
                if self.contact_rows > 0 {
                    general.contacts.observe(motion, positions.1, velocities.1);
                }
            }
        }
    }

    pub(crate) fn jacobian(&self, t: f64, q: &[f64], out: &mut DMatrix<f64>) {
        match &self.form {
            Form::Coordinates(indices) => {
                out.fill(0.0);
                indices.iter().enumerate().for_each(|(row, i)| out[(row, *i as usize)] = 1.0);
            }
            Form::Linear(rows) => rows.jacobian(out),
            Form::General(general) => {
                general.ports.jacobian(t, q, 0, out);
                general.contacts.jacobian(t, q, self.port_rows, out);
            }
        }
    }

    pub(crate) fn velocity_gradient(&self, t: f64, q: &[f64], v: &[f64], out: &mut DMatrix<f64>) {
        match &self.form {
            Form::Coordinates(_) | Form::Linear(_) => out.fill(0.0),
            Form::General(general) => {
                general.ports.velocity_gradient(t, q, v, 0, out);
                general.contacts.velocity_gradient(t, q, v, self.port_rows, out);
            }
        }
    }
}

/// The rows of a set that has constant weights; none of a set without rows.
fn as_linear(rows: &dyn RowMap) -> Option<&[LinearRow]> {
    if rows.rows() == 0 { Some(&[]) } else { rows.as_linear().map(|rows| rows.0.as_slice()) }
}

/// The coordinate that a row is, if it is one.
fn index_of_coordinate(row: &LinearRow) -> Option<u32> {
    match row.weights[..] {
        [(index, 1.0)] if row.offset.to_bits() == 0 => u32::try_from(index).ok(),
        _ => None,
    }
}

/// Rows with constant weights, one behind the other.
struct PackedRows {
    /// Coordinates and weights of all rows.
    weights: Vec<(usize, f64)>,
    /// Number of weights of each row, and its offset (m).
    rows: Vec<(usize, f64)>,
    /// Whether each row observes one coordinate.
    are_single: bool,
}

impl PackedRows {
    fn new<'a>(rows: impl Iterator<Item = &'a LinearRow> + Clone) -> Self {
        Self {
            are_single: rows.clone().all(|row| row.weights.len() == 1),
            weights: rows.clone().flat_map(|row| row.weights.iter().copied()).collect(),
            rows: rows.map(|row| (row.weights.len(), row.offset)).collect(),
        }
    }

    /// The weights and the offset of each row.
    #[inline]
    fn iter(&self) -> impl Iterator<Item = (&[(usize, f64)], f64)> {
        let mut rest = self.weights.as_slice();
        self.rows.iter().map(move |&(count, offset)| {
            let (own, after) = rest.split_at(count);
            rest = after;
            (own, offset)
        })
    }

    fn positions(&self, q: &[f64], out: &mut [f64]) {
        for (z, (weights, offset)) in out.iter_mut().zip(self.iter()) {
            *z = weights.iter().map(|&(i, w)| w * q[i]).sum::<f64>() - offset;
        }
    }

    #[inline]
    fn observe(&self, Motion { q, v, .. }: Motion<'_>, positions: &mut [f64], velocities: &mut [f64]) {
        if self.are_single {
            let rows = self.weights.iter().zip(&self.rows);
            for ((z, rate), (&(i, w), (_, offset))) in positions.iter_mut().zip(velocities).zip(rows) {
                (*z, *rate) = (w * q[i] - offset, w * v[i]);
            }
            return;
        }
        for ((z, rate), (weights, offset)) in positions.iter_mut().zip(velocities).zip(self.iter()) {
            let (mut position, mut velocity) = (0.0, 0.0);
            for &(i, w) in weights {
                position += w * q[i];
                velocity += w * v[i];
            }
            (*z, *rate) = (position - offset, velocity);
        }
    }

    fn jacobian(&self, out: &mut DMatrix<f64>) {
        out.fill(0.0);
        for (row, (weights, _)) in self.iter().enumerate() {
            weights.iter().for_each(|&(j, w)| out[(row, j)] = w);
        }
    }
}
