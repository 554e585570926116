//! Reads prescribed numbers over time.

use std::sync::Arc;

use cosimo_mechanics::{Interpolation, TimeFunction};

use super::signal::read_signal_name;
use crate::kinds::multibody::spec::{MotionSpec, TimeFunctionSpec};
use crate::spec::read_time_table;
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
    let expected = "a number, \"= FORMULA\", { start = …, rate = … }, { amplitude = …, frequency = … }, { time = …, value = … } or { signal = … }";
    reader.entry(key, expected, |value: &Value<'_>| {
        if value.is_number() {
            return value.number().map(constant);
        }
        if let Some(formula) = value.time_formula() {
            return Some(TimeFunctionSpec::Known(TimeFunction::Formula(Arc::new(formula?))));
        }
        if value.as_table().is_none() {
            return value.mismatch(expected);
        }
        let table = value.reader(format!("the {key} of {}", reader.what()))?;
        let found = in_table(&table, names);
        table.finish();
        found
    })
}

fn in_table(table: &Reader<'_>, names: &mut Names) -> Option<TimeFunctionSpec> {
    if table.has("signal") {
        return Some(TimeFunctionSpec::Signal(read_signal_name(table, names)));
    }
    let (is_linear, is_harmonic, is_table) =
        (table.has("rate"), table.has("amplitude") || table.has("frequency"), table.has("time"));
    Some(TimeFunctionSpec::Known(match (is_linear, is_harmonic, is_table) {
        (true, false, false) => TimeFunction::Linear {
            start: table.number("start").or(0.0),
            rate: table.number("rate").required(),
        },
        (false, true, false) => TimeFunction::Harmonic {
            mean: table.number("mean").or(0.0),
            amplitude: table.number("amplitude").required(),
            frequency: table.number("frequency").not_negative().required(),
            phase: table.number("phase").or(0.0),
        },
        (false, false, true) => {
            let points = read_time_table(table);
            let interpolation = table.choice("interpolation").or(Interpolation::default());
            // What is wrong with the points was recorded where they were read.
            TimeFunction::curve(points, interpolation).unwrap_or(TimeFunction::Constant(0.0))
        }
        _ => {
            let message =
                format!("{} must have exactly one of `rate`, `amplitude`, `time`, `signal`", table.what());
            table.log().error(&table.header(), message);
            table.abandon();
            return None;
        }
    }))
}
