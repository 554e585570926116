//! The rows of a contact whose bodies are found.

use cosimo_dynamics::{State, StateChange};
use nalgebra::{Matrix3, Vector3};

use super::number::NumberGap;
use super::touch::{Surfaces, Touch};
use crate::spatial::blocks::scatter;
use crate::spatial::coordinate::Coordinate;
use crate::spatial::pose::{Gradient, Pair, Twist};

/// A contact whose bodies are found: its first row is the gap, two more are the slips where it has surfaces that slide.
/// Slices of rates and loads have one entry, of a contact without friction, or three.
#[derive(Debug, Clone)]
pub struct PlacedContact {
    pub(super) bodies: [Option<usize>; 2],
    pub(super) rows: Rows,
}

/// What the rows are made of.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    /// Gap and slips.
    Surfaces(Surfaces),
    /// A gap alone.
    Number(NumberGap),
}

/// A contact of a system.
#[derive(Debug, Clone)]
pub(crate) struct NamedContact {
    pub(crate) name: String,
    pub(crate) contact: PlacedContact,
}

impl PlacedContact {
    /// Whether it has slips.
    #[must_use]
    pub fn has_slips(&self) -> bool {
        matches!(self.rows, Rows::Surfaces(_))
    }

    /// What its rows belong to.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The normal that the tangents of two spheres belong to, in the axes of the first body; `None` of other contacts.
    pub(super) fn normal_at_start(&self) -> Option<Vector3<f64>> {
        match &self.rows {
            Rows::Surfaces(Surfaces::Spheres(spheres)) => Some(spheres.normal_at_start()),
            _ => None,
        }
    }

