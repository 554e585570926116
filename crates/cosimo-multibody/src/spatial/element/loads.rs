//! Where an element adds its forces and their derivatives.

use cosimo_dynamics::MatrixSink;
use nalgebra::Vector3;

use super::nodes::Places;

/// Takes up the generalised forces of an element, with the sign of the balance: the negative of what acts on the nodes.
#[derive(Debug)]
pub struct Loads<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) out: &'a mut [f64],
}

impl Loads<'_> {
    /// Adds the negative force (N, world axes) and the negative moment about the centre of mass (N m, body axes) on the body
    /// of a node. Nothing happens to the ground.
    pub fn add(&mut self, node: usize, force: &Vector3<f64>, moment: &Vector3<f64>) {
        let Some(body) = self.places.bodies.get(node).copied().flatten() else { return };
        let own = &mut self.out[6 * body..6 * body + 6];
        for j in 0..3 {
            own[j] += force[j];
            own[3 + j] += moment[j];
        }
    }

    /// Adds the negative rates of the element's states.
    pub fn add_states(&mut self, rates: &[f64]) {
        let (first, count) = self.places.states;
        self.out[first..first + count].iter_mut().zip(rates).for_each(|(own, rate)| *own += rate);
    }
}

/// A row or a column of an element's matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Six increments of a node's body: translation in world axes, turn in body axes.
    Node(usize),
    /// The states of the element.
    States,
}

/// Takes up the derivatives of what an element adds to the balance.
pub struct TangentBlocks<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) sink: &'a mut dyn MatrixSink,
}

impl TangentBlocks<'_> {
    /// Adds the derivative of one part of the [`Loads`] by the positions of another, by columns. Nothing happens to the
    /// ground; by states there is none.
    pub fn stiffness(&mut self, row: Part, column: Part, values: &[f64]) {
        if let (Some(row), Some(column)) = (self.block(row), self.block(column)) {
            self.sink.stiffness(row, column, values);
        }
    }

    /// Adds the derivative of one part of the [`Loads`] by the velocities of another, or by the states, by columns.
    pub fn damping(&mut self, row: Part, column: Part, values: &[f64]) {
        if let (Some(row), Some(column)) = (self.block(row), self.block(column)) {
            self.sink.damping(row, column, values);
        }
    }

    fn block(&self, part: Part) -> Option<usize> {
        match part {
            Part::Node(node) => self.places.bodies.get(node).copied().flatten(),
            Part::States => (self.places.states.1 > 0).then_some(self.places.block),
        }
    }
}
