//! Systems of FMUs (SSP): run, and written.

use std::path::Path;
use std::process::Command;

use cosimo_fmi::binary::Version;
use cosimo_fmi::ssp::{
    Component, Connection, Connector, ConnectorKind, Dimension, Endpoint, Experiment, Implementation,
    Outline, Parameter, ParameterValue, SspVersion, System, Transformation, write,
};
use cosimo_fmi::test_units::build;

/// Runs a file; the columns of these names.
fn run(file: &Path, out: &Path, names: [&str; 2]) -> Vec<[f64; 2]> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cosimo"));
    command.arg("run").arg(file).args(["-q", "--force", "--out"]).arg(out);
    let ran = command.current_dir(out.parent().unwrap()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut reader = csv::Reader::from_path(out.join("results.csv")).unwrap();
    let headers = reader.headers().unwrap().clone();
    let places = names.map(|name| headers.iter().position(|own| own == name).unwrap());
    reader
        .records()
        .map(|row| row.unwrap())
        .map(|row| places.map(|place| row[place].parse().unwrap()))
        .collect()
}

fn connector(name: &str, kind: ConnectorKind) -> Connector {
    Connector { name: name.to_owned(), kind, value_type: None, unit: None, dimensions: Vec::new() }
}

fn component(name: &str, source: &Path, connectors: [Connector; 2], values: &[(&str, f64)]) -> Component {
    let parameter = |(name, value): &(&str, f64)| Parameter {
        name: (*name).to_owned(),
        value: ParameterValue::Real(vec![*value]),
        unit: None,
        dimensions: Vec::new(),
    };
    let parameters = values.iter().map(parameter).collect();
    Component {
        name: name.to_owned(),
        source: source.to_owned(),
        implementation: None,
        connectors: connectors.into(),
        parameters,
    }
}

fn connection(ends: [(usize, &str); 2], transformation: Option<Transformation>) -> Connection {
    let [from, to] =
        ends.map(|(component, connector)| Endpoint { component, connector: connector.to_owned() });
    Connection { from, to, transformation }
}

#[test]
fn a_system_runs_as_the_model_that_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for version in [Version::Two, Version::Three] {
        let (Some(mass), Some(spring)) =
            (build("oscillator_half", version, &[]), build("spring_half", version, &[]))
        else {
            return;
        };
        let mass_ends = [connector("F", ConnectorKind::Input), connector("x", ConnectorKind::Output)];
        let spring_ends = [connector("x1", ConnectorKind::Input), connector("f", ConnectorKind::Output)];
        let outline = Outline {
            name: "mass on a spring".to_owned(),
            components: vec![
                component("arm.mass", &mass.fmu, mass_ends, &[("m", 2.0), ("k", 0.0), ("x0", 0.1)]),
                component("spring", &spring.fmu, spring_ends, &[("k", 300.0)]),
            ],
            connections: vec![
                connection(
                    [(0, "x"), (1, "x1")],
                    Some(Transformation::Linear { factor: 2.0, offset: -0.05 }),
                ),
                connection([(1, "f"), (0, "F")], None),
            ],
            experiment: Experiment { start: Some(0.0), stop: Some(0.5) },
            ..Outline::default()
        };
        let file = folder.path().join("system.ssp");
        write(&file, &outline).unwrap();
        let found = run(&file, &folder.path().join("a"), ["arm_mass.x", "spring.f"]);
        // Force −300 (2 x − 0.05): half a period of the mass of 2 kg in 0.1814 s, about 0.025 m.
        assert!(found.len() > 400);
        let last = found[found.len() - 1];
        let exact = 0.025 + 0.075 * (300.0_f64.sqrt() * 0.5).cos();
        assert!((last[0] - exact).abs() < 2e-3, "{last:?}, not {exact}");
        let read = System::open(&file).unwrap();
        assert_eq!(read.outline.components.len(), 2);
    }
}

#[test]
fn a_model_is_written_as_a_system_and_runs_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let (model, system) = (folder.path().join("crank.toml"), folder.path().join("crank.ssp"));
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/controlled-slider-crank/model.toml");
    std::fs::copy(example, &model).unwrap();
    let mut export = Command::new(env!("CARGO_BIN_EXE_cosimo"));
    let made = export.arg("export").arg(&model).arg("--ssp").arg(&system).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let native = run(&model, &folder.path().join("a"), ["machine.shaft.rate", "governor.output"]);
    let found =
        run(&system, &folder.path().join("b"), ["machine.machine.shaft.rate", "governor.governor.output"]);
    assert_eq!(found.len(), native.len());
    let apart = found.iter().zip(&native).fold(0.0_f64, |most, (a, b)| most.max((a[0] - b[0]).abs()));
    // The limit of the governor ends a step earlier or later: 6 N m for a millisecond are 0.26 rad/s at most.
    assert!(apart < 0.1 && (native[native.len() - 1][0] - 20.0).abs() < 1.0, "{apart:e} rad/s apart");
}

