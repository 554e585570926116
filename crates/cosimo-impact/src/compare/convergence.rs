//! How runs approach a reference as their steps shrink.

use super::filled_graph::{FilledGraph, filled_graph_distance};

/// Distances of one run from a reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConvergenceRow {
    /// Step size (s).
    pub h: f64,
    /// Mean distance, `h Σ |fᵢ − f(tᵢ)|`.
    pub mean: f64,
    /// Distance of the filled-in graphs.
    pub graph: f64,
    /// Orders since the row before: of the mean, and of the graphs; `None` in the first row.
    pub orders: Option<[f64; 2]>,
}

/// Distances and orders of runs, given with their step sizes (s), up to the time `until` (s). The reference may be exact, or a run with
/// far smaller steps.
///
/// ```
/// use cosimo_impact::compare::{FilledGraph, convergence};
/// let ramp = |slope: f64| FilledGraph::new(vec![(0.0, 0.0), (0.5, 0.5 * slope), (1.0, slope)]);
/// let rows = convergence(&[(0.5, ramp(1.2)), (0.25, ramp(1.1))], &ramp(1.0), 1.0);
/// // Half the error with half the step, and half of that for half as large a weight.
/// assert!((rows[1].orders.unwrap()[1] - 1.0).abs() < 0.1);
/// ```
#[must_use]
pub fn convergence(runs: &[(f64, FilledGraph)], reference: &FilledGraph, until: f64) -> Vec<ConvergenceRow> {
    let mut rows: Vec<ConvergenceRow> = Vec::with_capacity(runs.len());
    for (h, run) in runs {
        let points = run.points().iter().filter(|point| point.0 <= until);
        let mean = h * points.map(|(t, x)| (x - reference.value_after(*t)).abs()).sum::<f64>();
        let graph = filled_graph_distance(run, reference, until);
        let orders = rows.last().map(|before| {
            let shrunk = (before.h / h).ln();
            [before.mean / mean, before.graph / graph].map(|ratio| ratio.ln() / shrunk)
        });
        rows.push(ConvergenceRow { h: *h, mean, graph, orders });
    }
    rows
}
