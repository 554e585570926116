//! What all steps need.

use typed_arena::Arena;

use crate::toml::Log;

/// What all steps need: where mistakes are recorded, and texts that live as long as the document.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c, 'a> {
    pub(crate) log: &'c Log<'a>,
    pub(crate) texts: &'a Arena<String>,
}
