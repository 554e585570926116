//! The keys of a contact's law, the same for every kind.

use cosimo_mechanics::contact::rules::{
    FRICTION, RESTITUTION, STRIBECK_EXPONENT, STRIBECK_SPEED, TANGENTIAL_RESTITUTION,
};
use cosimo_mechanics::{Activation, ContactLaw, FACETS, ImpactLaw, StaticFriction, Stribeck};

use crate::spec::{QuantityName, QuantityRole, quantity};
use crate::toml::Reader;

/// Reads `restitution`, `friction`, `static_friction`, `stribeck_speed`, `stribeck_exponent`, `tangential_restitution`, `impact_law` and `facets`.
pub(crate) fn read_law(contact: &Reader<'_>) -> ContactLaw {
    let law = ContactLaw {
        restitution: contact.number("restitution").obeying(&RESTITUTION).required(),
        friction: contact.number("friction").obeying(&FRICTION).or_after_mistake(0.0, 1.0),
        static_friction: None,
        tangential_restitution: contact
            .number("tangential_restitution")
            .obeying(&TANGENTIAL_RESTITUTION)
            .or(0.0),
        impact: contact.choice("impact_law").or(ImpactLaw::Newton),
        facets: contact
            .integer("facets")
            .check("3 to 360", |count| usize::try_from(*count).is_ok_and(|count| FACETS.contains(&count)))
            .optional()
            .and_then(|count| usize::try_from(count).ok()),
        activation: Activation::default(),
    };
    let law = ContactLaw { static_friction: read_static_friction(contact, law.friction), ..law };
    forbid_without_effect(contact, &law);
    law
}

fn forbid_without_effect(contact: &Reader<'_>, law: &ContactLaw) {
    if law.friction == 0.0 {
        contact.forbid("facets", "has no effect without friction");
    } else if !contact.placement().keeps_directions() {
        let reason = "has directions of its own, which do not turn with the instance: leave it out, for the exact cone";
        contact.forbid("facets", reason);
    }
    if law.impact == ImpactLaw::Moreau {
        let reason = "has no effect with impact_law = \"moreau\", whose restitution acts in all directions";
        contact.forbid("tangential_restitution", reason);
    } else if law.friction == 0.0 {
        contact.forbid("tangential_restitution", "has no effect without friction");
    }
}

/// Reads the friction of a contact that sticks, beside that of one that slides.
fn read_static_friction(contact: &Reader<'_>, sliding: f64) -> Option<StaticFriction> {
    let expected = format!(
        "at least the friction {sliding} of sliding: a contact that breaks away would be held again at once"
    );
    let is_static = |coefficient: &f64| StaticFriction::holds_above(*coefficient, sliding);
    if sliding == 0.0 {
        contact.forbid("static_friction", "has no effect without friction");
    }
    let coefficient = contact.number("static_friction").check(&expected, is_static).optional();
    let Some(coefficient) = coefficient else {
        contact.forbid("stribeck_speed", "has no effect without static_friction");
        contact.forbid("stribeck_exponent", "has no effect without static_friction");
        return None;
    };
    let Some(speed) = contact.number("stribeck_speed").obeying(&STRIBECK_SPEED).optional() else {
        contact.forbid("stribeck_exponent", "has no effect without stribeck_speed");
        return Some(StaticFriction { coefficient, stribeck: None });
    };
    let exponent = contact.number("stribeck_exponent").obeying(&STRIBECK_EXPONENT).or(1.0);
    Some(StaticFriction { coefficient, stribeck: Some(Stribeck { speed, exponent }) })
}

/// What a nonsmooth integrator shows of these contacts, of the constraints at three levels and of the works of a step.
pub(crate) fn nonsmooth_quantities<'a>(contacts: impl Iterator<Item = &'a str>) -> Vec<QuantityName> {
    use QuantityRole::{Count, Energy, Residual};
    let active = contacts.map(|name| quantity(format!("{name}.active"), "", Count));
    let levels = [("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2")];
    let levels = levels.map(|(level, unit)| quantity(format!("constraints.{level}"), unit, Residual));
    let works = ["change", "external", "damping", "contact", "impact", "friction", "algorithmic"];
    let works = works.map(|work| quantity(format!("step.{work}"), "J", Energy));
    active.chain(levels).chain(works).chain([quantity("step.iterations", "", Count)]).collect()
}

/// Refuses `facets` of a contact that slides along a line, whose friction has two directions only.
pub(crate) fn forbid_facets_on_a_line(contact: &Reader<'_>, law: &ContactLaw) {
    if law.friction > 0.0 {
        contact.forbid(
            "facets",
            "has no effect along a line: only with two tangents is there a disk of friction",
        );
    }
}

/// The quantities of a contact with `slips` slips: `NAME.gap`, `.force`, `.status`, `.impulse`, and of each slip its velocity and the impulse
/// of friction.
pub(crate) fn contact_quantities(name: &str, slips: usize) -> Vec<QuantityName> {
    let mut found = vec![
        quantity(format!("{name}.gap"), "m", QuantityRole::Gap),
        quantity(format!("{name}.force"), "N", QuantityRole::Force),
        quantity(format!("{name}.status"), "", QuantityRole::Count),
        quantity(format!("{name}.impulse"), "N s", QuantityRole::Impulse),
    ];
    for k in 0..slips {
        let number = if slips == 1 { String::new() } else { format!("_{k}") };
        found.push(quantity(format!("{name}.slip{number}"), "m/s", QuantityRole::Velocity));
        found.push(quantity(format!("{name}.friction{number}"), "N s", QuantityRole::Impulse));
    }
    found
}

/// The quantities of a pool of contacts: the pairs that are near, those that touch, and the sum of their normal forces.
pub(crate) fn pool_quantities(name: &str) -> Vec<QuantityName> {
    vec![
        quantity(format!("{name}.near"), "", QuantityRole::Count),
        quantity(format!("{name}.touching"), "", QuantityRole::Count),
        quantity(format!("{name}.force"), "N", QuantityRole::Force),
    ]
}
