//! What is run and compared.

use cosimo::impact::compare::FilledGraph;
use cosimo::model::{ModelSpec, Override, QuantityName, read_model, read_text};

use crate::args::ConvergeArgs;
use crate::failure::Failure;
use crate::{input, start, sub_run};

/// A study: steps, settings, quantities, and what they are compared with.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) title: String,
    /// Macro steps (s), descending.
    pub(super) steps: Vec<f64>,
    /// What every one of them is divided by, once each.
    pub(super) phases: Vec<f64>,
    /// Step (s) of the run that is the reference; none where a table is.
    pub(super) reference_step: Option<f64>,
    pub(super) variants: Vec<Variant>,
    /// Full names.
    pub(super) quantities: Vec<String>,
    pub(super) units: Vec<String>,
    /// Columns of the reference table, one a quantity.
    pub(super) table: Option<Vec<FilledGraph>>,
    /// Time up to which is compared (s).
    pub(super) until: f64,
    pub(super) is_quiet: bool,
    model: ModelSource,
}

/// One setting.
#[derive(Debug)]
pub(super) struct Variant {
    /// The value; empty where there is one setting only.
    pub(super) name: String,
    change: Option<Override>,
}

/// A model file and its changes, from which the model of every run is read.
#[derive(Debug)]
struct ModelSource {
    path: String,
    text: String,
    changes: Vec<Override>,
}

impl Plan {
    /// Everything is checked here that can be before the first run.
    pub(super) fn new(args: &ConvergeArgs) -> Result<Self, Failure> {
        let model = input::read(&args.model)?;
        let asked = quantities(args, &model)?;
        let until = args.until.unwrap_or(model.time.end);
        if !(until > model.time.start && until <= model.time.end) {
            let reason = format!("must be within the run, {} to {} s", model.time.start, model.time.end);
            return Err(Failure::bad_input(format!("--until {until} {reason}")));
        }
        let steps = steps(args, &model)?;
        let table = args.reference.as_ref().map(|path| columns(path, &asked, (model.time.start, until)));
        let path = &args.model.path;
        let text = read_text(path).map_err(Failure::bad_input)?;
        let (path, changes) = (path.display().to_string(), args.model.overrides.in_order());
        let plan = Self {
            title: start::title(&model).unwrap_or("model").to_owned(),
            reference_step: steps.last().map(|h| h / f64::from(args.finer)).filter(|_| table.is_none()),
            steps,
            phases: phases(args.phases),
            variants: variants(args),
            quantities: asked.iter().map(|own| own.name.name.clone()).collect(),
            units: asked.iter().map(|own| own.name.unit.clone()).collect(),
            table: table.transpose()?,
            until,
            is_quiet: args.quiet,
            model: ModelSource { path, text, changes },
        };
        for variant in &plan.variants {
            plan.read(variant, plan.steps[0]).map_err(Failure::bad_input)?;
        }
        Ok(plan)
    }

    /// The model of a setting with a macro step (s).
    pub(super) fn model(&self, variant: &Variant, step: f64) -> Result<ModelSpec, String> {
        self.read(variant, step).map_err(|mistakes| mistakes.to_string())
    }

    fn read(&self, variant: &Variant, step: f64) -> Result<ModelSpec, cosimo::model::Diagnostics> {
        let ModelSource { path, text, changes } = &self.model;
        let changes: Vec<Override> = changes.iter().chain(&variant.change).cloned().collect();
        let (mut model, _) = read_model(path, text, &changes)?;
        model.time.step = step;
        Ok(model)
    }
}

/// A quantity, and what the reference table calls it.
struct Asked {
    name: QuantityName,
    column: String,
}

/// The quantities asked for, each once; what is recorded where none is.
fn quantities(args: &ConvergeArgs, model: &ModelSpec) -> Result<Vec<Asked>, Failure> {
    let recorded = model.recorded_quantities();
    if args.quantities.is_empty() {
        let named = |name: QuantityName| Asked { column: name.name.clone(), name };
        return Ok(recorded.into_iter().map(named).collect());
    }
    let mut found: Vec<Asked> = Vec::new();
    for argument in &args.quantities {
        let (pattern, column) = match argument.split_once('=') {
            Some((name, column)) => (name.trim(), Some(column.trim())),
            None => (argument.trim(), None),
        };
        let fits = |name: &str| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        let before = found.len();
        for name in recorded.iter().filter(|own| fits(&own.name)) {
            let column = column.unwrap_or(&name.name).to_owned();
            if found.iter().all(|own| own.name.name != name.name) {
                found.push(Asked { name: name.clone(), column });
            }
        }
        if found.len() == before {
            let known: Vec<&str> = recorded.iter().map(|own| own.name.as_str()).take(30).collect();
            return Err(Failure::bad_input(format!(
                "--quantity {argument}: no recorded quantity is called `{pattern}`; recorded are {}",
                known.join(", ")
            )));
        }
    }
    Ok(found)
}

/// The steps (s), descending.
fn steps(args: &ConvergeArgs, model: &ModelSpec) -> Result<Vec<f64>, Failure> {
    let mut steps = args.steps.clone();
    if steps.is_empty() {
        steps = (0..i32::from(args.count)).map(|k| model.time.step * 0.5_f64.powi(k)).collect();
    }
    steps.sort_by(|a, b| b.total_cmp(a));
    steps.dedup();
    if steps.len() < 2 {
        return Err(Failure::bad_input("--steps must have two different steps at least: orders need them"));
    }
    Ok(steps)
}

/// Most that a step is divided by for the sake of its phase.
const SPREAD: f64 = 1.2;

/// As many divisors from 1 on, below the largest, each the same multiple of the one before.
fn phases(count: u16) -> Vec<f64> {
    (0..count).map(|k| SPREAD.powf(f64::from(k) / f64::from(count))).collect()
}

fn variants(args: &ConvergeArgs) -> Vec<Variant> {
    match &args.compare {
        None => vec![Variant { name: String::new(), change: None }],
        Some(list) => {
            let of = |(name, change): &(String, Override)| Variant {
                name: name.clone(),
                change: Some(change.clone()),
            };
            list.values.iter().map(of).collect()
        }
    }
}

/// The columns of the reference table, which must cover the time that is compared.
fn columns(
    path: &std::path::Path,
    asked: &[Asked],
    (start, until): (f64, f64),
) -> Result<Vec<FilledGraph>, Failure> {
    let name = path.display().to_string();
    let content =
        read_text(path).map_err(|error| Failure::bad_input(format!("cannot read `{name}`: {error}")))?;
    let table = sub_run::Table::read(&name, &content).map_err(Failure::bad_input)?;
    let graphs: Result<Vec<_>, String> = asked.iter().map(|own| table.graph(&own.column)).collect();
    let graphs = graphs.map_err(|error| {
        Failure::bad_input(format!("{error}; --quantity NAME=COLUMN says which column a quantity is"))
    })?;
    let round_off = 1e-9 * (until - start);
    let points = graphs.first().map_or(&[][..], FilledGraph::points);
    let covered = points.first().zip(points.last()).map(|(first, last)| (first.0, last.0));
    match covered {
        Some((first, last)) if first <= start + round_off && last >= until - round_off => Ok(graphs),
        Some((first, last)) => Err(Failure::bad_input(format!(
            "`{name}` covers {first} to {last} s, the comparison {start} to {until} s: choose --until, or another start"
        ))),
        None => Err(Failure::bad_input(format!("`{name}` has no rows"))),
    }
}