    /// The two bodies; `None` is the ground.
    #[must_use]
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.bodies
    }

    /// The gap, of which `number` is what a sensor measures.
    pub(crate) fn gap(&self, q: &[f64], number: impl Fn(&Coordinate) -> f64) -> f64 {
        match &self.rows {
            Rows::Surfaces(surfaces) => surfaces.gap(&self.pair(q, &[])),
            Rows::Number(NumberGap::Function(function)) => function.value(&self.pair(q, &[])),
            Rows::Number(NumberGap::Stop { coordinate, limit, sign }) => sign * (number(coordinate) - limit),
        }
    }

    fn pair(&self, q: &[f64], v: &[f64]) -> Pair {
        Pair::read(q, v, self.bodies)
    }

    /// Velocities of gap and slips (m/s).
    pub fn rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        let pair = self.pair(q, v);
        match &self.rows {
            Rows::Surfaces(surfaces) => {
                let touch = surfaces.touch(&pair);
                write(&touch.axes.tr_mul(&touch.velocity(&pair, &pair.twists)), out);
            }
            Rows::Number(number) => out[0] = number.gradient(&pair).rate(&pair.twists),
        }
    }

    /// The point of contact (m), and the axes `n, t₁, t₂` as columns, in world axes; `None` of a gap that is one number.
    #[must_use]
    pub fn place(&self, q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        let Rows::Surfaces(surfaces) = &self.rows else { return None };
        let touch = surfaces.touch(&self.pair(q, &[]));
        Some((touch.point, touch.axes))
    }

    /// Whether a vector as long as the velocities is not zero at its bodies.
    #[must_use]
    pub fn is_moved_by(&self, x: &[f64]) -> bool {
        let own = |body: &usize| x.iter().skip(6 * body).take(6).any(|x| *x != 0.0);
        self.bodies.iter().flatten().any(own)
    }

    /// Changes of the velocities with the increment `dq` of the positions and the change `dv` of the velocities, both as long
    /// as `v`.
    pub fn rate_changes(
        &self,
        State { q, v }: State<'_>,
        StateChange { dq, dv }: StateChange<'_>,
        out: &mut [f64],
    ) {
        let pair = self.pair(q, v);
        let [displacement, change] = [dq, dv].map(|x| [0, 1].map(|k| Twist::read(x, self.bodies[k])));
        match &self.rows {
            Rows::Surfaces(surfaces) => {
                let (touch, moved) = (surfaces.touch(&pair), surfaces.rates(&pair, &displacement));
                let velocity = touch.velocity(&pair, &pair.twists);
                let changed =
                    touch.velocity(&pair, &change) + touch.turned_velocity(&pair, &moved, &displacement);
                write(&(moved.axes.tr_mul(&velocity) + touch.axes.tr_mul(&changed)), out);
            }
            Rows::Number(number) => {
                let of_positions = number.hessian(&pair).rate_gradient(&pair.twists).rate(&displacement);
                out[0] = of_positions + number.gradient(&pair).rate(&change);
            }
        }
    }

    /// The gap where angles of stops do not count turns, but begin in those of [`without_turns`](crate::spatial::SpatialSystem::without_turns).
    #[must_use]
    pub fn gap_near(&self, q: &[f64]) -> f64 {
        self.gap(q, |coordinate| coordinate.geometry().value(&Pair::read(q, &[], coordinate.bodies())))
    }

    /// By how much the gap of a stop changes with what it stops; 1 of others.
    pub(crate) fn sign_of_stop(&self) -> f64 {
        if let Rows::Number(NumberGap::Stop { sign, .. }) = &self.rows { *sign } else { 1.0 }
    }

    /// The same contact, of a stop with this added to its limit (m or rad).
    pub(crate) fn with_limit_moved(mut self, by: f64) -> Self {
        if let Rows::Number(NumberGap::Stop { limit, .. }) = &mut self.rows {
            *limit += by;
        }
        self
    }

    /// Gives the blocks of the first `rows` rows of the Jacobian: the body and its `rows × 6` numbers by columns, `rows` at most 3.
    pub fn give_jacobian(&self, q: &[f64], rows: usize, mut give: impl FnMut(usize, &[f64])) {
        let pair = self.pair(q, &[]);
        let mut blocks = [[0.0; 18]; 2];
        let mut fill = |row: usize, gradient: &Gradient| {
            for (k, block) in blocks.iter_mut().enumerate() {
                for j in 0..6 {
                    block[j * rows + row] = gradient.0[2 * k + j / 3][j % 3];
                }
            }
        };
        match &self.rows {
            Rows::Surfaces(surfaces) => {
                let touch = surfaces.touch(&pair);
                (0..rows)
                    .for_each(|row| fill(row, &touch.on_bodies(&pair, &touch.axes.column(row).into_owned())));
            }
            Rows::Number(number) => fill(0, &number.gradient(&pair)),
        }
        for (body, block) in self.bodies.iter().zip(&blocks) {
            body.iter().for_each(|body| give(*body, &block[..6 * rows]));
        }
    }

    /// Gives, for each body, the derivatives of the velocities of the first `rows` rows by increments of its position and by changes of its
    /// velocity: the body and twice `rows × 6` numbers by columns, `rows` at most 3.
    pub fn give_rate_gradients(
        &self,
        State { q, v }: State<'_>,
        rows: usize,
        mut give: impl FnMut(usize, [&[f64]; 2]),
    ) {
        let pair = self.pair(q, v);
        let mut of_positions = [[0.0; 18]; 2];
        match &self.rows {
            Rows::Surfaces(surfaces) => self.surface_gradients((surfaces, &pair), rows, &mut of_positions),
            Rows::Number(number) => {
                let gradient = number.hessian(&pair).rate_gradient(&pair.twists);
                for (k, block) in of_positions.iter_mut().enumerate() {
                    (0..6).for_each(|j| block[j * rows] = gradient.0[2 * k + j / 3][j % 3]);
                }
            }
        }
        let mut side = self.bodies.iter().zip(&of_positions).filter(|(body, _)| body.is_some());
        self.give_jacobian(q, rows, |body, of_velocities| {
            if let Some((_, block)) = side.next() {
                give(body, [&block[..6 * rows], of_velocities]);
            }
        });
    }

    /// Derivatives of the rates of surfaces by the increments of both bodies.
    fn surface_gradients(&self, (surfaces, pair): (&Surfaces, &Pair), rows: usize, out: &mut [[f64; 18]; 2]) {
        let touch = surfaces.touch(pair);
        let velocity = touch.velocity(pair, &pair.twists);
        for (k, block) in out.iter_mut().enumerate().filter(|(k, _)| self.bodies[*k].is_some()) {
            for (j, column) in block[..6 * rows].chunks_exact_mut(rows).enumerate() {
                let mut displacement = [Twist::default(); 2];
                let unit = Vector3::ith(j % 3, 1.0);
                *(if j < 3 { &mut displacement[k].velocity } else { &mut displacement[k].spin }) = unit;
                let moved = surfaces.rates(pair, &displacement);
                let turned = touch.turned_velocity(pair, &moved, &displacement);
                write(&(moved.axes.tr_mul(&velocity) + touch.axes.tr_mul(&turned)), column);
            }
        }
    }

    /// Adds `Zᵀ ℓ` of these loads, as long as the velocities.
    pub fn add_force(&self, q: &[f64], loads: &[f64], out: &mut [f64]) {
        let pair = self.pair(q, &[]);
        let force = match &self.rows {
            Rows::Surfaces(surfaces) => {
                let touch = surfaces.touch(&pair);
                touch.on_bodies(&pair, &(touch.axes * read(loads)))
            }
            Rows::Number(number) => {
                let mut force = Gradient::default();
                force.add(loads[0], &number.gradient(&pair));
                force
            }
        };
        scatter(self.bodies, &force, out);
    }
}

