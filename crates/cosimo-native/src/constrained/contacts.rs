//! What contacts show.

use cosimo_subsystem::{ContactSpec, Quantity, RowState};

/// Gap and slips of every contact, `contact.gap`, `contact.slip_0`, … .
pub(crate) fn quantities(contacts: &[ContactSpec]) -> Vec<Quantity> {
    let of = |contact: &ContactSpec| {
        let quantity = |name: &str, unit: &str| Quantity {
            name: format!("{}.{name}", contact.name),
            unit: unit.to_owned(),
        };
        let slips = contact.slip_names("slip");
        let slips: Vec<Quantity> = slips.iter().map(|name| quantity(name, "m/s")).collect();
        std::iter::once(quantity("gap", "m")).chain(slips)
    };
    contacts.iter().flat_map(of).collect()
}

/// Number of the quantities of these contacts.
pub(super) fn counted(contacts: &[ContactSpec]) -> usize {
    contacts.iter().map(|contact| 1 + contact.slips()).sum()
}

/// Writes the values of [`quantities`], whose rows begin at `first`.
pub(super) fn observe(contacts: &[ContactSpec], (first, rows): (usize, &RowState), out: &mut [f64]) {
    let (mut out, mut slip) = (out.iter_mut(), first + contacts.len());
    for (gap, contact) in (first..).zip(contacts) {
        let slips = slip..slip + contact.slips();
        slip = slips.end;
        let values = std::iter::once(rows.positions[gap]).chain(slips.map(|row| rows.velocities[row]));
        out.by_ref().zip(values).take(1 + contact.slips()).for_each(|(out, value)| *out = value);
    }
}
