//! Gears with losses and teeth that give.

use super::super::element::{
    Element, ElementKind, ElementQuantity, Loads, Memory, Nodes, Overturned, Part, TangentBlocks,
};
use super::super::geometry::Geometry;
use super::super::joint::Marker;
use super::super::model_error::SpatialModelError;
use super::super::pose::{Gradient, Hessian, Pair};
use super::super::sensor::SensorKind;
use super::super::turns::Turns;

/// A gear with losses between two coordinates `s₁` and `s₂`, each measured between two nodes. The teeth are a spring and damper,
///
/// ```text
///   F = k e + c ė        e = s₂ − r s₁ − s₀
/// ```
///
/// and of what they transmit the share `1 − η` is lost, whichever side drives: with `ν = (1 − η)/2` the loads are
///
/// ```text
///   on s₁:  r ((1 − ν) F − ν |F| τ)        on s₂:  −(1 − ν) F − ν |F| τ        τ = tanh(ṡ₂/ε)
/// ```
///
/// The driving side feels `F`, the driven one `η F`; the power lost is `(1 − η) |F ṡ₂|`, which fades below the speed `ε`.
#[derive(Debug, Clone, PartialEq)]
pub struct GearMesh {
    /// What is measured between nodes 0 and 1, and between nodes 2 and 3; distances, displacements or angles.
    pub coordinates: [SensorKind; 2],
    /// Whole turns by which the angles are ahead of (−π, π] at the start.
    pub turns: [i32; 2],
    /// `r = ds₂/ds₁`, not zero.
    pub ratio: f64,
    /// `s₀`.
    pub offset: f64,
    /// `η`, in (0, 1].
    pub efficiency: f64,
    /// `k`, positive, of the second coordinate.
    pub stiffness: f64,
    /// `c`, zero or positive.
    pub damping: f64,
    /// `ε` (rad/s or m/s), positive: below it losses fade.
    pub slip_speed: f64,
}

/// Its quantities: the force of the teeth, and the power lost.
const SHOWN: [(&str, &str); 2] = [("load", ""), ("loss", "W")];

impl ElementKind for GearMesh {
    fn place(&self, owner: &str, markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        self.check(owner)?;
        let side = |k: usize| {
            let kind = self.coordinates[k];
            let [first, second] = [&markers[2 * k], &markers[2 * k + 1]];
            let geometry = kind.geometries(first, second).into_iter().next();
            let turns = (kind == SensorKind::Angle).then_some(Turns::whole(self.turns[k]));
            geometry.map(|geometry| Side { geometry, turns })
        };
        let (true, Some(first), Some(second)) = (markers.len() == 4, side(0), side(1)) else {
            let (owner, quantity, rule) =
                (owner.to_owned(), "number of frames", "four, two for each coordinate");
            return Err(SpatialModelError::OutOfRange { owner, quantity, found: markers.len() as f64, rule });
        };
        Ok(Box::new(PlacedMesh { sides: [first, second], mesh: self.clone() }))
    }
}

impl GearMesh {
    fn check(&self, owner: &str) -> Result<(), SpatialModelError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let rules = [
            ("ratio", self.ratio, self.ratio.is_finite() && self.ratio != 0.0, "finite and not zero"),
            ("offset", self.offset, self.offset.is_finite(), "finite"),
            ("efficiency", self.efficiency, self.efficiency > 0.0 && self.efficiency <= 1.0, "in (0, 1]"),
            ("stiffness", self.stiffness, positive(self.stiffness), "positive and finite"),
            (
                "damping",
                self.damping,
                self.damping >= 0.0 && self.damping.is_finite(),
                "finite and not negative",
            ),
            ("slip speed", self.slip_speed, positive(self.slip_speed), "positive and finite"),
        ];
        match rules.into_iter().find(|(_, _, is_right, _)| !is_right) {
            None => Ok(()),
            Some((quantity, found, _, rule)) => {
                Err(SpatialModelError::OutOfRange { owner: owner.to_owned(), quantity, found, rule })
            }
        }
    }
}

