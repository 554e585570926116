//! Writes a controller.

use cosimo_control::{ControlLaw, StateSpace};
use nalgebra::DMatrix;

use super::ControllerSpec;
use crate::named::Choice;
use crate::write::{Literal, Writer, list};

/// Writes the keys of a controller.
pub(super) fn write(controller: &ControllerSpec, writer: &mut Writer) {
    match &controller.law {
        ControlLaw::Pid(pid) => {
            writer.entry("type", "pid");
            writer.entry("proportional", pid.proportional);
            writer.entry("integral", pid.integral);
            writer.entry("derivative", pid.derivative);
            writer.entry("filter", pid.filter);
            write_limits(pid.limits, writer);
            writer.entry("start", pid.start);
        }
        ControlLaw::TransferFunction(function) => {
            writer.entry("type", "transfer-function");
            writer.entry("numerator", &function.numerator);
            writer.entry("denominator", &function.denominator);
        }
        ControlLaw::StateSpace(system) => write_state_space(system, writer),
        ControlLaw::Limiter(limiter) => {
            writer.entry("type", "limiter");
            write_limits(limiter.limits, writer);
            if let Some(rate) = limiter.rate {
                writer.entry("rate", rate);
                writer.entry("start", limiter.start);
            }
        }
    }
    writer.entry("input_unit", &controller.input_units);
    writer.entry("output_unit", &controller.output_units);
    writer.entry("hold", controller.hold.name());
    controller.period.iter().for_each(|period| writer.entry("period", *period));
    let key = if matches!(controller.law, ControlLaw::Pid(_)) { "setpoint" } else { "default" };
    controller.default.iter().for_each(|default| writer.entry(key, *default));
}

/// Writes the limits that there are.
fn write_limits([lower, upper]: [f64; 2], writer: &mut Writer) {
    for (key, limit) in [("lower", lower), ("upper", upper)] {
        if limit.is_finite() {
            writer.entry(key, limit);
        }
    }
}

fn write_state_space(system: &StateSpace, writer: &mut Writer) {
    writer.entry("type", "state-space");
    let StateSpace { a, b, c, d, start } = system;
    if !a.is_empty() {
        [("a", a), ("b", b), ("c", c)].into_iter().for_each(|(key, matrix)| writer.raw(key, &rows(matrix)));
    }
    writer.raw("d", &rows(d));
    if !a.is_empty() {
        writer.entry("start", start);
    }
}

fn rows(matrix: &DMatrix<f64>) -> String {
    list(matrix.row_iter().map(|row| list(row.iter().map(Literal::literal))))
}
