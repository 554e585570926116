//! What the one-step problem answers.

use cosimo_complementarity::LcpStatus;
use cosimo_complementarity::friction::FrictionError;
use cosimo_mechanics::ImpulseMoments;
use thiserror::Error;

use crate::thresholds::GAIN;
use crate::{ContactLaws, FrictionState};

/// What happened at a contact in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactChange {
    /// Index of the contact.
    pub contact: usize,
    /// What happened.
    pub kind: ContactChangeKind,
    /// When (s).
    pub time: f64,
    /// Gap rate before (m/s).
    pub rate_before: f64,
    /// Gap rate after (m/s); of a release, at the end of the step.
    pub rate_after: f64,
    /// Impulse (N s): of the jump, or of the load in the rest of the step; zero at a release.
    pub impulse: f64,
    /// Impulses along the tangents (N s), as `impulse`; zero along tangents that the contact does not have.
    pub tangential: [f64; 2],
    /// What friction does there.
    pub state: FrictionState,
    /// Energy that the impulse of an impact, or of a touch that closes the contact, puts in, `½ P·(U⁻ + U⁺)` (J), negative where it
    /// takes it out; else zero.
    pub work: f64,
}

impl ContactChange {
    /// Energy (J) that passes through the contact, there and back.
    fn exchanged(&self) -> f64 {
        self.work.abs() + 0.5 * self.impulse * (self.rate_before.abs() + self.rate_after.abs())
    }
}

/// Energy that an impact has created.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyGain {
    /// The contact of the impact that put in most.
    pub contact: usize,
    /// When (s).
    pub time: f64,
    /// How much, all contacts together (J).
    pub energy: f64,
}

/// Kind of a [`ContactChange`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactChangeKind {
    /// An impulse: a velocity jump at this contact, or its share in that of another one.
    Impact,
    /// The contact begins to carry a load over time. An impact without rebound is followed by a closing.
    Closing,
    /// The contact stops carrying load. Closings and releases of a contact alternate.
    Release,
    /// A contact that slid is held by its friction from now on.
    Stick,
    /// A contact that stuck begins to slide.
    Slip,
}

/// Why the one-step problem has no solution.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum OneStepError {
    /// The complementarity solver failed.
    #[error(
        "the complementarity problem of {contacts} contacts was not solved ({status:?}, residual {residual:e})"
    )]
    NotSolved {
        /// Number of contacts in the problem.
        contacts: usize,
        /// How the solver ended.
        status: LcpStatus,
        /// Residual reached.
        residual: f64,
    },
    /// The friction problem was not solved.
    #[error(
        "the friction problem of {} was not solved: residual {residual:.1e}{}",
        if *.contacts == 1 { "the contact".to_owned() } else { format!("{} contacts", .contacts) },
        hint(*.contacts, *.is_newton)
    )]
    FrictionNotSolved {
        /// Index of the first of them.
        contact: usize,
        /// Number of contacts in the problem.
        contacts: usize,
        /// Residual reached.
        residual: f64,
        /// Whether Newton's law has a restitution at one of them: there need be no solution then.
        is_newton: bool,
    },
    /// The friction problem was refused.
    #[error(transparent)]
    Friction(#[from] FrictionError),
    /// Data that are not finite.
    #[error("a gap, rate or effective mass at contact {contact} is not finite")]
    NotFinite {
        /// Index of the contact.
        contact: usize,
    },
}

/// What may have a solution instead. One contact has none only where its friction presses it ever harder.
fn hint(contacts: usize, is_newton: bool) -> &'static str {
    match (contacts, is_newton) {
        (1, false) => {
            "; its friction presses the contact ever harder, so that nothing meets Coulomb's law (Painlevé): only a \
             smaller friction, or something that gives way at the contact or behind it, does"
        }
        (1, true) => {
            "; its friction presses the contact ever harder, so that nothing meets Coulomb's law (Painlevé): only a \
             smaller friction, or something that gives way at the contact or behind it, does; at an impact \
             impact_law = \"moreau\" does too"
        }
        (_, true) => {
            "; bodies that friction jams may have no solution by Newton's law: use impact_law = \"moreau\""
        }
        (_, false) => "",
    }
}

/// Changes above which sorting by insertion costs more than a buffer.
const MANY_CHANGES: usize = 64;

/// Impulses of a step at the contacts, by row: the gaps first, then the slips of the contacts with friction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactSolution {
    /// Impulses (N s) of the loads that act over the whole step.
    pub sustained: Vec<f64>,
    /// Impulses inside the step, by their moments about its end.
    pub moments: ImpulseMoments,
    /// By which weights what has parted meets inside the step, of the partings at its start and its end: the moments of the impulses
    /// that stop these are those of what meets.
    pub meetings: ImpulseMoments<[f64; 2]>,
    /// Whether there are impulses inside the step.
    pub has_moments: bool,
    /// Energy that the impulses put in, `Σ P (U⁻ + U⁺)/2` (J); negative where they take it out.
    pub work: f64,
    /// Impacts that created energy.
    pub gains: Vec<EnergyGain>,
    /// All impulses of the step by row (N s).
    pub impulses: Vec<f64>,
    /// Forces at the end of the step by row (N); zero at contacts that are open then. Those of an instant, as in a collision, are
    /// not known.
    pub forces: Vec<f64>,
    /// What happened, in order of time.
    pub changes: Vec<ContactChange>,
    /// Complementarity problems solved; without any there are no impulses.
    pub problems: u32,
}

impl ContactSolution {
    /// No impulses at `contacts` contacts.
    #[must_use]
    pub fn new(contacts: usize) -> Self {
        Self::with_rows(contacts, contacts)
    }

