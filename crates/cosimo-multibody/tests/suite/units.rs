//! What is built and stepped does not depend on the units of length, mass and time, nor on how masses differ.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{STABILISED, Z, diagonal, start};
use cosimo_dynamics::Level;
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method, TangentPolicy};
use nalgebra::{UnitQuaternion, Vector3};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };

/// How many units a metre, a kilogram and a second are.
#[derive(Clone, Copy)]
struct Units {
    length: f64,
    mass: f64,
    time: f64,
}

const SI: Units = Units { length: 1.0, mass: 1.0, time: 1.0 };

/// mm, mg, ms; km, Gg, ks; and SI units for rods of 10 µm and 1e-15 kg and for rods of 1 km and 1e9 kg, at their own pace.
const OTHERS: [Units; 4] = [
    Units { length: 1e3, mass: 1e6, time: 1e3 },
    Units { length: 1e-3, mass: 1e-6, time: 1e-3 },
    Units { length: 1e-5, mass: 1e-15, time: 3.162_277_660_168_38e-3 },
    Units { length: 1e3, mass: 1e9, time: 31.622_776_601_683_8 },
];

/// A rod of this mass (kg) between two points (m).
fn rod(units: Units, name: &str, mass: f64, [from, to]: [[f64; 2]; 2]) -> Body {
    let displacement = Vector3::new(to[0] - from[0], to[1] - from[1], 0.0);
    let unit = units.mass * units.length * units.length;
    let across = mass * displacement.norm_squared() / 12.0;
    let inertia = diagonal(0.01 * across, across, across) * unit;
    let centre = [0.5 * (from[0] + to[0]) * units.length, 0.5 * (from[1] + to[1]) * units.length, 0.0];
    Body::new(name, RigidBody::new(mass * units.mass, inertia).unwrap())
        .with_position(centre)
        .with_orientation(UnitQuaternion::from_scaled_axis(
            Vector3::z() * displacement.y.atan2(displacement.x),
        ))
}

fn in_gravity(units: Units) -> SpatialModel {
    SpatialModel::new().with_gravity([0.0, -9.81 * units.length / units.time.powi(2), 0.0])
}

fn pin(model: SpatialModel, units: Units, [a, b]: [Option<&str>; 2], at: [f64; 2]) -> SpatialModel {
    let name = format!("{} and {}", a.unwrap_or("ground"), b.unwrap_or("ground"));
    let point = [at[0] * units.length, at[1] * units.length, 0.0];
    model.with_joint_at(&name, JointKind::Revolute, [a, b], (point, Z))
}

/// Loops of four bars in space, three rows of each redundant; a foot of every second is 0.8 m high.
fn four_bars(units: Units, loops: usize) -> SpatialModel {
    let foot = |k: usize| [k as f64, if k % 2 == 1 { -0.2 } else { 0.0 }];
    let mut model = in_gravity(units);
    for k in 0..=loops {
        model = model.with_body(rod(units, &format!("crank {k}"), 1.0, [foot(k), [k as f64, 1.0]]));
    }
    for k in 0..loops {
        let ends = [[k as f64, 1.0], [k as f64 + 1.0, 1.0]];
        model = model.with_body(rod(units, &format!("bar {k}"), 2.0, ends));
    }
    for k in 0..=loops {
        model = pin(model, units, [None, Some(&format!("crank {k}"))], foot(k));
    }
    for k in 0..loops {
        for end in [k, k + 1] {
            let bodies = [format!("crank {end}"), format!("bar {k}")];
            model = pin(model, units, [Some(&bodies[0]), Some(&bodies[1])], [end as f64, 1.0]);
        }
    }
    model
}

/// A level chain of rods of 1 m with these masses (kg).
fn rods(units: Units, masses: &[f64]) -> SpatialModel {
    let mut model = in_gravity(units);
    for (k, mass) in masses.iter().enumerate() {
        let x = k as f64;
        model = model.with_body(rod(units, &format!("{k}"), *mass, [[x, 0.0], [x + 1.0, 0.0]]));
    }
    for k in 0..masses.len() {
        let before = k.checked_sub(1).map(|k| format!("{k}"));
        model = pin(model, units, [before.as_deref(), Some(&format!("{k}"))], [k as f64, 0.0]);
    }
    model
}

