//! What the assembled system shows before anything runs: an inconsistent start, joints without a solution, redundant rows.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::modes::Turning;
use cosimo_multibody::spatial::{JointViolation, SpatialModelError, SpatialSystem};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Method};
use nalgebra::Quaternion;

use super::build::equations;
use super::contacts::deep_contacts;
use super::inputs::Inputs;
use super::spec::{JointSpec, MotionSpec, MultibodySpec};
use super::turns::far_starts;
use crate::build_error::{BuildError, PartError};
use crate::kinds::{Diagnostic, Start};

/// Mistakes and warnings of a system that reads well.
pub(super) fn findings(system: &MultibodySpec, start: &Start) -> Vec<Diagnostic> {
    if let Some(finding) = speed_without_integral(system, start) {
        return vec![finding];
    }
    let equations = match equations(system, ("", [start.time, start.end]), &mut Inputs::default()) {
        Ok(equations) => equations,
        Err(error) => return out_of_range(system, error).into_iter().collect(),
    };
    if let Err(error) = equations.check_motions(start.time, start.end) {
        return impossible(system, error).into_iter().collect();
    }
    let mut others = deep_contacts(system, &equations, start);
    others.extend(far_starts(system, start));
    let (q, mut v) = (equations.initial_position(), equations.initial_velocity());
    if let Some(spec) = &system.equilibrium {
        let coordinates = equations.structure().coordinates();
        Turning::about_origin(spec.turning).write_velocities(coordinates, &q, &mut v);
    }
    let violations = equations.violations(Motion { t: start.time, q: &q, v: &v }, start.tolerance);
    let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
    match DaeSolver::new(equations, rule, DaeSettings::default(), (start.time, q, v)) {
        Err(error) => vec![unsolvable(system, error)],
        Ok(solver) => {
            if let Err(error) = solver.check_motions(start.end) {
                return vec![unsolvable(system, error)];
            }
            let violated = violations.iter().map(|violation| violated(system, start, violation, &solver));
            let rows = redundant(system, &solver).into_iter().chain(nearly_redundant(system, &solver));
            violated.chain(rows).chain(others).collect()
        }
    }
}

/// A finding about the constraint of this number: a joint, or a gear behind them.
fn about_joint(system: &MultibodySpec, number: usize, message: String, help: String) -> Diagnostic {
    let (key, index, name) = constraints(system).nth(number).unwrap_or(("joint", number, ""));
    Diagnostic { key, index, name: name.to_owned(), message, help, is_warning: false }
}

/// What constrains in the order of the equations: the key of its array of tables, its index there, and its name.
fn constraints(system: &MultibodySpec) -> impl Iterator<Item = (&'static str, usize, &str)> {
    let joints = system.joints.iter().enumerate().map(|(index, joint)| ("joint", index, joint.name.as_str()));
    let gears = system.gears.iter().enumerate().filter(|(_, gear)| gear.is_exact());
    joints.chain(gears.map(|(index, gear)| ("gear", index, gear.name.as_str())))
}

/// The number of the constraint of this name.
fn number_of(system: &MultibodySpec, name: &str) -> Option<usize> {
    constraints(system).position(|(_, _, own)| own == name)
}

/// The name of a constraint.
fn name_of(system: &MultibodySpec, number: usize) -> Option<&str> {
    constraints(system).nth(number).map(|(_, _, name)| name)
}

/// A speed by a formula whose integral is not found.
fn speed_without_integral(system: &MultibodySpec, start: &Start) -> Option<Diagnostic> {
    let has_none = |joint: &JointSpec| match joint.freedom.motion() {
        Some(MotionSpec::Speed(speed)) => {
            TimeFunction::with_speed(speed.clone(), 0.0, start.time, start.end).is_none()
        }
        _ => false,
    };
    let index = system.joints.iter().position(has_none)?;
    let message = "has a speed without value, or that turns too often, between the start and the end: its integral is not found";
    let help = "give the position itself as `motion`, or a table";
    Some(about_joint(
        system,
        index,
        format!("joint `{}` {message}", system.joints[index].name),
        help.to_owned(),
    ))
}

