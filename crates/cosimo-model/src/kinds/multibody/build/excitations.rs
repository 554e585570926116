//! What tables over time do to a multibody system, as accelerations.

use cosimo_multibody::spatial::Law;
use cosimo_subsystem::Excitation;

use crate::kinds::inertia;
use crate::kinds::multibody::spec::{CourseSpec, MotionSpec, MultibodySpec, SpatialLoadSpec};
use crate::spec::TimeTable;

/// The loads and prescribed motions that tables give, the motions by what they ask of what they move.
pub(super) fn excitations(system: &MultibodySpec) -> impl Iterator<Item = Excitation> + '_ {
    let loads = system.loads.iter().filter_map(|load| of_load(system, load));
    let motions = system.joints.iter().filter_map(|joint| of_motion(joint.freedom.motion()?));
    loads.chain(motions)
}

/// Acceleration of the body on its own: of its centre (m/s²), or about its axis of least inertia (rad/s²).
fn of_load(system: &MultibodySpec, load: &SpatialLoadSpec) -> Option<Excitation> {
    let body = system.bodies.get(load.body)?;
    let resistance =
        if load.is_moment { inertia(&body.inertia).symmetric_eigenvalues().min() } else { body.mass };
    let TimeTable { time, value } = &load.table;
    Excitation::new(time.clone(), value.iter().map(|value| value / resistance).collect()).ok()
}

/// Second derivative of what is prescribed: linear between the points of a position, taken so between those of a speed, and
/// zero before the first and after the last.
fn of_motion(motion: &MotionSpec) -> Option<Excitation> {
    let (MotionSpec::Position(course) | MotionSpec::Speed(course)) = motion;
    let CourseSpec::Table(TimeTable { time, value }) = course else { return None };
    let curve = Law::through(time.clone(), value.clone())?;
    let [first, .., last] = *time.as_slice() else { return None };
    let before = time[time.len() - 2];
    let times = [first].into_iter().chain(time.iter().copied()).chain([last]).collect();
    let accelerations = match motion {
        MotionSpec::Speed(_) => time.iter().map(|t| curve.at(*t)[1]).collect::<Vec<_>>(),
        MotionSpec::Position(_) => {
            let mut accelerations: Vec<f64> = time.iter().map(|t| curve.at(*t)[2]).collect();
            // At the last point the curve has ended; the last piece goes there along a line.
            let line = 2.0 * curve.at(0.5 * (before + last))[2] - curve.at(before)[2];
            accelerations.pop();
            accelerations.push(line);
            accelerations
        }
    };
    Excitation::new(times, [vec![0.0], accelerations, vec![0.0]].concat()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic up and one down again, 10 mm within 10 ms each: accelerations of ±6 u/d², to and fro.
    #[test]
    fn a_curve_is_known_by_its_second_derivative() {
        let table = TimeTable { time: vec![0.5, 0.51, 0.52], value: vec![0.0, 0.01, 0.0] };
        let found = of_motion(&MotionSpec::Position(CourseSpec::Table(table)));
        let top = 6.0 * 0.01 / 1e-4;
        let times = vec![0.5, 0.5, 0.51, 0.52, 0.52];
        let exact = Excitation::new(times, vec![0.0, top, -top, top, 0.0]).ok();
        let unseen = |input: &Option<Excitation>, time: f64, size: f64| {
            input.as_ref().map_or(f64::NAN, |input| input.unseen(cosimo_subsystem::MacroStep { time, size }))
        };
        for (time, size) in [(0.4, 0.2), (0.5, 0.1), (0.505, 0.01), (0.515, 0.01), (0.4, 0.105)] {
            let [found, exact] = [&found, &exact].map(|input| unseen(input, time, size));
            assert!((found - exact).abs() < 1e-9, "{found} instead of {exact} in {size} s from {time} s");
        }
    }
}
