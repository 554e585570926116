//! Reads variables: attributes from the element and its declared type, and defaults.

use std::collections::BTreeSet;

use super::error::{DescriptionError, Problem};
use super::reader::{Element, Value};
use super::references::{self, Lookup};
use super::start_reader;
use super::types::{Declared, Types};
use super::units::Unit;
use super::variable::{
    Alias, Causality, ClockDetails, Dimension, Initial, Variability, Variable, VariableKind as Kind,
};
use super::version::FmiVersion;

/// The elements of a variable: in FMI 2 the attributes of its kind are on an element within, in FMI 3 both are one.
#[derive(Clone, Copy)]
struct Parts<'a> {
    outer: Element<'a>,
    inner: Element<'a>,
    declared: Option<Declared<'a>>,
}

impl Parts<'_> {
    /// The attribute of the variable, or else of its type.
    fn get<T: Value>(self, name: &'static str) -> Result<Option<T>, DescriptionError> {
        match (self.inner.get(name)?, self.declared) {
            (None, Some(declared)) => declared.element.get(name),
            (value, _) => Ok(value),
        }
    }

    fn flag(self, name: &'static str) -> Result<bool, DescriptionError> {
        Ok(self.get(name)?.unwrap_or(false))
    }

    fn require<T: Value>(self, name: &'static str) -> Result<T, DescriptionError> {
        self.get(name)?.map_or_else(|| self.inner.require(name), Ok)
    }
}

/// Reads all variables, and how to find them.
pub(super) fn read(
    root: Element<'_>,
    version: FmiVersion,
    types: &Types<'_>,
    units: &[Unit],
) -> Result<(Vec<Variable>, Lookup), DescriptionError> {
    let list = root.child("ModelVariables");
    let missing = Problem::MissingElement { element: root.label(), missing: "ModelVariables" };
    let mut elements = Vec::new();
    let mut variables = Vec::new();
    for outer in list.ok_or_else(|| root.fail(missing))?.children() {
        if let Some((inner, kind)) = kind(outer, version)? {
            let parts = Parts { outer, inner, declared: types.of(inner)? };
            variables.push(read_variable(parts, kind, version)?);
            elements.push(inner);
        }
    }
    check_names(&variables, &elements)?;
    let lookup = Lookup::new(version, &variables, &elements)?;
    references::resolve(&mut variables, &elements, &lookup)?;
    start_reader::check(&variables, &elements)?;
    note_units(&variables, &elements, units);
    Ok((variables, lookup))
}

/// The kind of a variable, and the element that tells it. Unknown elements give `None` where nothing counts them.
fn kind(outer: Element<'_>, version: FmiVersion) -> Result<Option<(Element<'_>, Kind)>, DescriptionError> {
    match version {
        FmiVersion::V2 if outer.tag() != "ScalarVariable" => Ok(None),
        FmiVersion::V2 => {
            let mut kinds =
                outer.children().filter_map(|inner| Some((inner, Kind::of(inner.tag(), version)?)));
            let missing = "Real|Integer|Boolean|String|Enumeration";
            let problem = || Problem::MissingElement { element: outer.label(), missing };
            kinds.next().map(Some).ok_or_else(|| outer.fail(problem()))
        }
        FmiVersion::V3 => {
            let known = Kind::of(outer.tag(), version);
            if known.is_none() && outer.has("valueReference") {
                outer.note(format!("{} is of a type that is not known; it is left out", outer.label()));
            }
            Ok(known.map(|kind| (outer, kind)))
        }
    }
}

fn read_variable(parts: Parts<'_>, kind: Kind, version: FmiVersion) -> Result<Variable, DescriptionError> {
    let Parts { outer, inner, declared } = parts;
    let kind = match (kind, declared) {
        (Kind::Enumeration(_), Some(declared)) => Kind::Enumeration(declared.enumeration),
        (Kind::Enumeration(_), None) => return Err(missing_type(inner)),
        (kind, _) => kind,
    };
    let causality = outer.get("causality")?.unwrap_or(Causality::Local);
    let variability = read_variability(outer, kind, causality)?;
    Ok(Variable {
        name: outer.require("name")?,
        reference: outer.require("valueReference")?,
        kind,
        causality,
        variability,
        initial: outer.get("initial")?.or(default_initial(causality, variability)),
        start: start_reader::read(inner, kind, version)?,
        unit: parts.get("unit")?,
        display_unit: parts.get("displayUnit")?,
        quantity: parts.get("quantity")?,
        relative_quantity: parts.flag("relativeQuantity")?,
        min: parts.get("min")?,
        max: parts.get("max")?,
        nominal: parts.get("nominal")?,
        unbounded: parts.flag("unbounded")?,
        derivative_of: None,
        reinit: inner.flag("reinit")?,
        dimensions: outer.children_of("Dimension").map(read_dimension).collect::<Result<_, _>>()?,
        description: outer.get("description")?,
        aliases: outer.children_of("Alias").map(read_alias).collect::<Result<_, _>>()?,
        clocks: outer.get("clocks")?.unwrap_or_default(),
        previous: None,
        intermediate_update: outer.flag("intermediateUpdate")?,
        can_handle_multiple_set_per_time_instant: outer
            .get("canHandleMultipleSetPerTimeInstant")?
            .unwrap_or(true),
        clock: if kind == Kind::Clock { Some(read_clock(parts)?) } else { None },
        mime_type: parts.get("mimeType")?,
        max_size: parts.get("maxSize")?,
    })
}

