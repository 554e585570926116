//! The rows that a master wants the response of, and those of them that are there.

/// Which rows the response is of, where contacts come and go.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// ConstrainedRows that the master needs.
    pub(super) needed: Vec<bool>,
    /// Those of them that are there.
    pub(super) present: Vec<bool>,
    /// Whether the response is still that of others.
    pub(super) is_stale: bool,
}

impl Wanted {
    /// All of so many rows.
    pub(super) fn all(rows: usize) -> Self {
        Self { needed: vec![true; rows], present: vec![true; rows], is_stale: true }
    }
}
