//! Reads a source of signals.

use cosimo_mechanics::TimeFunction;

use super::{SourceOutputSpec, SourceSpec};
use crate::kinds::{ParsedModel, Start};
use crate::spec::{TIME_FUNCTION, read_time_function};
use crate::toml::{Names, Reader};

/// Share of a step that counts as rounding.
const ROUND_OFF: f64 = 1e-9;

/// Reads every `[[subsystem.output]]`.
pub(crate) fn read(reader: &Reader<'_>, start: &Start) -> ParsedModel<SourceSpec> {
    let mut names = Names::new();
    let outputs = reader.tables("output", |output| {
        let name = output.name(&mut names);
        let unit = output.text("unit").or(String::new());
        let what = format!("the value of {}", output.what());
        let value = output.entry("value", TIME_FUNCTION, |value| read_time_function(value, &what));
        let value = value.required_option().unwrap_or(TimeFunction::Constant(0.0));
        check_jump(output, &value, start);
        SourceOutputSpec { name, unit, value }
    });
    if outputs.is_empty() {
        let message = format!("{} gives no signal", reader.what());
        let help = "give it an output, [[subsystem.output]] with `name` and `value`";
        reader.log().error_with_help(&reader.header(), message, help);
    }
    let has_all_names = outputs.iter().all(|output| !output.name.is_empty());
    ParsedModel { kind: SourceSpec { outputs }, has_all_names }
}

/// Warns of a jump between communication points, which is seen at the next one.
fn check_jump(output: &Reader<'_>, value: &TimeFunction, start: &Start) {
    let Some(jump) = value.jump().filter(|_| start.smallest_step > 0.0 && !start.follows_error) else {
        return;
    };
    let steps = (jump - start.time) / start.smallest_step;
    if jump <= start.time || jump >= start.end || (steps - steps.round()).abs() <= ROUND_OFF * steps.abs() {
        return;
    }
    let message = format!(
        "value jumps at t = {jump:?} s, between communication points: it shows at the next one, up to a step of {:?} s later",
        start.smallest_step
    );
    output.log().warning(&output.span("value"), message, "give a step of the run that leads to its time");
}
