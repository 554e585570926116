//! Reads prescribed numbers over time.

use crate::kinds::multibody::spec::MotionSpec;
use crate::read::{Reader, Value, read_time_table};

/// Reads `motion`: a number, or a table that is linear, harmonic or given by points; held at `start` where there is none.
pub(super) fn read_motion(reader: &Reader<'_>, start: f64) -> MotionSpec {
    let expected =
        "a number, { start = …, rate = … }, { amplitude = …, frequency = … } or { time = …, value = … }";
    let read = |value: &Value<'_>| {
        if value.is_number() {
            return value.number().map(MotionSpec::Constant);
        }
        if value.as_table().is_none() {
            return value.mismatch(expected);
        }
        let table = value.reader(format!("the motion of {}", reader.what()))?;
        let found = in_table(&table);
        table.finish();
        found
    };
    reader.entry("motion", expected, read).or(MotionSpec::Constant(start))
}

fn in_table(table: &Reader<'_>) -> Option<MotionSpec> {
    let (is_linear, is_harmonic, is_table) =
        (table.has("rate"), table.has("amplitude") || table.has("frequency"), table.has("time"));
    match (is_linear, is_harmonic, is_table) {
        (true, false, false) => Some(MotionSpec::Linear {
            start: table.number("start").or(0.0),
            rate: table.number("rate").required(),
        }),
        (false, true, false) => Some(MotionSpec::Harmonic {
            mean: table.number("mean").or(0.0),
            amplitude: table.number("amplitude").required(),
            frequency: table.number("frequency").not_negative().required(),
            phase: table.number("phase").or(0.0),
        }),
        (false, false, true) => Some(MotionSpec::Table(read_time_table(table))),
        _ => {
            let message = format!("{} must have exactly one of `rate`, `amplitude`, `time`", table.what());
            table.log().error(&table.header(), message);
            table.abandon();
            None
        }
    }
}
