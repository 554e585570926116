//! Refuses XML whose parsing would take time in the square of its length.

use std::collections::BTreeSet;

use super::error::Problem;

/// Most attributes of one element: the parser compares each with all before it. The standards know some 25.
const MAX_ATTRIBUTES: usize = 1000;
/// Most namespace prefixes: the parser copies all to each element that declares one. Files in use have less than ten.
const MAX_PREFIXES: usize = 64;
/// Prefixes are compared up to this length, in bytes.
const MAX_PREFIX: usize = 64;

/// Checks the text; an error comes with its place in bytes.
pub(super) fn check(text: &str) -> Result<(), (usize, Problem)> {
    check_prefixes(text)?;
    check_attributes(text)
}

fn check_prefixes(text: &str) -> Result<(), (usize, Problem)> {
    let mut prefixes = BTreeSet::new();
    for (at, found) in text.match_indices("xmlns:") {
        let rest = text.as_bytes().iter().skip(at + found.len()).take(MAX_PREFIX);
        let prefix: Vec<u8> = rest.copied().take_while(|byte| *byte != b'=').collect();
        if prefixes.insert(prefix) && prefixes.len() > MAX_PREFIXES {
            return Err((at, Problem::TooMany { what: "namespace prefixes", limit: MAX_PREFIXES }));
        }
    }
    Ok(())
}

/// Counts the quoted values within each tag. Values hold no `<`, so that one begins anew whatever was before.
fn check_attributes(text: &str) -> Result<(), (usize, Problem)> {
    let (mut inside, mut quote, mut count) = (false, None, 0);
    let next = text.bytes().skip(1).chain([0]);
    for ((at, byte), next) in text.bytes().enumerate().zip(next) {
        match (inside, quote, byte) {
            (_, _, b'<') => {
                (inside, quote, count) = (next.is_ascii_alphabetic() || next > 127 || next == b'_', None, 0)
            }
            (true, None, b'>') => inside = false,
            (true, None, b'"' | b'\'') => {
                (quote, count) = (Some(byte), count + 1);
                if count > MAX_ATTRIBUTES {
                    let what = "attributes of one element";
                    return Err((at, Problem::TooMany { what, limit: MAX_ATTRIBUTES }));
                }
            }
            (true, Some(open), _) if byte == open => quote = None,
            _ => {}
        }
    }
    Ok(())
}
