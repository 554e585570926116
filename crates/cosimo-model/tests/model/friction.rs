//! Laws of contacts with friction: reading, mistakes, writing.

use cosimo_mechanics::{ImpactLaw, StaticFriction, Stribeck};
use cosimo_model::SubsystemKind;

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
fn static_friction_is_read_written_and_checked() {
    let with = |more: &str| BASE.replace(PLANE, &format!("{PLANE}\nfriction = 0.3\n{more}"));
    let law = |more: &str| {
        let first = model(&with(more));
        assert_eq!(first, model(&first.to_toml()), "{more}");
        let SubsystemKind::Node(node) = &first.subsystems[0].kind else { panic!("no node") };
        node.planes[0].law.static_friction
    };
    assert_eq!(law(""), None);
    assert_eq!(law("static_friction = 0.5"), Some(StaticFriction { coefficient: 0.5, stribeck: None }));
    let curve = Some(Stribeck { speed: 0.1, exponent: 2.0 });
    let full = law("static_friction = 0.5\nstribeck_speed = 0.1\nstribeck_exponent = 2");
    assert_eq!(full, Some(StaticFriction { coefficient: 0.5, stribeck: curve }));
    let tustin = law("static_friction = 0.5\nstribeck_speed = 0.1");
    assert_eq!(tustin.and_then(|law| law.stribeck).map(|curve| curve.exponent), Some(1.0));
    for (line, more, expected) in [
        (2, "static_friction = 0.2", "static_friction is 0.2, must be at least the friction 0.3 of sliding"),
        (2, "stribeck_speed = 0.2", "stribeck_speed has no effect without static_friction"),
        (3, "static_friction = 0.5\nstribeck_speed = 0", "stribeck_speed is 0, must be positive"),
        (
            3,
            "static_friction = 0.5\nstribeck_exponent = 1",
            "stribeck_exponent has no effect without stribeck_speed",
        ),
    ] {
        assert_mistake_at(line, PLANE, &format!("{PLANE}\nfriction = 0.3\n{more}"), expected);
    }
    let frictionless = format!("{PLANE}\nstatic_friction = 0.5");
    assert_mistake_at(1, PLANE, &frictionless, "static_friction has no effect without friction");
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

const BLOCK: &str = r#"
schema = 1
time = { end = 1, step = 0.1 }
[[subsystem]]
name = "block"
kind = "linear"
coordinates = ["x", "y", "z", "phi"]
angles = ["phi"]
mass = 1
[[subsystem.contact]]
name = "floor"
row = { z = 1 }
restitution = 0.5
friction = 0.25
tangents = [{ x = 1 }, { y = 1 }]
"#;

/// The block with other tangents, which stand in line 15.
fn with_tangents(tangents: &str) -> String {
    BLOCK.replace("[{ x = 1 }, { y = 1 }]", tangents)
}

/// Friction along one direction twice would be `√2` too strong.
#[test]
fn tangents_that_are_one_are_refused() {
    let twice = "has the direction of tangents[0], along which friction would act twice";
    for tangents in [
        "[{ x = 1 }, { x = 1 }]",
        "[{ x = 1, y = 2 }, { x = -0.5, y = -1 }]",
        "[{ x = 1, y = 1, phi = 0.1 }, { x = 3, y = 3, phi = 0.30000000000000004 }]",
        "[{ x = 1e-200 }, { x = 1e200 }]",
        "[{ phi = 1 }, { phi = 0.5 }]",
    ] {
        let found = super::mistakes(&with_tangents(tangents));
        let [mistake] = found.iter().collect::<Vec<_>>()[..] else { panic!("{found}") };
        assert_eq!(mistake.line(), Some(15), "{mistake}");
        let text = mistake.to_string();
        assert!(text.contains(&format!("tangents[1] {twice}")), "{text}");
        assert!(text.contains("give one tangent, or two at right angles"), "{text}");
        let column = 12 + tangents.find(", {").map_or(0, |at| at + 2);
        assert!(text.contains(&format!("15:{column}:")), "{column}: {text}");
    }
}

/// What weights in coordinates that may be any cannot prove is a warning.
#[test]
fn suspicious_tangents_are_told() {
    for (tangents, expected) in [
        ("[{ x = 1 }, { x = 1, y = 1 }]", "tangents[1] is at 45.0000° to tangents[0], not at 90°"),
        ("[{ x = 1 }, { x = -0.01, y = 1 }]", "tangents[1] is at 90.5729° to tangents[0]"),
        ("[{ x = 1 }, { y = 2 }]", "tangents[1] is 2.0000 times as long as tangents[0]"),
        ("[{ z = 1 }]", "tangents[0] has the direction of `row`"),
        ("[{ z = -2 }]", "tangents[0] has the direction of `row`"),
        ("[{ x = 1 }, { z = 1 }]", "tangents[1] has the direction of `row`"),
        ("[{ x = 1, z = 1 }, { x = -1, z = 1 }]", "tangents[0], tangents[1] and `row` depend on each other"),
    ] {
        let text = with_tangents(tangents);
        let found = super::warnings(&text);
        assert!(found.contains(expected), "{tangents}: {found}");
        assert_eq!(found.matches("warning").count(), 1, "{tangents}: {found}");
        assert!(found.contains("model.toml:15:"), "{found}");
    }
}

/// Directions at right angles in space on Cartesian coordinates and angles, as the arms of a body give them.
#[test]
fn sound_tangents_are_read_without_a_word() {
    for tangents in [
        "[{ x = 1 }, { y = 1 }]",
        "[{ x = 1 }]",
        "[{ x = 0.6, y = 0.8 }, { x = -0.8, y = 0.6 }]",
        "[{ x = 0.6, y = 0.8, phi = 0.3 }, { x = -0.8, y = 0.6, phi = 0.2 }]",
        "[{ x = 0.7071, y = 0.7071 }, { x = -0.7071, y = 0.7071 }]",
        "[{ x = 1, z = 0.2 }]",
        "[{ x = 1 }, { phi = 0.1 }]",
    ] {
        assert_eq!(super::warnings(&with_tangents(tangents)), "", "{tangents}");
    }
}

#[test]
fn facets_need_two_tangents() {
    let expected = "facets has no effect along a line: only with two tangents is there a disk of friction";
    let faceted = |text: String| text.replace("friction = 0.25", "friction = 0.25\nfacets = 8");
    let line = super::mistakes(&faceted(with_tangents("[{ x = 1 }]"))).to_string();
    assert!(line.contains(expected) && line.contains("15:"), "{line}");
    assert_eq!(super::warnings(&faceted(BLOCK.to_owned())), "");
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
    let owner = &slider.subsystems[0].name;
    let names: Vec<_> = slider.quantities().into_iter().map(|q| q.name).collect();
    for name in ["floor.gap", "floor.impulse", "floor.slip", "floor.friction"] {
        assert!(names.contains(&format!("{owner}.{name}")), "{names:?}");
    }
    // What the model says can be recorded is what the built model shows.
    let master = slider.build().unwrap();
    let labels = master.labels().into_iter().map(|label| format!("{}.{}", label.owner, label.name)).collect();
    let (mut names, mut shown): (_, Vec<_>) = (names, labels);
    names.sort();
    shown.sort();
    assert_eq!(names, shown);
}
