//! Orders in L1 of Moreau and Jean's rule in the master, on the ball and the linear impacting oscillator.
//!
//! References: cases J1 and J2, closed forms; J_orders, the orders of an independent implementation.

use cosimo::impact::compare::{FilledGraph, convergence};
use coupling_tests::{Run, Table, fitted_order, root};

/// Orders of positions and velocities over steps from 16 to 1 ms, of errors that are means over 16 neighbouring steps.
fn orders(model: &str, reference: &str, quantities: [&str; 2]) -> [f64; 2] {
    let text = std::fs::read_to_string(root().join("coupling-tests/models").join(model)).unwrap_or_default();
    let table = Table::reference(&format!("{reference}/reference.csv"));
    let exact = ["q", "v"].map(|name| {
        FilledGraph::new(table.column("t").iter().copied().zip(table.column(name).iter().copied()).collect())
    });
    let end = table.column("t").last().copied().unwrap_or(0.0);
    let steps = [1.6e-2, 8e-3, 4e-3, 2e-3, 1e-3];
    let mean_errors = steps.map(|largest: f64| {
        let mut sums = [0.0; 2];
        for phase in 0..16 {
            let h = largest / 1.2_f64.powf(f64::from(phase) / 16.0);
            let run =
                Run::completed(&Run::text(&text, &["master.impacts=plain", &format!("time.step={h:e}")]));
            for (k, sum) in sums.iter_mut().enumerate() {
                let points = run.times.iter().copied().zip(run.column(quantities[k])).collect();
                *sum += convergence(&[(h, FilledGraph::new(points))], &exact[k], end)[0].mean / 16.0;
            }
        }
        sums
    });
    [0, 1].map(|k| fitted_order(&steps, &mean_errors.map(|errors| errors[k])))
}

#[test]
fn orders_of_the_plain_problem_are_those_of_moreau_and_jean() {
    for (model, reference, quantities, expected) in [
        ("ball.toml", "J1_ball", ["ball.z", "ball.vz"], [0.990, 0.992]),
        ("impacting-oscillator.toml", "J2_oscillator", ["mass.x", "mass.v_x"], [1.077, 1.090]),
    ] {
        let found = orders(model, reference, quantities);
        let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= 0.2);
        assert!(is_close, "{model}: {found:?}, {expected:?}");
    }
}
