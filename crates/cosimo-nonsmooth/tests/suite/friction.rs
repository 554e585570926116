//! Coulomb friction against closed forms: blocks, spheres, oscillators; energy; the impact laws.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::random::Random;
use crate::common::{assert_balance, assert_created, energy};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_mechanics::{ContactLaw, ImpactLaw};
use cosimo_nonsmooth::{
    ContactChangeKind, ContactLaws, ContactMemory, ContactRows, FrictionState, Hit, ImpactResolution,
    MoreauJean, MovingPlane, MovingPlanes, OneStepProblem, PlaneMotion,
};
use nalgebra::{DMatrix, DVector, Vector3, dmatrix};

const G: f64 = 9.81;

fn plane(normal: Vector3<f64>, law: ContactLaw) -> MovingPlane {
    MovingPlane { name: "plane".into(), motion: PlaneMotion::at_rest(Vector3::zeros(), normal), law }
}

/// A block of 1 kg on a plane that rises by `angle` towards +x, sliding up at `speed`; and the unit vector up the slope.
fn block(angle: f64, mu: f64, speed: f64) -> (MoreauJean, Vector3<f64>) {
    let (sine, cosine) = angle.sin_cos();
    let up = Vector3::new(cosine, 0.0, sine);
    let law = ContactLaw::with_friction(0.0, mu);
    let planes = MovingPlanes::new(vec![plane(Vector3::new(-sine, 0.0, cosine), law)], 0.0).unwrap();
    let system = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -G)).unwrap();
    let start = (0.0, vec![0.0; 3], (up * speed).as_slice().to_vec());
    (started(system, planes, start), up)
}

fn started(system: LinearSystem, planes: MovingPlanes, start: (f64, Vec<f64>, Vec<f64>)) -> MoreauJean {
    let laws = planes.laws();
    let contacts = (Box::new(planes) as _, laws);
    MoreauJean::new(system, Theta::default(), contacts, ImpactResolution::SubStep, start).unwrap()
}

fn vector(x: &[f64]) -> Vector3<f64> {
    Vector3::new(x[0], x[1], x[2])
}

/// Energy (J) that an impulse `P` creates whose place is `p` before the end of a step of `h` (s), on a mass `m` on a spring
/// `k` that would end at speed `v`: `(p − h/2) (h/2 v + ½ (p + h/2) w P) k w P` with `w = 1/(m + h²k/4)`.
fn created_inside((m, k): (f64, f64), h: f64, v: f64, (impulse, place): (f64, f64)) -> f64 {
    let kick = impulse / (m + 0.25 * h * h * k);
    (place - 0.5 * h) * (0.5 * h * v + 0.5 * (place + 0.5 * h) * kick) * k * kick
}

/// Up an incline too flat to slide back: stops at `v/(g (sin + μ cos))` and stays.
#[test]
fn a_block_stops_and_stays() {
    for h in [1e-3, 3.3e-4] {
        let (mut stepper, up) = block(0.2, 0.3, 2.0);
        let deceleration = G * (0.2_f64.sin() + 0.3 * 0.2_f64.cos());
        let (stop, displacement) = (2.0 / deceleration, 2.0 / deceleration);
        let mut stuck = None;
        let mut e = energy(&stepper);
        for _ in 0..(0.5 / h) as usize {
            stepper.step(h).unwrap();
            let after = energy(&stepper);
            assert_balance(&stepper, e, after);
            e = after;
            let change = stepper.contacts().changes.iter().find(|c| c.kind == ContactChangeKind::Stick);
            stuck = stuck.or(change.map(|c| c.time));
        }
        assert!((stuck.unwrap() - stop).abs() < h, "{stuck:?} {stop}");
        let at_rest = vector(&stepper.stepper().state().q);
        assert!((at_rest.dot(&up) - displacement).abs() < deceleration * h * h);
        for _ in 0..10_000 {
            stepper.step(h).unwrap();
            assert!(vector(&stepper.stepper().state().v).norm() < 1e-12);
        }
        assert!((vector(&stepper.stepper().state().q) - at_rest).norm() < 1e-12);
    }
}

