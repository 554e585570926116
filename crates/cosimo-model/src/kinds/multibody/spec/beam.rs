//! Beams, as plain data.

use cosimo_multibody::spatial::SectionQuantity;
use serde::{Serialize, Serializer};

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
    /// `EA` (N), positive.
    pub axial: f64,
    /// `GA` along `y` and `z` (N), positive. Default: `EA`.
    pub shear: [f64; 2],
    /// `GJ` (N m²), positive.
    pub torsion: f64,
    /// `EI` about `y` and `z` (N m²), positive.
    pub bending: [f64; 2],
    /// Angle from `y` to the first principal axis of bending (rad). Default: zero.
    pub principal_angle: f64,
    /// Tension centre (m). Default: zero.
    pub tension_centre: [f64; 2],
    /// Shear centre (m). Default: zero.
    pub shear_centre: [f64; 2],
}

/// Tables of sections.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SectionTablesSpec {
    /// Chord (m), positive, for offsets that are fractions of it.
    pub chord: Option<f64>,
    /// Least second moment along `y` about the centre of mass (kg m). Default: zero.
    pub inertia_floor: f64,
    /// The tables, one a quantity.
    #[serde(flatten, serialize_with = "by_quantity")]
    pub tables: Vec<SectionTableSpec>,
}

/// The table of one quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionTableSpec {
    /// The quantity.
    pub quantity: SectionQuantity,
    /// Rows `r0, r1, value at r0, value at r1` under a header with the unit, as `cosimo_multibody::spatial::SpanTable` reads them.
    pub text: String,
}

/// Keys of the quantities, and whether sections need them.
pub(crate) const QUANTITIES: [(&str, SectionQuantity, bool); 16] = [
    ("mass", SectionQuantity::Mass, true),
    ("centre_y", SectionQuantity::CentreY, false),
    ("centre_z", SectionQuantity::CentreZ, false),
    ("second_moment_y", SectionQuantity::SecondMomentY, true),
    ("second_moment_z", SectionQuantity::SecondMomentZ, false),
    ("axial", SectionQuantity::Axial, true),
    ("shear_y", SectionQuantity::ShearY, false),
    ("shear_z", SectionQuantity::ShearZ, false),
    ("torsion", SectionQuantity::Torsion, true),
    ("bending_y", SectionQuantity::BendingY, true),
    ("bending_z", SectionQuantity::BendingZ, true),
    ("tension_y", SectionQuantity::TensionY, false),
    ("tension_z", SectionQuantity::TensionZ, false),
    ("shear_centre_y", SectionQuantity::ShearCentreY, false),
    ("shear_centre_z", SectionQuantity::ShearCentreZ, false),
    ("twist", SectionQuantity::Twist, false),
];

/// The key of a quantity.
pub(crate) fn key_of(quantity: SectionQuantity) -> &'static str {
    QUANTITIES.iter().find(|(_, own, _)| *own == quantity).map_or("", |(key, ..)| *key)
}

/// Writes tables under the keys of their quantities.
fn by_quantity<S: Serializer>(tables: &[SectionTableSpec], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tables.iter().map(|table| (key_of(table.quantity), &table.text)))
}
