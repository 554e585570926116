//! Joints between unlike step rules: models with known motion, random networks, micro steps, turning hubs, long runs.

#![expect(clippy::panic, reason = "a failure here is a failed test")]

use cosimo::model::ModelSpec;

mod blade;
mod captured_friction;
mod capturing;
mod drop;
mod equal;
mod hub;
mod long;
mod matrix;
mod micro;
mod networks;
mod rod;
mod rotor;
mod schatzman_paoli;

/// Values of the key `solver` of rules of order 2, for kinds with constant matrices.
const SECOND_ORDER: [&str; 7] = [
    "{ method = \"theta\", theta = 0.5 }",
    "{ method = \"multistep\", spectral_radius = 0.0 }",
    "{ method = \"multistep\", spectral_radius = 0.6 }",
    "{ method = \"multistep\", spectral_radius = 1.0 }",
    "{ method = \"generalized-alpha\", spectral_radius = 0.0 }",
    "{ method = \"generalized-alpha\", spectral_radius = 0.8 }",
    "{ method = \"generalized-alpha\", spectral_radius = 1.0 }",
];

/// The same of order 1.
const FIRST_ORDER: [&str; 2] =
    ["{ method = \"theta\", theta = 0.75 }", "{ method = \"theta\", theta = 1.0 }"];

/// Those that capture impacts in steps of their own, without damping or with.
const CAPTURING: [&str; 8] = [
    "{ scheme = \"moreau-jean\" }",
    "{ scheme = \"moreau-jean\", theta = 0.7 }",
    "{ scheme = \"dissipative-moreau-jean\", theta = 0.6 }",
    "{ scheme = \"projected-moreau-jean\" }",
    "{ scheme = \"multistep\", spectral_radius = 0.8 }",
    "{ scheme = \"newmark\", parameters = { alpha_m = 0.0, alpha_f = 0.1, beta = 0.3025, gamma = 0.6 } }",
    "{ scheme = \"nonsmooth-generalized-alpha\", spectral_radius = 0.8 }",
    "{ scheme = \"nonsmooth-generalized-alpha\", smooth = \"velocity\", spectral_radius = 0.5 }",
];

/// Largest value of `measure` in the first two thirds of so many steps, and in the last one; `measure` sees all quantities by
/// the indices that it looked up.
fn largest_early_and_late(model: &ModelSpec, steps: usize, measure: &dyn Fn(&Values<'_>) -> f64) -> [f64; 2] {
    let mut master = model.build().unwrap_or_else(|e| panic!("{e}"));
    let labels: Vec<String> =
        master.labels().iter().map(|label| format!("{}.{}", label.owner, label.name)).collect();
    let mut values = vec![0.0; labels.len()];
    let mut largest = [0.0_f64; 2];
    for k in 0..steps {
        master.step(model.time.step).unwrap_or_else(|e| panic!("step {k}: {e}"));
        master.observe(&mut values).unwrap_or_else(|e| panic!("step {k}: {e}"));
        let value = measure(&Values { labels: &labels, values: &values });
        let part = usize::from(3 * k >= 2 * steps);
        largest[part] = if value.is_nan() { f64::INFINITY } else { largest[part].max(value) };
    }
    largest
}

/// What a master shows at a communication point.
struct Values<'a> {
    labels: &'a [String],
    values: &'a [f64],
}

impl Values<'_> {
    fn get(&self, label: &str) -> f64 {
        let index = self.labels.iter().position(|known| known == label);
        self.values[index.unwrap_or_else(|| panic!("no quantity `{label}`"))]
    }
}