/// Up an incline too steep to stay: turns and slides back.
#[test]
fn a_block_turns_and_slides_back() {
    let (h, angle, mu) = (1e-3, 0.35_f64, 0.3);
    let (mut stepper, up) = block(angle, mu, 2.0);
    let (rising, falling) = (G * (angle.sin() + mu * angle.cos()), G * (angle.sin() - mu * angle.cos()));
    let mut e = energy(&stepper);
    for k in 1..=1500 {
        stepper.step(h).unwrap();
        let after = energy(&stepper);
        assert_balance(&stepper, e, after);
        e = after;
        let t = k as f64 * h;
        let stop = 2.0 / rising;
        let speed = if t < stop { 2.0 - rising * t } else { -falling * (t - stop) };
        let found = vector(&stepper.stepper().state().v).dot(&up);
        // It turns inside a step: friction before and after has its own direction.
        assert!((found - speed).abs() < 1e-12, "{t}: {found} {speed}");
        if t < stop - h || t > stop + 2.0 * h {
            let friction = stepper.contacts().sustained[1].hypot(stepper.contacts().sustained[2]);
            assert!((friction - mu * stepper.contacts().sustained[0]).abs() < 1e-15);
        }
    }
}

/// The friction points exactly against the slip, whatever the direction on the plane.
#[test]
fn friction_opposes_the_slip() {
    for direction in [0.0, 0.1, 0.7, 1.3, 2.9] {
        let law = ContactLaw::with_friction(0.0, 0.25);
        let planes = MovingPlanes::new(vec![plane(Vector3::z(), law)], 0.0).unwrap();
        let system = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -G)).unwrap();
        let v: Vector3<f64> = Vector3::new(f64::cos(direction), f64::sin(direction), 0.0) * 3.0;
        let mut stepper = started(system, planes, (0.0, vec![0.0; 3], v.as_slice().to_vec()));
        let (mut steps, mut e) = (0, energy(&stepper));
        while stepper.contacts().changes.iter().all(|c| c.kind != ContactChangeKind::Stick) {
            stepper.step(1e-3).unwrap();
            let after = energy(&stepper);
            assert_balance(&stepper, e, after);
            e = after;
            let p = &stepper.contacts().impulses;
            let across = p[1] * direction.sin() - p[2] * direction.cos();
            assert!(across.abs() < 1e-8 * p[0], "{p:?}");
            steps += 1;
        }
        assert!((f64::from(steps) * 1e-3 - 3.0 / (0.25 * G)).abs() < 2e-3);
        let displacement = vector(&stepper.stepper().state().q).norm();
        assert!((displacement - 4.5 / (0.25 * G)).abs() < 1e-6, "{displacement}");
    }
}

/// A sphere thrown without spin slides until its surface keeps up, at 5/7 of its speed, and rolls on.
#[test]
fn a_sphere_slides_then_rolls() {
    let (r, mu) = (0.1, 0.3);
    for (omega, t_roll, v_roll, x_roll) in [
        (0.0, 0.194_165_331_780_010_7, 1.428_571_428_571_428_4, 0.332_854_854_480_018_34),
        (-70.0, 0.873_743_993_010_048_1, -0.571_428_571_428_571_6, 0.624_102_852_150_034_2),
    ] {
        let law = ContactLaw::with_friction(0.0, mu);
        let planes = MovingPlanes::with_spin(vec![plane(Vector3::z(), law)], r, true).unwrap();
        let system = MovingPlanes::sphere(1.0, 0.4 * r * r, Vector3::new(0.0, 0.0, -G)).unwrap();
        let start = (0.0, vec![0.0, 0.0, r, 0.0, 0.0, 0.0], vec![2.0, 0.0, 0.0, 0.0, omega, 0.0]);
        let mut stepper = started(system, planes, start);
        let (h, mut rolls, mut e) = (1e-3, None, energy(&stepper));
        for _ in 0..1200 {
            stepper.step(h).unwrap();
            let after = energy(&stepper);
            assert_balance(&stepper, e, after);
            e = after;
            if let Some(c) = stepper.contacts().changes.iter().find(|c| c.kind == ContactChangeKind::Stick) {
                rolls = rolls.or(Some(c.time));
            }
        }
        assert!((rolls.unwrap() - t_roll).abs() < 3.0 * h, "{rolls:?} {t_roll}");
        let state = stepper.stepper().state();
        assert!((state.v[0] - v_roll).abs() < 1e-12 && (state.v[4] * r - v_roll).abs() < 1e-12);
        let x = x_roll + v_roll * (state.time - t_roll);
        assert!((state.q[0] - x).abs() < 1e-5, "{} {x}", state.q[0]);
    }
}

