//! Handles of parts, and subsystems that begin anew.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{Description, Snapshot, Statistics, StepLoads, Subsystem, SubsystemError, pass_on};

use super::ModelError;

/// A subsystem or an interface of a model: what its ports, quantities and signals are named by. [`Model`](crate::Model) checks the names
/// where they are used.
///
/// ```
/// # let ball = cosimo::Model::parse("[[subsystem]]\nname = \"ball\"").unwrap().part("ball");
/// assert_eq!(ball.port("top"), "ball.top");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    name: String,
}

impl Part {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The full name of one of its ports, to be joined.
    #[must_use]
    pub fn port(&self, name: &str) -> String {
        self.within(name)
    }

    /// The full name of one of its quantities, to be looked up in a trajectory.
    #[must_use]
    pub fn quantity(&self, name: &str) -> String {
        self.within(name)
    }

    /// The full name of one of its inputs or outputs, to be connected.
    #[must_use]
    pub fn signal(&self, name: &str) -> String {
        self.within(name)
    }

    fn within(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }
}

/// A subsystem between runs, and its state at the start.
struct Home {
    /// None while it is in a run.
    subsystem: Option<Box<dyn Subsystem>>,
    /// Whether it is as it was added.
    is_fresh: bool,
    start: Result<Snapshot, SubsystemError>,
}

/// A subsystem that the model lends to its runs.
pub(super) struct OwnPart {
    description: Description,
    home: Arc<Mutex<Home>>,
}

impl OwnPart {
    pub(super) fn new(subsystem: Box<dyn Subsystem>) -> Self {
        let description = subsystem.description().clone();
        let start = subsystem.save();
        let home = Home { subsystem: Some(subsystem), is_fresh: true, start };
        Self { description, home: Arc::new(Mutex::new(home)) }
    }

    pub(super) fn description(&self) -> &Description {
        &self.description
    }

    /// The subsystem at its start.
    pub(super) fn lend(&self) -> Result<Lent, ModelError> {
        let mut home = lock(&self.home);
        let Some(mut inner) = home.subsystem.take() else {
            return Err(ModelError::Taken { part: self.description.name.clone() });
        };
        let begun = if home.is_fresh { Ok(()) } else { set_back(&home.start, inner.as_mut()) };
        if let Err(source) = begun {
            home.subsystem = Some(inner);
            return Err(ModelError::Once { part: self.description.name.clone(), source });
        }
        home.is_fresh = false;
        let before = inner.statistics();
        Ok(Lent { inner, before, home: Arc::clone(&self.home) })
    }
}

/// Goes back to the start, and gives every response again, whatever the run before asked for.
fn set_back(
    start: &Result<Snapshot, SubsystemError>,
    subsystem: &mut dyn Subsystem,
) -> Result<(), SubsystemError> {
    let start = start.as_ref().map_err(Clone::clone)?;
    let description = subsystem.description();
    let responses = description.rows().max(description.load_coordinates());
    subsystem.set_active_rows(&vec![true; responses]);
    subsystem.report_moves(false);
    subsystem.restore(start)
}

fn lock(home: &Mutex<Home>) -> MutexGuard<'_, Home> {
    home.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A subsystem of a model in a run; it returns to the model when the run ends.
pub(super) struct Lent {
    inner: Box<dyn Subsystem>,
    /// What it had done before.
    before: Statistics,
    home: Arc<Mutex<Home>>,
}

impl Subsystem for Lent {
    pass_on!(inner: description, rows, energy, set_active_rows, report_moves, begin, begin_predicted, evaluate);
    pass_on!(inner: evaluate_rows, commit, respond, set_inputs, outputs, discard, prepare_jump, jump, project_positions);
    pass_on!(inner: observe, save, restore, prefetch, is_asynchronous);

    fn statistics(&self) -> Statistics {
        self.inner.statistics().since(self.before)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let inner = std::mem::replace(&mut self.inner, Box::new(Gone(Description::default())));
        lock(&self.home).subsystem = Some(inner);
    }
}

/// What is left of a subsystem that went home.
struct Gone(Description);

impl Subsystem for Gone {
    fn description(&self) -> &Description {
        &self.0
    }

    fn commit(&mut self, _loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        Ok(StepEnergy::default())
    }

    fn observe(&self, _out: &mut [f64]) {}
}
