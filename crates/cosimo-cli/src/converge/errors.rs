//! Distances of runs from the reference, and the orders observed.

use cosimo::impact::compare::{ConvergenceRow, FilledGraph, convergence, observed_orders};

use super::plan::{Plan, Variant};
use super::study::Runs;
use crate::sub_run::SubRun;

/// Errors of one setting.
#[derive(Debug)]
pub(super) struct Study {
    /// The setting; empty where there is one only.
    pub(super) name: String,
    /// Of every quantity, steps descending.
    pub(super) rows: Vec<Vec<ConvergenceRow>>,
    /// Steps (s) of runs that cannot be compared, with the reason.
    pub(super) failures: Vec<(f64, String)>,
    /// Step (s) of the run that is the reference; none where a table is, or where no two runs came to their end.
    pub(super) reference_step: Option<f64>,
}

impl Study {
    /// Compares the runs with the table of the plan, else with the run of the reference, else, where that did not come to its
    /// end, with the finest of the others.
    pub(super) fn of(plan: &Plan, variant: &Variant, runs: Runs) -> Self {
        let Runs { mut completed, failures, reference } = runs;
        let reference = match &plan.table {
            Some(_) => None,
            None => reference.or_else(|| completed.pop().map(|(_, run)| run)),
        };
        let graphs = plan.table.as_deref().or(reference.as_ref().map(|run| run.graphs.as_slice()));
        let of_quantity =
            |k: usize| graphs.map_or_else(Vec::new, |graphs| rows(&completed, k, &graphs[k], plan));
        Self {
            name: variant.name.clone(),
            rows: (0..plan.quantities.len()).map(of_quantity).collect(),
            failures,
            reference_step: reference.as_ref().map(|run| run.step),
        }
    }
}

/// Errors of a quantity, the means over the runs of each step, and the orders between steps.
fn rows(
    runs: &[(f64, SubRun)],
    quantity: usize,
    reference: &FilledGraph,
    plan: &Plan,
) -> Vec<ConvergenceRow> {
    let mut rows: Vec<ConvergenceRow> = Vec::new();
    for of_step in runs.chunk_by(|a, b| a.0 == b.0) {
        let own = |(_, run): &(f64, SubRun)| (run.step, run.graphs[quantity].clone());
        let errors = convergence(&of_step.iter().map(own).collect::<Vec<_>>(), reference, plan.until);
        let mean = |of: fn(&ConvergenceRow) -> f64| errors.iter().map(of).sum::<f64>() / errors.len() as f64;
        let (mean, graph) = (mean(|row| row.mean), mean(|row| row.graph));
        let orders = rows.last().map(|before| {
            [(before.mean, mean), (before.graph, graph)]
                .map(|(coarse, fine)| observed_orders(&[(before.h, coarse), (of_step[0].0, fine)])[0])
        });
        rows.push(ConvergenceRow { h: of_step[0].0, mean, graph, orders });
    }
    rows
}

/// Order `p` of errors `∝ h^p`: the slope of the least-squares line through the logarithms; not finite where errors vanish.
pub(super) fn fitted_order(rows: &[ConvergenceRow], error: fn(&ConvergenceRow) -> f64) -> f64 {
    let points: Vec<[f64; 2]> = rows.iter().map(|row| [row.h.ln(), error(row).ln()]).collect();
    let mean = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / points.len() as f64);
    let sum = |k: usize| points.iter().map(|p| (p[0] - mean[0]) * (p[k] - mean[k])).sum::<f64>();
    sum(1) / sum(0)
}

#[cfg(test)]
mod tests {
    use super::{ConvergenceRow, fitted_order};

    #[test]
    fn the_fitted_order_is_that_of_the_errors() {
        let row = |h: f64| ConvergenceRow { h, mean: 3.0 * h.powf(1.5), graph: 0.0, orders: None };
        let rows = [1e-2, 5e-3, 1e-3].map(row);
        assert!((fitted_order(&rows, |row| row.mean) - 1.5).abs() < 1e-12);
        assert!(!fitted_order(&rows, |row| row.graph).is_finite());
    }
}
