//! `modelDescription.xml` from the lines that start with `*@` in the source of a unit.
//!
//! ```text
//! *@ model FLAG...                 events, state, directional, linear, once
//! *@ var REFERENCE NAME TYPE CAUSALITY VARIABILITY KEY=VALUE...
//! *@ indicator REFERENCE NAME KEY=VALUE...
//! ```
//!
//! Keys: `start` (values), `initial`, `min`, `max`, `der` (the state it is the derivative of), `dep` (the variables it depends on),
//! `size` (the structural parameter that is its dimension).

use super::TOKEN;
use crate::binary::Version;
use std::collections::BTreeMap;

/// A variable of a unit.
struct Variable<'a> {
    reference: u32,
    name: &'a str,
    kind: &'a str,
    causality: &'a str,
    variability: &'a str,
    keys: BTreeMap<&'a str, &'a str>,
}

/// The lines of a unit.
#[derive(Default)]
struct Lines<'a> {
    flags: Vec<&'a str>,
    variables: Vec<Variable<'a>>,
    indicators: usize,
}

/// The description of a unit; without `state`, of one that neither saves states nor gives derivatives.
pub(super) fn description(unit: &str, source: &str, version: Version, state: bool) -> Result<String, String> {
    let mut lines = read(source)?;
    if !state {
        lines.flags.retain(|flag| matches!(*flag, "events" | "linear" | "once"));
    }
    Ok(match version {
        Version::Two => lines.two(unit),
        Version::Three => lines.three(unit),
    })
}

fn read(source: &str) -> Result<Lines<'_>, String> {
    let mut lines = Lines::default();
    for line in source.lines().filter_map(|line| line.trim_start().strip_prefix("*@ ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let keys = |from: usize| words[from..].iter().filter_map(|word| word.split_once('=')).collect();
        match words[..] {
            ["model", ..] => lines.flags = words[1..].to_vec(),
            ["var", reference, name, kind, causality, variability, ..] => {
                let reference = reference.parse().map_err(|_| format!("no number in `{line}`"))?;
                lines.variables.push(Variable {
                    reference,
                    name,
                    kind,
                    causality,
                    variability,
                    keys: keys(6),
                });
            }
            ["indicator", reference, name, ..] => {
                let reference = reference.parse().map_err(|_| format!("no number in `{line}`"))?;
                let (kind, causality, variability) = ("Float64", "local", "continuous");
                lines.indicators += 1;
                let mut keys: BTreeMap<_, _> = keys(3);
                keys.insert("indicator", "yes");
                lines.variables.push(Variable { reference, name, kind, causality, variability, keys });
            }
            _ => return Err(format!("`{line}` is no line of a unit")),
        }
    }
    Ok(lines)
}

