//! Builds a linear system.

use cosimo_dynamics::{Elimination, LinearRow, LinearRows, LinearSystem, SystemError, eliminate_constraints};
use cosimo_impact::Scheme;
use cosimo_native::{
    Channel, LinearConstrained, LinearGaps, LinearMechanism, LinearMechanismContact, Mechanism,
    MechanismBuilder, NativeContact, NonsmoothMechanism, SlidingBody,
};
use cosimo_subsystem::Quantity;
use nalgebra::DMatrix;

use super::{
    LinearBodySpec, LinearContactSpec, LinearLoadSpec, LinearPortSpec, LinearSpec, LinearSpringSpec,
    SpringEnds,
};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::kinds::shape::ShapeSpec;
use crate::spec::{MatrixSpec, RowSpec};

/// Builds the subsystem.
pub(super) fn build(linear: &LinearSpec, frame: &Frame<'_>) -> Result<Mechanism, BuildError> {
    let mut system = equations(linear).map_err(BuildError::part(frame.name))?;
    for load in &linear.loads {
        system = system.with_load(frame.load(row(&load.direction, 0.0), &load.size)?);
    }
    for constraint in &linear.constraints {
        system = system.with_constraint(row(&constraint.row, constraint.value));
    }
    if let Some(how) = linear.eliminated() {
        let how = Elimination { alpha: how.alpha, beta: how.beta, project_impulses: how.project_impulses };
        system = eliminate_constraints(&system, how).map_err(BuildError::part(frame.name))?;
    }
    let ports: Vec<_> = linear.ports.iter().map(|port| (port.name.as_str(), port.rows.len())).collect();
    let port_rows = linear.ports.iter().flat_map(|port| port.rows.iter().map(|weights| row(weights, 0.0)));
    let contact = |contact: &LinearContactSpec| {
        NativeContact::new(&contact.name, frame.law(contact.law), contact.tangents.len())
    };
    let contacts = linear.contacts.iter().map(contact).collect();
    let gaps = linear.contacts.iter().map(|contact| row(&contact.row, contact.offset));
    let slips = linear.contacts.iter().flat_map(|contact| &contact.tangents);
    let contact_rows = gaps.chain(slips.map(|weights| row(weights, 0.0)));
    let mut builder = MechanismBuilder::new(frame.name, system)
        .with_rule(frame.rule()?)
        .with_ports(&ports, LinearRows(port_rows.collect()))
        .with_contact_laws(contacts, LinearRows(contact_rows.collect()))
        .with_initial_time(frame.start_time)
        .with_initial_state(linear.position.clone(), linear.velocity.clone());
    if !linear.bodies.is_empty() {
        builder = builder.with_sliding_bodies(bodies(linear));
    }
    for (k, name) in linear.coordinates.iter().enumerate() {
        builder = builder.with_quantity(name, linear.units(k)[0], Channel::Position(k));
    }
    for (k, name) in linear.coordinates.iter().enumerate() {
        builder = builder.with_quantity(format!("v_{name}"), linear.units(k)[1], Channel::Velocity(k));
    }
    for (index, constraint) in linear.observed_constraints().iter().enumerate() {
        let name = format!("{}.residual", constraint.name);
        builder = builder.with_quantity(name, "m", Channel::Residual(index));
    }
    Ok(builder.build()?)
}

/// Builds the subsystem with the contacts inside, stepped by a scheme.
pub(super) fn build_nonsmooth(
    linear: &LinearSpec,
    frame: &Frame<'_>,
    scheme: Scheme,
) -> Result<NonsmoothMechanism<LinearConstrained, LinearGaps>, BuildError> {
    let parts = parts(linear);
    let load = |load: &LinearLoadSpec| frame.load(row(&load.direction, 0.0), &load.size);
    let contact = |contact: &LinearContactSpec| LinearMechanismContact {
        name: contact.name.clone(),
        gap: row(&contact.row, contact.offset),
        slips: contact.tangents.iter().map(|weights| row(weights, 0.0)).collect(),
        law: contact.law,
    };
    let port = |port: &LinearPortSpec| {
        (port.name.clone(), port.rows.iter().map(|weights| row(weights, 0.0)).collect())
    };
    let named = |(k, name): (usize, &String)| {
        let [position, velocity] = linear.units(k);
        let quantity = |name: String, unit: &str| Quantity { name, unit: unit.to_owned() };
        [quantity(name.clone(), position), quantity(format!("v_{name}"), velocity)]
    };
    let mechanism = LinearMechanism {
        name: frame.name.to_owned(),
        masses: linear.mass.to_dense(),
        stiffness: parts.stiffness,
        damping: parts.damping,
        force: parts.force,
        potential_constant: parts.potential,
        loads: linear.loads.iter().map(load).collect::<Result<_, _>>()?,
        constraints: linear
            .constraints
            .iter()
            .map(|own| (own.name.clone(), row(&own.row, own.value)))
            .collect(),
        contacts: linear.contacts.iter().map(contact).collect(),
        ports: linear.ports.iter().map(port).collect(),
        quantities: linear.coordinates.iter().enumerate().map(named).collect(),
        bodies: bodies(linear),
        scheme,
        settings: frame.impact_settings(),
        start: (frame.start_time, linear.position.clone(), linear.velocity.clone()),
    };
    Ok(mechanism.build()?)
}

