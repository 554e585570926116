//! Writes descriptions as XML, each time otherwise: order of attributes, prefixes, what readers have to ignore.

use cosimo_fmi::description::{
    Causality, DependencyKind, Dimension, Face, FmiVersion, Initial, InnerImpacts, IntervalVariability,
    ModelDescription, Start, Terminal, Unit, Unknown, Variability, Variable, VariableKind, VariableNaming,
};

use crate::random::Dice;

/// An element to be written.
pub(crate) struct Node {
    tag: String,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
}

impl Node {
    fn new(tag: &str) -> Self {
        Self { tag: tag.to_owned(), attributes: Vec::new(), children: Vec::new() }
    }

    fn set(&mut self, name: &'static str, value: impl ToString) {
        self.attributes.push((name, value.to_string()));
    }

    fn maybe(&mut self, name: &'static str, value: Option<&impl ToString>) {
        self.attributes.extend(value.map(|value| (name, value.to_string())));
    }

    fn flag(&mut self, name: &'static str, value: bool, dice: &mut Dice) {
        if value || dice.roll(4) == 0 {
            let words = if value { ["true", "1"] } else { ["false", "0"] };
            self.set(name, words[dice.roll(2)]);
        }
    }

    fn list(&mut self, tag: &str, children: Vec<Node>) {
        if !children.is_empty() {
            self.children.push(Node { children, ..Node::new(tag) });
        }
    }

    /// The XML. The prefix is that of all elements.
    pub(crate) fn render(mut self, prefix: &str, dice: &mut Dice) -> String {
        if dice.roll(3) == 0 {
            self.set("somethingNew", "<1> & \"2\"");
        }
        let mut out = format!("<{prefix}{}", self.tag);
        while !self.attributes.is_empty() {
            let (name, value) = self.attributes.swap_remove(dice.roll(self.attributes.len()));
            let quote = ['"', '\''][dice.roll(2)];
            out += &format!("\n {name} = {quote}{}{quote}", escape(&value));
        }
        if self.tag.starts_with("fmi") || dice.roll(5) == 0 {
            out += " xmlns:fmi='http://fmi' xmlns:v='http://v' v:name='no' v:min='no' v:start='no'";
            out += if prefix.is_empty() { " xmlns='http://fmi'" } else { "" };
        }
        out += ">";
        for child in self.children {
            out += [
                "",
                "\n",
                "<!-- <Real/> -->",
                "<v:Unit xmlns:v='w'><Unit/></v:Unit>",
                "<Annotations><Unknown/></Annotations>",
            ][dice.roll(5)];
            out += &child.render(prefix, dice);
        }
        out + &format!("</{prefix}{}>", self.tag)
    }
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&#39;");
    text.replace('\n', "&#10;")
}

/// The description, but for the terminals.
pub(crate) fn description(model: &ModelDescription, dice: &mut Dice) -> Node {
    let v2 = model.version == FmiVersion::V2;
    let mut root = Node::new("fmiModelDescription");
    root.set("fmiVersion", if v2 { "2.0" } else { "3.0" });
    root.set("modelName", &model.model_name);
    root.set(if v2 { "guid" } else { "instantiationToken" }, &model.token);
    root.maybe("description", model.description.as_ref());
    root.maybe("author", model.author.as_ref());
    root.maybe("version", model.model_version.as_ref());
    root.maybe("copyright", model.copyright.as_ref());
    root.maybe("license", model.license.as_ref());
    root.maybe("generationTool", model.generation_tool.as_ref());
    root.maybe("generationDateAndTime", model.generation_date.as_ref());
    if model.variable_naming == VariableNaming::Structured {
        root.set("variableNamingConvention", "structured");
    }
    if v2 {
        root.set("numberOfEventIndicators", model.number_of_event_indicators);
    }
    for (tag, given) in [("CoSimulation", &model.co_simulation), ("ModelExchange", &model.model_exchange)] {
        root.children.extend(given.as_ref().map(|given| face(tag, given, v2, dice)));
    }
    if model.has_scheduled_execution {
        root.children.push(Node::new("ScheduledExecution"));
    }
    root.list("UnitDefinitions", model.units.iter().map(unit).collect());
    let category = |name: &String| {
        let mut node = Node::new("Category");
        node.set("name", name);
        node
    };
    if let Some(impacts) = model.inner_impacts {
        let (list, one, name) =
            if v2 { ("VendorAnnotations", "Tool", "name") } else { ("Annotations", "Annotation", "type") };
        let mut annotation = Node::new(one);
        annotation.set(name, "org.cosimo.mechanical");
        let mut inner = Node::new("InnerImpacts");
        inner.flag("captured", impacts == InnerImpacts::Captured, dice);
        annotation.children.push(inner);
        root.list(list, vec![annotation]);
    }
    root.list("LogCategories", model.log_categories.iter().map(category).collect());
    let mut experiment = Node::new("DefaultExperiment");
    experiment.maybe("startTime", model.default_experiment.start.as_ref());
    experiment.maybe("stopTime", model.default_experiment.stop.as_ref());
    experiment.maybe("tolerance", model.default_experiment.tolerance.as_ref());
    experiment.maybe("stepSize", model.default_experiment.step.as_ref());
    root.children.push(experiment);
    let mut types = enumerations(model, v2);
    let mut variables = Node::new("ModelVariables");
    for (index, given) in model.variables.iter().enumerate() {
        variables.children.push(variable(model, given, format!("type {index}"), &mut types, dice));
    }
    root.list("TypeDefinitions", types);
    root.children.push(variables);
    root.children.push(structure(model, v2, dice));
    root
}

