//! The rate at which a gap leaves in the plain problem.

use cosimo_mechanics::Restitution;

use crate::laws::Bounce;
use crate::{ContactMemory, ContactRows};

/// `e(U₀)` of a gap in the plain problem. A gap that separates all the time can only be closed by impulses on others inside
/// the step, of a body that goes to and fro: then it may close again as fast as it has separated, `U₁ ≥ −U₀`, which does no
/// work. Kept open, as in the law for `U₀ < 0`, it would draw what is behind it along, and make energy without bound.
///
/// Where the activation of a contact is chosen, that and Newton's law are all.
///
/// At a body that swings on an undamped joint too stiff for the step rates go from end to end of it, and are no rates of impacts.
/// There the law is that of the end gap, `U₁ ≥ −U₀ − 2 max(y₀, 0)/h`: the work `P (U₀ + U₁)/2` of the impulse is never positive, and zero at a closed gap.
pub(super) fn bounce_of_gap(
    rows: &ContactRows<'_>,
    (contact, takes_impacts): (usize, bool),
    memory: ContactMemory,
) -> f64 {
    let (law, before) = (rows.laws.of(contact), rows.start_rates[contact]);
    if takes_impacts && law.activation.is_chosen() {
        return bounce_where_chosen(rows, contact);
    }
    if memory.swings() {
        return before + 2.0 * rows.start_gaps[contact].max(0.0) / rows.step;
    }
    if !takes_impacts {
        return if memory.arrives { arrival_bound(rows, contact) } else { 0.0 };
    }
    // One that loads bring back within the step comes to rest.
    if before > 0.0 && rows.end_rates[contact] > 0.0 && !memory.is_closed() {
        return before;
    }
    Bounce::of(law, false).of_gap(before)
}

/// The same of an impact where the activation is chosen.
fn bounce_where_chosen(rows: &ContactRows<'_>, contact: usize) -> f64 {
    let (law, before) = (rows.laws.of(contact), rows.start_rates[contact]);
    // Others reverse a contact that opens at most.
    let opens = law.activation.restitution == Restitution::Approaching && before > 0.0;
    if opens && rows.end_rates[contact] > 0.0 {
        return before;
    }
    Bounce::of(law, false).normal * law.activation.restitution.seen(before)
}

/// `−U₁` (m/s) of the gap rate with which an open contact that arrives softly within the step is at gap zero at its end: the end rate is
/// no lower. Where it approaches faster than that allows, it ends at rate zero, below the obstacle. Both rates are those of approach, so
/// that the impulse takes energy, `P (U₀ + U₁)/2 ≤ 0`.
fn arrival_bound(rows: &ContactRows<'_>, contact: usize) -> f64 {
    let stopped = rows.end_gaps[contact] - rows.position_weight * rows.end_rates[contact];
    (stopped / rows.position_weight).max(0.0)
}