/// Signs of the force on the first and the second body.
const SIDES: [(usize, f64); 2] = [(0, -1.0), (1, 1.0)];

impl Touch {
    /// Velocity of the second body over the first at the point, with these velocities.
    fn velocity(&self, pair: &Pair, twists: &[Twist; 2]) -> Vector3<f64> {
        let of = |(k, sign): (usize, f64)| {
            let spin = pair.poses[k].rotation * twists[k].spin;
            (twists[k].velocity + spin.cross(&(self.point - pair.poses[k].position))) * sign
        };
        SIDES.map(of).iter().sum()
    }

    /// How that changes as the point moves on the bodies and their axes turn by the increments `displacement`.
    fn turned_velocity(&self, pair: &Pair, moved: &Self, displacement: &[Twist; 2]) -> Vector3<f64> {
        let of = |(k, sign): (usize, f64)| {
            let (pose, twist) = (&pair.poses[k], &pair.twists[k]);
            let spin = pose.rotation * twist.spin;
            let turned = pose.rotation * displacement[k].spin.cross(&twist.spin);
            let arm = self.point - pose.position;
            (turned.cross(&arm) + spin.cross(&(moved.point - displacement[k].velocity))) * sign
        };
        SIDES.map(of).iter().sum()
    }

    /// The generalised force of a force at the point, on the second body.
    fn on_bodies(&self, pair: &Pair, force: &Vector3<f64>) -> Gradient {
        let mut out = Gradient::default();
        for (k, sign) in SIDES {
            let pose = &pair.poses[k];
            out.0[2 * k] = force * sign;
            out.0[2 * k + 1] = pose.rotation.tr_mul(&(self.point - pose.position).cross(force)) * sign;
        }
        out
    }
}

/// Loads along the axes; those that are not given are zero.
fn read(loads: &[f64]) -> Vector3<f64> {
    let mut out = Vector3::zeros();
    out.iter_mut().zip(loads).for_each(|(own, load)| *own = *load);
    out
}

/// Writes as many as there is room for.
fn write(values: &Vector3<f64>, out: &mut [f64]) {
    out.iter_mut().zip(values.iter()).for_each(|(out, value)| *out = *value);
}
