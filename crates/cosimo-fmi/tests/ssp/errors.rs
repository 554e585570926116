//! Mistakes: each error tells the place and what to do.

use std::path::Path;

use cosimo_fmi::ssp::{
    Component, Connection, Connector, ConnectorKind, Dimension, Endpoint, Outline, Parameter, ParameterValue,
    SspProblem, SspVersion, System, write,
};

use crate::{component, connection, connector, description, open, open_bytes, open_one, set, zip};

/// Asserts that opening gives a problem that matches, at an element with these words, and that says those words.
macro_rules! refuses {
    ($system:expr, $problem:pat, $line:expr, $words:expr) => {{
        let system = String::from($system);
        let error = open_one(&system, "").unwrap_err();
        assert!(matches!(*error.problem, $problem), "{error}");
        let text = description(&system, "");
        let line = text.lines().nth(error.place.line - 1).unwrap();
        let at = &line[error.place.column - 1..];
        assert!(at.starts_with($line), "{error}\n{at}");
        assert!(error.place.file.ends_with("the.ssp/SystemStructure.ssd"), "{error}");
        assert!(error.to_string().contains($words), "{error}");
    }};
}

fn elements(inner: &str) -> String {
    format!("<ssd:Elements>{inner}</ssd:Elements>")
}

/// Two components with these kinds of connectors, and a connection.
fn pair(kinds: [&str; 2], wires: &str) -> String {
    let parts =
        component("a", &connector("x", kinds[0], "")) + &component("b", &connector("x", kinds[1], ""));
    format!("{}<ssd:Connections>{wires}</ssd:Connections>", elements(&parts))
}

#[test]
fn connections() {
    const AT: &str = "<ssd:Connection ";
    let wire = |start, end| connection(start, end, "");
    let kinds = ["output", "input"];
    refuses!(
        pair(kinds, &wire("a.x", "c.x")),
        SspProblem::Unknown { .. },
        AT,
        "no element `c`; there is `a`, `b`"
    );
    refuses!(
        pair(kinds, &wire("a.x", "b.xx")),
        SspProblem::Unknown { .. },
        AT,
        "the connection of `a.x` and `b.xx` of <System name=\"root\">: there is no connector of `b` `xx`; did you mean `x`?"
    );
    refuses!(
        pair(kinds, &wire("x", "b.x")),
        SspProblem::Unknown { .. },
        AT,
        "the system itself `x`; there is none"
    );
    refuses!(
        pair(["output"; 2], &wire("a.x", "b.x")),
        SspProblem::Direction { .. },
        AT,
        "joins output and output"
    );
    refuses!(
        pair(["input"; 2], &wire("a.x", "b.x")),
        SspProblem::Direction { .. },
        AT,
        "joins input and input"
    );
    refuses!(
        pair(["output", "parameter"], &wire("a.x", "b.x")),
        SspProblem::Direction { .. },
        AT,
        "a calculatedParameter to a parameter"
    );
    let twice = wire("a.x", "b.x") + &wire("b.x", "a.x");
    refuses!(
        pair(kinds, &twice),
        SspProblem::TwoSources { .. },
        AT,
        "`b.x` already gets its value by the connection at"
    );
    let indices = wire("a.x", "b.x").replace("startElement", "startIndices='1' startElement");
    refuses!(pair(kinds, &indices), SspProblem::Unsupported { .. }, AT, "connect the array as a whole");
    let ports = connector("u", "input", "") + &connector("y", "output", "");
    let through = format!(
        "<ssd:System name='s'><ssd:Connectors>{ports}</ssd:Connectors><ssd:Connections>{}</ssd:Connections></ssd:System>",
        wire("u", "y")
    );
    let circle = format!("{}<ssd:Connections>{}</ssd:Connections>", elements(&through), wire("s.y", "s.u"));
    refuses!(circle, SspProblem::Circle { .. }, AT, "circle of connections");
    let tables = "<ssc:BooleanMappingTransformation><ssc:MapEntry source='1' target='0'/></ssc:BooleanMappingTransformation>";
    let linear = "<ssc:LinearTransformation factor='2'/>";
    let inner = format!(
        "<ssd:System name='s'><ssd:Connectors>{}</ssd:Connectors>{}<ssd:Connections>{}</ssd:Connections></ssd:System>",
        connector("u", "input", ""),
        elements(&component("b", &connector("x", "input", ""))),
        connection("u", "b.x", linear)
    );
    let mixed = format!(
        "{}<ssd:Connections>{}</ssd:Connections>",
        elements(&(component("a", &connector("x", "output", "")) + &inner)),
        connection("a.x", "s.u", tables)
    );
    refuses!(mixed, SspProblem::Transformation { .. }, AT, "the transformation does not fit");
    let infinite = connection("a.x", "b.x", "<ssc:LinearTransformation factor='INF'/>");
    refuses!(pair(kinds, &infinite), SspProblem::Xml(_), "factor", "a finite number");
    let dictionary = "<ssd:SignalDictionaryReference name='d' dictionary='x'/>";
    let used = format!(
        "{}<ssd:Connections>{}</ssd:Connections>",
        elements(&(component("a", &connector("x", "output", "")) + dictionary)),
        wire("a.x", "d.x")
    );
    refuses!(used, SspProblem::Unsupported { .. }, AT, "a dictionary of signals cannot be used");
}

