//! A system with contacts inside, behind the contract.

use cosimo_impact::{
    DissipationWarning, ImpactError, ImpactSettings, ImpactState, NonsmoothStepper, OuterWeights, Scheme,
};
use cosimo_mechanics::{Energy, StepEnergy, TimeInput};
use cosimo_subsystem::scene::{Appearance, ContactForce, Sight};
use cosimo_subsystem::{
    Capabilities, Description, InverseMass, LoadWeights, MacroStep, RowMatrix, RowState, Signal, SignalInput,
    Snapshot, Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

use super::observables::{Observables, StepTaken};
use super::ports::{PortState, Ports};
use super::shown::{ShownContacts, ShownSystem};
use crate::MechanismError;

/// A system with contacts that a [`Scheme`] steps: its contacts are not the master's. Loads on its ports are momenta over a step, forces that last
/// and impacts alike, see [`cosimo_impact`].
///
/// Beside what the system shows, quantities are `contact.gap`, `contact.force` (N, at the end of the last step, zero where it was an impact), `contact.status`,
/// `contact.impulse` (N s, of the last step), `contact.active`, slips and impulses of friction of every contact; the largest residuals of the constraints at three levels, `constraints.position`, …;
/// and the works of the last step, `step.impact`, …, see [`StepBalance`](cosimo_mechanics::StepBalance).
#[derive(Debug)]
pub struct NonsmoothMechanism<S, C> {
    description: Description,
    stepper: NonsmoothStepper<S, C>,
    time_inputs: Vec<TimeInput>,
    observables: Observables,
    ports: Option<PortState<S>>,
    rows: RowState,
    response: StepResponse,
    begun: Option<MacroStep>,
    /// Impulses on the ports that the trial step is solved with; not a number where it is not solved.
    loads: Vec<f64>,
    reports_moves: bool,
    /// Whether the matrices of the response are those of the trial step.
    is_answered: bool,
    jump_is_prepared: bool,
    taken: StepTaken,
    statistics: Statistics,
}

/// Name and slips of the contacts, the signals that drive inputs over time, and the ports.
pub(super) struct Outside<S> {
    pub(super) contacts: Vec<(String, usize)>,
    pub(super) inputs: Vec<(SignalInput, TimeInput)>,
    pub(super) ports: Option<Ports<S>>,
}

impl<S: ShownSystem, C: ShownContacts> NonsmoothMechanism<S, C> {
    pub(super) fn new(
        name: &str,
        (system, contacts): (S, C),
        rule: (Scheme, ImpactSettings),
        start: (f64, Vec<f64>, Vec<f64>),
        outside: Outside<S>,
    ) -> Result<Self, MechanismError> {
        let (dimension, constraints) = (contacts.layout().dimension(), system.structure().rows());
        let names = outside.contacts.iter().map(|(name, _)| name.clone()).collect();
        let observables = Observables::new(outside.contacts, dimension, constraints);
        let mut quantities = system.quantities();
        quantities.extend(observables.quantities());
        let (inputs, time_inputs) = outside.inputs.into_iter().unzip();
        let label = format!("scheme {:?}", rule.0);
        let specs = outside.ports.as_ref().map(|ports| ports.specs.clone()).unwrap_or_default();
        let description = Description {
            name: name.to_owned(),
            rule: label,
            ports: specs,
            inputs,
            outputs: system.outputs(),
            appearance: Appearance { contacts: names, ..system.appearance() },
            quantities,
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine: false,
                can_roll_back: true,
                takes_impulses: false,
                has_variable_step: true,
                takes_moves: outside.ports.is_some(),
                captures_impacts: true,
                ..Capabilities::default()
            },
            ..Description::default()
        };
        description.validate()?;
        let refused =
            |source| MechanismError::Nonsmooth { subsystem: name.to_owned(), source: Box::new(source) };
        let mut stepper = NonsmoothStepper::with_settings(system, contacts, rule, start).map_err(refused)?;
        let mut ports = None;
        if let Some(Ports { motions, rows, .. }) = outside.ports {
            ports = Some(PortState::new(motions, stepper.system()));
            stepper = stepper.with_outer_rows(rows).map_err(refused)?;
        }
        let r = description.rows();
        let mut built = Self {
            description,
            stepper,
            time_inputs,
            observables,
            ports,
            rows: RowState { positions: vec![0.0; r], velocities: vec![0.0; r], ..RowState::default() },
            response: StepResponse::zeros(r),
            reports_moves: false,
            begun: None,
            loads: vec![f64::NAN; r],
            is_answered: false,
            jump_is_prepared: false,
            taken: StepTaken::default(),
            statistics: Statistics::default(),
        };
        built.read_state();
        Ok(built)
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &ImpactState {
        self.stepper.state()
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &S {
        self.stepper.system()
    }

    /// The contacts.
    #[must_use]
    pub fn contacts(&self) -> &C {
        self.stepper.rows()
    }

    /// Whether impacts may create energy.
    #[must_use]
    pub fn warning(&self) -> Option<DissipationWarning> {
        self.stepper.warning()
    }

    fn read_state(&mut self) {
        self.observables.update(self.stepper.system(), self.stepper.rows(), self.stepper.state());
        if let Some(ports) = &self.ports {
            ports.read(self.stepper.system(), self.stepper.state(), &mut self.rows);
        }
    }

    /// Solves the step begun with these impulses on the ports, none where it is empty, unless they are those that it was solved with last.
    fn solve(&mut self, step: MacroStep, impulses: &[f64]) -> Result<(), SubsystemError> {
        if self.begun.is_some() && self.loads == impulses {
            return Ok(());
        }
        self.loads.fill(f64::NAN);
        self.is_answered = false;
        let solved = self.stepper.solve_trial_under(step.size, impulses);
        solved.map_err(|error| self.failed(step, &error))?;
        self.loads.fill(0.0);
        self.loads.iter_mut().zip(impulses).for_each(|(own, x)| *own = *x);
        self.read_end();
        Ok(())
    }

    /// Fills the rows of the response with the end of the trial step.
    fn read_end(&mut self) {
        let Self { ports, stepper, response, .. } = self;
        if let Some(ports) = ports {
            let states = [stepper.state(), stepper.trial_end()];
            let StepResponse { positions, velocities, .. } = response;
            ports.read_end(stepper.system(), states, positions, velocities);
        }
    }

    /// Finds how the ports answer in the trial step.
    fn answer(&mut self, h: f64, holds_contacts: bool) {
        if std::mem::replace(&mut self.is_answered, true) {
            return;
        }
        let OuterWeights { end, position } = self.stepper.scheme().outer_weights(h);
        let Some([inverse_mass, move_mass]) = self.stepper.outer_answer(holds_contacts) else { return };
        self.response.inverse_mass.dense_mut().copy_from(inverse_mass);
        if self.reports_moves {
            self.response.move_mass.dense_mut().copy_from(move_mass);
        }
        self.response.weights = LoadWeights { end, start: h - end, position, damping: end };
        self.response.revision += 1;
    }

    /// Work of the loads on the ports in the trial step (J): that of a momentum is momentum times mean rate, alike on both sides of a joint; a
    /// finite load acts by its mean along the way.
    fn port_work(&self, h: f64, loads: &StepLoads) -> f64 {
        let work = |(k, x): (usize, &f64)| {
            let momentum = loads.momenta.get(k).copied().unwrap_or(0.0);
            let way = self.response.positions[k] - self.rows.positions[k];
            let rate = 0.5 * (self.response.velocities[k] + self.rows.velocities[k]);
            (x - momentum) / h * way + momentum * rate
        };
        loads.impulses.iter().enumerate().map(work).sum()
    }

    fn not_begun(&self, call: &'static str) -> SubsystemError {
        SubsystemError::NotBegun { subsystem: self.description.name.clone(), call: call.into() }
    }

    /// The present instant, for messages about what happens between steps.
    fn instant(&self) -> MacroStep {
        MacroStep { time: self.state().time, size: 0.0 }
    }

    /// Changes the state between steps, as prepared.
    fn change_prepared(
        &mut self,
        call: &'static str,
        loads: &[f64],
        action: impl Fn(&mut NonsmoothStepper<S, C>, &[f64]) -> Result<(), ImpactError>,
    ) -> Result<(), SubsystemError> {
        self.description.check_loads(loads)?;
        if self.ports.is_none() {
            return Err(self.unsupported("take impulses between steps"));
        }
        if !self.jump_is_prepared {
            return Err(self.not_begun(call));
        }
        let instant = self.instant();
        action(&mut self.stepper, loads).map_err(|error| self.failed(instant, &error))?;
        self.read_state();
        Ok(())
    }

    fn failed(&self, step: MacroStep, error: &ImpactError) -> SubsystemError {
        let (subsystem, MacroStep { time, size }) = (self.description.name.clone(), step);
        SubsystemError::StepFailed { subsystem, time, size, reason: SubsystemError::chain(error) }
    }

    fn bad_snapshot(&self, reason: String) -> SubsystemError {
        SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason }
    }

    /// Forgets the step begun, if there is one.
    fn give_up(&mut self) {
        self.statistics.rollbacks += u64::from(self.begun.take().is_some());
        self.jump_is_prepared = false;
    }
}

impl<S: ShownSystem, C: ShownContacts> Subsystem for NonsmoothMechanism<S, C> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.stepper.energy()
    }

    fn report_moves(&mut self, wanted: bool) {
        self.give_up();
        self.reports_moves = wanted && self.ports.is_some();
        let rows = if self.reports_moves { self.description.rows() } else { 0 };
        self.response.move_mass = RowMatrix::zeros(rows);
        self.is_answered = false;
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.state().time)?;
        self.give_up();
        self.loads.fill(f64::NAN);
        self.solve(step, &[])?;
        self.answer(step.size, false);
        self.is_answered = false;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let Some(step) = self.begun else { return Err(self.not_begun("evaluate")) };
        self.evaluate_rows(impulses)?;
        self.answer(step.size, true);
        Ok(&self.response)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        let Some(step) = self.begun else { return Err(self.not_begun("evaluate")) };
        self.solve(step, impulses)?;
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.description.check_step_loads(loads)?;
        if loads.has_moments {
            let subsystem = self.description.name.clone();
            return Err(SubsystemError::Unsupported {
                subsystem,
                action: "take impulses inside a step".into(),
            });
        }
        let Some(step) = self.begun else { return Err(self.not_begun("commit")) };
        self.solve(step, &loads.impulses)?;
        if loads.has_moves {
            // What is solved then is not the answer to these loads.
            self.loads.fill(f64::NAN);
            let moved = self.stepper.move_trial(step.size, &loads.moves);
            moved.map_err(|error| self.failed(step, &error))?;
            self.read_end();
        }
        self.begun = None;
        let port_work = self.port_work(step.size, loads);
        let (_, before) = self.stepper.effort();
        self.stepper.take_trial(step.time + step.size);
        let (_, after) = self.stepper.effort();
        let iterations = (after.iterations - before.iterations) as f64;
        self.taken = StepTaken { size: step.size, iterations };
        self.statistics.steps += 1;
        self.read_state();
        Ok(self.stepper.balance_of_step().step_energy(self.energy(), port_work))
    }

    fn discard(&mut self) {
        self.give_up();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        let step = MacroStep { size, ..self.instant() };
        self.description.check_step(step, self.state().time)?;
        if self.ports.is_none() {
            return Err(self.unsupported("take impulses between steps"));
        }
        self.give_up();
        self.loads.fill(f64::NAN);
        let prepared = match self.stepper.prepare_jump() {
            Ok(found) => {
                found.into_iter().for_each(|found| self.response.inverse_mass.dense_mut().copy_from(found));
                Ok(())
            }
            Err(error) => Err(error),
        };
        prepared.map_err(|error| self.failed(step, &error))?;
        (self.is_answered, self.jump_is_prepared) = (false, true);
        Ok(&self.response.inverse_mass)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.change_prepared("jump", impulses, NonsmoothStepper::jump)
    }

    fn shift(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.change_prepared("shift", weights, NonsmoothStepper::shift)
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        for (own, input) in self.time_inputs.iter().zip(inputs) {
            own.set(input.time, input.coefficients);
        }
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        self.description.check_outputs(inputs, out)?;
        self.stepper.system().observe_outputs(self.state(), out);
        Ok(())
    }

    fn observe(&self, out: &mut [f64]) {
        let own = out.len().saturating_sub(self.observables.len());
        let (own, of_step) = out.split_at_mut(own);
        let (step, balance) = (self.stepper.contacts(), self.stepper.balance_of_step());
        self.stepper.system().observe(self.state(), step, own);
        self.observables.observe(step, balance, self.taken, of_step);
    }

    /// Forces of the contacts are those at the end of the last step, along the tangents its mean.
    fn look(&self, _loads: &[f64], out: &mut Sight) -> Result<(), SubsystemError> {
        out.clear();
        let (q, step, d) = (&self.state().q, self.stepper.contacts(), self.contacts().layout().dimension());
        self.system().add_poses(q, &mut out.poses);
        for (contact, force) in step.forces.iter().enumerate().filter(|(_, force)| **force > 0.0) {
            let mut loads = [*force, 0.0, 0.0];
            let tangential = step.impulses[contact * d..].iter().take(d).skip(1);
            let of_step = loads[1..].iter_mut().zip(tangential);
            of_step.for_each(|(load, impulse)| *load = impulse / self.taken.size);
            let place = self.contacts().place(contact, q);
            out.forces.extend(place.and_then(|place| ContactForce::of(contact, place, loads)));
        }
        Ok(())
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut values = vec![self.taken.size, self.taken.iterations];
        values.extend(self.stepper.save());
        Snapshot::encode(&self.description.name, &values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let present = self.stepper.save();
        if values.len() != present.len() + 2 {
            let reason = format!("{} numbers instead of {}", values.len(), present.len() + 2);
            return Err(self.bad_snapshot(reason));
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(self.bad_snapshot("its numbers are not finite".to_owned()));
        }
        if self.stepper.restore(&values[2..]).is_none() {
            // What fitted once fits again.
            let _ = self.stepper.restore(&present);
            return Err(self.bad_snapshot("its numbers do not fit the state".to_owned()));
        }
        self.taken = StepTaken { size: values[0], iterations: values[1] };
        (self.begun, self.jump_is_prepared) = (None, false);
        self.statistics.rollbacks += 1;
        self.read_state();
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        let (_, effort) = self.stepper.effort();
        Statistics {
            newton_iterations: effort.iterations as u64,
            factorizations: effort.factorizations as u64,
            ..self.statistics
        }
    }
}
