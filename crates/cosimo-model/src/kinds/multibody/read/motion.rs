//! Reads prescribed numbers over time.

use cosimo_mechanics::TimeFunction;

use super::signal::read_signal_name;
use crate::kinds::multibody::spec::{MotionSpec, TimeFunctionSpec};
use crate::spec::{TIME_FUNCTION, read_time_function};
use crate::toml::{Entry, Names, Reader, Value};

/// Reads `motion` or `speed`: a number, or a table that is linear, harmonic or given by points; held at `start` where there
/// is none.
pub(super) fn read_motion(reader: &Reader<'_>, names: &mut Names, start: f64) -> MotionSpec {
    if reader.has("speed") {
        reader.forbid("motion", "is the integral of the speed; give either `motion` or `speed`");
        let speed = read_function(reader, "speed", names).or(constant(0.0));
        let TimeFunctionSpec::Known(speed) = speed else {
            // Its input stays known, so that connections to it are no mistakes.
            let message = "speed cannot be a signal: the way that it leads is not known beforehand";
            reader.log().error_with_help(
                &reader.span("speed"),
                message,
                "integrate it, and give it as motion",
            );
            return MotionSpec::Position(speed);
        };
        return MotionSpec::Speed(speed);
    }
    MotionSpec::Position(read_function(reader, "motion", names).or(constant(start)))
}

fn constant(value: f64) -> TimeFunctionSpec {
    TimeFunctionSpec::Known(TimeFunction::Constant(value))
}

fn read_function<'r, 'a>(
    reader: &'r Reader<'a>,
    key: &'static str,
    names: &mut Names,
) -> Entry<'r, 'a, TimeFunctionSpec> {
    let expected = format!("{TIME_FUNCTION}, or {{ signal = … }}");
    reader.entry(key, &expected, |value: &Value<'_>| {
        let what = format!("the {key} of {}", reader.what());
        if value.member("signal").is_some() {
            let table = value.reader(what)?;
            let signal = TimeFunctionSpec::Signal(read_signal_name(&table, names));
            table.finish();
            return Some(signal);
        }
        let function = read_time_function(value, &what)?;
        check_jump(value, key, &function);
        Some(TimeFunctionSpec::Known(function))
    })
}

/// Refuses a position that jumps, which no body follows, and a speed whose way is not known.
fn check_jump(value: &Value<'_>, key: &str, function: &TimeFunction) {
    if key == "motion" && function.jump().is_some() {
        let message = format!("{} jumps, which no body follows", value.label);
        value.log.error_with_help(&value.span(), message, "give a `duration`, over which the step is smooth");
    }
    if key == "speed" && TimeFunction::with_speed(function.clone(), 0.0, 0.0, 0.0).is_none() {
        let message =
            format!("{} cannot be of this form: the way that it leads is not known beforehand", value.label);
        value.log.error_with_help(&value.span(), message, "give the `motion` instead");
    }
}