#[test]
fn components() {
    const AT: &str = "<ssd:Component ";
    let with = |attributes: &str| elements(&format!("<ssd:Component name='a' {attributes}/>"));
    for (uri, words) in [
        ("../../x.fmu", "leads out of the package"),
        ("/etc/passwd", "leads out of the package"),
        ("%2e%2e/x.fmu", "leads out of the package"),
        ("https://x.org/a.fmu", "is on the network"),
        ("file:///a.fmu", "is not relative"),
        ("resources/b.fmu", "is missing; did you mean `resources/a.fmu`?"),
    ] {
        refuses!(with(&format!("source='{uri}'")), SspProblem::Source { .. }, AT, words);
    }
    refuses!(with(""), SspProblem::Unsupported { .. }, AT, "a component without a source");
    let kind = "source='resources/a.fmu' type='application/x-python'";
    refuses!(with(kind), SspProblem::Kind { .. }, AT, "of type `application/x-python`");
    let definition = |uri: &str| with(&format!("source='{uri}' type='application/x-ssp-definition'"));
    refuses!(definition("#x"), SspProblem::Source { .. }, AT, "is no `id` of a system");
    refuses!(definition("SystemStructure.ssd"), SspProblem::Cycle { .. }, AT, "cannot contain itself");
    let own = definition("#s")
        .replace("<ssd:Elements>", "<ssd:Elements><ssd:System name='s' id='s'><ssd:Elements>");
    let own = own.replace("</ssd:Elements>", "</ssd:Elements></ssd:System></ssd:Elements>");
    refuses!(own, SspProblem::Cycle { .. }, AT, "`#s` is the system that this is a part of");
    refuses!(elements(&component("a", "").repeat(2)), SspProblem::DuplicateName { .. }, AT, "`a` is taken");
    let dotted = component("a.b", "")
        + &format!("<ssd:System name='a'>{}</ssd:System>", elements(&component("b", "")));
    refuses!(elements(&dotted), SspProblem::DuplicateName { .. }, AT, "`a.b` is taken");
    let ports = connector("x", "input", "") + &connector("x", "output", "");
    refuses!(
        elements(&component("a", &ports)),
        SspProblem::DuplicateName { .. },
        "<ssd:Connector ",
        "`x` is taken"
    );
    let kind = elements(&component("a", &connector("x", "inn", "")));
    refuses!(kind, SspProblem::Xml(_), "kind=", "should be a kind of connector");
    let missing = elements(&component("a", &connector("x", "input", "<ssc:Enumeration name='e'/>")));
    refuses!(missing, SspProblem::Unknown { .. }, "<ssc:Enumeration", "there is no enumeration `e`");
    let depth =
        "<ssd:System name='s'><ssd:Elements>".repeat(100) + &"</ssd:Elements></ssd:System>".repeat(100);
    refuses!(
        elements(&depth),
        SspProblem::TooMuch { .. },
        "<ssd:System ",
        "levels of systems exceed the limit"
    );
}

