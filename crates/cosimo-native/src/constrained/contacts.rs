//! What contacts show.

use cosimo_subsystem::{ContactSpec, Description, Quantity, RowState};

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

/// The contacts before those of pools.
fn listed(description: &Description) -> &[ContactSpec] {
    let pooled = description.pools.first().map_or(description.contacts.len(), |pool| pool.contacts.start);
    &description.contacts[..pooled]
}

/// Number of the quantities of the contacts that are in no pool.
pub(super) fn counted(description: &Description) -> usize {
    listed(description).iter().map(|contact| 1 + contact.slips()).sum()
}

/// Writes the values of [`quantities`] of the contacts that are in no pool.
pub(super) fn observe(description: &Description, rows: &RowState, out: &mut [f64]) {
    let first = description.port_rows();
    let (mut out, mut slip) = (out.iter_mut(), first + description.contacts.len());
    for (gap, contact) in (first..).zip(listed(description)) {
        let slips = slip..slip + contact.slips();
        slip = slips.end;
        let values = std::iter::once(rows.positions[gap]).chain(slips.map(|row| rows.velocities[row]));
        out.by_ref().zip(values).take(1 + contact.slips()).for_each(|(out, value)| *out = value);
    }
}
