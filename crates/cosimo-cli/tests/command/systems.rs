//! Systems of FMUs (SSP): run, and written.

use std::path::Path;
use std::process::Command;

use cosimo_fmi::binary::Version;
use cosimo_fmi::ssp::{
    Component, Connection, Connector, ConnectorKind, Endpoint, Experiment, Outline, Parameter,
    ParameterValue, System, Transformation, write,
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