impl Lines<'_> {
    fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// Whether some variable is the derivative of this one.
    fn is_state(&self, variable: &Variable<'_>) -> bool {
        let reference = variable.reference.to_string();
        self.variables.iter().any(|other| other.keys.get("der").is_some_and(|of| **of == reference))
    }

    /// What initialisation computes: outputs and states without a start value, and derivatives.
    fn initial_unknowns(&self) -> impl Iterator<Item = &Variable<'_>> {
        self.variables.iter().filter(|variable| {
            let computed = variable.causality == "output" || self.is_state(variable);
            variable.kind != "Clock"
                && (variable.der().is_some() || computed && !variable.keys.contains_key("start"))
        })
    }

    /// `modelIdentifier` and capabilities; the names differ in one letter or word.
    fn capabilities(&self, unit: &str, state: &str, derivative: &str) -> String {
        format!(
            "modelIdentifier=\"{unit}\" canGetAndSet{state}=\"{0}\" canSerialize{state}=\"{0}\" {derivative}=\"{1}\" \
             canBeInstantiatedOnlyOncePerProcess=\"{2}\"",
            self.has("state"),
            self.has("directional"),
            self.has("once")
        )
    }

    fn two(&self, unit: &str) -> String {
        let kept: Vec<&Variable<'_>> =
            self.variables.iter().filter(|variable| variable.in_two().is_some()).collect();
        let index = |reference: &str| {
            let place = kept.iter().position(|variable| variable.reference.to_string() == reference);
            place.map_or_else(String::new, |place| (place + 1).to_string())
        };
        let capabilities = self.capabilities(unit, "FMUstate", "providesDirectionalDerivative");
        let variables: String = kept.iter().map(|variable| variable.two(&index)).collect();
        let structure = self.structure_two(&kept, &index);
        let types = "<SimpleType name=\"Choice\">\n      <Enumeration>\n        <Item name=\"one\" value=\"1\"/>\n        \
                     <Item name=\"two\" value=\"2\"/>\n      </Enumeration>\n    </SimpleType>";
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{unit}\" \
             guid=\"{TOKEN}\" generationTool=\"Cosimo test units\" numberOfEventIndicators=\"{}\">\n  \
             <ModelExchange {capabilities}/>\n  <CoSimulation {capabilities} \
             canHandleVariableCommunicationStepSize=\"true\"/>\n  <TypeDefinitions>\n    {types}\n  </TypeDefinitions>\n  \
             <DefaultExperiment startTime=\"0\" stopTime=\"1\"/>\n  <ModelVariables>\n{variables}  </ModelVariables>\n  \
             <ModelStructure>\n{structure}  </ModelStructure>\n</fmiModelDescription>\n",
            self.indicators,
        )
    }

    /// The kinds of so many dependencies, where the unit is linear.
    fn kinds(&self, count: usize) -> String {
        match self.flags.contains(&"linear") {
            true => format!(" dependenciesKind=\"{}\"", vec!["fixed"; count].join(" ")),
            false => String::new(),
        }
    }

    /// The lists of `ModelStructure`, of variables by their place.
    fn structure_two(&self, kept: &[&Variable<'_>], index: &dyn Fn(&str) -> String) -> String {
        let unknown = |variable: &Variable<'_>| {
            let known: Option<Vec<String>> =
                variable.keys.get("dep").map(|list| list.split(',').map(index).collect());
            let dependencies = known.map_or_else(String::new, |known| {
                format!(" dependencies=\"{}\"{}", known.join(" "), self.kinds(known.len()))
            });
            format!("      <Unknown index=\"{}\"{dependencies}/>\n", index(&variable.reference.to_string()))
        };
        let of = |wanted: &dyn Fn(&Variable<'_>) -> bool| -> String {
            kept.iter().filter(|variable| wanted(variable)).map(|variable| unknown(variable)).collect()
        };
        let initial: String = self
            .initial_unknowns()
            .filter(|variable| variable.in_two().is_some())
            .map(|variable| {
                format!("      <Unknown index=\"{}\"/>\n", index(&variable.reference.to_string()))
            })
            .collect();
        list("Outputs", &of(&|variable| variable.causality == "output"))
            + &list("Derivatives", &of(&|variable| variable.der().is_some()))
            + &list("InitialUnknowns", &initial)
    }

    fn three(&self, unit: &str) -> String {
        let unknown = |element: &str, variable: &Variable<'_>| {
            let dependencies = match variable.keys.get("dep") {
                Some(list) if element != "InitialUnknown" => {
                    let kinds = self.kinds(list.split(',').count());
                    format!(" dependencies=\"{}\"{kinds}", list.replace(',', " "))
                }
                _ => String::new(),
            };
            format!("    <{element} valueReference=\"{}\"{dependencies}/>\n", variable.reference)
        };
        let of = |element: &str, wanted: &dyn Fn(&Variable<'_>) -> bool| -> String {
            self.variables
                .iter()
                .filter(|variable| wanted(variable))
                .map(|variable| unknown(element, variable))
                .collect()
        };
        let capabilities = self.capabilities(unit, "FMUState", "providesDirectionalDerivatives");
        let variables: String = self.variables.iter().map(Variable::three).collect();
        let initial: String =
            self.initial_unknowns().map(|variable| unknown("InitialUnknown", variable)).collect();
        let types = "<EnumerationType name=\"Choice\">\n      <Item name=\"one\" value=\"1\"/>\n      \
                     <Item name=\"two\" value=\"2\"/>\n    </EnumerationType>";
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{unit}\" \
             instantiationToken=\"{TOKEN}\" generationTool=\"Cosimo test units\">\n  <ModelExchange {capabilities}/>\n  \
             <CoSimulation {capabilities} canHandleVariableCommunicationStepSize=\"true\" hasEventMode=\"{}\"/>\n  \
             <TypeDefinitions>\n    {types}\n  </TypeDefinitions>\n  <DefaultExperiment startTime=\"0\" stopTime=\"1\"/>\n  \
             <ModelVariables>\n    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" \
             variability=\"continuous\"/>\n{variables}  </ModelVariables>\n  <ModelStructure>\n{}{}{initial}{}  \
             </ModelStructure>\n</fmiModelDescription>\n",
            self.has("events"),
            of("Output", &|variable| variable.causality == "output"),
            of("ContinuousStateDerivative", &|variable| variable.der().is_some()),
            of("EventIndicator", &|variable| variable.keys.contains_key("indicator")),
        )
    }
}

