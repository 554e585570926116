//! Sections from tables over the span.

use nalgebra::{Matrix2, Vector2};
use serde::{Deserialize, Serialize};

use super::error::SectionTableError;
use super::section::{Section, SectionInertia, SectionLaw, SectionStiffness};
use super::span_table::{ColumnUnit, SpanTable};

/// What a table gives of a section; axes are those of [`SectionStiffness`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionQuantity {
    /// Mass per length (kg/m).
    Mass,
    /// Centre of mass along `y` (m, or chords).
    CentreY,
    /// Centre of mass along `z` (m, or chords).
    CentreZ,
    /// `∫ y² dm` per length about the reference line (kg m): the torsional inertia of a thin section.
    SecondMomentY,
    /// `∫ z² dm` per length about the reference line (kg m).
    SecondMomentZ,
    /// `EA` (N).
    Axial,
    /// `GA` along `y` (N); `EA` where there is no table.
    ShearY,
    /// `GA` along `z` (N); `EA` where there is no table.
    ShearZ,
    /// `GJ` (N m²).
    Torsion,
    /// `EI` of bending about `y` (N m²): flap.
    BendingY,
    /// `EI` of bending about `z` (N m²): chordwise.
    BendingZ,
    /// Tension centre along `y` (m, or chords).
    TensionY,
    /// Tension centre along `z` (m, or chords).
    TensionZ,
    /// Shear centre along `y` (m, or chords).
    ShearCentreY,
    /// Shear centre along `z` (m, or chords).
    ShearCentreZ,
    /// Twist about `x` (deg or rad).
    Twist,
}

/// Quantities with their names and whether sections need them.
const QUANTITIES: [(SectionQuantity, &str, bool); 16] = [
    (SectionQuantity::Mass, "mass", true),
    (SectionQuantity::CentreY, "centre of mass along y", false),
    (SectionQuantity::CentreZ, "centre of mass along z", false),
    (SectionQuantity::SecondMomentY, "second moment along y", false),
    (SectionQuantity::SecondMomentZ, "second moment along z", false),
    (SectionQuantity::Axial, "axial stiffness", true),
    (SectionQuantity::ShearY, "shear stiffness along y", false),
    (SectionQuantity::ShearZ, "shear stiffness along z", false),
    (SectionQuantity::Torsion, "torsional stiffness", true),
    (SectionQuantity::BendingY, "bending stiffness about y", true),
    (SectionQuantity::BendingZ, "bending stiffness about z", true),
    (SectionQuantity::TensionY, "tension centre along y", false),
    (SectionQuantity::TensionZ, "tension centre along z", false),
    (SectionQuantity::ShearCentreY, "shear centre along y", false),
    (SectionQuantity::ShearCentreZ, "shear centre along z", false),
    (SectionQuantity::Twist, "twist", false),
];

impl SectionQuantity {
    /// Whether a section that is mirrored along `y` has it of the other sign.
    #[must_use]
    pub fn is_odd_in_y(self) -> bool {
        matches!(self, Self::CentreY | Self::TensionY | Self::ShearCentreY | Self::Twist)
    }

    fn name(self) -> &'static str {
        QUANTITIES.iter().find(|(own, ..)| *own == self).map_or("", |(_, name, _)| name)
    }

    /// Factor from a unit to that of the section; or what units fit.
    fn factor(self, unit: ColumnUnit, chord: Option<f64>) -> Result<Option<f64>, &'static str> {
        use SectionQuantity as Q;
        let (fits, expected) = match self {
            Q::Mass => (unit == ColumnUnit::KilogramPerMetre, "kg/m"),
            Q::SecondMomentY | Q::SecondMomentZ => (unit == ColumnUnit::KilogramMetre, "kg m"),
            Q::Axial | Q::ShearY | Q::ShearZ => (unit == ColumnUnit::Newton, "N"),
            Q::Torsion | Q::BendingY | Q::BendingZ => (unit == ColumnUnit::NewtonSquareMetre, "N m²"),
            Q::Twist => match unit {
                ColumnUnit::Degree => return Ok(Some(1.0_f64.to_radians())),
                _ => (unit == ColumnUnit::Radian, "deg or rad"),
            },
            _ => match unit {
                ColumnUnit::Chord => return Ok(chord),
                _ => (unit == ColumnUnit::Metre, "m or chords"),
            },
        };
        if fits { Ok(Some(1.0)) } else { Err(expected) }
    }
}

/// A column of a table that gives one quantity.
#[derive(Debug, Clone)]
struct Source {
    quantity: SectionQuantity,
    table: SpanTable,
    column: usize,
    factor: f64,
}

