//! Blades in plain words.

use serde::{Deserialize, Serialize};

use super::{AirfoilSpec, SpecError};
use crate::blade::{AirfoilRange, Blade, BladeGeometry, Distribution};

/// An airfoil and the radii that it is used at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirfoilRangeSpec {
    /// First radius (m).
    pub from: f64,
    /// Last radius (m).
    pub to: f64,
    /// The airfoil.
    pub airfoil: AirfoilSpec,
}

/// A blade, see [`BladeGeometry`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BladeSpec {
    /// Radii (m) of the frames along the blade, from the root outwards.
    pub stations: Vec<f64>,
    /// Direction of the leading edge at zero twist, in the frames. Default: y.
    #[serde(default = "y")]
    pub leading_edge: [f64; 3],
    /// Direction of the suction side at zero twist, in the frames. Default: z.
    #[serde(default = "z")]
    pub suction_side: [f64; 3],
    /// Radii (m) between which the blade has loads.
    pub span: [f64; 2],
    /// Chord (m).
    pub chord: Distribution,
    /// Twist (rad), nose up. Default: none.
    #[serde(default)]
    pub twist: Distribution,
    /// Distance (m) of the quarter chord from the line through the frames, towards the leading edge. Default: zero.
    #[serde(default)]
    pub quarter_chord: Distribution,
    /// Airfoils from the root outwards; they must cover the span.
    pub airfoils: Vec<AirfoilRangeSpec>,
    /// Gauss points for every piece between stations and breaks of the distributions. Default: 2.
    #[serde(default = "two")]
    pub gauss_points: usize,
}

fn y() -> [f64; 3] {
    [0.0, 1.0, 0.0]
}

fn z() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

fn two() -> usize {
    2
}

impl BladeSpec {
    /// An untwisted blade of one chord and one airfoil, with the frames at these radii; it has loads over the span.
    #[must_use]
    pub fn straight(stations: Vec<f64>, span: [f64; 2], chord: f64, airfoil: AirfoilSpec) -> Self {
        Self {
            stations,
            leading_edge: y(),
            suction_side: z(),
            span,
            chord: Distribution::constant(chord),
            twist: Distribution::default(),
            quarter_chord: Distribution::default(),
            airfoils: vec![AirfoilRangeSpec { from: span[0], to: span[1], airfoil }],
            gauss_points: two(),
        }
    }

    /// The blade.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn build(&self) -> Result<Blade, SpecError> {
        let range = |(index, range): (usize, &AirfoilRangeSpec)| {
            let airfoil = range.airfoil.build().map_err(|source| SpecError::Airfoil { index, source })?;
            Ok(AirfoilRange { from: range.from, to: range.to, airfoil })
        };
        let airfoils = self.airfoils.iter().enumerate().map(range).collect::<Result<_, SpecError>>()?;
        Ok(Blade::new(&BladeGeometry {
            stations: self.stations.clone(),
            leading_edge: self.leading_edge.into(),
            suction_side: self.suction_side.into(),
            span: self.span,
            chord: self.chord.clone(),
            twist: self.twist.clone(),
            quarter_chord: self.quarter_chord.clone(),
            airfoils,
            gauss_points: self.gauss_points,
        })?)
    }
}
