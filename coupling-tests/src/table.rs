//! Reference tables, and the order of a convergence study.

use std::path::PathBuf;

/// The root of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A table of numbers with named columns.
#[derive(Debug, Clone)]
pub struct Table {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// Reads `coupling-tests/reference/<path>`; entries that are not numbers become not-a-number.
    #[must_use]
    pub fn reference(path: &str) -> Self {
        let file = root().join("coupling-tests/reference").join(path);
        let mut reader = csv::Reader::from_path(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let mut columns = vec![Vec::new(); names.len()];
        for record in reader.records() {
            for (column, field) in columns.iter_mut().zip(record.unwrap().iter()) {
                column.push(field.parse().unwrap_or(f64::NAN));
            }
        }
        Self { names, columns }
    }

    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> &[f64] {
        let index = self.names.iter().position(|n| n == name);
        &self.columns[index.unwrap_or_else(|| panic!("no column `{name}` among {:?}", self.names))]
    }
}

/// `count` step sizes (s) from `largest` to `smallest`, each the same multiple of the one before.
///
/// A study of many sizes that divide nothing sees impacts at every phase of the grid.
#[must_use]
pub fn step_sizes(largest: f64, smallest: f64, count: u32) -> Vec<f64> {
    let ratio = (smallest / largest).powf(1.0 / f64::from(count - 1));
    (0..count).map(|k| largest * ratio.powf(f64::from(k))).collect()
}

/// Order `p` of errors `e ∝ h^p`: the slope of the least-squares line through the logarithms.
#[must_use]
pub fn fitted_order(steps: &[f64], errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).collect();
    let count = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let covariance: f64 = points.iter().map(|p| (p.0 - mean.0) * (p.1 - mean.1)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - mean.0).powi(2)).sum();
    covariance / variance
}
