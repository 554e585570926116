//! Finds contacts that act at a port.

use cosimo_subsystem::{PortAttachment, PortSpec};
use nalgebra::DMatrix;

/// The port whose coordinates a contact row combines, if there is one.
///
/// `jacobian` holds all rows, ports first; the contact's row `H` is attached to a port with rows `B` when
/// `H = R B`; `R` follows from the normal equations and is accepted when the remainder is round-off.
pub(crate) fn find(
    ports: &[PortSpec],
    jacobian: &DMatrix<f64>,
    contact_row: usize,
) -> Option<PortAttachment> {
    let contact = jacobian.row(contact_row);
    let scale = contact.amax();
    let mut first = 0;
    for (index, port) in ports.iter().enumerate() {
        let rows = jacobian.rows(first, port.size);
        first += port.size;
        let Some(inverse) = (rows * rows.transpose()).try_inverse() else { continue };
        let direction = contact * rows.transpose() * inverse;
        let remainder = (contact - &direction * rows).amax();
        if scale > 0.0 && remainder <= 1e-14 * scale {
            return Some(PortAttachment { port: index, direction: direction.iter().copied().collect() });
        }
    }
    None
}
