//! What the subsystem says about itself, and whether its answers have that shape.

use cosimo_scene::{Pose, Sight};

use super::Conformance;
use super::report::{Found, ensure};
use super::run::Run;
use crate::{RowMatrix, StepResponse};

/// [`Check::Description`](super::Check::Description)
pub(super) fn description(setup: &Conformance<'_>) -> Found {
    Ok(setup.make().description().validate()?)
}

/// [`Check::Shapes`](super::Check::Shapes)
pub(super) fn shapes(setup: &Conformance<'_>) -> Found {
    let mut run = Run::new(setup);
    present(&run)?;
    for _ in 0..3 {
        let begun = run.begin()?;
        response("begin", run.rows, &begun)?;
        let loads = run.loads(run.next_step(), &begun);
        if run.load_coordinates == 0 {
            let evaluated = run.subsystem.evaluate(&loads.impulses)?.clone();
            response("evaluate", run.rows, &evaluated)?;
        }
        run.answer(&loads)?;
        run.commit(&loads)?;
        present(&run)?;
    }
    if run.capabilities.takes_impulses {
        let prepared = run.subsystem.prepare_jump(setup.size)?.clone();
        matrix("prepared", run.rows, &prepared)?;
    }
    Ok(())
}

fn present(run: &Run<'_>) -> Found {
    let rows = run.subsystem.rows();
    vector("row positions", run.rows, &rows.positions)?;
    vector("row velocities", run.rows, &rows.velocities)?;
    if !rows.surface_velocities.is_empty() {
        vector("own row velocities", run.rows, &rows.surface_velocities)?;
    }
    orientations(run)?;
    scales(run)?;
    sight(run)?;
    let energy = run.subsystem.energy();
    ensure(energy.total().is_finite(), || format!("the energy is not finite: {energy:?}"))?;
    let mut observed = vec![f64::NAN; run.subsystem.description().quantities.len()];
    run.subsystem.observe(&mut observed);
    match observed.iter().position(|x| !x.is_finite()) {
        Some(index) => ensure(false, || format!("quantity {index} is not written or not finite")),
        None => Ok(()),
    }
}

/// A finite pose of unit orientation for every body, and forces of contacts that exist; none without loads on the contacts.
fn sight(run: &Run<'_>) -> Found {
    let appearance = &run.subsystem.description().appearance;
    let mut sight = Sight::default();
    for load in [0.0, 1.0] {
        run.subsystem.look(&vec![load; run.rows], &mut sight)?;
        let (poses, bodies) = (sight.poses.len(), appearance.bodies.len());
        ensure(poses == bodies, || format!("{poses} poses for {bodies} bodies"))?;
        ensure(sight.fits(appearance), || "there is a force of a contact that does not exist".to_owned())?;
        let is_finite = |pose: &Pose| pose.position.iter().all(|x| x.is_finite());
        let is_unit = |pose: &Pose| (pose.orientation.as_ref().norm() - 1.0).abs() < 1e-9;
        let bad = sight.poses.iter().position(|pose| !(is_finite(pose) && is_unit(pose)));
        if let Some(body) = bad {
            return ensure(false, || format!("pose {body} is no pose: {:?}", sight.poses[body]));
        }
    }
    let short = run.subsystem.look(&vec![0.0; run.rows + 1], &mut sight);
    let has_contacts = !run.subsystem.description().contacts.is_empty() && !appearance.is_empty();
    ensure(!has_contacts || short.is_err(), || "`look` takes loads of another number than rows".to_owned())
}

/// The scales of all contacts or of none.
fn scales(run: &Run<'_>) -> Found {
    let (description, rows) = (run.subsystem.description(), run.subsystem.rows());
    let (count, found) = (description.contacts.len(), rows.scales.len());
    ensure(found == 0 || found == count, || format!("{found} scales for {count} contacts"))?;
    let is_size = |x: f64| x >= 0.0 && x.is_finite();
    let bad = rows.scales.iter().find(|scale| !(is_size(scale.length) && is_size(scale.speed)));
    bad.map_or(Ok(()), |scale| ensure(false, || format!("{scale:?} is negative or not finite")))
}

/// One unit quaternion a frame, from which the rotations of its rows count.
fn orientations(run: &Run<'_>) -> Found {
    let (description, rows) = (run.subsystem.description(), run.subsystem.rows());
    let (count, found) = (description.frames().count(), rows.orientations.len());
    ensure(found == count, || format!("{found} orientations for {count} ports that are frames"))?;
    for (row, place) in description.frames() {
        let length = rows.orientations[place].as_ref().norm();
        ensure((length - 1.0).abs() < 1e-12, || format!("orientation {place} has the length {length}"))?;
        let increment = &rows.positions[row + 3..row + 6];
        ensure(increment.iter().all(|x| *x == 0.0), || {
            format!(
                "the rotation of rows {} and on is {increment:?}, not zero at a communication point",
                row + 3
            )
        })?;
    }
    Ok(())
}

fn response(call: &str, rows: usize, found: &StepResponse) -> Found {
    vector(&format!("end positions of `{call}`"), rows, &found.positions)?;
    vector(&format!("end velocities of `{call}`"), rows, &found.velocities)?;
    matrix("inverse mass", rows, &found.inverse_mass)?;
    if !found.damped_inverse_mass.is_empty() {
        matrix("damped inverse mass", rows, &found.damped_inverse_mass)?;
    }
    let w = found.weights;
    let are_finite = [w.end, w.start, w.position, w.damping].iter().all(|x| x.is_finite());
    ensure(are_finite, || format!("the weights are not finite: {w:?}"))
}

fn vector(name: &str, rows: usize, found: &[f64]) -> Found {
    ensure(found.len() == rows, || format!("{} {name} for {rows} rows", found.len()))?;
    ensure(found.iter().all(|x| x.is_finite()), || format!("{name} are not finite: {found:?}"))
}

fn matrix(name: &str, rows: usize, found: &RowMatrix) -> Found {
    let (height, width) = found.shape();
    ensure((height, width) == (rows, rows), || {
        format!("the {name} matrix is {height} × {width} for {rows} rows")
    })?;
    ensure(found.stored().all(|(_, x)| x.is_finite()), || format!("the {name} matrix is not finite"))
}
