//! Distances of runs from the reference, and the orders observed.

use cosimo::impact::compare::{
    ConvergenceRow, FilledGraph, filled_graph_distance, l1_distance, observed_orders,
};

use super::jumps::with_jumps;

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
        let of_quantity = |k: usize| {
            let of_run = || reference.as_ref().map(|run| with_jumps(run, k));
            let graph = plan.table.as_ref().map(|graphs| graphs[k].clone()).or_else(of_run);
            graph.map_or_else(Vec::new, |graph| rows(&completed, k, &graph, plan))
        };
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
        let means = of_step.iter().map(|(_, run)| mean_distance(run, quantity, reference, plan.until));
        let graphs = of_step.iter().map(|(_, run)| with_jumps(run, quantity));
        let distances = graphs.map(|graph| filled_graph_distance(&graph, reference, plan.until));
        let count = of_step.len() as f64;
        let mean = means.sum::<f64>() / count;
        let graph = distances.sum::<f64>() / count;
        let orders = rows.last().map(|before| {
            [(before.mean, mean), (before.graph, graph)]
                .map(|(coarse, fine)| observed_orders(&[(before.h, coarse), (of_step[0].0, fine)])[0])
        });
        rows.push(ConvergenceRow { h: of_step[0].0, mean, graph, orders });
    }
    rows
}

/// `h Σ |fᵢ − f(tᵢ)|` over the communication points of a run.
fn mean_distance(run: &SubRun, quantity: usize, reference: &FilledGraph, until: f64) -> f64 {
    let points = run.graphs[quantity].points().iter().filter(|point| point.0 <= until);
    let (found, exact): (Vec<f64>, Vec<f64>) = points.map(|(t, x)| (*x, reference.value_after(*t))).unzip();
    l1_distance(run.step, &found, &exact)
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
