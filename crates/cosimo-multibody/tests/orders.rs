//! Orders of the rules in positions, velocities and reactions, against references that other programs have found.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod mechanisms;

use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};
use mechanisms::{STABILISED, Z, diagonal, n_four_bar, start};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

const SECOND_ORDER: [Method; 2] =
    [Method::GeneralizedAlpha { spectral_radius: 0.9 }, Method::Multistep { spectral_radius: 0.6 }];

/// Rules that are there for comparison, with their orders.
const OTHERS: [(Method, f64); 4] = [
    (Method::Hht { alpha: -0.1 }, 2.0),
    (Method::Newmark { gamma: 0.5 }, 2.0),
    (Method::Newmark { gamma: 0.6 }, 1.0),
    (Method::ImplicitEuler, 1.0),
];

/// What is compared, by name.
type Quantities = Vec<(&'static str, Vec<f64>)>;

fn table(name: &str) -> Vec<Vec<f64>> {
    let mut reader = csv::Reader::from_path(format!("tests/reference/{name}.csv")).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn vector(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(x)
}

/// A mechanism whose motion is known: what the solver finds, and what is right, at given times.
struct Case<'a> {
    model: &'a dyn Fn() -> SpatialModel,
    exact: &'a [(f64, Quantities)],
    found: &'a dyn Fn(&DaeSolver<SpatialSystem>) -> Quantities,
    /// Of Newton's method.
    tolerance: f64,
}

impl Case<'_> {
    /// Largest errors of all quantities.
    fn errors(&self, method: Method, formulation: Formulation, h: f64) -> Vec<(&'static str, f64)> {
        let settings = DaeSettings { formulation, tolerance: self.tolerance, ..DaeSettings::default() };
        let mut solver = start((self.model)(), method, settings);
        let mut errors: Vec<(&'static str, f64)> =
            self.exact[0].1.iter().map(|(name, _)| (*name, 0.0)).collect();
        for (time, exact) in self.exact {
            solver.advance_to(*time, h).unwrap();
            let found = (self.found)(&solver);
            for ((error, (_, exact)), (_, found)) in errors.iter_mut().zip(exact).zip(&found) {
                assert_eq!(exact.len(), found.len());
                error.1 = exact.iter().zip(found).fold(error.1, |m, (a, b)| m.max((a - b).abs()));
            }
        }
        errors
    }

    /// Halves the step: all errors must fall with the order, within `slack`.
    #[track_caller]
    fn check(&self, method: Method, formulation: Formulation, (h, order, slack): (f64, f64, f64)) {
        let [coarse, fine] = [h, 0.5 * h].map(|h| self.errors(method, formulation, h));
        for ((name, coarse), (_, fine)) in coarse.iter().zip(fine) {
            let found = (coarse / fine).log2();
            let rule = format!("{method:?} {formulation:?}");
            assert!((found - order).abs() < slack, "{rule} {name}: {found:.2}, {coarse:.2e} to {fine:.2e}");
        }
    }
}

/// A heavy top turns about its tip: `a = α × x + ω × (ω × x)` with `J α + ω × J ω = −m g x × e_z`, all about the tip.
fn top_at(row: &[f64]) -> Quantities {
    let (mass, g) = (15.0, Vector3::new(0.0, 0.0, -9.81));
    let x = vector(&row[1..4]);
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(row[4], row[5], row[6], row[7]));
    let spin = vector(&row[8..11]);
    let arm = Vector3::y();
    let about_tip =
        diagonal(0.234_375, 0.468_75, 0.234_375) + (Matrix3::identity() - arm * arm.transpose()) * mass;
    let moment = arm.cross(&(rotation.inverse() * (mass * g)));
    let rate = about_tip.try_inverse().unwrap() * (moment - spin.cross(&(about_tip * spin)));
    let acceleration = rotation * (rate.cross(&arm) + spin.cross(&spin.cross(&arm)));
    vec![
        ("position", x.as_slice().to_vec()),
        ("orientation", rotation.to_rotation_matrix().matrix().as_slice().to_vec()),
        ("velocity", (rotation * spin.cross(&arm)).as_slice().to_vec()),
        ("spin", spin.as_slice().to_vec()),
        ("reaction", (mass * (g - acceleration)).as_slice().to_vec()),
    ]
}

fn top_found(solver: &DaeSolver<SpatialSystem>) -> Quantities {
    let state = solver.state();
    let q = &state.q;
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(q[3], q[4], q[5], q[6]));
    vec![
        ("position", q[..3].to_vec()),
        ("orientation", rotation.to_rotation_matrix().matrix().as_slice().to_vec()),
        ("velocity", state.v[..3].to_vec()),
        ("spin", state.v[3..6].to_vec()),
        ("reaction", state.mu[..3].to_vec()),
    ]
}

