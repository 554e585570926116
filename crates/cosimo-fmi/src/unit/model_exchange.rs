//! A unit that our rules integrate.

mod calls;
mod dependencies;

use cosimo_dynamics::StepRule;
use cosimo_first_order::{
    FirstOrderSubsystem, FirstOrderSystem, Point, PortMapError, SystemError, SystemSize,
};
use cosimo_subsystem::Stepped;

use super::events::update_until_done;
use super::running::{Running, refused};
use super::states::States;
use crate::binary::{BinaryError, State};
use crate::description::ModelDescription;
use dependencies::{is_affine, references};

/// Difference between derivatives told and derivatives found, relative, above which the unit is not believed.
const BELIEF: f64 = 1e-4;

/// Rounding of times, relative (–).
const ROUND_OFF: f64 = 1e-12;

/// Whether directional derivatives are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Derivatives {
    /// The unit has none, or they were wrong.
    Unknown,
    /// It says that it has some.
    Claimed,
    /// They agree with differences.
    Verified,
}

/// A unit in model exchange, in continuous-time mode between calls.
#[derive(Debug)]
pub struct ModelExchangeUnit {
    running: Running,
    size: SystemSize,
    nominals: Vec<f64>,
    /// Value references of states and their rates; `None` where one is no scalar of its own.
    references: Option<(Vec<u32>, Vec<u32>)>,
    derivatives: Derivatives,
    needs_completed_step: bool,
    /// Whether nothing ever happens in it: its mode never changes, and need not be marked.
    is_smooth: bool,
    is_affine: bool,
    next_event: Option<f64>,
    /// When the unit has asked for the end.
    ended: Option<f64>,
    /// Where the unit has been set to: time, states, inputs.
    place: (f64, Vec<f64>, Vec<f64>),
    is_placed: bool,
    /// Inputs as they were at the last event: those that are discrete change at events alone.
    held: Vec<f64>,
    /// Whether discrete inputs have changed since, so that there is an event at once.
    has_jumped: bool,
    marked: Option<State>,
    marked_mode: Mode,
    /// The state before an event that is only looked at.
    looked: Option<State>,
    states: States,
    start_states: Vec<f64>,
    column: Vec<f64>,
}

/// What a state of the unit does not hold of its mode.
#[derive(Debug, Default)]
struct Mode {
    next_event: Option<f64>,
    ended: Option<f64>,
    held: Vec<f64>,
}

impl ModelExchangeUnit {
    pub(crate) fn new(
        mut running: Running,
        description: &ModelDescription,
        time: f64,
    ) -> Result<Self, BinaryError> {
        let instance = &mut running.instance;
        let (next_event, terminates) = update_until_done(instance)?;
        if terminates {
            let message = "the unit asks for the end of the simulation at its start".to_owned();
            return Err(BinaryError::Refused { call: "update of discrete states", message });
        }
        instance.enter_continuous_time_mode()?;
        let (states, indicators) = (instance.number_of_states()?, instance.number_of_event_indicators()?);
        let mut start_states = vec![0.0; states];
        instance.get_continuous_states(&mut start_states)?;
        let mut nominals = vec![1.0; states];
        instance.get_nominals_of_states(&mut nominals)?;
        nominals.iter_mut().filter(|x| !(**x > 0.0 && x.is_finite())).for_each(|x| *x = 1.0);
        let face = description.model_exchange.as_ref();
        let references = references(description).filter(|(all, _)| all.len() == states);
        let claims = face.is_some_and(|face| face.provides_directional_derivatives) && references.is_some();
        let (inputs, outputs) = (running.layout.start_values.len(), running.layout.read_names.len());
        let mut held = running.layout.start_values.clone();
        running.read_discrete_inputs(&mut held)?;
        let needs_completed_step = face.is_some_and(|face| face.needs_completed_integrator_step);
        let has_events = indicators > 0
            || next_event.is_some()
            || running.layout.writes.iter().any(|group| group.is_discrete);
        Ok(Self {
            size: SystemSize { states, inputs, outputs, indicators },
            derivatives: if claims { Derivatives::Claimed } else { Derivatives::Unknown },
            needs_completed_step,
            is_smooth: !has_events && !needs_completed_step,
            is_affine: !has_events && is_affine(description, &running),
            next_event,
            ended: None,
            held,
            has_jumped: false,
            place: (time, start_states.clone(), vec![0.0; inputs]),
            is_placed: false,
            marked: None,
            marked_mode: Mode::default(),
            looked: None,
            states: States::default(),
            column: vec![0.0; states.max(outputs)],
            references,
            nominals,
            start_states,
            running,
        })
    }

    /// The unit as a subsystem under a step rule.
    pub(crate) fn into_subsystem(
        self,
        name: &str,
        rule: Box<dyn StepRule>,
        time: f64,
    ) -> Result<Stepped<FirstOrderSubsystem<Self>>, PortMapError> {
        let (states, inputs) = (self.start_states.clone(), self.running.layout.start_values.clone());
        let map = self.running.layout.map.clone();
        FirstOrderSubsystem::new(name, self, rule, map, Point { time, states: &states, inputs: &inputs })
    }

