//! Journal bearings and seals: forces by matrices that need not be symmetric and may change with speed.

use nalgebra::{Matrix3, Vector3};

use super::super::element::PairLaw;
use super::super::geometry::Geometry;
use super::super::joint::Marker;
use super::super::pose::{Gradient, Hessian, Pair};

/// Stiffness and damping of a film at a speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmStation {
    /// Speed (rad/s).
    pub speed: f64,
    /// Stiffness (N/m), of any symmetry.
    pub stiffness: Matrix3<f64>,
    /// Damping (N s/m), likewise.
    pub damping: Matrix3<f64>,
}

/// A bearing between a housing, the first frame, and a shaft, the second, whose force depends on the way `u` of the shaft's point in the
/// axes of the first frame:
///
/// ```text
///   f = −K(Ω) u − C(Ω) u̇        Ω: angular velocity of the shaft against the housing about the first frame's z
/// ```
///
/// The matrices are linear between stations of `Ω` and constant before the first and after the last. Turns of the shaft have no effect,
/// so that it may turn on and on.
///
/// A matrix `K` that is not symmetric has no potential. The potential energy is that of the symmetric part of the first station; what the
/// rest of the stiffness does, and damping that puts in power, is work from outside: from what turns the shaft.
#[derive(Debug, Clone, PartialEq)]
pub struct Bearing {
    /// Stations by ascending speed, at least one.
    pub stations: Vec<FilmStation>,
}

impl Bearing {
    /// A bearing whose matrices are the same at every speed.
    #[must_use]
    pub fn new(stiffness: Matrix3<f64>, damping: Matrix3<f64>) -> Self {
        let station = FilmStation { speed: 0.0, stiffness, damping };
        Self { stations: vec![station] }
    }

    /// The first number that is out of range: its name, value, and the rule.
    pub(crate) fn check(&self) -> Result<(), (&'static str, f64, &'static str)> {
        if self.stations.is_empty() {
            return Err(("number of speeds", 0.0, "at least one"));
        }
        for station in &self.stations {
            let matrices = [("stiffness", station.stiffness), ("damping", station.damping)];
            let of_matrices = matrices.iter().flat_map(|(name, own)| own.iter().map(|x| (*name, *x)));
            let mut numbers = of_matrices.chain([("speed", station.speed)]);
            if let Some((name, found)) = numbers.find(|(_, x)| !x.is_finite()) {
                return Err((name, found, "finite"));
            }
        }
        match self.stations.windows(2).find(|pair| pair[1].speed <= pair[0].speed) {
            Some(pair) => Err(("speed", pair[1].speed, "greater than the one before")),
            None => Ok(()),
        }
    }

