//! Where the files of a result directory are.

use std::path::PathBuf;

use super::{EVENTS, FRAMES, MODEL, PLOT, REPORT, RESULTS, ResultDirectory, SCENE, SUMMARY};

impl ResultDirectory {
    /// Path of `results.csv`, the quantities over time.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        self.path.join(RESULTS)
    }

    /// Path of `events.csv`, what happened at the contacts.
    #[must_use]
    pub fn events(&self) -> PathBuf {
        self.path.join(EVENTS)
    }

    /// Path of `summary.json`, the run in numbers.
    #[must_use]
    pub fn summary(&self) -> PathBuf {
        self.path.join(SUMMARY)
    }

    /// Path of `plot.svg`, the figure.
    #[must_use]
    pub fn plot(&self) -> PathBuf {
        self.path.join(PLOT)
    }

    /// Path of `scene.json`, what the model looks like.
    #[must_use]
    pub fn scene(&self) -> PathBuf {
        self.path.join(SCENE)
    }

    /// Path of `frames.bin`, where its bodies were.
    #[must_use]
    pub fn frames(&self) -> PathBuf {
        self.path.join(FRAMES)
    }

    /// Path of `report.html`, everything in one page.
    #[must_use]
    pub fn report(&self) -> PathBuf {
        self.path.join(REPORT)
    }

    /// Path of `model.toml`, the complete model.
    #[must_use]
    pub fn model(&self) -> PathBuf {
        self.path.join(MODEL)
    }
}
