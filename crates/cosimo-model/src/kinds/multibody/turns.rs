//! Whole turns at which angles start.

use super::geometry::Geometry;
use super::spec::{ForceLaw, ForceSpec, MultibodySpec, PlaceSpec, Side, SpatialBodySpec};
use crate::kinds::{Diagnostic, Start};

const TURN: f64 = 2.0 * std::f64::consts::PI;

/// Share of a turn by which a start may miss a limit: round-off.
const ROUND_OFF: f64 = 1e-9;

/// An angle in (−π, π] (rad) so many whole turns ahead.
pub(super) fn counted(angle: f64, turns: i32) -> f64 {
    angle + TURN * f64::from(turns)
}

/// Limits of an angle (rad).
struct Limits {
    lower: f64,
    upper: f64,
}

impl Limits {
    /// Those of all stops with these frames, infinite where there is none.
    fn of(forces: &[ForceSpec], place: &PlaceSpec) -> Self {
        let mut limits = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        for force in forces.iter().filter(|force| force.place == *place) {
            match force.law {
                ForceLaw::Stop { limit, side: Side::Upper, .. } => limits.upper = limits.upper.min(limit),
                ForceLaw::Stop { limit, .. } => limits.lower = limits.lower.max(limit),
                _ => {}
            }
        }
        limits
    }

    /// By how much an angle is beyond (rad).
    fn beyond(&self, angle: f64) -> f64 {
        (self.lower - angle).max(angle - self.upper).max(0.0)
    }

    /// Whole turns after which an angle in (−π, π] is beyond by least; of equals, those nearest to none.
    fn turns(&self, angle: f64) -> i32 {
        // The least that are not below, and the most that are not above.
        let least = ((self.lower - angle) / TURN - ROUND_OFF).ceil();
        let most = ((self.upper - angle) / TURN + ROUND_OFF).floor();
        if least <= most {
            return 0.0_f64.clamp(least, most) as i32;
        }
        let beyond = |turns: f64| self.beyond(angle + TURN * turns);
        if beyond(most) < beyond(least) { most as i32 } else { least as i32 }
    }
}

/// Lets pairs of stops with the same frames start within their limits where no turns are given; where they are given to one of
/// them, the other starts there too.
pub(super) fn settle_stops(forces: &mut [ForceSpec], given: &[bool], bodies: &[SpatialBodySpec]) {
    let settled: Vec<Option<i32>> =
        (0..forces.len()).map(|index| settled_turns(forces, given, index, bodies)).collect();
    for (force, settled) in forces.iter_mut().zip(settled) {
        if let (ForceLaw::Stop { turns, .. }, Some(settled)) = (&mut force.law, settled) {
            *turns = settled;
        }
    }
}

/// Turns of a stop to which none are given.
fn settled_turns(
    forces: &[ForceSpec],
    given: &[bool],
    index: usize,
    bodies: &[SpatialBodySpec],
) -> Option<i32> {
    let place = &forces[index].place;
    if given[index] || !matches!(forces[index].law, ForceLaw::Stop { .. }) {
        return None;
    }
    let others = forces.iter().zip(given).filter(|(other, is_given)| **is_given && other.place == *place);
    let mut of_others = others.filter_map(|(other, _)| match other.law {
        ForceLaw::Stop { turns, .. } => Some(turns),
        _ => None,
    });
    let limits = Limits::of(forces, place);
    let is_pair = limits.lower.is_finite() && limits.upper.is_finite();
    let within = is_pair.then(|| limits.turns(Geometry::of(bodies, place).angle));
    of_others.next().or(within)
}

/// Warnings about springs that are wound by more than half a turn at the start, and stops that are passed.
pub(super) fn far_starts(system: &MultibodySpec, start: &Start) -> Vec<Diagnostic> {
    let found = system.forces.iter().enumerate().filter_map(|(index, force)| {
        let angle = Geometry::of(&system.bodies, &force.place).angle;
        let (message, help) = match force.law {
            ForceLaw::TorsionSpring { angle: Some(free), turns, .. } => wound(angle, turns, free)?,
            ForceLaw::Stop { limit, side, turns, .. } => {
                let own = Limits {
                    lower: if side == Side::Upper { f64::NEG_INFINITY } else { limit },
                    upper: if side == Side::Upper { limit } else { f64::INFINITY },
                };
                let beyond = own.beyond(counted(angle, turns));
                (beyond > start.tolerance)
                    .then(|| passed(angle, turns, limit, &Limits::of(&system.forces, &force.place)))?
            }
            _ => return None,
        };
        Some(Diagnostic { key: "force", index, name: force.name.clone(), message, help, is_warning: true })
    });
    found.collect()
}

/// A spring that starts at an angle so many turns ahead and is free at another (rad), if these are more than half a turn apart.
fn wound(angle: f64, turns: i32, free: f64) -> Option<(String, String)> {
    let at = counted(angle, turns);
    if !((at - free).abs() > TURN * (0.5 + ROUND_OFF)) {
        return None;
    }
    let message = format!(
        "is wound by {:.3} rad at the start, more than half a turn: it starts at {at:.3} rad and is free at {free:.3} rad",
        at - free
    );
    let nearest = ((free - angle) / TURN).round() as i32;
    let other = counted(angle, nearest);
    let help = format!(
        "turns = {nearest} lets it start at {other:.3} rad, {:.3} rad from where it is free",
        (other - free).abs()
    );
    Some((message, help))
}

/// A stop that is passed at the start, which is an angle so many turns ahead; `limits` are those of all stops of the angle.
fn passed(angle: f64, turns: i32, limit: f64, limits: &Limits) -> (String, String) {
    let at = counted(angle, turns);
    let message = format!(
        "is passed by {:.3e} rad at the start: it starts at {at:.3} rad, its limit is {limit:.3} rad",
        (at - limit).abs()
    );
    let other = limits.turns(angle);
    let found = counted(angle, other);
    let help = if limits.beyond(found) == 0.0 {
        format!("turns = {other} lets it start at {found:.3} rad, within the limits")
    } else {
        format!(
            "no whole turn starts within the limits, turns = {other} is the nearest; check limit, axis and x"
        )
    };
    (message, help)
}
