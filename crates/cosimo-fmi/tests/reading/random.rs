//! Random descriptions are read as they were written.

use cosimo_fmi::description::{
    Alias, BaseUnit, Causality, ClockDetails, DefaultExperiment, DependencyKind, Dimension, DisplayUnit,
    EnumerationItem, EnumerationType, Face, FmiVersion, Initial, InnerImpacts, IntervalVariability,
    ModelDescription, ModelStructure, Start, Terminal, TerminalMember, TerminalStreamMember, Unit, Unknown,
    Variability, Variable, VariableKind, VariableNaming, parse, parse_terminals,
};
use proptest::prelude::*;

use crate::writer;

/// Choices from a list of numbers, zero when they are used up: shorter lists give simpler descriptions.
pub(crate) struct Dice(std::vec::IntoIter<u32>);

impl Dice {
    pub(crate) fn new(numbers: Vec<u32>) -> Self {
        Self(numbers.into_iter())
    }

    /// A number below `count`, zero if that is zero.
    pub(crate) fn roll(&mut self, count: usize) -> usize {
        self.0.next().unwrap_or(0) as usize % count.max(1)
    }

    fn flag(&mut self) -> bool {
        self.roll(2) == 1
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())]
    }

    fn text(&mut self) -> String {
        let parts = ["a", "B.c[1]", "der(x)", " ", "<&\"'>", "ä", "\u{1F600}", "&amp;", "\n", "="];
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
}

pub(crate) fn description(dice: &mut Dice) -> ModelDescription {
    let version = dice.pick(&[FmiVersion::V2, FmiVersion::V3]);
    let v3 = version == FmiVersion::V3;
    let units = units(dice, v3);
    let mut count = 0;
    let enumerations = dice.some(2, |dice| {
        count += 1;
        enumeration(dice, count)
    });
    let variables = variables(dice, v3, &units, enumerations.len());
    let structure = structure(dice, v3, &variables);
    let has_scheduled_execution = v3 && dice.flag();
    let model_exchange = dice.maybe(|dice| face(dice, v3, true));
    let needed = !has_scheduled_execution && model_exchange.is_none();
    ModelDescription {
        version,
        model_name: dice.text(),
        token: dice.text(),
        description: dice.maybe(Dice::text),
        author: dice.maybe(Dice::text),
        model_version: dice.maybe(Dice::text),
        copyright: dice.maybe(Dice::text),
        license: dice.maybe(Dice::text),
        generation_tool: dice.maybe(Dice::text),
        generation_date: dice.maybe(Dice::text),
        variable_naming: dice.pick(&[VariableNaming::Flat, VariableNaming::Structured]),
        co_simulation: if needed || dice.flag() { Some(face(dice, v3, false)) } else { None },
        model_exchange,
        has_scheduled_execution,
        units,
        enumerations,
        log_categories: dice.some(3, Dice::text),
        default_experiment: DefaultExperiment {
            start: dice.maybe(Dice::number),
            stop: dice.maybe(Dice::number),
            tolerance: dice.maybe(Dice::number),
            step: dice.maybe(Dice::number),
        },
        terminals: if v3 { dice.some(2, |dice| terminal(dice, variables.len(), 2)) } else { Vec::new() },
        number_of_event_indicators: if v3 { structure.event_indicators.len() } else { dice.roll(5) },
        inner_impacts: dice.maybe(|dice| dice.pick(&[InnerImpacts::AtInstants, InnerImpacts::Captured])),
        variables,
        structure,
        findings: Vec::new(),
    }
}

