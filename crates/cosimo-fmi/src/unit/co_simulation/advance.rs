//! The unit taken through a step, part by part.

use cosimo_first_order::SystemError;
use cosimo_subsystem::MacroStep;

use crate::unit::events::update_until_done;
use crate::unit::running::{Running, refused};

/// Parts of a step at most, where a unit returns early or discards.
const PARTS: u32 = 10_000;
/// Rounding of times, relative (–).
const ROUND_OFF: f64 = 1e-12;

/// Takes the unit through a step, in parts where it returns early, and says whether it was one. Where the unit asks for the end of the
/// simulation at the end of the step, that is its time; before it the step fails.
///
/// A unit is put back to the start of the step at most, and is told so: some stand still where they must expect more.
pub(super) fn advance(
    running: &mut Running,
    MacroStep { time, size }: MacroStep,
    goes_back: bool,
) -> Result<(Option<f64>, bool), SystemError> {
    let end = time + size;
    let resolution = ROUND_OFF * size.max(end.abs());
    let mut now = time;
    for _ in 0..PARTS {
        let never_back = !goes_back || now <= time;
        let done = running.instance.do_step(now, end - now, never_back).map_err(refused)?;
        running.warn_of_changes();
        let is_at_end = done.reached >= end - resolution;
        let terminates = done.terminate || (done.event_needed && handle_event(running)?);
        if terminates && !is_at_end {
            return Err(SystemError::Terminated { time: done.reached });
        }
        if is_at_end {
            return Ok((terminates.then_some(done.reached), now <= time && !done.event_needed));
        }
        if done.reached <= now && !done.event_needed {
            let reason = format!("it discards the step and does not get beyond {} s", done.reached);
            return Err(SystemError::Refused { reason });
        }
        now = done.reached;
    }
    Err(SystemError::TooManyEvents { count: PARTS, time: now })
}

/// The event at the present communication point; whether the unit asks for the end there.
fn handle_event(running: &mut Running) -> Result<bool, SystemError> {
    let instance = &mut running.instance;
    instance.enter_event_mode().map_err(refused)?;
    let (_, terminates) = update_until_done(instance).map_err(refused)?;
    if !terminates {
        instance.enter_step_mode().map_err(refused)?;
    }
    Ok(terminates)
}
