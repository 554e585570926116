//! `kind = "linear"`: M a + C v + K q = f(t), with constraints and contacts.

mod build;
pub(crate) mod read;
mod tangents;

use cosimo_mechanics::ContactLaw;
use cosimo_subsystem::Subsystem;
use serde::Serialize;
use toml::Table;

use super::contact_law::{contact_quantities, nonsmooth_quantities};
use super::shape::ShapeSpec;
use super::{Diagnostic, Kind, NamedTable, Rejection, Start, correct_start, violated};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{
    MatrixSpec, PortShape, QuantityName, QuantityRole, RowSpec, SizeOverTime, SolverSpec, quantity,
};
use crate::toml::{References, uniform};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "linear";

/// A linear system `M a + C v + K q = f(t)` of `n` coordinates; the springs are added to `C` and `K`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinearSpec {
    /// Names of the `n` coordinates. Default: `q0`, `q1`, … .
    pub coordinates: Vec<String>,
    /// Which of the coordinates are angles (rad), increasing. Default: none.
    pub angles: Vec<usize>,
    /// Mass matrix (kg), `n × n`, symmetric and positive definite.
    pub mass: MatrixSpec,
    /// Stiffness matrix without the springs (N/m), `n × n`. Default: zero.
    pub stiffness: MatrixSpec,
    /// Damping matrix without the springs (N s/m), `n × n`. Default: zero.
    pub damping: MatrixSpec,
    /// Constant force (N), one per coordinate. Default: zero.
    #[serde(serialize_with = "uniform")]
    pub force: Vec<f64>,
    /// Gravity (m/s²): adds the mass matrix times this, in every coordinate, to the force. Default: 0.
    pub gravity: f64,
    /// Initial position (m), one per coordinate. Default: zero.
    #[serde(serialize_with = "uniform")]
    pub position: Vec<f64>,
    /// Initial velocity (m/s), one per coordinate. Default: zero.
    #[serde(serialize_with = "uniform")]
    pub velocity: Vec<f64>,
    /// Elimination of the constraints, if they are not solved for.
    pub elimination: Option<EliminationSpec>,
    /// Springs, added to the matrices.
    #[serde(rename = "spring", skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<LinearSpringSpec>,
    /// Forces over time.
    #[serde(rename = "load", skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LinearLoadSpec>,
    /// Constraints.
    #[serde(rename = "constraint", skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<LinearConstraintSpec>,
    /// Contacts.
    #[serde(rename = "contact", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<LinearContactSpec>,
    /// Ports. Default: none.
    #[serde(rename = "port", skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<LinearPortSpec>,
    /// Bodies that are seen only. Default: none.
    #[serde(rename = "body", skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<LinearBodySpec>,
}

/// A body that is seen where a coordinate takes it: at `position + direction q`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinearBodySpec {
    /// Name, unique among the bodies.
    pub name: String,
    /// Index of the coordinate.
    pub coordinate: usize,
    /// Where it is in world axes while the coordinate is zero (m). Default: zero.
    pub position: [f64; 3],
    /// Along which it moves in world axes, by its length times the coordinate. Default: `[0, 0, 1]`.
    pub direction: [f64; 3],
    /// Its shapes, at least one.
    #[serde(rename = "shape")]
    pub shapes: Vec<ShapeSpec>,
}

/// Direct elimination of the multipliers of the constraints, with Baumgarte's stabilisation
/// `g̈ + 2 alpha ġ + beta² g = 0`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EliminationSpec {
    /// Damping of the stabilisation (1/s), zero or positive. Default: 5.
    pub alpha: f64,
    /// Frequency of the stabilisation (1/s), zero or positive. Default: 5.
    pub beta: f64,
    /// Whether impulses are projected onto the constraints. Default: true.
    pub project_impulses: bool,
}

/// What a spring acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpringEnds {
    /// The difference of two coordinates, `q_first − q_second`.
    Between(usize, usize),
    /// One coordinate, against the ground.
    Ground(usize),
    /// One spring between each two neighbours from the first coordinate to the last, `q_k − q_(k+1)`.
    Chain(usize, usize),
}

/// A spring with a damper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LinearSpringSpec {
    /// What it acts on.
    #[serde(flatten)]
    pub ends: SpringEnds,
    /// Stiffness (N/m), zero or positive.
    pub stiffness: f64,
    /// Damping (N s/m), zero or positive. Default: 0.
    pub damping: f64,
    /// Value of what it acts on at zero force (m). Default: 0.
    pub rest: f64,
}

/// A force over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinearLoadSpec {
    /// Share of each coordinate (no unit).
    pub direction: RowSpec,
    /// Force (N) over time.
    #[serde(flatten)]
    pub size: SizeOverTime,
}

/// A constraint `row · q = value`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinearConstraintSpec {
    /// Name, unique among the constraints.
    pub name: String,
    /// Weights of the coordinates (no unit).
    pub row: RowSpec,
    /// Right-hand side (m). Default: 0.
    pub value: f64,
}

