//! Jumps between communication points.

use cosimo::impact::compare::FilledGraph;
use cosimo::master::ContactEventKind;

use crate::sub_run::SubRun;

/// The graph of a quantity with a jump at every impact that is alone in its step: values before and after it go on from the
/// communication points on either side with the slopes of the steps before and after. Elsewhere straight lines join the points.
pub(super) fn with_jumps(run: &SubRun, quantity: usize) -> FilledGraph {
    let points = run.graphs[quantity].points();
    let times = impact_times(run);
    let has_impact = |k: usize| {
        let inside = |t: f64| t > points[k].0 && t <= points[k + 1].0;
        times.iter().any(|t| inside(*t))
    };
    let slope = |k: usize| (points[k + 1].1 - points[k].1) / (points[k + 1].0 - points[k].0);
    let mut filled = points.to_vec();
    for &t in &times {
        let next = points.partition_point(|point| point.0 < t);
        let alone = next >= 2 && next + 1 < points.len() && !has_impact(next - 2) && !has_impact(next);
        if alone {
            let (a, b) = (points[next - 1], points[next]);
            filled.push((t, a.1 + slope(next - 2) * (t - a.0)));
            filled.push((t, b.1 - slope(next) * (b.0 - t)));
        }
    }
    // Stable: of one time, the values before a jump stay before those after it.
    filled.sort_by(|a, b| a.0.total_cmp(&b.0));
    FilledGraph::new(filled)
}

fn impact_times(run: &SubRun) -> Vec<f64> {
    let impacts = run.events.iter().filter(|event| event.kind == ContactEventKind::Impact);
    impacts.map(|event| event.time).collect()
}
