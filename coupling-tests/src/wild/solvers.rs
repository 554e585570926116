//! Draws step rules and nonsmooth integrators, as values of the key `solver`.

use super::super::matrix::axes::{Kind, Rule};
use super::random::Random;

/// A rule that takes ports; none where the kind has one of its own.
pub(super) fn rule(random: &mut Random, kind: Kind) -> Option<String> {
    let radius = random.of_or_above(&[0.0, 1.0], 0.0);
    let rule = match (kind, random.below(7)) {
        (Kind::RigidBody, _) => return None,
        (Kind::Multibody, 0) => Rule::Theta(0.5),
        (_, 0) => Rule::Theta(random.of_or_above(&[0.5, 1.0], 0.5)),
        (Kind::Multibody, 1) => Rule::Hht(-random.between(0.0, 0.333)),
        (Kind::Multibody, 2) => Rule::Newmark(random.of_or_above(&[0.5, 1.0], 0.5)),
        (Kind::Multibody, 3) => Rule::Bdf,
        (_, 1 | 2) => Rule::Theta(0.5),
        (_, 3 | 4) => Rule::Multistep(radius),
        _ => Rule::GeneralizedAlpha(radius),
    };
    Some(rule.solver(kind, true))
}

/// Whether subsystems of the kind take a nonsmooth integrator.
pub(super) fn has_inner_scheme(kind: Kind) -> bool {
    matches!(kind, Kind::Linear | Kind::Multibody)
}

/// A nonsmooth integrator; one that takes ports where it is joined.
pub(super) fn inner_scheme(random: &mut Random, is_joined: bool) -> String {
    let theta = random.of_or_above(&[0.5, 0.5, 1.0], 0.5);
    let radius = random.of_or_above(&[0.8, 1.0], 0.0);
    let keys = match random.below(9) {
        0 => format!("\"moreau-jean\", theta = {theta:?}"),
        // Above a half, restitution is bounded.
        1 => "\"moreau-jean\", theta = 0.5, dissipation = \"guaranteed\"".to_owned(),
        2 => format!("\"dissipative-moreau-jean\", theta = {theta:?}"),
        3 => format!("\"projected-moreau-jean\", theta = {theta:?}"),
        4 if !is_joined => format!("\"schatzman-paoli\", theta = {theta:?}"),
        4 => "\"newmark\", parameters = { alpha_m = 0.0, alpha_f = 0.1, beta = 0.3025, gamma = 0.6 }"
            .to_owned(),
        5 => format!("\"multistep\", spectral_radius = {radius:?}"),
        6 => format!(
            "\"nonsmooth-generalized-alpha\", smooth = \"acceleration\", spectral_radius = {radius:?}"
        ),
        7 => format!("\"nonsmooth-generalized-alpha\", smooth = \"velocity\", spectral_radius = {radius:?}"),
        _ => format!("\"half-implicit-euler\", distance = {:e}", random.scale(1e-5, 1e-3)),
    };
    format!("{{ scheme = {keys} }}")
}
