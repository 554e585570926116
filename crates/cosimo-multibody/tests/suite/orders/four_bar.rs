//! The N-four-bar, whose loops stay parallel: one angle, of which everything else follows.

use std::f64::consts::PI;

use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::{DaeSolver, Formulation, Method};

use super::case::{Case, Quantities};
use super::{SECOND_ORDER, table};
use crate::mechanisms::n_four_bar;

const GRAVITY: f64 = 9.81;
/// Those that pass the flat positions, where projections have no direction.
const FORMULATIONS: [Formulation; 2] = [Formulation::Position, Formulation::Velocity];

/// `n` loops of uniform bars of 1 m and 1 kg. The `n + 1` cranks turn about their feet, the `n` bars only shift:
/// `J θ̈ = −G g cos θ` with `J = (n + 1)/3 + n` and `G = (n + 1)/2 + n`, from upright with −1 rad/s.
#[derive(Clone, Copy)]
struct Loops {
    n: usize,
}

/// Angle of the cranks from the level (rad), and its first two derivatives.
type Angle = [f64; 3];

impl Loops {
    /// `G g/J` (1/s²).
    fn pull(self) -> f64 {
        let n = self.n as f64;
        (0.5 * (n + 1.0) + n) * GRAVITY / ((n + 1.0) / 3.0 + n)
    }

    /// Speed at the lowest point (rad/s), by the energy.
    fn speed_below(self) -> f64 {
        (1.0 + 4.0 * self.pull()).sqrt()
    }

    /// A pendulum that turns over: half its angle from the lowest point is `am(Ω t/2)` of the modulus `2 √(pull)/Ω`.
    fn at(self, t: f64) -> Angle {
        let below = self.speed_below();
        let modulus = 2.0 * self.pull().sqrt() / below;
        // Upright at the beginning: a quarter period before the lowest point.
        let half = amplitude(0.5 * below * t, modulus, -1.0);
        let (angle, rate) =
            (1.5 * PI - 2.0 * (half + PI), -below * (1.0 - (modulus * half.sin()).powi(2)).sqrt());
        [angle, rate, -self.pull() * angle.cos()]
    }

    /// Acceleration of the tips of all cranks, and of all bars (m/s²).
    fn acceleration([angle, rate, second]: Angle) -> [f64; 2] {
        let (s, c) = angle.sin_cos();
        [-s * second - c * rate * rate, c * second - s * rate * rate]
    }

    /// Forces on the tip of every crank (N). A bar does not turn and hangs at its two ends alike. The moment about the foot
    /// then gives what is across: its mean moves the bars, and what differs between cranks that carry one bar and those that
    /// carry two grows without bound where all bars lie in one line.
    fn on_tips(self, angle: Angle) -> Vec<[f64; 2]> {
        let n = self.n;
        let [x, y] = Self::acceleration(angle);
        let end = 0.5 * (y + GRAVITY);
        let mean = 2.0 * n as f64 / (n as f64 + 1.0);
        let bars = |crank| if crank == 0 || crank == n { 1.0 } else { 2.0 };
        let across = |crank: usize| -0.5 * mean * x - (bars(crank) - mean) * end / angle[0].tan();
        (0..=n).map(|crank| [across(crank), -bars(crank) * end]).collect()
    }

    /// Multipliers of all joints, the negative forces on their second bodies (N): feet, then the two ends of each bar.
    fn multipliers(self, angle: Angle) -> Vec<f64> {
        let [x, y] = Self::acceleration(angle);
        let tips = self.on_tips(angle);
        let mut forces: Vec<[f64; 2]> =
            tips.iter().map(|[across, up]| [0.5 * x - across, 0.5 * y + GRAVITY - up]).collect();
        let (mut right, end) = (0.0, 0.5 * (y + GRAVITY));
        for [across, _] in &tips[..self.n] {
            let left = -across - right;
            right = x - left;
            forces.extend([[left, end], [right, end]]);
        }
        forces.iter().flat_map(|[x, y]| [-x, -y, 0.0, 0.0, 0.0]).collect()
    }

    /// When the cranks lie level for the `k`th time (s), by bisection.
    fn flat(self, k: usize) -> f64 {
        let level = -PI * k as f64;
        let (mut before, mut after) = (0.0, 20.0);
        for _ in 0..60 {
            let middle = 0.5 * (before + after);
            if self.at(middle)[0] > level { before = middle } else { after = middle }
        }
        before
    }

    #[track_caller]
    fn check(self, times: &[f64], method: Method, (formulation, h): (Formulation, f64)) {
        let exact: Vec<_> = times.iter().map(|t| self.quantities(*t)).collect();
        let model = || n_four_bar(self.n);
        let case = Case { model: &model, exact: &exact, found: &found, tolerance: 1e-10 };
        case.check(method, formulation, (h, 2.0, 0.3));
    }

