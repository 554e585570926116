//! Whether a pair without a slot has met in a trial step.

use super::foresight::{Foreseen, least_gap};
use super::members::{Member, Partners, Surface};
use super::slots::PoolSlots;
use crate::spatial::pose::Twist;

impl PoolSlots {
    /// The first pair without a slot that a step of size `h` (s) by the increments `displacement` from the present communication point brings to
    /// touch, by the names of its bodies; `None` where there is none, which is certain.
    #[must_use]
    pub fn missed(&self, displacement: &[f64], h: f64) -> Option<[&str; 2]> {
        let strays = |side: usize, k: usize| {
            let (member, own) = (&self.pool.members[side][k], &self.foreseen[side][k]);
            let Some(body) = member.marker.body else { return false };
            let is_plane = side == 0 && matches!(self.pool.surface, Surface::OnPlane(_));
            let turns_matter = is_plane || member.marker.arm.amax() > 0.0;
            own.is_left_by(&Twist::read(displacement, Some(body)), h, turns_matter)
        };
        let is_too_long = h > self.horizon.step * (1.0 + 1e-9);
        let [firsts, seconds] = [0, 1].map(|side| self.pool.members[side].len());
        let meets = |first: usize, second: usize| self.meets(Partners { first, second }, displacement);
        let of_firsts = (0..firsts).filter(|first| is_too_long || strays(0, *first));
        let mut of_firsts =
            of_firsts.filter_map(|first| Some((first, (0..seconds).find(|second| meets(first, *second))?)));
        let of_seconds = (0..seconds).filter(|second| strays(1, *second));
        let mut of_seconds =
            of_seconds.filter_map(|second| Some(((0..firsts).find(|first| meets(*first, second))?, second)));
        let (first, second) = of_firsts.next().or_else(|| of_seconds.next())?;
        Some([&self.pool.members[0][first].name, &self.pool.members[1][second].name])
    }

    /// Whether two members without a slot touch on the way by these increments, or may.
    fn meets(&self, pair: Partners, displacement: &[f64]) -> bool {
        let has_slot = || self.held.binary_search_by_key(&pair, |(held, _)| *held).is_ok();
        let own: [(&Member, &Foreseen); 2] = [
            (self.pool.first(pair), &self.foreseen[0][pair.first]),
            (self.pool.second(pair), &self.foreseen[1][pair.second]),
        ];
        let twists = own.map(|(member, _)| Twist::read(displacement, member.marker.body));
        let turned: f64 =
            own.iter().zip(&twists).map(|((own, _), twist)| own.marker.arm.norm() * twist.spin.norm()).sum();
        let displacements = twists.map(|twist| twist.velocity);
        let gap = least_gap(
            self.pool.surface,
            own.map(|(_, foreseen)| foreseen),
            displacements,
            twists[0].spin.norm(),
        );
        gap <= turned && self.pool.are_partners(pair) && !has_slot()
    }
}
