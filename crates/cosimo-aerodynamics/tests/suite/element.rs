//! A rotor as an element of a multibody system: loads on bodies, tangents against central differences, memory, rejections.

use cosimo_aerodynamics::inflow::InflowModel;
use cosimo_aerodynamics::rotor::{RotorLoads, RotorState};
use cosimo_aerodynamics::spec::{AirfoilSpec, RotorSpec, WindSpec};
use cosimo_aerodynamics::{FrameMotion, RotorElement};
use cosimo_dynamics::{ConstrainedSystem, MatrixSink, Motion};
use cosimo_multibody::spatial::{Body, Frame, RigidBody, SpatialModel, SpatialModelError, SpatialSystem};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::{DMatrix, DVector, Matrix3, UnitQuaternion, Vector3};

use crate::tangents;

const START: f64 = 0.1;

/// Motion of the hub and of all frames, nothing aligned with anything.
fn frames(spec: &RotorSpec) -> Vec<FrameMotion> {
    let motion = tangents::motion(spec, 36.0).start;
    let vector = |values: &[f64]| Vector3::from_column_slice(&values[..3]);
    let frame = |(k, orientation): (usize, &UnitQuaternion<f64>)| FrameMotion {
        position: vector(&motion.positions[6 * k..]),
        orientation: *orientation,
        velocity: vector(&motion.velocities[6 * k..]),
        angular_velocity: vector(&motion.velocities[6 * k + 3..]),
    };
    motion.orientations.iter().enumerate().map(frame).collect()
}

/// Where frame `k` is on its body, and the centre of mass there.
fn placed(k: usize) -> (Frame, Vector3<f64>) {
    let displacement =
        |phase: f64| Vector3::new((k as f64 + phase).sin(), (1.7 * k as f64 + phase).cos(), 0.4);
    let turn = UnitQuaternion::from_scaled_axis(displacement(0.5) * 0.7);
    (Frame::on(format!("body {k}"), displacement(0.0) * 0.2).with_orientation(turn), displacement(1.0) * 0.1)
}

/// Free bodies that carry the frames, without forces but those of the air.
fn model(spec: &RotorSpec) -> SpatialModel {
    let mut model = SpatialModel::new();
    let mut nodes = Vec::new();
    for (k, motion) in frames(spec).into_iter().enumerate() {
        let (frame, centre) = placed(k);
        let orientation = motion.orientation * frame.orientation.inverse();
        let point = orientation * frame.point;
        // Equal moments of inertia: no gyroscopic moments.
        let properties = RigidBody::new(20.0, Matrix3::from_diagonal_element(3.0)).unwrap();
        let body = Body::new(format!("body {k}"), properties)
            .with_centre_of_mass(centre)
            .with_position(motion.position - point)
            .with_orientation(orientation)
            .with_velocity(
                motion.velocity - motion.angular_velocity.cross(&point),
                orientation.inverse() * motion.angular_velocity,
            );
        model = model.with_body(body);
        nodes.push(frame);
    }
    model.with_element("air", nodes, RotorElement::new(spec.build().unwrap()).with_sections())
}

/// The bodies, begun.
fn system(spec: &RotorSpec) -> SpatialSystem {
    let mut system = model(spec).build().unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    system.start(Motion { t: START, q: &q, v: &v });
    system
}

/// The negative forces of the air on the bodies.
fn balance(system: &SpatialSystem, t: f64, q: &[f64], v: &[f64]) -> DVector<f64> {
    let (rest, mut out) = (vec![0.0; v.len()], vec![f64::NAN; v.len()]);
    system.balance(Motion { t, q, v }, &rest, &[], &mut out);
    DVector::from_vec(out)
}

struct Tangents {
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
}

fn add(target: &mut DMatrix<f64>, row: usize, column: usize, values: &[f64]) {
    let mut view = target.view_mut((6 * row, 6 * column), (6, 6));
    view += DMatrix::from_column_slice(6, 6, values);
}

