//! Loads from outside on the open ports of the subsystems inside.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Loads from outside on all open rows over a step.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OutsideLoads {
    /// Size of the step (s).
    pub(crate) size: f64,
    /// Impulses (N s), and the part of them that are momenta.
    pub(crate) impulses: Vec<f64>,
    pub(crate) momenta: Vec<f64>,
    /// Loads at the start (N), and the part of them that belongs to momenta where it is known.
    pub(crate) start_loads: Vec<f64>,
    pub(crate) start_momenta: Option<Vec<f64>>,
}

impl OutsideLoads {
    pub(crate) fn zeros(rows: usize) -> Self {
        let zero = vec![0.0; rows];
        Self {
            size: 1.0,
            impulses: zero.clone(),
            momenta: zero.clone(),
            start_loads: zero,
            start_momenta: None,
        }
    }
}

/// Those loads, shared by the subsystems that they act on.
#[derive(Debug, Clone)]
pub(crate) struct SharedLoads(Arc<Mutex<OutsideLoads>>);

impl SharedLoads {
    pub(crate) fn zeros(rows: usize) -> Self {
        Self(Arc::new(Mutex::new(OutsideLoads::zeros(rows))))
    }

    pub(crate) fn now(&self) -> MutexGuard<'_, OutsideLoads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
