//! Values of parameters from all levels.

use crate::{component, connection, connector, description, findings, open, open_one, set, values};

fn real(name: &str, value: &str) -> String {
    format!("<ssv:Parameter name='{name}'><ssv:Real value='{value}'/></ssv:Parameter>")
}

fn inline(attributes: &str, set: &str, mapping: &str) -> String {
    format!(
        "<ssd:ParameterBinding {attributes}><ssd:ParameterValues>{set}</ssd:ParameterValues>
        <ssd:ParameterMapping>{mapping}</ssd:ParameterMapping></ssd:ParameterBinding>"
    )
}

fn bindings(all: &str) -> String {
    format!("<ssd:ParameterBindings>{all}</ssd:ParameterBindings>")
}

#[test]
fn outer_levels_override_inner_ones_and_later_sets_earlier_ones() {
    let own = set(&(real("p", "1") + &real("q", "2") + &real("r", "3") + &real("s", "4")));
    let system = format!(
        "{}<ssd:Elements><ssd:System name='sub'>{}<ssd:Elements>
        <ssd:Component name='a' source='resources/a.fmu'>{}</ssd:Component></ssd:Elements></ssd:System></ssd:Elements>",
        bindings(&(inline("prefix='sub.a.'", &set(&real("s", "40")), "") + &inline("", &set(&real("sub.a.s", "41")), ""))),
        bindings(&inline("", &set(&(real("a.q", "20") + &real("a.s", "30"))), "")),
        bindings(&(inline("", &own, "") + "<ssd:ParameterBinding source='more.ssv'/>")),
    );
    let files = [("SystemStructure.ssd", &*description(&system, "")), ("more.ssv", &set(&real("r", "3.5")))];
    let system = open(&files).unwrap();
    assert_eq!(
        values(&system.outline),
        [
            "sub.a.p = Real([1.0])",
            "sub.a.q = Real([20.0])",
            "sub.a.r = Real([3.5])",
            "sub.a.s = Real([41.0])"
        ]
    );
    assert_eq!(findings(&system), "");
}

#[test]
fn connectors_of_systems_pass_values_on() {
    let parameter = connector("p", "parameter", "<ssc:Real/>");
    let ports = connector("u", "input", "") + &connector("y", "output", "") + &parameter;
    let system = format!(
        "<ssd:Connectors>{ports}</ssd:Connectors>{}<ssd:Elements>{}<ssd:System name='sub'>
        <ssd:Connectors>{parameter}</ssd:Connectors>{}<ssd:Elements>{}</ssd:Elements>
        <ssd:Connections>{}</ssd:Connections></ssd:System></ssd:Elements><ssd:Connections>{}{}{}</ssd:Connections>",
        bindings(&inline("", &set(&(real("p", "3") + &real("u", "4") + &real("y", "5") + &real("z.z", "6"))), "")),
        component("a", &(connector("u", "input", "") + &connector("y", "output", "") + &parameter)),
        bindings(&inline("", &set(&real("p", "100")), "")),
        component("b", &parameter),
        connection("p", "b.p", "<ssc:LinearTransformation offset='0.5'/>"),
        connection("p", "a.p", ""),
        connection("p", "sub.p", "<ssc:LinearTransformation factor='2'/>"),
        connection("u", "a.u", "<ssc:LinearTransformation factor='-1'/>"),
    );
    let system = open_one(&system, "").unwrap();
    assert_eq!(values(&system.outline), ["a.p = Real([3.0])", "a.u = Real([-4.0])", "sub.b.p = Real([6.5])"]);
    let found = findings(&system);
    assert!(found.contains("`y` is ignored: it is an output"), "{found}");
    assert!(found.contains("`z.z` is ignored: no element"), "{found}");
    assert_eq!(system.outline.connections, []);
}

#[test]
fn mappings_rename_and_transform() {
    let mapping = "<ssm:ParameterMapping version='1.0'>
        <ssm:MappingEntry source='x.k' target='a.k'><ssc:LinearTransformation factor='2' offset='1'/></ssm:MappingEntry>
        <ssm:MappingEntry source='x.k' target='a.l'/>
        <ssm:MappingEntry source='x.b' target='a.b'><ssc:BooleanMappingTransformation>
          <ssc:MapEntry source='true' target='false'/></ssc:BooleanMappingTransformation></ssm:MappingEntry>
        <ssm:MappingEntry source='x.e' target='a.e'><ssc:EnumerationMappingTransformation>
          <ssc:MapEntry source='on' target='off'/></ssc:EnumerationMappingTransformation></ssm:MappingEntry>
        <ssm:MappingEntry source='x.none' target='a.none'/></ssm:ParameterMapping>";
    let parameters = real("k", "3")
        + &real("l", "9")
        + "<ssv:Parameter name='b'><ssv:Boolean value='1'/></ssv:Parameter>
           <ssv:Parameter name='e'><ssv:Enumeration value='on'/></ssv:Parameter>";
    let text = format!(
        "{}<ssd:Elements>{}</ssd:Elements>",
        bindings("<ssd:ParameterBinding prefix='x.' source='resources/p.ssv' type='application/x-ssp-parameter-set'>
            <ssd:ParameterMapping source='resources/m.ssm'/></ssd:ParameterBinding>"),
        component("a", "")
    );
    let mapping =
        mapping.replacen("<ssm:ParameterMapping", &format!("<ssm:ParameterMapping {}", crate::NAMES), 1);
    let mapping = mapping.replacen("version='1.0'>", ">", 1);
    let files = [
        ("SystemStructure.ssd", &*description(&text, "")),
        ("resources/p.ssv", &set(&parameters)),
        ("resources/m.ssm", &mapping),
    ];
    let system = open(&files).unwrap();
    let expected =
        ["a.b = Boolean([false])", "a.e = Enumeration([\"off\"])", "a.k = Real([7.0])", "a.l = Real([3.0])"];
    assert_eq!(values(&system.outline), expected);
    let found = findings(&system);
    assert!(found.contains("the mapping of `x.none` is ignored"), "{found}");
    assert!(found.contains("`x.l` is ignored"), "{found}");
}

#[test]
fn arrays_and_all_types() {
    let parameter = |name: &str, value: &str| format!("<ssv:Parameter name='{name}'>{value}</ssv:Parameter>");
    let all = [
        parameter(
            "a",
            "<ssv:Float64 value='1 2 INF 4 NaN 6'/><ssc:Dimension size='2'/><ssc:Dimension size='3'/>",
        ),
        parameter("b", "<ssv:Int64 value='-9000000000'/>"),
        parameter(
            "c",
            "<ssv:String><ssv:Value value='x y'/><ssv:Value value=''/></ssv:String><ssc:Dimension size='2'/>",
        ),
        parameter("d", "<ssv:Binary value='00fF'/>"),
        parameter("e", "<ssv:String/><ssc:Dimension size='0'/>"),
    ];
    let system = bindings(&inline("", &set(&all.concat()), ""));
    let system = format!(
        "<ssd:Elements><ssd:Component name='m' source='resources/a.fmu'>{system}</ssd:Component></ssd:Elements>"
    );
    let outline = open_one(&system, "").unwrap().outline;
    let expected = [
        "m.a = Real([1.0, 2.0, inf, 4.0, NaN, 6.0])",
        "m.b = Integer([-9000000000])",
        "m.c = String([\"x y\", \"\"])",
        "m.d = Binary([[0, 255]])",
        "m.e = String([])",
    ];
    assert_eq!(values(&outline), expected);
    assert_eq!(outline.components[0].parameters[0].dimensions, [2, 3]);
}
