//! Writing of parameter sets.

use std::collections::BTreeSet;

use crate::ssp::outline::{Outline, Parameter};
use crate::ssp::value::ParameterValue;
use crate::ssp::xml::{Attribute, Xml, join, number};

pub(super) fn text(outline: &Outline) -> String {
    let attributes = super::root(outline, "parameters", "ssv", "ParameterValues");
    Xml::file("ssv:ParameterSet", &attributes, |xml| {
        xml.element("ssv:Parameters", &[], |xml| {
            for component in &outline.components {
                component.parameters.iter().for_each(|parameter| write(xml, &component.name, parameter));
            }
        });
        let parameters = outline.components.iter().flat_map(|component| &component.parameters);
        let used: BTreeSet<_> = parameters.filter_map(|parameter| parameter.unit.as_deref()).collect();
        let units = outline.units.iter().filter(|unit| used.contains(unit.name.as_str()));
        super::write_units(xml, "ssv:Units", units);
    })
}

fn write(xml: &mut Xml, component: &str, parameter: &Parameter) {
    xml.element("ssv:Parameter", &[("name", Some(format!("{component}.{}", parameter.name)))], |xml| {
        write_value(xml, parameter);
        for size in &parameter.dimensions {
            xml.leaf("ssc:Dimension", &[("size", Some(size.to_string()))]);
        }
    });
}

fn write_value(xml: &mut Xml, parameter: &Parameter) {
    let list = |xml: &mut Xml, tag, value| xml.leaf(tag, &[("value", value)]);
    match &parameter.value {
        ParameterValue::Real(values) => {
            let value = join(values, |value| number(*value));
            xml.leaf("ssv:Real", &[("value", value), ("unit", parameter.unit.clone())]);
        }
        ParameterValue::Integer(values) => {
            let short = values.iter().all(|value| i32::try_from(*value).is_ok());
            let tag = if short { "ssv:Integer" } else { "ssv:Int64" };
            list(xml, tag, join(values, i64::to_string));
        }
        ParameterValue::Boolean(values) => list(xml, "ssv:Boolean", join(values, bool::to_string)),
        ParameterValue::String(values) => write_texts(xml, "ssv:String", values.iter().cloned()),
        ParameterValue::Enumeration(values) => write_texts(xml, "ssv:Enumeration", values.iter().cloned()),
        ParameterValue::Binary(values) => {
            write_texts(xml, "ssv:Binary", values.iter().map(|bytes| hex(bytes)))
        }
    }
}

/// One value as an attribute, several as elements.
fn write_texts(xml: &mut Xml, tag: &str, mut values: impl ExactSizeIterator<Item = String>) {
    let value = |text| -> [Attribute<'_>; 1] { [("value", Some(text))] };
    if values.len() != 1 {
        xml.element(tag, &[], |xml| values.for_each(|text| xml.leaf("ssv:Value", &value(text))));
    } else if let Some(text) = values.next() {
        xml.leaf(tag, &value(text));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
