//! What a step is solved for.

use cosimo_dynamics::{ConstrainedSystem, Coordinates};

use cosimo_mechanics::ContactLaw;

use crate::contacts::Contacts;
use crate::matrices::CLOSING;
use crate::norm::largest;
use crate::outer_rows::Outside;
use crate::settings::ImpactSettings;
use crate::state::ImpactState;

/// A step to be solved: the system, its contacts, where it starts and how long it is.
#[derive(Clone, Copy)]
pub(crate) struct StepProblem<'a> {
    pub(crate) system: &'a dyn ConstrainedSystem,
    pub(crate) contacts: &'a dyn Contacts,
    pub(crate) settings: &'a ImpactSettings,
    pub(crate) start: &'a ImpactState,
    /// Step size (s).
    pub(crate) h: f64,
    /// Gaps (m) and rates (m/s) at the start.
    pub(crate) start_gaps: &'a [f64],
    pub(crate) start_rates: &'a [f64],
    /// What acts from outside, of systems with rows for it.
    pub(crate) outside: Option<Outside<'a>>,
}

impl StepProblem<'_> {
    pub(crate) fn coordinates(&self) -> &Coordinates {
        self.system.structure().coordinates()
    }

    /// Whether one correction is exact where the same contacts are active.
    pub(crate) fn is_linear(&self) -> bool {
        self.system.is_linear() && self.contacts.is_linear()
    }

    /// Laws of some contacts.
    pub(crate) fn laws<'c>(
        &'c self,
        contacts: &'c [usize],
    ) -> impl ExactSizeIterator<Item = ContactLaw> + 'c {
        let blocks = self.contacts.layout().contacts();
        contacts.iter().map(|contact| blocks[*contact].law)
    }

    /// Rate at which a contact opens at the start (m/s); zero of one that does not, or by round-off alone.
    pub(crate) fn opening(&self, contact: usize) -> f64 {
        let rate = self.start_rates[contact * self.contacts.layout().dimension()];
        if rate > self.round_off() { rate } else { 0.0 }
    }

    /// Rates that a closed contact may have (m/s).
    fn round_off(&self) -> f64 {
        CLOSING * (1.0 + largest(&self.start.v))
    }

    /// What restitution adds to a slip row of a contact that is hit (m/s): to row `k` of it, from 1 on.
    pub(crate) fn slip_offset(&self, contact: usize, k: usize) -> f64 {
        let (row, law) =
            (contact * self.contacts.layout().dimension(), self.contacts.layout().contacts()[contact].law);
        let restitution = law.slip_restitution();
        if restitution > 0.0 && self.start_rates[row] < -self.round_off() {
            restitution * self.start_rates[row + k]
        } else {
            0.0
        }
    }

    /// `e` of a contact.
    pub(crate) fn restitution(&self, contact: usize) -> f64 {
        self.contacts.layout().contacts()[contact].law.restitution
    }
}

/// What a step has done to the contacts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactStep {
    /// Impulses `P` of the step (N s), all rows of all contacts.
    pub impulses: Vec<f64>,
    /// Impulses `Λ` of the constraints (N s, N m s) beside those of the smooth motion, `h μ`.
    pub constraint_impulses: Vec<f64>,
    /// Whether each contact took part in the law between impulses and velocities.
    pub is_active: Vec<bool>,
    /// Normal forces at the end of the step (N), one per contact: of closed contacts the mean over the step or, of the PVA method, that of
    /// the smooth motion; zero in the step of an impact and where contacts are open.
    pub forces: Vec<f64>,
}

impl ContactStep {
    pub(crate) fn zeros(contacts: usize, rows: usize, constraints: usize) -> Self {
        Self {
            impulses: vec![0.0; rows],
            constraint_impulses: vec![0.0; constraints],
            is_active: vec![false; contacts],
            forces: vec![0.0; contacts],
        }
    }
}

/// What a contact has had in a step along its normal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Normal {
    /// Impulse (N s).
    pub(crate) impulse: f64,
    /// Change of the rate by a unit of it (1/kg).
    pub(crate) mobility: f64,
}

impl StepProblem<'_> {
    /// Force of a contact at the end of the step (N). An impact is a step in which the reversal of the rate takes at least half of the
    /// impulse.
    pub(crate) fn force(&self, contact: usize, Normal { impulse, mobility }: Normal) -> f64 {
        let approach = -self.start_rates[contact * self.contacts.layout().dimension()].min(0.0);
        let is_impact = (1.0 + self.restitution(contact)) * approach > 0.5 * mobility * impulse;
        if is_impact || impulse <= 0.0 { 0.0 } else { impulse / self.h }
    }
}

/// Work that a step took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepEffort {
    /// Corrections; a step whose prediction is within the tolerance has none.
    pub iterations: usize,
    /// Factorisations of the matrix of the step.
    pub factorizations: usize,
}
