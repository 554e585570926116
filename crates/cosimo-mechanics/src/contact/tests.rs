use super::*;

#[test]
fn every_rule_is_checked() {
    let good = ContactLaw::with_friction(0.5, 0.3);
    assert_eq!(good.check(), Ok(()));
    let stick = |coefficient| Some(StaticFriction { coefficient, stribeck: None });
    let curve = |speed, exponent| {
        Some(StaticFriction { coefficient: 0.4, stribeck: Some(Stribeck { speed, exponent }) })
    };
    let gamma = |gamma| Activation { gamma: Some(gamma), ..Activation::default() };
    let wrong = [
        ContactLaw { restitution: 1.1, ..good },
        ContactLaw { restitution: f64::NAN, ..good },
        ContactLaw { tangential_restitution: -0.1, ..good },
        ContactLaw { friction: -0.1, ..good },
        ContactLaw { friction: f64::INFINITY, ..good },
        ContactLaw { facets: Some(2), ..good },
        ContactLaw { facets: Some(361), ..good },
        ContactLaw { activation: gamma(-1.0), ..good },
        ContactLaw { static_friction: stick(0.2), ..good },
        ContactLaw { static_friction: stick(f64::INFINITY), ..good },
        ContactLaw { static_friction: stick(0.2), friction: 0.0, ..good },
        ContactLaw { static_friction: curve(0.0, 1.0), ..good },
        ContactLaw { static_friction: curve(1.0, 0.0), ..good },
    ];
    for law in wrong {
        assert!(law.check().is_err(), "{law:?}");
        assert!(law.friction > 0.0 || law.without_friction().check().is_ok());
    }
}

#[test]
fn laws_come_back_from_their_keys() {
    let stribeck = Some(Stribeck { speed: 0.1, exponent: 2.0 });
    let full = ContactLaw {
        static_friction: Some(StaticFriction { coefficient: 0.5, stribeck }),
        tangential_restitution: 0.2,
        facets: Some(16),
        activation: Activation { gamma: Some(0.5), restitution: Restitution::Always },
        ..ContactLaw::with_friction(0.8, 0.3)
    };
    let moreau = ContactLaw { impact: ImpactLaw::Moreau, ..full };
    for law in [ContactLaw::frictionless(0.5), ContactLaw::with_friction(0.1, 0.2), full, moreau] {
        assert_eq!(serde_json::from_str::<ContactLaw>(&serde_json::to_string(&law).unwrap()).unwrap(), law);
    }
}

#[test]
fn few_keys_make_a_law() {
    let law = |text: &str| serde_json::from_str::<ContactLaw>(text).unwrap();
    assert_eq!(law(r#"{"restitution": 0.5}"#), ContactLaw::frictionless(0.5));
    let moreau = ContactLaw { impact: ImpactLaw::Moreau, ..ContactLaw::with_friction(0.5, 0.3) };
    assert_eq!(law(r#"{"restitution": 0.5, "friction": 0.3, "impact_law": "moreau"}"#), moreau);
}
