//! Impulses at several instants of one step, and loads over the rest of it, where damping is booked.
//!
//! The ledgers of subsystems and the losses of dashpots take all impulses inside a step for one, at the time `s̄` before
//! its end: with the answers `g` to them and the damping as their product they book `(Σ cᵢ gᵢ)²/s̄`, `c = s` for an
//! impulse `s` before the end and `c = s/2` for a load over the last `s`. What is taken out is
//!
//! ```text
//!   ∫ (Σ gᵢ uᵢ(r))² dr = Σᵢⱼ Kᵢⱼ gᵢ gⱼ      u = 1 after an impulse, 1 − r/s after the onset of a load
//! ```
//!
//! with the time `r` to the end of the step. The difference is found here from the instants of the impacts. A single
//! impact leaves none.

use cosimo_nonsmooth::{ContactChange, ContactChangeKind, ContactSolution};

use crate::condensation::contact_matrices::ContactMatrices;
use crate::rows::InnerLoad;
use crate::topology::Cluster;

/// Loads below this share of the impulses are round-off.
const ROUND_OFF: f64 = 1e-12;

/// What acts on a contact row inside a step.
#[derive(Clone, Copy)]
struct Action {
    row: usize,
    /// Impulse (N s).
    impulse: f64,
    /// From when on it acts (s, before the end of the step).
    time: f64,
    is_load: bool,
}

impl Action {
    /// Its way at the end of the step, for a velocity of one.
    fn displacement(self) -> f64 {
        if self.is_load { 0.5 * self.time } else { self.time }
    }

    /// `∫ u v dr` with another.
    fn overlap(self, other: Self) -> f64 {
        let (s, t) = (self.time, other.time);
        let both = s.min(t);
        match (self.is_load, other.is_load) {
            (false, false) => both,
            (false, true) => both - 0.5 * both * both / t,
            (true, false) => both - 0.5 * both * both / s,
            (true, true) => 0.5 * both - both * both / (6.0 * s.max(t)),
        }
    }
}

/// The impulses of one cluster inside a step.
#[derive(Clone, Copy)]
pub(crate) struct InnerImpulses<'a> {
    cluster: &'a Cluster,
    matrices: &'a ContactMatrices,
    solution: &'a ContactSolution,
    /// The loads over the rest of the step, by contact row.
    loads: &'a [InnerLoad],
    span: StepSpan,
}

/// A step by its end and its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StepSpan {
    /// Its end (s).
    pub(crate) end: f64,
    /// Its size (s).
    pub(crate) size: f64,
}

/// What the impulses of a cluster lose to damping.
#[derive(Clone, Copy)]
pub(crate) struct InnerLoss {
    /// By how much it is more than booked (J).
    pub(crate) difference: f64,
    /// Product of their ways with the damping (J s).
    pub(crate) of_way: f64,
}

impl<'a> InnerImpulses<'a> {
    /// The impulses of a cluster in a step; `loads` is written, one per contact row. `None` where nothing damps.
    pub(crate) fn of(
        cluster: &'a Cluster,
        matrices: &'a ContactMatrices,
        solution: &'a ContactSolution,
        span: StepSpan,
        loads: &'a mut [InnerLoad],
    ) -> Option<Self> {
        if !matrices.has_damping() {
            return None;
        }
        let (first, moments) = (cluster.contact_rows.start, &solution.moments);
        let loads = loads.get_mut(cluster.contact_rows.clone())?;
        for (k, load) in loads.iter_mut().enumerate() {
            *load = InnerLoad { impulse: moments.velocity[first + k], moment: moments.position[first + k] };
        }
        for impact in impacts(cluster, solution) {
            for (row, impulse) in impulses(cluster, impact) {
                loads[row].impulse -= impulse;
                loads[row].moment -= (span.end - impact.time) * impulse;
            }
        }
        Some(Self { cluster, matrices, solution, loads, span })
    }

    fn actions(self) -> impl Iterator<Item = Action> + use<'a> {
        let Self { cluster, solution, loads, span: StepSpan { end, size }, .. } = self;
        let of_impact = move |impact: &ContactChange| {
            let time = end - impact.time;
            impulses(cluster, impact).map(move |(row, impulse)| Action { row, impulse, time, is_load: false })
        };
        let first = cluster.contact_rows.start;
        let of_load = move |(row, InnerLoad { impulse, moment }): (usize, &InnerLoad)| {
            let time = (2.0 * moment / impulse).clamp(0.0, size);
            let is_there = impulse.abs() > ROUND_OFF * solution.impulses[first + row].abs() && time > 0.0;
            is_there.then_some(Action { row, impulse: *impulse, time, is_load: true })
        };
        impacts(cluster, solution).flat_map(of_impact).chain(loads.iter().enumerate().filter_map(of_load))
    }

    /// What they lose to all damping of the cluster.
    pub(crate) fn loss(self) -> Option<InnerLoss> {
        let mean = self.solution.moments.remaining_time(self.cluster.contact_rows.clone(), self.span.size)?;
        let damped = self.matrices.damped();
        let (mut taken, mut of_way) = (0.0, 0.0);
        for a in self.actions() {
            for b in self.actions() {
                let product = damped[(a.row, b.row)] * a.impulse * b.impulse;
                taken += a.overlap(b) * product;
                of_way += a.displacement() * b.displacement() * product;
            }
        }
        Some(InnerLoss { difference: taken - of_way / mean, of_way })
    }
}

/// The impacts of a cluster, in order of time.
fn impacts<'a>(
    cluster: &'a Cluster,
    solution: &'a ContactSolution,
) -> impl Iterator<Item = &'a ContactChange> {
    let is_own = |change: &&ContactChange| {
        change.kind == ContactChangeKind::Impact && cluster.contacts.contains(&change.contact)
    };
    solution.changes.iter().filter(is_own)
}

/// The rows of an impact within its cluster, and its impulses (N s).
fn impulses(cluster: &Cluster, impact: &ContactChange) -> impl Iterator<Item = (usize, f64)> + use<> {
    let contact = impact.contact - cluster.contacts.start;
    std::iter::once((contact, impact.impulse)).chain(cluster.laws.slips(contact).zip(impact.tangential))
}