/// The oscillator with dry friction: half cycles of `2 μ g/ω²` less each, and its end in the dead band.
#[test]
fn a_spring_with_dry_friction_comes_to_rest() {
    let (k, mu, h) = (100.0, 0.2, 1e-3);
    let system = LinearSystem::new(DMatrix::identity(2, 2)).unwrap();
    let system =
        system.with_stiffness(dmatrix![k, 0.0; 0.0, 0.0]).unwrap().with_force(vec![0.0, -G]).unwrap();
    let rows = LinearRows(vec![LinearRow::coordinate(1), LinearRow::coordinate(0)]);
    let laws = ContactLaws::new([(ContactLaw::with_friction(0.0, mu), 1)]);
    let start = (0.0, vec![0.5, 0.0], vec![0.0, 0.0]);
    let contacts = (Box::new(rows) as _, laws);
    let mut stepper =
        MoreauJean::new(system, Theta::default(), contacts, ImpactResolution::SubStep, start).unwrap();
    let (mut last, mut e, mut turns) = (None, energy(&stepper), 0);
    for _ in 0..6000 {
        stepper.step(h).unwrap();
        let after = energy(&stepper);
        // Where the slip turns inside the step, the friction changes there.
        let moments = &stepper.contacts().moments;
        let (change, moment) = (moments.velocity[1], moments.position[1]);
        let created = if change == 0.0 {
            0.0
        } else {
            let free = stepper.stepper().state().v[0] - change / (1.0 + 0.25 * h * h * k);
            created_inside((1.0, k), h, free, (change, moment / change))
        };
        turns += usize::from(change != 0.0);
        assert_created(&stepper, (e, after), created);
        e = after;
        let stick = stepper.contacts().changes.iter().find(|c| c.kind == ContactChangeKind::Stick);
        last = stick.map(|c| c.time).or(last);
    }
    assert!((last.unwrap() - 4.084_070_449_666_731).abs() < 3.0 * h, "{last:?}");
    // In some steps friction can hold the mass until their end.
    assert!(turns > 5, "{turns}");
    let state = stepper.stepper().state();
    assert!((state.q[0] - 0.010_12).abs() < 1e-4 && state.v[0].abs() < 1e-12, "{state:?}");
}

/// What an impact inside a step creates on a spring: nothing in its middle, else of the order of the step squared.
#[test]
fn impacts_on_springs_create_what_they_must() {
    let (k, e, gap) = (400.0, 0.8, 0.05);
    for h in [4e-3, 2e-3, 1e-3, 5e-4] {
        let system = LinearSystem::new(DMatrix::identity(1, 1)).unwrap();
        let system = system.with_stiffness(dmatrix![k]).unwrap();
        let rows = LinearRows(vec![LinearRow { offset: -gap, ..LinearRow::coordinate(0) }]);
        let contacts = (Box::new(rows) as _, vec![e]);
        let start = (0.0, vec![0.1], vec![-1.0]);
        let mut stepper =
            MoreauJean::new(system, Theta::default(), contacts, ImpactResolution::SubStep, start).unwrap();
        let (mut before, mut impacts) = (energy(&stepper), 0);
        for _ in 0..(1.0 / h) as usize {
            stepper.step(h).unwrap();
            let (after, contacts) = (energy(&stepper), stepper.contacts());
            let created = contacts.changes.first().map_or(0.0, |impact| {
                let place = stepper.stepper().state().time - impact.time;
                let free = stepper.stepper().state().v[0] - impact.impulse / (1.0 + 0.25 * h * h * k);
                created_inside((1.0, k), h, free, (impact.impulse, place))
            });
            assert!(created.abs() < 4.0 * k * h * h, "{created}");
            assert_created(&stepper, (before, after), created);
            impacts += contacts.changes.len();
            before = after;
        }
        assert!(impacts > 2, "{impacts}");
    }
}

