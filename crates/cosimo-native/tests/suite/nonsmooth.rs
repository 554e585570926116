//! Systems that nonsmooth integrators step: derivatives of their contacts, and the contract.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::GeneralizedAlphaParameters;
use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_impact::{ContactSink, Contacts, ImpactSettings, Scheme, SmoothConstraints};
use cosimo_mechanics::ContactLaw;
use cosimo_multibody::spatial::{
    Body, Contact, ContactShape, Frame, JointKind, RigidBody, Sensor, SensorKind, SpatialModel, SpatialSystem,
};
use cosimo_native::{
    MultibodyPort, NonsmoothMechanism, SpatialContacts, SpatialMechanism, SpatialMechanismContact,
};
use cosimo_subsystem::conformance::Conformance;
use nalgebra::Matrix3;

/// Two rods on a joint, with a foot on the ground, a ball on a ball and a stop.
fn system() -> SpatialSystem {
    let rod = || RigidBody::new(1.0, Matrix3::from_diagonal(&[0.1, 0.2, 0.3].into())).unwrap();
    let model = SpatialModel::new()
        .with_gravity([1.0, 0.0, -9.81])
        .with_body(Body::new("upper", rod()).with_position([0.4, 0.0, 0.5]))
        .with_body(Body::new("lower", rod()).with_position([1.1, 0.0, 0.3]))
        .with_joint_at(
            "elbow",
            JointKind::Spherical,
            [Some("upper"), Some("lower")],
            ([0.8, 0.0, 0.4], [0.0, 1.0, 0.0]),
        );
    let [first, second] =
        ["upper", "lower"].map(|body| model.frame_at(Some(body), [0.8, 0.0, 0.4], [0.0, 1.0, 0.0]));
    let (foot, head) = (Frame::on("lower", [0.2, 0.1, -0.1]), Frame::on("upper", [-0.2, 0.3, 0.4]));
    model
        .with_sensor(Sensor::new("bend", SensorKind::Angle, first, second))
        .with_contact(Contact::new(
            "foot",
            ContactShape::SpherePlane { radius: 0.05 },
            Frame::ground([0.0; 3]),
            foot.clone(),
        ))
        .with_contact(Contact::new("balls", ContactShape::SphereSphere { radii: [0.2, 0.1] }, head, foot))
        .with_contact(Contact::upper_stop("bent", "bend", 0.8))
        .build()
        .unwrap()
}

fn build(
    scheme: Scheme,
    friction: f64,
    restitution: f64,
) -> NonsmoothMechanism<SpatialSystem, SpatialContacts> {
    build_with(scheme, (friction, restitution), Vec::new())
}

fn build_with(
    scheme: Scheme,
    (friction, restitution): (f64, f64),
    ports: Vec<(String, MultibodyPort)>,
) -> NonsmoothMechanism<SpatialSystem, SpatialContacts> {
    let contact = |name: &str| {
        let friction = if name == "bent" { 0.0 } else { friction };
        SpatialMechanismContact {
            name: name.to_owned(),
            law: ContactLaw::with_friction(restitution, friction),
        }
    };
    let mechanism = SpatialMechanism {
        name: "arm".to_owned(),
        system: system(),
        contacts: ["foot", "balls", "bent"].map(contact).to_vec(),
        scheme,
        settings: ImpactSettings::default(),
        start: (0.0, None),
        inputs: Vec::new(),
        ports,
    };
    mechanism.build().unwrap()
}

/// `G v`, summed up from blocks.
struct Product<'a>(&'a [f64], usize, Vec<f64>);

impl ContactSink for Product<'_> {
    fn jacobian(&mut self, contact: usize, block: usize, values: &[f64]) {
        for (k, value) in values.iter().enumerate() {
            self.2[contact * self.1 + k % self.1] += value * self.0[6 * block + k / self.1];
        }
    }
}

