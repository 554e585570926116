//! Load ports: subsystems that take motion and answer with loads, against closed forms, independent integrations and the
//! same laws inside the subsystems that they act on.

use cosimo::master::{Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Outcome};
use cosimo::native::{ForceElement, ForceLaw, LawDerivatives, LawInstant};
use cosimo::subsystem::PortSpec;
use coupling_tests::{Run, fitted_order};

const DRAG: &str = "falling-drag/model.toml";
const ISOLATOR: &str = "bouc-wen-isolator/model.toml";

/// Height and velocity of a body of 2 kg that falls with drag 0.2 kg/m, from rest, at g = 10 m/s².
fn falling(t: f64) -> [f64; 2] {
    let terminal = (2.0 * 10.0 / 0.2_f64).sqrt();
    let rate = 10.0 / terminal;
    [-terminal / rate * (rate * t).cosh().ln(), -terminal * (rate * t).tanh()]
}

#[test]
fn a_body_falls_through_air_with_order_two() {
    let steps = [4e-2, 2e-2, 1e-2, 5e-3];
    let errors = steps.map(|h: f64| {
        let run = Run::example(DRAG, &[&format!("time.step={h}")]);
        let [z, v] = falling(3.0);
        let k = run.times.len() - 1;
        (run.value("stone.z", k) - z).abs().max((run.value("stone.vz", k) - v).abs())
    });
    let order = fitted_order(&steps, &errors);
    assert!((1.9..2.1).contains(&order) && errors[3] < 5e-5, "order {order}, errors {errors:?}");
}

#[test]
fn a_nonlinear_law_takes_two_passes_in_the_mean() {
    for tangents in ["always", "auto", "never"] {
        let run = Run::example(DRAG, &[&format!("master.load_tangents={tangents}")]);
        let mean = run.report.master_iterations as f64 / run.report.steps as f64;
        assert!(mean <= 2.0, "{tangents}: {mean}");
    }
}

#[test]
fn schemes_and_tangents_agree_to_the_tolerance() {
    let end = |set: &[&str]| {
        let run = Run::example(ISOLATOR, set);
        let k = run.times.len() - 1;
        ["masses.lower", "masses.v_lower", "masses.upper", "masses.v_upper", "isolator.a.load"]
            .map(|name| run.value(name, k))
    };
    let base = end(&["master.tolerance=1e-11"]);
    for set in [
        ["master.tolerance=1e-11", "master.load_tangents=always"],
        ["master.tolerance=1e-11", "master.load_tangents=never"],
        ["master.tolerance=1e-11", "master.scheme=gauss-seidel"],
        ["master.tolerance=1e-11", "master.scheme=jacobi"],
    ] {
        let other = end(&set);
        let scale = base.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let difference = base.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference <= 1e-8 * scale, "{set:?}: {difference:e} of {scale:e}");
    }
}

/// A mass on a spring and damper to the ground: inside the linear system, or as a law behind a load port.
fn oscillator(inside: bool, stiffness: f64, damping: f64, step: f64, settings: &str) -> String {
    let (own, law) = if inside {
        let own = format!("stiffness = [{stiffness:?}]\ndamping = [{damping:?}]");
        (own, String::new())
    } else {
        let law = format!(
            r#"
            [[subsystem]]
            name = "law"
            kind = "force-law"
            law = "spring-damper"
            ends = 1
            stiffness = {stiffness:?}
            damping = {damping:?}
            [[interface]]
            name = "link"
            between = ["mass.end", "law.a"]
            law = "load"
            "#
        );
        (String::new(), law)
    };
    format!(
        r#"
        schema = 1
        time = {{ end = 1.0, step = {step:?} }}
        {settings}
        [[subsystem]]
        name = "mass"
        kind = "linear"
        coordinates = ["x"]
        mass = [1.0]
        position = [0.1]
        velocity = [2.0]
        {own}
        [[subsystem.port]]
        name = "end"
        coordinates = ["x"]
        {law}
        "#
    )
}

#[test]
fn an_affine_law_with_its_tangent_takes_one_solve_a_step() {
    // Without the tangent an error of the force would grow by (h²/4 k + h/2 d) / m = 3.5 a pass.
    let model = |inside, settings| Run::text(&oscillator(inside, 1e5, 200.0, 1e-2, settings), &[]);
    let law = Run::completed(&model(false, ""));
    assert_eq!((law.report.steps, law.report.master_iterations), (100, 100));
    let inside = Run::completed(&model(true, ""));
    for k in 0..law.times.len() {
        let [a, b] = [&law, &inside].map(|run| [run.value("mass.x", k), run.value("mass.v_x", k)]);
        // The trapezoidal rule of a load is that of the matrices.
        assert!((a[0] - b[0]).abs() < 1e-11 && (a[1] - b[1]).abs() < 1e-9, "{k}: {a:?} {b:?}");
    }
    let without = Run::of(&model(false, "master = { load_tangents = \"never\" }"));
    assert!(
        matches!(&without.report.outcome, Outcome::Failed(why) if why.contains("load")),
        "{:?}",
        without.report.outcome
    );
}

