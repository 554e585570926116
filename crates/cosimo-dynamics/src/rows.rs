//! Ports and contacts as one row set.

use nalgebra::DMatrix;

use crate::Kinematics;

/// Both row sets of a system seen as one: ports first, contacts after.
pub(crate) struct RowSets {
    ports: Box<dyn Kinematics>,
    contacts: Box<dyn Kinematics>,
    port_rows: usize,
    contact_rows: usize,
    is_constant: bool,
    depend_on_time: bool,
}

impl RowSets {
    pub(crate) fn new(ports: Box<dyn Kinematics>, contacts: Box<dyn Kinematics>) -> Self {
        Self {
            port_rows: ports.rows(),
            contact_rows: contacts.rows(),
            is_constant: ports.is_constant() && contacts.is_constant(),
            depend_on_time: ports.depends_on_time() || contacts.depends_on_time(),
            ports,
            contacts,
        }
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
        self.depend_on_time
    }

    pub(crate) fn are_constant(&self) -> bool {
        self.is_constant
    }

    pub(crate) fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let (ports, contacts) = out.split_at_mut(self.port_rows);
        if !ports.is_empty() {
            self.ports.positions(t, q, ports);
        }
        if !contacts.is_empty() {
            self.contacts.positions(t, q, contacts);
        }
    }

    pub(crate) fn velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let (ports, contacts) = out.split_at_mut(self.port_rows);
        if !ports.is_empty() {
            self.ports.velocities(t, q, v, ports);
        }
        if !contacts.is_empty() {
            self.contacts.velocities(t, q, v, contacts);
        }
    }

    /// Positions and velocities of all rows.
    pub(crate) fn observe(
        &self,
        t: f64,
        motion: (&[f64], &[f64]),
        (positions, velocities): (&mut [f64], &mut [f64]),
    ) {
        let (positions, velocities) =
            (positions.split_at_mut(self.port_rows), velocities.split_at_mut(self.port_rows));
        if self.port_rows > 0 {
            self.ports.observe(t, motion, (positions.0, velocities.0));
        }
        if self.contact_rows > 0 {
            self.contacts.observe(t, motion, (positions.1, velocities.1));
        }
    }

    pub(crate) fn jacobian(&self, t: f64, q: &[f64], out: &mut DMatrix<f64>) {
        self.ports.jacobian(t, q, 0, out);
        self.contacts.jacobian(t, q, self.port_rows, out);
    }

    pub(crate) fn velocity_gradient(&self, t: f64, q: &[f64], v: &[f64], out: &mut DMatrix<f64>) {
        self.ports.velocity_gradient(t, q, v, 0, out);
        self.contacts.velocity_gradient(t, q, v, self.port_rows, out);
    }
}
