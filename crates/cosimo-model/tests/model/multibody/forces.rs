//! Bushings and contacts of spheres against closed forms.

use std::ops::ControlFlow;

use cosimo_master::{Observer, QuantityLabel, StepRecord};
use nalgebra::{Matrix2, Matrix6, SymmetricEigen, Vector2, Vector3, Vector6};

use crate::model;

/// All quantities at all communication points.
#[derive(Default)]
struct Record {
    names: Vec<String>,
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Observer for Record {
    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        self.names = labels.iter().map(|label| label.name.clone()).collect();
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        self.times.push(record.time);
        self.values.push(record.values.to_vec());
        ControlFlow::Continue(())
    }
}

impl Record {
    /// A run of one multibody system of these bodies and forces.
    fn of(end: f64, step: f64, text: &str) -> Self {
        let model = model(&format!(
            "schema = 1\ntime = {{ end = {end}, step = {step} }}\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n{text}"
        ));
        let (mut master, mut record) = (model.build().unwrap(), Self::default());
        master.run(end, step, &mut record).unwrap();
        record
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let at = self.names.iter().position(|own| own == name).unwrap_or_else(|| panic!("no {name}"));
        self.values.iter().map(|values| values[at]).collect()
    }

    fn end(&self, name: &str) -> f64 {
        self.column(name)[self.times.len() - 1]
    }

    /// A vector of a body at the end.
    fn vector(&self, body: &str, parts: [&str; 3]) -> Vector3<f64> {
        Vector3::from(parts.map(|part| self.end(&format!("{body}.{part}"))))
    }

    /// Its rotation vector at the end (rad).
    fn turn(&self, body: &str) -> Vector3<f64> {
        let half = self.vector(body, ["qx", "qy", "qz"]);
        let sine = half.norm();
        half * if sine > 0.0 { 2.0 * sine.atan2(self.end(&format!("{body}.qw"))) / sine } else { 2.0 }
    }
}

#[track_caller]
fn assert_near(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance, "{found} instead of {exact}");
}

const INERTIA: [f64; 3] = [0.5, 0.7, 1.1];
const MASS: f64 = 2.0;

/// A body on a bushing from the ground to its centre of mass, with more keys of the body and of the bushing.
fn on_bushing(body: &str, bushing: &str) -> String {
    format!(
        "[[subsystem.body]]\nname = \"bob\"\nmass = {MASS}\ninertia = {INERTIA:?}\nposition = [1, 2, 3]\n{body}\n\
         [[subsystem.force]]\nname = \"mount\"\ntype = \"bushing\"\nbodies = [\"ground\", \"bob\"]\nat = [1, 2, 3]\n{bushing}\n"
    )
}

/// Way and speed of an oscillator thrown from rest.
fn thrown(mass: f64, stiffness: f64, damping: f64, (speed, time): (f64, f64)) -> [f64; 2] {
    let decay = 0.5 * damping / mass;
    let omega = (stiffness / mass - decay * decay).sqrt();
    let (s, c) = (omega * time).sin_cos();
    let size = speed * (-decay * time).exp();
    [size * s / omega, size * (c - decay / omega * s)]
}

/// Six numbers: every direction swings by itself, three ways together and each turn for itself.
#[test]
fn a_body_on_a_bushing_swings_in_six_directions() {
    let (stiffness, damping) = ([50.0, 80.0, 120.0, 8.0, 12.0, 20.0], [1.0, 0.0, 2.0, 0.2, 0.0, 0.5]);
    let numbers = format!("stiffness = {stiffness:?}\ndamping = {damping:?}");
    let end = 0.6;
    let run = Record::of(end, 1e-4, &on_bushing("velocity = [0.1, 0.2, 0.3]", &numbers));
    let (displacement, speed) = (run.vector("bob", ["x", "y", "z"]), run.vector("bob", ["vx", "vy", "vz"]));
    for k in 0..3 {
        let exact = thrown(MASS, stiffness[k], damping[k], (0.1 * (k as f64 + 1.0), end));
        assert_near(displacement[k] - (k as f64 + 1.0), exact[0], 1e-8);
        assert_near(speed[k], exact[1], 1e-7);
    }
    for k in 0..3 {
        let mut spin = [0.0; 3];
        spin[k] = 3.0;
        let run = Record::of(end, 1e-4, &on_bushing(&format!("angular_velocity = {spin:?}"), &numbers));
        let exact = thrown(INERTIA[k], stiffness[3 + k], damping[3 + k], (3.0, end));
        let mut turn = Vector3::zeros();
        turn[k] = exact[0];
        assert!((run.turn("bob") - turn).norm() < 1e-6, "{:?} instead of {turn:?}", run.turn("bob"));
        assert_near(run.vector("bob", ["wx", "wy", "wz"])[k], exact[1], 1e-6);
    }
}