/// Bodies one after the other on joints of all kinds, among them such that hold ways and turns at once.
fn joints_of_all_kinds(units: Units) -> SpatialModel {
    let still = || TimeFunction::Constant(0.0);
    let kinds = [
        JointKind::Displacement(still()),
        JointKind::Planar,
        JointKind::Universal,
        JointKind::Cylindrical,
        JointKind::Prismatic,
        JointKind::Spherical,
        JointKind::Coordinate { direction: [0.0, 0.6, 0.8], motion: still() },
        JointKind::Fixed,
    ];
    let mut model = in_gravity(units);
    for (k, kind) in kinds.into_iter().enumerate() {
        let (x, name) = (k as f64, format!("{k}"));
        model = model.with_body(rod(units, &name, 1.0 + x, [[x, 0.0], [x + 1.0, 0.4]]));
        let before = k.checked_sub(1).map(|k| format!("{k}"));
        let point = [x * units.length, 0.2 * units.length, 0.1 * units.length];
        let at = (point, [0.3, 0.2 * x, 1.0]);
        model = model.with_joint_at(&name, kind, [before.as_deref(), Some(&name)], at);
    }
    model
}

fn settings(formulation: Formulation) -> DaeSettings {
    DaeSettings { formulation, tolerance: 1e-13, tangent: TangentPolicy::Full, ..DaeSettings::default() }
}

/// Takes steps of 2 ms in these units; gives positions and velocities in SI units.
fn run(mut solver: DaeSolver<SpatialSystem>, units: Units, steps: usize) -> Vec<f64> {
    for _ in 0..steps {
        solver.step(2e-3 * units.time).unwrap();
    }
    let Units { length, time, .. } = units;
    let state = solver.state();
    let positions = state.q.chunks_exact(7).flat_map(|q| {
        let scaled = q.iter().enumerate().map(|(i, x)| if i < 3 { x / length } else { *x });
        scaled.collect::<Vec<_>>()
    });
    let velocities = state.v.chunks_exact(6).flat_map(|v| {
        let scaled = v.iter().enumerate().map(|(i, x)| x * time / if i < 3 { length } else { 1.0 });
        scaled.collect::<Vec<_>>()
    });
    positions.chain(velocities).collect()
}

fn check(model: impl Fn(Units) -> SpatialModel, formulation: Formulation, steps: usize) {
    let begin = |units| start(model(units), RULE, settings(formulation));
    let (solver, redundant) = (begin(SI), begin(SI).redundant_rows());
    let exact = run(solver, SI, steps);
    for units in OTHERS {
        let solver = begin(units);
        assert_eq!(solver.redundant_rows(), redundant);
        let found = run(solver, units, steps);
        let off = found.iter().zip(&exact).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(off < 1e-9, "{formulation:?}, {} units a metre: {off:.1e}", units.length);
    }
}

#[test]
fn four_bars_move_alike_in_all_units() {
    for formulation in STABILISED {
        check(|units| four_bars(units, 1), formulation, 150);
        // Of so many unknowns that the matrix is sparse.
        check(|units| four_bars(units, 3), formulation, 50);
    }
}

#[test]
fn pendulums_move_alike_in_all_units() {
    for formulation in STABILISED {
        check(|units| rods(units, &[1.0, 1.0]), formulation, 150);
        check(|units| rods(units, &[1.0; 10]), formulation, 50);
    }
}

#[test]
fn joints_of_all_kinds_move_alike_in_all_units() {
    for formulation in STABILISED {
        check(joints_of_all_kinds, formulation, 100);
    }
}

/// The energy that the rule loses is a matter of its order alone.
#[test]
fn masses_of_a_chain_may_differ_by_a_million() {
    let [light, heavy] = [1e-6, 1.0];
    for masses in
        [vec![light, heavy], vec![heavy, light, heavy, light, heavy, light, light, heavy, light, heavy]]
    {
        check(|units| rods(units, &masses), Formulation::default(), 20);
        let errors = [2e-3, 1e-3].map(|h| {
            let mut solver = start(rods(SI, &masses), RULE, settings(Formulation::default()));
            let energy =
                |solver: &DaeSolver<SpatialSystem>| solver.energy().kinetic + solver.energy().potential;
            let first = energy(&solver);
            solver.advance_to(0.2, h).unwrap();
            assert!(solver.violation(Level::Position) < 1e-12 && solver.violation(Level::Velocity) < 1e-11);
            (energy(&solver) - first).abs()
        });
        assert!(errors[0] / errors[1] > 3.0 && errors[0] < 1e-2, "{errors:?}");
    }
}
