//! A first-order system as a subsystem.

use std::cell::RefCell;

use cosimo_dynamics::{Collocation, Momenta, Stage, StepRule};
use cosimo_subsystem::{
    Begun, Capabilities, Description, Energy, ExpectedLoads, ImpulseMoments, InverseMass, Ledger,
    LoadResponse, LoadWeights, MacroStep, PortMotion, RowBlocks, RowMatrix, RowState, Signal, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError, codec,
};
use nalgebra::UnitQuaternion;
use serde::{Deserialize, Serialize};

use crate::course::InputCourse;
use crate::differences::Lineariser;
use crate::motion::StateMotion;
use crate::response::Sensitivity;
use crate::{FirstOrderSystem, Linearisation, Point, PortMap, PortMapError, Selection, SystemError};

/// A system `ẋ = f(t, x, u)`, `y = g(t, x, u)` under a step rule, with ports, signals and quantities by a [`PortMap`].
///
/// Loads on inputs act as those of a mechanical system do: by their impulses, exactly, whatever the rule. Velocity jumps add `B ξ` to the states.
/// Events are located in the step and passed: the rule begins anew behind each. Of a step under trial they are passed too, and taken back, where
/// the system [can be saved](FirstOrderSystem::can_save); else the trial goes on as if there were none, and the step taken has them.
///
/// The energy is what outputs tell; where none do, the energy is zero and the work at ports counts as external.
pub struct FirstOrderSubsystem<S> {
    system: RefCell<S>,
    map: PortMap,
    description: Description,
    motion: StateMotion,
    lineariser: Lineariser,
    /// Derivatives that the Newton matrix is made of.
    newton: Linearisation,
    sensitivity: Sensitivity,
    course: RefCell<InputCourse>,
    momenta: Momenta,
    rows: RowState,
    outputs: Vec<f64>,
    trial_outputs: Vec<f64>,
    response: StepResponse,
    load_response: LoadResponse,
    prepared: RowMatrix,
    is_prepared: bool,
    jump_work: f64,
    /// Energy that impulses inside the last step put in (J).
    inside_work: f64,
    begun: Option<MacroStep>,
    /// Start values of the inputs.
    start_inputs: Vec<f64>,
    /// Loads at the start of the step begun (N).
    start_loads: Vec<f64>,
    /// The part of them that does not belong to momenta (N).
    finite_loads: Vec<f64>,
    scratch: Scratch,
    stage: Stage,
    loads: Vec<f64>,
    /// Loads at the communication point, as far as outputs depend on them: those that the last step ended with (N).
    present_loads: Vec<f64>,
    wants_matrices: bool,
    statistics: Statistics,
}

/// Storage of calls, not a part of the state.
struct Scratch {
    zero: Vec<f64>,
    start: Vec<f64>,
    start_rates: Vec<f64>,
    end: Vec<f64>,
    rates: Vec<f64>,
    orientations: Vec<UnitQuaternion<f64>>,
    outputs: RefCell<Vec<f64>>,
    saved: Vec<f64>,
}

impl Scratch {
    fn new(rows: usize, frames: usize, outputs: usize) -> Self {
        let zero = vec![0.0; rows];
        Self {
            start: zero.clone(),
            start_rates: zero.clone(),
            end: zero.clone(),
            rates: zero.clone(),
            zero,
            orientations: vec![UnitQuaternion::identity(); frames],
            outputs: RefCell::new(vec![0.0; outputs]),
            saved: Vec::new(),
        }
    }

    /// Where the rows are at the start of a step.
    fn note_start(&mut self, rows: &RowState) {
        self.start.copy_from_slice(&rows.positions);
        self.start_rates.copy_from_slice(&rows.velocities);
        self.orientations.copy_from_slice(&rows.orientations);
    }
}