/// The six numbers belong to the axes of the bushing: its `z` is laid along `x` of the world, its `x` along `y`.
#[test]
fn the_axes_of_a_bushing_are_those_of_its_frame() {
    let numbers = "axis = [1, 0, 0]\nx = [0, 1, 0]\nstiffness = [50, 80, 120, 8, 12, 20]";
    let run = Record::of(0.6, 1e-4, &on_bushing("velocity = [0.1, 0.2, 0.3]", numbers));
    for (k, (name, stiffness)) in [("x", 120.0), ("y", 50.0), ("z", 80.0)].into_iter().enumerate() {
        let exact = thrown(MASS, stiffness, 0.0, (0.1 * (k as f64 + 1.0), 0.6));
        assert_near(run.end(&format!("bob.{name}")) - (k as f64 + 1.0), exact[0], 1e-8);
    }
    let run = Record::of(0.6, 1e-4, &on_bushing("angular_velocity = [3, 0, 0]", numbers));
    assert_near(run.turn("bob").x, thrown(INERTIA[0], 20.0, 0.0, (3.0, 0.6))[0], 1e-6);
}

/// Rows of a matrix as a model file has them.
fn rows(matrix: &Matrix6<f64>) -> String {
    let rows: Vec<String> =
        matrix.row_iter().map(|row| format!("{:?}", row.iter().collect::<Vec<_>>())).collect();
    format!("[{}]", rows.join(", "))
}

/// A matrix that couples way and turn along and about one axis, as a screw does.
fn screw() -> (Matrix2<f64>, Matrix6<f64>) {
    let two = Matrix2::new(90.0, 15.0, 15.0, 30.0);
    let mut six = Matrix6::from_diagonal(&Vector6::new(70.0, 70.0, 0.0, 9.0, 9.0, 0.0));
    for (i, row) in [2, 5].into_iter().enumerate() {
        for (j, column) in [2, 5].into_iter().enumerate() {
            six[(row, column)] = two[(i, j)];
        }
    }
    (two, six)
}

/// A screw swings as two coupled oscillators, however far it turns; its damping is in proportion to the stiffness.
#[test]
fn a_bushing_that_couples_way_and_turn_swings_in_two_modes() {
    let (two, six) = screw();
    let (share, end) = (0.01, 0.8);
    let matrices = format!("stiffness = {}\ndamping = {}", rows(&six), rows(&(six * share)));
    let start = Vector2::new(0.5, 6.0);
    let body = format!("velocity = [0, 0, {}]\nangular_velocity = [0, 0, {}]", start[0], start[1]);
    let run = Record::of(end, 1e-4, &on_bushing(&body, &matrices));
    // Modes of the stiffness divided by the roots of mass and inertia.
    let root = Vector2::new(MASS.sqrt(), INERTIA[2].sqrt());
    let weighted = Matrix2::from_fn(|i, j| two[(i, j)] / (root[i] * root[j]));
    let modes = SymmetricEigen::new(weighted);
    let speeds = modes.eigenvectors.transpose() * start.component_mul(&root);
    let displacements = Vector2::from_fn(|k, _| {
        let square = modes.eigenvalues[k];
        thrown(1.0, square, share * square, (speeds[k], end))[0]
    });
    let exact = (modes.eigenvectors * displacements).component_div(&root);
    assert!(exact[1].abs() > 0.3, "{exact}");
    assert_near(run.end("bob.z") - 3.0, exact[0], 1e-6);
    assert_near(run.turn("bob").z, exact[1], 1e-6);
}

