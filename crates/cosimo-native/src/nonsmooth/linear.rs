//! `M a + C v + K q = f(t)`, sparse, with linear constraints and gaps.

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Level, LinearRow, MatrixSink, Motion, Structure,
    SystemError, TimeLoad,
};
use cosimo_impact::{
    ContactBlock, ContactLayout, ContactSink, ContactStep, Contacts, ImpactSettings, ImpactState, Scheme,
};
use cosimo_mechanics::{ContactLaw, Energy};
use cosimo_subsystem::scene::{Appearance, Pose};
use cosimo_subsystem::{PortSpec, Quantity};
use nalgebra::DMatrix;

use super::ports::{LinearPorts, Ports};
use super::shown::{ShownContacts, ShownSystem};
use super::sparse_matrix::SparseMatrix;
use super::subsystem::{NonsmoothMechanism, NonsmoothMotion, Outside};
use crate::MechanismError;
use crate::seen::{Seen, SlidingBodies, SlidingBody};

/// A contact with a linear gap, `row · q − offset ≥ 0`.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearMechanismContact {
    /// Name, unique in the mechanism.
    pub name: String,
    /// The gap.
    pub gap: LinearRow,
    /// The slips, at most two.
    pub slips: Vec<LinearRow>,
    /// Restitution and friction.
    pub law: ContactLaw,
}

/// A linear system with contacts stepped by a [`Scheme`].
#[derive(Debug, Clone, PartialEq)]
pub struct LinearMechanism {
    /// Name of the subsystem.
    pub name: String,
    /// Masses (kg), symmetric and positive definite, `n × n`.
    pub masses: DMatrix<f64>,
    /// Stiffness (N/m) and damping (N s/m), symmetric, `n × n`.
    pub stiffness: DMatrix<f64>,
    /// Damping (N s/m), `n × n`.
    pub damping: DMatrix<f64>,
    /// Constant force (N).
    pub force: Vec<f64>,
    /// Energy (J) that is added to the potential.
    pub potential_constant: f64,
    /// Forces over time.
    pub loads: Vec<TimeLoad>,
    /// Constraints `row · q = value` by their names.
    pub constraints: Vec<(String, LinearRow)>,
    /// Contacts.
    pub contacts: Vec<LinearMechanismContact>,
    /// Ports: names, and a row for each coordinate.
    pub ports: Vec<(String, Vec<LinearRow>)>,
    /// Names and units of positions and velocities, by coordinate.
    pub quantities: Vec<[Quantity; 2]>,
    /// Bodies that are seen.
    pub bodies: Vec<SlidingBody>,
    /// The rule.
    pub scheme: Scheme,
    /// Tolerances.
    pub settings: ImpactSettings,
    /// Time (s), positions and velocities at the start.
    pub start: (f64, Vec<f64>, Vec<f64>),
}

impl LinearMechanism {
    /// Builds the subsystem.
    ///
    /// # Errors
    /// Sizes that do not fit, or what the scheme refuses.
    pub fn build(self) -> Result<NonsmoothMechanism<LinearConstrained, LinearGaps>, MechanismError> {
        self.check_rows()
            .map_err(|source| MechanismError::System { subsystem: self.name.clone(), source })?;
        let names = self.contacts.iter().map(|own| (own.name.clone(), own.slips.len())).collect();
        let ports = ports_of(self.ports);
        let contacts = LinearGaps::new(self.contacts);
        let [masses, stiffness, damping] =
            [&self.masses, &self.stiffness, &self.damping].map(SparseMatrix::new);
        let blocks = (0..self.masses.nrows()).map(|_| CoordinateBlock::Flat(1));
        let mut structure = Structure::new(Coordinates::new(blocks));
        let entries = [&masses, &stiffness, &damping].into_iter().flat_map(|matrix| &matrix.entries);
        for &(i, j, _) in entries.filter(|(i, j, _)| i < j) {
            structure = structure.with_coupling(i, j);
        }
        let (constraint_names, constraints): (Vec<_>, Vec<_>) = self.constraints.into_iter().unzip();
        for row in &constraints {
            structure = structure.with_constraint(1, row.weights.iter().map(|(k, _)| *k).collect());
        }
        let system = LinearConstrained {
            masses,
            stiffness,
            damping,
            force: self.force,
            potential_constant: self.potential_constant,
            loads: self.loads,
            constraints,
            constraint_names,
            quantities: self.quantities,
            bodies: SlidingBodies(self.bodies),
            structure,
        };
        let outside = Outside { contacts: names, inputs: Vec::new(), ports };
        NonsmoothMotion::new(
            &self.name,
            (system, contacts),
            (self.scheme, self.settings),
            self.start,
            outside,
        )
    }

