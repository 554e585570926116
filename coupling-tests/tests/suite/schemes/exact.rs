//! The elastic blade with the node in one piece, followed from event to event: modes of the free and of the held blade,
//! instants of impacts and releases by bisection.

use nalgebra::{Cholesky, DMatrix, DVector, SymmetricEigen};

/// Impacts slower than this (m/s) close the contact.
const STICK: f64 = 1e-6;

/// `M a + K q = f` with a contact on one coordinate.
pub(crate) struct Exact {
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    load: DVector<f64>,
    contact: usize,
    restitution: f64,
    /// What an impulse on the contact does to the velocities.
    answer: DVector<f64>,
    free: Modes,
    held: Modes,
    pub(crate) impacts: usize,
    is_closed: bool,
}

/// Squared frequencies and shapes with `Vᵀ M V = I`.
struct Modes {
    squares: DVector<f64>,
    shapes: DMatrix<f64>,
    /// `Vᵀ M` and `Vᵀ`.
    to_modes: [DMatrix<f64>; 2],
}

impl Modes {
    fn new(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Self {
        let inverse = Cholesky::new(mass.clone()).unwrap().l().try_inverse().unwrap();
        let symmetric = &inverse * stiffness * inverse.transpose();
        let eigen = SymmetricEigen::new(0.5 * (&symmetric + symmetric.transpose()));
        let shapes = inverse.transpose() * eigen.eigenvectors;
        let most = eigen.eigenvalues.amax();
        let squares = eigen.eigenvalues.map(|w| if w < 1e-9 * most { 0.0 } else { w });
        Self { squares, to_modes: [shapes.transpose() * mass, shapes.transpose()], shapes }
    }

    /// State after `t` from `(q, v)` under a constant load.
    fn after(
        &self,
        (q, v): (&DVector<f64>, &DVector<f64>),
        load: &DVector<f64>,
        t: f64,
    ) -> [DVector<f64>; 2] {
        let [mass, plain] = &self.to_modes;
        let (x, y, f) = (mass * q, mass * v, plain * load);
        let n = x.len();
        let (mut x1, mut y1) = (DVector::zeros(n), DVector::zeros(n));
        for k in 0..n {
            if self.squares[k] == 0.0 {
                x1[k] = x[k] + y[k] * t + 0.5 * f[k] * t * t;
                y1[k] = y[k] + f[k] * t;
            } else {
                let (w, rest) = (self.squares[k].sqrt(), f[k] / self.squares[k]);
                let (sin, cos) = (w * t).sin_cos();
                x1[k] = (x[k] - rest) * cos + y[k] * sin / w + rest;
                y1[k] = -(x[k] - rest) * w * sin + y[k] * cos;
            }
        }
        [&self.shapes * x1, &self.shapes * y1]
    }
}

impl Exact {
    pub(crate) fn new(
        (mass, stiffness, load): (DMatrix<f64>, DMatrix<f64>, DVector<f64>),
        contact: usize,
        restitution: f64,
    ) -> Self {
        let held = |a: &DMatrix<f64>| a.clone().remove_row(contact).remove_column(contact);
        Self {
            free: Modes::new(&mass, &stiffness),
            held: Modes::new(&held(&mass), &held(&stiffness)),
            answer: mass.clone().try_inverse().unwrap().column(contact).into_owned(),
            mass,
            stiffness,
            load,
            contact,
            restitution,
            impacts: 0,
            is_closed: false,
        }
    }

    pub(crate) fn energy(&self, q: &DVector<f64>, v: &DVector<f64>) -> f64 {
        0.5 * v.dot(&(&self.mass * v)) + 0.5 * q.dot(&(&self.stiffness * q)) - self.load.dot(q)
    }

    fn after(&self, (q, v): (&DVector<f64>, &DVector<f64>), t: f64) -> [DVector<f64>; 2] {
        if !self.is_closed {
            return self.free.after((q, v), &self.load, t);
        }
        let without = |x: &DVector<f64>| x.clone().remove_row(self.contact);
        let [q1, v1] = self.held.after((&without(q), &without(v)), &without(&self.load), t);
        [q1.insert_row(self.contact, 0.0), v1.insert_row(self.contact, 0.0)]
    }

    /// Force of the closed contact.
    fn force(&self, q: &DVector<f64>) -> f64 {
        let rest = &self.load - &self.stiffness * q;
        let without = |x: DVector<f64>| x.remove_row(self.contact);
        let coupled = without(self.mass.column(self.contact).into_owned());
        let acceleration = &self.held.shapes * (&self.held.to_modes[1] * without(rest.clone()));
        coupled.dot(&acceleration) - rest[self.contact]
    }

    /// Whether the event that ends the present phase lies before this state.
    fn is_over(&self, q: &DVector<f64>) -> bool {
        if self.is_closed { self.force(q) < 0.0 } else { q[self.contact] < 0.0 }
    }

    /// Goes on by `t`, through all events.
    pub(crate) fn advance(&mut self, q: &mut DVector<f64>, v: &mut DVector<f64>, t: f64) {
        let mut left = t;
        while left > 1e-15 {
            let [q1, v1] = self.after((q, v), left);
            if !self.is_over(&q1) {
                (*q, *v) = (q1, v1);
                return;
            }
            let (mut low, mut high) = (0.0, left);
            for _ in 0..70 {
                let middle = 0.5 * (low + high);
                if self.is_over(&self.after((q, v), middle)[0]) { high = middle } else { low = middle }
            }
            [*q, *v] = self.after((q, v), low);
            // Never without progress.
            left -= low.max(1e-12);
            self.pass_event(q, v);
        }
    }

    fn pass_event(&mut self, q: &mut DVector<f64>, v: &mut DVector<f64>) {
        if self.is_closed {
            self.is_closed = false;
            return;
        }
        q[self.contact] = 0.0;
        let speed = v[self.contact];
        if speed >= 0.0 {
            return;
        }
        self.impacts += 1;
        self.is_closed = -speed < STICK;
        let share = if self.is_closed { 1.0 } else { 1.0 + self.restitution };
        *v -= &self.answer * (share * speed / self.answer[self.contact]);
    }
}