fn face(dice: &mut Dice, v3: bool, model_exchange: bool) -> Face {
    Face {
        model_identifier: dice.text(),
        needs_execution_tool: dice.flag(),
        can_be_instantiated_only_once_per_process: dice.flag(),
        can_get_and_set_state: dice.flag(),
        can_serialize_state: dice.flag(),
        provides_directional_derivatives: dice.flag(),
        provides_adjoint_derivatives: v3 && dice.flag(),
        provides_per_element_dependencies: v3 && dice.flag(),
        can_handle_variable_step: dice.flag(),
        fixed_internal_step_size: if v3 { dice.maybe(Dice::number) } else { None },
        max_output_derivative_order: dice.roll(4) as u32,
        recommended_intermediate_input_smoothness: if v3 { dice.pick(&[0, -1, 2]) } else { 0 },
        can_interpolate_inputs: !v3 && dice.flag(),
        can_run_asynchronously: !v3 && dice.flag(),
        has_event_mode: v3 && dice.flag(),
        provides_intermediate_update: v3 && dice.flag(),
        might_return_early: v3 && dice.flag(),
        can_return_early_after_intermediate_update: v3 && dice.flag(),
        provides_evaluate_discrete_states: v3 && dice.flag(),
        needs_completed_integrator_step: (v3 || model_exchange) && dice.flag(),
    }
}

fn units(dice: &mut Dice, v3: bool) -> Vec<Unit> {
    dice.some(3, |dice| Unit {
        name: dice.text(),
        base: dice.maybe(|dice| BaseUnit {
            exponents: std::array::from_fn(|_| dice.pick(&[0, 1, -2])),
            factor: dice.number(),
            offset: dice.number(),
        }),
        display_units: dice.some(2, |dice| DisplayUnit {
            name: dice.text(),
            factor: dice.number(),
            offset: dice.number(),
            inverse: v3 && dice.flag(),
        }),
    })
}

fn enumeration(dice: &mut Dice, number: usize) -> EnumerationType {
    let name = format!("enumeration {number}");
    let items = dice.some(3, |dice| EnumerationItem {
        name: dice.text(),
        value: dice.pick(&[0, 1, -7, i64::MAX]),
        description: dice.maybe(Dice::text),
    });
    EnumerationType { name, items }
}

/// The first is the size of arrays, the second a clock where there are some.
fn variables(dice: &mut Dice, v3: bool, units: &[Unit], enumerations: usize) -> Vec<Variable> {
    let mut variables: Vec<Variable> =
        (0..2 + dice.roll(8)).map(|index| variable(dice, v3, units, enumerations, index)).collect();
    let floats: Vec<usize> = (0..variables.len()).filter(|index| variables[*index].kind.is_float()).collect();
    let count = variables.len();
    for (index, variable) in variables.iter_mut().enumerate() {
        if floats.contains(&index) && dice.flag() {
            variable.derivative_of = Some(dice.pick(&floats));
        }
        if v3 && variable.kind != VariableKind::Clock {
            variable.previous = dice.maybe(|dice| dice.roll(count));
        }
    }
    variables
}

fn kind(dice: &mut Dice, v3: bool, enumerations: usize, index: usize) -> VariableKind {
    use VariableKind as K;
    let all = [
        K::Float64,
        K::Int32,
        K::Boolean,
        K::String,
        K::Float32,
        K::Int8,
        K::Int16,
        K::Int64,
        K::UInt8,
        K::UInt16,
        K::UInt32,
        K::UInt64,
        K::Binary,
        K::Clock,
    ];
    match (v3, index) {
        (true, 0) => K::UInt64,
        (true, 1) => K::Clock,
        _ if enumerations > 0 && dice.roll(4) == 1 => K::Enumeration(dice.roll(enumerations)),
        _ => dice.pick(&all[..if v3 { all.len() } else { 4 }]),
    }
}

/// A causality and a variability that go together.
fn roles(dice: &mut Dice, kind: VariableKind, v3: bool) -> (Causality, Variability) {
    use Causality as C;
    use Variability as V;
    let changing = if kind.is_float() { dice.pick(&[V::Continuous, V::Discrete]) } else { V::Discrete };
    let constant = dice.pick(&[V::Fixed, V::Tunable]);
    let roles = [
        (C::Local, dice.pick(&[changing, constant, V::Constant])),
        (C::Output, dice.pick(&[changing, V::Constant])),
        (C::Input, changing),
        (C::Parameter, constant),
        (C::CalculatedParameter, constant),
        (C::StructuralParameter, constant),
    ];
    match kind {
        VariableKind::Clock => (C::Input, V::Discrete),
        VariableKind::Float64 if dice.roll(9) == 1 => (C::Independent, V::Continuous),
        _ => dice.pick(&roles[..if v3 { 6 } else { 5 }]),
    }
}

