//! What a nonsmooth step shows: contacts, constraints at three levels, energies.

use cosimo_dynamics::{ConstrainedSystem, Level};
use cosimo_impact::{ContactStep, Contacts, ImpactState};
use cosimo_mechanics::StepBalance;
use cosimo_subsystem::Quantity;

/// Residuals of the constraints and works of a step, behind those of the contacts.
const OF_STEP: [(&str, &str); 12] = [
    ("constraints.position", "m"),
    ("constraints.velocity", "m/s"),
    ("constraints.acceleration", "m/s^2"),
    ("step.change", "J"),
    ("step.external", "J"),
    ("step.outside", "J"),
    ("step.damping", "J"),
    ("step.contact", "J"),
    ("step.impact", "J"),
    ("step.friction", "J"),
    ("step.algorithmic", "J"),
    ("step.iterations", ""),
];

/// Contacts by their names and numbers of slips; what is observed of them and of the step, in reused storage.
#[derive(Debug)]
pub(super) struct Observables {
    contacts: Vec<(String, usize)>,
    dimension: usize,
    gaps: Vec<f64>,
    rates: Vec<f64>,
    friction: Vec<f64>,
    residuals: [f64; 3],
    work: Vec<f64>,
}

/// Share of the bound of friction from which a contact counts as sliding.
const SLIDING: f64 = 1.0 - 1e-6;

/// Rate (m/s) from which a contact without force counts as opening.
const OPENING: f64 = 1e-9;

/// What a step took: its size (s) and iterations.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StepTaken {
    pub(super) size: f64,
    pub(super) iterations: f64,
}

impl Observables {
    pub(super) fn new(contacts: Vec<(String, usize)>, dimension: usize, constraints: usize) -> Self {
        let (gaps, rates) = (vec![0.0; contacts.len()], vec![0.0; dimension * contacts.len()]);
        let (friction, work) = (vec![0.0; contacts.len()], vec![0.0; constraints]);
        Self { contacts, dimension, gaps, rates, friction, residuals: [0.0; 3], work }
    }

    /// Gap, force at the end, status and impulse of the last step, activity, slips and impulses of friction of every contact; then those of the step.
    pub(super) fn quantities(&self) -> Vec<Quantity> {
        let mut all = Vec::new();
        let mut add = |name: String, unit: &str| all.push(Quantity { name, unit: unit.to_owned() });
        for (name, slips) in &self.contacts {
            add(format!("{name}.gap"), "m");
            add(format!("{name}.force"), "N");
            add(format!("{name}.status"), "");
            add(format!("{name}.impulse"), "N s");
            for k in 0..*slips {
                let number = if *slips == 1 { String::new() } else { format!("_{k}") };
                add(format!("{name}.slip{number}"), "m/s");
                add(format!("{name}.friction{number}"), "N s");
            }
            add(format!("{name}.active"), "");
        }
        OF_STEP.into_iter().for_each(|(name, unit)| add(name.to_owned(), unit));
        all
    }

    /// Number of the quantities.
    pub(super) fn len(&self) -> usize {
        OF_STEP.len() + self.contacts.iter().map(|(_, slips)| 5 + 2 * slips).sum::<usize>()
    }

    /// Takes in where the contacts and the constraints are.
    pub(super) fn update(
        &mut self,
        system: &dyn ConstrainedSystem,
        contacts: &dyn Contacts,
        at: &ImpactState,
    ) {
        contacts.gaps(at.time, &at.q, &mut self.gaps);
        contacts.rates(at.motion(), &mut self.rates);
        let coefficients = contacts.layout().contacts().iter().map(|contact| contact.law.friction);
        self.friction.iter_mut().zip(coefficients).for_each(|(own, friction)| *own = friction);
        for (k, level) in [Level::Position, Level::Velocity, Level::Acceleration].into_iter().enumerate() {
            system.constraints(level, at.motion(), &at.a, &mut self.work);
            self.residuals[k] = self.work.iter().fold(0.0, |most, row| most.max(row.abs()));
        }
    }

    /// Writes the values of [`quantities`](Self::quantities).
    pub(super) fn observe(
        &self,
        step: &ContactStep,
        balance: &StepBalance,
        taken: StepTaken,
        out: &mut [f64],
    ) {
        let d = self.dimension;
        let of_contact = |(c, (_, slips)): (usize, &(String, usize))| {
            let rows = c * d + 1..=c * d + slips;
            let slips = rows.flat_map(|row| [self.rates[row], step.impulses[row]]);
            let active = f64::from(u8::from(step.is_active[c]));
            let status = if self.leaves(c, step.forces[c]) {
                0.0
            } else {
                self.status(c, &step.impulses[c * d..(c + 1) * d])
            };
            let first = [self.gaps[c], step.forces[c], status, step.impulses[c * d]];
            first.into_iter().chain(slips).chain([active])
        };
        let of_step = self.residuals.into_iter().chain(balance.parts()).chain([taken.iterations]);
        let values = self.contacts.iter().enumerate().flat_map(of_contact).chain(of_step);
        out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
    }

    /// Whether a contact rebounds: it has no force, and opens.
    fn leaves(&self, contact: usize, force: f64) -> bool {
        force == 0.0 && self.rates[contact * self.dimension] > OPENING
    }

    /// What a contact does with these impulses: 0 open, 1 closed without sliding, 2 closed and sliding.
    fn status(&self, contact: usize, impulses: &[f64]) -> f64 {
        let Some((normal, tangential)) = impulses.split_first() else { return 0.0 };
        let bound = self.friction[contact] * normal;
        let slides = bound > 0.0 && tangential.iter().map(|p| p * p).sum::<f64>().sqrt() >= SLIDING * bound;
        match (*normal > 0.0, slides) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) => 2.0,
        }
    }
}