#[test]
fn heavy_top() {
    let rows = table("heavy_top");
    let exact: Vec<_> = rows.iter().filter(|row| row[0] < 0.55).map(|row| (row[0], top_at(row))).collect();
    let case = Case { model: &mechanisms::heavy_top, exact: &exact, found: &top_found, tolerance: 1e-12 };
    for formulation in STABILISED {
        for method in SECOND_ORDER {
            case.check(method, formulation, (2.5e-4, 2.0, 0.3));
        }
        // Newmark's rule without damping makes the reactions of index 3 grow without bound.
        for (method, order) in OTHERS.into_iter().filter(|_| formulation != Formulation::Position) {
            case.check(method, formulation, (2.5e-4, order, 0.3));
        }
        for (order, h) in [(2, 1e-4), (3, 2.5e-4), (4, 5e-4)] {
            case.check(Method::Bdf { order }, formulation, (h, order as f64, 0.4));
        }
    }
}

/// Two masses of 1 kg at the ends of rods of 1 m without mass: the joints carry what the masses' accelerations ask for.
fn double_pendulum() -> SpatialModel {
    // Point masses have no inertia; that of the reference is met to the size of this one.
    let tiny = 1e-11;
    let mut model = SpatialModel::new().with_gravity([0.0, -9.81, 0.0]);
    for (k, name) in ["upper", "lower"].into_iter().enumerate() {
        let body = RigidBody::new(1.0, diagonal(tiny, tiny, tiny)).unwrap();
        model = model.with_body(Body::new(name, body).at([k as f64 + 1.0, 0.0, 0.0]));
    }
    let axis = |x: f64| ([x, 0.0, 0.0], Z);
    model.with_joint_at("support", JointKind::Revolute, [None, Some("upper")], axis(0.0)).with_joint_at(
        "elbow",
        JointKind::Revolute,
        [Some("upper"), Some("lower")],
        axis(1.0),
    )
}

/// From angles, rates and their rates.
fn masses_at(row: &[f64]) -> Quantities {
    let [mut x, mut v, mut a] = [Vector3::zeros(); 3];
    let g = Vector3::new(0.0, -9.81, 0.0);
    let mut masses = [[x; 3]; 2];
    for k in 0..2 {
        let ((s, c), rate, second) = (row[1 + k].sin_cos(), row[3 + k], row[5 + k]);
        let (along, down) = (Vector3::new(c, s, 0.0), Vector3::new(s, -c, 0.0));
        (x, v, a) = (x + down, v + along * rate, a + along * second - down * (rate * rate));
        masses[k] = [x, v, a];
    }
    let [[x1, v1, a1], [x2, v2, a2]] = masses;
    let both = |a: Vector3<f64>, b: Vector3<f64>| a.iter().chain(&b).copied().collect();
    vec![
        ("position", both(x1, x2)),
        ("velocity", both(v1, v2)),
        ("reaction", both(2.0 * g - a1 - a2, g - a2)),
    ]
}

fn masses_found(solver: &DaeSolver<SpatialSystem>) -> Quantities {
    let state = solver.state();
    let both = |x: &[f64], second: usize| [&x[..3], &x[second..second + 3]].concat();
    vec![("position", both(&state.q, 7)), ("velocity", both(&state.v, 6)), ("reaction", both(&state.mu, 5))]
}

#[test]
fn double_pendulum_of_points() {
    let rows = table("double_pendulum");
    let exact: Vec<_> = rows.iter().filter(|row| row[0] < 1.55).map(|row| (row[0], masses_at(row))).collect();
    let case = Case { model: &double_pendulum, exact: &exact, found: &masses_found, tolerance: 1e-12 };
    for formulation in STABILISED {
        for method in SECOND_ORDER {
            case.check(method, formulation, (1e-3, 2.0, 0.3));
        }
        case.check(Method::Bdf { order: 4 }, formulation, (2e-3, 4.0, 0.4));
    }
}

/// Where all bars lie in one line the constraints depend on each other: projections have no direction there, while a single
/// level passes. The motion of the first tip is that of the reference, whose loops stay parallel.
#[test]
fn four_bars_through_their_flat_positions() {
    let tip_at =
        |row: &Vec<f64>| (row[0], vec![("position", row[1..3].to_vec()), ("velocity", row[3..5].to_vec())]);
    // The tip of crank 0 is twice as far from its foot as the centre.
    let found = |solver: &DaeSolver<SpatialSystem>| {
        let (q, v) = (&solver.state().q, &solver.state().v);
        vec![("position", vec![2.0 * q[0], 2.0 * q[1]]), ("velocity", vec![2.0 * v[0], 2.0 * v[1]])]
    };
    for n in [1, 2] {
        let exact: Vec<_> = table(&format!("n_four_bar_{n}")).iter().map(tip_at).collect();
        let case = Case { model: &|| n_four_bar(n), exact: &exact, found: &found, tolerance: 1e-10 };
        for method in SECOND_ORDER {
            for formulation in [Formulation::Position, Formulation::Velocity] {
                case.check(method, formulation, (2e-3, 2.0, 0.3));
            }
        }
    }
}

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
