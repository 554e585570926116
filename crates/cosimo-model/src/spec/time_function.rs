//! Reads numbers over time: those of motions, loads and sources.

use std::sync::Arc;

use cosimo_mechanics::{Chirp, Interpolation, Ramp, Step, Sweep, TimeFunction, TimeTableError};

use super::read_time_table;
use crate::toml::{Reader, Value};

/// What a number over time may be, for messages.
pub(crate) const TIME_FUNCTION: &str = "a number, \"= FORMULA\", { start = …, rate = … }, { to = …, at = … }, { amplitude = …, frequency = … } or \
                                        { time = …, value = … }";

/// Reads a number over time, called `what` in messages.
pub(crate) fn read_time_function(value: &Value<'_>, what: &str) -> Option<TimeFunction> {
    if value.is_number() {
        return value.number().map(TimeFunction::Constant);
    }
    if let Some(formula) = value.time_formula() {
        return Some(TimeFunction::Formula(Arc::new(formula?)));
    }
    if value.as_table().is_none() {
        return value.mismatch(TIME_FUNCTION);
    }
    let table = value.reader(what)?;
    let found = in_table(&table);
    table.finish();
    found
}

fn in_table(table: &Reader<'_>) -> Option<TimeFunction> {
    let is_harmonic = table.has("amplitude") || table.has("frequency");
    Some(match (table.has("rate"), is_harmonic, table.has("time"), table.has("to")) {
        (true, false, false, false) => read_linear(table),
        (false, true, false, false) => read_harmonic(table),
        (false, false, true, false) => {
            let points = read_time_table(table);
            let interpolation = table.choice("interpolation").or(Interpolation::default());
            TimeFunction::curve(points, interpolation).unwrap_or_else(|error| {
                // All else that is wrong with the points was recorded where they were read.
                if matches!(error, TimeTableError::Period { .. }) {
                    table.log().error(&table.span("value"), error.to_string());
                }
                TimeFunction::Constant(0.0)
            })
        }
        (false, false, false, true) => TimeFunction::Step(Step {
            from: table.number("from").or(0.0),
            to: table.number("to").required(),
            at: table.number("at").required(),
            duration: table.number("duration").not_negative().or(0.0),
        }),
        _ => {
            let message =
                format!("{} must have exactly one of `rate`, `amplitude`, `time`, `to`", table.what());
            table.log().error(&table.header(), message);
            table.abandon();
            return None;
        }
    })
}

/// A line, or a ramp, which begins at a time.
fn read_linear(table: &Reader<'_>) -> TimeFunction {
    let (start, rate) = (table.number("start").or(0.0), table.number("rate").required());
    if !table.has("since") {
        table.forbid("until", "belongs to a ramp, which begins at a time `since`");
        return TimeFunction::Linear { start, rate };
    }
    let since = table.number("since").required();
    let until = table.number("until").check("no time before `since`", |until| *until >= since).optional();
    TimeFunction::Ramp(Ramp { start, rate, since, until })
}

/// A sine, or a chirp, whose frequency goes to another.
fn read_harmonic(table: &Reader<'_>) -> TimeFunction {
    let (mean, amplitude) = (table.number("mean").or(0.0), table.number("amplitude").required());
    let (frequency, phase) = (table.number("frequency").not_negative(), table.number("phase").or(0.0));
    if !table.has("end_frequency") {
        for key in ["duration", "since", "sweep"] {
            table.forbid(key, "belongs to a chirp, which has an `end_frequency`");
        }
        return TimeFunction::Harmonic { mean, amplitude, frequency: frequency.required(), phase };
    }
    let sweep = table.choice("sweep").or(Sweep::default());
    let is_right = |frequency: &f64| sweep == Sweep::Linear || *frequency > 0.0;
    let rule = "positive where the sweep is logarithmic";
    TimeFunction::Chirp(Chirp {
        mean,
        amplitude,
        frequency: frequency.check(rule, is_right).required(),
        end_frequency: table.number("end_frequency").not_negative().check(rule, is_right).required(),
        // In place of a mistake, so that what is built of it has finite values.
        duration: table.number("duration").positive().required_option().unwrap_or(1.0),
        since: table.number("since").or(0.0),
        phase,
        sweep,
    })
}
