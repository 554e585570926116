//! Random systems are read as they were written.

use std::collections::BTreeSet;
use std::path::Path;

use cosimo_fmi::description::{BaseUnit, EnumerationItem, VariableKind};
use cosimo_fmi::ssp::{
    Component, Connection, Connector, ConnectorKind, Dimension, Endpoint, EnumerationType, Experiment,
    Implementation, Outline, Parameter, ParameterValue, SspVersion, System, Transformation, Unit, write,
};
use proptest::prelude::*;

/// Choices from a list of numbers, zero when they are used up: shorter lists give simpler systems.
pub(crate) struct Dice(std::vec::IntoIter<u32>);

impl Dice {
    pub(crate) fn new(numbers: Vec<u32>) -> Self {
        Self(numbers.into_iter())
    }

    fn roll(&mut self, count: usize) -> usize {
        self.0.next().unwrap_or(0) as usize % count.max(1)
    }

    fn flag(&mut self) -> bool {
        self.roll(2) == 1
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())].clone()
    }

    fn text(&mut self) -> String {
        let parts = ["a", "B.c[1]", "der(x)", " ", "<&\"'>", "ä", "\u{1F600}", "&amp;", "\n", "=", "%20"];
        (0..1 + self.roll(3)).map(|_| self.pick(&parts)).collect()
    }

    fn number(&mut self) -> f64 {
        let any = f64::from_bits((self.roll(1 << 32) as u64) << 32 | self.roll(1 << 32) as u64);
        let simple = self.pick(&[0.0, 1.0, -2.5, 1e-300, 1e300, 0.1]);
        if any.is_finite() && self.flag() { any } else { simple }
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() { Some(make(self)) } else { None }
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.roll(most + 1)).map(|_| make(self)).collect()
    }

    fn names(&mut self, most: usize, end: &str) -> BTreeSet<String> {
        self.some(most, |dice| dice.text() + end).into_iter().collect()
    }
}

/// A system whose components have the FMUs `0.fmu` to `2.fmu` of a folder.
pub(crate) fn outline(dice: &mut Dice, folder: &Path) -> Outline {
    let version = dice.pick(&[SspVersion::V1, SspVersion::V2]);
    let units: Vec<_> = dice.names(3, "").into_iter().map(|name| unit(dice, name)).collect();
    let enumerations: Vec<_> = dice.names(2, "").into_iter().map(|name| enumeration(dice, name)).collect();
    let mut outline = Outline { name: dice.text(), version, units, enumerations, ..Outline::default() };
    for (index, name) in dice.names(4, "").into_iter().enumerate() {
        // A number at the end, so that no name is the beginning of another.
        let component = component(dice, format!("{name}#{index}"), &outline, folder);
        outline.components.push(component);
    }
    outline.connections = connections(dice, &outline.components, version == SspVersion::V2);
    outline.experiment = Experiment { start: dice.maybe(Dice::number), stop: dice.maybe(Dice::number) };
    outline
}

fn unit(dice: &mut Dice, name: String) -> Unit {
    let factor = Some(dice.number()).filter(|factor| *factor != 0.0).unwrap_or(1.0);
    let exponents = std::array::from_fn(|_| dice.roll(5) as i32 - 2);
    Unit {
        name,
        base: Some(BaseUnit { exponents, factor, offset: dice.number() }),
        display_units: Vec::new(),
    }
}

fn enumeration(dice: &mut Dice, name: String) -> EnumerationType {
    let item = |dice: &mut Dice| EnumerationItem {
        name: dice.text(),
        value: dice.roll(9) as i64 - 4,
        description: None,
    };
    let mut items = dice.some(3, item);
    items.push(item(dice));
    EnumerationType { name, items }
}

