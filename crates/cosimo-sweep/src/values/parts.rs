//! Commas outside of brackets, calls.

/// The parts between the commas that stand outside of brackets and quotation marks, trimmed.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(mark), _) => quote = Some(mark).filter(|mark| *mark != character),
            (None, '"' | '\'') => quote = Some(character),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// `name(…)`.
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: Vec<&'a str>,
}

/// The call that a text is, if it is one.
pub(super) fn call(text: &str) -> Option<Call<'_>> {
    let (name, rest) = text.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_call = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_name);
    is_call.then(|| Call { name, arguments: parts(inside) })
}

/// As many numbers as are wanted.
pub(super) fn numbers<const N: usize>(arguments: &[&str]) -> Option<[f64; N]> {
    let read = |text: &&str| text.parse::<f64>().ok().filter(|x| x.is_finite());
    let numbers: Option<Vec<f64>> = arguments.iter().map(read).collect();
    numbers?.try_into().ok()
}
