//! What tables over time do to a multibody system, as accelerations.

use cosimo_mechanics::TimeFunction;
use cosimo_subsystem::Excitation;

use crate::kinds::inertia::inertia;
use crate::kinds::multibody::spec::{LoadActionSpec, MotionSpec, MultibodySpec, SpatialLoadSpec};

/// The loads and prescribed motions that tables give, the motions by what they ask of what they move.
pub(super) fn excitations(system: &MultibodySpec) -> impl Iterator<Item = Excitation> + '_ {
    let loads = system.loads.iter().filter_map(|load| of_load(system, load));
    let motions = system.joints.iter().filter_map(|joint| of_motion(joint.freedom.motion()?));
    loads.chain(motions)
}

/// Acceleration of the body on its own: of its centre (m/s²), or about its axis of least inertia (rad/s²).
fn of_load(system: &MultibodySpec, load: &SpatialLoadSpec) -> Option<Excitation> {
    let body = system.bodies.get(load.body)?;
    let resistance = match load.action {
        LoadActionSpec::Force { .. } => body.mass,
        LoadActionSpec::Moment { .. } => inertia(&body.inertia).symmetric_eigenvalues().min(),
    };
    of_pieces(&load.function()?, 0, 1.0 / resistance)
}

/// Second derivative of what is prescribed: linear on each piece of a position, taken so on those of a speed, and zero before
/// the first and after the last. Jumps of a velocity, as straight lines have them, are no acceleration and are left out.
fn of_motion(motion: &MotionSpec) -> Option<Excitation> {
    of_pieces(motion.function()?, if let MotionSpec::Position(_) = motion { 2 } else { 1 }, 1.0)
}

/// A derivative of a function times a factor where the function has pieces; derivatives are zero before and after them.
fn of_pieces(function: &TimeFunction, order: usize, factor: f64) -> Option<Excitation> {
    let ends = function.pieces().into_iter().flatten();
    let (mut times, mut sizes): (Vec<f64>, Vec<f64>) =
        ends.map(|(time, derivatives)| (time, factor * derivatives[order])).unzip();
    let (first, last) = match function {
        // A table of one point has no pieces.
        TimeFunction::Curve(curve) => (*curve.table().time.first()?, *curve.table().time.last()?),
        _ => (*times.first()?, *times.last()?),
    };
    if order > 0 {
        times.insert(0, first);
        sizes.insert(0, 0.0);
        times.push(last);
        sizes.push(0.0);
    }
    Excitation::new(times, sizes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::multibody::spec::TimeFunctionSpec;

    /// A cubic up and one down again, 10 mm within 10 ms each: accelerations of ±6 u/d², to and fro.
    #[test]
    fn a_curve_is_known_by_its_second_derivative() {
        let bump = TimeFunction::through(vec![0.5, 0.51, 0.52], vec![0.0, 0.01, 0.0]);
        let bump = bump.unwrap_or(TimeFunction::Constant(0.0));
        let found = of_motion(&MotionSpec::Position(TimeFunctionSpec::Known(bump)));
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