#[test]
fn references_that_multiply_are_refused() {
    let level = |name: usize| {
        let refer = |index| {
            format!(
                "<ssd:Component name='{index}' source='#{}' type='application/x-ssp-definition'/>",
                name + 1
            )
        };
        let inner: String = (0..50).map(refer).collect();
        format!("<ssd:System name='s{name}' id='{name}'>{}</ssd:System>", elements(&inner))
    };
    let bomb = (1..6).map(level).collect::<String>() + "<ssd:System name='s6' id='6'/>";
    refuses!(elements(&bomb), SspProblem::TooMuch { .. }, "<ssd:", "exceed the limit of 2000000");
}

#[test]
fn parameters() {
    let binding = |inner: &str| {
        let inner = inner.replace('\n', "");
        format!("<ssd:ParameterBindings>{inner}</ssd:ParameterBindings>{}", elements(&component("a", "")))
    };
    let inline = |parameters: &str| {
        let set = set(parameters);
        binding(&format!(
            "<ssd:ParameterBinding><ssd:ParameterValues>{set}</ssd:ParameterValues></ssd:ParameterBinding>"
        ))
    };
    const AT: &str = "<ssv:Parameter ";
    let array = "<ssv:Parameter name='a.x'><ssv:Real value='1 2'/></ssv:Parameter>";
    refuses!(
        inline(array),
        SspProblem::Length { .. },
        AT,
        "<Parameter name=\"a.x\"> has 2 values for 1 elements"
    );
    let twice = "<ssv:Parameter name='a.x'><ssv:Real value='1'/></ssv:Parameter>".repeat(2);
    refuses!(inline(&twice), SspProblem::DuplicateName { .. }, AT, "`a.x` is taken");
    refuses!(inline("<ssv:Parameter name='a.x'/>"), SspProblem::Xml(_), AT, "<Real> or <Integer>");
    let odd = "<ssv:Parameter name='a.x'><ssv:Binary value='123'/></ssv:Parameter>";
    refuses!(inline(odd), SspProblem::Xml(_), "value=", "two hexadecimal digits");
    let sources = [
        ("source='x.ssv'", "is missing"),
        ("source='http://x/y.ssv'", "is on the network"),
        ("source='x.ssv' sourceBase='component'", "a file within a component cannot be used"),
        ("source='x.cdf' type='application/x-cdf'", "of type `application/x-cdf`"),
    ];
    for (attributes, words) in sources {
        let error = open_one(&binding(&format!("<ssd:ParameterBinding {attributes}/>")), "").unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let mapping = "<ssm:ParameterMapping version='1.0'><ssm:MappingEntry source='a.x' target='a.y'>
        <ssc:LinearTransformation factor='2'/></ssm:MappingEntry></ssm:ParameterMapping>";
    let wrong = set("<ssv:Parameter name='a.x'><ssv:Boolean value='true'/></ssv:Parameter>");
    let wrong = binding(&format!(
        "<ssd:ParameterBinding><ssd:ParameterValues>{wrong}</ssd:ParameterValues>
         <ssd:ParameterMapping>{mapping}</ssd:ParameterMapping></ssd:ParameterBinding>"
    ));
    refuses!(
        wrong,
        SspProblem::Transformation { .. },
        AT,
        "the parameter `a.y`: the transformation does not fit"
    );
    let other = binding("<ssd:ParameterBinding source='p.ssv'/>");
    let error = open(&[("SystemStructure.ssd", &description(&other, "")), ("p.ssv", "<html/>")]).unwrap_err();
    assert!(
        error.to_string().contains("p.ssv:1:1: the root element is <html>, not <ParameterSet>"),
        "{error}"
    );
}

#[test]
fn files() {
    let message = |files: &[(&str, &str)]| open(files).unwrap_err().to_string();
    let good = description("", "");
    assert!(message(&[]).contains("there is no `SystemStructure.ssd`; this is no system"));
    assert!(message(&[("Other.ssd", &good)]).contains("but a `Other.ssd`; rename it"));
    let inner = message(&[("folder/SystemStructure.ssd", &good)]);
    assert!(inner.contains("but one in `folder`; zip what is in that folder"), "{inner}");
    let text = good.replace("version='2.0'", "version='3.0'");
    assert!(message(&[("SystemStructure.ssd", &text)]).contains("SSP version `3.0` is not supported"));
    let text = message(&[("SystemStructure.ssd", "<x")]);
    assert!(text.contains("SystemStructure.ssd:1:") && text.contains("not readable as XML"), "{text}");
    assert!(message(&[("SystemStructure.ssd", "<x/>")]).contains("not <SystemStructureDescription>"));
    assert!(message(&[("../x", &good)]).contains("would be unpacked outside"));
    assert!(open_bytes(b"text").unwrap_err().to_string().contains("not a zip archive"));
    let error = System::open(Path::new("/nowhere/x.ssp")).unwrap_err();
    assert!(error.to_string().contains("/nowhere/x.ssp:1:1"), "{error}");
    let refer = elements("<ssd:Component name='s' source='s.ssp'/>");
    let nested = zip(&[("SystemStructure.ssd", description(&refer, "").as_bytes()), ("s.ssp", b"damaged")]);
    let error = open_bytes(&nested).unwrap_err().to_string();
    assert!(error.contains("the.ssp/s.ssp:1:1: not a zip archive"), "{error}");
    let good = zip(&[("SystemStructure.ssd", good.as_bytes())]);
    let refer = elements("<ssd:Component name='s' source='s.ssp#../../x'/>");
    let nested = zip(&[("SystemStructure.ssd", description(&refer, "").as_bytes()), ("s.ssp", &good)]);
    let error = open_bytes(&nested).unwrap_err().to_string();
    assert!(error.contains("`source` is `#../../x`, which leads out of the package"), "{error}");
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = folder.path().join("a.fmu");
    std::fs::write(&fmu, "fmu").unwrap();
    let connector = Connector {
        name: "u".to_owned(),
        kind: ConnectorKind::Input,
        value_type: None,
        unit: None,
        dimensions: Vec::new(),
    };
    let value = ParameterValue::Real(vec![1.0]);
    let parameter = Parameter { name: "p".to_owned(), value, unit: None, dimensions: Vec::new() };
    let component = Component {
        name: "a".to_owned(),
        source: fmu.clone(),
        implementation: None,
        connectors: vec![connector],
        parameters: vec![parameter],
    };
    let end = |component| Endpoint { component, connector: "u".to_owned() };
    let connection = Connection { from: end(0), to: end(0), transformation: None };
    let good =
        Outline { components: vec![component.clone()], connections: vec![connection], ..Outline::default() };
    let path = folder.path().join("the.ssp");
    write(&path, &good).unwrap();
    let refuses = |change: &dyn Fn(&mut Outline), words: &str| {
        let mut outline = good.clone();
        change(&mut outline);
        let error = write(&path, &outline).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refuses(&|outline| outline.components.push(component.clone()), "another component has this name");
    refuses(&|outline| outline.components[0].name.clear(), "has no name");
    refuses(&|outline| outline.components[0].name.push('\u{1}'), "a control character");
    refuses(
        &|outline| outline.components[0].source = "/nowhere/x.fmu".into(),
        "/nowhere/x.fmu does not exist",
    );
    refuses(&|outline| outline.components[0].source = folder.path().into(), "zip what is in it");
    refuses(&|outline| outline.connections[0].to = end(1), "a component that does not exist");
    refuses(&|outline| outline.connections[0].to.connector.push('x'), "`a` has no such connector");
    refuses(
        &|outline| outline.connections.push(outline.connections[0].clone()),
        "two connections lead to it",
    );
    refuses(&|outline| outline.components[0].parameters[0].dimensions = vec![2], "1 values for 2 elements");
    refuses(&|outline| outline.components[0].connectors[0].unit = Some("m".into()), "give it the type");
    let v2 = "cannot be written in SSP 1.0; write version 2.0";
    refuses(&|outline| outline.components[0].parameters[0].dimensions = vec![1], v2);
    refuses(&|outline| outline.components[0].connectors[0].dimensions = vec![Dimension::Open], v2);
    refuses(&|outline| outline.components[0].connectors[0].kind = ConnectorKind::Local, v2);
    let long = || ParameterValue::Integer(vec![1 << 40]);
    refuses(&|outline| outline.components[0].parameters[0].value = long(), v2);
    let mixed = |outline: &mut Outline| {
        outline.components.push(Component { name: "a.p".to_owned(), ..component.clone() });
        outline.components[0].parameters[0].name = "p.q".to_owned();
    };
    refuses(&mixed, "also the name of a parameter of another component");
    assert_eq!(good.version, SspVersion::V1);
}
