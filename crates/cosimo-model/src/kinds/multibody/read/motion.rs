//! Reads prescribed numbers over time.

use cosimo_multibody::spatial::Interpolation;

use super::signal::read_signal_name;
use crate::kinds::multibody::spec::{CourseSpec, MotionSpec};
use crate::spec::read_time_table;
use crate::toml::{Entry, Names, Reader, Value};

/// Reads `motion` or `speed`: a number, or a table that is linear, harmonic or given by points; held at `start` where there
/// is none.
pub(super) fn read_motion(reader: &Reader<'_>, names: &mut Names, start: f64) -> MotionSpec {
    if reader.has("speed") {
        reader.forbid("motion", "is the integral of the speed; give either `motion` or `speed`");
        let speed = read_course(reader, "speed", names).or(CourseSpec::Constant(0.0));
        if matches!(speed, CourseSpec::Signal(_)) {
            let message = "speed cannot be a signal: the way that it leads is not known beforehand";
            reader.log().error_with_help(
                &reader.span("speed"),
                message,
                "integrate it, and give it as motion",
            );
        }
        return MotionSpec::Speed(speed);
    }
    MotionSpec::Position(read_course(reader, "motion", names).or(CourseSpec::Constant(start)))
}

fn read_course<'r, 'a>(
    reader: &'r Reader<'a>,
    key: &'static str,
    names: &mut Names,
) -> Entry<'r, 'a, CourseSpec> {
    let expected = "a number, { start = …, rate = … }, { amplitude = …, frequency = … }, { time = …, value = … } or { signal = … }";
    reader.entry(key, expected, |value: &Value<'_>| {
        if value.is_number() {
            return value.number().map(CourseSpec::Constant);
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

fn in_table(table: &Reader<'_>, names: &mut Names) -> Option<CourseSpec> {
    if table.has("signal") {
        return Some(CourseSpec::Signal(read_signal_name(table, names)));
    }
    let (is_linear, is_harmonic, is_table) =
        (table.has("rate"), table.has("amplitude") || table.has("frequency"), table.has("time"));
    match (is_linear, is_harmonic, is_table) {
        (true, false, false) => Some(CourseSpec::Linear {
            start: table.number("start").or(0.0),
            rate: table.number("rate").required(),
        }),
        (false, true, false) => Some(CourseSpec::Harmonic {
            mean: table.number("mean").or(0.0),
            amplitude: table.number("amplitude").required(),
            frequency: table.number("frequency").not_negative().required(),
            phase: table.number("phase").or(0.0),
        }),
        (false, false, true) => Some(CourseSpec::Table {
            points: read_time_table(table),
            interpolation: table.choice("interpolation").or(Interpolation::default()),
        }),
        _ => {
            let message =
                format!("{} must have exactly one of `rate`, `amplitude`, `time`, `signal`", table.what());
            table.log().error(&table.header(), message);
            table.abandon();
            None
        }
    }
}
