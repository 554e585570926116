//! Elements of two bodies by one gradient.

use super::super::blocks::{give_blocks, scatter};
use super::super::pose::{Gradient, Hessian, Pair};
use super::law::{Element, Memory, Overturned};
use super::loads::{Loads, TangentBlocks};
use super::nodes::Nodes;

/// A force between two bodies by one gradient.
pub(crate) trait PairLaw: Send + Sync + std::fmt::Debug {
    /// Adds the negative generalised force on both bodies.
    fn add(&self, t: f64, pair: &Pair, out: &mut Gradient);

    /// Adds the negative derivatives by positions and by velocities.
    fn add_tangents(&self, t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian);

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
    fn overturn(&self, _step: &Pair) -> Option<Overturned> {
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
pub(crate) struct PairElement<L>(pub(crate) L);

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
        self.0.add(t, &pair(nodes), &mut load);
        scatter(bodies(nodes), &load, out.out);
    }

    fn add_tangents(&self, t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        let (mut stiffness, mut damping) = (Hessian::default(), Hessian::default());
        self.0.add_tangents(t, &pair(nodes), &mut stiffness, &mut damping);
        give_blocks(bodies(nodes), &stiffness, |i, j, block| out.sink.stiffness(i, j, block));
        give_blocks(bodies(nodes), &damping, |i, j, block| out.sink.damping(i, j, block));
    }

    fn potential(&self, nodes: &Nodes<'_>) -> f64 {
        self.0.potential(&pair(nodes))
    }

    fn dissipated_power(&self, t: f64, nodes: &Nodes<'_>) -> f64 {
        self.0.dissipated_power(t, &pair(nodes))
    }

    fn external_power(&self, t: f64, nodes: &Nodes<'_>) -> f64 {
        self.0.external_power(t, &pair(nodes))
    }

    fn overturn(&self, step: &Nodes<'_>) -> Option<Overturned> {
        self.0.overturn(&pair(step))
    }

    fn jumps(&self, nodes: &Nodes<'_>, h: f64) -> bool {
        self.0.jumps(&pair(nodes), h)
    }

    fn start(&mut self, _t: f64, nodes: &Nodes<'_>) {
        self.0.start(&pair(nodes));
    }

    fn accept(&mut self, _t: f64, nodes: &Nodes<'_>) {
        self.0.accept(&pair(nodes));
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.0.save(out);
    }

    fn restore(&mut self, saved: &mut Memory<'_>) -> Option<()> {
        self.0.restore(saved)
    }
}
