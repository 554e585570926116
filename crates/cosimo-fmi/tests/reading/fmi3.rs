//! Descriptions of FMI 3.0.

use cosimo_fmi::description::{
    Causality, Dimension, FmiVersion, Initial, IntervalVariability, Problem, Start, Variability,
    VariableKind, parse, parse_terminals,
};

use crate::{clean, refuses};

/// A linear system with arrays and a clock, between the state space, feed-through and clock models of the Reference FMUs.
const SYSTEM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmi:fmiModelDescription xmlns:fmi="http://fmi" xmlns:v="http://vendor" v:modelName="other" fmiVersion="3.0" modelName="System"
    instantiationToken="{2}" future="1">
  <fmi:CoSimulation modelIdentifier="system" canGetAndSetFMUState="true" canReturnEarlyAfterIntermediateUpdate="true"
      fixedInternalStepSize="0.1" hasEventMode="true" recommendedIntermediateInputSmoothness="-1" v:x="1"/>
  <fmi:ScheduledExecution modelIdentifier="system"/>
  <fmi:TypeDefinitions>
    <fmi:Float64Type name="Force" unit="N" min="-INF" max="1e3"/>
    <fmi:ClockType name="Second" intervalVariability="constant" intervalDecimal="1.0"/>
    <fmi:EnumerationType name="Option"><fmi:Item name="Option 1" value="1"/></fmi:EnumerationType>
  </fmi:TypeDefinitions>
  <fmi:UnitDefinitions><fmi:Unit name="N"/></fmi:UnitDefinitions>
  <fmi:ModelVariables>
    <fmi:Float64 name="time" valueReference="0" causality="independent"/>
    <fmi:UInt64 name="n" valueReference="10" causality="structuralParameter" start="2"/>
    <fmi:Float64 name="A" valueReference="1" causality="parameter" start="1 0 0 0 1 0">
      <fmi:Dimension valueReference="10"/><fmi:Dimension start="3"/><fmi:Annotations><v:Dimension/></fmi:Annotations>
    </fmi:Float64>
    <fmi:Float64 name="x" valueReference="2" initial="exact" start="0" declaredType="Force" v:unit="Pa">
      <fmi:Alias name="position" description="alias" displayUnit="kN"/>
    </fmi:Float64>
    <fmi:Float64 name="der(x)" valueReference="3" derivative="2"/>
    <fmi:Float32 name="u" valueReference="4" causality="input" start=".5" intermediateUpdate="true"/>
    <fmi:Int8 name="tick" valueReference="5" causality="output" clocks="9" previous="6"/>
    <fmi:Int8 name="last" valueReference="6"/>
    <fmi:String name="text" valueReference="7" causality="input">
      <fmi:Dimension start="2"/><fmi:Start value="a &amp; b"/><fmi:Start value=""/>
    </fmi:String>
    <fmi:Binary name="data" valueReference="8" causality="input" maxSize="9"><fmi:Start value="666f6F"/></fmi:Binary>
    <fmi:Clock name="clock" valueReference="9" causality="input" declaredType="Second" priority="1"/>
    <fmi:Enumeration name="option" valueReference="11" causality="input" declaredType="Option" start="1"/>
  </fmi:ModelVariables>
  <fmi:ModelStructure>
    <fmi:Output valueReference="5" dependencies=""/>
    <fmi:ContinuousStateDerivative valueReference="3" dependencies="1 4"/>
    <fmi:InitialUnknown valueReference="3"/>
    <fmi:ClockedState valueReference="5"/>
    <fmi:EventIndicator valueReference="2"/>
  </fmi:ModelStructure>
</fmi:fmiModelDescription>"#;

#[test]
fn the_head_and_the_face() {
    let system = clean(SYSTEM);
    assert_eq!(
        (system.version, system.model_name.as_str(), system.token.as_str()),
        (FmiVersion::V3, "System", "{2}")
    );
    assert!(system.has_scheduled_execution && system.model_exchange.is_none());
    assert_eq!(system.number_of_event_indicators, 1);
    let face = system.co_simulation.unwrap();
    assert!(
        face.can_get_and_set_state && face.has_event_mode && face.can_return_early_after_intermediate_update
    );
    assert_eq!(
        (face.fixed_internal_step_size, face.recommended_intermediate_input_smoothness),
        (Some(0.1), -1)
    );
}