/// A linear law behind a port and inside are the same equations under every rule: the load counts by the weights that the
/// rule gives the matrices.
#[test]
fn a_law_behind_a_port_equals_the_law_inside() {
    for solver in [
        "{ method = \"theta\", theta = 0.6 }",
        "{ method = \"multistep\", spectral_radius = 0.6 }",
        "{ method = \"generalized-alpha\", spectral_radius = 0.8 }",
    ] {
        let [law, inside] = [false, true].map(|inside| {
            let settings = "master = { tolerance = 1e-13 }";
            let text = oscillator(inside, 400.0, 1.0, 4e-3, settings);
            let text = text.replace("kind = \"linear\"", &format!("kind = \"linear\"\nsolver = {solver}"));
            Run::completed(&Run::text(&text, &[]))
        });
        let difference = (0..law.times.len())
            .map(|k| (law.value("mass.x", k) - inside.value("mass.x", k)).abs())
            .fold(0.0, f64::max);
        assert!(difference < 1e-11, "{solver}: {difference:e}");
    }
}

#[test]
fn energy_of_a_law_closes() {
    let run = Run::example(ISOLATOR, &[]);
    let energy = &run.report.energy;
    let change = energy.end - energy.start;
    let known = energy.external + energy.contact - energy.dissipated + energy.monitor_sum;
    assert!((change - known).abs() < 1e-9 * energy.dissipated, "{energy:?}");
    assert!(energy.dissipated > 10.0 && energy.monitor_sum.abs() < 1e-3 * energy.dissipated, "{energy:?}");
}

/// Height, velocity and time of the rebounds of a ball that falls with quadratic drag, in closed form.
struct BouncingInAir {
    /// Times of the impacts and velocities after them.
    rebounds: Vec<(f64, f64)>,
}

const MASS: f64 = 1.0;
const DRAG_COEFFICIENT: f64 = 0.05;
const GRAVITY: f64 = 10.0;
const RESTITUTION: f64 = 0.8;
const START: f64 = 1.0;

impl BouncingInAir {
    fn new() -> Self {
        let (terminal, rate) = Self::scales();
        let fall = |height: f64| (height * rate / terminal).exp().acosh() / rate;
        let mut time = fall(START);
        let mut rebounds = Vec::new();
        let mut speed = RESTITUTION * terminal * (rate * time).tanh();
        for _ in 0..3 {
            rebounds.push((time, speed));
            let up = (speed / terminal).atan() / rate;
            let height = -terminal / rate * (rate * up).cos().ln();
            let down = fall(height);
            time += up + down;
            speed = RESTITUTION * terminal * (rate * down).tanh();
        }
        Self { rebounds }
    }

    fn scales() -> (f64, f64) {
        let terminal = (MASS * GRAVITY / DRAG_COEFFICIENT).sqrt();
        (terminal, GRAVITY / terminal)
    }

    fn height(&self, t: f64) -> f64 {
        let (terminal, rate) = Self::scales();
        let Some(&(start, speed)) = self.rebounds.iter().rev().find(|(start, _)| *start <= t) else {
            return START - terminal / rate * (rate * t).cosh().ln();
        };
        let up = (speed / terminal).atan() / rate;
        let top = -terminal / rate * (rate * up).cos().ln();
        let s = t - start - up;
        if s < 0.0 {
            top + terminal / rate * (rate * s).cos().ln()
        } else {
            top - terminal / rate * (rate * s).cosh().ln()
        }
    }
}

