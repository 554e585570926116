//! A system with contacts inside, behind the contract.

use cosimo_impact::{
    DissipationWarning, ImpactSettings, ImpactState, NonsmoothStepper, OuterWeights, Scheme,
};
use cosimo_mechanics::{Energy, StepEnergy, TimeInput};
use cosimo_subsystem::scene::{Appearance, ContactForce, Sight};
use cosimo_subsystem::{
    Capabilities, Description, ExpectedLoads, Failure, InverseMass, Kind, LoadWeights, MacroStep, RowMatrix,
    RowState, Saved, Signal, SignalInput, Statistics, StepLoads, StepResponse, Stepped, TrialLoads, Wanted,
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
pub type NonsmoothMechanism<S, C> = Stepped<NonsmoothMotion<S, C>>;

/// The motion of a [`NonsmoothMechanism`].
#[derive(Debug)]
pub struct NonsmoothMotion<S, C> {
    description: Description,
    stepper: NonsmoothStepper<S, C>,
    time_inputs: Vec<TimeInput>,
    observables: Observables,
    ports: Option<PortState<S>>,
    rows: RowState,
    response: StepResponse,
    /// Impulses on the ports that the trial step is solved with, if it is.
    loads: Vec<f64>,
    is_solved: bool,
    reports_moves: bool,
    /// Whether the matrices of the response are those of the trial step.
    is_answered: bool,
    taken: StepTaken,
}

/// Name and slips of the contacts, the signals that drive inputs over time, and the ports.
pub(super) struct Outside<S> {
    pub(super) contacts: Vec<(String, usize)>,
    pub(super) inputs: Vec<(SignalInput, TimeInput)>,
    pub(super) ports: Option<Ports<S>>,
}

/// What such a system can do, with ports or without.
fn capabilities(has_ports: bool) -> Capabilities {
    Capabilities {
        inverse_mass: InverseMass::Exact,
        is_affine: false,
        can_roll_back: true,
        takes_impulses: false,
        has_variable_step: true,
        takes_moves: has_ports,
        captures_impacts: true,
        ..Capabilities::default()
    }
}

impl<S: ShownSystem, C: ShownContacts> NonsmoothMotion<S, C> {
    pub(super) fn new(
        name: &str,
        (system, contacts): (S, C),
        rule: (Scheme, ImpactSettings),
        start: (f64, Vec<f64>, Vec<f64>),
        outside: Outside<S>,
    ) -> Result<NonsmoothMechanism<S, C>, MechanismError> {
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
            capabilities: capabilities(outside.ports.is_some()),
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
            rows: RowState::zeros(r, 0),
            response: StepResponse::zeros(r),
            reports_moves: false,
            loads: vec![0.0; r],
            is_solved: false,
            is_answered: false,
            taken: StepTaken::default(),
        };
        built.read_state();
        Ok(Stepped::new(built))
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

    /// Solves a step of size `h` (s) with these impulses on the ports, unless they are those that it was solved with last.
    fn solve(&mut self, h: f64, impulses: &[f64]) -> Result<(), Failure> {
        if std::mem::replace(&mut self.is_solved, false) && self.loads == impulses {
            self.is_solved = true;
            return Ok(());
        }
        self.is_answered = false;
        self.stepper.solve_trial_under(h, impulses)?;
        self.loads.fill(0.0);
        self.loads.iter_mut().zip(impulses).for_each(|(own, x)| *own = *x);
        self.is_solved = true;
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
            let displacement = self.response.positions[k] - self.rows.positions[k];
            let rate = 0.5 * (self.response.velocities[k] + self.rows.velocities[k]);
            (x - momentum) / h * displacement + momentum * rate
        };
        loads.impulses.iter().enumerate().map(work).sum()
    }
}

impl<S: ShownSystem, C: ShownContacts> Kind for NonsmoothMotion<S, C> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        Some(self.state().time)
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn energy(&self) -> Energy {
        self.stepper.energy()
    }

    fn response(&self) -> &StepResponse {
        &self.response
    }

    fn report_moves(&mut self, wanted: bool) {
        self.reports_moves = wanted && self.ports.is_some();
        let rows = if self.reports_moves { self.description.rows() } else { 0 };
        self.response.move_mass = RowMatrix::zeros(rows);
        self.is_answered = false;
    }

    fn begin(
        &mut self,
        step: MacroStep,
        _start_loads: &[f64],
        _expected: Option<ExpectedLoads<'_>>,
    ) -> Result<TrialLoads, Failure> {
        self.is_solved = false;
        self.solve(step.size, &[])?;
        self.answer(step.size, false);
        self.is_answered = false;
        Ok(TrialLoads::None)
    }

    fn evaluate(&mut self, step: MacroStep, impulses: &[f64], wanted: Wanted) -> Result<(), Failure> {
        self.solve(step.size, impulses)?;
        if wanted == Wanted::Matrices {
            self.answer(step.size, true);
        }
        Ok(())
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        if loads.has_moments {
            return Err(Failure::Unsupported("take impulses inside a step"));
        }
        self.solve(step.size, &loads.impulses)?;
        if loads.has_moves {
            // What is solved then is not the answer to these loads.
            self.is_solved = false;
            self.stepper.move_trial(step.size, &loads.moves)?;
            self.read_end();
        }
        let port_work = self.port_work(step.size, loads);
        let (_, before) = self.stepper.effort();
        self.stepper.take_trial(step.time + step.size);
        let (_, after) = self.stepper.effort();
        let iterations = (after.iterations - before.iterations) as f64;
        self.taken = StepTaken { size: step.size, iterations };
        self.read_state();
        Ok(self.stepper.balance_of_step().step_energy(self.energy(), port_work))
    }

    fn can_jump(&self) -> bool {
        self.ports.is_some()
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<(), Failure> {
        (self.is_solved, self.is_answered) = (false, false);
        if let Some(found) = self.stepper.prepare_jump()? {
            self.response.inverse_mass.dense_mut().copy_from(found);
        }
        Ok(())
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), Failure> {
        self.stepper.jump(impulses)?;
        self.read_state();
        Ok(())
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), Failure> {
        self.stepper.project_positions(weights)?;
        self.read_state();
        Ok(())
    }

    fn set_inputs(&mut self, inputs: &[Signal]) {
        for (course, input) in self.time_inputs.iter().zip(inputs) {
            course.set(input.time, input.coefficients);
        }
    }

    fn outputs(&self, _inputs: &[f64], out: &mut [f64]) -> Result<(), Failure> {
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
    fn look(&self, _loads: &[f64], out: &mut Sight) {
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
    }

    fn save(&self) -> Result<Saved, Failure> {
        let mut values = vec![self.taken.size, self.taken.iterations];
        values.extend(self.stepper.save());
        Ok(values.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let [size, iterations, values @ ..] = saved.numbers.as_slice() else {
            return Err("there are too few numbers".to_owned());
        };
        self.stepper.restore(values).ok_or("its numbers do not fit the state")?;
        self.taken = StepTaken { size: *size, iterations: *iterations };
        self.read_state();
        Ok(())
    }

    fn effort(&self) -> Statistics {
        let (_, effort) = self.stepper.effort();
        Statistics {
            newton_iterations: effort.iterations as u64,
            factorizations: effort.factorizations as u64,
            ..Statistics::default()
        }
    }
}