    /// The law between two markers.
    pub(crate) fn placed(&self, first: &Marker, second: &Marker) -> PlacedBearing {
        let arms = [first.arm, second.arm];
        let stiffness = self.stations[0].stiffness;
        PlacedBearing {
            ways: first.axes.map(|a| Geometry::Dot2 { a, arms }),
            axis: first.axes[2],
            symmetric: (stiffness + stiffness.transpose()) * 0.5,
            bearing: self.clone(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct PlacedBearing {
    ways: [Geometry; 3],
    /// Third axis of the first frame in its body.
    axis: Vector3<f64>,
    /// Of which there is a potential.
    symmetric: Matrix3<f64>,
    bearing: Bearing,
}

/// Matrices at a speed, and their derivatives by it.
struct Film {
    matrices: [Matrix3<f64>; 2],
    by_speed: [Matrix3<f64>; 2],
}

/// The bearing at a state.
struct Position {
    gradients: [Gradient; 3],
    way: Vector3<f64>,
    rate: Vector3<f64>,
    speed: f64,
}

impl Bearing {
    fn film(&self, speed: f64) -> Film {
        let next = self.stations.partition_point(|station| station.speed <= speed);
        let constant = |own: &FilmStation| Film {
            matrices: [own.stiffness, own.damping],
            by_speed: [Matrix3::zeros(); 2],
        };
        if next == 0 || next == self.stations.len() {
            return constant(&self.stations[next.saturating_sub(1)]);
        }
        let (a, b) = (&self.stations[next - 1], &self.stations[next]);
        let span = b.speed - a.speed;
        let by_speed = [(b.stiffness - a.stiffness) / span, (b.damping - a.damping) / span];
        let since = speed - a.speed;
        Film { matrices: [a.stiffness + by_speed[0] * since, a.damping + by_speed[1] * since], by_speed }
    }
}

impl PlacedBearing {
    fn at(&self, pair: &Pair) -> Position {
        let gradients = self.ways.map(|way| way.gradient(pair));
        let [first, second] = &pair.twists;
        let relative = pair.poses[0].rotation.tr_mul(&(pair.poses[1].rotation * second.spin)) - first.spin;
        Position {
            way: Vector3::from(self.ways.map(|way| way.value(pair))),
            rate: Vector3::from(gradients.map(|gradient| gradient.rate(&pair.twists))),
            speed: self.axis.dot(&relative),
            gradients,
        }
    }

    /// `K u + C u̇`.
    fn force(&self, at: &Position) -> Vector3<f64> {
        let Film { matrices: [stiffness, damping], .. } = self.bearing.film(at.speed);
        stiffness * at.way + damping * at.rate
    }

    /// The derivatives of `Ω` by increments and by velocities.
    fn speed_gradients(&self, pair: &Pair) -> [Gradient; 2] {
        let relative = pair.poses[0].rotation.tr_mul(&pair.poses[1].rotation);
        let (axis, spin, zero) = (self.axis, pair.twists[1].spin, Vector3::zeros());
        let along = relative.tr_mul(&axis);
        // Ω = z · (R ω₂ − ω₁): turns of the first body turn R back, those of the second on.
        let by_first = (relative * spin).cross(&axis) * -1.0;
        let by_second = spin.cross(&along);
        [Gradient([zero, by_first, zero, by_second]), Gradient([zero, -axis, zero, along])]
    }

    /// Power (W) taken out by damping, and put in from outside.
    fn powers(&self, pair: &Pair) -> [f64; 2] {
        let at = self.at(pair);
        let Film { matrices: [stiffness, damping], .. } = self.bearing.film(at.speed);
        let circulating = -at.rate.dot(&((stiffness - self.symmetric) * at.way));
        let damped = at.rate.dot(&(damping * at.rate));
        [damped.max(0.0), circulating + (-damped).max(0.0)]
    }
}

impl PairLaw for PlacedBearing {
    fn add(&self, _t: f64, pair: &Pair, out: &mut Gradient) {
        let at = self.at(pair);
        let force = self.force(&at);
        at.gradients.iter().zip(force.iter()).for_each(|(gradient, force)| out.add(*force, gradient));
    }

    fn add_tangents(&self, _t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian) {
        let at = self.at(pair);
        let (film, force) = (self.bearing.film(at.speed), self.force(&at));
        let by_speed = film.by_speed[0] * at.way + film.by_speed[1] * at.rate;
        let [speed_by_position, speed_by_velocity] = self.speed_gradients(pair);
        let of_rates = self.ways.map(|way| way.hessian(pair).rate_gradient(&pair.twists));
        for (l, gradient) in at.gradients.iter().enumerate() {
            self.ways[l].add_hessian(force[l], pair, stiffness);
            let (mut by_position, mut by_velocity) = (Gradient::default(), Gradient::default());
            for k in 0..3 {
                by_position.add(film.matrices[0][(l, k)], &at.gradients[k]);
                by_position.add(film.matrices[1][(l, k)], &of_rates[k]);
                by_velocity.add(film.matrices[1][(l, k)], &at.gradients[k]);
            }
            by_position.add(by_speed[l], &speed_by_position);
            by_velocity.add(by_speed[l], &speed_by_velocity);
            stiffness.add_product(1.0, gradient, &by_position);
            damping.add_product(1.0, gradient, &by_velocity);
        }
    }

    fn potential(&self, pair: &Pair) -> f64 {
        let way = Vector3::from(self.ways.map(|way| way.value(pair)));
        0.5 * way.dot(&(self.symmetric * way))
    }

    fn dissipated_power(&self, _t: f64, pair: &Pair) -> f64 {
        self.powers(pair)[0]
    }

    fn external_power(&self, _t: f64, pair: &Pair) -> f64 {
        self.powers(pair)[1]
    }
}
