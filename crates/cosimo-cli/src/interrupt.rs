//! Ctrl-C ends a run with its partial results; a second one ends the process.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cosimo::master::{Observer, StepRecord};

use crate::failure::INTERRUPTED;

/// Asks the run to stop once Ctrl-C was pressed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    is_pressed: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to Ctrl-C from now on.
    pub(crate) fn listen() -> Result<Self, ctrlc::Error> {
        let interrupt = Self::default();
        let is_pressed = Arc::clone(&interrupt.is_pressed);
        ctrlc::set_handler(move || {
            if is_pressed.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
        })?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_pressed(&self) -> bool {
        self.is_pressed.load(Ordering::Relaxed)
    }
}

impl Observer for Interrupt {
    fn wants(&self, _step: u64) -> bool {
        self.is_pressed()
    }

    fn step(&mut self, _record: &StepRecord<'_>) -> ControlFlow<()> {
        if self.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