/// A number between two nodes.
#[derive(Debug, Clone, Copy)]
struct Side {
    geometry: Geometry,
    turns: Option<Turns>,
}

impl Side {
    fn value(&self, pair: &Pair) -> f64 {
        let value = self.geometry.value(pair);
        self.turns.map_or(value, |turns| turns.count(value))
    }
}

#[derive(Debug)]
struct PlacedMesh {
    sides: [Side; 2],
    mesh: GearMesh,
}

/// The pair of nodes of a side.
fn pair(nodes: &Nodes<'_>, side: usize) -> Pair {
    let [first, second] = [2 * side, 2 * side + 1];
    Pair { poses: [first, second].map(|k| nodes.pose(k)), twists: [first, second].map(|k| nodes.twist(k)) }
}

/// A mesh at a state.
struct Meshing {
    pairs: [Pair; 2],
    gradients: [Gradient; 2],
    rates: [f64; 2],
    /// `e`, `F`.
    error: f64,
    force: f64,
    /// `τ` and its derivative by `ṡ₂`.
    drag: [f64; 2],
}

impl PlacedMesh {
    fn at(&self, nodes: &Nodes<'_>) -> Meshing {
        let GearMesh { ratio, offset, stiffness, damping, slip_speed, .. } = self.mesh;
        let pairs = [0, 1].map(|k| pair(nodes, k));
        let values = [0, 1].map(|k| self.sides[k].value(&pairs[k]));
        let gradients = [0, 1].map(|k| self.sides[k].geometry.gradient(&pairs[k]));
        let rates = [0, 1].map(|k| gradients[k].rate(&pairs[k].twists));
        let error = values[1] - ratio * values[0] - offset;
        let force = stiffness * error + damping * (rates[1] - ratio * rates[0]);
        let drag = (rates[1] / slip_speed).tanh();
        Meshing { pairs, gradients, rates, error, force, drag: [drag, (1.0 - drag * drag) / slip_speed] }
    }

    /// Negative loads on both coordinates.
    fn loads(&self, Meshing { force, drag, .. }: &Meshing) -> [f64; 2] {
        let lost = 0.5 * (1.0 - self.mesh.efficiency);
        let (elastic, dragging) = ((1.0 - lost) * force, lost * force.abs() * drag[0]);
        [self.mesh.ratio * (dragging - elastic), elastic + dragging]
    }

    /// Derivatives of the negative loads by the force and by `ṡ₂`.
    fn load_derivatives(&self, Meshing { force, drag, .. }: &Meshing) -> [[f64; 2]; 2] {
        let lost = 0.5 * (1.0 - self.mesh.efficiency);
        let (by_force, by_rate) = (lost * force.signum() * drag[0], lost * force.abs() * drag[1]);
        let ratio = self.mesh.ratio;
        [[ratio * (by_force - 1.0 + lost), ratio * by_rate], [1.0 - lost + by_force, by_rate]]
    }

    /// Power taken out: what goes in at the coordinates less what the spring stores.
    fn lost(&self, meshing: &Meshing) -> f64 {
        let [first, second] = self.loads(meshing);
        let rate = meshing.rates[1] - self.mesh.ratio * meshing.rates[0];
        first * meshing.rates[0] + second * meshing.rates[1] - self.mesh.stiffness * meshing.error * rate
    }
}

/// Gives a product of gradients of two sides, node by node.
fn give_product(
    factor: f64,
    (row, left): (usize, &Gradient),
    (column, right): (usize, &Gradient),
    mut give: impl FnMut(Part, Part, &[f64]),
) {
    if factor == 0.0 {
        return;
    }
    let mut all = Hessian::default();
    all.add_product(factor, left, right);
    for i in 0..2 {
        for j in 0..2 {
            give(Part::Node(2 * row + i), Part::Node(2 * column + j), &all.block(i, j));
        }
    }
}

