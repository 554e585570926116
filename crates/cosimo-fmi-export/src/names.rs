//! The naming convention of FMI's structured names, as `body.arm[2].'a name'.x` or `der(x)`.

/// Whether a name follows it.
pub(crate) fn structured(name: &str) -> bool {
    let inner = name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inner else { return parts(name) };
    // A higher derivative has its order after a comma.
    match inner.rsplit_once(',') {
        Some((inner, order)) if digits(order) => parts(inner),
        _ => parts(inner),
    }
}

/// Parts with points between them, each with indices or without.
fn parts(mut text: &str) -> bool {
    loop {
        let Some(rest) = after_part(text) else { return false };
        match rest.strip_prefix('.') {
            Some(next) => text = next,
            None => return rest.is_empty(),
        }
    }
}

/// What follows the first part.
fn after_part(text: &str) -> Option<&str> {
    let rest = match text.strip_prefix('\'') {
        Some(quoted) => {
            let (inner, rest) = quoted.split_once('\'')?;
            (!inner.is_empty() && inner.chars().all(quotable)).then_some(rest)?
        }
        None => {
            text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_').then_some(())?;
            text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
        }
    };
    let Some(indices) = rest.strip_prefix('[') else { return Some(rest) };
    let (indices, rest) = indices.split_once(']')?;
    indices.split(',').all(digits).then_some(rest)
}

/// Characters within quotes, those aside that need a backslash.
fn quotable(letter: char) -> bool {
    letter.is_ascii_graphic() && !matches!(letter, '"' | '\\' | '`' | '\'') || letter == ' '
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::structured;

    #[test]
    fn names_are_structured_as_the_standard_says() {
        for name in ["a", "_a1.b[1,2].c", "der(a.b)", "der(a,2)", "'a b'.c[3]"] {
            assert!(structured(name), "{name}");
        }
        for name in ["", "1a", "a.", "a b", "a[]", "a[1", "a[1]b", "''", "der(a", "größe", "a-b"] {
            assert!(!structured(name), "{name}");
        }
    }
}
