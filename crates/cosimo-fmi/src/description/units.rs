//! Units of real variables (FMI 2.0.5, 2.2.2; FMI 3.0.2, 2.4.3).

use super::error::DescriptionError;
use super::reader::Element;

/// A unit that variables may have.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Name, as variables give it.
    pub name: String,
    /// What it is in base units; `None` where the file does not say.
    pub base: Option<BaseUnit>,
    /// Other units of the same quantity, for display.
    pub display_units: Vec<DisplayUnit>,
}

/// A unit in base units: `base value = factor * value + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseUnit {
    /// Exponents of kg, m, s, A, K, mol, cd and rad.
    pub exponents: [i32; 8],
    /// Factor from the unit to base units.
    pub factor: f64,
    /// Offset from the unit to base units.
    pub offset: f64,
}

/// A unit for display: `display value = factor * value + offset`, or `factor / value` if it is inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayUnit {
    /// Name, as variables give it.
    pub name: String,
    /// Factor from the unit to the display unit.
    pub factor: f64,
    /// Offset from the unit to the display unit; left out for variables that are relative quantities.
    pub offset: f64,
    /// The display unit is the inverse of the unit (FMI 3), as a frequency of a period.
    pub inverse: bool,
}

pub(super) fn read(root: Element<'_>) -> Result<Vec<Unit>, DescriptionError> {
    root.listed("UnitDefinitions", "Unit").map(read_unit).collect()
}

/// Reads one unit; in SSP they are the same.
pub(crate) fn read_unit(element: Element<'_>) -> Result<Unit, DescriptionError> {
    Ok(Unit {
        name: element.require("name")?,
        base: element.child("BaseUnit").map(read_base).transpose()?,
        display_units: element.children_of("DisplayUnit").map(read_display).collect::<Result<_, _>>()?,
    })
}

fn read_base(element: Element<'_>) -> Result<BaseUnit, DescriptionError> {
    let mut exponents = [0; 8];
    for (exponent, name) in exponents.iter_mut().zip(["kg", "m", "s", "A", "K", "mol", "cd", "rad"]) {
        *exponent = element.get(name)?.unwrap_or(0);
    }
    Ok(BaseUnit {
        exponents,
        factor: element.get("factor")?.unwrap_or(1.0),
        offset: element.get("offset")?.unwrap_or(0.0),
    })
}

fn read_display(element: Element<'_>) -> Result<DisplayUnit, DescriptionError> {
    Ok(DisplayUnit {
        name: element.require("name")?,
        factor: element.get("factor")?.unwrap_or(1.0),
        offset: element.get("offset")?.unwrap_or(0.0),
        inverse: element.flag("inverse")?,
    })
}
