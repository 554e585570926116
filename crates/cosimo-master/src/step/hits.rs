//! Which contacts are hit in a part of a step that was just tried, and when.

use cosimo_nonsmooth::{Hit, HitKind, ImpactResolution};

use crate::contacts::near::touch_on_the_way;
use crate::simulation::Simulation;

/// Impacts closer than this share of the step are one; shorter parts of a step are not taken.
pub(super) const TIE: f64 = 1e-9;

/// The motion of a gap towards its impact.
#[derive(Debug, Clone, Copy)]
struct Fall {
    /// Time to the impact (s).
    time: f64,
    /// Gap rate there (m/s).
    rate: f64,
    acceleration: f64,
}

/// Time (s) from the start of the part of size `size` (s), of a step of size `h` (s), just tried, to its first impact. Collects the
/// contacts that are hit then.
pub(crate) fn next_impact(sim: &mut Simulation<'_>, size: f64, h: f64) -> Option<f64> {
    let falls = (0..sim.topology.contacts.len()).filter_map(|c| fall_of(sim, c, size, h));
    let first = falls.map(|fall| fall.time).fold(f64::INFINITY, f64::min);
    if !first.is_finite() {
        return None;
    }
    collect_hits(sim, (size, h), first + TIE * h);
    Some(first)
}

/// Collects the contacts that are hit in the part of size `size` (s), of a step of size `h` (s), just tried, up to a time (s) from its
/// start.
pub(super) fn collect_hits(sim: &mut Simulation<'_>, (size, h): (f64, f64), until: f64) {
    sim.storage.hits.clear();
    for c in 0..sim.topology.contacts.len() {
        let falls = fall_of(sim, c, size, h).filter(|fall| fall.time <= until);
        let Some(Fall { rate, acceleration, .. }) = falls else { continue };
        let e = sim.topology.law(c).restitution;
        sim.storage.hits.push(Hit::new(c, e, (rate, h * acceleration)));
    }
}

/// How many contacts are hit in the part of size `size` (s), of a step of size `h` (s), just tried, after the first ones.
pub(super) fn hits_after(sim: &Simulation<'_>, (size, h): (f64, f64), first: f64) -> usize {
    let falls = (0..sim.topology.contacts.len()).filter_map(|c| fall_of(sim, c, size, h));
    falls.filter(|fall| fall.time > first + TIE * h).count()
}

/// Whether a contact closes at a rate that the accelerations of two steps make.
pub(super) fn is_soft(hit: &Hit) -> bool {
    hit.kind == HitKind::Touch
}

/// How a contact is hit in the part of size `size` (s), of a step of size `h` (s), just tried.
fn fall_of(sim: &Simulation<'_>, c: usize, size: f64, h: f64) -> Option<Fall> {
    let rows = &sim.storage.rows;
    let contact = &sim.topology.contacts[c];
    let cluster = sim.topology.subsystems[contact.subsystem].cluster;
    if sim.storage.linearisation.affine_clusters[cluster]
        || sim.topology.clusters[cluster].impacts == ImpactResolution::Plain
    {
        return None;
    }
    let row = contact.global_row;
    if let Some(share) = touch_on_the_way(sim.topology, &sim.subsystems.slots, c) {
        // A body so fast that the ends of the step do not show it.
        let (gap, time) = (rows.start_gaps[c], share * size);
        let is_open = !rows.is_absent(c) && !sim.storage.takes_part[c];
        return is_open.then_some(Fall { time, rate: -gap / time, acceleration: 0.0 });
    }
    let (gap, rate) = (rows.start_gaps[c], rows.start_velocities[row]);
    let (end_gap, end_rate) = (rows.end_positions[row], rows.end_velocities[row]);
    let rounding = rows.gap_rounding(c);
    let closes = end_gap <= 0.0 && end_rate < 0.0;
    let has_crossed = end_gap < -rounding && gap > rounding;
    if rows.is_absent(c) || sim.storage.takes_part[c] || !(closes || has_crossed) {
        return None;
    }
    let acceleration = (end_rate - rate) / size;
    let change = h * acceleration.abs();
    // What lies on an obstacle but for round-off, and does not rise, is hit with all that does.
    let lies = gap <= rounding.max(TIE * h * change) && (-change..=TIE * change).contains(&rate);
    // A gap that is negative counts as zero.
    let gap = gap.max(0.0);
    let falls = || cosimo_nonsmooth::root_of_parabola(gap, rate, acceleration, size);
    let time = if lies { 0.0 } else { falls().unwrap_or(size * gap / (gap - end_gap)) };
    Some(Fall { time, rate: rate + time * acceleration, acceleration })
}