#[test]
fn jacobian_and_curvature_are_those_of_central_differences() {
    let arm = build(Scheme::moreau_jean(0.5), 0.3, 0.0);
    let (contacts, coordinates, q) = (arm.contacts(), arm.system().structure().coordinates(), &arm.state().q);
    let v: Vec<f64> = (0..12).map(|k| (f64::from(k) * 1.3).sin()).collect();
    let (rows, d) = (contacts.layout().rows(), contacts.layout().dimension());
    let at = |s: f64| {
        let (x, mut moved) = (v.iter().map(|v| s * v).collect::<Vec<_>>(), q.clone());
        coordinates.move_by(q, &x, &mut moved);
        let (mut gaps, mut rates) = (vec![0.0; 3], vec![0.0; rows]);
        contacts.gaps(0.0, &moved, &mut gaps);
        contacts.rates(Motion { t: 0.0, q: &moved, v: &v }, &mut rates);
        (gaps, rates)
    };
    let step = 1e-5;
    let ((gaps, rates), (gaps_before, rates_before)) = (at(step), at(-step));
    let motion = Motion { t: 0.0, q, v: &v };
    let (mut stated, mut curvature) = (vec![0.0; rows], vec![0.0; rows]);
    contacts.rates(motion, &mut stated);
    contacts.curvature(motion, &mut curvature);
    let mut product = Product(&v, d, vec![0.0; rows]);
    contacts.jacobian(0.0, q, &mut product);
    for c in 0..3 {
        let rate = (gaps[c] - gaps_before[c]) / (2.0 * step);
        assert!((rate - stated[c * d]).abs() < 1e-8, "gap {c}: {rate} {}", stated[c * d]);
    }
    for row in 0..rows {
        assert!((product.2[row] - stated[row]).abs() < 1e-13, "row {row}");
        let found = (rates[row] - rates_before[row]) / (2.0 * step);
        assert!((found - curvature[row]).abs() < 1e-7, "row {row}: {found} {}", curvature[row]);
    }
}

/// Schemes with friction and restitution that they take.
fn schemes() -> [(Scheme, f64, f64); 10] {
    [
        (Scheme::moreau_jean(0.5), 0.3, 0.5),
        (Scheme::DissipativeMoreauJean { theta: 0.6, activation: Default::default() }, 0.3, 0.5),
        (Scheme::ProjectedMoreauJean { theta: 0.5, activation: Default::default() }, 0.3, 0.5),
        (Scheme::SchatzmanPaoli { theta: 0.5 }, 0.0, 0.5),
        (Scheme::multistep(0.8), 0.3, 0.5),
        (Scheme::newmark(GeneralizedAlphaParameters::hht(-0.1)), 0.3, 0.5),
        (Scheme::generalized_alpha(0.8, SmoothConstraints::Acceleration), 0.0, 0.5),
        (Scheme::generalized_alpha(0.8, SmoothConstraints::Acceleration), 0.3, 0.5),
        (Scheme::generalized_alpha(0.8, SmoothConstraints::Velocity), 0.0, 0.5),
        (Scheme::half_implicit_euler(0.1), 0.3, 0.0),
    ]
}

#[test]
fn every_scheme_keeps_the_contract() {
    let mut failures = String::new();
    for (scheme, friction, restitution) in schemes() {
        let suite = Conformance::new(|| build(scheme, friction, restitution))
            .step(1e-3)
            .steps(8)
            .ledger_tolerance(1.0);
        let report = suite.check();
        if !report.has_passed() {
            failures += &format!("{}: {report}\n", scheme.name());
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_scheme_with_ports_keeps_the_contract() {
    let ports = || {
        let hand = MultibodyPort::frame("lower", [0.1, 0.2, 0.3]);
        vec![("hand".to_owned(), hand), ("bend".to_owned(), MultibodyPort::sensor("bend"))]
    };
    let mut failures = String::new();
    for (scheme, friction, restitution) in schemes() {
        if scheme.takes_outer_impulses().is_err() {
            continue;
        }
        let suite = Conformance::new(|| build_with(scheme, (friction, restitution), ports()))
            .step(1e-3)
            .steps(8)
            // That loads turn with their bodies is left to the iteration.
            .derivative_tolerance(1e-3)
            .ledger_tolerance(1.0);
        let report = suite.check();
        if !report.has_passed() {
            failures += &format!("{}: {report}\n", scheme.name());
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
