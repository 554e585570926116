//! Start values, and sizes of arrays at the start (FMI 2.0.5, 2.2.7; FMI 3.0.2, 2.4.7.5).

use std::collections::BTreeMap;

use super::error::{DescriptionError, Problem};
use super::reader::Element;
use super::start::Start;
use super::variable::{Dimension, Initial, Variable, VariableKind as Kind};
use super::version::FmiVersion;

/// Reads the start values. In FMI 3 those of texts and bytes are elements.
pub(super) fn read(
    element: Element<'_>,
    kind: Kind,
    version: FmiVersion,
) -> Result<Option<Start>, DescriptionError> {
    let start = read_of_kind(element, kind, version)?;
    if start.as_ref().is_none_or(|start| in_range(start, kind)) {
        Ok(start)
    } else {
        Err(element.bad_value("start", "within the range of the type"))
    }
}

fn read_of_kind(
    element: Element<'_>,
    kind: Kind,
    version: FmiVersion,
) -> Result<Option<Start>, DescriptionError> {
    let starts = || element.children_of("Start");
    Ok(match kind {
        Kind::Float32 | Kind::Float64 => element.get("start")?.map(Start::Float),
        Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 | Kind::Enumeration(_) => {
            element.get("start")?.map(Start::Int)
        }
        Kind::UInt8 | Kind::UInt16 | Kind::UInt32 | Kind::UInt64 => element.get("start")?.map(Start::UInt),
        Kind::Boolean => element.get("start")?.map(Start::Boolean),
        Kind::String if version == FmiVersion::V2 => {
            element.get("start")?.map(|text| Start::String(vec![text]))
        }
        Kind::Clock => None,
        Kind::String | Kind::Binary if starts().next().is_none() => None,
        Kind::String => Some(Start::String(starts().map(|start| start.text("value").to_owned()).collect())),
        Kind::Binary => Some(Start::Binary(starts().map(read_bytes).collect::<Result<_, _>>()?)),
    })
}

fn in_range(start: &Start, kind: Kind) -> bool {
    let (least, most): (i64, i64) = match kind {
        Kind::Int8 => (i8::MIN.into(), i8::MAX.into()),
        Kind::Int16 => (i16::MIN.into(), i16::MAX.into()),
        Kind::Int32 => (i32::MIN.into(), i32::MAX.into()),
        Kind::UInt8 => (0, u8::MAX.into()),
        Kind::UInt16 => (0, u16::MAX.into()),
        Kind::UInt32 => (0, u32::MAX.into()),
        _ => return true,
    };
    match start {
        Start::Int(values) => values.iter().all(|value| (least..=most).contains(value)),
        Start::UInt(values) => values.iter().all(|value| *value <= most.unsigned_abs()),
        _ => true,
    }
}

fn read_bytes(start: Element<'_>) -> Result<Vec<u8>, DescriptionError> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let text = start.text("value").trim().as_bytes();
    let bytes = text.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? * 16 + digit(*low)?),
        _ => None,
    });
    bytes.collect::<Option<_>>().ok_or_else(|| start.bad_value("value", "pairs of hexadecimal digits"))
}

/// As many start values as elements; one for all of an array is tolerated, and so is none where the standard wants one.
pub(super) fn check(variables: &[Variable], elements: &[Element<'_>]) -> Result<(), DescriptionError> {
    for ((variable, element), size) in variables.iter().zip(elements).zip(initial_sizes(variables)) {
        let found = variable.start.as_ref().map(Start::len);
        let wanted = matches!(variable.initial, Some(Initial::Exact | Initial::Approx));
        match (found, size) {
            (None, size) if wanted && size != Some(0) && variable.kind != Kind::Clock => {
                element.note(format!("{} has no start value, which the standard requires", element.label()));
            }
            (Some(1), Some(size)) if size > 1 => {
                let text = "has one start value, taken for all its elements";
                element.note(format!("{} {text}", element.label()));
            }
            (Some(found), Some(expected)) if found as u64 != expected => {
                let label = element.label();
                return Err(element.fail(Problem::StartLength { element: label, expected, found }));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Numbers of elements at the start: products of the sizes, those given by variables at their start values. `None` where a
/// variable has no such value, or the product overflows.
pub(super) fn initial_sizes(variables: &[Variable]) -> Vec<Option<u64>> {
    let given = |variable: &Variable| match &variable.start {
        Some(Start::UInt(values)) => values.first().copied(),
        Some(Start::Int(values)) => values.first().and_then(|value| u64::try_from(*value).ok()),
        _ => None,
    };
    let starts: BTreeMap<u32, u64> =
        variables.iter().filter_map(|variable| Some((variable.reference, given(variable)?))).collect();
    let size = |dimension: &Dimension| match dimension {
        Dimension::Fixed(size) => Some(*size),
        Dimension::Variable(reference) => starts.get(reference).copied(),
    };
    let product = |variable: &Variable| {
        variable.dimensions.iter().try_fold(1_u64, |product, dimension| product.checked_mul(size(dimension)?))
    };
    variables.iter().map(product).collect()
}