/// Order two through oblique impacts with friction, and the impulses of a ball on a slope.
#[test]
fn oblique_impacts_have_the_bound_of_the_cone() {
    let angle = 0.05_f64;
    let law = ContactLaw::with_friction(0.8, 0.02);
    let normal = Vector3::new(angle.sin(), 0.0, angle.cos());
    let planes = MovingPlanes::new(vec![plane(normal, law)], 0.1).unwrap();
    let system = MovingPlanes::point_mass(1.0, Vector3::new(0.0, 0.0, -G)).unwrap();
    let mut stepper = started(system, planes, (0.0, vec![0.0, 0.0, 1.0], vec![0.0; 3]));
    let (mut impacts, mut e) = (Vec::new(), energy(&stepper));
    for _ in 0..2000 {
        stepper.step(1e-3).unwrap();
        let after = energy(&stepper);
        assert_balance(&stepper, e, after);
        e = after;
        impacts.extend(stepper.contacts().changes.iter().map(|c| (c.time, c.impulse, c.tangential, c.state)));
    }
    let times = [0.428_323_158_093_578_5, 1.113_640_211_043_304_1, 1.661_893_853_403_084_7];
    for (found, exact) in impacts.iter().zip(times) {
        assert!((found.0 - exact).abs() < 1e-11, "{found:?} {exact}");
        assert!((found.2[0] + 0.02 * found.1).abs() < 1e-13 && found.2[1].abs() < 1e-15);
        assert_eq!(found.3, FrictionState::Slip);
    }
    let state = stepper.stepper().state();
    for (found, exact) in [
        (state.q[0], 0.565_974_141_589_305_8),
        (state.q[2], 0.238_467_726_470_472_32),
        (state.v[0], 0.553_020_629_041_849_6),
        (state.v[2], -1.193_148_102_540_130_5),
    ] {
        assert!((found - exact).abs() < 1e-11, "{found} {exact}");
    }
}

/// A random effective mass of two contacts in space, six rows: gaps first.
fn random_impact(random: &mut Random) -> (DMatrix<f64>, DVector<f64>) {
    let m = DMatrix::from_fn(6, 6, |_, _| random.between(-1.0, 1.0));
    let w = &m * m.transpose() + DMatrix::identity(6, 6) * 0.01;
    let mut rates = DVector::from_fn(6, |_, _| random.between(-1.0, 1.0));
    (rates[0], rates[1]) = (-rates[0].abs(), -rates[1].abs());
    (w, rates)
}

/// Rows of the two contacts in a step without loads, which ends with the gaps given.
fn impact_rows<'a>(
    laws: &'a ContactLaws,
    w: [&'a DMatrix<f64>; 2],
    rates: &'a DVector<f64>,
    end_gaps: &'a [f64; 2],
) -> ContactRows<'a> {
    ContactRows {
        time: 0.0,
        step: 1e-3,
        macro_step: 1e-3,
        damping_weight: 0.0,
        position_weight: 5e-4,
        load_weight: 1e-3,
        start_gaps: &[0.0; 2],
        start_rates: rates.as_slice(),
        lengths: &[],
        speeds: &[],
        end_gaps,
        end_rates: rates.as_slice(),
        laws,
        delassus: w[0].into(),
        damped: w[1],
        impacts: None,
        partings: None,
        impact_lead: None,
    }
}

fn collide(law: [ContactLaw; 2], w: &DMatrix<f64>, rates: &DVector<f64>) -> (f64, Vec<f64>, usize) {
    let laws = ContactLaws::new(law.map(|law| (law, 2)));
    let none = DMatrix::zeros(0, 0);
    let rows = impact_rows(&laws, [w, &none], rates, &[0.0; 2]);
    let mut problem = OneStepProblem::with_rows(2, 6, ImpactResolution::SubStep);
    let solution = problem.collide(&rows, &[0, 1].map(Hit::bouncing), &mut [ContactMemory::OPEN; 2]).unwrap();
    let p = DVector::from_column_slice(&solution.sustained);
    // The energy from the impulses alone.
    let change = p.dot(rates) + 0.5 * p.dot(&(w * &p));
    assert!((change - solution.work).abs() < 1e-9 * (1.0 + p.norm_squared()), "{change} {}", solution.work);
    assert_eq!(change > 1e-8, solution.gains.iter().any(|gain| gain.energy > 1e-8));
    (change, solution.sustained.clone(), solution.gains.len())
}

/// Newton's law with friction creates energy in some states, and says so; Moreau's never does.
#[test]
fn newton_reports_its_gains_and_moreau_has_none() {
    let mut random = Random::new(7);
    let mut gains = 0;
    for _ in 0..2000 {
        let (w, rates) = random_impact(&mut random);
        let (mu, e) = (random.between(0.0, 1.0), [random.between(0.0, 1.0), random.between(0.0, 1.0)]);
        let newton = e.map(|e| ContactLaw::with_friction(e, mu));
        gains += usize::from(collide(newton, &w, &rates).0 > 1e-8);
        let moreau = newton.map(|law| ContactLaw { impact: ImpactLaw::Moreau, ..law });
        let (change, _, reported) = collide(moreau, &w, &rates);
        assert!(change <= 1e-10 && reported == 0, "{change}");
    }
    assert!(gains > 10, "{gains}");
}

