//! Ports and contacts as one row set.

use nalgebra::DMatrix;

use crate::Kinematics;

/// Both row sets of a system seen as one: ports first, contacts after.
pub(crate) struct Rows<'a> {
    pub(crate) ports: &'a dyn Kinematics,
    pub(crate) contacts: &'a dyn Kinematics,
}

impl Rows<'_> {
    pub(crate) fn positions(&self, t: f64, q: &[f64], out: &mut [f64]) {
        let (ports, contacts) = out.split_at_mut(self.ports.rows());
        self.ports.positions(t, q, ports);
        self.contacts.positions(t, q, contacts);
    }

    pub(crate) fn velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        let (ports, contacts) = out.split_at_mut(self.ports.rows());
        self.ports.velocities(t, q, v, ports);
        self.contacts.velocities(t, q, v, contacts);
    }

    pub(crate) fn jacobian(&self, t: f64, q: &[f64], out: &mut DMatrix<f64>) {
        self.ports.jacobian(t, q, 0, out);
        self.contacts.jacobian(t, q, self.ports.rows(), out);
    }

    pub(crate) fn are_constant(&self) -> bool {
        self.ports.is_constant() && self.contacts.is_constant()
    }

    pub(crate) fn velocity_gradient(&self, t: f64, q: &[f64], v: &[f64], out: &mut DMatrix<f64>) {
        self.ports.velocity_gradient(t, q, v, 0, out);
        self.contacts.velocity_gradient(t, q, v, self.ports.rows(), out);
    }
}
