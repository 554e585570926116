//! An element among the bodies of a system.

use cosimo_dynamics::{MatrixSink, Motion};

use super::law::Element;
use super::loads::{Loads, TangentBlocks};
use super::nodes::{Nodes, Places};

/// An element whose bodies are found.
#[derive(Debug)]
pub(crate) struct PlacedElement {
    pub(crate) name: String,
    /// What messages call it, such as ``force `spring` ``.
    pub(crate) owner: String,
    pub(crate) bodies: Vec<Option<usize>>,
    pub(crate) initial_states: Vec<f64>,
    /// First state among the velocities of the system, and the number of the block of states.
    pub(crate) states: (usize, usize),
    /// Unit matrix of the states.
    unit: Vec<f64>,
    /// Numbers that it shows.
    pub(crate) shown: usize,
    pub(crate) element: Box<dyn Element>,
}

impl PlacedElement {
    pub(crate) fn new(
        name: &str,
        owner: String,
        bodies: Vec<Option<usize>>,
        element: Box<dyn Element>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            owner,
            bodies,
            initial_states: Vec::new(),
            states: (0, 0),
            unit: Vec::new(),
            shown: element.quantities().len(),
            element,
        }
    }

    pub(crate) fn with_states(mut self, states: Vec<f64>) -> Self {
        let n = states.len();
        self.unit = (0..n * n).map(|k| if k % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        self.initial_states = states;
        self
    }

    fn places(&self) -> Places<'_> {
        let (first, block) = self.states;
        Places { bodies: &self.bodies, states: (first, self.initial_states.len()), block }
    }

    /// Its nodes; `v` may be empty where velocities do not matter.
    pub(crate) fn nodes<'a>(&'a self, q: &'a [f64], v: &'a [f64]) -> Nodes<'a> {
        Nodes { q, v, places: self.places() }
    }

    /// Takes note of a state by `note`, which changes the element alone.
    pub(crate) fn note(&mut self, q: &[f64], v: &[f64], note: impl FnOnce(&mut dyn Element, &Nodes<'_>)) {
        let (first, block) = self.states;
        let places = Places { bodies: &self.bodies, states: (first, self.initial_states.len()), block };
        note(self.element.as_mut(), &Nodes { q, v, places });
    }

    /// Adds the forces, and the accelerations `a` of the states, whose mass is one.
    pub(crate) fn add_forces(&self, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        let (first, n) = (self.states.0, self.initial_states.len());
        if n > 0 {
            out[first..first + n].iter_mut().zip(&a[first..]).for_each(|(out, a)| *out += a);
        }
        let mut loads = Loads { places: self.places(), out };
        self.element.add_forces(motion.t, &self.nodes(motion.q, motion.v), &mut loads);
    }

    pub(crate) fn add_tangents(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        let mut blocks = TangentBlocks { places: self.places(), sink };
        self.element.add_tangents(motion.t, &self.nodes(motion.q, motion.v), &mut blocks);
    }

    /// The mass of the states.
    pub(crate) fn give_mass(&self, sink: &mut dyn MatrixSink) {
        if !self.unit.is_empty() {
            sink.mass(self.states.1, &self.unit);
        }
    }

    /// Copies the states of `x` where they are multiplied by their mass.
    pub(crate) fn copy_states(&self, x: &[f64], out: &mut [f64]) {
        let (first, n) = (self.states.0, self.initial_states.len());
        if n > 0 {
            out[first..first + n].copy_from_slice(&x[first..first + n]);
        }
    }

    /// Pairs of coordinate blocks that it couples; states couple with every node.
    pub(crate) fn couplings(&self) -> Vec<(usize, usize)> {
        let own = (!self.unit.is_empty()).then_some(self.states.1);
        let nodes = self.bodies.len();
        let pairs = (0..nodes).flat_map(|i| (i + 1..nodes).map(move |j| (i, j)));
        let coupled = pairs.filter(|(i, j)| self.element.couples(*i, *j));
        let of_nodes = coupled.filter_map(|(i, j)| Some((self.bodies[i]?, self.bodies[j]?)));
        let of_states = self.bodies.iter().filter_map(|body| Some(((*body)?, own?)));
        of_nodes.chain(of_states).filter(|(first, second)| first != second).collect()
    }
}