/// The plain problem creates energy in the same states, and says so too.
#[test]
fn the_plain_problem_reports_its_gains() {
    let mut random = Random::new(8);
    let mut gains = 0;
    for _ in 0..6000 {
        let (w, rates) = random_impact(&mut random);
        let (mu, e) = (random.between(0.0, 1.0), [random.between(0.0, 1.0), random.between(0.0, 1.0)]);
        let laws = ContactLaws::new(e.map(|e| (ContactLaw::with_friction(e, mu), 2)));
        let none = DMatrix::zeros(0, 0);
        let rows = impact_rows(&laws, [&w, &none], &rates, &[-1e-3; 2]);
        let mut problem = OneStepProblem::with_rows(2, 6, ImpactResolution::Plain);
        let solution = problem.solve(&rows, &mut [ContactMemory::OPEN; 2]).unwrap();
        let p = DVector::from_column_slice(&solution.sustained);
        let change = p.dot(&rates) + 0.5 * p.dot(&(&w * &p));
        let told: f64 = solution.gains.iter().map(|gain| gain.energy).sum();
        assert!((change.max(0.0) - told).abs() < 1e-8, "{change} J, {told} J told");
        gains += usize::from(change > 1e-8);
    }
    assert!(gains > 10, "{gains}");
}

/// Tangential restitution gives a superball back its slip.
#[test]
fn a_superball_returns_its_slip() {
    let law = ContactLaw { tangential_restitution: 0.6, ..ContactLaw::with_friction(0.9, 10.0) };
    let w = DMatrix::identity(6, 6);
    let rates = DVector::from_column_slice(&[-1.0, -1.0, 0.5, 0.2, -0.1, 0.3]);
    let (_, p, _) = collide([law; 2], &w, &rates);
    for row in 2..6 {
        assert!((rates[row] + p[row] + 0.6 * rates[row]).abs() < 1e-14);
    }
}

/// Friction of several contacts at once: a mass in a wedge of two frictional planes obeys Coulomb's law at both.
#[test]
fn two_planes_at_once_obey_the_law() {
    let law = ContactLaw::with_friction(0.0, 0.3);
    let normals = [Vector3::new(1.0, 0.2, 1.0).normalize(), Vector3::new(-1.0, -0.1, 1.0).normalize()];
    let named =
        |(i, normal): (usize, &Vector3<f64>)| MovingPlane { name: format!("p{i}"), ..plane(*normal, law) };
    let planes = MovingPlanes::new(normals.iter().enumerate().map(named).collect(), 0.0).unwrap();
    let system = MovingPlanes::point_mass(1.0, Vector3::new(0.3, 2.0, -G)).unwrap();
    let mut stepper = started(system, planes, (0.0, vec![0.0; 3], vec![0.0, 1.0, 0.0]));
    let mut e = energy(&stepper);
    for _ in 0..300 {
        let before = vector(&stepper.stepper().state().v);
        stepper.step(1e-3).unwrap();
        let after = energy(&stepper);
        assert_balance(&stepper, e, after);
        e = after;
        if stepper.contacts().has_moments {
            continue;
        }
        let (p, v) = (&stepper.contacts().impulses, vector(&stepper.stepper().state().v));
        for (c, normal) in normals.iter().enumerate() {
            let tangents = PlaneMotion::at_rest(Vector3::zeros(), *normal).tangents();
            let friction = [p[2 + 2 * c], p[3 + 2 * c]];
            let size = friction[0].hypot(friction[1]);
            assert!((p[c] == 0.0 || normal.dot(&v) > -1e-12) && size <= 0.3 * p[c] * (1.0 + 1e-9));
            // Against the slip of the end, and where that goes on turning, the mean slip.
            let opposes = |velocity: &Vector3<f64>| {
                let slip = tangents.map(|t| t.dot(velocity));
                let (speed, power) = (slip[0].hypot(slip[1]), slip[0] * friction[0] + slip[1] * friction[1]);
                speed < 1e-9 || (power + 0.3 * p[c] * speed).abs() < 1e-9 * speed * p[c]
            };
            assert!(p[c] == 0.0 || opposes(&v) || opposes(&(0.5 * (before + v))));
        }
    }
}