#[test]
fn impacts_beside_load_ports_are_of_order_two() {
    let exact = BouncingInAir::new();
    let text = |h: f64| {
        format!(
            r#"
            schema = 1
            time = {{ end = 1.6, step = {h:?} }}
            [[subsystem]]
            name = "ball"
            kind = "node"
            mass = {MASS:?}
            gravity = [0, 0, -{GRAVITY:?}]
            position = [0, 0, {START:?}]
            [[subsystem.port]]
            name = "centre"
            [[subsystem.plane]]
            name = "floor"
            normal = [0, 0, 1]
            restitution = {RESTITUTION:?}
            [[subsystem]]
            name = "air"
            kind = "force-law"
            law = "quadratic-drag"
            coefficient = {DRAG_COEFFICIENT:?}
            coordinates = 3
            [[interface]]
            name = "drag"
            between = ["ball.centre", "air.body"]
            law = "load"
            "#
        )
    };
    let steps = coupling_tests::step_sizes(8e-3, 5e-4, 12);
    let errors: Vec<f64> = steps
        .iter()
        .map(|h| {
            let run = Run::completed(&Run::text(&text(*h), &["master.tolerance=1e-12"]));
            assert_eq!(run.impacts().len(), 2, "{h}");
            (0..run.times.len())
                .map(|k| (run.value("ball.z", k) - exact.height(run.times[k])).abs())
                .fold(0.0, f64::max)
        })
        .collect();
    let order = fitted_order(&steps, &errors);
    assert!(order > 1.8 && errors[0] < 1e-4, "order {order}: {errors:?}");
}

