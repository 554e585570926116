//! Names that have to fit.

/// The text itself, or its beginning with an ellipsis, of at most `longest` characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}