/// A force and a moment that stay on from the start.
fn loads(force: Vector3<f64>, moment: Vector3<f64>) -> String {
    let one = |key: &str, load: Vector3<f64>| {
        let (direction, size) = (<[f64; 3]>::from(load), load.norm());
        format!("[[subsystem.load]]\nbody = \"bob\"\n{key} = {direction:?}\ntime = [0]\nvalue = [{size}]\n")
    };
    one("direction", force) + &one("moment_axis", moment)
}

/// The moment (N m) that holds a turn `ψ` against moments `m` of the rotation vector: with the angular velocity `T(ψ) ψ̇` it is
/// `T⁻ᵀ m`, `T⁻ᵀ = 1 + ½ ψ× + (1 − ½ |ψ| cot ½ |ψ|) (ψ×)²/|ψ|²`.
fn holding(psi: Vector3<f64>, moment: Vector3<f64>) -> Vector3<f64> {
    let (half, across) = (0.5 * psi.norm(), psi.cross_matrix() / psi.norm());
    moment + across * moment * half + across * across * moment * (1.0 - half / half.tan())
}

/// Under loads a damped body comes to rest where stiffness times displacement is the load: a screw, and where every direction
/// is coupled with every other.
#[test]
fn a_bushing_gives_way_by_its_compliance() {
    let root = Matrix6::from_fn(|i, j| (0.4 + 3.1 * i as f64 + 1.7 * (i * j) as f64 + j as f64).sin());
    let full = (root * root.transpose() + Matrix6::identity()) * 30.0;
    for (stiffness, exact) in [
        (screw().1, Vector6::new(0.02, -0.03, 0.2, 0.0, 0.0, 1.0)),
        (full, Vector6::new(0.2, -0.3, 0.5, 0.3, -0.4, 0.6)),
    ] {
        let parts =
            |six: &Vector6<f64>| -> [Vector3<f64>; 2] { [0, 3].map(|k| six.fixed_rows::<3>(k).into()) };
        let ([_, turn], [force, moment]) = (parts(&exact), parts(&(stiffness * exact)));
        let matrices = format!("stiffness = {}\ndamping = {}", rows(&stiffness), rows(&(stiffness * 0.3)));
        let text = on_bushing("", &matrices) + &loads(force, holding(turn, moment));
        let run = Record::of(30.0, 0.02, &text);
        let displacement = run.vector("bob", ["x", "y", "z"]) - Vector3::new(1.0, 2.0, 3.0);
        let off = (displacement - parts(&exact)[0]).norm() + (run.turn("bob") - turn).norm();
        assert!(off < 1e-8, "{displacement} and {} instead of {exact}", run.turn("bob"));
    }
}

/// Two balls without rotation, one at rest, that meet along a slanted line of centres.
struct Balls {
    masses: [f64; 2],
    stiffness: f64,
    law: String,
}

/// Relative speed (m/s), and the line of centres.
const SPEED: f64 = 2.0;
const LINE: [f64; 3] = [0.6, 0.0, 0.8];

impl Balls {
    fn text(&self) -> String {
        let along = |x: f64| LINE.map(|part| part * x);
        // Radii of 0.1 m and 0.2 m, and 1 mm between them.
        let body = |name: &str, mass: f64, at: [f64; 3], speed: f64| {
            format!(
                "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [1, 1, 1]\nposition = {at:?}\n\
                 velocity = {:?}\n",
                along(speed)
            )
        };
        let ends =
            ["first = { body = \"a\", point = [0, 0, 0] }", "second = { body = \"b\", point = [0, 0, 0] }"];
        let (ends, law, stiffness) = (ends.join("\n"), &self.law, self.stiffness);
        let contact = format!(
            "[[subsystem.force]]\nname = \"c\"\ntype = \"sphere-sphere\"\n{ends}\nradii = [0.1, 0.2]\n{law}\nstiffness = {stiffness}\n"
        );
        let sensor = format!("[[subsystem.sensor]]\nname = \"way\"\ntype = \"distance\"\n{ends}\n");
        let [first, second] = self.masses;
        body("a", first, along(0.0), SPEED) + &body("b", second, along(0.301), 0.0) + &contact + &sensor
    }