fn face(tag: &str, face: &Face, v2: bool, dice: &mut Dice) -> Node {
    let mut node = Node::new(tag);
    node.set("modelIdentifier", &face.model_identifier);
    let mut flags = vec![
        ("needsExecutionTool", face.needs_execution_tool),
        ("canBeInstantiatedOnlyOncePerProcess", face.can_be_instantiated_only_once_per_process),
        (if v2 { "canGetAndSetFMUstate" } else { "canGetAndSetFMUState" }, face.can_get_and_set_state),
        (if v2 { "canSerializeFMUstate" } else { "canSerializeFMUState" }, face.can_serialize_state),
        ("canHandleVariableCommunicationStepSize", face.can_handle_variable_step),
    ];
    if v2 {
        flags.push(("providesDirectionalDerivative", face.provides_directional_derivatives));
        flags.push(("canInterpolateInputs", face.can_interpolate_inputs));
        flags.push(("canRunAsynchronuously", face.can_run_asynchronously));
        if tag == "ModelExchange" {
            flags.push(("completedIntegratorStepNotNeeded", !face.needs_completed_integrator_step));
        }
    } else {
        node.maybe("fixedInternalStepSize", face.fixed_internal_step_size.as_ref());
        node.set("recommendedIntermediateInputSmoothness", face.recommended_intermediate_input_smoothness);
        flags.push(("providesDirectionalDerivatives", face.provides_directional_derivatives));
        flags.push(("providesAdjointDerivatives", face.provides_adjoint_derivatives));
        flags.push(("providesPerElementDependencies", face.provides_per_element_dependencies));
        flags.push(("hasEventMode", face.has_event_mode));
        flags.push(("providesIntermediateUpdate", face.provides_intermediate_update));
        flags.push(("mightReturnEarlyFromDoStep", face.might_return_early));
        flags
            .push(("canReturnEarlyAfterIntermediateUpdate", face.can_return_early_after_intermediate_update));
        flags.push(("providesEvaluateDiscreteStates", face.provides_evaluate_discrete_states));
        flags.push(("needsCompletedIntegratorStep", face.needs_completed_integrator_step));
    }
    node.set("maxOutputDerivativeOrder", face.max_output_derivative_order);
    flags.into_iter().for_each(|(name, value)| node.flag(name, value, dice));
    node
}

fn unit(unit: &Unit) -> Node {
    let mut node = Node::new("Unit");
    node.set("name", &unit.name);
    if let Some(base) = &unit.base {
        let mut inner = Node::new("BaseUnit");
        for (name, exponent) in ["kg", "m", "s", "A", "K", "mol", "cd", "rad"].into_iter().zip(base.exponents)
        {
            inner.maybe(name, Some(&exponent).filter(|exponent| **exponent != 0));
        }
        inner.set("factor", base.factor);
        inner.set("offset", base.offset);
        node.children.push(inner);
    }
    for display in &unit.display_units {
        let mut inner = Node::new("DisplayUnit");
        inner.set("name", &display.name);
        inner.set("factor", display.factor);
        inner.set("offset", display.offset);
        inner.set("inverse", display.inverse);
        node.children.push(inner);
    }
    node
}

/// The element of a type for variables of a kind, with the attributes of `inner`.
fn declared(name: &str, mut inner: Node, v2: bool) -> Node {
    let mut outer = if v2 { Node::new("SimpleType") } else { Node::new(&format!("{}Type", inner.tag)) };
    outer.set("name", name);
    if v2 {
        outer.children.push(inner);
    } else {
        outer.attributes.append(&mut inner.attributes);
        outer.children.append(&mut inner.children);
    }
    outer
}

fn enumerations(model: &ModelDescription, v2: bool) -> Vec<Node> {
    let types = model.enumerations.iter().map(|given| {
        let mut inner = Node::new("Enumeration");
        for item in &given.items {
            let mut node = Node::new("Item");
            node.set("name", &item.name);
            node.set("value", item.value);
            node.maybe("description", item.description.as_ref());
            inner.children.push(node);
        }
        declared(&given.name, inner, v2)
    });
    types.collect()
}