/// Sections whose quantities are piecewise linear over the span, each from a table of its own. What has no table is zero; shear
/// stiffness is that of a pull then, and the second moment along `z` that of a mass at the centre.
#[derive(Debug, Clone, Default)]
pub struct TableSections {
    chord: Option<f64>,
    inertia_floor: f64,
    sources: Vec<Source>,
}

impl TableSections {
    /// Without tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Chord (m), by which offsets given as fractions of it are multiplied. Set before the tables.
    #[must_use]
    pub fn with_chord(mut self, chord: f64) -> Self {
        self.chord = Some(chord);
        self
    }

    /// Least second moment along `y` about the centre of mass (kg m): where a table has less, this is taken. Default: zero,
    /// what the tables say. A node whose sections have no inertia about `x` is refused when the beam is built.
    #[must_use]
    pub fn with_inertia_floor(mut self, floor: f64) -> Self {
        self.inertia_floor = floor;
        self
    }

    /// Takes a quantity from a column of a table, given by its name without unit; empty where the table has one only.
    ///
    /// # Errors
    /// A column that does not exist, a unit that does not fit, a fraction of a chord that is not given.
    pub fn with_table(
        mut self,
        quantity: SectionQuantity,
        table: &SpanTable,
        column: &str,
    ) -> Result<Self, SectionTableError> {
        let (number, unit) = table.column(column)?;
        let (name, own) = (table.name().to_owned(), column.to_owned());
        let factor = quantity.factor(unit, self.chord).map_err(|expected| SectionTableError::WrongUnit {
            table: name.clone(),
            column: own.clone(),
            quantity: quantity.name(),
            found: unit.name(),
            expected,
        })?;
        let factor = factor.ok_or(SectionTableError::NoChord { table: name, column: own })?;
        self.sources.retain(|source| source.quantity != quantity);
        self.sources.push(Source { quantity, table: table.clone(), column: number, factor });
        Ok(self)
    }

    /// Checks that what sections need is there.
    ///
    /// # Errors
    /// The first quantity that is missing.
    pub fn check(&self) -> Result<(), SectionTableError> {
        let is_missing = |(quantity, _, is_needed): &&(SectionQuantity, &str, bool)| {
            *is_needed && self.source(*quantity).is_none()
        };
        match QUANTITIES.iter().find(is_missing) {
            Some((_, quantity, _)) => Err(SectionTableError::Missing { quantity }),
            None => Ok(()),
        }
    }

    fn source(&self, quantity: SectionQuantity) -> Option<&Source> {
        self.sources.iter().find(|source| source.quantity == quantity)
    }

    fn value(&self, quantity: SectionQuantity, station: f64) -> f64 {
        let value = |source: &Source| source.factor * source.table.value(source.column, station);
        self.source(quantity).map_or(0.0, value)
    }

    fn inertia(&self, station: f64) -> SectionInertia {
        let value = |quantity| self.value(quantity, station);
        let mass = value(SectionQuantity::Mass);
        let centre = Vector2::new(value(SectionQuantity::CentreY), value(SectionQuantity::CentreZ));
        let mut along_y = value(SectionQuantity::SecondMomentY);
        if self.inertia_floor > 0.0 {
            along_y = along_y.max(mass * centre.x * centre.x + self.inertia_floor);
        }
        let on_centre = |_: &Source| value(SectionQuantity::SecondMomentZ);
        let along_z =
            self.source(SectionQuantity::SecondMomentZ).map_or(mass * centre.y * centre.y, on_centre);
        let across = mass * centre.x * centre.y;
        SectionInertia { mass, centre, second_moment: Matrix2::new(along_y, across, across, along_z) }
    }
}

impl SectionLaw for TableSections {
    fn at(&self, station: f64) -> Section {
        use SectionQuantity as Q;
        let value = |quantity| self.value(quantity, station);
        let axial = value(Q::Axial);
        let shear =
            [Q::ShearY, Q::ShearZ].map(|quantity| self.source(quantity).map_or(axial, |_| value(quantity)));
        let stiffness = SectionStiffness {
            tension_centre: [value(Q::TensionY), value(Q::TensionZ)],
            shear_centre: [value(Q::ShearCentreY), value(Q::ShearCentreZ)],
            ..SectionStiffness::new(axial, shear, value(Q::Torsion), [value(Q::BendingY), value(Q::BendingZ)])
        };
        Section { stiffness: stiffness.matrix(), inertia: self.inertia(station), twist: self.twist(station) }
    }

    fn twist(&self, station: f64) -> f64 {
        self.value(SectionQuantity::Twist, station)
    }

    fn breaks(&self) -> Vec<f64> {
        self.sources.iter().flat_map(|source| source.table.breaks()).collect()
    }
}
