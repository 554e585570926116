//! A beam in the plane, hinged at its root, in elements of constant strain.

use nalgebra::{DMatrix, DVector, Rotation2, Vector2};

/// Data of the paper, section 6.2. Gravity is not told there: a rigid rod reaches the wall at 0.327 s with this.
const LENGTH: f64 = 1.0;
const DENSITY: f64 = 7800.0;
const AREA: f64 = 1e-4;
const INERTIA: f64 = 8.33e-10;
const YOUNG: f64 = 2.1e11;
const POISSON: f64 = 0.3;
const GRAVITY: f64 = 10.0;
const WALL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// How strains follow from the nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Element {
    /// Between the nodes the curve is an arc (SE(3), in the plane).
    Helix,
    /// Positions and angles are linear between the nodes, the angle that of the middle.
    Line,
}

/// How the mass is distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mass {
    /// Every node carries the halves of its elements as rigid bodies.
    Halves,
    /// Velocities are linear between the nodes.
    Consistent,
}

/// Coordinates: the angle of the root, then `x`, `z` (of the centre of mass) and angle of every other node.
#[derive(Debug)]
pub(crate) struct Beam {
    count: usize,
    element: Element,
    part: f64,
    shear: f64,
    /// Of every node: mass, and where its centre is along the beam.
    bodies: Vec<(f64, f64)>,
    mass: DMatrix<f64>,
    inverse: DMatrix<f64>,
}

impl Beam {
    /// With `is_softened` a shear flexibility of `l²/(12 EI)` is added, which makes a cantilever of one element exact.
    pub(crate) fn new(count: usize, element: Element, mass: Mass, is_softened: bool) -> Self {
        let part = LENGTH / count as f64;
        let shear = 5.0 / 6.0 * AREA * YOUNG / (2.0 * (1.0 + POISSON));
        let softer = if is_softened { part * part / (12.0 * YOUNG * INERTIA) } else { 0.0 };
        let half = 0.5 * part * DENSITY * AREA;
        let node = |k: usize| match (mass, k) {
            (Mass::Halves, 0) => (half, 0.25 * part),
            (Mass::Halves, k) if k == count => (half, -0.25 * part),
            (_, k) if k == 0 || k == count => (half, 0.0),
            _ => (2.0 * half, 0.0),
        };
        let bodies: Vec<(f64, f64)> = (0..=count).map(node).collect();
        let mass = match mass {
            Mass::Halves => halves(&bodies, part),
            Mass::Consistent => consistent(count, part),
        };
        let inverse =
            mass.clone().try_inverse().unwrap_or_else(|| DMatrix::zeros(mass.nrows(), mass.ncols()));
        Self { count, element, part, shear: 1.0 / (1.0 / shear + softer), bodies, mass, inverse }
    }

    /// Level and straight.
    pub(crate) fn start(&self) -> DVector<f64> {
        let mut q = DVector::zeros(3 * self.count + 1);
        for k in 1..=self.count {
            q[3 * k - 2] = k as f64 * self.part + self.bodies[k].1;
        }
        q
    }

    pub(crate) fn inverse_mass(&self) -> &DMatrix<f64> {
        &self.inverse
    }

    /// Position of a node and its angle.
    fn node(&self, q: &DVector<f64>, k: usize) -> (Vector2<f64>, f64) {
        if k == 0 {
            return (Vector2::zeros(), q[0]);
        }
        let angle = q[3 * k];
        let arm = Rotation2::new(angle) * Vector2::new(self.bodies[k].1, 0.0);
        (Vector2::new(q[3 * k - 2], q[3 * k - 1]) - arm, angle)
    }

    /// Distance of the tip from the wall, its derivative, and what its acceleration has besides.
    pub(crate) fn gap(&self, q: &DVector<f64>, v: &DVector<f64>) -> (f64, DVector<f64>, f64) {
        let (position, angle) = self.node(q, self.count);
        let offset = self.bodies[self.count].1;
        let mut row = DVector::zeros(q.len());
        row[3 * self.count - 2] = 1.0;
        row[3 * self.count] = offset * angle.sin();
        (position.x - WALL, row, offset * angle.cos() * v[3 * self.count].powi(2))
    }

    pub(crate) fn energy(&self, q: &DVector<f64>, v: &DVector<f64>) -> f64 {
        self.forces(q).0 + 0.5 * v.dot(&(&self.mass * v))
    }

