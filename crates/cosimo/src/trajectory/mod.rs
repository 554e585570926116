//! What a run leaves behind, owned by the program.
//!
//! | where | what |
//! |---|---|
//! | `samples` | numbers that are shared, not copied |
//! | `series` | a quantity over time |
//! | `recording` | the observer that collects both |
//! | `error` | names that are none, times outside of a run |
//! | `write` | the files of the command |

mod error;
mod recording;
mod samples;
mod series;
mod write;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cosimo_master::{Outcome, RunReport, Warning};
use cosimo_mechanics::EnergyBalance;
use cosimo_results::{RecordedScene, Selection};

pub use cosimo_results::Event;
pub use error::TrajectoryError;
pub(crate) use recording::{Recorded, Recording};
pub use samples::Samples;
pub use series::Series;

/// What is recorded of a run: quantities over time, events at contacts, warnings, energies.
///
/// It owns everything, and no copy is made of numbers that are handed on: [`Series`] and [`Samples`] are shared.
///
/// ```
/// # fn main() -> Result<(), cosimo::ModelError> {
/// let mut model = cosimo::Model::parse(
///     r#"
///     schema = 1
///     time = { end = 1.0, step = 1e-3 }
///     [[subsystem]]
///     name = "stone"
///     kind = "node"
///     mass = 2.0
///     gravity = [0, 0, -10]
///     "#,
/// )?;
/// let trajectory = model.run()?;
/// let height = trajectory.series("stone.z")?;
/// assert_eq!(height.unit(), "m");
/// assert!((height.last() + 5.0).abs() < 1e-12);
/// assert!((trajectory.at("stone.vz", 0.5)? + 5.0).abs() < 1e-12);
/// assert!(trajectory.events().is_empty());
/// assert_eq!(trajectory.series("stone.zz").unwrap_err().to_string(), "no quantity `stone.zz`; did you mean `stone.z`?");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Trajectory {
    times: Samples,
    series: Vec<Series>,
    places: BTreeMap<String, usize>,
    events: Vec<Event>,
    scene: Option<Arc<RecordedScene>>,
    report: RunReport,
    about: About,
}

/// What the files of a run say of its model.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    /// Title; may be empty.
    pub(crate) title: String,
    /// The complete model, where there is a file.
    pub(crate) text: Option<String>,
    /// What the figure shows, where the model says so.
    pub(crate) plot: Option<Selection>,
}

impl Trajectory {
    pub(crate) fn new(recorded: Recorded, report: RunReport, about: About) -> Self {
        let times = Samples::from(recorded.times);
        let columns = recorded.labels.into_iter().zip(recorded.columns);
        let series: Vec<Series> =
            columns.map(|(label, values)| Series::new(label, times.clone(), Samples::from(values))).collect();
        let places = series.iter().enumerate().map(|(place, own)| (own.name().to_owned(), place)).collect();
        Self {
            times,
            series,
            places,
            events: recorded.events,
            scene: recorded.scene.map(Arc::new),
            report,
            about,
        }
    }

    /// Times (s) of the recorded communication points, ascending; at least the first and the last of the run.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Names of the recorded quantities, `subsystem.quantity` or `interface.quantity`, in the order of the model.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.series.iter().map(Series::name)
    }

    /// All series, in the order of [`names`](Self::names).
    #[must_use]
    pub fn all(&self) -> &[Series] {
        &self.series
    }

    /// A quantity over time.
    ///
    /// # Errors
    /// [`TrajectoryError::Unknown`]: no quantity of this name was recorded.
    pub fn series(&self, name: impl AsRef<str>) -> Result<&Series, TrajectoryError> {
        let name = name.as_ref();
        let place = self.places.get(name);
        place.map(|&place| &self.series[place]).ok_or_else(|| TrajectoryError::unknown(name, self.names()))
    }

    /// The value of a quantity at the end of the run, in its unit.
    ///
    /// # Errors
    /// As [`series`](Self::series).
    pub fn last(&self, name: impl AsRef<str>) -> Result<f64, TrajectoryError> {
        self.series(name).map(Series::last)
    }

    /// The value of a quantity at a time (s), in its unit: linear between recorded communication points.
    ///
    /// # Errors
    /// As [`series`](Self::series); [`TrajectoryError::Outside`]: a time before the first or after the last one recorded.
    pub fn at(&self, name: impl AsRef<str>, time: f64) -> Result<f64, TrajectoryError> {
        self.series(name)?.at(time)
    }

    /// What happened at the contacts, in the order of time.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What was to be seen: bodies with their shapes, poses, forces of contacts and energies, 60 per simulated second or 500 per run,
    /// whichever is more, or as the file says. `None` of models without bodies. Of a run step by step
    /// it has what [`advance`](crate::Run::advance) passed through.
    #[must_use]
    pub fn scene(&self) -> Option<&RecordedScene> {
        self.scene.as_deref()
    }

    /// What was found odd in the run, the first first.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.report.warnings
    }

    /// Energies of the whole run (J).
    #[must_use]
    pub fn energy(&self) -> &EnergyBalance {
        &self.report.energy
    }

    /// How the run ended; a trajectory that an observer stopped, or of a run that failed, ends before the time that was asked for.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.report.outcome
    }

    /// The run in numbers.
    #[must_use]
    pub fn report(&self) -> &RunReport {
        &self.report
    }
}

/// Its size, not its numbers.
impl fmt::Debug for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trajectory")
            .field("times", &self.times)
            .field("series", &self.series.len())
            .field("events", &self.events.len())
            .field("outcome", self.outcome())
            .finish_non_exhaustive()
    }
}
