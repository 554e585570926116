//! A gear among the bodies of a system.

use super::super::coordinate::Coordinate;
use super::super::pose::{Gradient, Hessian, Pair};
use super::super::sensor::PlacedSensor;
use super::transfer::Transfer;

/// A gear whose coordinates are found.
#[derive(Debug, Clone)]
pub(crate) struct PlacedGear {
    pub(crate) name: String,
    pub(crate) sides: [Coordinate; 2],
    transfer: Transfer,
    /// Its row among all.
    pub(crate) row: usize,
}

/// A gear at a state: `φ = s₂ − f(s₁)`.
pub(crate) struct Meshing {
    /// `φ`.
    pub(crate) error: f64,
    /// `∂φ/∂s` of both coordinates.
    factors: [f64; 2],
    /// `f''`.
    bend: f64,
    pairs: [Pair; 2],
    gradients: [Gradient; 2],
}

/// A part of a row: the gradient of one side by its bodies.
pub(crate) type SideRow = ([Option<usize>; 2], Gradient);

impl PlacedGear {
    pub(crate) fn new(name: &str, sides: [Coordinate; 2], transfer: Transfer) -> Self {
        Self { name: name.to_owned(), sides, transfer, row: 0 }
    }

    /// The bodies of both coordinates.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> + '_ {
        self.sides.iter().flat_map(Coordinate::bodies).flatten()
    }

    /// The gear at this state of the system whose sensors count the turns; `v` may be empty where velocities do not matter.
    pub(crate) fn at(&self, sensors: &[PlacedSensor], q: &[f64], v: &[f64]) -> Meshing {
        let pairs = [0, 1].map(|k| Pair::read(q, v, self.sides[k].bodies()));
        let [first, second] = [0, 1].map(|k| {
            let side = &self.sides[k];
            sensors[side.sensor()].counted(side.geometry().value(&pairs[k]))
        });
        let [value, slope, bend] = self.transfer.at(first);
        let gradients = [0, 1].map(|k| self.sides[k].geometry().gradient(&pairs[k]));
        Meshing { error: second - value, factors: [-slope, 1.0], bend, pairs, gradients }
    }

    /// `∂φ/∂q`, in its two parts.
    pub(crate) fn gradient(&self, meshing: &Meshing) -> [SideRow; 2] {
        [0, 1].map(|k| {
            let mut part = Gradient::default();
            part.add(meshing.factors[k], &meshing.gradients[k]);
            (self.sides[k].bodies(), part)
        })
    }

    /// `∂φ̇/∂q`, in its two parts.
    pub(crate) fn rate_gradient(&self, meshing: &Meshing) -> [SideRow; 2] {
        let Meshing { factors, bend, pairs, gradients, .. } = meshing;
        [0, 1].map(|k| {
            let own = self.sides[k].geometry().hessian(&pairs[k]).rate_gradient(&pairs[k].twists);
            let mut part = Gradient::default();
            part.add(factors[k], &own);
            if k == 0 {
                part.add(-bend * gradients[0].rate(&pairs[0].twists), &gradients[0]);
            }
            (self.sides[k].bodies(), part)
        })
    }

    /// `φ̈` at accelerations `a`.
    pub(crate) fn acceleration(&self, meshing: &Meshing, q: &[f64], a: &[f64]) -> f64 {
        let Meshing { factors, bend, pairs, gradients, .. } = meshing;
        let of_side = |k: usize| {
            let along = gradients[k].rate(&Pair::read(q, a, self.sides[k].bodies()).twists);
            factors[k] * (along + self.sides[k].geometry().curvature(&pairs[k]))
        };
        let rate = gradients[0].rate(&pairs[0].twists);
        of_side(0) + of_side(1) - bend * rate * rate
    }

    /// `∂(φ' μ)/∂q` of each side; between the sides there is none.
    pub(crate) fn stiffness(&self, meshing: &Meshing, mu: f64) -> [([Option<usize>; 2], Hessian); 2] {
        let Meshing { factors, bend, pairs, gradients, .. } = meshing;
        [0, 1].map(|k| {
            let mut own = Hessian::default();
            self.sides[k].geometry().add_hessian(factors[k] * mu, &pairs[k], &mut own);
            if k == 0 && *bend != 0.0 {
                own.add_product(-bend * mu, &gradients[0], &gradients[0]);
            }
            (self.sides[k].bodies(), own)
        })
    }
}

impl Meshing {
    /// `φ̇`.
    pub(crate) fn rate(&self) -> f64 {
        let of_side = |k: usize| self.factors[k] * self.gradients[k].rate(&self.pairs[k].twists);
        of_side(0) + of_side(1)
    }
}
