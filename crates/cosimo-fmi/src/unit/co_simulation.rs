//! A unit that brings its own solver.

mod advance;
mod calls;
mod saved;

use std::cell::RefCell;

use cosimo_first_order::{InputCourse, PortMap, SystemError};
use cosimo_mechanics::Energy;
use cosimo_subsystem::{
    Capabilities, Description, InverseMass, LoadResponse, MacroStep, PortMotion, RowMatrix, RowState,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

use super::UnitError;
use super::answers::Answers;
use super::events::update_until_done;
use super::row_layouts::JumpLayout;
use super::running::{Running, refused};
use super::states::States;
use crate::binary::{BinaryError, State};
use crate::description::Face;
use advance::advance;

/// A unit in co-simulation.
///
/// Inputs keep the mean of their course over a step, which is of second order, and have the values at its end when outputs are read. Loads
/// act by their means. A step under trial is taken by the unit itself, which then goes back to the state saved before; where it cannot, it is
/// taken once.
pub struct CoSimulationUnit {
    running: RefCell<Running>,
    map: PortMap,
    description: Description,
    course: RefCell<InputCourse>,
    time: f64,
    begun: Option<MacroStep>,
    /// The state at the present communication point, once it was saved there.
    saved: Option<State>,
    is_saved: bool,
    /// When the unit has asked for the end, and whether that is at the end of the step it has gone ahead.
    ended: Option<f64>,
    /// The step, and the impulses or the motion, with which the unit has gone to its end; none where it has not, and no number of a step where it
    /// failed on the way.
    ahead: RefCell<Option<Vec<f64>>>,
    states: RefCell<States>,
    rows: RowState,
    outputs: Vec<f64>,
    trial: Vec<f64>,
    scratch: RefCell<Vec<f64>>,
    response: StepResponse,
    load_response: LoadResponse,
    zero: Vec<f64>,
    spare: Vec<f64>,
    /// What the unit tells of its response to loads, where a repeated step has confirmed it.
    answers: Option<Answers>,
    /// Whether the unit has taken the step ahead as a whole, so that its derivatives are those of it.
    is_whole: bool,
    /// Whether the master asks for the response of any row.
    is_asked: bool,
    /// Impulses between steps, where the unit takes some, and the inverse mass then.
    jumps: Option<JumpLayout>,
    prepared: RowMatrix,
    jump_work: f64,
    /// Whether outputs follow inputs at once, so that they are read under the inputs of the end.
    feeds_through: bool,
    statistics: Statistics,
}

/// What a unit shows at its start, where it is left ready for steps.
fn start_values(running: &mut Running, outputs: usize) -> Result<Vec<f64>, BinaryError> {
    if running.instance.has_event_mode() {
        let (_, _) = update_until_done(&mut running.instance)?;
        running.instance.enter_step_mode()?;
    }
    let mut values = vec![0.0; outputs];
    running.read(&mut values)?;
    Ok(values)
}

impl CoSimulationUnit {
    /// A unit that starts with about this step.
    pub(crate) fn new(
        name: &str,
        mut running: Running,
        face: &Face,
        step: MacroStep,
    ) -> Result<Self, UnitError> {
        let mut map = running.layout.map.clone();
        let (inputs, outputs) = (running.layout.start_values.len(), running.layout.read_names.len());
        let refuse = |source: BinaryError| UnitError::Binary { unit: name.to_owned(), source };
        let values = start_values(&mut running, outputs).map_err(refuse)?;
        map.contacts.iter_mut().for_each(|contact| contact.read_law(&values));
        let answers = confirmed_answers(name, &mut running, face, step);
        let tells = running.can_save && face.provides_directional_derivatives;
        let jumps = running.layout.jumps.clone().filter(|_| tells && running.instance.has_event_mode());
        let capabilities = Capabilities {
            inverse_mass: if answers.is_some() { InverseMass::Exact } else { InverseMass::Unknown },
            can_roll_back: running.can_save,
            takes_jumps: jumps.is_some(),
            has_variable_step: face.can_handle_variable_step,
            ..Capabilities::default()
        };
        let description = map.describe(name, [inputs, outputs], capabilities)?;
        let (r, coordinates) = (description.rows(), description.load_coordinates());
        let load_ports = [coordinates, description.load_frames()];
        let frames = description.frames().count();
        let feeds_through =
            coordinates > 0 || map.outputs.iter().any(|(signal, _)| !signal.feed_through.is_empty());
        let mut new = Self {
            course: RefCell::new(InputCourse::new(&map, &running.layout.start_values, step.time, load_ports)),
            time: step.time,
            begun: None,
            saved: None,
            is_saved: false,
            ended: None,
            ahead: RefCell::default(),
            states: RefCell::default(),
            rows: RowState::zeros(r, frames),
            trial: values.clone(),
            scratch: RefCell::new(vec![0.0; outputs]),
            outputs: values,
            response: StepResponse::zeros(r),
            load_response: LoadResponse::zeros(coordinates),
            zero: vec![0.0; r],
            spare: Vec::new(),
            is_whole: true,
            is_asked: answers.is_some(),
            answers,
            jumps,
            prepared: RowMatrix::zeros(r),
            jump_work: 0.0,
            feeds_through,
            statistics: Statistics::default(),
            running: RefCell::new(running),
            map,
            description,
        };
        new.map.write_state(&new.outputs, &mut new.rows);
        Ok(new)
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    fn failed(&self, step: MacroStep, error: &SystemError) -> SubsystemError {
        let (subsystem, reason) = (self.description.name.clone(), error.to_string());
        if error.is_of_step() && self.description.capabilities.can_roll_back {
            SubsystemError::StepFailed { subsystem, time: step.time, size: step.size, reason }
        } else {
            SubsystemError::BadStep { subsystem, time: step.time, size: step.size, reason: reason.into() }
        }
    }

    /// Saves the state of the communication point, once.
    fn save_start(&mut self) -> Result<(), SystemError> {
        if self.is_saved {
            return Ok(());
        }
        let instance = &mut self.running.get_mut().instance;
        match &mut self.saved {
            Some(state) => instance.overwrite_state(state),
            None => instance.save_state().map(|state| self.saved = Some(state)),
        }
        .map_err(refused)?;
        self.is_saved = true;
        Ok(())
    }

    /// Takes the unit back to the communication point.
    fn go_back(&mut self) -> Result<(), SystemError> {
        let ahead = self.ahead.get_mut().take();
        if let Some(taken) = ahead {
            self.spare = taken;
            self.ended = None;
            if let Some(state) = self.saved.as_ref().filter(|_| self.is_saved) {
                self.running.get_mut().instance.restore_state(state).map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Whether the unit has gone to the end of just this step under just this.
    fn is_ahead(&self, step: MacroStep, drive: &[f64]) -> bool {
        let same = |taken: &[f64]| {
            taken.iter().copied().map(f64::to_bits).eq(displacement(step, drive).map(f64::to_bits))
        };
        self.ahead.borrow().as_deref().is_some_and(same)
    }

    /// Takes the unit to the end of the step under these impulses, and reads the outputs there; nothing to do where it is there already.
    fn go_ahead(&mut self, step: MacroStep, drive: &[f64], impulses: &[f64]) -> Result<(), SystemError> {
        if self.is_ahead(step, drive) {
            return Ok(());
        }
        self.go_back()?;
        if let Some(time) = self.ended {
            return Err(SystemError::Terminated { time });
        }
        let can_save = self.running.get_mut().can_save;
        if can_save && self.has_ports() {
            self.save_start()?;
        }
        let mut taken = std::mem::take(&mut self.spare);
        taken.clear();
        taken.extend(displacement(step, drive));
        *self.ahead.get_mut() = Some(taken);
        let gone = self.go_to_end(step, impulses);
        if let (Err(_), Some(taken)) = (&gone, self.ahead.get_mut()) {
            // It is somewhere in between: nothing of it is an answer.
            taken.fill(f64::NAN);
        }
        gone
    }

    fn go_to_end(&mut self, step: MacroStep, impulses: &[f64]) -> Result<(), SystemError> {
        let (running, course) = (self.running.get_mut(), self.course.get_mut());
        course.set_loads(impulses.iter().map(|impulse| impulse / step.size));
        running.write(course.at(step.time + 0.5 * step.size)).map_err(refused)?;
        (self.ended, self.is_whole) = advance(running, step, self.is_saved)?;
        let end = step.time + step.size;
        if self.feeds_through && self.ended.is_none() {
            running.write(course.at(end)).map_err(refused)?;
        }
        running.read_checked(end, &mut self.trial)
    }

    fn has_ports(&self) -> bool {
        self.description.rows() > 0 || !self.map.load_ports.is_empty()
    }

    fn try_rows(&mut self, step: MacroStep, impulses: &[f64]) -> Result<(), SystemError> {
        self.go_ahead(step, impulses, impulses)?;
        let StepResponse { positions, velocities, .. } = &mut self.response;
        self.map.write_rows(&self.trial, &self.rows.orientations, (positions, velocities));
        Ok(())
    }

    fn try_loads(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), SystemError> {
        self.go_back()?;
        self.find_start_loads(step, motion)?;
        self.go_ahead(step, &motion_key(motion), &[])?;
        self.map.write_loads(&self.trial, &mut self.load_response.end);
        Ok(())
    }

    /// Loads of the load ports at the start of the step.
    fn find_start_loads(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), SystemError> {
        let (running, course) = (self.running.get_mut(), self.course.get_mut());
        course.set_motion(step, motion);
        running.write(course.at(step.time)).map_err(refused)?;
        running.read_checked(step.time, &mut self.trial)?;
        self.map.write_loads(&self.trial, &mut self.load_response.start);
        Ok(())
    }

    fn take_step(&mut self, step: MacroStep, loads: &StepLoads) -> Result<(), SystemError> {
        if self.map.load_ports.is_empty() {
            self.go_ahead(step, &loads.impulses, &loads.impulses)
        } else {
            let key = motion_key(&loads.motion);
            if !self.is_ahead(step, &key) {
                self.go_back()?;
                self.find_start_loads(step, &loads.motion)?;
            }
            self.go_ahead(step, &key, &[])
        }
    }

    /// The response to loads at the end of the step, where the unit tells it and somebody asks.
    fn find_answer(&mut self, step: MacroStep) -> Result<(), SystemError> {
        match self.answers.as_mut().filter(|_| self.is_asked && self.is_whole) {
            Some(answers) => answers.write(self.running.get_mut(), step.size, &mut self.response),
            None => Ok(()),
        }
    }

    fn check_jumps(&self) -> Result<(), SubsystemError> {
        let action = "take impulses between steps: it has no inputs for them in event mode";
        if self.jumps.is_some() { Ok(()) } else { Err(self.unsupported(action)) }
    }

    /// Impulses at the present communication point, and what the unit shows after them.
    fn take_impulses(&mut self, impulses: &[f64]) -> Result<(), SystemError> {
        self.go_back()?;
        self.is_saved = false;
        let (running, course) = (self.running.get_mut(), self.course.get_mut());
        if self.jumps.as_ref().map_or(Ok(false), |jumps| jumps.act(running, impulses))? {
            self.ended = Some(self.time);
        }
        if self.feeds_through && self.ended.is_none() {
            running.write(course.at(self.time)).map_err(refused)?;
        }
        running.read_checked(self.time, &mut self.trial)
    }

    /// Work (J) at all contacts over the step to whose end the unit has gone, before the rows follow.
    fn contact_work(&self, loads: &StepLoads) -> f64 {
        let first = self.description.port_rows();
        let rates = self.response.velocities.iter().zip(&self.rows.velocities).skip(first);
        rates.zip(loads.impulses.iter().skip(first)).map(|((end, start), x)| 0.5 * (start + end) * x).sum()
    }

    /// Work (J) at all ports over the step to whose end the unit has gone, before the rows follow.
    fn port_work(&mut self, loads: &StepLoads, h: f64) -> f64 {
        let StepResponse { positions, velocities, .. } = &mut self.response;
        self.map.write_rows(&self.trial, &self.rows.orientations, (positions, velocities));
        let displacements = positions.iter().zip(&self.rows.positions).map(|(end, start)| end - start);
        let displacements = displacements.take(self.description.port_rows());
        let work: f64 = displacements
            .zip(&loads.impulses)
            .map(|(displacement, impulse)| displacement * impulse / h)
            .sum();
        let LoadResponse { start, end, .. } = &mut self.load_response;
        self.map.write_loads(&self.trial, end);
        let motion = loads.motion.end.positions.iter().zip(&loads.motion.start.positions);
        let drive =
            start.iter().zip(end.iter()).zip(motion).map(|((a, b), (to, from))| 0.5 * (a + b) * (to - from));
        work - drive.sum::<f64>()
    }

    fn energy_of(&self, outputs: &[f64]) -> Energy {
        let [kinetic, potential] = self.map.energy.map(|index| index.map_or(0.0, |k| outputs[k]));
        Energy { kinetic, potential }
    }
}

/// The unit's own word on its response to loads, if a repeated step confirms it.
fn confirmed_answers(name: &str, running: &mut Running, face: &Face, step: MacroStep) -> Option<Answers> {
    let layout = running.layout.answers.clone()?;
    let has_rows = !(running.layout.map.motion_ports.is_empty() && running.layout.map.contacts.is_empty());
    if !(has_rows && running.can_save && face.provides_directional_derivatives) {
        return None;
    }
    let start_values = running.layout.start_values.clone();
    let confirmed = Answers::confirmed(&layout, running, step, &start_values);
    if !matches!(confirmed, Ok(Some(_))) {
        tracing::info!(
            "FMU `{name}` tells other derivatives than those of a step: its responses are differences"
        );
    }
    confirmed.ok().flatten()
}

/// What tells one way to the end of a step from another.
fn displacement(step: MacroStep, drive: &[f64]) -> impl Iterator<Item = f64> + '_ {
    [step.time, step.size].into_iter().chain(drive.iter().copied())
}

/// What tells one motion from another.
fn motion_key(motion: &PortMotion) -> Vec<f64> {
    let numbers = [&motion.start, &motion.end].into_iter().flat_map(|state| {
        let turned = state.orientations.iter().flat_map(|q| [q.w, q.i, q.j, q.k]);
        state.positions.iter().chain(&state.velocities).copied().chain(turned)
    });
    numbers.collect()
}
