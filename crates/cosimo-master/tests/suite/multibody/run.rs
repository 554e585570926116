//! Values of a master by name.

use cosimo_master::Master;
use nalgebra::Vector3;

/// The quantities `owner.name` of these names.
pub(crate) fn values(master: &Master, owner: &str, names: [&str; 3]) -> Vector3<f64> {
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let value = |name: &str| {
        let at = labels.iter().position(|label| label.owner == owner && label.name == name).unwrap();
        values[at]
    };
    names.map(value).into()
}

/// Everything that shows, bit by bit.
pub(crate) fn bits(master: &Master) -> Vec<u64> {
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    values.into_iter().map(f64::to_bits).collect()
}
