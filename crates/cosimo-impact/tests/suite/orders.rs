//! Orders through impacts, and between them.

use cosimo_impact::Scheme;
use cosimo_impact::compare::{FilledGraph, convergence, l1_distance, observed_orders};

use crate::common::{Masses, ball, oscillator, pva, pvv, schemes, table};

/// A problem with its exact solution: start, span (s), impacts, and the motion from an impact on.
struct Case {
    stepper: fn(Scheme) -> Masses,
    span: f64,
    events: &'static str,
    /// Position and velocity so long after a start with this position and velocity.
    arc: fn(f64, (f64, f64)) -> (f64, f64),
}

const BALL: Case = Case {
    stepper: ball,
    span: 3.0,
    events: "ball_events.csv",
    arc: |t, (q, v)| (q + v * t - 0.5 * 9.81 * t * t, v - 9.81 * t),
};

const OSCILLATOR: Case = Case {
    stepper: oscillator,
    span: 2.8,
    events: "oscillator_events.csv",
    arc: |t, (q, v)| {
        let (omega, (s, c)) = (std::f64::consts::TAU, (std::f64::consts::TAU * t).sin_cos());
        (q * c + v / omega * s, v * c - q * omega * s)
    },
};

impl Case {
    fn exact(&self, events: &[Vec<f64>], t: f64) -> (f64, f64) {
        match events.iter().rfind(|event| event[1] <= t) {
            Some(event) => (self.arc)(t - event[1], (0.0, event[3])),
            None => (self.arc)(t, (1.0, 0.0)),
        }
    }

    /// Mean distances of positions and velocities for so many steps.
    fn distances(&self, scheme: Scheme, count: usize) -> [f64; 2] {
        let events = table(self.events);
        let (mut stepper, h) = ((self.stepper)(scheme), self.span / count as f64);
        let mut found = [vec![], vec![]];
        let mut exact = [vec![], vec![]];
        for k in 1..=count {
            stepper.step(h).unwrap();
            found[0].push(stepper.state().q[0]);
            found[1].push(stepper.state().v[0]);
            let (q, v) = self.exact(&events, k as f64 * h);
            exact[0].push(q);
            exact[1].push(v);
        }
        [0, 1].map(|i| l1_distance(h, &found[i], &exact[i]))
    }

    /// Orders of the mean distances over three decades: the slope through many step sizes, since an error depends on where in a
    /// step impacts happen to fall.
    fn orders(&self, scheme: Scheme) -> [f64; 2] {
        let counts: Vec<usize> = (0..48).map(|k| (190.0 * 1.11_f64.powi(k)) as usize).collect();
        let errors: Vec<[f64; 2]> = counts.iter().map(|count| self.distances(scheme, *count)).collect();
        [0, 1].map(|i| {
            let points = counts.iter().zip(&errors).map(|(n, e)| (-(*n as f64).ln(), e[i].ln()));
            slope(&points.collect::<Vec<_>>())
        })
    }
}

fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let across: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    across / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

/// Orders of other implementations: ball and oscillator, positions and velocities.
#[test]
fn orders_are_those_of_other_implementations() {
    let published = [
        ("theta = 1/2", Scheme::moreau_jean(0.5), [0.990, 0.992], [1.077, 1.090]),
        ("theta = 1", Scheme::moreau_jean(1.0), [0.999, 1.053], [0.934, 0.935]),
        ("schatzman-paoli", Scheme::SchatzmanPaoli { theta: 0.0 }, [0.957, 0.931], [0.955, 0.964]),
    ];
    for (name, scheme, on_ball, on_oscillator) in published {
        for (case, expected) in [(BALL, on_ball), (OSCILLATOR, on_oscillator)] {
            let found = case.orders(scheme);
            let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.2);
            assert!(is_near, "{name}: {found:?}, others {expected:?}");
        }
    }
}

#[test]
fn every_scheme_is_of_order_one_through_impacts() {
    for (name, scheme) in schemes() {
        for case in [BALL, OSCILLATOR] {
            let found = case.orders(scheme);
            assert!(found.iter().all(|order| *order > 0.9), "{name} on {}: {found:?}", case.events);
        }
    }
}

