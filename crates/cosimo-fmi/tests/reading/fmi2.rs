//! Descriptions of FMI 2.0.

use cosimo_fmi::description::{
    BaseUnit, Causality, DependencyKind, FmiVersion, Initial, Problem, Start, Variability, VariableKind,
    VariableNaming, parse,
};

use crate::{clean, refuses};

/// A ball that bounces, as in the Reference FMUs.
const BALL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Ball" guid="{1}" numberOfEventIndicators="1" version="1.2"
    variableNamingConvention="structured" generationTool="by hand">
  <ModelExchange modelIdentifier="ball_me" canGetAndSetFMUstate="true" completedIntegratorStepNotNeeded="true"/>
  <CoSimulation modelIdentifier="ball" canHandleVariableCommunicationStepSize="true" maxOutputDerivativeOrder="2"
      canInterpolateInputs="1" providesDirectionalDerivative="true" canSerializeFMUstate="true"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
    <Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Position" description="where"><Real quantity="Length" unit="m" displayUnit="mm" nominal="2"/></SimpleType>
    <SimpleType name="Gear"><Enumeration><Item name="one" value="1"/><Item name="back" value="-1"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="3" stepSize="1e-2"/>
  <VendorAnnotations><Tool name="x"><ModelVariables/></Tool></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="h" valueReference="1" causality="output" initial="exact" description="height">
      <Real start="1" reinit="true" declaredType="Position" nominal="3"/>
    </ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="2"><Real derivative="2" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="2"><Real/></ScalarVariable>
    <ScalarVariable name="gear" valueReference="2" causality="input"><Enumeration declaredType="Gear" start="-1"/></ScalarVariable>
    <ScalarVariable name="count" valueReference="2" causality="parameter"><Integer start="3" min="0" max="9"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="5" variability="constant"><Boolean start="1"/></ScalarVariable>
    <ScalarVariable name="file" valueReference="5" causality="parameter" variability="tunable"><String start="a b"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2"/></Outputs>
    <Derivatives><Unknown index="3" dependencies="2 5" dependenciesKind="constant dependent"/></Derivatives>
    <InitialUnknowns><Unknown index="3" dependencies=""/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>"#;

#[test]
fn the_head_and_the_faces() {
    let ball = clean(BALL);
    assert_eq!(
        (ball.version, ball.model_name.as_str(), ball.token.as_str()),
        (FmiVersion::V2, "Ball", "{1}")
    );
    assert_eq!(ball.model_version.as_deref(), Some("1.2"));
    assert_eq!(ball.variable_naming, VariableNaming::Structured);
    assert_eq!(ball.number_of_event_indicators, 1);
    assert_eq!(ball.log_categories, ["logAll"]);
    assert_eq!((ball.default_experiment.stop, ball.default_experiment.tolerance), (Some(3.0), None));
    let me = ball.model_exchange.unwrap();
    assert!(me.can_get_and_set_state && !me.can_serialize_state && !me.needs_completed_integrator_step);
    let cs = ball.co_simulation.unwrap();
    assert_eq!((cs.model_identifier.as_str(), cs.max_output_derivative_order), ("ball", 2));
    assert!(cs.can_handle_variable_step && cs.can_interpolate_inputs && cs.can_serialize_state);
    assert!(cs.provides_directional_derivatives && !cs.has_event_mode && !cs.needs_completed_integrator_step);
    let celsius = BaseUnit { exponents: [0, 0, 0, 0, 1, 0, 0, 0], factor: 1.0, offset: 273.15 };
    assert_eq!(ball.units[2].base, Some(celsius));
    assert_eq!(ball.units[0].display_units[0].factor, 1000.0);
}

#[test]
fn variables_with_types_defaults_and_aliases() {
    let ball = clean(BALL);
    let [time, h, der, _, gear, count, on, file] = &ball.variables[..] else { panic!() };
    assert_eq!((time.initial, time.start.as_ref()), (None, None));
    assert_eq!((h.unit.as_deref(), h.display_unit.as_deref(), h.nominal), (Some("m"), Some("mm"), Some(3.0)));
    assert_eq!((h.description.as_deref(), h.reinit), (Some("height"), true));
    assert_eq!(
        (der.derivative_of, der.causality, der.initial),
        (Some(1), Causality::Local, Some(Initial::Calculated))
    );
    assert_eq!((gear.kind, gear.variability), (VariableKind::Enumeration(0), Variability::Discrete));
    assert_eq!((gear.initial, gear.start.clone()), (Some(Initial::Exact), Some(Start::Int(vec![-1]))));
    assert_eq!(ball.enumerations[0].items[1].value, -1);
    assert_eq!(
        (count.kind, count.variability, count.max),
        (VariableKind::Int32, Variability::Fixed, Some(9.0))
    );
    assert_eq!((on.initial, on.start.clone()), (Some(Initial::Exact), Some(Start::Boolean(vec![true]))));
    assert_eq!(file.start, Some(Start::String(vec!["a b".to_owned()])));
    assert_eq!(ball.alias_groups(), [[2, 3], [4, 5]]);
    assert_eq!(ball.names()["gear"], 4);
}