fn component(dice: &mut Dice, name: String, outline: &Outline, folder: &Path) -> Component {
    let v2 = outline.version == SspVersion::V2;
    let implementations = [None, Some(Implementation::CoSimulation), Some(Implementation::ModelExchange)];
    let last = if v2 { Some(Implementation::ScheduledExecution) } else { None };
    let connectors: Vec<_> =
        dice.names(4, "").into_iter().map(|name| connector(dice, name, outline)).collect();
    let names = dice.names(4, "");
    let own: Vec<_> = connectors.iter().map(|connector| connector.name.clone()).collect();
    let names: BTreeSet<_> = names.into_iter().chain(own.into_iter().filter(|_| dice.flag())).collect();
    let parameter = |name: String| {
        let value_of = connectors.iter().find(|connector| connector.name == name);
        parameter(dice, name.clone(), value_of, outline)
    };
    let parameters = names.into_iter().map(parameter).collect();
    let source = folder.join(format!("{}.fmu", dice.roll(3)));
    let implementation = dice.pick(&[implementations[0], implementations[1], implementations[2], last]);
    Component { name, source, implementation, connectors, parameters }
}

fn connector(dice: &mut Dice, name: String, outline: &Outline) -> Connector {
    use VariableKind as Kind;
    let v2 = outline.version == SspVersion::V2;
    let kinds = [
        ConnectorKind::Input,
        ConnectorKind::Output,
        ConnectorKind::Parameter,
        ConnectorKind::CalculatedParameter,
        ConnectorKind::Inout,
        ConnectorKind::StructuralParameter,
        ConnectorKind::Constant,
        ConnectorKind::Local,
        ConnectorKind::Unspecified,
    ];
    let types = [Kind::Float64, Kind::Int32, Kind::Boolean, Kind::String, Kind::Binary];
    let more = [Kind::Float32, Kind::Int8, Kind::UInt64, Kind::Clock];
    let types: Vec<_> = types.into_iter().chain(more.into_iter().filter(|_| v2)).collect();
    let mut value_type = dice.maybe(|dice| dice.pick(&types));
    if !outline.enumerations.is_empty() && dice.roll(5) == 0 {
        value_type = Some(Kind::Enumeration(dice.roll(outline.enumerations.len())));
    }
    let float = value_type.is_some_and(Kind::is_float);
    let unit = if float && !outline.units.is_empty() {
        dice.maybe(|dice| dice.pick(&outline.units).name)
    } else {
        None
    };
    let dimension = |dice: &mut Dice| {
        let text = dice.text();
        dice.pick(&[Dimension::Size(3), Dimension::Open, Dimension::Connector(text)])
    };
    let dimensions = if v2 { dice.some(2, dimension) } else { Vec::new() };
    Connector { name, kind: dice.pick(if v2 { &kinds } else { &kinds[..5] }), value_type, unit, dimensions }
}

/// Real values of a connector with a unit have that unit, as it is what they are read in.
fn parameter(dice: &mut Dice, name: String, of: Option<&Connector>, outline: &Outline) -> Parameter {
    let v2 = outline.version == SspVersion::V2;
    let dimensions = if v2 { dice.some(2, |dice| dice.roll(3) as u64) } else { Vec::new() };
    let count = dimensions.iter().product::<u64>() as usize;
    let texts = |dice: &mut Dice| (0..count).map(|_| dice.text()).collect::<Vec<_>>();
    let value = match dice.roll(6) {
        0 => ParameterValue::Real((0..count).map(|_| dice.number()).collect()),
        1 => {
            let (long, roll) = (v2 && dice.flag(), dice.roll(99) as i64 - 50);
            ParameterValue::Integer(vec![if long { roll << 40 } else { roll }; count])
        }
        2 => ParameterValue::Boolean((0..count).map(|_| dice.flag()).collect()),
        3 => ParameterValue::String(texts(dice)),
        4 => ParameterValue::Enumeration(texts(dice)),
        _ => ParameterValue::Binary(texts(dice).into_iter().map(String::into_bytes).collect()),
    };
    let declared = of.and_then(|connector| connector.unit.clone());
    let free =
        if outline.units.is_empty() { None } else { dice.maybe(|dice| dice.pick(&outline.units).name) };
    let unit = if matches!(value, ParameterValue::Real(_)) { declared.or(free) } else { None };
    Parameter { name, value, unit, dimensions }
}

