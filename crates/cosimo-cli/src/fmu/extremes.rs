//! The observer that keeps the least, the largest and the last value of every quantity.

use std::ops::ControlFlow;

use cosimo::master::{Observer, QuantityLabel, StepRecord};
use serde::Serialize;

/// Values of a quantity over a run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Extreme {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) last: f64,
}

/// Those of all quantities of one subsystem.
#[derive(Debug)]
pub(super) struct Extremes {
    owner: String,
    found: Vec<(usize, Extreme)>,
    /// Steps seen.
    pub(super) steps: u64,
}

impl Extremes {
    /// Of the quantities of this subsystem.
    pub(super) fn of(owner: &str) -> Self {
        Self { owner: owner.to_owned(), found: Vec::new(), steps: 0 }
    }

    /// The values, of all quantities that were seen.
    pub(super) fn into_values(self) -> Vec<Extreme> {
        self.found.into_iter().map(|(_, own)| own).filter(|own| own.min <= own.max).collect()
    }
}

impl Observer for Extremes {
    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        let own = labels.iter().enumerate().filter(|(_, label)| label.owner == self.owner);
        let empty = |label: &QuantityLabel| Extreme {
            name: label.name.clone(),
            unit: label.unit.clone(),
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            last: f64::NAN,
        };
        self.found = own.map(|(index, label)| (index, empty(label))).collect();
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        self.steps = record.step;
        for (index, own) in &mut self.found {
            let value = record.values[*index];
            if value.is_finite() {
                (own.min, own.max, own.last) = (own.min.min(value), own.max.max(value), value);
            }
        }
        ControlFlow::Continue(())
    }
}