#[test]
fn variables_with_types_defaults_and_arrays() {
    let system = clean(SYSTEM);
    let [_, n, a, x, der, u, tick, _, text, data, clock, option] = &system.variables[..] else { panic!() };
    assert_eq!((n.causality, n.variability), (Causality::StructuralParameter, Variability::Fixed));
    assert_eq!(a.dimensions, [Dimension::Variable(10), Dimension::Fixed(3)]);
    assert_eq!(system.initial_sizes()[2], Some(6));
    assert_eq!((x.unit.as_deref(), x.min, x.max), (Some("N"), Some(f64::NEG_INFINITY), Some(1e3)));
    assert_eq!((x.aliases[0].name.as_str(), system.names()["position"]), ("position", 3));
    assert_eq!((der.derivative_of, der.variability), (Some(3), Variability::Continuous));
    assert_eq!(
        (u.kind, u.start.clone(), u.initial),
        (VariableKind::Float32, Some(Start::Float(vec![0.5])), Some(Initial::Exact))
    );
    assert!(u.intermediate_update && u.can_handle_multiple_set_per_time_instant);
    assert_eq!(
        (tick.clocks.as_slice(), tick.previous, tick.variability),
        (&[9][..], Some(7), Variability::Discrete)
    );
    assert_eq!(text.start, Some(Start::String(vec!["a & b".to_owned(), String::new()])));
    assert_eq!((data.start.clone(), data.max_size), (Some(Start::Binary(vec![b"foo".to_vec()])), Some(9)));
    let details = clock.clock.as_ref().unwrap();
    assert_eq!(details.interval_variability, IntervalVariability::Constant);
    assert_eq!((details.interval, details.priority, details.shift), (Some(1.0), Some(1), 0.0));
    assert_eq!(option.kind, VariableKind::Enumeration(0));
    assert_eq!(system.alias_groups(), Vec::<Vec<usize>>::new());
}

#[test]
fn the_structure_names_variables_by_index() {
    let structure = clean(SYSTEM).structure;
    assert_eq!(
        (structure.outputs[0].variable, structure.outputs[0].dependencies.clone()),
        (6, Some(Vec::new()))
    );
    let dependencies = structure.derivatives[0].dependencies.as_ref().unwrap();
    assert_eq!(dependencies.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [2, 5]);
    assert_eq!((structure.clocked_states[0].variable, structure.event_indicators[0].variable), (6, 3));
    assert_eq!(clean(SYSTEM).states(), [Some(3)]);
}

#[test]
fn mistakes_without_a_sensible_reading_are_errors() {
    let with = |from: &str, to: &str| {
        assert!(SYSTEM.contains(from));
        SYSTEM.replacen(from, to, 1)
    };
    refuses!(
        with("instantiationToken", "guid"),
        Problem::MissingAttribute { .. },
        "<fmi:fmiM",
        "`instantiationToken`"
    );
    refuses!(
        with("\"1 0 0 0 1 0\"", "\"1 0 0\""),
        Problem::StartLength { .. },
        "\"A\"",
        "3 start values for 6"
    );
    refuses!(with("=\"10\"/>", "=\"77\"/>"), Problem::Reference { .. }, "Dimension", "reference 77");
    refuses!(
        with("Dimension start=\"3\"", "Dimension"),
        Problem::MissingAttribute { .. },
        "Dimension/",
        "<Dimension>"
    );
    refuses!(
        with("derivative=\"2\"", "derivative=\"77\""),
        Problem::Reference { .. },
        "der(x)",
        "`derivative`"
    );
    refuses!(with("clocks=\"9\"", "clocks=\"77\""), Problem::Reference { .. }, "tick", "`clocks`");
    refuses!(with("previous=\"6\"", "previous=\"77\""), Problem::Reference { .. }, "tick", "`previous`");
    refuses!(with("666f6F", "666f6"), Problem::Value { .. }, "data", "hexadecimal");
    refuses!(
        with("name=\"position\"", "name=\"u\""),
        Problem::DuplicateName { .. },
        "Float32 name=\"u\"",
        "`u`"
    );
    let twice = with("\"last\" valueReference=\"6\"", "\"last\" valueReference=\"5\"");
    refuses!(twice, Problem::DuplicateReference { .. }, "last", "`tick`");
    refuses!(
        with("declaredType=\"Second\" ", ""),
        Problem::MissingAttribute { .. },
        "clock",
        "`intervalVariability`"
    );
    let state = with("ClockedState valueReference=\"5\"", "ClockedState valueReference=\"77\"");
    refuses!(state, Problem::Reference { .. }, "ClockedState", "77");
    refuses!(
        with("causality=\"output\"", "causality=\"out\""),
        Problem::Value { .. },
        "tick",
        "`structuralParameter`"
    );
}

