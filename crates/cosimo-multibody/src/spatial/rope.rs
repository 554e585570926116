//! Ropes over points.

use nalgebra::Vector3;

use super::element::{Element, ElementKind, ElementQuantity, Loads, Nodes, Part, TangentBlocks};
use super::geometry::Geometry;
use super::joint::Marker;
use super::model_error::SpatialModelError;
use super::pose::{Gradient, Hessian, Pair};

/// Steps ahead, at the present rate, within which a rope counts as about to become tight.
const NEARLY: f64 = 1.5;

/// A rope without mass through points of bodies or the ground, its nodes: fixed to the first and the last one, free to slide over those
/// between, as over small pulleys without friction. The length is that of the polygon through the points:
///
/// ```text
///   L = Σ |pᵢ₊₁ − pᵢ|        F = max(0, k (L − L₀) + c L̇) where L > L₀, else 0
/// ```
///
/// The tension `F` is the same all along and never negative. Neighbouring points must not coincide.
#[derive(Debug, Clone, PartialEq)]
pub struct Rope {
    /// `L₀`, length without tension (m), positive.
    pub length: f64,
    /// `k` (N/m), positive.
    pub stiffness: f64,
    /// `c` (N s/m), zero or positive. With it the tension begins with a jump where the rope becomes tight.
    pub damping: f64,
}

impl ElementKind for Rope {
    fn place(&self, owner: &str, markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        let (nodes, damping) = (markers.len() as f64, self.damping);
        let rules = [
            ("length", self.length, is_positive(self.length), "positive and finite"),
            ("stiffness", self.stiffness, is_positive(self.stiffness), "positive and finite"),
            ("damping", damping, damping >= 0.0 && damping.is_finite(), "finite and not negative"),
            ("number of points", nodes, markers.len() >= 2, "at least two"),
        ];
        if let Some((quantity, found, _, rule)) = rules.into_iter().find(|(_, _, is_right, _)| !is_right) {
            return Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule });
        }
        let segments = markers.windows(2).map(|pair| Geometry::Distance { arms: [pair[0].arm, pair[1].arm] });
        Ok(Box::new(PlacedRope { segments: segments.collect(), rope: self.clone() }))
    }
}

#[derive(Debug)]
struct PlacedRope {
    /// Distances of neighbouring nodes.
    segments: Vec<Geometry>,
    rope: Rope,
}

/// The pair of nodes of a segment.
fn pair(nodes: &Nodes<'_>, segment: usize) -> Pair {
    let ends = [segment, segment + 1];
    Pair { poses: ends.map(|k| nodes.pose(k)), twists: ends.map(|k| nodes.twist(k)) }
}

/// Increments of a node: translation and turn.
type NodePart = [Vector3<f64>; 2];

impl PlacedRope {
    /// `L − L₀` and `L̇`.
    fn stretch(&self, nodes: &Nodes<'_>) -> [f64; 2] {
        let mut all = [-self.rope.length, 0.0];
        for (number, segment) in self.segments.iter().enumerate() {
            let pair = pair(nodes, number);
            all[0] += segment.value(&pair);
            all[1] += segment.gradient(&pair).rate(&pair.twists);
        }
        all
    }

    /// Tension and its derivatives by `L` and `L̇`.
    fn tension(&self, [stretch, rate]: [f64; 2]) -> [f64; 3] {
        let Rope { stiffness, damping, .. } = self.rope;
        let force = stiffness * stretch + damping * rate;
        if stretch > 0.0 && force > 0.0 { [force, stiffness, damping] } else { [0.0; 3] }
    }

    /// What a number of the segments that meet at a node has there.
    fn at_node(&self, nodes: &Nodes<'_>, node: usize, of: impl Fn(&Geometry, &Pair) -> Gradient) -> NodePart {
        let mut all = [Vector3::zeros(); 2];
        for (segment, half) in [(node.wrapping_sub(1), 1), (node, 0)] {
            let Some(geometry) = self.segments.get(segment) else { continue };
            let part = of(geometry, &pair(nodes, segment));
            all[0] += part.0[2 * half];
            all[1] += part.0[2 * half + 1];
        }
        all
    }

