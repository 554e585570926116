//! What a blade is made of.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

use super::{Distribution, DistributionError};
use crate::airfoil::Airfoil;

/// Least distance of two distinct radii (m).
const NEAREST: f64 = 1e-9;
/// Nodes and weights of Gauss' rules on (0, 1), with 1 to 4 points.
const GAUSS: [&[[f64; 2]]; 4] = [
    &[[0.5, 1.0]],
    &[[0.211_324_865_405_187_13, 0.5], [0.788_675_134_594_812_9, 0.5]],
    &[[0.112_701_665_379_258_31, 5.0 / 18.0], [0.5, 4.0 / 9.0], [0.887_298_334_620_741_7, 5.0 / 18.0]],
    &[
        [0.069_431_844_202_973_71, 0.173_927_422_568_726_92],
        [0.330_009_478_207_571_9, 0.326_072_577_431_273_1],
        [0.669_990_521_792_428_1, 0.326_072_577_431_273_1],
        [0.930_568_155_797_026_2, 0.173_927_422_568_726_92],
    ],
];

/// An airfoil and the radii that it is used at.
#[derive(Debug, Clone)]
pub struct AirfoilRange {
    /// First radius (m).
    pub from: f64,
    /// Last radius (m).
    pub to: f64,
    /// The airfoil.
    pub airfoil: Arc<dyn Airfoil>,
}

/// A blade as it is described, by radius: the distance from the rotor axis along the blade, as built.
#[derive(Debug, Clone)]
pub struct BladeGeometry {
    /// Radii (m) of the frames along the blade, from the root outwards, at least two.
    pub stations: Vec<f64>,
    /// Direction of the leading edge at zero twist, in the frames.
    pub leading_edge: Vector3<f64>,
    /// Direction of the suction side at zero twist, in the frames; its part across the leading edge counts.
    pub suction_side: Vector3<f64>,
    /// Radii (m) between which the blade has loads.
    pub span: [f64; 2],
    /// Chord (m).
    pub chord: Distribution,
    /// Twist (rad), nose up, about the quarter chord.
    pub twist: Distribution,
    /// Distance (m) of the quarter chord from the line through the frames, towards the leading edge.
    pub quarter_chord: Distribution,
    /// Airfoils; they must cover the span.
    pub airfoils: Vec<AirfoilRange>,
    /// Gauss points for every piece between stations and breaks of the distributions, 1 to 4; 2 are advised.
    pub gauss_points: usize,
}

/// Why a blade was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BladeError {
    /// Stations that are too few, or not in order.
    #[error(
        "the stations must be at least two radii, finite, not negative, increasing: see station {station}"
    )]
    Stations {
        /// The station, counted from 0.
        station: usize,
    },
    /// A span that is none, or that the stations do not hold.
    #[error("the span goes from {from} m to {to} m; it must lie between the first and the last station")]
    Span {
        /// Its first radius (m).
        from: f64,
        /// Its last radius (m).
        to: f64,
    },
    /// Directions of leading edge and suction side that are parallel, zero or not finite.
    #[error("leading edge and suction side must be two directions across each other")]
    Directions,
    /// A chord that is not positive.
    #[error("the chord is {chord} m at the least; it must be positive")]
    Chord {
        /// Smallest chord (m).
        chord: f64,
    },
    /// A distribution that is none.
    #[error("{what}: {source}")]
    Distribution {
        /// Name of the quantity.
        what: &'static str,
        /// The rule broken.
        source: DistributionError,
    },
    /// A part of the span without an airfoil.
    #[error("there is no airfoil at {radius} m")]
    NoAirfoil {
        /// The radius (m).
        radius: f64,
    },
    /// A number of Gauss points that there is no rule for.
    #[error("{found} Gauss points a piece; there are rules for 1 to 4")]
    GaussPoints {
        /// The number.
        found: usize,
    },
}

/// A Gauss point.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// Which of the blade's points it is, from the root outwards.
    pub(super) index: usize,
    /// Index of the inner frame of its segment.
    pub(super) station: usize,
    /// Place between the two frames, in \[0, 1\].
    pub(super) fraction: f64,
    /// Length of the blade that it stands for (m).
    pub(super) length: f64,
    pub(super) chord: f64,
    /// Directions of chord, normal and pitch axis in the frame, as columns.
    pub(super) axes: Matrix3<f64>,
    /// The quarter chord from the line through the frames, in the frame (m).
    pub(super) offset: Vector3<f64>,
    /// Radius as built (m).
    pub(super) radius: f64,
    pub(super) airfoil: Arc<dyn Airfoil>,
}

/// A blade ready for use: its Gauss points.
#[derive(Debug, Clone)]
pub struct Blade {
    pub(super) stations: usize,
    pub(super) points: Vec<Point>,
    /// The points between each two neighbouring stations.
    segments: Vec<Range<usize>>,
}