    fn quantities(self, t: f64) -> (f64, Quantities) {
        let angle = self.at(t);
        let (s, c) = angle[0].sin_cos();
        let quantities = vec![
            ("position", [c, s].repeat(self.n + 1)),
            ("velocity", [-angle[1] * s, angle[1] * c].repeat(self.n + 1)),
            ("reaction", self.multipliers(angle)),
        ];
        (t, quantities)
    }
}

/// Jacobi's amplitude of `u + quarters K` by arithmetic and geometric means.
fn amplitude(u: f64, modulus: f64, quarters: f64) -> f64 {
    let (mut a, mut b, mut ratios) = (1.0_f64, (1.0 - modulus * modulus).sqrt(), Vec::new());
    while (a - b).abs() > 1e-15 {
        let next = 0.5 * (a + b);
        ratios.push(0.5 * (a - b) / next);
        (a, b) = (next, (a * b).sqrt());
    }
    let doubled = f64::from(1 << ratios.len());
    let first = doubled * (a * u + 0.5 * PI * quarters);
    ratios.iter().rev().fold(first, |phi, ratio| 0.5 * (phi + (ratio * phi.sin()).asin()))
}

/// The tips of all cranks, twice as far from their feet as the centres, and all multipliers.
fn found(solver: &DaeSolver<SpatialSystem>) -> Quantities {
    let state = solver.state();
    let cranks = solver.system().bodies().len() / 2 + 1;
    let tip = |k: usize| [2.0 * (state.q[7 * k] - k as f64), 2.0 * state.q[7 * k + 1]];
    let speed = |k: usize| [2.0 * state.v[6 * k], 2.0 * state.v[6 * k + 1]];
    vec![
        ("position", (0..cranks).flat_map(tip).collect()),
        ("velocity", (0..cranks).flat_map(speed).collect()),
        ("reaction", state.mu.clone()),
    ]
}

/// The closed form is that of the reference.
#[test]
fn loops_turn_as_the_reference_does() {
    for n in [1, 2] {
        for row in table(&format!("n_four_bar_{n}")) {
            let [angle, rate, _] = Loops { n }.at(row[0]);
            assert!((angle - row[5]).abs() < 1e-12, "{n} at {} s: {angle} for {}", row[0], row[5]);
            assert!((rate - row[6]).abs() < 1e-12, "{n} at {} s: {rate} for {}", row[0], row[6]);
        }
    }
}

/// Where all bars lie in one line the constraints depend on each other. Reactions of two loops grow without bound there: they
/// are compared where the cranks' tips are 0.3 m away.
#[test]
fn four_bars_through_their_flat_positions() {
    for loops in [Loops { n: 1 }, Loops { n: 2 }] {
        let mut times: Vec<f64> = (1..=100).map(|k| 0.1 * f64::from(k)).collect();
        times.retain(|t| loops.n == 1 || loops.at(*t)[0].sin().abs() > 0.3);
        for method in SECOND_ORDER {
            for formulation in FORMULATIONS {
                loops.check(&times, method, (formulation, 2e-3));
            }
        }
    }
}

/// The reactions of one loop stay finite: next to flat positions they are those of the closed form. No step ends in a flat
/// position, where the rows of one instant alone do not determine the reactions.
#[test]
fn reactions_of_a_four_bar_next_to_its_flat_positions() {
    let loops = Loops { n: 1 };
    for (turn, off) in [(0, -0.0105), (0, 0.0105), (1, -0.0105), (1, 0.0105)] {
        let time = loops.flat(turn) + off;
        let steps = (time / 2e-3).round();
        for method in SECOND_ORDER {
            for formulation in FORMULATIONS {
                loops.check(&[time], method, (formulation, time / steps));
            }
        }
    }
}

/// All loops move alike, as the closed form says, through flat positions and beyond.
#[test]
fn many_loops_move_as_one() {
    // In index 3 the second flat position shakes the reactions of many loops by round-off over the square of the step.
    let (once, twice) = (12, 15);
    let cases = [
        (10, Formulation::Position, once),
        (10, Formulation::Velocity, twice),
        (40, Formulation::Position, once),
    ];
    for (n, formulation, last) in cases {
        let loops = Loops { n };
        assert!(loops.flat(0) < 0.8 && (1.2..1.4).contains(&loops.flat(1)));
        let times: Vec<f64> = (3..=last).map(|k| 0.1 * f64::from(k)).collect();
        for method in SECOND_ORDER {
            loops.check(&times, method, (formulation, 4e-3));
        }
    }
}
