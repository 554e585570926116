//! Reads a controller.

use cosimo_control::{ControlError, ControlLaw, Limiter, MOST_SAMPLES, Pid, StateSpace, TransferFunction};
use cosimo_subsystem::Hold;
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use super::ControllerSpec;
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Entry, Reader, Value, every};

/// Type of a controller.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LawType {
    #[default]
    Pid,
    TransferFunction,
    StateSpace,
    Limiter,
}

/// Reads the keys of a controller.
pub(crate) fn read(reader: &Reader<'_>, start: &Start) -> ParsedModel<ControllerSpec> {
    let mistakes = reader.log().error_count();
    let kind = reader.choice::<LawType>("type").required_option();
    let law = match kind {
        Some(LawType::Pid) => read_pid(reader).into(),
        Some(LawType::TransferFunction) => TransferFunction {
            numerator: reader.numbers("numerator").required(),
            denominator: reader.numbers("denominator").required(),
        }
        .into(),
        Some(LawType::StateSpace) => read_state_space(reader).into(),
        Some(LawType::Limiter) => read_limiter(reader).into(),
        None => {
            reader.abandon();
            Pid::new(0.0, 0.0).into()
        }
    };
    let default = if kind == Some(LawType::Pid) { "setpoint" } else { "default" };
    let controller = ControllerSpec {
        law,
        input_units: read_units(reader, "input_unit").or(Vec::new()),
        output_units: read_units(reader, "output_unit").or(Vec::new()),
        hold: reader.choice("hold").or(Hold::default()),
        period: reader.number("period").positive().optional(),
        default: reader.number(default).optional(),
    };
    if reader.log().error_count() == mistakes {
        match controller.controller("", start.time) {
            Err(error) => record(reader, &controller.law, &error),
            Ok(_) => check_period(reader, &controller, start),
        }
    }
    let has_all_names = reader.log().error_count() == mistakes;
    ParsedModel { kind: controller, has_all_names }
}

fn read_limits(reader: &Reader<'_>) -> [f64; 2] {
    [reader.number("lower").or(f64::NEG_INFINITY), reader.number("upper").or(f64::INFINITY)]
}

fn read_pid(reader: &Reader<'_>) -> Pid {
    let derivative = reader.number("derivative").or(0.0);
    let filter = reader.number("filter").positive();
    Pid {
        proportional: reader.number("proportional").required(),
        integral: reader.number("integral").or(0.0),
        derivative,
        filter: if derivative == 0.0 { filter.or(1.0) } else { filter.required() },
        limits: read_limits(reader),
        start: reader.number("start").or(0.0),
    }
}

fn read_limiter(reader: &Reader<'_>) -> Limiter {
    if !reader.has("rate") {
        reader.forbid("start", "has no effect without rate");
    }
    if !["lower", "upper", "rate"].into_iter().any(|key| reader.has(key)) {
        let message = format!("{} limits nothing", reader.what());
        reader.log().error_with_help(&reader.header(), message, "give `lower`, `upper` or `rate`");
    }
    let limits = read_limits(reader);
    Limiter {
        limits,
        rate: reader.number("rate").positive().optional(),
        start: reader.number("start").or(0.0_f64.max(limits[0]).min(limits[1])),
    }
}

/// Reads the four matrices; without `a` it is a gain.
fn read_state_space(reader: &Reader<'_>) -> StateSpace {
    let matrix = |key| reader.entry(key, "a list of rows of numbers", read_rows);
    if !reader.has("a") {
        for key in ["b", "c", "start"] {
            reader.forbid(key, "has no effect without a");
        }
        return StateSpace::gain(matrix("d").required_option().unwrap_or_else(|| DMatrix::zeros(1, 1)));
    }
    let empty = || DMatrix::zeros(0, 0);
    let [a, b, c] = ["a", "b", "c"].map(|key| matrix(key).required_option().unwrap_or_else(empty));
    let d = DMatrix::zeros(c.nrows(), b.ncols());
    StateSpace { d: matrix("d").or(d), start: reader.numbers("start").or(vec![0.0; a.nrows()]), a, b, c }
}

/// Rows of the same length.
fn read_rows(value: &Value<'_>) -> Option<DMatrix<f64>> {
    let rows = every(value.items("a list of rows of numbers")?.iter().map(Value::numbers))?;
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 || rows.iter().any(|row| row.len() != columns) {
        value.error("must have rows of the same length, at least one number each");
        return None;
    }
    Some(DMatrix::from_row_iterator(rows.len(), columns, rows.into_iter().flatten()))
}

/// Reads one unit, or a list of them.
fn read_units<'r, 'a>(reader: &'r Reader<'a>, key: &'static str) -> Entry<'r, 'a, Vec<String>> {
    reader.entry(key, "a unit, or a list of units", |value| match value.as_text() {
        Some(unit) => Some(vec![unit.to_owned()]),
        None => value.texts(),
    })
}

/// Records what the parameters are refused for, at the key it is about.
fn record(reader: &Reader<'_>, law: &ControlLaw, error: &ControlError) {
    let key = match error {
        ControlError::NotProper { .. } => "numerator",
        ControlError::Size { parameter: "input_units", .. } => "input_unit",
        ControlError::Size { parameter: "output_units", .. } => "output_unit",
        ControlError::OutOfRange { parameter, .. } | ControlError::Size { parameter, .. } => parameter,
        _ => "type",
    };
    let name = if matches!(law, ControlLaw::TransferFunction(_)) { "transfer function" } else { "law" };
    reader
        .log()
        .error(&reader.span(key), format!("the {name} of {} cannot be built: {error}", reader.what()));
}

/// Share of a step that counts as rounding.
const ROUND_OFF: f64 = 1e-9;

/// Warns where samples lie between communication points; refuses more in a step than a controller takes.
fn check_period(reader: &Reader<'_>, controller: &ControllerSpec, start: &Start) {
    let Some(period) = controller.period.filter(|_| start.smallest_step > 0.0 && !start.follows_error) else {
        return;
    };
    let steps = period / start.smallest_step;
    if steps * MOST_SAMPLES < 1.0 {
        let message = format!(
            "period is {period:?} s: a step of {:?} s would take {:.1e} samples, at most {MOST_SAMPLES:e} are possible",
            start.smallest_step,
            1.0 / steps
        );
        reader.log().error_with_help(
            &reader.span("period"),
            message,
            "give a longer period, or leave it out",
        );
        return;
    }
    if (steps - steps.round()).abs() > ROUND_OFF * steps || steps.round() == 0.0 {
        let message = format!(
            "period is {period:?} s, no multiple of the step of {:?} s: samples between communication points take the inputs as \
             they are extrapolated",
            start.smallest_step
        );
        let help = "give a step that divides the period";
        reader.log().warning(&reader.span("period"), message, help);
    }
}
