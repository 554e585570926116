//! Friction of contacts that stick and slide differently, against closed forms and an ordinary differential equation.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{observed_order, step_sizes};
use cosimo_dynamics::{LinearSystem, Theta};
use cosimo_mechanics::{ContactLaw, ContactLawError, StaticFriction, Stribeck};
use cosimo_nonsmooth::{
    ContactChangeKind, FrictionState, ImpactResolution, MoreauJean, MovingPlane, MovingPlanes, PlaneMotion,
};
use nalgebra::{Vector3, dmatrix};

const G: f64 = 9.81;
const SLIDING: f64 = 0.3;
const STATIC: f64 = 0.5;

fn law(stribeck: Option<Stribeck>) -> ContactLaw {
    let static_friction = Some(StaticFriction { coefficient: STATIC, stribeck });
    ContactLaw { static_friction, ..ContactLaw::with_friction(0.0, SLIDING) }
}

/// A mass of 1 kg on this plane, held by a spring `k` (N/m) along x.
fn on_plane(motion: PlaneMotion, law: ContactLaw, k: f64, speed: Vector3<f64>) -> MoreauJean {
    on_plane_by(ImpactResolution::SubStep, motion, law, k, speed)
}

fn on_plane_by(
    resolution: ImpactResolution,
    motion: PlaneMotion,
    law: ContactLaw,
    k: f64,
    speed: Vector3<f64>,
) -> MoreauJean {
    let planes = MovingPlanes::new(vec![MovingPlane { name: "plane".into(), motion, law }], 0.0).unwrap();
    let system = LinearSystem::new(dmatrix![1.0, 0.0, 0.0; 0.0, 1.0, 0.0; 0.0, 0.0, 1.0]).unwrap();
    let system = system.with_stiffness(dmatrix![k, 0.0, 0.0; 0.0, 0.0, 0.0; 0.0, 0.0, 0.0]).unwrap();
    let system = system.with_force(vec![0.0, 0.0, -G]).unwrap();
    let (laws, start) = (planes.laws(), (0.0, vec![0.0; 3], speed.as_slice().to_vec()));
    let contacts = (Box::new(planes) as _, laws);
    MoreauJean::new(system, Theta::default(), contacts, resolution, start).unwrap()
}

fn flat() -> PlaneMotion {
    PlaneMotion::at_rest(Vector3::zeros(), Vector3::z())
}

