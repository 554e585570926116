//! Reads time, recording and checkpoints.

use crate::model::{KnownNames, ModelSpec};
use crate::spec::{CheckpointSpec, ExportSpec, RESULT_FORMATS, TimeSpec};
use crate::toml::{Reader, Value};

/// Reads `[export]`. What its paths and patterns stand for is found where the model is exported.
pub(crate) fn read_export(root: &Reader<'_>) -> Option<ExportSpec> {
    let read = |export: &Reader<'_>| ExportSpec {
        parameters: export.texts("parameters").or(Vec::new()),
        quantities: export.texts("quantities").or(Vec::new()),
        ports: export.texts("ports").optional(),
    };
    root.section("export", read)
}

/// Reads `[time]`.
pub(crate) fn read_time(root: &Reader<'_>) -> TimeSpec {
    if !root.has("time") {
        let message = format!("missing table [time] in {}", root.what());
        root.log().error_with_help(&root.header(), message, "add [time] with `end` and `step`, in seconds");
    }
    let time = root.section("time", |time| {
        let start = time.number("start").or(0.0);
        let end = time.number("end").check(&format!("greater than the start, {start:?}"), |end| *end > start);
        let end = end.required_option();
        let step = time.number("step").positive().required_option();
        if let (Some(end), Some(step)) = (end, step)
            && step > end - start
        {
            let message = format!("step is {step:?}, longer than the whole time span of {:?} s", end - start);
            time.log().warning(&time.span("step"), message, "the run has a single, shorter step");
        }
        if let (Some(end), Some(step)) = (end, step) {
            check_step_advances(time, (start, end), step);
        }
        TimeSpec { start, end: end.unwrap_or(start), step: step.unwrap_or(1.0) }
    });
    time.unwrap_or(TimeSpec { start: 0.0, end: 0.0, step: 1.0 })
}

/// Steps of a run beyond which the step is taken for a slip: at a million steps per second, a run of a week.
const MOST_STEPS: f64 = 1e12;

/// Records a mistake if a step is too small to get to the end.
fn check_step_advances(time: &Reader<'_>, (start, end): (f64, f64), step: f64) {
    let steps = (end - start) / step;
    let furthest = if start.abs() > end.abs() { start } else { end };
    let resolution = furthest.abs().next_up() - furthest.abs();
    let message = if step <= 0.5 * resolution {
        format!("step is {step:?}, too small to advance the time: t + step is t at t = {furthest:?}")
    } else if steps > MOST_STEPS {
        format!(
            "step is {step:?}, with which the run has {steps:.1e} steps, at most {MOST_STEPS:.0e} are possible"
        )
    } else {
        return;
    };
    let least = resolution.max((end - start) / MOST_STEPS);
    let help = format!("give a step of {least:.1e} s or more, or another time span");
    time.log().error_with_help(&time.span("step"), message, help);
}

/// Reads `[checkpoint]`; all defaults if there is none.
pub(crate) fn read_checkpoint(root: &Reader<'_>) -> CheckpointSpec {
    let defaults = CheckpointSpec::default();
    let checkpoint = root.section("checkpoint", |checkpoint| CheckpointSpec {
        every_steps: checkpoint.count("every_steps").or(defaults.every_steps),
        every_seconds: checkpoint.number("every_seconds").not_negative().or(defaults.every_seconds),
        keep: checkpoint
            .count("keep")
            .check("at least 2, as the last one may be damaged", |keep| *keep >= 2)
            .or(defaults.keep),
    });
    checkpoint.unwrap_or(defaults)
}

/// Reads `[record]` into a model whose other parts are read. Patterns are not looked up in the `incomplete` subsystems
/// and interfaces: those with mistakes that hide the names of their quantities. Empty names are unreadable ones.
pub(crate) fn read_record(root: &Reader<'_>, model: &mut ModelSpec, incomplete: &[String]) {
    let plot = root.section("record", |record| {
        model.record.every = record.count("every").at_least_one().or(1);
        model.record.frames_per_second = record.number("frames_per_second").not_negative().optional();
        if let Some(quantities) = record.texts("quantities").optional() {
            model.record.quantities = quantities;
        }
        model.record.formats = record.texts("formats").optional().unwrap_or_default();
        check_formats(record);
        check_quantities(record, model, incomplete);
        check_plot(record, model, incomplete);
        record.texts("plot").optional()
    });
    model.record.plot = plot.flatten().unwrap_or_else(|| model.default_plot());
}

/// Whether a pattern may match a quantity that is not known because of mistakes.
fn may_be_hidden(pattern: &str, model: &ModelSpec, incomplete: &[String]) -> bool {
    let owners = || {
        let subsystems = model.subsystems.iter().map(|subsystem| &subsystem.name);
        subsystems.chain(model.interfaces.iter().map(|interface| &interface.name))
    };
    let literal = pattern.split('*').next().unwrap_or_default();
    match literal.split_once('.') {
        Some((owner, _)) => incomplete
            .iter()
            .any(|hidden| hidden == owner || hidden.is_empty() && !owners().any(|known| known == owner)),
        None => incomplete.iter().any(|hidden| hidden.is_empty() || hidden.starts_with(literal)),
    }
}

fn check_formats(record: &Reader<'_>) {
    for_each_text(record, "formats", |value, name| {
        if !RESULT_FORMATS.contains(&name) {
            value.log.unknown(&value.span(), "format", name, RESULT_FORMATS);
        }
    });
}

fn check_quantities(record: &Reader<'_>, model: &ModelSpec, incomplete: &[String]) {
    let known = model.quantities();
    let names = KnownNames::new(&known);
    for_each_text(record, "quantities", |value, pattern| {
        if !names.is_right(pattern) && !may_be_hidden(pattern, model, incomplete) {
            let names = known.iter().map(|quantity| quantity.name.as_str());
            value.log.unknown(&value.span(), "quantity", pattern, names);
        }
    });
}

fn check_plot(record: &Reader<'_>, model: &ModelSpec, incomplete: &[String]) {
    let known = model.quantities();
    let recorded = model.recorded_quantities();
    let (names, recorded) = (KnownNames::new(&known), KnownNames::new(&recorded));
    for_each_text(record, "plot", |value, pattern| {
        if recorded.is_right(pattern) || may_be_hidden(pattern, model, incomplete) {
            return;
        }
        if names.is_right(pattern) {
            let message = format!("`{pattern}` is plotted but not recorded");
            value.log.error_with_help(&value.span(), message, "add it to `quantities`");
        } else {
            let names = known.iter().map(|quantity| quantity.name.as_str());
            value.log.unknown(&value.span(), "quantity", pattern, names);
        }
    });
}

/// Calls `look` with every string of a list; wrong types are left to who reads the list.
fn for_each_text(record: &Reader<'_>, key: &'static str, look: impl Fn(&Value<'_>, &str)) {
    let Some(value) = record.value(key).filter(|value| value.as_list().is_some()) else {
        return;
    };
    for item in value.items("a list of strings").unwrap_or_default() {
        if let Some(text) = item.as_text() {
            look(&item, text);
        }
    }
}
