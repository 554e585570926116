//! Points that a rule of several steps remembers.

use crate::{CoordinateVector, Coordinates, Motion};

use super::state_point::StatePoint;

/// A point of the past.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PastPoint {
    /// How long ago it was (s), seen from the present.
    pub(super) age: f64,
    pub(super) q: CoordinateVector,
    pub(super) v: CoordinateVector,
    pub(super) a: CoordinateVector,
}

/// The points before the present one, latest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Past {
    points: Vec<PastPoint>,
    known: usize,
    /// Whether they are points before a start of which no step has been taken yet: they are not part of the state.
    is_found: bool,
    /// Room for a position.
    moved: Vec<f64>,
}

impl Past {
    /// Room for so many points, of which none is known.
    pub(super) fn forget(&mut self, points: usize, coordinates: &Coordinates) {
        let (p, n) = (coordinates.positions(), coordinates.velocities());
        (self.known, self.is_found) = (0, false);
        if self.points.len() == points && self.points.iter().all(|point| point.q.len() == p) {
            return;
        }
        let (q, zero) = (CoordinateVector::zeros(p), CoordinateVector::zeros(n));
        self.points = vec![PastPoint { age: 0.0, q, v: zero.clone(), a: zero }; points];
        self.moved = vec![0.0; p];
    }

    /// The points that are known.
    #[inline]
    pub(super) fn known(&self) -> &[PastPoint] {
        &self.points[..self.known]
    }

    /// Takes a point before a start.
    pub(super) fn take(&mut self, age: f64, point: StatePoint<'_>) {
        if let Some(own) = self.points.get_mut(self.known) {
            own.copy(age, point);
            (self.known, self.is_found) = (self.known + 1, true);
        }
    }

    /// A step of size `h` (s) has led on from this point.
    pub(super) fn push(&mut self, h: f64, point: StatePoint<'_>) {
        self.is_found = false;
        if self.points.is_empty() {
            return;
        }
        self.points.rotate_right(1);
        self.points[1..].iter_mut().for_each(|point| point.age += h);
        self.points[0].copy(h, point);
        self.known = (self.known + 1).min(self.points.len());
    }

    /// Nothing of before the present counts any more.
    pub(super) fn drop_all(&mut self) {
        self.known = 0;
    }

    /// Moves the known points by an increment.
    pub(super) fn move_by(&mut self, displacement: &[f64], coordinates: &Coordinates) {
        for point in &mut self.points[..self.known] {
            coordinates.move_by(&point.q, displacement, &mut self.moved);
            point.q.copy_from_slice(&self.moved);
        }
    }

    pub(super) fn save(&self, out: &mut Vec<f64>) {
        let known = if self.is_found { 0 } else { self.known };
        out.push(known as f64);
        for (k, point) in self.points.iter().enumerate() {
            let parts = [std::slice::from_ref(&point.age), &point.q[..], &point.v, &point.a];
            // What is not known does not matter.
            out.extend(parts.into_iter().flatten().map(|x| if k < known { *x } else { 0.0 }));
        }
    }

    pub(super) fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let (known, mut rest) = saved.split_first()?;
        for point in &mut self.points {
            let (age, others) = rest.split_first()?;
            point.age = *age;
            rest = others;
            for part in [&mut point.q, &mut point.v, &mut point.a] {
                let (own, others) = rest.split_at_checked(part.len())?;
                part.copy_from_slice(own);
                rest = others;
            }
        }
        (self.known, self.is_found) = ((*known as usize).min(self.points.len()), false);
        Some(saved.len() - rest.len())
    }
}

impl PastPoint {
    fn copy(&mut self, age: f64, StatePoint { motion: Motion { q, v, .. }, a }: StatePoint<'_>) {
        self.age = age;
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.a.copy_from_slice(a);
    }
}