impl Variable<'_> {
    fn der(&self) -> Option<&str> {
        self.keys.get("der").copied()
    }

    /// The name of its type in FMI 2, which lacks most types and arrays.
    fn in_two(&self) -> Option<&'static str> {
        if self.keys.contains_key("size") || self.keys.contains_key("indicator") {
            return None;
        }
        Some(match self.kind {
            "Float64" => "Real",
            "Int32" => "Integer",
            "Boolean" => "Boolean",
            "String" => "String",
            "Enumeration" => "Enumeration",
            _ => return None,
        })
    }

    /// Its range.
    fn range(&self) -> String {
        let bound = |key: &&str| self.keys.get(*key).map(|bound| format!(" {key}=\"{bound}\""));
        ["min", "max"].iter().filter_map(bound).collect()
    }

    fn common(&self) -> String {
        let initial =
            self.keys.get("initial").map_or_else(String::new, |initial| format!(" initial=\"{initial}\""));
        format!(
            "name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"{}\"{initial}",
            self.name, self.reference, self.causality, self.variability
        )
    }

    fn two(&self, index: &dyn Fn(&str) -> String) -> String {
        let kind = self.in_two().unwrap_or_default();
        let mut inner = kind.to_owned();
        if kind == "Enumeration" {
            inner += " declaredType=\"Choice\"";
        }
        if let Some(start) = self.keys.get("start") {
            inner += &format!(" start=\"{start}\"");
        }
        inner += &self.range();
        if let Some(of) = self.der() {
            inner += &format!(" derivative=\"{}\"", index(of));
        }
        format!("    <ScalarVariable {}>\n      <{inner}/>\n    </ScalarVariable>\n", self.common())
    }

    fn three(&self) -> String {
        let (mut head, mut inner) = (format!("{} {}", self.kind, self.common()), String::new());
        match self.kind {
            "Enumeration" => head += " declaredType=\"Choice\"",
            "Clock" => head += " intervalVariability=\"triggered\"",
            _ => {}
        }
        head += &self.range();
        if let Some(of) = self.der() {
            head += &format!(" derivative=\"{of}\"");
        }
        match self.keys.get("start") {
            Some(start) if self.kind == "String" => inner += &format!("      <Start value=\"{start}\"/>\n"),
            Some(start) => head += &format!(" start=\"{}\"", start.replace(',', " ")),
            None => {}
        }
        if let Some(size) = self.keys.get("size") {
            inner += &format!("      <Dimension valueReference=\"{size}\"/>\n");
        }
        if inner.is_empty() {
            format!("    <{head}/>\n")
        } else {
            format!("    <{head}>\n{inner}    </{}>\n", self.kind)
        }
    }
}

fn list(element: &str, entries: &str) -> String {
    if entries.is_empty() { String::new() } else { format!("    <{element}>\n{entries}    </{element}>\n") }
}