/// The bodies that are seen.
fn bodies(linear: &LinearSpec) -> Vec<SlidingBody> {
    let body = |own: &LinearBodySpec| SlidingBody {
        name: own.name.clone(),
        shapes: own.shapes.iter().map(ShapeSpec::build).collect(),
        origin: own.position.into(),
        direction: own.direction.into(),
        row: LinearRow::coordinate(own.coordinate),
    };
    linear.bodies.iter().map(body).collect()
}

/// Matrices and forces of springs, dampers and weights together.
struct Parts {
    stiffness: DMatrix<f64>,
    damping: DMatrix<f64>,
    force: Vec<f64>,
    potential: f64,
}

/// Masses, springs, dampers and constant forces; nothing is added to entries of the matrices that stay zero, which
/// decide how the matrices are stored.
fn equations(linear: &LinearSpec) -> Result<LinearSystem, SystemError> {
    let Parts { stiffness, damping, force, potential } = parts(linear);
    let system =
        LinearSystem::new(linear.mass.to_dense())?.with_stiffness(stiffness)?.with_damping(damping)?;
    Ok(system.with_force(force)?.with_potential_constant(potential))
}

fn parts(linear: &LinearSpec) -> Parts {
    let mut stiffness = linear.stiffness.to_dense();
    let mut damping = linear.damping.to_dense();
    let mut force = linear.force.clone();
    let mut potential = 0.0;
    add_weight(&linear.mass, linear.gravity, &mut force);
    for spring in &linear.springs {
        for_each_link(spring.ends, |first, second| {
            add_link(&mut stiffness, spring.stiffness, first, second);
            add_link(&mut damping, spring.damping, first, second);
            add_rest(&mut force, spring, first, second);
            potential += 0.5 * spring.stiffness * spring.rest * spring.rest;
        });
    }
    Parts { stiffness, damping, force, potential }
}

/// `force += mass · (gravity, gravity, …)`.
fn add_weight(mass: &MatrixSpec, gravity: f64, force: &mut [f64]) {
    if gravity == 0.0 {
        return;
    }
    for (i, load) in force.iter_mut().enumerate() {
        *load += gravity
            * match mass {
                MatrixSpec::Diagonal(diagonal) => diagonal.get(i).copied().unwrap_or_default(),
                MatrixSpec::Full(full) => full.row(i).sum(),
            };
    }
}

/// Calls `visit` with the coordinates of every single spring; the second is missing at the ground.
fn for_each_link(ends: SpringEnds, mut visit: impl FnMut(usize, Option<usize>)) {
    match ends {
        SpringEnds::Between(first, second) => visit(first, Some(second)),
        SpringEnds::Ground(index) => visit(index, None),
        SpringEnds::Chain(first, last) => (first..last).for_each(|k| visit(k, Some(k + 1))),
    }
}

/// Adds `½ constant (q_first − q_second)²` to the quadratic form of a matrix.
fn add_link(matrix: &mut DMatrix<f64>, constant: f64, first: usize, second: Option<usize>) {
    if constant == 0.0 {
        return;
    }
    matrix[(first, first)] += constant;
    if let Some(second) = second {
        matrix[(second, second)] += constant;
        matrix[(first, second)] -= constant;
        matrix[(second, first)] -= constant;
    }
}

/// The forces of a spring at zero coordinates.
fn add_rest(force: &mut [f64], spring: &LinearSpringSpec, first: usize, second: Option<usize>) {
    let load = spring.stiffness * spring.rest;
    force[first] += load;
    if let Some(second) = second {
        force[second] -= load;
    }
}

fn row(row: &RowSpec, offset: f64) -> LinearRow {
    LinearRow { weights: row.entries.clone(), offset }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SubsystemKind, read_model};

    #[test]
    fn a_long_chain_is_stored_as_a_band() {
        let text = "schema = 1\ntime = { end = 1, step = 1 }\n[[subsystem]]\nname = \"chain\"\nkind = \"linear\"\n\
            mass = { count = 100, uniform = 1.0 }\n[[subsystem.spring]]\nchain = [0, 99]\nstiffness = 1e4\n";
        let (model, _) = read_model("chain.toml", text, &[]).unwrap();
        let SubsystemKind::Linear(chain) = &model.subsystems[0].kind else { panic!("not linear") };
        let debug = format!("{:?}", equations(chain).unwrap());
        for expected in ["mass: Diagonal", "stiffness: Banded", "damping: Zero"] {
            assert!(debug.contains(expected), "{expected}");
        }
    }
}
