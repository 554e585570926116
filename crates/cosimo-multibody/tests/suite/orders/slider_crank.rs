//! The slider-crank, by the angle of its crank.

use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::{DaeSolver, Method};

use super::SECOND_ORDER;
use super::case::Case;
use crate::mechanisms::{self, STABILISED};

/// The slider-crank, let go with its crank level, by the crank's angle as its only coordinate: `J(θ) θ̈ + ½ J′ θ̇² + V′ = 0`.
struct OneAngle;

impl OneAngle {
    /// Place of the slider, and its first two derivatives by the angle.
    fn slider(angle: f64) -> [f64; 3] {
        let (s, c) = angle.sin_cos();
        let root = (2.25 - 0.25 * s * s).sqrt();
        let by_angle = -0.25 * s * c / root;
        let second = -(0.25 * (c * c - s * s) + by_angle * by_angle) / root;
        [0.5 * c + root, -0.5 * s + by_angle, -0.5 * c + second]
    }

    /// `J` and `V`.
    fn inertia_and_potential(angle: f64) -> (f64, f64) {
        let (s, c) = angle.sin_cos();
        let [_, slider, _] = Self::slider(angle);
        // The middle of the rod is half-way between crank pin and slider; its turn is φ with 1.5 sin φ = −0.5 sin θ.
        let middle = [0.5 * (slider - 0.5 * s), 0.25 * c];
        let turn = -0.5 * c / (2.25 - 0.25 * s * s).sqrt();
        let crank = 0.04 + 0.0625;
        let rod = 2.0 * (middle[0] * middle[0] + middle[1] * middle[1]) + 0.04 * turn * turn;
        (crank + rod + 3.0 * slider * slider, 9.81 * (0.25 * s + 2.0 * 0.25 * s))
    }

    fn acceleration(angle: f64, rate: f64) -> f64 {
        let step = 1e-4;
        let [ahead, behind] = [step, -step].map(|d| Self::inertia_and_potential(angle + d));
        let (by_inertia, by_potential) =
            ((ahead.0 - behind.0) / (2.0 * step), (ahead.1 - behind.1) / (2.0 * step));
        -(0.5 * by_inertia * rate * rate + by_potential) / Self::inertia_and_potential(angle).0
    }

    /// States every tenth of a second, by the classical method of fourth order with 1,000 steps each.
    fn motion(count: usize) -> Vec<(f64, f64, f64)> {
        let (mut x, mut states) = ([0.0, 0.0], Vec::new());
        let h = 1e-4;
        for k in 1..=count {
            for _ in 0..1000 {
                let rate = |x: [f64; 2]| [x[1], Self::acceleration(x[0], x[1])];
                let ahead = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
                let a = rate(x);
                let b = rate(ahead(a, 0.5 * h));
                let c = rate(ahead(b, 0.5 * h));
                let d = rate(ahead(c, h));
                x = [0, 1].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
            }
            states.push((0.1 * k as f64, x[0], x[1]));
        }
        states
    }
}

#[test]
fn a_free_slider_crank() {
    let exact_at = |(t, angle, rate): (f64, f64, f64)| {
        let [x, first, second] = OneAngle::slider(angle);
        let acceleration = first * OneAngle::acceleration(angle, rate) + second * rate * rate;
        let quantities = vec![
            ("position", vec![x, 0.25 * angle.cos(), 0.25 * angle.sin()]),
            ("velocity", vec![first * rate, rate]),
            // Along the guide the rod alone pushes the slider.
            ("reaction", vec![-3.0 * acceleration]),
        ];
        (t, quantities)
    };
    let found = |solver: &DaeSolver<SpatialSystem>| {
        let state = solver.state();
        vec![
            ("position", vec![state.q[14], state.q[0], state.q[1]]),
            ("velocity", vec![state.v[12], state.v[5]]),
            ("reaction", vec![state.mu[10]]),
        ]
    };
    let exact: Vec<_> = OneAngle::motion(12).into_iter().map(exact_at).collect();
    let case = Case { model: &mechanisms::slider_crank, exact: &exact, found: &found, tolerance: 1e-11 };
    for formulation in STABILISED {
        for method in SECOND_ORDER {
            case.check(method, formulation, (1e-3, 2.0, 0.3));
        }
        case.check(Method::Bdf { order: 3 }, formulation, (2e-3, 3.0, 0.4));
    }
}