/// A number of a joint or force that the equations refuse; none where the error is about something else.
fn out_of_range(system: &MultibodySpec, error: BuildError) -> Option<Diagnostic> {
    let BuildError::Part { source: PartError::Spatial(error), .. } = error else { return None };
    if let SpatialModelError::Nested { owner, first, second, distance } = error {
        return nested(system, &owner, (&first, &second, distance));
    }
    let SpatialModelError::OutOfRange { owner, quantity, found, rule } = error else { return None };
    let (key, name) = owner.split_once(' ').map(|(key, name)| (key, name.trim_matches('`')))?;
    let (key, index) = match key {
        "body" => ("body", system.bodies.iter().position(|body| body.name == name)?),
        "joint" => ("joint", system.joints.iter().position(|joint| joint.name == name)?),
        "gear" => ("gear", system.gears.iter().position(|gear| gear.name == name)?),
        "element" if system.ropes.iter().any(|rope| rope.name == name) => {
            ("rope", system.ropes.iter().position(|rope| rope.name == name)?)
        }
        "element" => ("gear", system.gears.iter().position(|gear| gear.name == name)?),
        "force" => ("force", system.forces.iter().position(|force| force.name == name)?),
        _ => return None,
    };
    let message = format!("cannot be built: {quantity} is {found:?}, must be {rule}");
    let help = format!("change the {quantity}");
    Some(Diagnostic { key, index, name: name.to_owned(), message, help, is_warning: false })
}

/// Spheres of a pool of contacts of which one is inside the other.
fn nested(
    system: &MultibodySpec,
    owner: &str,
    (first, second, distance): (&str, &str, f64),
) -> Option<Diagnostic> {
    let name = owner.strip_prefix("contact ")?.trim_matches('`').to_owned();
    let index = system.contacts.iter().position(|contact| contact.name == name)?;
    let message = format!(
        "has `{second}` and `{first}` one inside the other at the start, their centres {distance:.3e} m apart"
    );
    let help = "give other positions, a larger spacing, or smaller radii".to_owned();
    Some(Diagnostic { key: "contact", index, name, message, help, is_warning: false })
}

/// A joint whose motion no position follows.
fn impossible(system: &MultibodySpec, error: SpatialModelError) -> Option<Diagnostic> {
    let SpatialModelError::Motion { joint, quantity, found, time, rule } = error else { return None };
    let index = system.joints.iter().position(|own| own.name == joint)?;
    let message = format!(
        "prescribes what no position follows: its {quantity} is {found:.3e} at t = {time:.6e} s, must be {rule}"
    );
    Some(about_joint(
        system,
        index,
        message,
        "change its motion or where it starts, or end the run before".to_owned(),
    ))
}

/// Joints for which there is no position or no motion.
fn unsolvable(system: &MultibodySpec, error: DaeError) -> Diagnostic {
    let index_of = |name: &str| number_of(system, name).unwrap_or_default();
    let units_of = |index: usize| {
        system.joints.get(index).map_or(["m or rad", "m/s or rad/s"], |own| own.freedom.units())
    };
    match error {
        DaeError::Open { constraint, residual } => {
            let index = index_of(&constraint);
            let [unit, _] = units_of(index);
            let message = format!(
                "cannot be closed: {residual:.3e} ({unit}) is left where all joints are closed as far as they can be"
            );
            let help = "check the lengths and the axes, and give better positions".to_owned();
            about_joint(system, index, message, help)
        }
        DaeError::Opposite { constraint, angle } => {
            let message = format!("closes the wrong way round, turned by {angle:.3} rad from what it means");
            let help = "check the axes, and give better orientations".to_owned();
            about_joint(system, index_of(&constraint), message, help)
        }
        DaeError::Contradiction { constraint, level, residual } => {
            let index = index_of(&constraint);
            let [of_position, of_velocity] = units_of(index);
            let unit = if level == "velocity" { of_velocity } else { of_position };
            let message = format!(
                "contradicts the other joints: its {level} is off by {residual:.3e} ({unit}) where they already decide it"
            );
            let help = "remove it or one of the others, or make their motions fit".to_owned();
            about_joint(system, index, message, help)
        }
        DaeError::Motions { constraint, others, residual, time } => {
            let index = index_of(&constraint);
            let [unit, _] = units_of(index);
            let message = format!(
                "contradicts {others}: their motions are {residual:.3e} ({unit}) apart at t = {time:.6e} s"
            );
            let help = "make the motions fit, or remove one of the joints".to_owned();
            about_joint(system, index, message, help)
        }
        other => {
            let index =
                if let DaeError::Singular { place } = &other { index_of(place.trim_matches('`')) } else { 0 };
            let message = format!("and the other joints have no consistent start: {other}");
            about_joint(system, index, message, "check positions and axes".to_owned())
        }
    }
}

/// A joint that the state as written violates.
fn violated(
    system: &MultibodySpec,
    start: &Start,
    violation: &JointViolation,
    solver: &DaeSolver<SpatialSystem>,
) -> Diagnostic {
    let JointViolation { distance, angle, speed, spin, .. } = violation;
    let positions = [(distance, "m"), (angle, "rad"), (speed, "m/s"), (spin, "rad/s")];
    let parts: Vec<String> = positions
        .iter()
        .filter(|(size, _)| **size > start.tolerance)
        .map(|(size, unit)| format!("{size:.3e} {unit}"))
        .collect();
    let message = format!("is violated at the start, by {}", parts.join(", "));
    let [displacement, turn] = correction(solver);
    let moved = format!("bodies by up to {displacement:.3e} m and {turn:.3e} rad");
    let help = help_for(start, &moved);
    let finding = about_joint(system, violation.joint, message, help);
    Diagnostic { is_warning: start.is_projected, ..finding }
}

