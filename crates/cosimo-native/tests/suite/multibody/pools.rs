//! Pools of contacts behind the contract.

use cosimo_mechanics::ContactLaw;
use cosimo_multibody::spatial::{Body, ContactPool, ContactShape, Frame, RigidBody, SpatialModel};
use cosimo_native::{Multibody, MultibodyBuilder, MultibodyPort};
use cosimo_smooth::dae::Method;
use cosimo_subsystem::conformance::{Check, Conformance};
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem, SubsystemError};
use nalgebra::Matrix3;

const STEP: f64 = 1e-3;
const RADIUS: f64 = 0.05;

/// Spheres at these places along `x` with these velocities, above a floor.
fn spheres(places: &[f64], velocities: &[f64], capacity: usize) -> MultibodyBuilder {
    let name = |k: usize| format!("b{k}");
    let body = |k: usize| {
        let properties = RigidBody::new(1.0, Matrix3::from_diagonal_element(1e-3)).unwrap();
        // Off the line, and off their centres of mass, so that nothing is symmetric.
        let place = [places[k], 1e-3 * k as f64, 0.0505];
        Body::new(name(k), properties)
            .with_centre_of_mass([0.0, 2e-3, 1e-3])
            .with_position(place)
            .with_velocity([velocities[k], 0.1, 0.0], [1.0, 2.0, 3.0])
    };
    let frames: Vec<Frame> = (0..places.len()).map(|k| Frame::on(name(k), [0.0; 3])).collect();
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
    let model = (0..places.len()).fold(model, |model, k| model.with_body(body(k)));
    let balls = ContactShape::SphereSphere { radii: [RADIUS; 2] };
    let pile = ContactPool::new("pile", balls, frames.clone(), frames.clone()).with_capacity(capacity);
    let plane = ContactShape::SpherePlane { radius: RADIUS };
    let floor = ContactPool::new("floor", plane, vec![Frame::ground([0.0; 3])], frames);
    let system = model.with_contact_pool(pile).with_contact_pool(floor).build().unwrap();
    MultibodyBuilder::new("bed", system)
        .with_longest_step(STEP)
        .with_port("push", MultibodyPort::point("b0", [0.0; 3]))
        .with_contact("pile", ContactLaw::with_friction(0.3, 0.5))
        .with_contact("floor", ContactLaw::with_friction(0.3, 0.5))
}

/// Spheres that pass one another: nothing but the suite's loads acts.
fn crowd() -> Multibody {
    let velocities = [20.0, 0.0, -15.0, 3.0, 0.0];
    spheres(&[0.0, 0.16, 0.5, 0.8, 0.905], &velocities, 8).build().unwrap()
}

/// Pairs come and go within the run, with ports beside them, whatever the rule.
#[test]
fn pools_conform() {
    let absent = |crowd: &Multibody| crowd.rows().absent.clone();
    let mut crowd_after = crowd();
    let start = absent(&crowd_after);
    for k in 0..24 {
        crowd_after.begin(MacroStep { time: STEP * f64::from(k), size: STEP }, &[0.0; 42]).unwrap();
        crowd_after.commit(&StepLoads::zeros(42)).unwrap();
    }
    assert_ne!(absent(&crowd_after), start);
    for method in [
        Method::Midpoint,
        Method::GeneralizedAlpha { spectral_radius: 0.8 },
        Method::Multistep { spectral_radius: 0.6 },
        Method::Hht { alpha: -0.1 },
    ] {
        let make = || {
            let velocities = [20.0, 0.0, -15.0, 3.0, 0.0];
            spheres(&[0.0, 0.16, 0.5, 0.8, 0.905], &velocities, 8).with_method(method).build().unwrap()
        };
        let suite = Conformance::new(make).step(STEP).steps(24).ledger_tolerance(1e-2).velocity_change(0.01);
        let report = suite.loads(|row, time| 0.1 * (row as f64 + 300.0 * time).cos()).check();
        report.assert_passed();
        assert!(report.skipped().all(|check| check != Check::AbsentContacts), "{report}");
    }
}

#[test]
fn an_exhausted_pool_is_named() {
    let error = spheres(&[0.0, 0.1, 0.2], &[0.0; 3], 1).build().unwrap_err().to_string();
    assert!(error.contains("contact `pile` has a capacity of 1, and 2 pairs"), "{error}");
    // One that runs full on the way refuses to go on, and stays as it is.
    let mut bed = spheres(&[0.0, 0.1, 0.4], &[0.0, 0.0, -50.0], 1).build().unwrap();
    let (mut time, loads) = (0.0, StepLoads::zeros(15));
    let error = loop {
        let size = STEP;
        match bed.begin(MacroStep { time, size }, &[0.0; 15]).map(|_| ()) {
            Ok(()) => bed.commit(&loads).unwrap(),
            Err(error) => break error,
        };
        time += size;
        assert!(time < 0.01);
    };
    assert!(
        matches!(&error, SubsystemError::PoolExhausted { pool, capacity: 1, near: 2, .. } if pool == "pile")
    );
    let saved = bed.save().unwrap();
    assert!(bed.prepare_jump(STEP).is_err());
    assert_eq!(bed.save().unwrap(), saved);
}

/// A load that throws one sphere through another that had no slot: the step holds an event, and nothing has changed. In parts it goes.
#[test]
fn a_pair_that_meets_unforeseen_is_an_event() {
    let mut bed = spheres(&[0.0, 0.3], &[0.0; 2], 1).build().unwrap();
    assert!(bed.rows().absent[0]);
    let rows = bed.description().rows();
    let mut thrown = vec![0.0; rows];
    thrown[0] = 1000.0;
    let saved = bed.save().unwrap();
    let step = |time, size| MacroStep { time, size };
    bed.begin(step(0.0, STEP), &vec![0.0; rows]).unwrap();
    let loads = StepLoads { impulses: thrown.clone(), ..StepLoads::zeros(rows) };
    for error in [bed.evaluate(&thrown).map(|_| ()).unwrap_err(), bed.commit(&loads).map(|_| ()).unwrap_err()]
    {
        let SubsystemError::StepHoldsEvent { reason, .. } = &error else { panic!("{error}") };
        assert!(reason.contains("`b1` meets `b0` (contact `pile`)"), "{reason}");
    }
    assert_eq!(bed.save().unwrap(), saved);
    let part = STEP / 8.0;
    bed.begin(step(0.0, part), &vec![0.0; rows]).unwrap();
    thrown[0] = 300.0;
    bed.commit(&StepLoads { impulses: thrown, ..StepLoads::zeros(rows) }).unwrap();
    assert!(!bed.rows().absent[0], "it is foreseen now");
}

/// A slot tells between which bodies it is.
#[test]
fn slots_name_their_bodies() {
    let bed = spheres(&[0.0, 0.1, 0.5], &[0.0; 3], 2).build().unwrap();
    let label = |contact: usize| bed.description().contact_label(contact, bed.rows().holders_of(contact));
    assert_eq!(label(0), "pile b1 on b0");
    assert_eq!(label(1), "pile.2");
    assert_eq!(label(2), "floor b0 on ground");
    let quantities: Vec<&str> = bed.description().quantities.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(quantities[quantities.len() - 2..], ["pile.near", "floor.near"]);
    let mut observed = vec![0.0; quantities.len()];
    bed.observe(&mut observed);
    assert_eq!(observed[observed.len() - 2..], [1.0, 3.0]);
}
