//! The dry run as a model: one unit in a process of its own, its inputs at their start values.

use std::fmt::Write;
use std::path::Path;

use cosimo::model::{ModelSpec, read_model};
use cosimo_fmi::Fmu;
use cosimo_fmi::description::{Causality, ModelDescription, Variability, Variable};

use super::shape::Shape;
use crate::args::FmuArgs;
use crate::failure::Failure;

/// Length (s) where the description suggests none.
const LENGTH: f64 = 1.0;
/// Steps where the description suggests none.
const STEPS: f64 = 500.0;
/// Quantities in the plot.
const PLOTTED: usize = 12;

/// When the dry run starts and ends, and its step (s).
#[derive(Debug, Clone, Copy)]
struct Span {
    start: f64,
    end: f64,
    step: f64,
}

impl Span {
    /// That of the arguments, else of the description.
    fn of(args: &FmuArgs, fmu: &Fmu, shape: &Shape) -> Result<Self, Failure> {
        let ModelDescription { default_experiment: suggested, co_simulation, .. } = fmu.description();
        let start = suggested.start.unwrap_or(0.0);
        let end = args.end.or(suggested.stop.filter(|stop| *stop > start)).unwrap_or(start + LENGTH);
        let length = end - start;
        if length <= 0.0 {
            let wrong = format!("the dry run starts at {start} s and cannot end at {end} s");
            return Err(Failure::bad_input(wrong));
        }
        let inner = co_simulation.as_ref().and_then(|face| face.fixed_internal_step_size);
        let inner = inner.filter(|_| shape.face == cosimo_fmi::unit::FaceKind::CoSimulation);
        let suggested = suggested.step.or(inner).filter(|step| *step > 0.0 && *step <= length);
        Ok(Self { start, end, step: args.step.or(suggested).unwrap_or(length / STEPS) })
    }
}

/// The model of a dry run.
pub(super) fn model(args: &FmuArgs, fmu: &Fmu, shape: &Shape) -> Result<ModelSpec, Failure> {
    let text = text(args, fmu, shape)?;
    let read = read_model(&args.path.display().to_string(), &text, &[]);
    let (mut model, _) = read.map_err(Failure::bad_input)?;
    let plotted = model.recorded_quantities().into_iter().take(PLOTTED);
    model.record.plot = plotted.map(|quantity| quantity.name).collect();
    Ok(model)
}

fn text(args: &FmuArgs, fmu: &Fmu, shape: &Shape) -> Result<String, Failure> {
    let Span { start, end, step } = Span::of(args, fmu, shape)?;
    let name = name(&fmu.description().model_name);
    let file = std::path::absolute(&args.path).map_err(Failure::bad_input)?;
    let mut text = format!(
        "schema = 1\ntitle = {}\ntime = {{ start = {start:?}, end = {end:?}, step = {step:?} }}\n\
         master = {{ deadline = {:?} }}\nrecord = {{ quantities = [\"*\"] }}\n\
         [[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = {}\nface = \"{}\"\nisolation = \"process\"\n\
         quantities = [{}]\n",
        quoted(&fmu.description().model_name),
        args.deadline,
        quoted(&path_text(&file)),
        shape.face.name(),
        watched(fmu, shape).map(quoted).collect::<Vec<_>>().join(", "),
    );
    // Inputs without a start value are zero.
    let open = shape.inputs.iter().filter(|input| input.start.is_none());
    for (number, input) in open.enumerate() {
        let (unit, to) = (quoted(&input.unit), quoted(&format!("{name}.{}", input.name)));
        // Writing to a text cannot fail.
        let _ = write!(
            text,
            "[[subsystem]]\nname = \"zero-{number}\"\nkind = \"controller\"\ntype = \"state-space\"\nd = [[1.0]]\n\
             default = 0.0\noutput_unit = {unit}\n[[connection]]\nfrom = \"zero-{number}.output\"\nto = {to}\n"
        );
    }
    Ok(text)
}

/// Variables to watch besides the outputs: of a unit without any, the first that change continuously.
fn watched<'a>(fmu: &'a Fmu, shape: &Shape) -> impl Iterator<Item = &'a str> {
    let changes = |variable: &&Variable| {
        let is_local = variable.causality == Causality::Local;
        is_local && variable.variability == Variability::Continuous && variable.dimensions.is_empty()
    };
    let all = fmu.description().variables.iter().filter(|variable| variable.kind.is_float());
    all.filter(changes).take(if shape.outputs.is_empty() { PLOTTED } else { 0 }).map(|own| own.name.as_str())
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The name of a model as that of a subsystem.
fn name(model: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = model.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number || name == "contacts" { format!("unit_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_of_models_become_names_of_subsystems() {
        let names = ["Ball", "a.b c", "12", "", "contacts"].map(name);
        assert_eq!(names, ["Ball", "a_b_c", "unit_12", "unit_", "unit_contacts"]);
    }
}
