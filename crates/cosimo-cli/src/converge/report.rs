//! Table, CSV and figure of a study.

use std::fmt::Write;

use cosimo::impact::compare::ConvergenceRow;
use cosimo::results::{ChartCurve, LogChart, LogPanel, Quantity};

use super::errors::{Study, fitted_order};
use super::plan::Plan;

/// Most curves of a panel: as many as can be distinguished.
const CURVES: usize = 14;
/// Orders that the figure shows lines of.
const SLOPES: [f64; 2] = [1.0, 2.0];

/// What is printed.
pub(super) fn text(plan: &Plan, studies: &[Study]) -> String {
    let mut text = format!("{}: errors up to t = {} s{}\n", plan.title, plan.until, phases(plan));
    for study in studies {
        if !study.name.is_empty() {
            let _ = writeln!(text, "\n{}", study.name);
        }
        let _ = writeln!(text, "reference: {}", reference(plan, study));
        for ((name, unit), rows) in plan.quantities.iter().zip(&plan.units).zip(&study.rows) {
            let _ = writeln!(text, "\n{name} [{unit}]");
            text += "  step (s)        L1        order    filled-in graph  order\n";
            for row in rows {
                let [mean, graph] = row.orders.map_or([None; 2], |orders| orders.map(Some));
                let _ = writeln!(
                    text,
                    "  {:<14.6e}  {:<10.3e}{}    {:<10.3e}     {}",
                    row.h,
                    row.mean,
                    order(mean),
                    row.graph,
                    order(graph)
                );
            }
            let fitted = [fitted_order(rows, |row| row.mean), fitted_order(rows, |row| row.graph)];
            let [mean, graph] = fitted.map(|p| order(Some(p)));
            let _ = writeln!(text, "  over all steps            {mean}                   {graph}");
        }
        for (step, reason) in &study.failures {
            let _ = writeln!(text, "\nh = {step:e} s: the run {reason}");
        }
    }
    text
}

fn phases(plan: &Plan) -> String {
    match plan.phases.len() {
        1 => String::new(),
        count => format!(", each the mean over {count} steps a little smaller"),
    }
}

fn reference(plan: &Plan, study: &Study) -> String {
    match (&plan.table, study.reference_step) {
        (Some(_), _) => "a table, linear between its rows".to_owned(),
        (None, Some(step)) => {
            format!("the run with h = {step:e} s, with jumps at impacts and straight lines between")
        }
        (None, None) => "none: no run came to its end".to_owned(),
    }
}

/// An order, or a dash where there is none: of the first row, and between errors that are zero.
fn order(order: Option<f64>) -> String {
    order.filter(|p| p.is_finite()).map_or("     –".to_owned(), |p| format!("{p:6.2}"))
}

/// What is written: one row a setting, quantity and step, without numbers where the run cannot be compared.
pub(super) fn csv(plan: &Plan, studies: &[Study]) -> String {
    let mut text = "setting,quantity,unit,step_s,l1,graph,order_l1,order_graph,status\n".to_owned();
    for study in studies {
        let setting = quoted(&study.name);
        for ((name, unit), rows) in plan.quantities.iter().zip(&plan.units).zip(&study.rows) {
            let name = quoted(name);
            for ConvergenceRow { h, mean, graph, orders } in rows {
                let finite = |p: f64| if p.is_finite() { format!("{p:.4}") } else { String::new() };
                let [a, b] = orders.map_or([const { String::new() }; 2], |orders| orders.map(finite));
                let _ =
                    writeln!(text, "{setting},{name},{unit},{h:e},{mean:.12e},{graph:.12e},{a},{b},compared");
            }
        }
        for (step, reason) in &study.failures {
            let _ = writeln!(text, "{setting},,,{step:e},,,,,{}", quoted(reason));
        }
    }
    text
}

/// A field of a CSV file.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Errors over steps in both distances, with lines of orders one and two.
pub(super) fn figure(plan: &Plan, studies: &[Study]) -> LogChart {
    let panel = |heading: &str, unit: &str, error: fn(&ConvergenceRow) -> f64| LogPanel {
        heading: heading.to_owned(),
        y: Quantity { name: "error".to_owned(), unit: unit.to_owned() },
        curves: curves(plan, studies, error),
    };
    let unit = plan.units.first().filter(|first| plan.units.iter().all(|unit| unit == *first));
    let (of_mean, of_graph) = match unit {
        Some(unit) if unit.is_empty() => ("s".to_owned(), String::new()),
        Some(unit) => (format!("{unit} s"), unit.clone()),
        None => ("SI".to_owned(), "SI".to_owned()),
    };
    LogChart {
        title: plan.title.clone(),
        x: Quantity { name: "macro step".to_owned(), unit: "s".to_owned() },
        panels: vec![
            panel("L1: h Σ |f − f(t)|", &of_mean, |row| row.mean),
            panel("distance of filled-in graphs", &of_graph, |row| row.graph),
        ],
        slopes: SLOPES.to_vec(),
    }
}

/// The first curves, as many as can be distinguished.
fn curves(plan: &Plan, studies: &[Study], error: fn(&ConvergenceRow) -> f64) -> Vec<ChartCurve> {
    let mut curves = Vec::new();
    for study in studies {
        for (name, rows) in plan.quantities.iter().zip(&study.rows) {
            let setting = if study.name.is_empty() { String::new() } else { format!(", {}", study.name) };
            let points = rows.iter().map(|row| [row.h, error(row)]).collect();
            let (name, style) = (format!("{name}{setting}"), curves.len());
            curves.push(ChartCurve { name, style, points, is_scattered: false });
        }
    }
    curves.truncate(CURVES);
    curves
}