    /// No impulses on `rows` rows of `contacts` contacts.
    #[must_use]
    pub fn with_rows(contacts: usize, rows: usize) -> Self {
        let zero = vec![0.0; rows];
        Self {
            sustained: zero.clone(),
            moments: ImpulseMoments {
                velocity: zero.clone(),
                velocity_damped: zero.clone(),
                position: zero.clone(),
                position_damped: zero.clone(),
            },
            meetings: ImpulseMoments::default(),
            has_moments: false,
            work: 0.0,
            gains: Vec::with_capacity(4),
            forces: zero.clone(),
            impulses: zero,
            changes: Vec::with_capacity(8 * contacts),
            problems: 0,
        }
    }

    /// Whether what has parted has met inside the step.
    #[must_use]
    pub fn has_met(&self) -> bool {
        self.meetings.velocity != [0.0; 2]
    }

    /// Whether there are impacts.
    pub(crate) fn has_impacts(&self) -> bool {
        self.changes.iter().any(|change| change.kind == ContactChangeKind::Impact)
    }

    /// Makes the loads of impacts impulses inside the step, at `lead` (s) before its end, that change rates as the loads do.
    /// What damping feeds back is in the rates already.
    pub(crate) fn turn_impacts_inside(&mut self, laws: &ContactLaws, lead: f64) {
        for change in self.changes.iter().filter(|change| change.kind == ContactChangeKind::Impact) {
            for row in std::iter::once(change.contact).chain(laws.slips(change.contact)) {
                let impulse = std::mem::take(&mut self.sustained[row]);
                self.moments.velocity[row] += impulse;
                self.moments.position[row] += lead * impulse;
                self.has_moments = true;
            }
        }
    }

    /// Makes all loads impulses inside the step, at `lead` (s) before its end.
    pub(crate) fn turn_all_inside(&mut self, lead: f64) {
        let moments = self.moments.velocity.iter_mut().zip(&mut self.moments.position);
        for (impulse, (velocity, position)) in self.sustained.iter_mut().zip(moments) {
            let impulse = std::mem::take(impulse);
            *velocity += impulse;
            *position += lead * impulse;
        }
        self.has_moments = true;
    }

    /// No impulses, no changes, no problems; costs nothing where no problem was solved.
    pub(crate) fn reset(&mut self) {
        if self.problems > 0 {
            self.clear();
            self.problems = 0;
        }
    }

    /// No impulses and no changes; the problems solved still count.
    pub(crate) fn clear(&mut self) {
        self.work = 0.0;
        self.gains.clear();
        self.changes.clear();
        self.impulses.fill(0.0);
        self.sustained.fill(0.0);
        self.forces.fill(0.0);
        if self.has_moments {
            let m = &mut self.moments;
            for part in [&mut m.velocity, &mut m.velocity_damped, &mut m.position, &mut m.position_damped] {
                part.fill(0.0);
            }
            self.meetings = ImpulseMoments::default();
            self.has_moments = false;
        }
    }

    /// Notes what an impact, whose changes begin at `first`, did to the energy, if that is a gain (J).
    pub(crate) fn note_gain(&mut self, first: usize, energy: f64) {
        let changes = &self.changes[first..];
        // Elastic impacts exchange much energy and do no work.
        let exchanged: f64 = changes.iter().map(ContactChange::exchanged).sum();
        if energy <= GAIN * exchanged {
            return;
        }
        let most = changes.iter().max_by(|a, b| a.work.total_cmp(&b.work));
        if let Some(&ContactChange { contact, time, .. }) = most {
            self.gains.push(EnergyGain { contact, time, energy });
        }
    }

    /// Takes over the solutions of smaller problems, each with the indices of its contacts and rows among these.
    pub fn collect<'a>(&mut self, parts: impl Iterator<Item = (&'a [usize], &'a [usize], &'a Self)>) {
        self.clear();
        self.problems = 0;
        for (contacts, rows, part) in parts {
            if part.problems > 0 || !part.changes.is_empty() {
                self.add(contacts, rows, part);
            }
        }
        self.sort_changes();
    }

    fn add(&mut self, contacts: &[usize], rows: &[usize], part: &Self) {
        for (local, &row) in rows.iter().enumerate() {
            self.sustained[row] = part.sustained[local];
            self.impulses[row] = part.impulses[local];
            self.forces[row] = part.forces[local];
        }
        if part.has_moments {
            self.has_moments = true;
            let (all, m) = (&mut self.moments, &part.moments);
            for (local, &row) in rows.iter().enumerate() {
                all.velocity[row] = m.velocity[local];
                all.velocity_damped[row] = m.velocity_damped[local];
                all.position[row] = m.position[local];
                all.position_damped[row] = m.position_damped[local];
            }
        }
        self.work += part.work;
        self.problems += part.problems;
        let gain = |gain: &EnergyGain| EnergyGain { contact: contacts[gain.contact], ..*gain };
        self.gains.extend(part.gains.iter().map(gain));
        let renumbered =
            |change: &ContactChange| ContactChange { contact: contacts[change.contact], ..*change };
        self.changes.extend(part.changes.iter().map(renumbered));
    }

    /// Sorts the changes by time. Simultaneous ones keep their order; few are sorted without allocation.
    pub(crate) fn sort_changes(&mut self) {
        if self.changes.len() > MANY_CHANGES {
            self.changes.sort_by(|a, b| a.time.total_cmp(&b.time));
            return;
        }
        for i in 1..self.changes.len() {
            let mut k = i;
            while k > 0 && self.changes[k - 1].time > self.changes[k].time {
                self.changes.swap(k - 1, k);
                k -= 1;
            }
        }
    }
}
