//! Contact laws that schemes do not know.

use cosimo_nonsmooth::{ContactLaw, ImpactLaw};

/// What of a contact law is the master's alone, its key, and the way out.
pub(crate) fn unknown_to_schemes(law: &ContactLaw) -> Option<(&'static str, &'static str, &'static str)> {
    if law.impact != ImpactLaw::Newton {
        return Some((
            "another impact law than \"newton\"",
            "impact_law",
            "set impact_law = \"newton\", or use scheme = \"moreau-jean\" or \"multistep\", or a solver without `scheme`",
        ));
    }
    if law.tangential_restitution != 0.0 {
        return Some((
            "tangential_restitution",
            "tangential_restitution",
            "leave it out, or use scheme = \"moreau-jean\" or \"multistep\", or a solver without `scheme`",
        ));
    }
    if law.static_friction.is_some() {
        return Some((
            "static_friction",
            "static_friction",
            "leave it out, or use scheme = \"moreau-jean\" or \"multistep\", or a solver without `scheme`",
        ));
    }
    law.facets.map(|_| {
        let help =
            "leave them out, or use scheme = \"moreau-jean\" or \"multistep\", or a solver without `scheme`";
        ("facets", "facets", help)
    })
}
