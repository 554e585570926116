//! The files of the command.

use std::path::PathBuf;

use cosimo_master::{Observer, QuantityLabel, StepRecord};
use cosimo_results::{FrameRate, Overwrite, RecordConfig, Recorder, ResultDirectory, ResultsError};

use super::Trajectory;

/// Version of the model file's format, for the summary.
const SCHEMA: u32 = 1;

impl Trajectory {
    /// Writes the files that `cosimo run` writes: `results.csv`, `events.csv`, `summary.json`, `plot.svg`, of a model with bodies `scene.json` and `frames.bin`, and for a model of a file,
    /// `model.toml`. The numbers are those of the command to the last bit.
    ///
    /// # Errors
    /// As [`ResultDirectory::create`], or a file cannot be written.
    pub fn write(
        &self,
        path: impl Into<PathBuf>,
        overwrite: Overwrite,
    ) -> Result<ResultDirectory, ResultsError> {
        let directory = ResultDirectory::create(path, overwrite)?;
        let about = &self.about;
        if let Some(text) = &about.text {
            directory.store_model(text)?;
        }
        let config = RecordConfig {
            title: Some(about.title.clone()).filter(|title| !title.is_empty()),
            schema: about.text.as_ref().map(|_| SCHEMA),
            plot: about.plot.clone(),
            frames: FrameRate::PerSecond(f64::INFINITY),
            ..RecordConfig::default()
        };
        let mut recorder = Recorder::create(directory, config)?;
        self.replay(&mut recorder);
        recorder.into_result()
    }

    /// Shows the run to an observer once more.
    fn replay(&self, observer: &mut dyn Observer) {
        let labels: Vec<QuantityLabel> = self.series.iter().map(|own| own.label().clone()).collect();
        let last = self.times.len().saturating_sub(1);
        let ends = [0, last].map(|place| self.times.get(place).copied().unwrap_or_default());
        observer.start(&labels, ends.into());
        let mut values = vec![0.0; labels.len()];
        for (point, &time) in self.times.iter().enumerate() {
            values.iter_mut().zip(&self.series).for_each(|(value, own)| *value = own.values()[point]);
            let record = StepRecord { step: point as u64, time, values: &values, is_last: point == last };
            if observer.step(&record).is_break() {
                break;
            }
        }
        self.scene().into_iter().for_each(|scene| scene.replay(observer));
        self.events.iter().for_each(|event| observer.event(&event.shown()));
        observer.finish(&self.report);
    }
}