/// A contact, `gap = row · q − offset ≥ 0`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinearContactSpec {
    /// Name, unique among the contacts.
    pub name: String,
    /// Weights of the coordinates (no unit).
    pub row: RowSpec,
    /// What the weighted sum must not fall below (m). Default: 0.
    pub offset: f64,
    /// Restitution and friction.
    #[serde(flatten)]
    pub law: ContactLaw,
    /// Weights of the coordinates whose sum slides (no unit): with friction one tangent, or two of the same length at
    /// right angles in space.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tangents: Vec<RowSpec>,
}

/// A port.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinearPortSpec {
    /// Name, unique among the ports.
    pub name: String,
    /// Weights of the coordinates of the subsystem, one row per coordinate of the port: 1, 3 or 6 rows.
    pub rows: Vec<RowSpec>,
}

impl LinearSpec {
    /// How the constraints are eliminated; none if they are solved for, or if there are none.
    pub(crate) fn eliminated(&self) -> Option<EliminationSpec> {
        self.elimination.filter(|_| !self.constraints.is_empty())
    }

    /// Whether a weighted sum is one of angles.
    fn is_angle(&self, row: &RowSpec) -> bool {
        !row.entries.is_empty() && row.entries.iter().all(|(k, _)| self.angles.binary_search(k).is_ok())
    }

    /// Units of a coordinate and of its velocity.
    pub(crate) fn units(&self, coordinate: usize) -> [&'static str; 2] {
        if self.angles.binary_search(&coordinate).is_ok() { ["rad", "rad/s"] } else { ["m", "m/s"] }
    }

    /// The constraints that are solved for, whose residuals are known.
    fn observed_constraints(&self) -> &[LinearConstraintSpec] {
        if self.eliminated().is_some() { &[] } else { &self.constraints }
    }
}

impl Kind for LinearSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        self.ports
            .iter()
            .map(|port| PortShape {
                is_angle: matches!(&port.rows[..], [row] if self.is_angle(row)),
                ..PortShape::new(&port.name, port.rows.len())
            })
            .collect()
    }

    fn has_contacts(&self) -> bool {
        !self.contacts.is_empty()
    }

    fn contact_laws(&self) -> Vec<ContactLaw> {
        self.contacts.iter().map(|contact| contact.law).collect()
    }

    fn nonsmooth_quantities(&self) -> Vec<QuantityName> {
        nonsmooth_quantities(self.contacts.iter().map(|contact| contact.name.as_str()))
    }

    fn refuses(&self, solver: &SolverSpec) -> Option<Rejection> {
        let help = match solver {
            SolverSpec::Nonsmooth(_) if self.eliminated().is_some() => {
                "a scheme solves for the multipliers of constraints: remove [subsystem.elimination]"
            }
            SolverSpec::Nonsmooth(_) => return None,
            other if other.is_for_multibody_only() => {
                "this solver is for kind = \"multibody\"; use \"theta\", \"multistep\" or \"generalized-alpha\""
            }
            _ => return None,
        };
        Some(Rejection { key: "solver", help })
    }

    fn quantities(&self) -> Vec<QuantityName> {
        let names = self.coordinates.iter().enumerate();
        let positions =
            names.clone().map(|(k, name)| quantity(name, self.units(k)[0], QuantityRole::Position));
        let velocities =
            names.map(|(k, name)| quantity(format!("v_{name}"), self.units(k)[1], QuantityRole::Velocity));
        let contacts = self
            .contacts
            .iter()
            .flat_map(|contact| contact_quantities(&contact.name, contact.tangents.len()));
        let residuals = self
            .observed_constraints()
            .iter()
            .map(|constraint| quantity(format!("{}.residual", constraint.name), "m", QuantityRole::Residual));
        positions.chain(velocities).chain(contacts).chain(residuals).collect()
    }

    fn tables(&self) -> Vec<NamedTable<'_>> {
        self.loads
            .iter()
            .enumerate()
            .filter_map(|(index, load)| Some(NamedTable::of_load((index, load.size.table()?))))
            .collect()
    }

    fn findings(&self, start: &Start) -> Vec<Diagnostic> {
        let is_stabilised = self.elimination.is_some();
        let finding = |(index, constraint): (usize, &LinearConstraintSpec)| {
            let distance = (constraint.row.dot(&self.position) - constraint.value).abs();
            let speed = constraint.row.dot(&self.velocity).abs();
            (distance > start.tolerance || speed > start.tolerance).then(|| Diagnostic {
                key: "constraint",
                index,
                name: constraint.name.clone(),
                message: violated(distance, speed),
                help: if is_stabilised {
                    "Baumgarte's stabilisation removes this in the course of the run".to_owned()
                } else {
                    correct_start(start.tolerance)
                },
                is_warning: is_stabilised,
            })
        };
        self.constraints.iter().enumerate().filter_map(finding).collect()
    }

    fn complete(&self, table: &mut Table) {
        let keys = &["angles", "between", "ground", "chain", "direction", "row", "rows", "tangents"];
        let names = self.coordinates.iter().map(String::as_str).collect();
        References { keys, names }.put_into(table);
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        match frame.solver {
            SolverSpec::Nonsmooth(scheme) => Ok(Box::new(build::build_nonsmooth(self, frame, scheme)?)),
            _ => Ok(Box::new(build::build(self, frame)?)),
        }
    }
}
