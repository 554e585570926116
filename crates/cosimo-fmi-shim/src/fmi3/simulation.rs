//! Initialisation, steps, events.

use crate::c::{Status, functions, store};

functions! {
    fn fmi3EnterInitializationMode(
        tolerance_defined: bool,
        tolerance: f64,
        start: f64,
        stop_defined: bool,
        stop: f64,
    ) |instance| {
        instance.experiment.start = start;
        instance.experiment.stop = stop_defined.then_some(stop);
        instance.experiment.tolerance = tolerance_defined.then_some(tolerance);
        instance.enter_initialisation()
    }

    fn fmi3ExitInitializationMode() |instance| {
        instance.exit_initialisation()
    }

    /// A step that ends early is one to discard where the host has not allowed that.
    fn fmi3DoStep(
        time: f64,
        size: f64,
        _no_restore: bool,
        event: *mut bool,
        terminate: *mut bool,
        early: *mut bool,
        reached: *mut f64,
    ) |instance| {
        let short = instance.step(time, size)?;
        let outcome = &instance.last_step;
        store(event, outcome.event && instance.experiment.events);
        store(terminate, outcome.terminate);
        store(early, short && instance.may_end_early);
        store(reached, outcome.reached);
        Ok(if short && !instance.may_end_early { Status::Discard } else { Status::Ok })
    }

    fn fmi3EnterEventMode() |instance| {
        instance.enter_events()
    }

    fn fmi3UpdateDiscreteStates(
        again: *mut bool,
        terminate: *mut bool,
        nominals_changed: *mut bool,
        states_changed: *mut bool,
        next_event_defined: *mut bool,
        next_event: *mut f64,
    ) |instance| {
        let outcome = instance.update_discrete_states()?;
        store(again, outcome.again);
        store(terminate, outcome.terminate);
        store(nominals_changed, false);
        store(states_changed, false);
        store(next_event_defined, outcome.next_event.is_some());
        store(next_event, outcome.next_event.unwrap_or_default());
        Ok(())
    }

    fn fmi3EnterStepMode() |instance| {
        instance.leave_events()
    }
}
