//! Bodies and elements of a beam.

use std::sync::Arc;

use nalgebra::{Matrix6, Rotation3, UnitQuaternion, Vector3, Vector6};

use super::super::body::RigidBody;
use super::super::element::SpatialInertia;
use super::super::joint::Frame;
use super::super::model::{Body, ModelElement, SpatialModel};
use super::curve::Beam;
use super::element::BeamElement;
use super::error::BeamError;
use super::screw::Placement;
use super::section::turned;

/// Gauss's rule of six points on (−1, 1): places and weights of one half.
const GAUSS: [[f64; 2]; 3] = [
    [0.238_619_186_083_196_9, 0.467_913_934_572_691_04],
    [0.661_209_386_466_264_5, 0.360_761_573_048_138_6],
    [0.932_469_514_203_152, 0.171_324_492_379_170_35],
];

/// Share of the section's moments by which a second moment about the centre of mass may be negative: round-off.
const ROUND_OFF: f64 = 1e-12;

impl SpatialModel {
    /// Adds a beam: a body for every node and an element between every two, see [`Beam`].
    ///
    /// # Errors
    /// See [`BeamError`].
    pub fn with_beam(mut self, beam: &Beam) -> Result<Self, BeamError> {
        for body in beam.bodies()? {
            self = self.with_body(body);
        }
        Ok(self.with_elements(beam.elements()?))
    }
}

impl Beam {
    /// The bodies of the nodes, in order.
    ///
    /// # Errors
    /// See [`BeamError`].
    pub fn bodies(&self) -> Result<Vec<Body>, BeamError> {
        Mesh::new(self)?.bodies()
    }

    /// The elements between every two nodes, in order.
    ///
    /// # Errors
    /// See [`BeamError`].
    pub fn elements(&self) -> Result<Vec<ModelElement>, BeamError> {
        let mesh = Mesh::new(self)?;
        let element = |number: usize| {
            let nodes = [number - 1, number].map(|node| Frame::on(self.node(node), [0.0; 3])).to_vec();
            let kind = Arc::new(mesh.element(number)?);
            Ok(ModelElement { name: self.node(number), nodes, kind })
        };
        (1..self.stations.len()).map(element).collect()
    }
}

/// A beam with the frames of its nodes.
struct Mesh<'a> {
    beam: &'a Beam,
    /// Axes of the sections at the nodes.
    frames: Vec<Placement>,
    breaks: Vec<f64>,
}

/// A place of an element, of weight `ds` (m).
struct Point {
    station: f64,
    weight: f64,
}

impl<'a> Mesh<'a> {
    fn new(beam: &'a Beam) -> Result<Self, BeamError> {
        let name = || beam.name.clone();
        if beam.stations.len() < 2 {
            return Err(BeamError::TooFewNodes { beam: name(), nodes: beam.stations.len() });
        }
        for pair in beam.stations.windows(2) {
            let (before, station) = (pair[0].station, pair[1].station);
            if !(station > before && before.is_finite() && station.is_finite()) {
                return Err(BeamError::Stations { beam: name(), station, before });
            }
        }
        let mut breaks = beam.sections.breaks();
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let frames = (0..beam.stations.len()).map(|node| frame(beam, node)).collect();
        Ok(Self { beam, frames, breaks })
    }

    fn station(&self, node: usize) -> f64 {
        self.beam.stations[node].station
    }

    /// Places between two stations, with a rule of its own between any two breaks of the sections.
    fn points(&self, from: f64, to: f64) -> Vec<Point> {
        let inside = self.breaks.iter().copied().filter(|at| from < *at && *at < to);
        let ends: Vec<f64> = [from].into_iter().chain(inside).chain([to]).collect();
        let rule = |pair: &[f64]| {
            let (middle, half) = (0.5 * (pair[0] + pair[1]), 0.5 * (pair[1] - pair[0]));
            let at = move |x: f64, weight: f64| Point { station: middle + half * x, weight: half * weight };
            GAUSS.iter().flat_map(move |[x, weight]| [at(-x, *weight), at(*x, *weight)]).collect::<Vec<_>>()
        };
        ends.windows(2).flat_map(rule).collect()
    }

    /// The screw from the first node of an element to its second, and its length.
    fn displacement(&self, element: usize) -> (Vector6<f64>, f64) {
        let (first, second) = (element - 1, element);
        let length = self.station(second) - self.station(first);
        (self.frames[first].screw_to(&self.frames[second]), length)
    }

    /// Angle of the section at a station against the axes of the element, whose twist is even.
    fn lead(&self, element: usize, station: f64) -> f64 {
        let twist = |station| self.beam.sections.twist(station);
        let (from, to) = (self.station(element - 1), self.station(element));
        let share = (station - from) / (to - from);
        twist(station) - twist(from) * (1.0 - share) - twist(to) * share
    }