    /// Potential energy and forces.
    pub(crate) fn forces(&self, q: &DVector<f64>) -> (f64, DVector<f64>) {
        let mut potential = 0.0;
        let mut forces = DVector::zeros(q.len());
        for k in 1..=self.count {
            let ((a, from), (b, to)) = (self.node(q, k - 1), self.node(q, k));
            let (energy, force, moments) = self.strained(b - a, [from, to]);
            potential += energy;
            self.push(&mut forces, q, k - 1, (-force, moments[0]));
            self.push(&mut forces, q, k, (force, moments[1]));
        }
        let (mass, at) = self.bodies[0];
        potential += mass * GRAVITY * at * q[0].sin();
        forces[0] -= mass * GRAVITY * at * q[0].cos();
        for k in 1..=self.count {
            potential += self.bodies[k].0 * GRAVITY * q[3 * k - 1];
            forces[3 * k - 1] -= self.bodies[k].0 * GRAVITY;
        }
        (potential, forces)
    }

    /// A force and a moment at a node.
    fn push(
        &self,
        forces: &mut DVector<f64>,
        q: &DVector<f64>,
        k: usize,
        (force, moment): (Vector2<f64>, f64),
    ) {
        if k == 0 {
            forces[0] += moment;
            return;
        }
        let arm = Rotation2::new(q[3 * k]) * Vector2::new(-self.bodies[k].1, 0.0);
        forces[3 * k - 2] += force.x;
        forces[3 * k - 1] += force.y;
        forces[3 * k] += moment + arm.perp(&force);
    }

    /// Energy of an element, the force on its second node, and the moments on both.
    fn strained(&self, displacement: Vector2<f64>, [from, to]: [f64; 2]) -> (f64, Vector2<f64>, [f64; 2]) {
        let (axial, bending, length) = (YOUNG * AREA, YOUNG * INERTIA, self.part);
        let bend = to - from;
        let turn = match self.element {
            Element::Helix => Rotation2::new(from),
            Element::Line => Rotation2::new(0.5 * (from + to)),
        };
        let seen = turn.inverse() * displacement;
        // The way along the curve, in its own axes, and its derivatives by `seen` and by the bend.
        let half = 0.5 * bend;
        let (c, slope) = match self.element {
            Element::Line => (1.0, 0.0),
            Element::Helix if bend.abs() < 1e-3 => (1.0 - bend * bend / 12.0, -bend / 6.0),
            Element::Helix => (half / half.tan(), 0.5 / half.tan() - 0.5 * half / half.sin().powi(2)),
        };
        let side = if self.element == Element::Helix { 1.0 } else { 0.0 };
        let displacement = Vector2::new(c * seen.x + side * half * seen.y, c * seen.y - side * half * seen.x);
        let strain = (displacement - Vector2::new(length, 0.0)) / length;
        let stress = Vector2::new(axial * strain.x, self.shear * strain.y);
        let moment = bending * bend / length;
        let energy = 0.5 * (length * strain.dot(&stress) + moment * bend);
        // δV = stress · δway + moment δbend; δseen = Rᵀ δ(b − a) − turning · (−y, x).
        let back = Vector2::new(c * stress.x - side * half * stress.y, c * stress.y + side * half * stress.x);
        let by_bend = moment
            + stress.x * (slope * seen.x + side * 0.5 * seen.y)
            + stress.y * (slope * seen.y - side * 0.5 * seen.x);
        let by_turn = back.dot(&Vector2::new(seen.y, -seen.x));
        let shares = if self.element == Element::Helix { [1.0, 0.0] } else { [0.5, 0.5] };
        let moments = [by_bend - shares[0] * by_turn, -by_bend - shares[1] * by_turn];
        (energy, -(turn * back), moments)
    }
}

fn halves(bodies: &[(f64, f64)], part: f64) -> DMatrix<f64> {
    let last = bodies.len() - 1;
    let mut mass = DMatrix::zeros(3 * last + 1, 3 * last + 1);
    for (k, (own, at)) in bodies.iter().enumerate() {
        let length = if k == 0 || k == last { 0.5 * part } else { part };
        let moment = own * length * length / 12.0 + DENSITY * INERTIA * length;
        if k == 0 {
            mass[(0, 0)] = moment + own * at * at;
        } else {
            mass[(3 * k - 2, 3 * k - 2)] = *own;
            mass[(3 * k - 1, 3 * k - 1)] = *own;
            mass[(3 * k, 3 * k)] = moment;
        }
    }
    mass
}

fn consistent(count: usize, part: f64) -> DMatrix<f64> {
    let mut mass = DMatrix::zeros(3 * count + 1, 3 * count + 1);
    for k in 1..=count {
        for (a, b) in [(k - 1, k - 1), (k - 1, k), (k, k - 1), (k, k)] {
            let share = if a == b { part / 3.0 } else { part / 6.0 };
            mass[(3 * a, 3 * b)] += DENSITY * INERTIA * share;
            if a > 0 && b > 0 {
                mass[(3 * a - 2, 3 * b - 2)] += DENSITY * AREA * share;
                mass[(3 * a - 1, 3 * b - 1)] += DENSITY * AREA * share;
            }
        }
    }
    mass
}