impl Element for PlacedMesh {
    fn add_forces(&self, _t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        let meshing = self.at(nodes);
        for (side, load) in self.loads(&meshing).into_iter().enumerate() {
            let parts = &meshing.gradients[side].0;
            for k in 0..2 {
                out.add(2 * side + k, &(parts[2 * k] * load), &(parts[2 * k + 1] * load));
            }
        }
    }

    fn add_tangents(&self, _t: f64, nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        let meshing = self.at(nodes);
        let GearMesh { ratio, stiffness, damping, .. } = self.mesh;
        let (loads, derivatives) = (self.loads(&meshing), self.load_derivatives(&meshing));
        let of_rates = [0, 1].map(|k| {
            let own = self.sides[k].geometry.hessian(&meshing.pairs[k]);
            own.rate_gradient(&meshing.pairs[k].twists)
        });
        let along = [-ratio, 1.0];
        for side in 0..2 {
            let mut own = Hessian::default();
            self.sides[side].geometry.add_hessian(loads[side], &meshing.pairs[side], &mut own);
            for i in 0..2 {
                for j in 0..2 {
                    out.stiffness(Part::Node(2 * side + i), Part::Node(2 * side + j), &own.block(i, j));
                }
            }
            let [by_force, by_rate] = derivatives[side];
            let row = (side, &meshing.gradients[side]);
            for other in 0..2 {
                let direct = if other == 1 { by_rate } else { 0.0 };
                let of_rate = by_force * damping * along[other] + direct;
                let (gradient, rate) = ((other, &meshing.gradients[other]), (other, &of_rates[other]));
                let by_value = by_force * stiffness * along[other];
                give_product(by_value, row, gradient, |i, j, block| out.stiffness(i, j, block));
                give_product(of_rate, row, rate, |i, j, block| out.stiffness(i, j, block));
                give_product(of_rate, row, gradient, |i, j, block| out.damping(i, j, block));
            }
        }
    }

    fn potential(&self, nodes: &Nodes<'_>) -> f64 {
        let error = self.at(nodes).error;
        0.5 * self.mesh.stiffness * error * error
    }

    fn dissipated_power(&self, _t: f64, nodes: &Nodes<'_>) -> f64 {
        self.lost(&self.at(nodes))
    }

    fn quantities(&self) -> Vec<ElementQuantity> {
        let unit = if self.sides[1].turns.is_some() { "N m" } else { "N" };
        let of = |(name, own): (&str, &'static str)| ElementQuantity {
            name: name.to_owned(),
            unit: if own.is_empty() { unit } else { own },
        };
        SHOWN.map(of).to_vec()
    }

    fn observe(&self, _t: f64, nodes: &Nodes<'_>, out: &mut [f64]) {
        let meshing = self.at(nodes);
        out.iter_mut().zip([-self.loads(&meshing)[1], self.lost(&meshing)]).for_each(|(out, x)| *out = x);
    }

    fn angle_wrap(&self, step: &Nodes<'_>) -> Option<Overturned> {
        let wrapped = |k: usize| self.sides[k].turns?.angle_wrap(&self.sides[k].geometry, &pair(step, k));
        wrapped(0).or_else(|| wrapped(1)).map(Overturned::Uncounted)
    }

    fn accept(&mut self, _t: f64, nodes: &Nodes<'_>) {
        for (k, side) in self.sides.iter_mut().enumerate() {
            let value = side.geometry.value(&pair(nodes, k));
            side.turns.iter_mut().for_each(|turns| turns.accept(value));
        }
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend(self.sides.iter().filter_map(|side| side.turns).map(Turns::saved));
    }

    fn restore(&mut self, saved: &mut Memory<'_>) -> Option<()> {
        for turns in self.sides.iter_mut().filter_map(|side| side.turns.as_mut()) {
            turns.restore(*saved.next()?);
        }
        Some(())
    }
}