    /// Sets time, states and inputs, as far as they are others than before.
    fn place(&mut self, at: Point<'_>) -> Result<(), BinaryError> {
        let (time, states, inputs) = &mut self.place;
        let is_new = !self.is_placed;
        self.is_placed = false;
        if is_new || time.to_bits() != at.time.to_bits() {
            self.running.instance.set_time(at.time)?;
            *time = at.time;
        }
        if (is_new || states != at.states) && !at.states.is_empty() {
            self.running.instance.set_continuous_states(at.states)?;
            states.copy_from_slice(at.states);
        }
        if (is_new || inputs != at.inputs) && !at.inputs.is_empty() {
            self.running.write_part(at.inputs, false)?;
            inputs.copy_from_slice(at.inputs);
            self.has_jumped = self.running.jumps(&self.held, at.inputs);
        }
        self.is_placed = true;
        Ok(())
    }

    /// Sets time, states and inputs, unless the unit has asked for the end before.
    fn place_within(&mut self, at: Point<'_>) -> Result<(), SystemError> {
        match self.ended {
            Some(time) if at.time > time + ROUND_OFF * time.abs() => Err(SystemError::Terminated { time }),
            _ => self.place(at).map_err(refused),
        }
    }

    /// The events at the present place, and the states after them.
    fn handle_event(&mut self, states: &mut [f64]) -> Result<bool, BinaryError> {
        self.is_placed = false;
        self.running.instance.enter_event_mode()?;
        if std::mem::take(&mut self.has_jumped) {
            self.running.write_part(&self.place.2, true)?;
        }
        self.held.copy_from_slice(&self.place.2);
        let instance = &mut self.running.instance;
        let (next, terminates) = update_until_done(instance)?;
        self.next_event = next;
        instance.enter_continuous_time_mode()?;
        if !states.is_empty() {
            instance.get_continuous_states(states)?;
        }
        self.running.warn_of_changes();
        Ok(terminates)
    }

    /// The outputs after the event that discrete inputs make here; the unit is as before afterwards.
    fn look_past_jump(&mut self, at: Point<'_>, outputs: &mut [f64]) -> Result<(), SystemError> {
        let before = match self.looked.take() {
            Some(mut state) => self.running.instance.overwrite_state(&mut state).map(|()| state),
            None => self.running.instance.save_state(),
        };
        let before = before.map_err(refused)?;
        let (next_event, held) = (self.next_event, self.held.clone());
        let mut states = at.states.to_vec();
        let read = self
            .handle_event(&mut states)
            .map_err(refused)
            .and_then(|_| self.running.read_checked(at.time, outputs));
        (self.next_event, self.held, self.is_placed) = (next_event, held, false);
        self.running.instance.restore_state(&before).map_err(refused)?;
        self.looked = Some(before);
        read
    }

    /// Compares directional derivatives with differences once, along one direction of all states.
    fn verify(&mut self, at: Point<'_>) -> Result<(), SystemError> {
        let n = self.size.states;
        let Some((unknowns, knowns)) = self.references.clone() else { return Ok(()) };
        let mut told = vec![0.0; n];
        self.place(at).map_err(refused)?;
        let asked =
            self.running.instance.directional_derivative(&knowns, &unknowns, &self.nominals, &mut told);
        let (mut above, mut below, mut moved) = (vec![0.0; n], vec![0.0; n], at.states.to_vec());
        let share = 6e-6;
        for (side, out) in [(share, &mut above), (-share, &mut below)] {
            moved
                .iter_mut()
                .zip(at.states)
                .zip(&self.nominals)
                .for_each(|((x, at), size)| *x = at + side * size);
            self.rates(Point { states: &moved, ..at }, out)?;
        }
        let found = above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * share)).collect::<Vec<_>>();
        let scale = found.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let error = told.iter().zip(&found).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        let is_right = asked.is_ok() && error <= BELIEF * scale.max(f64::MIN_POSITIVE);
        self.derivatives = if is_right { Derivatives::Verified } else { Derivatives::Unknown };
        if !is_right {
            let instance = self.running.instance.name();
            tracing::warn!(
                "FMU `{instance}` gives directional derivatives of its rates that differ by {error:.2e} of {scale:.2e} from \
                 differences: differences are used"
            );
        }
        Ok(())
    }

    /// Writes columns of derivatives of the unknowns.
    fn columns(
        &mut self,
        at: Point<'_>,
        (unknowns, knowns): (&[u32], &[u32]),
        mut write: impl FnMut(usize, &[f64]),
    ) -> Result<(), SystemError> {
        self.place(at).map_err(refused)?;
        for (j, known) in knowns.iter().enumerate() {
            let column = &mut self.column[..unknowns.len()];
            self.running
                .instance
                .directional_derivative(unknowns, &[*known], &[1.0], column)
                .map_err(refused)?;
            write(j, column);
        }
        Ok(())
    }
}
