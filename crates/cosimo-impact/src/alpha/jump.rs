//! What a step adds to the smooth motion.

/// What a step adds to the smooth motion, with the multipliers of its constraints and of its contacts, all rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Jump {
    pub(super) change: Vec<f64>,
    pub(super) constraints: Vec<f64>,
    pub(super) contacts: Vec<f64>,
}

impl Jump {
    pub(super) fn zeros(n: usize, m: usize, rows: usize) -> Self {
        Self { change: vec![0.0; n], constraints: vec![0.0; m], contacts: vec![0.0; rows] }
    }

    pub(super) fn clear(&mut self) {
        self.change.fill(0.0);
        self.constraints.fill(0.0);
        self.contacts.fill(0.0);
    }
}