fn connections(dice: &mut Dice, components: &[Component], v2: bool) -> Vec<Connection> {
    use ConnectorKind as Kind;
    let ends = |kinds: [Kind; 2]| {
        let of = |(component, part): (usize, &Component)| {
            let fitting = part.connectors.iter().filter(|connector| kinds.contains(&connector.kind));
            fitting.map(|own| Endpoint { component, connector: own.name.clone() }).collect::<Vec<_>>()
        };
        components.iter().enumerate().flat_map(of).collect::<Vec<_>>()
    };
    let (outputs, inputs) = (ends([Kind::Output, Kind::Local]), ends([Kind::Input, Kind::Inout]));
    let inputs = inputs.into_iter().filter(|_| !outputs.is_empty() && dice.flag()).collect::<Vec<_>>();
    let connection = |to| {
        let transformation = dice.maybe(|dice| transformation(dice, v2));
        Connection { from: dice.pick(&outputs), to, transformation }
    };
    inputs.into_iter().map(connection).collect()
}

fn transformation(dice: &mut Dice, v2: bool) -> Transformation {
    match dice.roll(4) {
        0 => Transformation::Linear { factor: dice.number(), offset: dice.number() },
        1 => Transformation::Boolean(vec![(dice.flag(), dice.flag())]),
        2 => Transformation::Integer(vec![(dice.roll(9) as i64 - 4, if v2 { i64::MIN } else { 5 }), (7, 8)]),
        _ => Transformation::Enumeration(vec![(dice.text(), dice.text())]),
    }
}

/// The system with the contents of its FMUs in place of their paths, and connections sorted.
fn plain(mut outline: Outline) -> Outline {
    for component in &mut outline.components {
        component.source = std::fs::read_to_string(&component.source).unwrap().into();
    }
    outline.connections.sort_by(|a, b| a.to.cmp(&b.to));
    outline
}

/// A folder with FMUs that differ, two of one name.
pub(crate) fn fmus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..3 {
        std::fs::write(folder.path().join(format!("{index}.fmu")), format!("fmu {index}")).unwrap();
    }
    folder
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back_equal(numbers in prop::collection::vec(any::<u32>(), 0..400)) {
        let folder = fmus();
        let path = folder.path().join("the.ssp");
        let outline = outline(&mut Dice::new(numbers), folder.path());
        write(&path, &outline).unwrap();
        let system = System::open(&path).unwrap();
        prop_assert_eq!(&system.findings, &[]);
        prop_assert_eq!(plain(system.outline.clone()), plain(outline));
        // What was read can be written again, from its own files.
        let again = folder.path().join("again.ssp");
        write(&again, &system.outline).unwrap();
        prop_assert_eq!(plain(System::open(&again).unwrap().outline), plain(system.outline.clone()));
    }
}

#[test]
fn fmus_of_one_name_are_kept_apart() {
    let folder = fmus();
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::write(folder.path().join("other/0.fmu"), "another").unwrap();
    let component = |name: &str, file: &str| Component {
        name: name.to_owned(),
        source: folder.path().join(file),
        implementation: None,
        connectors: Vec::new(),
        parameters: Vec::new(),
    };
    let components = vec![component("a", "0.fmu"), component("b", "other/0.fmu"), component("c", "0.fmu")];
    let outline = Outline { components, ..Outline::default() };
    let path = folder.path().join("the.ssp");
    write(&path, &outline).unwrap();
    let system = System::open(&path).unwrap();
    assert_eq!(plain(system.outline.clone()), plain(outline));
    assert_eq!(system.outline.components[0].source, system.outline.components[2].source);
}

/// Writes systems into the folder that `COSIMO_SSP_SAMPLES` names, to check them by the schemas of the standard.
#[test]
fn samples_for_other_tools() {
    let Ok(target) = std::env::var("COSIMO_SSP_SAMPLES") else { return };
    let folder = fmus();
    let mut numbers = 12_345_u32;
    for index in 0..200 {
        let numbers = (0..300).map(|_| {
            numbers = numbers.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            numbers >> 8
        });
        let outline = outline(&mut Dice::new(numbers.collect()), folder.path());
        write(Path::new(&target).join(format!("{index}.ssp")), &outline).unwrap();
    }
}
