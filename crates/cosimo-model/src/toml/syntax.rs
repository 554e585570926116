//! What a text has that is not TOML.

use super::log::Log;
use super::sources::Span;

impl Log<'_> {
    /// Records what a text has that is not TOML, at the places that `to` leads to; whether there is any.
    pub(crate) fn record_syntax(&self, mistakes: &[toml::de::Error], to: impl Fn(Span) -> Span) -> bool {
        let mut last_line = None;
        for mistake in mistakes {
            let span = to(mistake.span().unwrap_or(0..0));
            let line = self.line(&span);
            // The parser stumbles on over the rest of a line.
            if last_line != Some(line) {
                self.error(&span, mistake.message());
            }
            last_line = Some(line);
        }
        !mistakes.is_empty()
    }
}
