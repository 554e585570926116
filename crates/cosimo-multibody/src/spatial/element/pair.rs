//! Elements of two bodies by one gradient.

use nalgebra::Vector3;

use super::super::blocks::{give_blocks, scatter};
use super::super::pose::{Gradient, Hessian, Pair};
use super::law::{Element, ElementQuantity, Memory, Overturned};
use super::loads::{Loads, TangentBlocks};
use super::nodes::Nodes;

/// A force between two bodies by one gradient.
pub(crate) trait PairLaw: Send + Sync + std::fmt::Debug {
    /// Adds the negative generalised force on both bodies.
    fn add(&self, t: f64, pair: &Pair, out: &mut Gradient);

    /// Adds the negative derivatives by positions and by velocities.
    fn add_tangents(&self, t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian);

    /// Whether the force is shown. Default: it is.
    fn is_shown(&self) -> bool {
        true
    }

    /// Potential energy (J).
    fn potential(&self, _pair: &Pair) -> f64 {
        0.0
    }

    /// Power that damping takes out (W).
    fn dissipated_power(&self, _t: f64, _pair: &Pair) -> f64 {
        0.0
    }

    /// Power that is put in from outside (W).
    fn external_power(&self, _t: f64, _pair: &Pair) -> f64 {
        0.0
    }

    /// What the force does not follow on a step from the state accepted last; the velocities of `step` are its increments.
    fn angle_wrap(&self, _step: &Pair) -> Option<Overturned> {
        None
    }

    /// Whether the force jumps in about a step of size `h` (s) from this state.
    fn jumps(&self, _pair: &Pair, _h: f64) -> bool {
        false
    }

    /// Takes note of the start.
    fn start(&mut self, _pair: &Pair) {}

    /// Takes note of a step's end.
    fn accept(&mut self, _pair: &Pair) {}

    /// Appends what the force remembers: always as many numbers.
    fn save(&self, _out: &mut Vec<f64>) {}

    /// Takes as many numbers back; `None` where there are too few.
    fn restore(&mut self, _saved: &mut Memory<'_>) -> Option<()> {
        Some(())
    }
}

/// A law between two bodies as an element.
#[derive(Debug)]
pub(crate) struct PairElement<L> {
    pub(crate) law: L,
    /// Point of the second frame on its body, from the centre of mass, in body axes (m).
    pub(crate) arm: Vector3<f64>,
}

/// What the force does to the second body: force, and moment about the second frame's point, in world axes.
const SHOWN: [(&str, &str); 6] =
    [("fx", "N"), ("fy", "N"), ("fz", "N"), ("mx", "N m"), ("my", "N m"), ("mz", "N m")];

/// The two bodies of a pair.
fn bodies(nodes: &Nodes<'_>) -> [Option<usize>; 2] {
    [nodes.places.bodies[0], nodes.places.bodies[1]]
}

fn pair(nodes: &Nodes<'_>) -> Pair {
    Pair::read(nodes.q, nodes.v, bodies(nodes))
}

impl<L: PairLaw> Element for PairElement<L> {
    fn add_forces(&self, t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        let mut load = Gradient::default();
        self.law.add(t, &pair(nodes), &mut load);
        scatter(bodies(nodes), &load, out.out);
    }

    fn add_tangents(&self, t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        let (mut stiffness, mut damping) = (Hessian::default(), Hessian::default());
        self.law.add_tangents(t, &pair(nodes), &mut stiffness, &mut damping);
        give_blocks(bodies(nodes), &stiffness, |i, j, block| out.sink.stiffness(i, j, block));
        give_blocks(bodies(nodes), &damping, |i, j, block| out.sink.damping(i, j, block));
    }

    fn quantities(&self) -> Vec<ElementQuantity> {
        let shown = if self.law.is_shown() { SHOWN.as_slice() } else { &[] };
        shown.iter().map(|(name, unit)| ElementQuantity { name: (*name).to_owned(), unit }).collect()
    }

    fn observe(&self, t: f64, nodes: &Nodes<'_>, out: &mut [f64]) {
        if out.is_empty() {
            return;
        }
        let (mut load, pair) = (Gradient::default(), pair(nodes));
        self.law.add(t, &pair, &mut load);
        let felt = load.felt_by_second(&pair, bodies(nodes), &self.arm);
        out.iter_mut().zip(felt.iter().flat_map(Vector3::iter)).for_each(|(out, x)| *out = *x);
    }

    fn potential(&self, nodes: &Nodes<'_>) -> f64 {
        self.law.potential(&pair(nodes))
    }

    fn dissipated_power(&self, t: f64, nodes: &Nodes<'_>) -> f64 {
        self.law.dissipated_power(t, &pair(nodes))
    }

    fn external_power(&self, t: f64, nodes: &Nodes<'_>) -> f64 {
        self.law.external_power(t, &pair(nodes))
    }

    fn angle_wrap(&self, step: &Nodes<'_>) -> Option<Overturned> {
        self.law.angle_wrap(&pair(step))
    }

    fn jumps(&self, nodes: &Nodes<'_>, h: f64) -> bool {
        self.law.jumps(&pair(nodes), h)
    }

    fn start(&mut self, _t: f64, nodes: &Nodes<'_>) {
        self.law.start(&pair(nodes));
    }

    fn accept(&mut self, _t: f64, nodes: &Nodes<'_>) {
        self.law.accept(&pair(nodes));
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.law.save(out);
    }

    fn restore(&mut self, saved: &mut Memory<'_>) -> Option<()> {
        self.law.restore(saved)
    }
}