#[test]
fn the_structure() {
    let ball = clean(BALL);
    assert_eq!(ball.structure.outputs[0].dependencies, None);
    let dependencies = vec![(1, DependencyKind::Constant), (4, DependencyKind::Dependent)];
    assert_eq!(ball.structure.derivatives[0].dependencies, Some(dependencies));
    assert_eq!(ball.structure.initial_unknowns[0].dependencies, Some(Vec::new()));
    assert_eq!(ball.states(), [Some(1)]);
}

#[test]
fn mistakes_without_a_sensible_reading_are_errors() {
    let with = |from: &str, to: &str| {
        assert!(BALL.contains(from));
        BALL.replacen(from, to, 1)
    };
    refuses!(with(" guid=\"{1}\"", ""), Problem::MissingAttribute { .. }, "<fmiModel", "`guid`");
    refuses!(with("fmiVersion=\"2.0\"", "fmiVersion=\"1.0\""), Problem::Fmi1, "<fmiModel", "FMI 1.0");
    let count = "<Integer> of <ScalarVariable name=\"count\">";
    refuses!(with("start=\"3\"", "start=\"3,0\""), Problem::Value { .. }, "3,0", count);
    refuses!(with("start=\"3\"", "start=\"3000000000\""), Problem::Value { .. }, "count", "within the range");
    refuses!(
        with("start=\"1\" r", "start=\"1 2\" r"),
        Problem::StartLength { .. },
        "1 2",
        "2 start values for 1"
    );
    refuses!(
        with("derivative=\"2\"", "derivative=\"9\""),
        Problem::Reference { .. },
        "der(h)",
        "`derivative`"
    );
    refuses!(with("derivative=\"2\"", "derivative=\"0\""), Problem::Reference { .. }, "der(h)", "index 0");
    refuses!(with("index=\"2\"", "index=\"99\""), Problem::Reference { .. }, "99", "index 99");
    refuses!(
        with("dependencies=\"2 5", "dependencies=\"2 50"),
        Problem::Reference { .. },
        "2 50",
        "`dependencies`"
    );
    refuses!(with("name=\"v\"", "name=\"h\""), Problem::DuplicateName { .. }, "<Real/>", "`h`");
    refuses!(with("Type=\"Gear", "Type=\"Position"), Problem::Type { .. }, "gear", "`Position`");
    refuses!(with("declaredType=\"Gear\"", ""), Problem::MissingAttribute { .. }, "gear", "`declaredType`");
    refuses!(with("><Boolean start=\"1\"/>", ">"), Problem::MissingElement { .. }, "on", "name=\"on\"");
    let faceless = with("<ModelExchange", "<Other").replace("<CoSimulation", "<Other");
    refuses!(faceless, Problem::NoFace, "<fmiModel", "cannot be used");
}

#[test]
fn mistakes_with_a_sensible_reading_are_findings() {
    let finding = |from: &str, to: &str, words: &str| {
        let description = parse(&BALL.replacen(from, to, 1), "file").unwrap();
        assert!(
            description.findings.len() == 1 && description.findings[0].text.contains(words),
            "{description:?}"
        );
    };
    finding("unit=\"m/s\"", "unit=\"km/h\"", "`km/h`");
    finding("fmiVersion=\"2.0\"", "fmiVersion=\"2.1\"", "read as 2.0");
    finding("constant dependent", "constant", "ignored");
    finding("start=\"1\" reinit", "reinit", "no start value");
    finding(
        "valueReference=\"5\" variability=\"constant\"",
        "valueReference=\"5\" variability=\"continuous\"",
        "not continuous",
    );
    finding("causality=\"input\"", "causality=\"input\" variability=\"fixed\"", "do not go together");
}
