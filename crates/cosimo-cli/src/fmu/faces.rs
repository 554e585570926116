//! The faces of a unit, and what it can do in each.

use cosimo_fmi::description::{Face, ModelDescription};
use cosimo_fmi::unit::FaceKind;
use serde::Serialize;

/// A face and what the unit can do in it.
#[derive(Debug, Serialize)]
pub(crate) struct FaceReport {
    pub(crate) face: FaceKind,
    pub(crate) model_identifier: String,
    /// Continuous states (model exchange).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<usize>,
    /// Event indicators (model exchange).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event_indicators: Option<usize>,
    pub(crate) can_get_and_set_state: bool,
    pub(crate) can_serialize_state: bool,
    pub(crate) provides_directional_derivatives: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) can_handle_variable_step: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fixed_internal_step_size: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) has_event_mode: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) might_return_early: Option<bool>,
    pub(crate) only_once_per_process: bool,
    pub(crate) needs_tool: bool,
}

impl FaceReport {
    /// Those that a unit has.
    pub(crate) fn all(description: &ModelDescription) -> Vec<Self> {
        let exchange = description.model_exchange.as_ref().map(|face| Self {
            states: Some(description.structure.derivatives.len()),
            event_indicators: Some(description.number_of_event_indicators),
            ..Self::of(FaceKind::ModelExchange, face)
        });
        let simulation = description.co_simulation.as_ref().map(|face| Self {
            can_handle_variable_step: Some(face.can_handle_variable_step),
            fixed_internal_step_size: face.fixed_internal_step_size,
            has_event_mode: Some(face.has_event_mode),
            might_return_early: Some(face.might_return_early),
            ..Self::of(FaceKind::CoSimulation, face)
        });
        exchange.into_iter().chain(simulation).collect()
    }

    fn of(kind: FaceKind, face: &Face) -> Self {
        Self {
            face: kind,
            model_identifier: face.model_identifier.clone(),
            states: None,
            event_indicators: None,
            can_get_and_set_state: face.can_get_and_set_state,
            can_serialize_state: face.can_serialize_state,
            provides_directional_derivatives: face.provides_directional_derivatives,
            can_handle_variable_step: None,
            fixed_internal_step_size: None,
            has_event_mode: None,
            might_return_early: None,
            only_once_per_process: face.can_be_instantiated_only_once_per_process,
            needs_tool: face.needs_execution_tool,
        }
    }

    /// What it can and cannot do, in words.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let (Some(states), Some(indicators)) = (self.states, self.event_indicators) {
            words.push(format!("{}, {}", count(states, "state"), count(indicators, "event indicator")));
        }
        let state = match (self.can_get_and_set_state, self.can_serialize_state) {
            (true, true) => "saves and serialises its state",
            (true, false) => "saves its state but does not serialise it",
            (false, _) => "does not save its state",
        };
        words.push(state.to_owned());
        if self.provides_directional_derivatives {
            words.push("directional derivatives".to_owned());
        }
        match (self.can_handle_variable_step, self.fixed_internal_step_size) {
            (Some(true), None) => words.push("variable steps".to_owned()),
            (Some(is_variable), Some(size)) => {
                let steps = if is_variable { "variable steps" } else { "steps" };
                words.push(format!("{steps}, inner ones of {size} s"));
            }
            (Some(false), None) => words.push("steps of one size".to_owned()),
            (None, _) => {}
        }
        let flags = [
            (self.has_event_mode == Some(true), "events"),
            (self.might_return_early == Some(true), "steps may end early"),
            (self.only_once_per_process, "once per process"),
            (self.needs_tool, "needs a tool that is installed"),
        ];
        words.extend(flags.into_iter().filter(|(has, _)| *has).map(|(_, word)| word.to_owned()));
        words
    }
}

/// A number of things.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