    /// `∂L/∂q` of a node.
    fn gradient(&self, nodes: &Nodes<'_>, node: usize) -> NodePart {
        self.at_node(nodes, node, Geometry::gradient)
    }

    /// `∂L̇/∂q` of a node.
    fn rate_gradient(&self, nodes: &Nodes<'_>, node: usize) -> NodePart {
        self.at_node(nodes, node, |segment, pair| segment.hessian(pair).rate_gradient(&pair.twists))
    }
}

/// The product of what two nodes have, `6 × 6` by columns.
fn product(factor: f64, row: &NodePart, column: &NodePart) -> [f64; 36] {
    let number = |part: &NodePart, k: usize| part[k / 3][k % 3];
    std::array::from_fn(|k| factor * number(row, k % 6) * number(column, k / 6))
}

impl Element for PlacedRope {
    fn add_forces(&self, _t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        let [force, ..] = self.tension(self.stretch(nodes));
        if force > 0.0 {
            for node in 0..nodes.len() {
                let [way, turn] = self.gradient(nodes, node);
                out.add(node, &(way * force), &(turn * force));
            }
        }
    }

    fn add_tangents(&self, _t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        let [force, by_length, by_rate] = self.tension(self.stretch(nodes));
        if force <= 0.0 {
            return;
        }
        for (number, segment) in self.segments.iter().enumerate() {
            let mut own = Hessian::default();
            segment.add_hessian(force, &pair(nodes, number), &mut own);
            for i in 0..2 {
                for j in 0..2 {
                    out.stiffness(Part::Node(number + i), Part::Node(number + j), &own.block(i, j));
                }
            }
        }
        for j in 0..nodes.len() {
            let column = self.gradient(nodes, j);
            let column_of_rate = (by_rate > 0.0).then(|| self.rate_gradient(nodes, j));
            for i in 0..nodes.len() {
                let (row_part, column_part) = (Part::Node(i), Part::Node(j));
                let row = self.gradient(nodes, i);
                out.stiffness(row_part, column_part, &product(by_length, &row, &column));
                if let Some(of_rate) = &column_of_rate {
                    out.stiffness(row_part, column_part, &product(by_rate, &row, of_rate));
                    out.damping(row_part, column_part, &product(by_rate, &row, &column));
                }
            }
        }
    }

    fn potential(&self, nodes: &Nodes<'_>) -> f64 {
        let stretch = self.stretch(nodes)[0].max(0.0);
        0.5 * self.rope.stiffness * stretch * stretch
    }

    fn dissipated_power(&self, _t: f64, nodes: &Nodes<'_>) -> f64 {
        let [stretch, rate] = self.stretch(nodes);
        (self.tension([stretch, rate])[0] - self.rope.stiffness * stretch.max(0.0)) * rate
    }

    fn quantities(&self) -> Vec<ElementQuantity> {
        let of = |(name, unit): (&str, _)| ElementQuantity { name: name.to_owned(), unit };
        [("tension", "N"), ("length", "m")].map(of).to_vec()
    }

    fn observe(&self, _t: f64, nodes: &Nodes<'_>, out: &mut [f64]) {
        let stretch = self.stretch(nodes);
        let shown = [self.tension(stretch)[0], self.rope.length + stretch[0]];
        out.iter_mut().zip(shown).for_each(|(out, x)| *out = x);
    }

    fn jumps(&self, nodes: &Nodes<'_>, h: f64) -> bool {
        let [stretch, rate] = self.stretch(nodes);
        self.rope.damping > 0.0 && stretch <= 0.0 && stretch + NEARLY * h * rate > 0.0
    }
}