    fn check_rows(&self) -> Result<(), SystemError> {
        let n = self.masses.nrows();
        self.loads.iter().try_for_each(|load| load.direction.check("load", n))?;
        self.constraints.iter().try_for_each(|(_, row)| row.check("constraint", n))?;
        let mut rows = self.contacts.iter().flat_map(|own| std::iter::once(&own.gap).chain(&own.slips));
        rows.try_for_each(|row| row.check("contact", n))?;
        self.ports.iter().flat_map(|(_, rows)| rows).try_for_each(|row| row.check("port", n))
    }
}

/// The ports, unless there are none.
fn ports_of(ports: Vec<(String, Vec<LinearRow>)>) -> Option<Ports<LinearConstrained>> {
    let specs = ports.iter().map(|(name, rows)| PortSpec::new(name, rows.len())).collect();
    let rows = LinearPorts { rows: ports.into_iter().flat_map(|(_, rows)| rows).collect() };
    (!rows.rows.is_empty()).then(|| Ports { specs, motions: Box::new(rows.clone()), rows: Box::new(rows) })
}

/// A linear system, one block per coordinate.
#[derive(Debug, Clone)]
pub struct LinearConstrained {
    masses: SparseMatrix,
    stiffness: SparseMatrix,
    damping: SparseMatrix,
    force: Vec<f64>,
    potential_constant: f64,
    loads: Vec<TimeLoad>,
    constraints: Vec<LinearRow>,
    constraint_names: Vec<String>,
    quantities: Vec<[Quantity; 2]>,
    bodies: SlidingBodies,
    structure: Structure,
}

impl ConstrainedSystem for LinearConstrained {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn balance(&self, Motion { t, q, v }: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(&self.force).for_each(|(out, force)| *out = -force);
        self.masses.multiply_add(a, out);
        self.stiffness.multiply_add(q, out);
        self.damping.multiply_add(v, out);
        for TimeLoad { direction, size } in &self.loads {
            let load = size.value(t);
            direction.weights.iter().for_each(|(k, weight)| out[*k] -= weight * load);
        }
        self.add_reactions(t, q, mu, out);
    }

    fn mass_product(&self, _q: &[f64], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.masses.multiply_add(x, out);
    }

    fn add_reactions(&self, _t: f64, _q: &[f64], mu: &[f64], out: &mut [f64]) {
        for (row, mu) in self.constraints.iter().zip(mu) {
            row.weights.iter().for_each(|(k, weight)| out[*k] += weight * mu);
        }
    }

    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(&self.constraints) {
            *out = match level {
                Level::Position => row.dot(motion.q) - row.offset,
                Level::Velocity => row.dot(motion.v),
                Level::Acceleration => row.dot(a),
            };
        }
    }

    fn tangents(&self, motion: Motion<'_>, _a: &[f64], _mu: &[f64], sink: &mut dyn MatrixSink) {
        self.masses(motion.q, sink);
        self.stiffness.entries.iter().for_each(|(i, j, value)| sink.stiffness(*i, *j, &[*value]));
        self.damping.entries.iter().for_each(|(i, j, value)| sink.damping(*i, *j, &[*value]));
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        for (i, j, value) in &self.masses.entries {
            if i == j {
                sink.mass(*i, &[*value]);
            } else {
                sink.mass_coupling(*i, *j, &[*value]);
            }
        }
    }

    fn jacobian(&self, _t: f64, _q: &[f64], sink: &mut dyn MatrixSink) {
        for (constraint, row) in self.constraints.iter().enumerate() {
            row.weights.iter().for_each(|(k, weight)| sink.jacobian(constraint, *k, &[*weight]));
        }
    }

    fn rate_gradient(&self, _motion: Motion<'_>, _sink: &mut dyn MatrixSink) {}

    fn is_linear(&self) -> bool {
        true
    }

    fn energy(&self, Motion { q, v, .. }: Motion<'_>) -> Energy {
        let kinetic = 0.5 * self.masses.quadratic_form(v);
        let forces: f64 = self.force.iter().zip(q).map(|(force, q)| force * q).sum();
        Energy {
            kinetic,
            potential: 0.5 * self.stiffness.quadratic_form(q) - forces + self.potential_constant,
        }
    }

    fn dissipated_power(&self, Motion { v, .. }: Motion<'_>) -> f64 {
        self.damping.quadratic_form(v)
    }

    fn external_power(&self, Motion { t, v, .. }: Motion<'_>) -> f64 {
        self.loads.iter().map(|load| load.size.value(t) * load.direction.dot(v)).sum()
    }
}

