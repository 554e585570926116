//! Values over time.

use cosimo_mechanics::TimeTable;

use crate::toml::{Reader, Value};

/// Reads `time` and `value`.
pub(crate) fn read_time_table(reader: &Reader<'_>) -> TimeTable {
    let time = reader.entry("time", "a list of times", read_times).required_option();
    let value = reader.numbers("value").required_option();
    if let (Some(time), Some(value)) = (&time, &value)
        && time.len() != value.len()
    {
        let message = format!("value has {} entries, time has {}: must be as many", value.len(), time.len());
        reader.log().error(&reader.span("value"), message);
    }
    TimeTable { time: time.unwrap_or_default(), value: value.unwrap_or_default() }
}

fn read_times(value: &Value<'_>) -> Option<Vec<f64>> {
    let times = value.numbers()?;
    if times.is_empty() {
        value.error("is empty, must have at least one entry");
        return None;
    }
    let items = value.items("a list of times")?;
    for (index, pair) in times.windows(2).enumerate() {
        if pair[1] <= pair[0] {
            items[index + 1]
                .error(format_args!("is {:?}, must be greater than the time before, {:?}", pair[1], pair[0]));
        }
    }
    Some(times)
}
