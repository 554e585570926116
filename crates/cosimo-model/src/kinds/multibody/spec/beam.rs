//! Beams, as plain data.

use std::collections::BTreeMap;

use cosimo_multibody::spatial::{SectionQuantity, SectionStiffness};
use serde::Serialize;

/// A straight beam along the `x` axis of a frame, whose nodes are bodies; see `cosimo_multibody::spatial::Beam`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BeamSpec {
    /// Name, unique among bodies, joints, forces and sensors; its nodes are the bodies `NAME.0`, `NAME.1`, … .
    pub name: String,
    /// Where station zero is at the start (m). Default: zero.
    pub origin: [f64; 3],
    /// Turns the axes of the beam into those of the world, a unit quaternion. Default: `[1, 0, 0, 0]`.
    pub orientation: [f64; 4],
    /// Stations of the nodes along `x` (m), at least two, increasing.
    pub stations: Vec<f64>,
    /// Sections along the beam.
    #[serde(flatten)]
    pub sections: SectionsSpec,
    /// `β` (s): stresses of strain rates are `β K ε̇`. Default: zero.
    pub damping: f64,
    /// Initial velocity of its point at `origin` (m/s). Default: zero.
    pub velocity: [f64; 3],
    /// Initial angular velocity (rad/s). Default: zero.
    pub angular_velocity: [f64; 3],
}

/// Sections along a beam.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum SectionsSpec {
    /// The same all along.
    #[serde(rename = "section")]
    Uniform(SectionSpec),
    /// From tables over the stations.
    #[serde(rename = "tables")]
    Tables(SectionTablesSpec),
}

/// A section; `y` and `z` are from the reference line.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SectionSpec {
    /// Mass per length (kg/m), positive.
    pub mass: f64,
    /// Centre of mass (m). Default: zero.
    pub centre: [f64; 2],
    /// `∫ y² dm`, `∫ z² dm`, `∫ y z dm` per length about the reference line (kg m).
    pub second_moment: [f64; 3],
    /// Its stiffness; `EA`, `GA`, `GJ` and `EI` are positive. Default of `GA`: `EA`; of the angle and the centres: zero.
    #[serde(flatten)]
    pub stiffness: SectionStiffness,
}

/// Tables of sections.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SectionTablesSpec {
    /// Chord (m), positive, for offsets that are fractions of it.
    pub chord: Option<f64>,
    /// Least second moment along `y` about the centre of mass (kg m). Default: zero.
    pub inertia_floor: f64,
    /// The tables of the quantities: rows `r0, r1, value at r0, value at r1` under a header with the unit, as
    /// `cosimo_multibody::spatial::SpanTable` reads them.
    #[serde(flatten)]
    pub tables: BTreeMap<SectionQuantity, String>,
}