#[test]
fn versions_to_come_and_drafts_are_read_with_a_finding() {
    for version in ["3.1", "3.0-beta.2", "3.1-alpha"] {
        let text = SYSTEM.replacen("fmiVersion=\"3.0\"", &format!("fmiVersion=\"{version}\""), 1);
        let description = parse(&text, "file").unwrap();
        assert_eq!(description.findings.len(), 1);
        assert!(description.findings[0].to_string().starts_with("file:2:1: the FMI version is"));
    }
    clean(&SYSTEM.replacen("fmiVersion=\"3.0\"", "fmiVersion=\"3.0.2\"", 1));
}

#[test]
fn one_start_value_for_an_array_is_a_finding() {
    let description = parse(&SYSTEM.replacen("1 0 0 0 1 0", "7", 1), "file").unwrap();
    assert_eq!(description.variables[2].start, Some(Start::Float(vec![7.0])));
    assert_eq!(description.findings.len(), 1);
}

#[test]
fn terminals_name_variables_and_are_not_nested_without_end() {
    let system = clean(SYSTEM);
    let file = |inner: &str| {
        format!(
            "<fmiTerminalsAndIcons fmiVersion='3.0'><Terminals>{inner}</Terminals></fmiTerminalsAndIcons>"
        )
    };
    let plug = "<Terminal name='p' matchingRule='plug' terminalKind='k'>
        <TerminalMemberVariable variableName='position' variableKind='signal' memberName='m'/>
        <TerminalStreamMemberVariable inStreamMemberName='a' outStreamMemberName='b' inStreamVariableName='u'
            outStreamVariableName='x'/>
        <Terminal name='q' matchingRule='bus'/></Terminal>";
    let terminals = parse_terminals(&file(plug), "t", &system).unwrap();
    assert_eq!((terminals[0].members[0].variable, terminals[0].members[0].kind.as_str()), (3, "signal"));
    assert_eq!(
        (terminals[0].stream_members[0].in_variable, terminals[0].terminals[0].name.as_str()),
        (5, "q")
    );
    let error = parse_terminals(&file(&plug.replace("'position'", "'nothing'")), "t", &system).unwrap_err();
    assert!(matches!(*error.problem, Problem::VariableName { .. }) && error.place.line == 2, "{error}");
    let deep = "<Terminal name='p' matchingRule='bus'>".repeat(100_000) + &"</Terminal>".repeat(100_000);
    let error = parse_terminals(&file(&deep), "t", &system).unwrap_err();
    assert_eq!(*error.problem, Problem::Depth(64));
}

#[test]
fn a_hundred_thousand_variables_take_no_time_in_their_square() {
    let variable = |index: u32| {
        let name = format!("<Float64 name='variable {index}' valueReference='{index}'");
        format!("{name} causality='output' unit='u{index}' variability='discrete' initial='exact'/>")
    };
    let variables: String = (0..100_000).map(variable).collect();
    let outputs: String = (0..100_000)
        .map(|index| format!("<Output valueReference='{index}' dependencies='0 1 2'/>"))
        .collect();
    let text = format!(
        "<fmiModelDescription fmiVersion='3.0' modelName='m' instantiationToken='t'><CoSimulation modelIdentifier='m'/>\
         <ModelVariables>{variables}</ModelVariables><ModelStructure>{outputs}</ModelStructure></fmiModelDescription>"
    );
    let started = std::time::Instant::now();
    let description = parse(&text, "file").unwrap();
    assert_eq!((description.variables.len(), description.structure.outputs.len()), (100_000, 100_000));
    // Each has no start value, and a unit that is not declared.
    assert_eq!(description.findings.len(), 200_000);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}
