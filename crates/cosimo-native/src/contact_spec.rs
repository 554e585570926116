//! What a description says of a contact with this law.

use cosimo_nonsmooth::{Activation, ContactLaw, ImpactLaw, Restitution};
use cosimo_subsystem::{Captured, ContactSpec, Friction, PortAttachment, StaticFriction, Stribeck};

/// The contact `name`, which acts at a port as its gap and its tangents do.
pub(crate) fn contact_spec(
    name: &str,
    law: &ContactLaw,
    (gap, tangents): (Option<PortAttachment>, Vec<Option<PortAttachment>>),
) -> ContactSpec {
    let friction = (!tangents.is_empty()).then(|| Friction {
        coefficient: law.friction,
        static_friction: law.static_friction.map(static_friction),
        restitution: law.tangential_restitution,
        facets: law.facets,
        tangents,
    });
    ContactSpec {
        name: name.to_owned(),
        restitution: law.restitution,
        impact_law: impact_law(law.impact),
        friction,
        attachment: gap,
        captured: captured(law.activation),
    }
}

fn captured(Activation { gamma, restitution }: Activation) -> Option<Captured> {
    gamma.map(|gamma| Captured { gamma, sees_opening: restitution == Restitution::Always })
}

fn static_friction(law: cosimo_nonsmooth::StaticFriction) -> StaticFriction {
    let curve = |own: cosimo_nonsmooth::Stribeck| Stribeck { speed: own.speed, exponent: own.exponent };
    StaticFriction { coefficient: law.coefficient, stribeck: law.stribeck.map(curve) }
}

fn impact_law(law: ImpactLaw) -> cosimo_subsystem::ImpactLaw {
    match law {
        ImpactLaw::Newton => cosimo_subsystem::ImpactLaw::Newton,
        ImpactLaw::Moreau => cosimo_subsystem::ImpactLaw::Moreau,
    }
}
