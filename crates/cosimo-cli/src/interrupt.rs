//! Ctrl-C and SIGTERM end a run with its partial results and a checkpoint; a second one ends the process.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cosimo::fmi::binary::keep_process;
use cosimo::master::{Observer, StepRecord};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Why a run was stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) reason: &'static str,
    /// Exit code of a process that the signal ended, as shells have it: 128 and the number of the signal.
    pub(crate) code: u8,
}

const CTRL_C: Stop = Stop { reason: "stopped by Ctrl-C", code: 130 };
const TERMINATED: Stop = Stop { reason: "stopped by SIGTERM", code: 143 };

/// Asks the run to stop once per signal came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    /// Number of the signal; zero as long as there was none.
    signal: Arc<AtomicUsize>,
    /// Whether there was one.
    flag: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to signals from now on.
    pub(crate) fn listen() -> io::Result<Self> {
        let interrupt = Self::default();
        let is_second = Arc::clone(&interrupt.flag);
        for (signal, stop) in [(SIGINT, CTRL_C), (SIGTERM, TERMINATED)] {
            // Actions run in this order: the first signal finds the flag unset and sets it.
            flag::register_conditional_shutdown(signal, i32::from(stop.code), Arc::clone(&is_second))?;
            flag::register(signal, Arc::clone(&is_second))?;
            flag::register_usize(signal, Arc::clone(&interrupt.signal), signal as usize)?;
        }
        // From here on nobody but a unit changes them, and runs are to be stopped.
        keep_process();
        Ok(interrupt)
    }

    /// True once per signal came.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// What stopped the run, if anything did.
    pub(crate) fn stop(&self) -> Option<Stop> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal if signal == SIGTERM as usize => Some(TERMINATED),
            _ => Some(CTRL_C),
        }
    }

    fn is_pressed(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
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
