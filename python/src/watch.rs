//! Signals and progress while a run goes on.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cosimo::prelude::{Observer, StepRecord};
use pyo3::prelude::*;

/// How often a run looks at Python (s): so long does Ctrl-C take at most, steps that are longer excepted.
const PERIOD: Duration = Duration::from_millis(50);

/// Asks Python now and then, at a communication point, whether the run shall go on.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    /// When to look next.
    next: Cell<Instant>,
    /// What asked the run to stop.
    pub(crate) stopped_by: Option<PyErr>,
}

impl Watch {
    /// Calls `progress`, if there is one, with the time (s).
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { progress, next: Cell::new(Instant::now() + PERIOD), stopped_by: None }
    }

    fn look(&self, time: f64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (time,)).map(|_| ()))
        })
    }
}

impl Observer for Watch {
    fn wants(&self, _step: u64) -> bool {
        Instant::now() >= self.next.get()
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        if Instant::now() < self.next.get() {
            return ControlFlow::Continue(());
        }
        let looked = self.look(record.time);
        self.next.set(Instant::now() + PERIOD);
        match looked {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.stopped_by = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