fn variable(dice: &mut Dice, v3: bool, units: &[Unit], enumerations: usize, index: usize) -> Variable {
    let kind = kind(dice, v3, enumerations, index);
    let (mut causality, mut variability) = roles(dice, kind, v3);
    let sizes = v3 && index == 0;
    if sizes {
        (causality, variability) = (Causality::StructuralParameter, Variability::Fixed);
    }
    let initial = match (causality, variability) {
        (Causality::Independent, _) => None,
        (Causality::Parameter | Causality::StructuralParameter | Causality::Input, _)
        | (_, Variability::Constant) => Some(Initial::Exact),
        _ => Some(dice.pick(&[Initial::Calculated, Initial::Approx, Initial::Exact])),
    };
    let array = v3 && index > 1 && kind != VariableKind::Clock;
    let dimensions = if array {
        dice.some(2, |dice| dice.pick(&[Dimension::Fixed(3), Dimension::Variable(100), Dimension::Fixed(1)]))
    } else {
        Vec::new()
    };
    let length = dimensions
        .iter()
        .map(|size| if let Dimension::Fixed(size) = size { *size as usize } else { 2 })
        .product();
    let starts = matches!(initial, Some(Initial::Exact | Initial::Approx)) || dice.flag();
    let typed = kind.is_float();
    let unit = if typed && !units.is_empty() {
        dice.maybe(|dice| units[dice.roll(units.len())].name.clone())
    } else {
        None
    };
    let binary = kind == VariableKind::Binary;
    Variable {
        name: format!("{}#{index}", dice.text()),
        reference: if v3 { 100 + index as u32 } else { dice.roll(4) as u32 },
        kind,
        causality,
        variability,
        initial,
        start: if sizes {
            Some(Start::UInt(vec![2]))
        } else if starts {
            start(dice, kind, length)
        } else {
            None
        },
        unit,
        display_unit: dice.maybe(Dice::text),
        quantity: dice.maybe(Dice::text),
        relative_quantity: dice.flag(),
        min: dice.maybe(|dice| dice.pick(&[f64::NEG_INFINITY, -1.0])),
        max: dice.maybe(|dice| dice.pick(&[f64::INFINITY, 7.0])),
        nominal: dice.maybe(Dice::number),
        unbounded: dice.flag(),
        derivative_of: None,
        reinit: typed && dice.flag(),
        dimensions,
        description: dice.maybe(Dice::text),
        aliases: if v3 { aliases(dice, index) } else { Vec::new() },
        clocks: if v3 && dice.flag() { vec![101] } else { Vec::new() },
        previous: None,
        intermediate_update: v3 && dice.flag(),
        can_handle_multiple_set_per_time_instant: !dice.flag(),
        clock: if kind == VariableKind::Clock { Some(clock(dice)) } else { None },
        mime_type: if binary { dice.maybe(Dice::text) } else { None },
        max_size: if binary { dice.maybe(|dice| dice.roll(9) as u64) } else { None },
    }
}

fn start(dice: &mut Dice, kind: VariableKind, length: usize) -> Option<Start> {
    use VariableKind as K;
    Some(match kind {
        K::Float32 | K::Float64 => Start::Float((0..length).map(|_| dice.number()).collect()),
        K::Int8 | K::Int16 | K::Int32 => {
            Start::Int((0..length).map(|_| dice.pick(&[0, 127, -128])).collect())
        }
        K::Int64 | K::Enumeration(_) => {
            Start::Int((0..length).map(|_| dice.pick(&[0, i64::MIN, i64::MAX])).collect())
        }
        K::UInt8 | K::UInt16 | K::UInt32 => Start::UInt((0..length).map(|_| dice.pick(&[0, 255])).collect()),
        K::UInt64 => Start::UInt((0..length).map(|_| dice.pick(&[0, u64::MAX])).collect()),
        K::Boolean => Start::Boolean((0..length).map(|_| dice.flag()).collect()),
        K::String => Start::String((0..length).map(|_| dice.text()).collect()),
        K::Binary => Start::Binary((0..length).map(|_| dice.some(4, |dice| dice.roll(256) as u8)).collect()),
        K::Clock => return None,
    })
}

