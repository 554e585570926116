//! What a text has that is not TOML.

use crate::toml::{Log, Span};

/// Records what a text has that is not TOML, at the places that `to` leads to; whether there is any.
pub(super) fn record(mistakes: &[toml::de::Error], to: impl Fn(Span) -> Span, log: &Log<'_>) -> bool {
    let mut last_line = None;
    for mistake in mistakes {
        let span = to(mistake.span().unwrap_or(0..0));
        let line = log.line(&span);
        // The parser stumbles on over the rest of a line.
        if last_line != Some(line) {
            log.error(&span, mistake.message());
        }
        last_line = Some(line);
    }
    !mistakes.is_empty()
}
