//! Where a run begins: at the beginning of a model, or at a checkpoint.

use std::error::Error;
use std::num::NonZeroU64;
use std::path::Path;

use cosimo::master::MasterConfig;
use cosimo::master::{Master, RunPosition};
use cosimo::model::{ModelSpec, PlacementSpec, QuantityName};
use cosimo::results::{
    CheckpointConfig, CheckpointFile, FrameRate, ModelId, Overwrite, RecordConfig, Recorder, ResultDirectory,
    RunLock, Selection,
};

use crate::args::{ModelArgs, OverrideArgs, RunArgs};
use crate::failure::Failure;
use crate::ranks::Ranks;
use crate::{convert, input, terminal};

/// Version of the model file's format, for the summary.
const SCHEMA: u32 = 1;

/// A run that can begin.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) model: ModelSpec,
    pub(crate) master: Master,
    pub(crate) recorder: Recorder,
    pub(crate) position: RunPosition,
    pub(crate) directory: ResultDirectory,
    /// Keeps other runs out of the directory.
    pub(crate) lock: RunLock,
}

/// A new run; nothing is written before the model is known to be right.
pub(crate) fn anew(args: &RunArgs, ranks: &Ranks) -> Result<Start, Failure> {
    let model_args = args.model();
    let model = input::read(&model_args)?;
    let master = ranks.build(&model_args, &model, args.quiet)?;
    let overwrite = if args.force { Overwrite::Force } else { Overwrite::Refuse };
    let inputs = [model_args.path];
    let conversions = convert::files(&convert::formats(&model));
    let directory = ResultDirectory::create_from(&inputs, &conversions, args.out(), overwrite)
        .map_err(Failure::refused)?;
    let lock = directory.lock().map_err(Failure::bad_input)?;
    directory.store_model(&model.to_toml()).map_err(Failure::bad_input)?;
    at_the_beginning(model, master, (directory, lock))
}

/// The run in a result directory, from its last checkpoint; `None` if it is complete.
pub(crate) fn resumed(path: &Path, is_quiet: bool, ranks: &Ranks) -> Result<Option<Start>, Failure> {
    let directory = ResultDirectory::open(path).map_err(Failure::bad_input)?;
    let lock = directory.lock().map_err(Failure::bad_input)?;
    if directory.is_complete() {
        directory.remove_checkpoints().map_err(Failure::failed)?;
        return Ok(None);
    }
    let model_args = ModelArgs { path: directory.model(), overrides: OverrideArgs::default() };
    let model = input::read(&model_args)?;
    let mut master = ranks.build(&model_args, &model, is_quiet)?;
    let Some((recorder, position)) = take_up(&directory, &mut master, &record_config(&model))? else {
        if !is_quiet {
            terminal::line("there is no checkpoint yet: the run begins anew");
        }
        directory.remove_results().map_err(Failure::bad_input)?;
        return at_the_beginning(model, master, (directory, lock)).map(Some);
    };
    if !is_quiet {
        terminal::line(&format!("goes on after {} steps, at t = {} s", position.done, master.time()));
    }
    Ok(Some(Start { model, master, recorder, position, directory, lock }))
}

fn at_the_beginning(
    model: ModelSpec,
    master: Master,
    (directory, lock): (ResultDirectory, RunLock),
) -> Result<Start, Failure> {
    let recorder = Recorder::create(directory.clone(), record_config(&model)).map_err(Failure::bad_input)?;
    let position = RunPosition::start(master.time(), model.time.end, model.time.step);
    Ok(Start { model, master, recorder, position, directory, lock })
}

/// Takes up the newest checkpoint that can be used, and shows why others cannot; `None` if there is none at all.
fn take_up(
    directory: &ResultDirectory,
    master: &mut Master,
    config: &RecordConfig,
) -> Result<Option<(Recorder, RunPosition)>, Failure> {
    let files = directory.checkpoints().map_err(Failure::bad_input)?;
    for file in &files {
        match take_up_one(file, directory, master, config) {
            Ok(taken) => return Ok(Some(taken)),
            Err(error) => terminal::line(&format!("warning: {error}")),
        }
    }
    match files.len() {
        0 => Ok(None),
        count => {
            let path = directory.path().display();
            let none = format!("none of the {count} checkpoints in `{path}` can be used");
            Err(Failure::bad_input(format!("{none}; run the model anew with --force")))
        }
    }
}

fn take_up_one(
    file: &CheckpointFile,
    directory: &ResultDirectory,
    master: &mut Master,
    config: &RecordConfig,
) -> Result<(Recorder, RunPosition), Box<dyn Error>> {
    let Some(CheckpointConfig { model, .. }) = config.checkpoints else {
        return Err("checkpoints are off".into());
    };
    let checkpoint = file.read(model)?;
    let refused = |error: &dyn Error| format!("checkpoint `{}` is refused: {error}", file.path().display());
    master.restore(&checkpoint.run.master).map_err(|error| refused(&error))?;
    let recorder = Recorder::resume(directory.clone(), config.clone(), &checkpoint);
    Ok((recorder.map_err(|error| refused(&error))?, checkpoint.run.position))
}

/// What the model wants to be recorded.
pub(crate) fn record_config(model: &ModelSpec) -> RecordConfig {
    let select =
        |quantities: Vec<QuantityName>| Selection::new(quantities.into_iter().map(|quantity| quantity.name));
    RecordConfig {
        title: title(model).map(str::to_owned),
        schema: Some(SCHEMA),
        every: NonZeroU64::new(model.record.every.into()).unwrap_or(NonZeroU64::MIN),
        quantities: select(model.recorded_quantities()),
        plot: Some(select(model.plotted_quantities())),
        frames: FrameRate::wanted(model.record.frames_per_second),
        checkpoints: Some(CheckpointConfig {
            model: identity(model),
            every_steps: model.checkpoint.every_steps.into(),
            every_seconds: model.checkpoint.every_seconds,
            keep: model.checkpoint.keep as usize,
        }),
    }
}

/// What a checkpoint knows the model by: all that decides the bits of its results, which threads, processes, machines, deadlines
/// and formats do not.
fn identity(model: &ModelSpec) -> ModelId {
    let mut model = model.clone().nearby();
    model.master.threads = MasterConfig::default().threads;
    model.placement = PlacementSpec::default();
    model.record.formats.clear();
    ModelId::of(&model.to_toml())
}

/// The title of the model, if it has one.
pub(crate) fn title(model: &ModelSpec) -> Option<&str> {
    Some(model.title.as_str()).filter(|title| !title.is_empty())
}