impl Blade {
    /// Checks a description and places the Gauss points.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn new(geometry: &BladeGeometry) -> Result<Self, BladeError> {
        geometry.check()?;
        let axes = geometry.axes()?;
        let rule = GAUSS[geometry.gauss_points - 1];
        let mut points = Vec::new();
        for piece in geometry.pieces().windows(2) {
            for [at, weight] in rule {
                let radius = piece[0] + at * (piece[1] - piece[0]);
                points.push(geometry.point(radius, weight * (piece[1] - piece[0]), &axes)?);
            }
        }
        points.iter_mut().enumerate().for_each(|(k, point)| point.index = k);
        let stations = geometry.stations.len();
        let before = |station: usize| points.partition_point(|point| point.station < station);
        let segments = (1..stations).map(|k| before(k - 1)..before(k)).collect();
        Ok(Self { stations, points, segments })
    }

    /// The points between a station, by its index, and the next.
    pub(super) fn points_from(&self, station: usize) -> &[Point] {
        &self.points[self.segments[station].clone()]
    }

    /// Number of frames along the blade.
    #[must_use]
    pub fn stations(&self) -> usize {
        self.stations
    }

    /// Number of its Gauss points.
    #[must_use]
    pub fn sections(&self) -> usize {
        self.points.len()
    }

    /// Radii of the Gauss points, as built (m).
    pub fn radii(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().map(|point| point.radius)
    }

    /// Areas that the Gauss points sweep, over 2π (m²).
    pub(crate) fn areas(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().map(|point| point.radius * point.length)
    }

    /// The smallest of the largest Mach numbers of its airfoils.
    #[must_use]
    pub fn largest_mach(&self) -> f64 {
        self.points.iter().map(|point| point.airfoil.largest_mach()).fold(f64::INFINITY, f64::min)
    }
}

impl BladeGeometry {
    fn check(&self) -> Result<(), BladeError> {
        let broken = |k: &usize| {
            let radius = self.stations[*k];
            !(radius.is_finite() && radius >= 0.0 && (*k == 0 || radius > self.stations[k - 1] + NEAREST))
        };
        if let Some(station) = (0..self.stations.len()).find(broken) {
            return Err(BladeError::Stations { station });
        }
        let [Some(first), Some(last)] = [self.stations.first(), self.stations.last()] else {
            return Err(BladeError::Stations { station: 0 });
        };
        if self.stations.len() < 2 {
            return Err(BladeError::Stations { station: 0 });
        }
        let [from, to] = self.span;
        if !(from < to && from >= first - NEAREST && to <= last + NEAREST) {
            return Err(BladeError::Span { from, to });
        }
        if !(1..=GAUSS.len()).contains(&self.gauss_points) {
            return Err(BladeError::GaussPoints { found: self.gauss_points });
        }
        for (what, distribution) in
            [("chord", &self.chord), ("twist", &self.twist), ("quarter chord", &self.quarter_chord)]
        {
            distribution.check().map_err(|source| BladeError::Distribution { what, source })?;
        }
        let chord = self.chord.least();
        if chord > 0.0 && chord.is_finite() { Ok(()) } else { Err(BladeError::Chord { chord }) }
    }

    /// Directions of leading edge, suction side and pitch axis in the frames, as columns.
    fn axes(&self) -> Result<Matrix3<f64>, BladeError> {
        let chord = self.leading_edge.try_normalize(NEAREST).ok_or(BladeError::Directions)?;
        let across = self.suction_side - chord * chord.dot(&self.suction_side);
        let normal = across.try_normalize(NEAREST).ok_or(BladeError::Directions)?;
        let is_finite = chord.iter().chain(normal.iter()).all(|x| x.is_finite());
        if !is_finite {
            return Err(BladeError::Directions);
        }
        Ok(Matrix3::from_columns(&[chord, normal, chord.cross(&normal)]))
    }

    /// Radii between which everything is linear, the ends of the span included.
    fn pieces(&self) -> Vec<f64> {
        let [from, to] = self.span;
        let breaks =
            [&self.chord, &self.twist, &self.quarter_chord].into_iter().flat_map(Distribution::breaks);
        let ranges = self.airfoils.iter().flat_map(|range| [range.from, range.to]);
        let inside = |radius: &f64| *radius > from + NEAREST && *radius < to - NEAREST;
        let mut radii: Vec<f64> =
            self.stations.iter().copied().chain(breaks).chain(ranges).filter(inside).collect();
        radii.extend([from, to]);
        radii.sort_by(f64::total_cmp);
        radii.dedup_by(|a, b| (*a - *b).abs() <= NEAREST);
        radii
    }

    fn point(&self, radius: f64, length: f64, axes: &Matrix3<f64>) -> Result<Point, BladeError> {
        let outer = self.stations.partition_point(|r| *r <= radius).clamp(1, self.stations.len() - 1);
        let [inner_radius, outer_radius] = [self.stations[outer - 1], self.stations[outer]];
        let range = self.airfoils.iter().find(|range| (range.from..=range.to).contains(&radius));
        let (sine, cosine) = self.twist.at(radius).sin_cos();
        let twist = Matrix3::new(cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0);
        Ok(Point {
            index: 0,
            station: outer - 1,
            fraction: (radius - inner_radius) / (outer_radius - inner_radius),
            length,
            chord: self.chord.at(radius),
            axes: axes * twist,
            offset: axes.column(0) * self.quarter_chord.at(radius),
            radius,
            airfoil: range.ok_or(BladeError::NoAirfoil { radius })?.airfoil.clone(),
        })
    }
}
