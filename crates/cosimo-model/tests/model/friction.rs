//! Laws of contacts with friction: reading, mistakes, writing.

use cosimo_model::SubsystemKind;
use cosimo_nonsmooth::ImpactLaw;

use super::{BASE, assert_mistake_at, model};

const PLANE: &str = "restitution = 0.8";

#[test]
fn laws_are_read_with_their_defaults() {
    let law = |more: &str| {
        let model = model(&BASE.replace(PLANE, &format!("{PLANE}\n{more}")));
        let SubsystemKind::Node(node) = &model.subsystems[0].kind else { panic!("no node") };
        node.planes[0].law
    };
    let none = law("");
    assert_eq!((none.friction, none.tangential_restitution, none.facets), (0.0, 0.0, None));
    assert_eq!((none.impact, none.restitution), (ImpactLaw::Newton, 0.8));
    let full = law("friction = 0.3\ntangential_restitution = 0.5\nfacets = 16");
    assert_eq!((full.friction, full.tangential_restitution, full.facets), (0.3, 0.5, Some(16)));
    assert_eq!(law("friction = 0.3\nimpact_law = \"moreau\"").impact, ImpactLaw::Moreau);
}

#[test]
fn mistakes_in_laws_have_their_place() {
    let with = |more: &str| format!("{PLANE}\n{more}");
    for (more, expected) in [
        ("friction = -0.1", "friction is -0.1, must be zero or positive"),
        ("friction = inf", "friction is inf, must be finite"),
        ("tangential_restitution = 0.5", "tangential_restitution has no effect without friction"),
        ("facets = 16", "facets has no effect without friction"),
        ("impact_law = \"newtn\"", "did you mean `newton`?"),
    ] {
        assert_mistake_at(1, PLANE, &with(more), expected);
    }
    for (more, expected) in [
        ("friction = 0.3\nfacets = 2", "facets is 2, must be 3 to 360"),
        ("friction = 0.3\nfacets = 361", "facets is 361, must be 3 to 360"),
        ("friction = 0.3\ntangential_restitution = 1.5", "must be in [0, 1]"),
    ] {
        assert_mistake_at(2, PLANE, &with(more), expected);
    }
    let moreau = with("friction = 0.3\nimpact_law = \"moreau\"\ntangential_restitution = 0.5");
    assert_mistake_at(3, PLANE, &moreau, "has no effect with impact_law = \"moreau\"");
}

#[test]
fn a_node_turns_with_an_inertia_only() {
    assert_mistake_at(
        1,
        "radius = 0.25",
        "radius = 0.25\nangular_velocity = [0, 0, 1]",
        "has no effect without inertia",
    );
}

const SLIDER: &str = r#"
schema = 1
time = { end = 1, step = 0.1 }
[[subsystem]]
name = "slider"
kind = "linear"
coordinates = ["x", "z"]
mass = [1, 1]
[[subsystem.contact]]
name = "floor"
row = { z = 1 }
restitution = 0.5
friction = 0.25
tangents = [{ x = 1 }]
"#;

#[test]
fn contacts_of_linear_systems_need_tangents_for_friction() {
    let mistake = |text: &str| super::mistakes(text).to_string();
    let missing = mistake(&SLIDER.replace("tangents = [{ x = 1 }]\n", ""));
    assert!(missing.contains("missing key `tangents` in contact `floor`"), "{missing}");
    let idle = mistake(&SLIDER.replace("friction = 0.25\n", ""));
    assert!(idle.contains("tangents have no effect without friction"), "{idle}");
    let many = mistake(&SLIDER.replace("[{ x = 1 }]", "[{ x = 1 }, { z = 1 }, { x = 2 }]"));
    assert!(many.contains("tangents") && many.contains("1 or 2"), "{many}");
    let unknown = mistake(&SLIDER.replace("[{ x = 1 }]", "[{ y = 1 }]"));
    assert!(unknown.contains("`y`") || unknown.contains("\"y\""), "{unknown}");
}

#[test]
fn friction_round_trips_and_names_its_quantities() {
    for text in [
        SLIDER.to_owned(),
        BASE.replace(PLANE, &format!("{PLANE}\nfriction = 0.3\ntangential_restitution = 0.5\nfacets = 16")),
        BASE.replace(PLANE, &format!("{PLANE}\nfriction = 0.3\nimpact_law = \"moreau\"")),
        BASE.replace("radius = 0.25", "radius = 0.25\ninertia = 0.1\nangular_velocity = [0, 1, 0]"),
    ] {
        let first = model(&text);
        let written = first.to_toml();
        assert_eq!(first, model(&written), "{written}");
    }
    let slider = model(SLIDER);
    let names: Vec<_> = slider.subsystems[0].kind.quantities().into_iter().map(|q| q.name).collect();
    for name in ["floor.gap", "floor.impulse", "floor.slip", "floor.friction"] {
        assert!(names.iter().any(|found| found == name), "{names:?}");
    }
    // What the model says can be recorded is what the built model shows.
    let master = slider.build().unwrap();
    let labels: Vec<_> = master.labels().into_iter().map(|label| label.name).collect();
    let (mut names, mut shown) = (names, labels);
    names.sort();
    shown.sort();
    assert_eq!(names, shown);
}
