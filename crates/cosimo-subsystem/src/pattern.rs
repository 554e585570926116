//! Patterns of names.

/// Whether a name fits a pattern, in which `*` stands for any text.
#[must_use]
pub fn is_like(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            let cuts = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            cuts.into_iter().any(|at| is_like(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns_match_whole_names() {
        assert!(is_like("*", "lower.z"));
        assert!(is_like("lower.*", "lower.floor.gap"));
        assert!(is_like("*.gap", "lower.floor.gap"));
        assert!(is_like("l*.f*.gap", "lower.floor.gap"));
        assert!(!is_like("lower.", "lower.z"));
        assert!(!is_like("lower.*x", "lower.z"));
        assert!(!is_like("ower.*", "lower.z"));
    }
}