impl ShownSystem for LinearConstrained {
    /// All positions, then all velocities, then the residuals of the constraints.
    fn quantities(&self) -> Vec<Quantity> {
        let of = |k: usize| self.quantities.iter().map(move |own| own[k].clone());
        let residual = |name: &String| Quantity { name: format!("{name}.residual"), unit: "m".to_owned() };
        of(0).chain(of(1)).chain(self.constraint_names.iter().map(residual)).collect()
    }

    fn appearance(&self) -> Appearance {
        self.bodies.appearance()
    }

    fn add_poses(&self, q: &[f64], out: &mut Vec<Pose>) {
        self.bodies.add_poses(0.0, q, out);
    }

    fn observe(&self, state: &ImpactState, _step: &ContactStep, out: &mut [f64]) {
        let residuals = self.constraints.iter().map(|row| row.dot(&state.q) - row.offset);
        let values = state.q.iter().chain(&state.v).copied().chain(residuals);
        out.iter_mut().zip(values).for_each(|(out, x)| *out = x);
    }
}

/// Contacts with linear gaps and slips.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearGaps {
    /// ConstrainedRows of every contact, the gap first.
    rows: Vec<Vec<LinearRow>>,
    names: Vec<String>,
    layout: ContactLayout,
}

impl LinearGaps {
    fn new(contacts: Vec<LinearMechanismContact>) -> Self {
        let dimension = 1 + contacts.iter().map(|own| own.slips.len()).max().unwrap_or(0);
        let (mut rows, mut names, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for LinearMechanismContact { name, gap, slips, law } in contacts {
            names.push(name);
            let own: Vec<LinearRow> = std::iter::once(gap).chain(slips).collect();
            let mut touches: Vec<usize> =
                own.iter().flat_map(|row| row.weights.iter().map(|(k, _)| *k)).collect();
            touches.sort_unstable();
            touches.dedup();
            blocks.push(ContactBlock { touches, law });
            rows.push(own);
        }
        Self { rows, names, layout: ContactLayout::new(dimension, blocks) }
    }
}

impl Contacts for LinearGaps {
    fn layout(&self) -> &ContactLayout {
        &self.layout
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn name(&self, contact: usize) -> String {
        self.names.get(contact).cloned().unwrap_or_default()
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(&self.rows).for_each(|(out, own)| *out = own[0].dot(q) - own[0].offset);
    }

    fn rates(&self, motion: Motion<'_>, out: &mut [f64]) {
        out.fill(0.0);
        for (out, own) in out.chunks_exact_mut(self.layout.dimension()).zip(&self.rows) {
            out.iter_mut().zip(own).for_each(|(out, row)| *out = row.dot(motion.v));
        }
    }

    fn jacobian(&self, _t: f64, _q: &[f64], sink: &mut dyn ContactSink) {
        let d = self.layout.dimension();
        for (contact, own) in self.rows.iter().enumerate() {
            for (row, LinearRow { weights, .. }) in own.iter().enumerate() {
                for (k, weight) in weights {
                    let mut column = [0.0; 3];
                    column[row] = *weight;
                    sink.jacobian(contact, *k, &column[..d]);
                }
            }
        }
    }
}

impl ShownContacts for LinearGaps {}
