//! Places of contacts in a set.

/// Where contacts stand in a set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    /// By contact; no place of one outside of the set.
    of: Vec<Option<usize>>,
    found: Vec<usize>,
}

impl Places {
    /// Takes the set, of so many contacts.
    pub(crate) fn take(&mut self, set: &[usize], contacts: usize) {
        self.of.clear();
        self.of.resize(contacts, None);
        set.iter().enumerate().for_each(|(place, contact)| self.of[*contact] = Some(place));
    }

    /// The places of those contacts of the set whose gaps are among these rows, ascending.
    pub(crate) fn of_rows(&mut self, rows: &[usize]) -> &[usize] {
        self.found.clear();
        self.found.extend(rows.iter().filter_map(|row| self.of.get(*row).copied().flatten()));
        self.found.sort_unstable();
        &self.found
    }
}