/// An oscillator far from its wall.
#[test]
fn smooth_motion_has_the_order_of_the_rule() {
    let first = ["theta = 1", "dissipative"];
    for (name, scheme) in schemes() {
        let error = |count: usize| {
            let mut stepper = oscillator(scheme);
            for _ in 0..count {
                stepper.step(0.2 / count as f64).unwrap();
            }
            let exact = (std::f64::consts::TAU * 0.2).cos();
            (0.2 / count as f64, (stepper.state().q[0] - exact).abs())
        };
        let found = observed_orders(&[error(200), error(400)])[0];
        // The position of the explicit rule of Schatzman and Paoli is of order two; only its velocity is not.
        let expected = if first.contains(&name) { 1.0 } else { 2.0 };
        assert!((found - expected).abs() < 0.1, "{name}: {found}");
    }
}

/// Steps of a size and of a half of it in turn, far from the wall: the order of the rule, in positions and in velocities.
#[test]
fn steps_of_alternating_sizes_keep_the_order() {
    let first = ["theta = 1", "dissipative"];
    for (name, scheme) in schemes() {
        let errors = |pairs: usize| {
            let (mut stepper, h) = (oscillator(scheme), 0.2 / (1.5 * pairs as f64));
            for _ in 0..pairs {
                stepper.step(h).unwrap();
                stepper.step(0.5 * h).unwrap();
            }
            let (state, exact) = (stepper.state(), (OSCILLATOR.arc)(0.2, (1.0, 0.0)));
            [(state.q[0] - exact.0).abs(), (state.v[0] - exact.1).abs()].map(|error| (h, error))
        };
        let (coarse, fine) = (errors(200), errors(400));
        let orders = [0, 1].map(|i| observed_orders(&[coarse[i], fine[i]])[0]);
        // The velocity of the rule of Schatzman and Paoli is that half a step before.
        let expected = if first.contains(&name) {
            [1.0, 1.0]
        } else if name == "schatzman-paoli" {
            [2.0, 1.0]
        } else {
            [2.0, 2.0]
        };
        let is_near = orders.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.1);
        assert!(is_near, "{name}: {orders:?}");
    }
}

/// A step of any size between others, a thousandth or eight times as long: the order of the whole stays.
#[test]
fn a_step_of_another_size_in_between_keeps_the_order() {
    for (name, scheme) in schemes() {
        for factor in [1e-3, 8.0] {
            let error = |count: usize| {
                let (mut stepper, h) = (oscillator(scheme), 0.2 / (count as f64 + factor));
                for k in 0..=count {
                    stepper.step(if k == count / 2 { factor * h } else { h }).unwrap();
                }
                (h, (stepper.state().q[0] - (OSCILLATOR.arc)(0.2, (1.0, 0.0)).0).abs())
            };
            let order = observed_orders(&[error(400), error(800)])[0];
            let expected = if ["theta = 1", "dissipative"].contains(&name) { 1.0 } else { 2.0 };
            assert!(order > expected - 0.15, "{name}, {factor}: {order}");
        }
    }
}

/// Distances of filled-in graphs shrink with order one.
#[test]
fn filled_graphs_converge_with_order_one() {
    let events = table("ball_events.csv");
    let exact = |h: f64| {
        let mut points = vec![(0.0, 0.0)];
        for k in 1..=(3.0 / h) as usize {
            let (before, t) = ((k - 1) as f64 * h, k as f64 * h);
            for event in events.iter().filter(|event| event[1] > before && event[1] <= t) {
                points.extend([(event[1], event[2]), (event[1], event[3])]);
            }
            points.push((t, BALL.exact(&events, t).1));
        }
        FilledGraph::new(points)
    };
    for scheme in [Scheme::moreau_jean(0.5), pvv(0.8), pva(0.8)] {
        let mut runs = Vec::new();
        for count in [150, 2400] {
            let h = 3.0 / count as f64;
            let mut stepper = ball(scheme);
            let mut points = vec![(0.0, 0.0)];
            for k in 1..=count {
                stepper.step(h).unwrap();
                points.push((f64::from(k) * h, stepper.state().v[0]));
            }
            runs.push((h, FilledGraph::new(points)));
        }
        let rows = convergence(&runs, &exact(2.5e-4), 2.85);
        let [_, of_graph] = rows[1].orders.unwrap();
        assert!(of_graph > 0.9, "{rows:?}");
        // Mean distances are those from the exact motion: over the whole span, but for what is nearly nothing.
        let rows = convergence(&runs, &exact(2.5e-4), 3.0);
        for (row, count) in rows.iter().zip([150, 2400]) {
            let exact = BALL.distances(scheme, count)[1];
            assert!((row.mean - exact).abs() < 0.02 * exact, "{row:?}, {exact}");
        }
    }
}