fn tag(kind: VariableKind, v2: bool) -> String {
    match kind {
        VariableKind::Float64 if v2 => "Real".to_owned(),
        VariableKind::Int32 if v2 => "Integer".to_owned(),
        VariableKind::Enumeration(_) => "Enumeration".to_owned(),
        kind => format!("{kind:?}"),
    }
}

/// Some attributes move to a type of the variable, which is added to the types.
fn variable(
    model: &ModelDescription,
    given: &Variable,
    name: String,
    types: &mut Vec<Node>,
    dice: &mut Dice,
) -> Node {
    let v2 = model.version == FmiVersion::V2;
    let tag = tag(given.kind, v2);
    let mut outer = Node::new(if v2 { "ScalarVariable" } else { &tag });
    let mut inner = Node::new(&tag);
    typed_attributes(given, &mut inner, dice);
    if let VariableKind::Enumeration(index) = given.kind {
        inner.set("declaredType", &model.enumerations[index].name);
    } else if dice.roll(3) == 0 {
        let mut shared = Node::new(&tag);
        shared.attributes = inner.attributes.split_off(dice.roll(inner.attributes.len() + 1));
        types.push(declared(&name, shared, v2));
        inner.set("declaredType", name);
    }
    starts(given, v2, &mut inner);
    if given.reinit {
        inner.set("reinit", true);
    }
    let refer = |index: usize| if v2 { index as u32 + 1 } else { model.variables[index].reference };
    inner.maybe("derivative", given.derivative_of.map(refer).as_ref());
    outer_attributes(model, given, &mut outer, dice);
    if v2 {
        outer.children.push(inner);
    } else {
        outer.attributes.append(&mut inner.attributes);
        outer.children.append(&mut inner.children);
    }
    outer
}

fn typed_attributes(given: &Variable, inner: &mut Node, dice: &mut Dice) {
    inner.maybe("unit", given.unit.as_ref());
    inner.maybe("displayUnit", given.display_unit.as_ref());
    inner.maybe("quantity", given.quantity.as_ref());
    inner.maybe("nominal", given.nominal.as_ref());
    for (name, bound) in [("min", given.min), ("max", given.max)] {
        inner.maybe(name, bound.map(|bound| bound.to_string().replace("inf", "INF")).as_ref());
    }
    inner.flag("relativeQuantity", given.relative_quantity, dice);
    inner.flag("unbounded", given.unbounded, dice);
    inner.maybe("mimeType", given.mime_type.as_ref());
    inner.maybe("maxSize", given.max_size.as_ref());
    if let Some(clock) = &given.clock {
        let word = match clock.interval_variability {
            IntervalVariability::Constant => "constant",
            IntervalVariability::Fixed => "fixed",
            IntervalVariability::Tunable => "tunable",
            IntervalVariability::Changing => "changing",
            IntervalVariability::Countdown => "countdown",
            IntervalVariability::Triggered => "triggered",
        };
        inner.set("intervalVariability", word);
        inner.flag("canBeDeactivated", clock.can_be_deactivated, dice);
        inner.flag("supportsFraction", clock.supports_fraction, dice);
        inner.maybe("priority", clock.priority.as_ref());
        inner.maybe("intervalDecimal", clock.interval.as_ref());
        inner.set("shiftDecimal", clock.shift);
        inner.maybe("resolution", clock.resolution.as_ref());
        inner.maybe("intervalCounter", clock.interval_counter.as_ref());
        inner.set("shiftCounter", clock.shift_counter);
    }
}

fn starts(given: &Variable, v2: bool, inner: &mut Node) {
    fn join<T: ToString>(values: &[T]) -> String {
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" \n")
    }
    let elements = |values: Vec<String>| {
        values.into_iter().map(|value| {
            let mut node = Node::new("Start");
            node.set("value", value);
            node
        })
    };
    match given.start.as_ref() {
        None => {}
        Some(Start::Float(values)) => inner.set("start", join(values)),
        Some(Start::Int(values)) => inner.set("start", join(values)),
        Some(Start::UInt(values)) => inner.set("start", join(values)),
        Some(Start::Boolean(values)) => inner.set("start", join(values)),
        Some(Start::String(values)) if v2 => inner.set("start", &values[0]),
        Some(Start::String(values)) => inner.children.extend(elements(values.clone())),
        Some(Start::Binary(values)) => {
            let hex = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            inner.children.extend(elements(values.iter().map(hex).collect()));
        }
    }
}