/// A system of one unit, or two, of every type of variables, of which an output of the first leads to an input of the last.
fn passing(unit: &Path, version: SspVersion, ends: [&str; 2], array: bool) -> Outline {
    let one = |name: &str, kind| Connector {
        dimensions: if array { vec![Dimension::Size(3)] } else { Vec::new() },
        ..connector(name, kind)
    };
    let connectors = || [one(ends[1], ConnectorKind::Input), one(ends[0], ConnectorKind::Output)];
    let mut first = component("p", unit, connectors(), &[]);
    let given =
        |name: &str, value, dimensions| Parameter { name: name.to_owned(), value, unit: None, dimensions };
    if array {
        first.parameters = vec![given("array_in", ParameterValue::Real(vec![1.0, 2.0, 4.0]), vec![3])];
    }
    Outline {
        name: "passing".to_owned(),
        version,
        components: vec![first, component("q", unit, connectors(), &[])],
        connections: vec![connection([(0, ends[0]), (1, ends[1])], None)],
        experiment: Experiment { start: Some(0.0), stop: Some(0.1) },
        ..Outline::default()
    }
}

/// What the command says of a system, with its exit code.
fn told(outline: &Outline) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("system.ssp");
    write(&file, outline).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cosimo"));
    let ran =
        command.arg("run").arg(&file).args(["-q", "--out", "out"]).current_dir(&folder).output().unwrap();
    (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn what_a_system_has_that_a_model_has_not_is_named() {
    for version in [Version::Two, Version::Three] {
        let Some(unit) = build("feedthrough", version, &[]) else { return };
        let plain = |ends| passing(&unit.fmu, SspVersion::V1, ends, false);
        for (ends, what) in [
            (["int32_out", "int32_in"], "is of whole numbers"),
            (["bool_out", "bool_in"], "is of truth values"),
            (["choice_out", "choice_in"], "is of items of an enumeration"),
            (["text_out", "text_in"], "is of texts"),
        ] {
            let (code, text) = told(&plain(ends));
            assert_eq!(code, Some(2), "{text}");
            let expected = format!(
                "the connection from `p.{}` to `q.{}` {what}; connections are of real numbers only",
                ends[0], ends[1]
            );
            assert!(text.contains(&expected), "{text}");
        }
        let mut mapped = plain(["int32_out", "int32_in"]);
        mapped.connections[0].transformation = Some(Transformation::Integer(vec![(1, 2)]));
        assert!(told(&mapped).1.contains("is of whole numbers; connections are of real numbers only"));
        let mut bytes = plain(["real_out", "real_in"]);
        bytes.version = SspVersion::V2;
        bytes.components[1].parameters = vec![Parameter {
            name: "blob".to_owned(),
            value: ParameterValue::Binary(vec![vec![1, 2]]),
            unit: None,
            dimensions: Vec::new(),
        }];
        let (code, text) = told(&bytes);
        assert_eq!(code, Some(2), "{text}");
        assert!(
            text.contains("parameter `blob` of component `q` is binary, which is not supported"),
            "{text}"
        );
        let mut scheduled = plain(["real_out", "real_in"]);
        scheduled.version = SspVersion::V2;
        scheduled.components[0].implementation = Some(Implementation::ScheduledExecution);
        let (code, text) = told(&scheduled);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("component `p` is for scheduled execution, which is not supported"), "{text}");
    }
}

#[test]
fn arrays_are_connected_as_a_whole() {
    let Some(unit) = build("feedthrough", Version::Three, &[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("system.ssp");
    let outline = passing(&unit.fmu, SspVersion::V2, ["array_out", "array_in"], true);
    write(&file, &outline).unwrap();
    let found = run(&file, &folder.path().join("out"), ["q.array_out[1]", "q.array_out[3]"]);
    assert_eq!(found[found.len() - 1], [1.0, 4.0]);
    let mut other = outline;
    other.components[1].parameters = vec![Parameter {
        name: "n".to_owned(),
        value: ParameterValue::Integer(vec![2]),
        unit: None,
        dimensions: Vec::new(),
    }];
    let (code, text) = told(&other);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("is of 3 numbers at its start and 2 at its end"), "{text}");
}

/// SSP 2.0: the mass is within a system of its own, which passes its force and place on; a parameter set has other names and units.
#[test]
fn nested_systems_with_mappings_run_as_they_say() {
    for version in [Version::Two, Version::Three] {
        let (Some(mass), Some(spring)) =
            (build("oscillator_half", version, &[]), build("spring_half", version, &[]))
        else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("resources")).unwrap();
        std::fs::copy(&mass.fmu, folder.path().join("resources/mass.fmu")).unwrap();
        std::fs::copy(&spring.fmu, folder.path().join("resources/spring.fmu")).unwrap();
        let file = folder.path().join("System.ssd");
        std::fs::write(&file, NESTED).unwrap();
        let found = run(&file, &folder.path().join("out"), ["arm_mass.x", "spring.f"]);
        // As in the test above: force −300 (2 x − 0.05) on 2 kg from 0.1 m.
        let last = found[found.len() - 1];
        let exact = 0.025 + 0.075 * (300.0_f64.sqrt() * 0.5).cos();
        assert!(found.len() > 400 && (last[0] - exact).abs() < 2e-3, "{last:?}, not {exact}");
    }
}

