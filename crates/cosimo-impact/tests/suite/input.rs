//! Bad input is refused with what is wrong and what to do.

use cosimo_impact::{
    Activation, Dissipation, ImpactError, LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper,
    Scheme,
};

use crate::common::pendulum::{Pendulum, Wall};
use crate::common::{ball, pva, pvv, schemes};

fn try_ball(scheme: Scheme, restitution: f64, q: f64) -> Result<(), ImpactError> {
    let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(restitution)]);
    let start = (0.0, vec![q], vec![0.0]);
    NonsmoothStepper::new(MassesAndSprings::new(vec![1.0]), floor, scheme, start).map(|_| ())
}

#[test]
fn theta_above_the_bound_warns_and_is_refused_where_dissipation_is_to_be_guaranteed() {
    let warning = ball(Scheme::moreau_jean(0.8)).warning().unwrap();
    assert_eq!(warning.bound, 1.0 / 1.9);
    assert!(ball(Scheme::moreau_jean(0.5)).warning().is_none());
    let guaranteed = |theta| {
        let (activation, dissipation) = (Activation::default(), Dissipation::Guaranteed);
        Scheme::MoreauJean { theta, activation, dissipation }
    };
    let error = try_ball(guaranteed(0.8), 0.9, 1.0).unwrap_err();
    assert_eq!(error, ImpactError::NotDissipative { theta: 0.8, restitution: 0.9, bound: 1.0 / 1.9 });
    try_ball(guaranteed(0.52), 0.9, 1.0).unwrap();
    try_ball(guaranteed(1.0), 0.0, 1.0).unwrap();
    assert!(try_ball(guaranteed(0.4), 0.0, 1.0).is_err());
}

#[test]
fn overlap_at_the_start_is_refused() {
    for (_, scheme) in schemes() {
        let error = try_ball(scheme, 0.5, -0.01).unwrap_err();
        assert_eq!(error, ImpactError::Penetration { contact: "0".to_owned(), depth: 0.01 });
    }
}

#[test]
fn open_constraints_and_wrong_lengths_are_refused() {
    let start = |q: Vec<f64>, v: Vec<f64>| {
        NonsmoothStepper::new(Pendulum, Wall::new(0.8), pva(0.9), (0.0, q, v)).map(|_| ()).unwrap_err()
    };
    let open = start(vec![1.0, 0.1, 0.0], vec![0.0; 3]);
    assert!(matches!(open, ImpactError::Open { level: "position", .. }), "{open}");
    let open = start(vec![1.0, 0.0, 0.0], vec![0.0, 0.1, 0.0]);
    assert!(matches!(open, ImpactError::Open { level: "velocity", .. }), "{open}");
    assert!(matches!(start(vec![1.0], vec![0.0; 3]), ImpactError::Length { found: 1, expected: 3, .. }));
    assert!(matches!(start(vec![f64::NAN, 0.0, 0.0], vec![0.0; 3]), ImpactError::NotFinite { .. }));
}

fn half_implicit_euler(
    correction_speed: f64,
    contact_tolerance: f64,
    contact_iterations: Option<u32>,
) -> Scheme {
    Scheme::HalfImplicitEuler { distance: 1.0, correction_speed, contact_tolerance, contact_iterations }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let refused = [
        Scheme::moreau_jean(1.5),
        Scheme::moreau_jean(f64::NAN),
        Scheme::DissipativeMoreauJean { theta: 0.4, activation: Activation::default() },
        Scheme::multistep(-0.1),
        pva(1.1),
        Scheme::SchatzmanPaoli { theta: 2.0 },
        Scheme::half_implicit_euler(-1.0),
        Scheme::Hht { alpha: 0.1, activation: Activation::default() },
        Scheme::Hht { alpha: -0.4, activation: Activation::default() },
        half_implicit_euler(-0.1, 1e-9, None),
        half_implicit_euler(0.1, 0.0, None),
        half_implicit_euler(0.1, 0.1, None),
        half_implicit_euler(0.1, 1e-9, Some(0)),
    ];
    for scheme in refused {
        let error = try_ball(scheme, 0.0, 1.0).unwrap_err();
        assert!(matches!(error, ImpactError::OutOfRange { .. }), "{scheme:?}: {error}");
    }
    let error = try_ball(Scheme::half_implicit_euler(1.0), 0.5, 1.0).unwrap_err();
    assert!(matches!(error, ImpactError::Unsupported { what: "restitution", .. }));
    assert!(ball(pva(0.8)).step(-1.0).is_err());
}

/// A block on sixty contacts of which one would hold it, without restitution: impulses are not unique, the motion is.
#[test]
fn many_redundant_contacts_without_restitution_are_solved() {
    for (name, scheme) in schemes() {
        let block = MassesAndSprings::new(vec![1.0]).with_force(0, -9.81);
        let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0); 60]);
        let start = (0.0, vec![0.01], vec![0.0]);
        let mut stepper = NonsmoothStepper::new(block, floor, scheme, start).unwrap();
        stepper.advance_to(0.2, 1e-3).unwrap();
        let state = stepper.state();
        assert!(state.q[0].abs() < 1e-3 && state.v[0].abs() < 1e-9, "{name}: {state:?}");
        let weight: f64 = stepper.contacts().impulses.iter().sum::<f64>() / 1e-3;
        if !name.starts_with("schatzman") {
            assert!((weight - 9.81).abs() < 1e-6, "{name}: {weight}");
        }
    }
    // The same with PVV and PVA from contact.
    for scheme in [pvv(0.8), pva(0.8)] {
        let block = MassesAndSprings::new(vec![1.0]).with_force(0, -9.81);
        let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0); 60]);
        let mut stepper = NonsmoothStepper::new(block, floor, scheme, (0.0, vec![0.0], vec![0.0])).unwrap();
        stepper.advance_to(0.01, 1e-3).unwrap();
        assert!(stepper.state().q[0].abs() < 1e-12);
    }
}

#[test]
fn a_scheme_is_one_value_of_a_file() {
    let text = r#"{"nonsmooth-generalized-alpha": {"spectral_radius": 0.8, "smooth": "velocity"}}"#;
    let scheme: Scheme = serde_json::from_str(text).unwrap();
    assert_eq!(scheme, pvv(0.8));
    let text = r#"{"moreau-jean": {"theta": 0.5, "activation": {"gamma": 0.0, "restitution": "always"}}}"#;
    assert!(serde_json::from_str::<Scheme>(text).is_ok());
}