fn outer_attributes(model: &ModelDescription, given: &Variable, outer: &mut Node, dice: &mut Dice) {
    outer.set("name", &given.name);
    outer.set("valueReference", given.reference);
    outer.maybe("description", given.description.as_ref());
    let causality = match given.causality {
        Causality::Parameter => "parameter",
        Causality::CalculatedParameter => "calculatedParameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Independent => "independent",
        Causality::StructuralParameter => "structuralParameter",
    };
    if given.causality != Causality::Local || dice.roll(2) == 0 {
        outer.set("causality", causality);
    }
    outer.set("variability", format!("{:?}", given.variability).to_lowercase());
    let by_default = match given.causality {
        Causality::Parameter | Causality::StructuralParameter | Causality::Input => Initial::Exact,
        _ if given.variability == Variability::Constant => Initial::Exact,
        _ => Initial::Calculated,
    };
    if given.initial != Some(by_default) || dice.roll(2) == 0 {
        outer.maybe("initial", given.initial.map(|initial| format!("{initial:?}").to_lowercase()).as_ref());
    }
    outer.flag("intermediateUpdate", given.intermediate_update, dice);
    if !given.can_handle_multiple_set_per_time_instant {
        outer.set("canHandleMultipleSetPerTimeInstant", false);
    }
    if !given.clocks.is_empty() {
        outer.set("clocks", given.clocks.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    }
    outer.maybe("previous", given.previous.map(|index| model.variables[index].reference).as_ref());
    for dimension in &given.dimensions {
        let mut node = Node::new("Dimension");
        match dimension {
            Dimension::Fixed(size) => node.set("start", size),
            Dimension::Variable(reference) => node.set("valueReference", reference),
        }
        outer.children.push(node);
    }
    for alias in &given.aliases {
        let mut node = Node::new("Alias");
        node.set("name", &alias.name);
        node.maybe("description", alias.description.as_ref());
        node.maybe("displayUnit", alias.display_unit.as_ref());
        outer.children.push(node);
    }
}

fn structure(model: &ModelDescription, v2: bool, dice: &mut Dice) -> Node {
    let refer = |index: usize| {
        if v2 { (index + 1).to_string() } else { model.variables[index].reference.to_string() }
    };
    let mut unknown = |tag: &str, given: &Unknown| {
        let mut node = Node::new(if v2 { "Unknown" } else { tag });
        node.set(if v2 { "index" } else { "valueReference" }, refer(given.variable));
        if let Some(dependencies) = &given.dependencies {
            let numbers: Vec<String> = dependencies.iter().map(|(index, _)| refer(*index)).collect();
            node.set("dependencies", numbers.join(" "));
            let kinds = dependencies.iter().map(|(_, kind)| format!("{kind:?}").to_lowercase());
            if dependencies.iter().any(|(_, kind)| *kind != DependencyKind::Dependent) || dice.roll(2) == 0 {
                node.set("dependenciesKind", kinds.collect::<Vec<_>>().join(" "));
            }
        }
        node
    };
    let given = &model.structure;
    let mut node = Node::new("ModelStructure");
    for (list, tag, unknowns) in [
        ("Outputs", "Output", &given.outputs),
        ("Derivatives", "ContinuousStateDerivative", &given.derivatives),
        ("ClockedStates", "ClockedState", &given.clocked_states),
        ("InitialUnknowns", "InitialUnknown", &given.initial_unknowns),
        ("EventIndicators", "EventIndicator", &given.event_indicators),
    ] {
        let mut nodes = unknowns.iter().map(|given| unknown(tag, given)).collect();
        if v2 {
            node.list(list, nodes);
        } else {
            node.children.append(&mut nodes);
        }
    }
    node
}

/// The file of the terminals.
pub(crate) fn terminals(model: &ModelDescription) -> Node {
    let mut root = Node::new("fmiTerminalsAndIcons");
    root.set("fmiVersion", "3.0");
    root.list("Terminals", model.terminals.iter().map(|given| terminal(model, given)).collect());
    root
}

fn terminal(model: &ModelDescription, given: &Terminal) -> Node {
    let name = |index: usize| &model.variables[index].name;
    let mut node = Node::new("Terminal");
    node.set("name", &given.name);
    node.set("matchingRule", &given.matching_rule);
    node.maybe("terminalKind", given.kind.as_ref());
    node.maybe("description", given.description.as_ref());
    for member in &given.members {
        let mut inner = Node::new("TerminalMemberVariable");
        inner.set("variableName", name(member.variable));
        inner.set("variableKind", &member.kind);
        inner.maybe("memberName", member.member_name.as_ref());
        node.children.push(inner);
    }
    for member in &given.stream_members {
        let mut inner = Node::new("TerminalStreamMemberVariable");
        inner.set("inStreamVariableName", name(member.in_variable));
        inner.set("inStreamMemberName", &member.in_member_name);
        inner.set("outStreamVariableName", name(member.out_variable));
        inner.set("outStreamMemberName", &member.out_member_name);
        node.children.push(inner);
    }
    node.children.extend(given.terminals.iter().map(|inner| terminal(model, inner)));
    node
}