    /// Greatest depth without loss (m): `½ m v² = k δ^(5/2)/(5/2)` with the reduced mass.
    fn depth(&self) -> f64 {
        let [a, b] = self.masses;
        (1.25 * a * b / (a + b) * SPEED * SPEED / self.stiffness).powf(0.4)
    }

    /// Speeds along the line after an impact that returns this share of the relative speed.
    fn speeds_after(&self, restitution: f64) -> [f64; 2] {
        let [a, b] = self.masses;
        let common = a * SPEED / (a + b);
        [common - restitution * SPEED * b / (a + b), common + restitution * SPEED * a / (a + b)]
    }

    #[track_caller]
    fn assert_thrown_apart(&self, run: &Record, restitution: f64) {
        for (body, exact) in ["a", "b"].into_iter().zip(self.speeds_after(restitution)) {
            let found = run.vector(body, ["vx", "vy", "vz"]);
            assert!(
                (found - Vector3::from(LINE) * exact).norm() < 1e-4,
                "{body}: {found} instead of {exact}"
            );
        }
    }
}

/// Time (s) at which samples cross a level for the first time from an index on, and that index.
fn crossing(times: &[f64], samples: &[f64], level: f64, from: usize) -> (f64, usize) {
    let side = samples[from] > level;
    let at = (from..samples.len()).find(|k| (samples[*k] > level) != side).unwrap();
    let share = (level - samples[at - 1]) / (samples[at] - samples[at - 1]);
    (times[at - 1] + share * (times[at] - times[at - 1]), at)
}

/// Hertz' contact without loss: depth and duration of the closed form, equal balls exchange their velocities.
#[test]
fn spheres_after_hertz_exchange_their_velocities() {
    for masses in [[1.5, 1.5], [1.0, 3.0]] {
        let balls = Balls { masses, stiffness: 1e6, law: "law = \"hertz\"".to_owned() };
        let run = Record::of(0.012, 2e-6, &balls.text());
        let displacement = run.column("way.distance");
        let (begin, at) = crossing(&run.times, &displacement, 0.3, 0);
        let (end, _) = crossing(&run.times, &displacement, 0.3, at);
        // 2 √π Γ(2/5)/(5/2 Γ(9/10)), of the integral over dx/√(1 − x^(5/2)).
        let exact = 2.943_275_1 * balls.depth() / SPEED;
        assert_near(end - begin, exact, 1e-4 * exact);
        let least = displacement.iter().copied().fold(f64::INFINITY, f64::min);
        assert_near(0.3 - least, balls.depth(), 1e-6 * balls.depth());
        balls.assert_thrown_apart(&run, 1.0);
        if masses[0] == masses[1] {
            assert_near(balls.speeds_after(1.0)[0], 0.0, 0.0);
        }
    }
}

/// Laws with losses keep the effective restitution of their curves at 0.5, whatever the reduced mass.
#[test]
fn spheres_after_laws_with_losses_keep_their_restitution() {
    for (law, exact) in [
        ("hunt-crossley", 0.662_962_200_001_546),
        ("lankarani-nikravesh", 0.725_241_114_010_197_3),
        ("flores", 0.470_444_779_326_739_5),
    ] {
        let law = format!("law = \"{law}\"\nrestitution = 0.5");
        let balls = Balls { masses: [1.0, 3.0], stiffness: 1e6, law };
        balls.assert_thrown_apart(&Record::of(0.02, 5e-6, &balls.text()), exact);
    }
}
