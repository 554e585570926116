//! Impacts at several instants of one step, where damping is booked.
//!
//! The ledgers of subsystems and the losses of dashpots take all impulses of a step for one at the time `s̄` before its
//! end: for answers `g` to the impulses, with the damping as their product, `(Σ sᵢ gᵢ)²/s̄`. An impulse acts along with
//! another from the later of both on, which makes it
//!
//! ```text
//!   ∫ (Σ gᵢ)² dt = Σᵢⱼ min(sᵢ, sⱼ) gᵢ gⱼ
//! ```
//!
//! What that differs is found here, from the instants of the impacts; for one instant it is zero.

use cosimo_nonsmooth::{ContactChange, ContactChangeKind, ContactSolution};
use nalgebra::DMatrix;

use crate::InterfaceLaw;
use crate::condensation::ContactMatrices;
use crate::layout::{Cluster, Joint, Layout, Member};

/// Impacts whose instants are closer than this share of a step are at one.
const AT_ONCE: f64 = 1e-9;

/// The impacts of one cluster in a step, in order of time.
#[derive(Clone, Copy)]
pub(crate) struct SeveralImpacts<'a> {
    cluster: &'a Cluster,
    matrices: &'a ContactMatrices,
    solution: &'a ContactSolution,
    /// End of the step, and `s̄` (s).
    end: f64,
    mean: f64,
}

impl<'a> SeveralImpacts<'a> {
    /// The impacts of a cluster in the step of size `h` (s) that ends at the time `end` (s); `None` where they are at one
    /// instant, or nothing damps.
    pub(crate) fn of(
        (cluster, matrices): (&'a Cluster, &'a ContactMatrices),
        solution: &'a ContactSolution,
        (end, h): (f64, f64),
    ) -> Option<Self> {
        if !matrices.has_damping() {
            return None;
        }
        let mean = solution.moments.remaining_time(cluster.contact_rows.clone(), h)?;
        let found = Self { cluster, matrices, solution, end, mean };
        let (first, last) = (found.impacts().next()?, found.impacts().last()?);
        (last.time - first.time > AT_ONCE * h).then_some(found)
    }

    fn impacts(self) -> impl Iterator<Item = &'a ContactChange> {
        let own = &self.cluster.contacts;
        let is_own = |c: &&ContactChange| c.kind == ContactChangeKind::Impact && own.contains(&c.contact);
        self.solution.changes.iter().filter(is_own)
    }

    /// The rows of an impact within the cluster, and its impulses (N s).
    fn impulses(self, impact: &ContactChange) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let contact = impact.contact - self.cluster.contacts.start;
        std::iter::once((contact, impact.impulse))
            .chain(self.cluster.laws.slips(contact).zip(impact.tangential))
    }

    /// By how much more all damping of the cluster takes out (J).
    pub(crate) fn loss(self) -> f64 {
        let damped = self.matrices.damped();
        let mut sum = 0.0;
        for a in self.impacts() {
            for b in self.impacts() {
                let (s, t) = (self.end - a.time, self.end - b.time);
                let product: f64 = self
                    .impulses(a)
                    .map(|(i, p)| p * self.impulses(b).map(|(j, q)| damped[(i, j)] * q).sum::<f64>())
                    .sum();
                sum += (s.min(t) - s * t / self.mean) * product;
            }
        }
        sum
    }

    /// By how much more the dashpot of a joint of the cluster takes out (J).
    pub(crate) fn loss_of(self, layout: &Layout, joint: &Joint) -> f64 {
        let InterfaceLaw::Compliant { damping, .. } = &joint.law else { return 0.0 };
        let mut sum = 0.0;
        for l in 0..joint.size {
            for k in (0..joint.size).filter(|k| damping[(*k, l)] != 0.0) {
                sum += damping[(k, l)] * self.product_of_rates(layout, joint, (k, l));
            }
        }
        sum
    }

    /// The difference for the rates of two coordinates of a joint (m²/s). Of two impacts the later one is the second.
    fn product_of_rates(self, layout: &Layout, joint: &Joint, (k, l): (usize, usize)) -> f64 {
        let (mut sum, mut before, mut way) = (0.0, [0.0; 2], [0.0; 2]);
        for impact in self.impacts() {
            let s = self.end - impact.time;
            let rates = [k, l].map(|k| self.rate(layout, (joint, k), impact));
            sum += s * (rates[0] * rates[1] + before[0] * rates[1] + rates[0] * before[1]);
            for i in 0..2 {
                before[i] += rates[i];
                way[i] += s * rates[i];
            }
        }
        sum - way[0] * way[1] / self.mean
    }

    /// Change of the rate of coordinate `k` of a joint's gap by an impact (m/s).
    fn rate(self, layout: &Layout, (joint, k): (&Joint, usize), impact: &ContactChange) -> f64 {
        let of_side = |side: &crate::layout::Side| {
            let member = &layout.members[side.subsystem];
            let answer =
                |(row, p): (usize, f64)| p * answer(member, side.row + k, (self.matrices.loads(), row));
            side.sign * self.impulses(impact).map(answer).sum::<f64>()
        };
        joint.sides.iter().map(of_side).sum()
    }
}

/// Velocity change of a row of a subsystem for a unit impulse on a contact row, with these loads of it on the cluster.
fn answer(member: &Member, row: usize, (loads, contact_row): (&DMatrix<f64>, usize)) -> f64 {
    let own = member.cluster_rows().enumerate();
    own.map(|(k, r)| member.compliance[(row, k)] * loads[(r, contact_row)]).sum()
}
