//! The runs of one setting.

use super::plan::{Plan, Variant};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::sub_run::{self, SubRun, SubRunError};
use crate::terminal;

/// What came of the runs of one setting.
#[derive(Debug)]
pub(super) struct Runs {
    /// Those that came to their end, with the step (s) of the plan that they belong to, descending.
    pub(super) completed: Vec<(f64, SubRun)>,
    /// Steps (s) of the others, with the reason.
    pub(super) failures: Vec<(f64, String)>,
    /// The run that is the reference, if it is to be one and came to its end.
    pub(super) reference: Option<SubRun>,
}

/// Runs one setting with every step, coarse ones first, and then the reference; a run that fails leaves the others.
pub(super) fn run(plan: &Plan, variant: &Variant, interrupt: &Interrupt) -> Runs {
    let mut runs = Runs { completed: Vec::new(), failures: Vec::new(), reference: None };
    let of_step = |step: &f64| plan.phases.iter().map(|phase| (*step, step / phase)).collect::<Vec<_>>();
    for (of, step) in plan.steps.iter().flat_map(of_step) {
        match one(plan, variant, step, interrupt) {
            Ok(run) => runs.completed.push((of, run)),
            Err(SubRunError::Stopped) => return runs,
            Err(error) => runs.fail(variant, step, &error),
        }
    }
    if let Some(step) = plan.reference_step {
        match one(plan, variant, step, interrupt) {
            Ok(run) => runs.reference = Some(run),
            Err(SubRunError::Stopped) => {}
            Err(error) => runs.fail(variant, step, &error),
        }
    }
    runs
}

impl Runs {
    fn fail(&mut self, variant: &Variant, step: f64, error: &SubRunError) {
        terminal::line(&format!("error: {}: the run {error}", named(variant, step)));
        self.failures.push((step, error.to_string()));
    }
}

fn one(plan: &Plan, variant: &Variant, step: f64, interrupt: &Interrupt) -> Result<SubRun, SubRunError> {
    if interrupt.stop().is_some() {
        return Err(SubRunError::Stopped);
    }
    let model = plan.model(variant, step).map_err(SubRunError::Build)?;
    let run = sub_run::run(&model, &plan.quantities, (Progress::new(!plan.is_quiet), interrupt))?;
    let run = run.with_even_steps()?;
    if !plan.is_quiet {
        let points = run.graphs.first().map_or(0, |graph| graph.points().len());
        let seconds = run.wall_seconds;
        terminal::line(&format!("{}: {} steps in {seconds:.3} s", named(variant, step), points.max(1) - 1));
    }
    Ok(run)
}

fn named(variant: &Variant, step: f64) -> String {
    let setting = if variant.name.is_empty() { String::new() } else { format!("{}, ", variant.name) };
    format!("{setting}h = {step:e} s")
}
