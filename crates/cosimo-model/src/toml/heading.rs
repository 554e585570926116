//! What a table of the document is called, and where it stands.

use super::log::Log;
use super::sources::Span;

/// A table of the document in messages.
pub(crate) struct Heading<'a> {
    /// Where mistakes are recorded.
    pub(super) log: &'a Log<'a>,
    /// Position of the header.
    pub(super) span: Span,
    /// Name, such as ``plane `floor` of subsystem `lower` ``.
    pub(super) what: String,
}
