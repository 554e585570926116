//! What an element is to a model, and to the equations of motion.

use super::super::joint::Marker;
use super::super::model_error::SpatialModelError;
use super::inertia::SpatialInertia;
use super::loads::{Loads, TangentBlocks};
use super::nodes::Nodes;

/// An element as part of a model: what it adds to its nodes, and how it is made when they are found.
pub trait ElementKind: Send + Sync + std::fmt::Debug {
    /// Inertia that it adds to the body of a node, in the frame of the node. Default: none.
    fn inertia(&self, _node: usize) -> SpatialInertia {
        SpatialInertia::default()
    }

    /// States of first order at the start, `ẋ = f(t, q, v, x)`. Default: none.
    fn initial_states(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Makes the element for nodes at these places; `owner` names it in errors.
    ///
    /// # Errors
    /// What contradicts its data.
    fn place(&self, owner: &str, markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError>;
}

/// An element as part of the equations of motion.
///
/// Methods are pure, the same arguments give the same bits, and none of those that a step calls may allocate. All derivatives
/// are by increments of the nodes' bodies: translations in world axes, turns in body axes.
pub trait Element: Send + Sync + std::fmt::Debug {
    /// Adds the negative generalised forces on the nodes at the time `t` (s), and the negative rates of the states.
    fn add_forces(&self, t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>);

    /// Adds the exact derivatives of [`add_forces`](Self::add_forces) by positions and by velocities.
    fn add_tangents(&self, t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>);

    /// Potential energy (J). Kinetic energy is that of the bodies, added inertia included.
    fn potential(&self, _nodes: &Nodes<'_>) -> f64 {
        0.0
    }

    /// Whether the derivatives of the forces on one of these two nodes by the motion of the other are given. Default: all are.
    fn couples(&self, _first: usize, _second: usize) -> bool {
        true
    }

    /// Power that forces without a potential take out by damping (W).
    fn dissipated_power(&self, _t: f64, _nodes: &Nodes<'_>) -> f64 {
        0.0
    }

    /// Power that forces without a potential put in from outside (W).
    fn external_power(&self, _t: f64, _nodes: &Nodes<'_>) -> f64 {
        0.0
    }

    /// Why the element has no forces at the time `t` (s), which are then not finite. Default: it always has.
    fn rejection(&self, _t: f64, _nodes: &Nodes<'_>) -> Option<String> {
        None
    }

    /// What the element shows, in the order of [`observe`](Self::observe).
    fn quantities(&self) -> Vec<ElementQuantity> {
        Vec::new()
    }

    /// Writes what it shows.
    fn observe(&self, _t: f64, _nodes: &Nodes<'_>, _out: &mut [f64]) {}

    /// What the element does not follow on a step from the state accepted last; the velocities of `step` are its increments.
    fn angle_wrap(&self, _step: &Nodes<'_>) -> Option<Overturned> {
        None
    }

    /// Whether a force jumps in about a step of size `h` (s) from this state.
    fn jumps(&self, _nodes: &Nodes<'_>, _h: f64) -> bool {
        false
    }

    /// Takes note of the start, at the time `t` (s).
    fn start(&mut self, _t: f64, _nodes: &Nodes<'_>) {}

    /// Takes note of a step's end, at the time `t` (s); of the same instant again where the motion jumps.
    fn accept(&mut self, _t: f64, _nodes: &Nodes<'_>) {}

    /// Appends what the element remembers beside its states: always as many numbers.
    fn save(&self, _out: &mut Vec<f64>) {}

    /// Takes as many numbers back; `None` where there are too few.
    fn restore(&mut self, _saved: &mut Memory<'_>) -> Option<()> {
        Some(())
    }
}

/// Name and unit of a number that an element shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementQuantity {
    /// Name within the element, such as `fx`.
    pub name: String,
    /// Unit, such as `N`.
    pub unit: &'static str,
}

/// A turn that an element does not follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Overturned {
    /// An angle changes by so much (rad) in a step that its turns cannot be counted.
    Uncounted(f64),
    /// The rotation vector of a bushing is longer (rad) than that of a whole turn.
    Whole(f64),
    /// The ends of a beam element turn against each other by so much (rad) that its bending is not known from them.
    Bent(f64),
}

/// What elements remember, to be read one number after the other.
pub type Memory<'a> = std::slice::Iter<'a, f64>;