    /// The element that ends at this node: `K = [(1/L) ∫ C ds]⁻¹` with the compliances `C` of the sections.
    fn element(&self, number: usize) -> Result<BeamElement, BeamError> {
        let (reference, length) = self.displacement(number);
        let mut compliance = Matrix6::zeros();
        for Point { station, weight } in self.points(self.station(number - 1), self.station(number)) {
            let own = turned(&self.beam.sections.at(station).stiffness, self.lead(number, station));
            let inverse = own.cholesky().ok_or_else(|| BeamError::Stiffness {
                beam: self.beam.name.clone(),
                station,
                found: own.symmetric_eigenvalues().min(),
            })?;
            compliance += inverse.inverse() * (weight / length);
        }
        let inverse = compliance.cholesky().ok_or_else(|| BeamError::Stiffness {
            beam: self.beam.name.clone(),
            station: self.station(number),
            found: 1.0 / compliance.symmetric_eigenvalues().max(),
        })?;
        let stiffness = inverse.inverse();
        let stiffness = (stiffness + stiffness.transpose()) * 0.5;
        Ok(BeamElement { length, reference, stiffness, damping: self.beam.damping })
    }

    /// Inertia of the part of an element between two stations, in the axes of one of its nodes.
    fn inertia(
        &self,
        element: usize,
        node: usize,
        [from, to]: [f64; 2],
    ) -> Result<SpatialInertia, BeamError> {
        let (displacement, length) = self.displacement(element);
        let home = &self.frames[node];
        let mut all = SpatialInertia::default();
        for Point { station, weight } in self.points(from, to) {
            let section = self.beam.sections.at(station).inertia;
            let found = section.least_central_moment();
            if found
                < -ROUND_OFF * section.second_moment.amax().max(section.mass * section.centre.norm_squared())
            {
                return Err(BeamError::NegativeCentralInertia {
                    beam: self.beam.name.clone(),
                    station,
                    found,
                });
            }
            let share = (station - self.station(element - 1)) / length;
            let place = self.frames[element - 1].moved(&(displacement * share));
            let point = home.rotation.tr_mul(&(place.position - home.position));
            let lead = Rotation3::from_axis_angle(&Vector3::x_axis(), self.lead(element, station));
            let turn = Rotation3::from_matrix_unchecked(home.rotation.tr_mul(&place.rotation)) * lead;
            all.add(&section.slice(weight).seen_from(&point, &turn));
        }
        Ok(all)
    }

    /// The body of every node. Sections are judged before nodes: an error of a section is the reason for one of its node.
    fn bodies(&self) -> Result<Vec<Body>, BeamError> {
        let nodes = 0..self.beam.stations.len();
        let inertias = nodes.map(|node| self.node_inertia(node)).collect::<Result<Vec<_>, _>>()?;
        inertias.iter().enumerate().map(|(node, inertia)| self.body(node, inertia)).collect()
    }

    /// The halves of the elements on both sides of a node.
    fn node_inertia(&self, node: usize) -> Result<SpatialInertia, BeamError> {
        let middle = |element: usize| 0.5 * (self.station(element - 1) + self.station(element));
        let mut all = SpatialInertia::default();
        if node > 0 {
            all.add(&self.inertia(node, node, [middle(node), self.station(node)])?);
        }
        if node + 1 < self.beam.stations.len() {
            all.add(&self.inertia(node + 1, node, [self.station(node), middle(node + 1)])?);
        }
        Ok(all)
    }

    fn body(&self, node: usize, inertia: &SpatialInertia) -> Result<Body, BeamError> {
        let properties = RigidBody::new(inertia.mass, inertia.central());
        let properties = properties.map_err(|source| BeamError::NodeInertia {
            beam: self.beam.name.clone(),
            node,
            station: self.station(node),
            source,
        })?;
        let Placement { position, rotation } = self.frames[node];
        let velocity = self.beam.velocity + self.beam.spin.cross(&position);
        let orientation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
        let spin = orientation.inverse() * self.beam.spin;
        let body =
            Body::new(self.beam.node(node), properties).with_position(position).with_orientation(orientation);
        Ok(body.with_centre_of_mass(inertia.centre()).with_velocity(velocity, spin))
    }
}

/// Axes of the section at a node.
fn frame(beam: &Beam, node: usize) -> Placement {
    let at = &beam.stations[node];
    let twist = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), beam.sections.twist(at.station));
    Placement { position: at.position, rotation: (at.orientation * twist).to_rotation_matrix().into_inner() }
}
