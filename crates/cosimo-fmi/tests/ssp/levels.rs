//! Systems within systems, files and packages.

use cosimo_fmi::ssp::{Experiment, Implementation, SspVersion, System};

use crate::{component, connection, connections, connector, description, findings, open, open_one, zip};

/// A system with an input `u`, an output `y` and a component `motor` between.
fn inner(name: &str) -> String {
    let connectors = connector("u", "input", "<ssc:Real/>") + &connector("y", "output", "<ssc:Real/>");
    format!(
        "<ssd:System name='{name}' id='{name}'><ssd:Connectors>{connectors}</ssd:Connectors><ssd:Elements>{}</ssd:Elements>
        <ssd:Connections>{}{}</ssd:Connections></ssd:System>",
        component("motor", &connectors),
        connection("motor.u", "u", "<ssc:LinearTransformation factor='2' offset='1'/>"),
        connection("motor.y", "y", ""),
    )
}

#[test]
fn connections_lead_through_the_levels() {
    let source =
        component("source", &connector("y", "output", "")) + &component("sink", &connector("u", "input", ""));
    let system = format!(
        "<ssd:Elements>{source}{}{}</ssd:Elements><ssd:Connections>{}{}{}</ssd:Connections>",
        inner("one"),
        inner("two"),
        connection("source.y", "one.u", "<ssc:LinearTransformation factor='10' offset='5'/>"),
        connection("two.u", "one.y", ""),
        connection("two.y", "sink.u", ""),
    );
    let after =
        "<ssd:DefaultExperiment startTime='1' stopTime='2.5'/><ssd:Annotations><x/></ssd:Annotations>";
    let system = open_one(&system, after).unwrap();
    assert_eq!(findings(&system), "");
    let outline = &system.outline;
    assert_eq!(
        connections(outline),
        [
            "one.motor.y > two.motor.u by Linear { factor: 2.0, offset: 1.0 }",
            "source.y > one.motor.u by Linear { factor: 20.0, offset: 11.0 }",
            "two.motor.y > sink.u",
        ]
    );
    assert_eq!((outline.name.as_str(), outline.version), ("file", SspVersion::V2));
    assert_eq!(outline.experiment, Experiment { start: Some(1.0), stop: Some(2.5) });
    let motor = outline.components.iter().find(|component| component.name == "one.motor").unwrap();
    assert_eq!(std::fs::read(&motor.source).unwrap(), b"fmu");
    let path = motor.source.clone();
    drop(system);
    assert!(!path.exists());
}

#[test]
fn a_system_of_another_file_is_as_if_it_were_here() {
    let inner = inner("inner");
    let start = inner.find('>').unwrap() + 1;
    let text = description(&inner[start..inner.len() - "</ssd:System>".len()], "");
    let packed = zip(&[
        ("SystemStructure.ssd", b"" as &[u8]),
        ("Other.ssd", text.as_bytes()),
        ("resources/a.fmu", b"packed"),
    ]);
    let reference = |name: &str, source: &str, kind: &str| {
        format!("<ssd:Component name='{name}' source='{source}' type='application/x-ssp-{kind}'/>")
    };
    let elements = [
        inner.clone(),
        reference("file", "sub/Sub.ssd", "definition"),
        reference("again", "#inner", "definition"),
        reference("package", "resources/sub.ssp#Other.ssd", "package"),
    ];
    let wire = |start: &str, end: &str| connection(start, end, "");
    let system = format!(
        "<ssd:Elements>{}</ssd:Elements><ssd:Connections>{}{}{}</ssd:Connections>",
        elements.concat(),
        wire("inner.y", "file.u"),
        wire("file.y", "again.u"),
        wire("again.y", "package.u")
    );
    let folder = tempfile::tempdir().unwrap();
    for name in ["resources", "sub/resources"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("a.fmu"), name).unwrap();
    }
    std::fs::write(folder.path().join("resources/sub.ssp"), packed).unwrap();
    std::fs::write(folder.path().join("sub/Sub.ssd"), text).unwrap();
    let path = folder.path().join("Main.ssd");
    std::fs::write(&path, description(&system, "")).unwrap();
    let system = System::open(path).unwrap();
    let by = " by Linear { factor: 2.0, offset: 1.0 }";
    let expected = ["again.motor.y > package", "file.motor.y > again", "inner.motor.y > file"];
    assert_eq!(connections(&system.outline), expected.map(|text| format!("{text}.motor.u{by}")));
    let content = |index: usize| std::fs::read_to_string(&system.outline.components[index].source).unwrap();
    assert_eq!([0, 1, 2, 3].map(content), ["resources", "sub/resources", "resources", "packed"]);
    std::fs::rename(folder.path().join("Main.ssd"), folder.path().join("SystemStructure.ssd")).unwrap();
    assert_eq!(connections(&System::open(folder.path()).unwrap().outline).len(), 3);
}

#[test]
fn tables_are_composed_and_the_implementation_is_read() {
    let table = "<ssc:IntegerMappingTransformation><ssc:MapEntry source='1' target='2'/><ssc:MapEntry source='3' target='4'/>
        </ssc:IntegerMappingTransformation>";
    let next = "<ssc:IntegerMappingTransformation><ssc:MapEntry source='2' target='-7'/></ssc:IntegerMappingTransformation>";
    let (input, output) = (connector("u", "input", "<ssc:Int8/>"), connector("y", "output", "<ssc:Int8/>"));
    let system = format!(
        "<ssd:Elements><ssd:Component name='a' source='resources/a.fmu' implementation='ModelExchange'>
        <ssd:Connectors>{output}</ssd:Connectors></ssd:Component>
        <ssd:System name='s'><ssd:Connectors>{input}</ssd:Connectors><ssd:Elements>{}</ssd:Elements>
        <ssd:Connections>{}</ssd:Connections></ssd:System></ssd:Elements><ssd:Connections>{}</ssd:Connections>",
        component("b", &input),
        connection("u", "b.u", next),
        connection("a.y", "s.u", table)
    );
    let outline = open_one(&system, "").unwrap().outline;
    assert_eq!(connections(&outline), ["a.y > s.b.u by Integer([(1, -7)])"]);
    let implementations: Vec<_> =
        outline.components.iter().map(|component| component.implementation).collect();
    assert_eq!(implementations, [Some(Implementation::ModelExchange), None]);
}

#[test]
fn what_is_not_used_is_found() {
    let system = format!(
        "<ssd:Elements>{}<ssd:Component name='s' source='sub.ssd'/><ssd:SignalDictionaryReference name='d' dictionary='x'/>
        </ssd:Elements>",
        component("a", "<ssd:Connector name='x' kind='input'><ssc:Float32/><ssd:Clock name='c'/></ssd:Connector>")
    );
    let system =
        open(&[("SystemStructure.ssd", &description(&system, "")), ("sub.ssd", &description("", ""))]);
    let found = findings(&system.unwrap());
    for words in
        ["<SignalDictionaryReference name=\"d\"> is ignored", "the type is missing; read as", "clock"]
    {
        assert!(found.contains(words), "{found}");
    }
}