fn aliases(dice: &mut Dice, index: usize) -> Vec<Alias> {
    let mut count = 0;
    dice.some(2, |dice| {
        count += 1;
        let name = format!("alias {index}.{count}");
        Alias { name, description: dice.maybe(Dice::text), display_unit: dice.maybe(Dice::text) }
    })
}

fn clock(dice: &mut Dice) -> ClockDetails {
    use IntervalVariability as I;
    ClockDetails {
        interval_variability: dice.pick(&[
            I::Constant,
            I::Fixed,
            I::Tunable,
            I::Changing,
            I::Countdown,
            I::Triggered,
        ]),
        can_be_deactivated: dice.flag(),
        priority: dice.maybe(|dice| dice.roll(9) as u32),
        interval: dice.maybe(Dice::number),
        shift: dice.number(),
        supports_fraction: dice.flag(),
        resolution: dice.maybe(|dice| dice.roll(9) as u64),
        interval_counter: dice.maybe(|dice| dice.roll(9) as u64),
        shift_counter: dice.roll(9) as u64,
    }
}

fn structure(dice: &mut Dice, v3: bool, variables: &[Variable]) -> ModelStructure {
    use DependencyKind as D;
    let kinds = [D::Dependent, D::Constant, D::Fixed, D::Tunable, D::Discrete];
    let count = variables.len();
    let pair = |dice: &mut Dice| (dice.roll(count), dice.pick(&kinds));
    let unknown =
        |dice: &mut Dice, variable| Unknown { variable, dependencies: dice.maybe(|dice| dice.some(3, pair)) };
    let any = |dice: &mut Dice| {
        let variable = dice.roll(count);
        unknown(dice, variable)
    };
    let derivatives = (0..count).filter(|index| variables[*index].derivative_of.is_some());
    ModelStructure {
        derivatives: derivatives.map(|index| unknown(dice, index)).collect(),
        outputs: dice.some(3, any),
        initial_unknowns: dice.some(3, any),
        clocked_states: if v3 { dice.some(2, any) } else { Vec::new() },
        event_indicators: if v3 { dice.some(2, any) } else { Vec::new() },
    }
}

fn terminal(dice: &mut Dice, count: usize, depth: usize) -> Terminal {
    Terminal {
        name: dice.text(),
        matching_rule: dice.text(),
        kind: dice.maybe(Dice::text),
        description: dice.maybe(Dice::text),
        members: dice.some(2, |dice| TerminalMember {
            variable: dice.roll(count),
            kind: dice.text(),
            member_name: dice.maybe(Dice::text),
        }),
        stream_members: dice.some(1, |dice| TerminalStreamMember {
            in_variable: dice.roll(count),
            in_member_name: dice.text(),
            out_variable: dice.roll(count),
            out_member_name: dice.text(),
        }),
        terminals: if depth > 0 { dice.some(2, |dice| terminal(dice, count, depth - 1)) } else { Vec::new() },
    }
}

/// A description and its texts: the description and the terminals.
pub(crate) fn texts(numbers: Vec<u32>) -> (ModelDescription, String, String) {
    let mut dice = Dice::new(numbers);
    let model = description(&mut dice);
    let prefix = dice.pick(&["", "fmi:"]);
    let main = writer::description(&model, &mut dice).render(prefix, &mut dice);
    let terminals = writer::terminals(&model).render("", &mut dice);
    (model, main, terminals)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn descriptions_are_read_as_written(numbers in prop::collection::vec(any::<u32>(), 0..1500)) {
        let (model, main, terminals) = texts(numbers);
        let mut read = parse(&main, "modelDescription.xml").map_err(|error| TestCaseError::fail(format!("{error}\n{main}")))?;
        read.terminals = parse_terminals(&terminals, "terminals", &read).unwrap();
        prop_assert_eq!(&read, &model, "{}", main);
    }
}
