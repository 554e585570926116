//! How a model begins.

use std::num::NonZeroU64;

use cosimo_master::{Assembly, Master, Observer, QuantityLabel};
use cosimo_model::ModelSpec;
use cosimo_results::{FrameRate, Selection};
use cosimo_subsystem::Subsystem;

use super::choice::chosen;
use super::document::Times;
use super::model::Model;
use super::part::OwnPart;
use super::{Finding, ModelError, Run};
use crate::trajectory::{About, Recording, Trajectory};

/// A model at its start.
pub(super) struct Start {
    pub(super) master: Master,
    /// What the file says, and its warnings.
    pub(super) file: Option<(ModelSpec, Vec<Finding>)>,
}

impl Start {
    /// All quantities, and what records those that are wanted.
    fn recording(&self, model: &Model) -> Result<(Vec<QuantityLabel>, Recording), ModelError> {
        let spec = self.spec();
        let labels = self.master.labels();
        let places = chosen(&labels, model.record.quantities.as_ref(), spec)?;
        let of_file = spec.and_then(|spec| NonZeroU64::new(spec.record.every.into()));
        let every = model.record.every.or(of_file).unwrap_or(NonZeroU64::MIN);
        let frames = FrameRate::wanted(spec.and_then(|spec| spec.record.frames_per_second));
        let recording = Recording::new(&labels, places, (every, frames));
        Ok((labels, recording))
    }

    fn spec(&self) -> Option<&ModelSpec> {
        self.file.as_ref().map(|(spec, _)| spec)
    }

    fn about(&self) -> About {
        let Some(spec) = self.spec() else { return About::default() };
        let plotted = spec.plotted_quantities().into_iter().map(|quantity| quantity.name);
        About { title: spec.title.clone(), text: Some(spec.to_toml()), plot: Some(Selection::new(plotted)) }
    }
}

impl Model {
    /// Runs the model from its start to time `end` (s) with macro steps of size `step` (s), in place of the times of its file. Every run
    /// begins anew.
    ///
    /// # Errors
    /// All mistakes of the model; [`ModelError::Run`], with what was recorded, where a step fails or the run has created more energy than
    /// was at stake.
    pub fn simulate(&mut self, end: f64, step: f64) -> Result<Trajectory, ModelError> {
        self.simulate_with(end, step, &mut cosimo_master::NoObserver)
    }

    /// As [`simulate`](Self::simulate), shown to an observer: for progress, for a recorder of files, or to stop the run, whose trajectory ends
    /// there.
    ///
    /// # Errors
    /// As [`simulate`](Self::simulate).
    pub fn simulate_with(
        &mut self,
        end: f64,
        step: f64,
        observer: &mut dyn Observer,
    ) -> Result<Trajectory, ModelError> {
        let start = self.prepare(Some((end, step)))?;
        self.go(start, (end, step), observer)
    }

    /// Runs the model of a file to the end that it gives, by its step: what `cosimo run` does. Every run begins anew.
    ///
    /// # Errors
    /// As [`simulate`](Self::simulate); [`ModelError::NoTimes`]: the model has no file.
    pub fn run(&mut self) -> Result<Trajectory, ModelError> {
        self.run_with(&mut cosimo_master::NoObserver)
    }

    /// As [`run`](Self::run), shown to an observer.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_with(&mut self, observer: &mut dyn Observer) -> Result<Trajectory, ModelError> {
        let start = self.prepare(None)?;
        let times = start.spec().map(|spec| (spec.time.end, spec.time.step)).ok_or(ModelError::NoTimes)?;
        self.go(start, times, observer)
    }

    /// Begins a run whose steps the program takes itself.
    ///
    /// # Errors
    /// All mistakes of the model.
    pub fn start(&mut self) -> Result<Run, ModelError> {
        let start = self.prepare(None)?;
        let (labels, recording) = start.recording(self)?;
        let about = start.about();
        Ok(Run::new(start.master, (&labels, recording), about))
    }

    fn go(&self, start: Start, times: Times, observer: &mut dyn Observer) -> Result<Trajectory, ModelError> {
        let (_, mut recording) = start.recording(self)?;
        let about = start.about();
        let mut master = start.master;
        let (end, step) = times;
        recording.reserve((end - master.time()) / step);
        let mut watchers = (recording, observer);
        let ran = master.run(end, step, &mut watchers);
        let recorded = watchers.0.into_recorded();
        match ran {
            Ok(report) => Ok(Trajectory::new(recorded, report, about)),
            Err(error) => {
                let trajectory = Box::new(Trajectory::new(recorded, (*error.report).clone(), about));
                Err(ModelError::Run { source: Box::new(error), trajectory })
            }
        }
    }

    /// Reads, builds and couples everything.
    pub(super) fn prepare(&self, times: Option<Times>) -> Result<Start, ModelError> {
        let read = self.document.as_ref().map(|document| document.read(times)).transpose()?;
        let file = read.map(|(spec, found)| (spec, found.iter().map(Finding::from).collect()));
        let spec = file.as_ref().map(|(spec, _)| spec);
        let mut assembly = spec.map_or_else(|| Ok(Assembly::default()), |spec| self.assemble_file(spec))?;
        for part in &self.parts {
            let lent = Box::new(OwnPart::lend(part)?);
            let name = &part.description().name;
            match assembly.subsystems.iter_mut().find(|own| own.description().name == *name) {
                Some(replaced) => *replaced = lent,
                None => assembly.subsystems.push(lent),
            }
        }
        assembly.interfaces.extend(self.interfaces.iter().cloned());
        assembly.connections.extend(self.connections.iter().cloned());
        let config = spec.map_or_else(|| self.config.clone(), ModelSpec::build_config);
        let time = spec.map_or(self.start_time, |spec| spec.time.start);
        let master = Master::assemble(assembly, config, time).map_err(|error| self.unbuilt(error.into()));
        Ok(Start { master: master?, file })
    }

    /// What the file describes.
    fn assemble_file(&self, spec: &ModelSpec) -> Result<Assembly, ModelError> {
        let built: Result<Vec<Box<dyn Subsystem>>, _> = match &self.server {
            Some(command) => spec.build_subsystems_served(command),
            None => spec.build_subsystems(),
        };
        Ok(Assembly {
            subsystems: built.map_err(|error| self.unbuilt(error))?,
            interfaces: spec.build_interfaces(),
            connections: spec.build_connections(),
            ..Assembly::default()
        })
    }

    /// The name of the file goes first, where there is one.
    fn unbuilt(&self, error: cosimo_model::BuildError) -> ModelError {
        match (&self.document, error) {
            (None, cosimo_model::BuildError::Setup(error)) => error.into(),
            (document, source) => {
                let name = document.as_ref().map(|own| own.name.clone()).unwrap_or_default();
                ModelError::Build { name, source: Box::new(source) }
            }
        }
    }
}
