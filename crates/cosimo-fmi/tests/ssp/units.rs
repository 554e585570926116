//! Conversions of units.

use crate::{
    component, connection, connections, connector, description, findings, open, open_one, set, values,
};

const UNITS: &str = "<ssd:Units><ssc:Unit name='K'><ssc:BaseUnit K='1'/></ssc:Unit>
    <ssc:Unit name='degC'><ssc:BaseUnit K='1' offset='273.15'/></ssc:Unit>
    <ssc:Unit name='m'><ssc:BaseUnit m='1'/></ssc:Unit><ssc:Unit name='mm'><ssc:BaseUnit m='1' factor='0.001'/></ssc:Unit>
    <ssc:Unit name='rpm'><ssc:BaseUnit rad='1' s='-1' factor='0.125'/></ssc:Unit></ssd:Units>";

fn in_unit(unit: &str) -> String {
    if unit.is_empty() { "<ssc:Real/>".to_owned() } else { format!("<ssc:Real unit='{unit}'/>") }
}

/// Two components, connected through a system, each with a unit.
fn chain(units: [&str; 3], attributes: &str, inner: &str) -> String {
    let [from, middle, to] = units.map(in_unit);
    let wire = connection("a.y", "s.u", inner)
        .replace("<ssd:Connection ", &format!("<ssd:Connection {attributes} "));
    let input = connector("u", "input", &to);
    format!(
        "<ssd:Elements>{}<ssd:System name='s'><ssd:Connectors>{}</ssd:Connectors><ssd:Elements>{}</ssd:Elements>
        <ssd:Connections>{}</ssd:Connections></ssd:System></ssd:Elements><ssd:Connections>{wire}</ssd:Connections>",
        component("a", &connector("y", "output", &from)),
        connector("u", "input", &middle),
        component("b", &input),
        connection("u", "b.u", "")
    )
}

#[test]
fn units_are_converted_on_the_way() {
    let how = |units, attributes, inner| {
        let system = open_one(&chain(units, attributes, inner), UNITS).unwrap();
        (connections(&system.outline)[0].strip_prefix("a.y > s.b.u").unwrap().to_owned(), findings(&system))
    };
    let linear =
        |factor: f64, offset: f64| format!(" by Linear {{ factor: {factor:?}, offset: {offset:?} }}");
    let quiet = |text: String| (text, String::new());
    assert_eq!(how(["degC", "K", "K"], "", ""), quiet(linear(1.0, 273.15)));
    assert_eq!(how(["m", "", "mm"], "", ""), quiet(linear(1000.0, 0.0)));
    assert_eq!(how(["m", "mm", "m"], "", "").0, linear(1.0, 0.0));
    assert_eq!(how(["m", "m", "m"], "", ""), quiet(String::new()));
    // The transformation comes after the conversion of units.
    let twice = "<ssc:LinearTransformation factor='2' offset='1'/>";
    assert_eq!(how(["m", "mm", "mm"], "", twice), quiet(linear(2000.0, 1.0)));
    assert_eq!(how(["m", "mm", "mm"], "suppressUnitConversion='true'", twice), quiet(linear(2.0, 1.0)));
    assert_eq!(how(["m", "rpm", "rpm"], "suppressUnitConversion='true'", ""), quiet(String::new()));
    for (units, words) in [
        (["m", "m", ""], "`a.y` is in `m`, but no unit is known of `s.b.u`; the value is not converted"),
        (["", "", "m"], "`s.b.u` is in `m`, but no unit is known of `a.y`"),
        (["furlong", "", "m"], "the unit `furlong` is not defined in <Units>"),
    ] {
        let (how, found) = how(units, "", "");
        assert!(how.is_empty() && found.contains(words), "{found}");
    }
}

#[test]
fn units_of_different_quantities_are_refused() {
    let error = open_one(&chain(["m", "", "K"], "", ""), UNITS).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("`a.y` is in `m`, but `s.b.u` in `K`, which is another quantity"), "{text}");
}

#[test]
fn parameters_are_given_in_the_unit_of_their_variable() {
    let sets = "<ssv:Parameter name='b.u'><ssv:Real value='20 30' unit='degC'/><ssc:Dimension size='2'/></ssv:Parameter>
        <ssv:Parameter name='b.other'><ssv:Real value='1' unit='degC'/></ssv:Parameter>
        <ssv:Parameter name='b.plain'><ssv:Real value='1'/></ssv:Parameter>";
    let set = set(sets)
        .replace("</ssv:Parameters>", &format!("</ssv:Parameters>{}", UNITS.replace("ssd:", "ssv:")));
    let system = |unit: &str| {
        format!(
            "<ssd:ParameterBindings><ssd:ParameterBinding source='p.ssv'/></ssd:ParameterBindings><ssd:Elements>{}</ssd:Elements>",
            component("b", &connector("u", "input", &in_unit(unit)))
        )
    };
    let open = |unit| open(&[("SystemStructure.ssd", &description(&system(unit), UNITS)), ("p.ssv", &set)]);
    let expected = ["b.other = Real([1.0]) degC", "b.plain = Real([1.0])", "b.u = Real([293.15, 303.15]) K"];
    assert_eq!(values(&open("K").unwrap().outline), expected);
    assert_eq!(values(&open("").unwrap().outline)[2], "b.u = Real([20.0, 30.0]) degC");
    let text = open("m").unwrap_err().to_string();
    assert!(text.contains("p.ssv:1:") && text.contains("`b.u` is in `degC`"), "{text}");
}

#[test]
fn units_are_taken_from_the_fmu_where_the_connector_has_none() {
    let fmu = "<fmiModelDescription fmiVersion='3.0' modelName='m' instantiationToken='t'><CoSimulation modelIdentifier='m'/>
        <UnitDefinitions><Unit name='cm'><BaseUnit m='1' factor='0.01'/></Unit></UnitDefinitions><ModelVariables>
        <Float64 name='u' valueReference='1' causality='input' unit='cm' start='0'/></ModelVariables><ModelStructure/>
        </fmiModelDescription>";
    let fmu = crate::zip(&[("modelDescription.xml", fmu.as_bytes())]);
    let text = description(&chain(["m", "", ""], "", ""), UNITS);
    let bytes = crate::zip(&[("SystemStructure.ssd", text.as_bytes()), ("resources/a.fmu", &fmu)]);
    let system = crate::open_bytes(&bytes).unwrap();
    assert_eq!(connections(&system.outline), ["a.y > s.b.u by Linear { factor: 100.0, offset: 0.0 }"]);
    assert_eq!(findings(&system), "");
}