impl MatrixSink for Tangents {
    fn mass(&mut self, _block: usize, _values: &[f64]) {}
    fn mass_coupling(&mut self, _row: usize, _column: usize, _values: &[f64]) {}
    fn damping(&mut self, row: usize, column: usize, values: &[f64]) {
        add(&mut self.damping, row, column, values);
    }
    fn stiffness(&mut self, row: usize, column: usize, values: &[f64]) {
        add(&mut self.stiffness, row, column, values);
    }
    fn jacobian(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
    fn rate_gradient(&mut self, _constraint: usize, _block: usize, _values: &[f64]) {}
}

/// Largest difference of the tangents of stiffness and damping from central differences, relative to the largest entry; columns of
/// the hub left out, all others compared in full.
fn mismatch(spec: &RotorSpec) -> [f64; 2] {
    let system = system(spec);
    let (q, v, t) = (system.initial_position(), system.initial_velocity(), START + 2e-3);
    let n = v.len();
    let mut dense = Tangents { stiffness: DMatrix::zeros(n, n), damping: DMatrix::zeros(n, n) };
    system.tangents(Motion { t, q: &q, v: &v }, &vec![0.0; n], &[], &mut dense);
    let width = 2e-6;
    let by_position = |j: usize, width: f64| {
        let (mut x, mut moved) = (vec![0.0; n], q.clone());
        x[j] = width;
        system.structure().coordinates().move_by(&q, &x, &mut moved);
        balance(&system, t, &moved, &v)
    };
    let by_velocity = |j: usize, width: f64| {
        let mut moved = v.clone();
        moved[j] += width;
        balance(&system, t, &q, &moved)
    };
    let mut errors = [0.0_f64; 2];
    for j in 6..n {
        let found = (by_position(j, width) - by_position(j, -width)) / (2.0 * width);
        errors[0] = errors[0].max((dense.stiffness.column(j) - found).amax() / dense.stiffness.amax());
        let found = (by_velocity(j, 10.0 * width) - by_velocity(j, -10.0 * width)) / (20.0 * width);
        errors[1] = errors[1].max((dense.damping.column(j) - found).amax() / dense.damping.amax());
    }
    errors
}

const MODELS: [InflowModel; 6] = [
    InflowModel::None,
    InflowModel::Uniform,
    InflowModel::Drees,
    InflowModel::Coleman,
    InflowModel::PittPeters,
    InflowModel::Annular,
];

#[test]
fn tangents_are_those_of_central_differences() {
    for inflow in MODELS {
        let mut spec = tangents::spec(inflow);
        let [position, velocity] = mismatch(&spec);
        assert!(position < 2e-8 && velocity < 2e-8, "{inflow:?}: {position:e} {velocity:e}");
        spec = RotorSpec { stall_time_constant: Some(4.0), wagner: true, ..spec };
        spec.blade.airfoils[0].airfoil = AirfoilSpec::Formula;
        let [position, velocity] = mismatch(&spec);
        assert!(position < 2e-8 && velocity < 2e-8, "unsteady, {inflow:?}: {position:e} {velocity:e}");
    }
}

/// At the start the loads are those of the rotor by itself, and their power, too.
#[test]
fn bodies_bear_the_loads_of_the_rotor() {
    for inflow in MODELS {
        let spec = RotorSpec { wagner: true, ..tangents::spec(inflow) };
        let (system, frames) = (system(&spec), frames(&spec));
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let found = balance(&system, START, &q, &v);
        let rotor = spec.build().unwrap();
        let mut loads = RotorLoads::new(&rotor);
        loads.start(&rotor, &frames, START, &RotorState::new(&rotor), 1e-3).unwrap();
        let of_frames: Vec<f64> = loads.blades.iter().flat_map(|blade| blade.loads.iter()).copied().collect();
        let (mut power, mut largest) = (0.0, 0.0_f64);
        for (k, load) in of_frames.chunks(6).enumerate() {
            let (body, frame) = (k + 1, &frames[k + 1]);
            let [force, moment] = [0, 3].map(|first| Vector3::from_column_slice(&load[first..first + 3]));
            power += force.dot(&frame.velocity) + moment.dot(&frame.angular_velocity);
            let state = system.body_state(body, &q, &v).unwrap();
            let about_centre = moment + (frame.position - state.position).cross(&force);
            let expected = [force, state.orientation.inverse() * about_centre];
            for (j, part) in expected.iter().enumerate() {
                let own = found.fixed_rows::<3>(6 * body + 3 * j);
                largest = largest.max(part.norm());
                assert!((own + part).norm() < 1e-9 * largest.max(1.0), "{inflow:?}, body {body}");
            }
        }
        assert!(largest > 100.0 && found.rows(0, 6).amax() < 1e-9, "{inflow:?}: {largest}");
        let own = system.external_power(Motion { t: START, q: &q, v: &v });
        assert!((own / power - 1.0).abs() < 1e-9, "{inflow:?}: {own} {power}");
        assert_eq!(system.dissipated_power(Motion { t: START, q: &q, v: &v }), 0.0);
    }
}

/// Blocks of neighbours along each blade, and no others.
#[test]
fn the_structure_is_that_of_chains() {
    let system = system(&tangents::spec(InflowModel::PittPeters));
    let mut coupled = system.structure().couplings().to_vec();
    coupled.sort_unstable();
    assert_eq!(coupled, [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9)]);
}