fn help_for(start: &Start, moved: &str) -> String {
    if start.is_projected {
        format!("the run starts at the next state that fits, which moves {moved}")
    } else {
        format!(
            "correct positions and velocities, or start at the next state that fits with initial_state = \"project\" in \
             [master], which moves {moved}; initial_tolerance is {:e}",
            start.tolerance
        )
    }
}

/// How far the start that fits is from the one as written: the longest way (m) and the largest turn (rad).
fn correction(solver: &DaeSolver<SpatialSystem>) -> [f64; 2] {
    let written = solver.system().initial_position();
    let pairs = written.chunks_exact(7).zip(solver.state().q.chunks_exact(7));
    pairs.fold([0.0; 2], |[displacement, turn], (a, b)| {
        let length = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let [a, b] = [a, b].map(|q| Quaternion::new(q[3], q[4], q[5], q[6]));
        let between = a.conjugate() * b;
        [displacement.max(length), turn.max(2.0 * between.imag().norm().atan2(between.w.abs()))]
    })
}

/// Joints of which rows follow from those before: one warning at the first, with the others and their number.
fn redundant(system: &MultibodySpec, solver: &DaeSolver<SpatialSystem>) -> Option<Diagnostic> {
    let rows = solver.redundant_rows();
    let of_joint = |joint: &str| rows.iter().filter(|row| row.constraint == joint).count();
    let names = constraints(system).map(|(_, _, name)| name).enumerate();
    let found: Vec<(usize, usize)> =
        names.map(|(index, name)| (index, of_joint(name))).filter(|(_, own)| *own > 0).collect();
    let (index, own) = *found.first()?;
    let name = name_of(system, index)?;
    let all = solver.system().joint_rows(name).map_or(own, |rows| rows.len());
    let misfit = match solver.misfit() {
        0.0 => String::new(),
        share => format!(" but for a share of {share:.0e}, by which it may stay open"),
    };
    let others = others(system, found[1..].iter().map(|(index, _)| *index));
    let total: usize = found.iter().map(|(_, own)| own).sum();
    let others =
        others.map_or(String::new(), |others| format!("; so do constraints of {others}, {total} in all"));
    let message =
        format!("is redundant: {own} of its {all} constraints follow from the other joints{misfit}{others}");
    let help = "the motion is right, but the reactions are one choice of many; a joint that lets more free, such \
                as spherical or cylindrical, makes them unique";
    Some(Diagnostic { is_warning: true, ..about_joint(system, index, message, help.to_owned()) })
}

/// Joints of which rows hardly differ from what those before imply: one warning at the one that differs least.
fn nearly_redundant(system: &MultibodySpec, solver: &DaeSolver<SpatialSystem>) -> Option<Diagnostic> {
    let rows = solver.nearly_redundant_rows();
    let of_joint = |joint: &str| {
        let shares = rows.iter().filter(|(row, _)| row.constraint == joint).map(|(_, share)| *share);
        shares.min_by(f64::total_cmp)
    };
    let names = constraints(system).map(|(_, _, name)| name).enumerate();
    let found: Vec<(usize, f64)> = names.filter_map(|(index, name)| Some((index, of_joint(name)?))).collect();
    let (index, share) = found.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let others = others(system, found.iter().map(|(other, _)| *other).filter(|other| *other != index));
    let others = others.map_or(String::new(), |others| format!("; so are constraints of {others}"));
    let message = format!(
        "is hardly independent: one of its constraints follows from the other joints but for a share of {share:.0e}{others}"
    );
    let help = "where the mechanism is to move, give axes and points in more digits, of one axis the same numbers; else it \
                starts near a singular position";
    Some(Diagnostic { is_warning: true, ..about_joint(system, index, message, help.to_owned()) })
}

/// How many names a warning lists at most.
const LISTED: usize = 5;

/// Other joints that a warning is about as well, in words with their number; `None` if there are none.
fn others(system: &MultibodySpec, joints: impl Iterator<Item = usize>) -> Option<String> {
    let names: Vec<String> =
        joints.filter_map(|index| Some(format!("`{}`", name_of(system, index)?))).collect();
    match names.len() {
        0 => None,
        1 => Some(format!("1 other joint, {}", names[0])),
        2..=LISTED => Some(format!("{} other joints, {}", names.len(), names.join(", "))),
        count => Some(format!("{count} other joints, {}, …", names[..LISTED].join(", "))),
    }
}
