//! Consistent starts.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_smooth::dae::{SaddlePoint, TangentPoint};
use nalgebra::DMatrix;

use crate::contact_problem::{ContactAccuracy, ContactProblem};
use crate::contacts::Contacts;
use crate::error::ImpactError;
use crate::matrices::{ContactJacobian, Response};
use crate::norm::largest;
use crate::projection::Projection;
use crate::scheme::Scheme;
use crate::settings::ImpactSettings;
use crate::state::ImpactState;
use crate::step_problem::StepProblem;

/// Refuses a start of the wrong size or with numbers that are not finite.
pub(crate) fn check_sizes(system: &dyn ConstrainedSystem, state: &ImpactState) -> Result<(), ImpactError> {
    let structure = system.structure();
    check("the position", &state.q, structure.coordinates().positions())?;
    check("the velocity", &state.v, structure.velocities())
}

/// Moves the start, by the least move in the metric of the mass, to where no constraint is open and no contact penetrates, and changes
/// velocities by the least change in that metric for which constraints hold.
pub(crate) fn project_start(p: &StepProblem<'_>, start: &mut ImpactState) -> Result<(), ImpactError> {
    Projection::new(p)?.project(p, start)?;
    let (n, system) = (start.v.len(), p.system);
    let mut mass = SaddlePoint::new(system, start.time, &start.q)?;
    let motion = start.motion();
    mass.factorize(system, (0.0, 0.0), TangentPoint { motion, a: &start.a, mu: &start.mu })?;
    let mut change = vec![0.0; n + start.mu.len()];
    system.constraints(Level::Velocity, motion, &start.a, &mut change[n..]);
    change[n..].iter_mut().for_each(|row| *row = -*row);
    mass.solve(&mut change);
    start.v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
    Ok(())
}

/// Refuses a start that is open, or in which bodies overlap where the scheme does not take that.
pub(crate) fn check_start(
    (system, contacts): (&dyn ConstrainedSystem, &dyn Contacts),
    (scheme, settings): (&Scheme, &ImpactSettings),
    state: &ImpactState,
) -> Result<(), ImpactError> {
    let mut gaps = vec![0.0; contacts.layout().contacts().len()];
    contacts.gaps(state.time, &state.q, &mut gaps);
    let allowed = settings.start_tolerance * (1.0 + largest(&state.q));
    let allowed = if scheme.takes_overlaps() { f64::INFINITY } else { allowed };
    if let Some(contact) = gaps.iter().position(|gap| !(*gap >= -allowed)) {
        return Err(ImpactError::Penetration { contact: contacts.name(contact), depth: -gaps[contact] });
    }
    check_constraints(system, settings, state)
}

/// Refuses a state whose constraints are open, at the level of positions or of velocities.
fn check_constraints(
    system: &dyn ConstrainedSystem,
    settings: &ImpactSettings,
    state: &ImpactState,
) -> Result<(), ImpactError> {
    let structure = system.structure();
    let mut rows = vec![0.0; structure.rows()];
    for (level, name, scale) in
        [(Level::Position, "position", &state.q), (Level::Velocity, "velocity", &state.v)]
    {
        system.constraints(level, state.motion(), &state.a, &mut rows);
        let allowed = settings.start_tolerance * (1.0 + largest(scale));
        if let Some(row) = rows.iter().position(|row| !(row.abs() <= allowed)) {
            let block = structure.row(row).map_or(0, |(block, _)| block);
            let constraint = system.constraint_name(block);
            return Err(ImpactError::Open { constraint, level: name, residual: rows[row] });
        }
    }
    Ok(())
}

fn check(quantity: &'static str, x: &[f64], expected: usize) -> Result<(), ImpactError> {
    if x.len() != expected {
        return Err(ImpactError::Length { quantity, found: x.len(), expected });
    }
    if x.iter().any(|x| !x.is_finite()) {
        return Err(ImpactError::NotFinite { quantity });
    }
    Ok(())
}

/// Writes accelerations and multipliers that satisfy the equations of motion and `φ̈ = 0`; where `forces` is given, one per contact,
/// also those of the contacts that are closed and at rest: `0 ≤ g̈ ⟂ λ ≥ 0`.
pub(crate) fn balance_start(
    system: &dyn ConstrainedSystem,
    contacts: &dyn Contacts,
    state: &mut ImpactState,
    forces: Option<(&mut [f64], f64)>,
) -> Result<(), ImpactError> {
    let (n, m) = (state.v.len(), state.mu.len());
    let mut mass = SaddlePoint::new(system, state.time, &state.q)?;
    state.a.fill(0.0);
    state.mu.fill(0.0);
    let motion = Motion { t: state.time, q: &state.q, v: &state.v };
    mass.factorize(system, (0.0, 0.0), TangentPoint { motion, a: &state.a, mu: &state.mu })?;
    let mut unknowns = vec![0.0; n + m];
    let (top, bottom) = unknowns.split_at_mut(n);
    system.balance(motion, &state.a, &state.mu, top);
    system.constraints(Level::Acceleration, motion, &state.a, bottom);
    unknowns.iter_mut().for_each(|x| *x = -*x);
    mass.solve(&mut unknowns);
    if let Some((forces, tolerance)) = forces {
        push(system, contacts, (state, &mut mass), &mut unknowns, (forces, tolerance))?;
    }
    state.a.copy_from_slice(&unknowns[..n]);
    state.mu.copy_from_slice(&unknowns[n..]);
    Ok(())
}

fn push(
    system: &dyn ConstrainedSystem,
    contacts: &dyn Contacts,
    (state, mass): (&ImpactState, &mut SaddlePoint),
    unknowns: &mut [f64],
    (forces, tolerance): (&mut [f64], f64),
) -> Result<(), ImpactError> {
    let layout = contacts.layout();
    let d = layout.dimension();
    let (mut gaps, mut rates) = (vec![0.0; layout.contacts().len()], vec![0.0; layout.rows()]);
    let mut curvature = rates.clone();
    contacts.gaps(state.time, &state.q, &mut gaps);
    contacts.rates(state.motion(), &mut rates);
    contacts.curvature(state.motion(), &mut curvature);
    let is_closed = |c: &usize| gaps[*c].abs() <= tolerance && rates[*c * d].abs() <= tolerance;
    let rows: Vec<usize> = (0..gaps.len()).filter(is_closed).map(|c| c * d).collect();
    forces.fill(0.0);
    if rows.is_empty() {
        return Ok(());
    }
    let mut jacobian = ContactJacobian::new(layout, system.structure().coordinates());
    jacobian.update(contacts, state.time, &state.q);
    let (mut response, mut delassus) = (Response::default(), DMatrix::zeros(0, 0));
    response.solve(mass, &jacobian, &rows, (state.v.len(), state.mu.len()));
    response.delassus(&jacobian, &rows, &mut delassus);
    let free = rows.iter().map(|row| jacobian.product(*row, &unknowns[..state.v.len()]) + curvature[*row]);
    let (offset, mut found) = (free.collect::<Vec<_>>(), vec![0.0; rows.len()]);
    let mut problem = ContactProblem::new(ContactAccuracy::default());
    problem.solve_normals(state.time, &delassus, &offset, &mut found)?;
    response.add(1.0, &found, unknowns);
    rows.iter().zip(&found).for_each(|(row, force)| forces[row / d] = *force);
    Ok(())
}