fn missing_type(inner: Element<'_>) -> DescriptionError {
    inner.fail(Problem::MissingAttribute { element: inner.label(), attribute: "declaredType" })
}

/// The variability, by default that of FMI 3, which gives the cases of FMI 2 that its own default forbids a meaning.
fn read_variability(
    outer: Element<'_>,
    kind: Kind,
    causality: Causality,
) -> Result<Variability, DescriptionError> {
    use Causality as C;
    use Variability as V;
    let parameter = matches!(causality, C::Parameter | C::CalculatedParameter | C::StructuralParameter);
    let changing = if kind.is_float() { V::Continuous } else { V::Discrete };
    let default = if parameter { V::Fixed } else { changing };
    let variability = match outer.get("variability")? {
        Some(V::Continuous) if !kind.is_float() => {
            outer
                .note(format!("{} is no real number and so not continuous; read as discrete", outer.label()));
            V::Discrete
        }
        given => given.unwrap_or(default),
    };
    let fits = match causality {
        C::Parameter | C::CalculatedParameter | C::StructuralParameter => {
            matches!(variability, V::Fixed | V::Tunable)
        }
        C::Input => matches!(variability, V::Discrete | V::Continuous),
        C::Output => matches!(variability, V::Constant | V::Discrete | V::Continuous),
        C::Independent => variability == V::Continuous,
        C::Local => true,
    };
    if !fits {
        let text = "has a causality and a variability that do not go together; read as they are";
        outer.note(format!("{} {text}", outer.label()));
    }
    Ok(variability)
}

/// Table in 2.2.7 of FMI 2.0.5 and 2.4.7.5 of FMI 3.0.2.
fn default_initial(causality: Causality, variability: Variability) -> Option<Initial> {
    match (causality, variability) {
        (Causality::Independent, _) => None,
        (Causality::Parameter | Causality::StructuralParameter | Causality::Input, _)
        | (_, Variability::Constant) => Some(Initial::Exact),
        _ => Some(Initial::Calculated),
    }
}

fn read_dimension(element: Element<'_>) -> Result<Dimension, DescriptionError> {
    match (element.get("start")?, element.get("valueReference")?) {
        (Some(size), _) => Ok(Dimension::Fixed(size)),
        (None, Some(reference)) => Ok(Dimension::Variable(reference)),
        (None, None) => {
            let attribute = "start or valueReference";
            Err(element.fail(Problem::MissingAttribute { element: element.label(), attribute }))
        }
    }
}

fn read_alias(element: Element<'_>) -> Result<Alias, DescriptionError> {
    Ok(Alias {
        name: element.require("name")?,
        description: element.get("description")?,
        display_unit: element.get("displayUnit")?,
    })
}

fn read_clock(parts: Parts<'_>) -> Result<ClockDetails, DescriptionError> {
    Ok(ClockDetails {
        interval_variability: parts.require("intervalVariability")?,
        can_be_deactivated: parts.flag("canBeDeactivated")?,
        priority: parts.get("priority")?,
        interval: parts.get("intervalDecimal")?,
        shift: parts.get("shiftDecimal")?.unwrap_or(0.0),
        supports_fraction: parts.flag("supportsFraction")?,
        resolution: parts.get("resolution")?,
        interval_counter: parts.get("intervalCounter")?,
        shift_counter: parts.get("shiftCounter")?.unwrap_or(0),
    })
}

/// Notes each unit that variables have and the file does not declare, once.
fn note_units(variables: &[Variable], elements: &[Element<'_>], units: &[Unit]) {
    let mut known: BTreeSet<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    for (variable, element) in variables.iter().zip(elements) {
        if let Some(unit) = variable.unit.as_deref().filter(|unit| known.insert(unit)) {
            let text = "is not in <UnitDefinitions>; what it is in base units is not known";
            element.note(format!("{}: the unit `{unit}` {text}", element.label()));
        }
    }
}

fn check_names(variables: &[Variable], elements: &[Element<'_>]) -> Result<(), DescriptionError> {
    let mut names = BTreeSet::new();
    for (variable, element) in variables.iter().zip(elements) {
        let aliases = variable.aliases.iter().map(|alias| &alias.name);
        for name in std::iter::once(&variable.name).chain(aliases) {
            if !names.insert(name) {
                let (element_label, name) = (element.label(), name.clone());
                return Err(element.fail(Problem::DuplicateName { element: element_label, name }));
            }
        }
    }
    Ok(())
}