#[derive(Serialize, Deserialize)]
struct Saved {
    subsystem: String,
    values: Vec<f64>,
    system: Vec<u8>,
}

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    /// A subsystem that starts at this point: its inputs are the start values of those that nothing sets.
    ///
    /// # Errors
    /// A map that does not fit, or a system that has no answer at the start.
    pub fn new(
        name: &str,
        mut system: S,
        rule: Box<dyn StepRule>,
        map: PortMap,
        start: Point<'_>,
    ) -> Result<Self, PortMapError> {
        let size = system.size();
        let is_exact = !map.has_load_frames();
        let capabilities = Capabilities {
            inverse_mass: if is_exact { InverseMass::Exact } else { InverseMass::Unknown },
            can_roll_back: system.can_save(),
            takes_impulses: true,
            is_affine: is_exact && system.is_affine(),
            has_variable_step: true,
            ..Capabilities::default()
        };
        let mut description = map.describe(name, [size.inputs, size.outputs], capabilities)?;
        description.rule = label(rule.as_ref());
        let selection = select(&map);
        let found = Linearisation::zeros(size.states, &selection);
        let (r, coordinates) = (description.rows(), description.load_coordinates());
        let frames = description.frames().count();
        let load_ports = [coordinates, description.load_frames()];
        let lineariser = Lineariser::new(&system, selection);
        let mut outputs = vec![0.0; size.outputs];
        system.outputs(start, &mut outputs).map_err(|error| bad_start(name, &error))?;
        let mut new = Self {
            course: RefCell::new(InputCourse::new(&map, start.inputs, start.time, load_ports)),
            motion: StateMotion::new(rule, start.time, start.states, size.indicators),
            newton: found.clone(),
            sensitivity: Sensitivity::new(found),
            momenta: Momenta::zeros(r),
            rows: RowState {
                positions: vec![0.0; r],
                velocities: vec![0.0; r],
                orientations: vec![UnitQuaternion::identity(); frames],
                ..RowState::default()
            },
            trial_outputs: outputs.clone(),
            outputs,
            response: StepResponse { damped_inverse_mass: RowMatrix::zeros(r), ..StepResponse::zeros(r) },
            load_response: match (coordinates, is_exact) {
                (0, _) | (_, false) => LoadResponse::zeros(coordinates),
                _ => LoadResponse::with_tangents(coordinates),
            },
            prepared: RowMatrix::zeros(r),
            is_prepared: false,
            jump_work: 0.0,
            inside_work: 0.0,
            begun: None,
            start_inputs: start.inputs.to_vec(),
            start_loads: vec![0.0; r],
            finite_loads: vec![0.0; r],
            scratch: Scratch::new(r, frames, size.outputs),
            stage: Stage::default(),
            loads: vec![0.0; r],
            present_loads: vec![0.0; r],
            wants_matrices: r + coordinates > 0,
            statistics: Statistics::default(),
            system: RefCell::new(system),
            map,
            description,
            lineariser,
        };
        new.map.write_state(&new.outputs, &mut new.rows);
        Ok(new)
    }

    /// The system inside.
    pub fn system(&mut self) -> &mut S {
        self.system.get_mut()
    }

    /// The states `x` at the present communication point.
    #[must_use]
    pub fn states(&self) -> &[f64] {
        &self.motion.state.v
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description.name.clone();
        self.begun.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    fn failed(&self, step: MacroStep, error: &SystemError) -> SubsystemError {
        let (subsystem, reason) = (self.description.name.clone(), error.to_string());
        if error.is_of_step() {
            SubsystemError::StepFailed { subsystem, time: step.time, size: step.size, reason }
        } else {
            SubsystemError::BadStep { subsystem, time: step.time, size: step.size, reason: reason.into() }
        }
    }

    /// Loads at the stage for these impulses.
    fn load_stage(&mut self, impulses: &[f64], h: f64) {
        let weight = self.motion.rule.stage(h).end_velocity;
        self.loads.iter_mut().zip(impulses).for_each(|(load, impulse)| *load = impulse / weight);
        self.momenta.take_off(self.momenta.end(), &mut self.loads);
        self.course.get_mut().set_loads(self.loads.iter().copied());
    }

    /// Solves the step without loads.
    fn try_free(&mut self, step: MacroStep) -> Result<(), SystemError> {
        self.motion.find_rates(self.system.get_mut(), self.course.get_mut())?;
        let zero = std::mem::take(&mut self.scratch.zero);
        let tried = self.try_step(step, &zero, true);
        self.scratch.zero = zero;
        tried
    }

    /// Solves the step begun under these impulses; the end is in `motion.after` and `trial_outputs`, with the inverse mass where it is wanted.
    fn try_step(
        &mut self,
        step: MacroStep,
        impulses: &[f64],
        with_matrices: bool,
    ) -> Result<(), SystemError> {
        self.load_stage(impulses, step.size);
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let tools = (&mut self.lineariser, &mut self.newton);
        self.stage = self.motion.try_smooth(system, tools, step.size, course)?;
        self.note_weights();
        if with_matrices && self.wants_matrices {
            self.linearise(step)?;
        }
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        if system.can_save() && self.motion.holds_event(system, course)? {
            self.pass_events(step, impulses)?;
        }
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let after = &self.motion.after;
        let at = Point { time: after.time, states: &after.v, inputs: course.at(after.time) };
        system.outputs(at, &mut self.trial_outputs)?;
        crate::stage::check_finite("output", after.time, &self.trial_outputs)
    }

    /// The weights of loads and responses at the stage just solved, whether matrices are wanted or not.
    fn note_weights(&mut self) {
        let Stage { velocity, end_load, start_load, .. } = self.stage;
        let weights = LoadWeights { end: end_load, start: start_load, position: velocity, damping: velocity };
        self.response.revision += u64::from(weights != self.response.weights);
        self.response.weights = weights;
    }

    /// `A` and `B` at the stage, `C` and `D` at the end of the step just tried, and what follows from them.
    fn linearise(&mut self, step: MacroStep) -> Result<(), SystemError> {
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let time = step.time + self.stage.time_share * step.size;
        let found = &mut self.sensitivity.found;
        let at = Point { time, states: self.motion.solver.states(), inputs: course.at(time) };
        self.lineariser.of_rates(system, at, found)?;
        let after = &self.motion.after;
        let at = Point { time: after.time, states: &after.v, inputs: course.at(after.time) };
        self.lineariser.of_outputs(system, at, found)?;
        self.sensitivity.solve(self.stage.velocity)?;
        if self.description.rows() > 0 {
            let is_new =
                self.sensitivity.write_inverse_mass(&self.stage, self.response.inverse_mass.dense_mut());
            self.sensitivity.write_damped(self.response.damped_inverse_mass.dense_mut());
            self.response.revision += u64::from(is_new);
        }
        Ok(())
    }

    /// Passes the events of the step under trial, under the mean of the loads, and takes them back.
    fn pass_events(&mut self, step: MacroStep, impulses: &[f64]) -> Result<(), SystemError> {
        self.load_mean(impulses, step.size);
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        system.mark()?;
        self.motion.mark();
        let tools = (&mut self.lineariser, &mut self.newton);
        let taken = self.motion.take(system, tools, step.time + step.size, course);
        self.motion.go_back();
        system.go_back()?;
        taken.map(drop)
    }

    /// Loads that are constant over the step and have these impulses.
    fn load_mean(&mut self, impulses: &[f64], h: f64) {
        let loads = impulses.iter().map(|impulse| impulse / h);
        self.course.get_mut().set_loads(loads);
    }

    /// Takes the step begun under these impulses.
    fn take_step(&mut self, step: MacroStep, loads: &StepLoads) -> Result<(), SystemError> {
        let impulses = &loads.impulses;
        self.course.get_mut().set_loads(self.start_loads.iter().copied());
        self.motion.find_rates(self.system.get_mut(), self.course.get_mut())?;
        if !self.map.load_ports.is_empty() {
            self.find_start_loads(step)?;
        }
        self.load_stage(impulses, step.size);
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let tools = (&mut self.lineariser, &mut self.newton);
        self.stage = self.motion.try_smooth(system, tools, step.size, course)?;
        let mut passes_events = false;
        if self.motion.holds_event(system, course)? {
            self.load_mean(impulses, step.size);
            passes_events = true;
            let (system, course) = (self.system.get_mut(), self.course.get_mut());
            let tools = (&mut self.lineariser, &mut self.newton);
            self.motion.take(system, tools, step.time + step.size, course)?;
        } else if self.motion.accept(system, course)? {
            self.motion.take_event(system, course)?;
        }
        let means = impulses.iter().map(|impulse| impulse / step.size);
        let ends = self.loads.iter().zip(means).map(|(end, mean)| if passes_events { mean } else { *end });
        self.present_loads.iter_mut().zip(ends).for_each(|(present, end)| *present = end);
        self.inside_work = 0.0;
        if loads.has_moments { self.take_moments(&loads.moments) } else { self.show() }
    }

    /// Impulses inside the step just taken act; the energy that they put in is what the system tells, else impulses times mean rates.
    fn take_moments(&mut self, moments: &ImpulseMoments) -> Result<(), SystemError> {
        self.show()?;
        let (energy, rates) = (self.energy().total(), self.rows.velocities.clone());
        self.sensitivity.add_moments(self.stage.velocity, moments, &mut self.motion.state.v);
        self.motion.restart();
        self.show()?;
        let means = rates.iter().zip(&self.rows.velocities).map(|(before, after)| 0.5 * (before + after));
        let passed = means.zip(&moments.velocity).map(|(rate, impulse)| rate * impulse).sum();
        let is_told = self.map.energy.iter().any(Option::is_some);
        self.inside_work = if is_told { self.energy().total() - energy } else { passed };
        Ok(())
    }

    /// Outputs and rows of the present communication point.
    fn show(&mut self) -> Result<(), SystemError> {
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        course.set_loads(self.present_loads.iter().copied());
        let time = self.motion.state.time;
        let at = Point { time, states: &self.motion.state.v, inputs: course.at(time) };
        system.outputs(at, &mut self.outputs)?;
        self.map.write_state(&self.outputs, &mut self.rows);
        Ok(())
    }

    /// The rows at the end of the step just tried.
    fn show_trial(&mut self) {
        let StepResponse { positions, velocities, .. } = &mut self.response;
        self.map.write_rows(&self.trial_outputs, &self.rows.orientations, (positions, velocities));
        self.statistics.evaluations += 1;
    }

    /// What a step takes back where it fails.
    fn guarded<T>(
        &mut self,
        take: impl FnOnce(&mut Self) -> Result<T, SystemError>,
    ) -> Result<T, SystemError> {
        let can_save = self.system.get_mut().can_save();
        if can_save {
            self.system.get_mut().mark()?;
        }
        let mut saved = std::mem::take(&mut self.scratch.saved);
        saved.clear();
        self.motion.save(&mut saved);
        let taken = take(self);
        if taken.is_err() {
            self.motion.restore(&saved);
            if can_save {
                self.system.get_mut().go_back()?;
            }
        }
        self.scratch.saved = saved;
        taken
    }

    fn try_respond(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), SystemError> {
        self.course.get_mut().set_motion(step, motion);
        self.motion.find_rates(self.system.get_mut(), self.course.get_mut())?;
        self.find_start_loads(step)?;
        self.try_step(step, &[], true)?;
        self.map.write_loads(&self.trial_outputs, &mut self.load_response.end);
        if self.wants_matrices && self.load_response.has_tangents() {
            self.write_tangents();
        }
        Ok(())
    }

    /// Loads of the load ports at the start of the step.
    fn find_start_loads(&mut self, step: MacroStep) -> Result<(), SystemError> {
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let at = Point { time: step.time, states: &self.motion.state.v, inputs: course.at(step.time) };
        system.outputs(at, &mut self.trial_outputs)?;
        self.map.write_loads(&self.trial_outputs, &mut self.load_response.start);
        Ok(())
    }

    /// Work (J) of the step just taken on the load ports: the mean of the loads at its ends, on the way, against the body that they act on.
    fn drive_work(&mut self, motion: &PortMotion) -> f64 {
        let LoadResponse { start, end, .. } = &mut self.load_response;
        self.map.write_loads(&self.outputs, end);
        let ways = motion.end.positions.iter().zip(&motion.start.positions);
        let loads = start.iter().zip(end.iter());
        -loads.zip(ways).map(|((a, b), (to, from))| 0.5 * (a + b) * (to - from)).sum::<f64>()
    }

    /// `∂λ₁/∂z₁` and `∂λ₁/∂ż₁`: what feeds through at the end, and what comes by the states, which the motion at the stage drives.
    fn write_tangents(&mut self) {
        let share = self.stage.end_velocity * self.stage.time_share;
        let (mut column, mut first) = (0, 0);
        for port in &self.map.load_ports {
            for (indices, tangent) in [
                (&port.positions, &mut self.load_response.position_tangent),
                (&port.velocities, &mut self.load_response.velocity_tangent),
            ] {
                let tangent = tangent.dense_mut();
                for k in 0..indices.len() {
                    for i in 0..tangent.nrows() {
                        let (by_states, direct) = self.sensitivity.entry(i, column);
                        tangent[(i, first + k)] = share * by_states + direct;
                    }
                    column += 1;
                }
            }
            first += port.loads.len();
        }
    }

    fn energy_of(&self, outputs: &[f64]) -> Energy {
        let [kinetic, potential] = self.map.energy.map(|index| index.map_or(0.0, |k| outputs[k]));
        Energy { kinetic, potential }
    }

    fn bad_snapshot(&self, reason: String) -> SubsystemError {
        SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason }
    }

    fn encode(&self) -> Result<Saved, SystemError> {
        let mut values = Vec::new();
        self.motion.save(&mut values);
        self.momenta.save(&mut values);
        values.extend_from_slice(&self.present_loads);
        let at =
            Point { time: self.motion.state.time, states: &self.motion.state.v, inputs: &self.start_inputs };
        let system = self.system.borrow_mut().save(at)?;
        Ok(Saved { subsystem: self.description.name.clone(), values, system })
    }
}

