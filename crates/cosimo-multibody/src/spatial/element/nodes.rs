//! Where the nodes of an element are and how they move.

use nalgebra::UnitQuaternion;

use super::super::pose::{Pose, Twist, orientation};

/// The bodies of an element among those of its system, and its states.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    /// Number of each node's body; `None` is the ground.
    pub(crate) bodies: &'a [Option<usize>],
    /// First of the element's states among the velocities of the system, and how many there are.
    pub(crate) states: (usize, usize),
    /// Number of the block of these states.
    pub(crate) block: usize,
}

/// Poses and velocities of the nodes of an element at one instant, and its states.
#[derive(Debug, Clone, Copy)]
pub struct Nodes<'a> {
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
    pub(crate) places: Places<'a>,
}

impl Nodes<'_> {
    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.bodies.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.bodies.is_empty()
    }

    /// Pose of the body of a node: its centre of mass and its axes. The frame of the node in it is the
    /// [`Marker`](crate::spatial::Marker) that the element was placed with.
    #[must_use]
    pub fn pose(&self, node: usize) -> Pose {
        Pose::read(self.q, self.body(node))
    }

    /// Orientation of the body of a node: turns its vectors into world vectors.
    #[must_use]
    pub fn orientation(&self, node: usize) -> UnitQuaternion<f64> {
        self.body(node).and_then(|body| orientation(self.q, body)).unwrap_or_default()
    }

    /// Velocities of the body of a node; zero where the element asks for positions only.
    #[must_use]
    pub fn twist(&self, node: usize) -> Twist {
        Twist::read(self.v, self.body(node))
    }

    /// The states of the element; none where it asks for positions only.
    #[must_use]
    pub fn states(&self) -> &[f64] {
        let (first, count) = self.places.states;
        self.v.get(first..first + count).unwrap_or_default()
    }

    fn body(&self, node: usize) -> Option<usize> {
        self.places.bodies.get(node).copied().flatten()
    }
}