/// The isolator's equations integrated by the classical Runge-Kutta rule with small steps: positions and velocities of both
/// masses, and the hysteretic elongation.
fn isolator_by_runge_kutta(end: f64, count: u32) -> [f64; 5] {
    let base = |t: f64| [0.03 * (9.0 * t).sin(), 0.27 * (9.0 * t).cos()];
    let rates = |t: f64, [xl, vl, xu, vu, s]: [f64; 5]| {
        let ([b, vb], rate) = (base(t), vu - vl);
        let force = 0.15 * 4e4 * (xu - xl) + 0.85 * 4e4 * s + 50.0 * rate;
        let mount = 1e5 * (xl - b) + 500.0 * (vl - vb);
        let ds = rate - 60.0 * rate.abs() * s - 40.0 * rate * s.abs();
        [vl, (force - mount) / 200.0, vu, -force / 500.0, ds]
    };
    let h = end / f64::from(count);
    let mut y = [0.0; 5];
    let ahead = |y: [f64; 5], k: [f64; 5], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    for step in 0..count {
        let t = f64::from(step) * h;
        let k1 = rates(t, y);
        let k2 = rates(t + 0.5 * h, ahead(y, k1, 0.5 * h));
        let k3 = rates(t + 0.5 * h, ahead(y, k2, 0.5 * h));
        let k4 = rates(t + h, ahead(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

#[test]
fn hysteretic_isolator_follows_an_independent_integration() {
    let [coarse, exact] = [100_000, 400_000].map(|count| isolator_by_runge_kutta(1.0, count));
    assert!((coarse[0] - exact[0]).abs() < 1e-9, "the reference is converged");
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    let errors = steps.map(|h| {
        let sets = [format!("time.step={h:?}"), "time.end=1.0".to_owned()];
        let run = Run::example(ISOLATOR, &sets.each_ref().map(String::as_str));
        let names = [
            "masses.lower",
            "masses.v_lower",
            "masses.upper",
            "masses.v_upper",
            "isolator.hysteretic_elongation",
        ];
        let k = run.times.len() - 1;
        let weigh = [1.0, 0.1, 1.0, 0.1, 1.0];
        (0..5).map(|i| weigh[i] * (run.value(names[i], k) - exact[i]).abs()).fold(0.0, f64::max)
    });
    let order = fitted_order(&steps, &errors);
    assert!(order > 1.8 && errors[3] < 1e-6, "order {order}: {errors:?}");
}

#[test]
fn threads_and_resumed_runs_have_the_same_bits() {
    let model = Run::model(ISOLATOR, &["time.end=0.5"]);
    let plain = Run::completed(&model);
    let threads = Run::completed(&Run::model(
        ISOLATOR,
        &["time.end=0.5", "master.execution=threads", "master.threads=2"],
    ));
    assert!(plain.has_bits_of(&threads));
    assert!(plain.has_bits_of(&Run::interrupted(&model, &[1, 7, 180, 333])));
}

#[test]
fn clusters_without_loads_keep_their_bits() {
    let with = Run::text(
        &std::fs::read_to_string(coupling_tests::root().join("examples").join(DRAG)).unwrap().replace(
            "[[interface]]",
            r#"
            [[subsystem]]
            name = "ball"
            kind = "node"
            mass = 1.0
            gravity = [0, 0, -10]
            position = [0, 0, 0.3]
            [[subsystem.plane]]
            name = "floor"
            normal = [0, 0, 1]
            restitution = 0.7
            [[interface]]"#,
        ),
        &[],
    );
    let alone = Run::text(
        r#"
        schema = 1
        time = { end = 3.0, step = 1e-2 }
        [[subsystem]]
        name = "ball"
        kind = "node"
        mass = 1.0
        gravity = [0, 0, -10]
        position = [0, 0, 0.3]
        [[subsystem.plane]]
        name = "floor"
        normal = [0, 0, 1]
        restitution = 0.7
        "#,
        &[],
    );
    let [with, alone] = [with, alone].map(|model| Run::completed(&model));
    for name in ["ball.z", "ball.vz"] {
        let [a, b] = [&with, &alone].map(|run| run.column(name));
        assert!(a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}");
    }
}

/// A moment `−c ω` about all axes on a frame: it needs frames that turn, and both halves of a load.
struct AngularDrag {
    coefficient: f64,
}

impl ForceLaw for AngularDrag {
    fn ports(&self) -> Vec<PortSpec> {
        vec![PortSpec::frame("body")]
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        out.fill(0.0);
        (3..6).for_each(|k| out[k] = -self.coefficient * at.velocities[k]);
    }

    fn derivatives(&self, _at: &LawInstant<'_>, out: &mut LawDerivatives) {
        (3..6).for_each(|k| out.load_velocity[(k, k)] = -self.coefficient);
    }

    fn is_affine(&self) -> bool {
        true
    }
}

#[test]
fn a_spinning_ball_is_braked_by_a_moment_on_its_frame() {
    let model = Run::text(
        r#"
        schema = 1
        time = { end = 2.0, step = 1e-2 }
        [[subsystem]]
        name = "ball"
        kind = "rigid-body"
        mass = 1.0
        inertia = 0.02
        angular_velocity = [1.0, -2.0, 30.0]
        "#,
        &[],
    );
    let steps = [2e-2, 1e-2, 5e-3];
    let errors = steps.map(|h| {
        let mut subsystems = model.build_subsystems().unwrap();
        subsystems.push(Box::new(ForceElement::new("air", AngularDrag { coefficient: 0.01 })));
        let law = Interface::new("drag", "ball.centre", "air.body", InterfaceLaw::Load);
        let mut master = Master::new(subsystems, vec![law], MasterConfig::default(), 0.0).unwrap();
        master.run(2.0, h, &mut NoObserver).unwrap();
        let rows = master.subsystems()[0].rows();
        let exact = [1.0, -2.0, 30.0].map(|omega: f64| omega * (-0.01_f64 / 0.02 * 2.0).exp());
        (0..3).map(|k| (rows.velocities[3 + k] - exact[k]).abs()).fold(0.0, f64::max)
    });
    let order = fitted_order(&steps, &errors);
    assert!((1.9..2.1).contains(&order) && errors[2] < 1e-4, "order {order}: {errors:?}");
}

/// Two springs and a drag law at one port act as at three ports in the same place.
#[test]
fn interfaces_share_a_port() {
    let end = |shared: bool| {
        let port = |k: usize| if shared { "mass.p0".to_owned() } else { format!("mass.p{k}") };
        let wall = |k: usize| {
            format!(
                r#"
                [[subsystem]]
                name = "wall{k}"
                kind = "linear"
                coordinates = ["x"]
                mass = [1e3]
                [[subsystem.port]]
                name = "end"
                coordinates = ["x"]
                [[interface]]
                name = "spring{k}"
                between = ["{}", "wall{k}.end"]
                law = "compliant"
                stiffness = {}
                "#,
                port(k),
                100.0 * (k + 1) as f64
            )
        };
        let port_table = |k: usize| format!("[[subsystem.port]]\nname = \"p{k}\"\ncoordinates = [\"x\"]\n");
        let text = format!(
            r#"
            schema = 1
            time = {{ end = 1.0, step = 1e-3 }}
            [[subsystem]]
            name = "mass"
            kind = "linear"
            coordinates = ["x"]
            mass = [1.0]
            position = [0.1]
            {}{}{}
            [[subsystem]]
            name = "air"
            kind = "force-law"
            law = "quadratic-drag"
            coefficient = 0.5
            [[interface]]
            name = "drag"
            between = ["{}", "air.body"]
            law = "load"
            {}{}
            "#,
            port_table(0),
            port_table(1),
            port_table(2),
            port(2),
            wall(0),
            wall(1),
        );
        ["condensed", "gauss-seidel"].map(|scheme| {
            let set = format!("master.scheme={scheme}");
            let run = Run::completed(&Run::text(&text, &[&set, "master.tolerance=1e-12"]));
            let k = run.times.len() - 1;
            [run.value("mass.x", k), run.value("mass.v_x", k)]
        })
    };
    let [shared, apart] = [true, false].map(end);
    let states = shared.iter().chain(&apart);
    for state in states {
        let difference = (state[0] - apart[0][0]).abs().max((state[1] - apart[0][1]).abs());
        assert!(difference < 1e-9, "{shared:?} {apart:?}");
    }
}