/// The inputs and outputs that derivatives are wanted of: loads and rates of rows; motion and loads of load ports, port by port
/// positions and then velocities.
fn select(map: &PortMap) -> Selection {
    let driven =
        map.load_ports.iter().flat_map(|port| port.positions.iter().chain(&port.velocities).copied());
    Selection {
        inputs: map.load_inputs().into_iter().chain(driven).collect(),
        outputs: map.rate_outputs().into_iter().chain(map.load_outputs()).collect(),
    }
}

/// The label of the rule. Positions are states here, and integrated as such: where the rule itself makes other positions of the same rates, as
/// generalized-α does, joints must not take the two for equal.
fn label(rule: &dyn StepRule) -> String {
    let Stage { velocity, end_velocity, end_position, .. } = rule.stage(1.0);
    let is_same = (end_position - end_velocity * velocity).abs() <= 1e-12 * end_position.abs();
    if is_same { rule.label() } else { format!("first-order {}", rule.label()) }
}

fn bad_start(name: &str, error: &SystemError) -> PortMapError {
    SubsystemError::BadDescription { subsystem: name.to_owned(), reason: format!("at the start: {error}") }
        .into()
}

impl<S: FirstOrderSystem> Subsystem for FirstOrderSubsystem<S> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.energy_of(&self.outputs)
    }

    fn limit_response(&mut self, needed: &[bool]) {
        self.discard();
        self.wants_matrices = needed.contains(&true);
        let rows = self.description.rows();
        if rows > 0 {
            // What is not needed is left out, and not told as zero.
            let matrix = if self.wants_matrices {
                RowMatrix::zeros(rows)
            } else {
                RowMatrix::Blocks(RowBlocks::over(&vec![false; rows]))
            };
            self.response.damped_inverse_mass = matrix.clone();
            self.response.inverse_mass = matrix;
            self.response.revision += 1;
        }
        if !self.load_response.end.is_empty() && !self.map.has_load_frames() {
            self.load_response.limit(needed);
        }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.begin_step(step, start_loads, None)?;
        Ok(&self.response)
    }

    fn begin_under_loads(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_loads(expected.momenta)?;
        self.begin_step(step, start_loads, Some(expected.momenta))?;
        Ok(Begun::Free(&self.response))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate")?;
        self.try_step(step, impulses, true).map_err(|error| self.failed(step, &error))?;
        self.show_trial();
        Ok(&self.response)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let step = self.step_begun("evaluate")?;
        self.try_step(step, impulses, false).map_err(|error| self.failed(step, &error))?;
        self.show_trial();
        Ok(&self.response)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        self.description.check_motion(motion)?;
        let step = self.step_begun("respond")?;
        self.try_respond(step, motion).map_err(|error| self.failed(step, &error))?;
        self.statistics.evaluations += 1;
        Ok(&self.load_response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        self.description.check_step_loads(loads)?;
        let step = self.step_begun("commit")?;
        if !self.map.load_ports.is_empty() {
            self.course.get_mut().set_motion(step, &loads.motion);
        }
        let before = self.energy();
        self.scratch.note_start(&self.rows);
        self.guarded(|own| own.take_step(step, loads)).map_err(|error| self.failed(step, &error))?;
        let drive_work = self.drive_work(&loads.motion);
        self.momenta.commit(&loads.momenta);
        self.begun = None;
        self.statistics.steps += 1;
        let port_work = self.work_of_loads(loads) + drive_work;
        let energy = self.energy();
        let jumps = self.inside_work;
        let external_work = energy.total() - before.total() - port_work - jumps;
        Ok(Ledger { energy, port_work, external_work, jumps, ..Ledger::default() })
    }

    fn discard(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let step = MacroStep { time: self.motion.state.time, size };
        self.description.check_step(step, step.time)?;
        self.discard();
        let (system, course) = (self.system.get_mut(), self.course.get_mut());
        let found = &mut self.sensitivity.found;
        let at = Point { time: step.time, states: &self.motion.state.v, inputs: course.at(step.time) };
        let rates = self.lineariser.of_rates(system, at, found);
        let linearised = rates.and_then(|()| self.lineariser.of_outputs(system, at, found));
        linearised.map_err(|error| self.failed(step, &error))?;
        if self.description.rows() > 0 {
            let found = &self.sensitivity.found;
            found.outputs_by_states.mul_to(&found.rates_by_inputs, self.prepared.dense_mut());
        }
        self.is_prepared = true;
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(impulses)?;
        self.check_prepared("jump")?;
        let before = self.energy().total();
        self.scratch.note_start(&self.rows);
        for (j, impulse) in impulses.iter().enumerate() {
            for (x, b) in
                self.motion.state.v.iter_mut().zip(self.sensitivity.found.rates_by_inputs.column(j).iter())
            {
                *x += b * impulse;
            }
        }
        self.begin_anew()?;
        let rates = self.scratch.start_rates.iter().zip(&self.rows.velocities);
        let passed = rates.zip(impulses).map(|((a, b), impulse)| 0.5 * (a + b) * impulse).sum::<f64>();
        self.jump_work = self.energy().total() - before - passed;
        Ok(())
    }

    /// What the system does not tell of its energy is taken for the work of something outside.
    fn jump_work(&self) -> f64 {
        self.jump_work
    }

    /// Moves the states that no impulse acts on by `A B w`: positions, along the velocities that the same impulses would make.
    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads(weights)?;
        self.check_prepared("shift")?;
        let Linearisation { rates_by_states, rates_by_inputs, .. } = &self.sensitivity.found;
        let columns = weights.len();
        let velocity = |k: usize| (0..columns).map(|j| rates_by_inputs[(k, j)] * weights[j]).sum::<f64>();
        for i in 0..rates_by_states.nrows() {
            if (0..columns).all(|j| rates_by_inputs[(i, j)] == 0.0) {
                let way: f64 =
                    (0..rates_by_states.ncols()).map(|k| rates_by_states[(i, k)] * velocity(k)).sum();
                self.motion.state.v[i] += way;
            }
        }
        self.begin_anew()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.course.get_mut().set_signals(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        let (mut system, mut course) = (self.system.borrow_mut(), self.course.borrow_mut());
        let time = self.motion.state.time;
        let mut all = self.scratch.outputs.borrow_mut();
        course.set_loads(self.present_loads.iter().copied());
        let at = Point { time, states: &self.motion.state.v, inputs: course.with_signals(time, inputs) };
        let step = MacroStep { time, size: 0.0 };
        system.outputs(at, &mut all).map_err(|error| self.failed(step, &error))?;
        out.iter_mut().zip(&self.map.outputs).for_each(|(out, (_, index))| *out = all[*index]);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.map.quantities).for_each(|(out, (_, index))| *out = self.outputs[*index]);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let saved = self.encode().map_err(|error| self.bad_snapshot(error.to_string()))?;
        let bytes = codec::encode(&saved).map_err(|error| self.bad_snapshot(error.to_string()))?;
        Ok(Snapshot::from_bytes(bytes))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let saved: Saved =
            codec::decode(snapshot.as_bytes()).map_err(|error| self.bad_snapshot(error.to_string()))?;
        if saved.subsystem != self.description.name {
            return Err(self.bad_snapshot(format!("the snapshot is of `{}`", saved.subsystem)));
        }
        let before = self.encode().map_err(|error| self.bad_snapshot(error.to_string()))?;
        let restored = self.read_back(&saved);
        if let Err(reason) = restored {
            let _ = self.read_back(&before);
            return Err(self.bad_snapshot(reason));
        }
        self.discard();
        self.is_prepared = false;
        self.statistics.rollbacks += 1;
        let step = MacroStep { time: self.motion.state.time, size: 0.0 };
        self.show().map_err(|error| self.failed(step, &error))
    }

    fn statistics(&self) -> Statistics {
        let solver = &self.motion.solver;
        Statistics {
            newton_iterations: solver.iterations,
            factorizations: solver.factorizations + self.sensitivity.factorizations,
            ..self.statistics
        }
    }
}

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    /// Begins a step under these start loads, of which a part may be known to belong to momenta: a rule that begins anew remembers it.
    fn begin_step(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<(), SubsystemError> {
        self.description.check_step(step, self.motion.state.time)?;
        self.discard();
        self.motion.begin(step.time, step.time + step.size);
        self.is_prepared = false;
        self.start_loads.copy_from_slice(start_loads);
        self.finite_loads.copy_from_slice(start_loads);
        self.course.get_mut().set_loads(start_loads.iter().copied());
        if self.motion.rule.needs_acceleration() {
            match momenta {
                Some(part) => self.momenta.restart(part),
                None => self.momenta.clear(),
            }
        }
        for (load, part) in self.finite_loads.iter_mut().zip(momenta.unwrap_or_default()) {
            *load -= part;
        }
        self.momenta.begin(self.motion.rule.quadrature(step.size));
        if self.description.rows() > 0 {
            self.try_free(step).map_err(|error| self.failed(step, &error))?;
            self.show_trial();
        } else {
            self.statistics.evaluations += 1;
        }
        self.begun = Some(step);
        Ok(())
    }

    /// Work (J) of the loads on the rows over the step just taken: of finite loads their mean on the way, of momenta momentum times mean rate.
    fn work_of_loads(&mut self, loads: &StepLoads) -> f64 {
        let Scratch { start, start_rates, orientations, end, rates, .. } = &mut self.scratch;
        self.map.write_rows(&self.outputs, orientations, (end, rates));
        let is_mean = self.motion.rule.collocation() == Collocation::Mean;
        let work = |(k, impulse): (usize, &f64)| {
            let momentum = loads.momenta.get(k).copied().unwrap_or(0.0);
            let (way, mean_rate) = (end[k] - start[k], 0.5 * (start_rates[k] + rates[k]));
            let load = (impulse - momentum) / self.stage.end_velocity;
            momentum * mean_rate + way * if is_mean { load } else { 0.5 * (load + self.finite_loads[k]) }
        };
        loads.impulses.iter().enumerate().map(work).sum()
    }

    fn check_prepared(&self, call: &'static str) -> Result<(), SubsystemError> {
        let subsystem = || self.description.name.clone();
        let refused = || SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() };
        self.is_prepared.then_some(()).ok_or_else(refused)
    }

    /// States have changed between steps.
    fn begin_anew(&mut self) -> Result<(), SubsystemError> {
        self.motion.restart();
        self.momenta.clear();
        self.present_loads.fill(0.0);
        let step = MacroStep { time: self.motion.state.time, size: 0.0 };
        self.show().map_err(|error| self.failed(step, &error))
    }

    fn read_back(&mut self, saved: &Saved) -> Result<(), String> {
        let misfit = || "its numbers are of another system".to_owned();
        let taken = self.motion.restore(&saved.values).ok_or_else(misfit)?;
        let rest = saved.values.get(taken..).unwrap_or_default();
        let all = self.momenta.restore(rest).ok_or_else(misfit)?;
        let loads =
            rest.get(all..).filter(|loads| loads.len() == self.present_loads.len()).ok_or_else(misfit)?;
        self.present_loads.copy_from_slice(loads);
        if saved.values.iter().any(|x| !x.is_finite()) {
            return Err(misfit());
        }
        self.system.get_mut().restore(&saved.system).map_err(|error| error.to_string())
    }
}
