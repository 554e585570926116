//! Units: those of the files, those that FMUs declare, and conversions between them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::error::SspError;
use super::load::Loader;
use super::transformation::Transformation;
use crate::archive::Archive;
use crate::description::reader::Element;
use crate::description::{Unit, units::read_unit};

/// Reads the units of a file.
pub(super) fn read(loader: &mut Loader, root: Element<'_>) -> Result<BTreeMap<String, Rc<Unit>>, SspError> {
    let mut units = BTreeMap::new();
    for element in root.listed("Units", "Unit") {
        loader.count(&element.place(), 1)?;
        let unit = read_unit(element)?;
        if let (Some(base), Some(element)) = (&unit.base, element.child("BaseUnit")) {
            if base.factor == 0.0 || !base.factor.is_finite() {
                return Err(element.bad_value("factor", "a finite number other than zero").into());
            }
            if !base.offset.is_finite() {
                return Err(element.bad_value("offset", "a finite number").into());
            }
        }
        let unit = Rc::new(unit);
        loader.add_unit(&unit, element);
        if units.insert(unit.name.clone(), unit).is_some() {
            element.note("another unit of this file has this name; this one is used");
        }
    }
    Ok(units)
}

/// The unit that an element names, of the first list that has it. One that is not defined is known by its name only.
pub(super) fn find<const N: usize>(
    units: [&BTreeMap<String, Rc<Unit>>; N],
    element: Element<'_>,
) -> Option<Rc<Unit>> {
    let name = element.text("unit");
    if name.is_empty() {
        return None;
    }
    Some(units.iter().find_map(|units| units.get(name)).cloned().unwrap_or_else(|| {
        element.note(format!("the unit `{name}` is not defined in <Units>; it is not converted"));
        Rc::new(Unit { name: name.to_owned(), base: None, display_units: Vec::new() })
    }))
}

/// How values are converted from a unit to another.
pub(super) enum Conversion {
    /// They are not: the units are the same.
    Same,
    /// By this.
    By(Transformation),
    /// One of the units is known by its name only.
    Unknown,
    /// The units are of different quantities.
    Impossible,
}

pub(super) fn convert(from: &Unit, to: &Unit) -> Conversion {
    if from == to {
        return Conversion::Same;
    }
    match (&from.base, &to.base) {
        (Some(a), Some(b)) if a == b => Conversion::Same,
        (Some(a), Some(b)) if a.exponents == b.exponents => {
            let (factor, offset) = (a.factor / b.factor, (a.offset - b.offset) / b.factor);
            match factor != 0.0 && factor.is_finite() && offset.is_finite() {
                true => Conversion::By(Transformation::Linear { factor, offset }),
                false => Conversion::Impossible,
            }
        }
        (Some(_), Some(_)) => Conversion::Impossible,
        _ if from.name == to.name => Conversion::Same,
        _ => Conversion::Unknown,
    }
}

/// Units that FMUs declare for their variables, read when they are asked for.
#[derive(Default)]
pub(super) struct FmuUnits(BTreeMap<PathBuf, BTreeMap<String, Rc<Unit>>>);

impl FmuUnits {
    /// The unit of a variable, if the FMU can be read and tells.
    pub(super) fn find(&mut self, fmu: &Path, variable: &str) -> Option<Rc<Unit>> {
        if !self.0.contains_key(fmu) {
            self.0.insert(fmu.to_owned(), declared(fmu).unwrap_or_default());
        }
        self.0.get(fmu)?.get(variable).cloned()
    }
}

fn declared(fmu: &Path) -> Option<BTreeMap<String, Rc<Unit>>> {
    let description = Archive::open(fmu).ok()?.read_description().ok()?;
    let units = description.units.iter().map(|unit| (unit.name.as_str(), Rc::new(unit.clone())));
    let units: BTreeMap<_, _> = units.collect();
    let variables = description.variables.iter();
    let known = variables.filter_map(|variable| {
        Some((variable.name.clone(), Rc::clone(units.get(variable.unit.as_deref()?)?)))
    });
    Some(known.collect())
}
