//! Writing of system structure descriptions.

use super::{Files, PARAMETERS};
use crate::description::{EnumerationType, VariableKind};
use crate::ssp::outline::{Component, Connection, Connector, Dimension, Endpoint, Implementation, Outline};
use crate::ssp::source::encode;
use crate::ssp::transformation::Transformation;
use crate::ssp::xml::{Xml, number};

pub(super) fn text(outline: &Outline, files: &Files) -> String {
    let attributes = super::root(outline, &outline.name, "ssd", "Description");
    Xml::file("ssd:SystemStructureDescription", &attributes, |xml| {
        let name = if outline.name.is_empty() { "system" } else { &outline.name };
        xml.element("ssd:System", &[("name", Some(name.to_owned()))], |xml| {
            write_system(xml, outline, files)
        });
        xml.list("ssd:Enumerations", &outline.enumerations, write_enumeration);
        super::write_units(xml, "ssd:Units", outline.units.iter());
        let experiment = outline.experiment;
        let attributes =
            [("startTime", experiment.start.map(number)), ("stopTime", experiment.stop.map(number))];
        if attributes.iter().any(|(_, value)| value.is_some()) {
            xml.leaf("ssd:DefaultExperiment", &attributes);
        }
    })
}

fn write_system(xml: &mut Xml, outline: &Outline, files: &Files) {
    if outline.components.iter().any(|component| !component.parameters.is_empty()) {
        xml.element("ssd:ParameterBindings", &[], |xml| {
            xml.leaf("ssd:ParameterBinding", &[("source", Some(PARAMETERS.to_owned()))]);
        });
    }
    xml.list("ssd:Elements", &outline.components, |xml, component| {
        write_component(xml, outline, component, files);
    });
    xml.list("ssd:Connections", &outline.connections, |xml, connection| {
        write_connection(xml, outline, connection);
    });
}

fn write_component(xml: &mut Xml, outline: &Outline, component: &Component, files: &Files) {
    let implementation = component.implementation.map(|implementation| match implementation {
        Implementation::CoSimulation => "CoSimulation",
        Implementation::ModelExchange => "ModelExchange",
        Implementation::ScheduledExecution => "ScheduledExecution",
    });
    let attributes = [
        ("name", Some(component.name.clone())),
        ("type", Some("application/x-fmu-sharedlibrary".to_owned())),
        ("source", files.get(&component.source).map(|path| encode(path))),
        ("implementation", implementation.map(str::to_owned)),
    ];
    xml.element("ssd:Component", &attributes, |xml| {
        xml.list("ssd:Connectors", &component.connectors, |xml, connector| {
            write_connector(xml, outline, connector);
        });
    });
}

fn write_connector(xml: &mut Xml, outline: &Outline, connector: &Connector) {
    let attributes =
        [("name", Some(connector.name.clone())), ("kind", Some(connector.kind.word().to_owned()))];
    xml.element("ssd:Connector", &attributes, |xml| {
        if let Some(kind) = connector.value_type {
            let name = match kind {
                VariableKind::Enumeration(index) => Some(outline.enumerations[index].name.clone()),
                _ => None,
            };
            xml.leaf(&format!("ssc:{}", tag(kind).0), &[("unit", connector.unit.clone()), ("name", name)]);
        }
        for dimension in &connector.dimensions {
            let attribute = match dimension {
                Dimension::Size(size) => ("size", Some(size.to_string())),
                Dimension::Connector(name) => ("sizeConnector", Some(name.clone())),
                Dimension::Open => ("size", None),
            };
            xml.leaf("ssc:Dimension", &[attribute]);
        }
    });
}

/// The tag of a type, and whether SSP 1.0 does not have it.
pub(super) fn tag(kind: VariableKind) -> (&'static str, bool) {
    match kind {
        VariableKind::Float64 => ("Real", false),
        VariableKind::Int32 => ("Integer", false),
        VariableKind::Boolean => ("Boolean", false),
        VariableKind::String => ("String", false),
        VariableKind::Enumeration(_) => ("Enumeration", false),
        VariableKind::Binary => ("Binary", false),
        VariableKind::Float32 => ("Float32", true),
        VariableKind::Int8 => ("Int8", true),
        VariableKind::Int16 => ("Int16", true),
        VariableKind::Int64 => ("Int64", true),
        VariableKind::UInt8 => ("UInt8", true),
        VariableKind::UInt16 => ("UInt16", true),
        VariableKind::UInt32 => ("UInt32", true),
        VariableKind::UInt64 => ("UInt64", true),
        VariableKind::Clock => ("Clock", true),
    }
}

/// Writes a connection. Its transformation has the conversion of units, which readers must not make again.
fn write_connection(xml: &mut Xml, outline: &Outline, connection: &Connection) {
    let unit = |end: &Endpoint| {
        let mut connectors = outline.components[end.component].connectors.iter();
        connectors.find(|connector| connector.name == end.connector)?.unit.as_deref()
    };
    let name = |end: &Endpoint| Some(outline.components[end.component].name.clone());
    let (from, to) = (&connection.from, &connection.to);
    let plain = connection.transformation.is_none() && unit(from).is_some() && unit(from) == unit(to);
    let attributes = [
        ("startElement", name(from)),
        ("startConnector", Some(from.connector.clone())),
        ("endElement", name(to)),
        ("endConnector", Some(to.connector.clone())),
        ("suppressUnitConversion", (!plain).then(|| "true".to_owned())),
    ];
    xml.element("ssd:Connection", &attributes, |xml| {
        connection.transformation.iter().for_each(|transformation| write_transformation(xml, transformation));
    });
}

fn write_transformation(xml: &mut Xml, transformation: &Transformation) {
    match transformation {
        Transformation::Linear { factor, offset } => {
            let attributes = [("factor", Some(number(*factor))), ("offset", Some(number(*offset)))];
            xml.leaf("ssc:LinearTransformation", &attributes);
        }
        Transformation::Boolean(pairs) => write_table(xml, "Boolean", pairs),
        Transformation::Integer(pairs) => write_table(xml, "Integer", pairs),
        Transformation::Enumeration(pairs) => write_table(xml, "Enumeration", pairs),
    }
}

fn write_table<T: ToString>(xml: &mut Xml, kind: &str, pairs: &[(T, T)]) {
    xml.element(&format!("ssc:{kind}MappingTransformation"), &[], |xml| {
        for (source, target) in pairs {
            let attributes = [("source", Some(source.to_string())), ("target", Some(target.to_string()))];
            xml.leaf("ssc:MapEntry", &attributes);
        }
    });
}

fn write_enumeration(xml: &mut Xml, enumeration: &EnumerationType) {
    xml.element("ssc:Enumeration", &[("name", Some(enumeration.name.clone()))], |xml| {
        for item in &enumeration.items {
            let attributes = [("name", Some(item.name.clone())), ("value", Some(item.value.to_string()))];
            xml.leaf("ssc:Item", &attributes);
        }
    });
}