/// Classical Runge-Kutta steps of `ẏ = f(t, y)` from `t` to `end`.
fn integrate<const N: usize>(
    f: impl Fn(f64, [f64; N]) -> [f64; N],
    mut y: [f64; N],
    (start, end): (f64, f64),
) -> [f64; N] {
    let count = 200_000;
    let h = (end - start) / f64::from(count);
    let moved = |y: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    for step in 0..count {
        let t = start + f64::from(step) * h;
        let a = f(t, y);
        let b = f(t + 0.5 * h, moved(y, a, 0.5 * h));
        let c = f(t + 0.5 * h, moved(y, b, 0.5 * h));
        let d = f(t + h, moved(y, c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
}

/// A block lies on an incline that tilts slowly about its place. It breaks away at `tan α = μ_s` and slides with `μ`:
///
/// ```text
///   s̈ = g sin α + Ω² s − μ N/m      N/m = g cos α + 2 Ω ṡ
/// ```
#[test]
fn a_block_breaks_away_from_a_tilting_incline() {
    let (rate, after) = (0.1, 0.5);
    // Towards −x: the incline falls along +x.
    let motion = PlaneMotion { angular_velocity: Vector3::y() * rate, ..flat() };
    let breaks_away = STATIC.atan() / rate;
    let slides = |t: f64, [s, v]: [f64; 2]| {
        let (sine, cosine) = (rate * t).sin_cos();
        [v, G * sine + rate * rate * s - SLIDING * (G * cosine - 2.0 * rate * v)]
    };
    let [displacement, speed] = integrate(slides, [0.0, 0.0], (breaks_away, breaks_away + after));
    for h in [2e-3, 1e-3, 5e-4] {
        let mut stepper = on_plane(motion.clone(), law(None), 0.0, Vector3::zeros());
        let mut slip = Vec::new();
        while stepper.stepper().state().time < breaks_away + after - 0.5 * h {
            stepper.step(h).unwrap();
            let changes = stepper.contacts().changes.iter();
            slip.extend(changes.filter(|c| c.kind == ContactChangeKind::Slip).map(|c| c.time));
        }
        assert_eq!(slip.len(), 1, "{slip:?}");
        assert!((slip[0] - breaks_away).abs() <= h, "{slip:?} {breaks_away}");
        let state = stepper.stepper().state();
        // The break-away is known to a step.
        let [way_error, speed_error] = [
            displacement - Vector3::from_column_slice(&state.q).norm(),
            speed - Vector3::from_column_slice(&state.v).norm(),
        ];
        let acceleration = slides(breaks_away, [0.0, 0.0])[1];
        assert!(way_error.abs() < 1.5 * h * acceleration * after, "{h}: {way_error}");
        assert!(speed_error.abs() < 1.5 * h * acceleration, "{h}: {speed_error}");
    }
}

/// A block that slides up an incline between both angles of friction stops and stays: its slip would turn back under `μ`.
#[test]
fn a_block_that_stops_is_held_by_static_friction() {
    let angle = (0.5 * (SLIDING + STATIC)).atan();
    let (sine, cosine) = angle.sin_cos();
    let up = Vector3::new(cosine, 0.0, sine);
    let deceleration = G * (sine + SLIDING * cosine);
    for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
        for h in [1e-3, 3.3e-4] {
            let incline = PlaneMotion::at_rest(Vector3::zeros(), Vector3::new(-sine, 0.0, cosine));
            let mut stepper = on_plane_by(resolution, incline, law(None), 0.0, up);
            let (mut stops, mut slides) = (Vec::new(), 0);
            for _ in 0..(1.0 / h) as usize {
                stepper.step(h).unwrap();
                for change in &stepper.contacts().changes {
                    match change.kind {
                        ContactChangeKind::Stick => stops.push(change.time),
                        ContactChangeKind::Slip => slides += 1,
                        _ => {}
                    }
                }
            }
            assert_eq!((stops.len(), slides), (1, 0), "{resolution:?} {h}");
            assert!((stops[0] - 1.0 / deceleration).abs() < 2.0 * h, "{stops:?}");
            let state = stepper.stepper().state();
            assert!(state.v.iter().all(|v| v.abs() < 1e-12), "{:?}", state.v);
            let displacement = Vector3::from_column_slice(&state.q).dot(&up);
            assert!((displacement - 0.5 / deceleration).abs() < h, "{displacement}");
        }
    }
}

/// The ends of rides and slides of a block on a belt at speed `v` (m/s), held by a spring `k`, and its farthest places.
struct Belt {
    v: f64,
    k: f64,
}

impl Belt {
    fn omega(&self) -> f64 {
        self.k.sqrt()
    }

    /// Way (m) from the middle of the slide to its ends, `(μ_s − μ) N/k`.
    fn half(&self) -> f64 {
        (STATIC - SLIDING) * G / self.k
    }

    fn slides_for(&self) -> f64 {
        let phase = (self.half() * self.omega() / self.v).atan();
        (2.0 * std::f64::consts::PI - 2.0 * phase) / self.omega()
    }

    fn rides_for(&self) -> f64 {
        2.0 * self.half() / self.v
    }

    fn farthest(&self) -> f64 {
        SLIDING * G / self.k + self.half().hypot(self.v / self.omega())
    }

    /// Rides, slides and farthest place in the steady cycles of a run.
    fn run(&self, h: f64, resolution: ImpactResolution) -> [f64; 3] {
        let motion = PlaneMotion { velocity: Vector3::x() * self.v, ..flat() };
        let start = Vector3::x() * self.v;
        let mut stepper = on_plane_by(resolution, motion, law(None), self.k, start);
        let (mut ends, mut farthest) = (Vec::new(), 0.0_f64);
        while stepper.stepper().state().time < 4.0 {
            stepper.step(h).unwrap();
            farthest = farthest.max(stepper.stepper().state().q[0]);
            let is_end = |kind| matches!(kind, ContactChangeKind::Stick | ContactChangeKind::Slip);
            let changes = stepper.contacts().changes.iter().filter(|change| is_end(change.kind));
            ends.extend(changes.map(|change| (change.kind, change.time)));
        }
        let means = [ContactChangeKind::Stick, ContactChangeKind::Slip].map(|kind| {
            let spans: Vec<f64> =
                ends.windows(2).filter(|w| w[0].0 == kind).map(|w| w[1].1 - w[0].1).collect();
            assert!(spans.len() >= 3, "{ends:?}");
            spans.iter().sum::<f64>() / spans.len() as f64
        });
        [means[0], means[1], farthest]
    }
}

/// The limit cycle of the block on the belt: rides of `2 (μ_s − μ) N/(k v)`, slides of half a vibration about `μ N/k`.
#[test]
fn the_block_on_the_belt_has_the_limit_cycle_of_the_closed_form() {
    let belt = Belt { v: 0.1, k: 100.0 };
    let exact = [belt.rides_for(), belt.slides_for(), belt.farthest()];
    for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
        let errors = |h: f64| {
            let found = belt.run(h, resolution);
            std::array::from_fn::<f64, 3, _>(|i| (found[i] - exact[i]).abs() / exact[i])
        };
        for (h, bound) in [(4e-3, 2e-2), (1e-3, 5e-3), (2.5e-4, 1.25e-3)] {
            let found = errors(h);
            assert!(found.iter().all(|error| *error < bound), "{resolution:?} {h}: {found:?}");
        }
    }
}

/// A block on a spring slides with Stribeck's friction as the integrated equation does: of order two while it slides.
#[test]
fn stribecks_curve_is_followed_at_order_two() {
    let (k, speed, end) = (20.0, 2.0, 0.2);
    for exponent in [1.0, 2.0] {
        let curve = Stribeck { speed: 0.8, exponent };
        let slides = |_: f64, [x, v]: [f64; 2]| {
            let mu = SLIDING + (STATIC - SLIDING) * (-(v / curve.speed).powf(exponent)).exp();
            [v, -k * x - mu * G]
        };
        let [displacement, speed_at_end] = integrate(slides, [0.0, speed], (0.0, end));
        assert!(speed_at_end > 0.2, "{speed_at_end}");
        for resolution in [ImpactResolution::SubStep, ImpactResolution::Plain] {
            let steps = step_sizes(6, (1e-2, 1e-3), end);
            let error = |h: &f64| {
                let mut stepper = on_plane_by(resolution, flat(), law(Some(curve)), k, Vector3::x() * speed);
                for _ in 0..(end / h).round() as usize {
                    stepper.step(*h).unwrap();
                }
                let state = stepper.stepper().state();
                (state.q[0] - displacement).abs() + (state.v[0] - speed_at_end).abs()
            };
            let errors: Vec<f64> = steps.iter().map(error).collect();
            let order = observed_order(&steps, &errors);
            assert!((1.9..2.1).contains(&order), "{order}: {errors:?}");
        }
    }
}

/// From rest a block with Stribeck's curve breaks away at `μ_s`, and then accelerates as the integrated equation does.
#[test]
fn stribecks_curve_holds_up_to_static_friction() {
    let curve = Stribeck { speed: 0.05, exponent: 1.0 };
    let mut stepper = on_plane(flat(), law(Some(curve)), 0.0, Vector3::zeros());
    for _ in 0..100 {
        stepper.step(1e-3).unwrap();
        assert!(stepper.stepper().state().v[0].abs() < 1e-15);
    }
    let belt = PlaneMotion { velocity: Vector3::x() * 0.1, ..flat() };
    let k = 100.0;
    let mut stepper = on_plane(belt, law(Some(curve)), k, Vector3::x() * 0.1);
    let h = 1e-4;
    let slip = loop {
        stepper.step(h).unwrap();
        if let Some(change) = stepper.contacts().changes.iter().find(|c| c.kind == ContactChangeKind::Slip) {
            break change.time;
        }
    };
    let exact = STATIC * G / k / 0.1;
    assert!((slip - exact).abs() < 2.0 * h, "{slip} {exact}");
    assert_eq!(FrictionState::Slip, stepper.contacts().changes.last().unwrap().state);
}

/// One coefficient for both is the law without static friction, to the bit.
#[test]
fn equal_coefficients_are_coulombs_law() {
    let one = ContactLaw::with_friction(0.3, SLIDING);
    let equal =
        ContactLaw { static_friction: Some(StaticFriction { coefficient: SLIDING, stribeck: None }), ..one };
    let run = |law: ContactLaw| {
        let mut stepper = on_plane(flat(), law, 100.0, Vector3::new(0.4, 0.3, 0.5));
        (0..2000)
            .flat_map(|_| {
                stepper.step(1e-3).unwrap();
                stepper.stepper().state().q.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(one), run(equal));
}

#[test]
fn wrong_numbers_are_refused() {
    let with = |coefficient, stribeck| ContactLaw {
        static_friction: Some(StaticFriction { coefficient, stribeck }),
        ..ContactLaw::with_friction(0.0, SLIDING)
    };
    let sliding = SLIDING;
    assert_eq!(with(0.2, None).check(), Err(ContactLawError::StaticBelowSliding { found: 0.2, sliding }));
    assert!(with(f64::NAN, None).check().is_err());
    let curve = |speed, exponent| with(STATIC, Some(Stribeck { speed, exponent })).check();
    assert_eq!(curve(0.0, 1.0).unwrap_err().to_string(), "Stribeck's speed is 0, must be positive");
    assert_eq!(curve(0.1, 2.0), Ok(()));
}