fn spec() -> RotorSpec {
    let mut spec = tangents::spec(InflowModel::PittPeters);
    spec.stall_time_constant = Some(4.0);
    spec.wagner = true;
    spec.blade.airfoils[0].airfoil = AirfoilSpec::Naca0012;
    spec
}

fn solver(spec: &RotorSpec, method: Method) -> DaeSolver<SpatialSystem> {
    let system = model(spec).build().unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let settings = DaeSettings { formulation: Formulation::PositionVelocity, ..DaeSettings::default() };
    DaeSolver::new(system, method, settings, (START, q, v)).unwrap()
}

#[test]
fn steps_allocate_nothing() {
    for inflow in MODELS {
        let mut solver = solver(&RotorSpec { inflow, ..spec() }, Method::Midpoint);
        solver.step(1e-3).unwrap();
        let counted = allocation_counter::measure(|| {
            for _ in 0..4 {
                solver.step(1e-3).unwrap();
            }
        });
        assert_eq!(counted.count_total, 0, "{inflow:?}");
    }
}

#[test]
fn a_restored_system_goes_on_with_the_same_bits() {
    for method in [Method::Midpoint, Method::GeneralizedAlpha { spectral_radius: 0.8 }] {
        let [mut whole, mut other] = [spec(), spec()].map(|spec| solver(&spec, method));
        whole.advance_to(START + 5e-3, 1e-3).unwrap();
        let saved = whole.save();
        whole.advance_to(START + 1e-2, 1e-3).unwrap();
        other.advance_to(START + 3e-3, 5e-4).unwrap();
        other.restore(&saved).unwrap();
        other.advance_to(START + 1e-2, 1e-3).unwrap();
        assert_eq!(whole.save(), other.save());
        let shown = |solver: &DaeSolver<SpatialSystem>| {
            let (state, system) = (solver.state(), solver.system());
            let mut out = vec![f64::NAN; system.element_quantities().len()];
            system.observe_elements(Motion { t: state.time, q: &state.q, v: &state.v }, &mut out);
            out
        };
        assert_eq!(shown(&whole), shown(&other));
    }
}

/// Wind that is not known from a time on: the step that needs it fails with the name of the element and the reason.
#[test]
fn a_step_without_loads_says_why() {
    let times = vec![0.0, START + 2.5e-3, START + 2.6e-3];
    let velocities = vec![[3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1e308, 0.0, 0.0]];
    let wind = WindSpec::Sum {
        winds: vec![
            WindSpec::Table { times: times.clone(), velocities: velocities.clone() },
            WindSpec::Table { times, velocities },
        ],
    };
    let mut solver = solver(&RotorSpec { wind, ..spec() }, Method::Midpoint);
    let error = solver.advance_to(START + 1e-2, 1e-3).unwrap_err();
    let DaeError::NoForces { reason, .. } = &error else { panic!("{error}") };
    assert!(reason.contains("element `air`") && reason.contains("the wind at"), "{error}");
}

#[test]
fn a_wrong_number_of_nodes_is_refused() {
    let rotor = spec().build().unwrap();
    let body = RigidBody::new(20.0, Matrix3::from_diagonal_element(3.0)).unwrap();
    let nodes = vec![Frame::on("body", [0.0; 3]); 9];
    let refused = SpatialModel::new()
        .with_body(Body::new("body", body))
        .with_element("air", nodes, RotorElement::new(rotor))
        .build();
    let error = refused.unwrap_err();
    assert!(matches!(error, SpatialModelError::OutOfRange { found: 9.0, .. }), "{error}");
}