const NESTED: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="2.0" name="nested"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
    xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping">
  <ssd:System name="whole">
    <ssd:ParameterBindings>
      <ssd:ParameterBinding>
        <ssd:ParameterValues><ssv:ParameterSet version="2.0" name="values"><ssv:Parameters>
          <ssv:Parameter name="grams"><ssv:Real value="2000"/></ssv:Parameter>
          <ssv:Parameter name="start"><ssv:Real value="0.1"/></ssv:Parameter>
          <ssv:Parameter name="none"><ssv:Real value="0"/></ssv:Parameter>
          <ssv:Parameter name="stiffness"><ssv:Real value="300"/></ssv:Parameter>
        </ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>
        <ssd:ParameterMapping><ssm:ParameterMapping version="2.0">
          <ssm:MappingEntry source="grams" target="arm.mass.m"><ssc:LinearTransformation factor="0.001"/></ssm:MappingEntry>
          <ssm:MappingEntry source="start" target="arm.mass.x0"/>
          <ssm:MappingEntry source="none" target="arm.mass.k"/>
          <ssm:MappingEntry source="stiffness" target="spring.k"/>
        </ssm:ParameterMapping></ssd:ParameterMapping>
      </ssd:ParameterBinding>
    </ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:System name="arm">
        <ssd:Connectors>
          <ssd:Connector name="pull" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="place" kind="output"><ssc:Real/></ssd:Connector>
        </ssd:Connectors>
        <ssd:Elements>
          <ssd:Component name="mass" source="resources/mass.fmu" type="application/x-fmu-sharedlibrary">
            <ssd:Connectors>
              <ssd:Connector name="F" kind="input"><ssc:Real/></ssd:Connector>
              <ssd:Connector name="x" kind="output"><ssc:Real/></ssd:Connector>
              <ssd:Connector name="m" kind="parameter"><ssc:Real/></ssd:Connector>
              <ssd:Connector name="k" kind="parameter"><ssc:Real/></ssd:Connector>
              <ssd:Connector name="x0" kind="parameter"><ssc:Real/></ssd:Connector>
            </ssd:Connectors>
          </ssd:Component>
        </ssd:Elements>
        <ssd:Connections>
          <ssd:Connection startConnector="pull" endElement="mass" endConnector="F"/>
          <ssd:Connection startElement="mass" startConnector="x" endConnector="place"/>
        </ssd:Connections>
      </ssd:System>
      <ssd:Component name="spring" source="resources/spring.fmu" type="application/x-fmu-sharedlibrary">
        <ssd:Connectors>
          <ssd:Connector name="x1" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="f" kind="output"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="k" kind="parameter"><ssc:Real/></ssd:Connector>
        </ssd:Connectors>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="arm" startConnector="place" endElement="spring" endConnector="x1">
        <ssc:LinearTransformation factor="2" offset="-0.05"/>
      </ssd:Connection>
      <ssd:Connection startElement="spring" startConnector="f" endElement="arm" endConnector="pull"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.5"/>
</ssd:SystemStructureDescription>
"#;

/// A model with an FMU between native parts: it is packed as it is, and all run as before.
#[test]
fn a_unit_of_a_model_is_packed_into_its_system_as_it_is() {
    for version in [Version::Two, Version::Three] {
        let Some(spring) = build("spring_half", version, &[]) else { return };
        let folder = tempfile::tempdir().unwrap();
        let (model, system) = (folder.path().join("m.toml"), folder.path().join("m.ssp"));
        let text = format!(
            r#"
schema = 1
time = {{ end = 0.2, step = 1e-3 }}
[[subsystem]]
name = "gain"
kind = "controller"
type = "state-space"
d = [[2.0]]
default = 0.25
[[subsystem]]
name = "spring"
kind = "fmu"
file = "{}"
face = "co-simulation"
parameters = {{ k = 3.0 }}
[[connection]]
from = "gain.output"
to = "spring.x1"
"#,
            spring.fmu.display()
        );
        std::fs::write(&model, text).unwrap();
        let mut export = Command::new(env!("CARGO_BIN_EXE_cosimo"));
        let made = export.arg("export").arg(&model).arg("--ssp").arg(&system).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let read = System::open(&system).unwrap();
        let packed = read.outline.components.iter().find(|own| own.name == "spring").unwrap();
        assert!(std::fs::read(&packed.source).unwrap() == std::fs::read(&spring.fmu).unwrap());
        let native = run(&model, &folder.path().join("a"), ["gain.output", "spring.f"]);
        let found = run(&system, &folder.path().join("b"), ["gain.gain.output", "spring.f"]);
        let ends = [native[native.len() - 1], found[found.len() - 1]];
        assert!(ends[0] == ends[1] && ends[0] == [0.5, -1.5], "{ends:?}");
    }
}
