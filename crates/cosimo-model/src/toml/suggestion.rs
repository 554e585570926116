//! "Did you mean": the nearest of the names that would have been right.

/// A help text for an unknown name: the nearest candidate, or the candidates if none is near and they are few.
///
/// ```
/// let help = cosimo_model::hint("uper", ["upper", "lower"]);
/// assert_eq!(help.as_deref(), Some("did you mean `upper`?"));
/// ```
#[must_use]
pub fn hint<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().filter(|candidate| !candidate.is_empty()).collect();
    if let Some(near) = nearest(name, &candidates) {
        return Some(format!("did you mean `{near}`?"));
    }
    if candidates.is_empty() || candidates.len() > 24 {
        return None;
    }
    let list: Vec<String> = candidates.iter().map(|candidate| format!("`{candidate}`")).collect();
    Some(format!("known: {}", list.join(", ")))
}

/// The candidate with the fewest edits, if these are few for the length of the name, or else the one it begins.
fn nearest<'c>(name: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let length = name.chars().count();
    let limit = length.div_ceil(3);
    let of_like_length = candidates.iter().filter(|other| other.chars().count().abs_diff(length) <= limit);
    let ranked = of_like_length.map(|candidate| (distance(name, candidate), *candidate));
    let near = ranked.filter(|(edits, _)| *edits <= limit).min_by_key(|(edits, _)| *edits);
    let begun = || candidates.iter().find(|candidate| name.len() >= 3 && candidate.starts_with(name));
    near.map(|(_, candidate)| candidate).or_else(|| begun().copied())
}

/// Edits (insert, delete, replace, swap neighbours) that turn one name into the other, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{distance, hint};

    #[test]
    fn distance_counts_edits_and_swaps() {
        assert_eq!(distance("mass", "mass"), 0);
        assert_eq!(distance("Mass", "mass"), 0);
        assert_eq!(distance("lowr", "lower"), 1);
        assert_eq!(distance("restitutoin", "restitution"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn far_names_are_listed_instead_of_suggested() {
        assert_eq!(hint("xyz", ["mass", "radius"]).unwrap(), "known: `mass`, `radius`");
        assert_eq!(hint("ports", ["mass", "port"]).unwrap(), "did you mean `port`?");
        assert_eq!(hint("moreau", ["theta", "moreau-jean"]).unwrap(), "did you mean `moreau-jean`?");
        assert_eq!(hint("xyz", []), None);
    }
}
