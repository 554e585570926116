//! A beam: its curve, its sections, and how it moves at the start.

use std::sync::Arc;

use nalgebra::{UnitQuaternion, Vector3};

use super::section::SectionLaw;

/// A point of the reference curve, where a node is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeamStation {
    /// Station `s` along the curve (m), by which sections are asked for.
    pub station: f64,
    /// Position in world axes (m).
    pub position: Vector3<f64>,
    /// Turns reference axes into world axes: `x` along the curve; the section's axes are turned by its twist about `x`.
    pub orientation: UnitQuaternion<f64>,
}

/// A beam, free of stress where it starts.
#[derive(Debug, Clone)]
pub struct Beam {
    /// Name; its nodes are the bodies `name.0`, `name.1`, …, its elements `name.1` between the first two nodes, and so on.
    pub name: String,
    /// Where the nodes are, from one end to the other; between two the curve is a helix.
    pub stations: Vec<BeamStation>,
    /// Sections by station.
    pub sections: Arc<dyn SectionLaw>,
    /// `β` (s): stresses of strain rates are `β K ε̇`.
    pub damping: f64,
    /// Velocity of the point of the beam at the world's origin (m/s), world axes.
    pub velocity: Vector3<f64>,
    /// Angular velocity (rad/s), world axes.
    pub spin: Vector3<f64>,
}

impl Beam {
    /// A beam through these stations, at rest and without damping.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        stations: Vec<BeamStation>,
        sections: impl SectionLaw + 'static,
    ) -> Self {
        let (velocity, spin) = (Vector3::zeros(), Vector3::zeros());
        Self { name: name.into(), stations, sections: Arc::new(sections), damping: 0.0, velocity, spin }
    }

    /// A straight beam along the `x` axis of a frame whose origin is at station zero, with nodes at these stations (m).
    #[must_use]
    pub fn straight(
        name: impl Into<String>,
        (origin, orientation): ([f64; 3], UnitQuaternion<f64>),
        stations: &[f64],
        sections: impl SectionLaw + 'static,
    ) -> Self {
        let place = |&station: &f64| {
            let position = Vector3::from(origin) + orientation * (Vector3::x() * station);
            BeamStation { station, position, orientation }
        };
        Self::new(name, stations.iter().map(place).collect(), sections)
    }

    /// Sets the damping `β` (s).
    #[must_use]
    pub fn with_damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Lets it move as a rigid body at the start: velocity of its point at the world's origin (m/s) and angular velocity
    /// (rad/s), both in world axes.
    #[must_use]
    pub fn moving(mut self, velocity: [f64; 3], spin: [f64; 3]) -> Self {
        (self.velocity, self.spin) = (velocity.into(), spin.into());
        self
    }

    /// Name of the body of a node, from 0.
    #[must_use]
    pub fn node(&self, number: usize) -> String {
        format!("{}.{number}", self.name)
    }

    /// Stations from one to another (m) in so many equal parts.
    #[must_use]
    pub fn even(from: f64, to: f64, elements: usize) -> Vec<f64> {
        let parts = elements.max(1);
        (0..=parts).map(|k| from + (to - from) * k as f64 / parts as f64).collect()
    }
}
