//! Which quantities are recorded.

use std::collections::BTreeSet;

use cosimo_master::QuantityLabel;
use cosimo_model::ModelSpec;
use cosimo_results::{Selection, UnknownQuantity};

/// Places of the quantities to record among all: those chosen, or else what the file says of its own, and all others.
pub(super) fn chosen(
    labels: &[QuantityLabel],
    selection: Option<&Selection>,
    file: Option<&ModelSpec>,
) -> Result<Vec<usize>, UnknownQuantity> {
    if let Some(selection) = selection {
        return selection.indices(labels);
    }
    let names = |quantities: Vec<cosimo_model::QuantityName>| -> BTreeSet<String> {
        quantities.into_iter().map(|own| own.name).collect()
    };
    let of_file = file.map(ModelSpec::quantities).map(names).unwrap_or_default();
    let recorded = file.map(ModelSpec::recorded_quantities).map(names).unwrap_or_default();
    let is_chosen = |label: &QuantityLabel| {
        let name = format!("{}.{}", label.owner, label.name);
        recorded.contains(&name) || !of_file.contains(&name)
    };
    Ok((0..labels.len()).filter(|&place| is_chosen(&labels[place])).collect())
}
