//! A system with contacts inside, behind the contract.

use cosimo_impact::{
    Contacts, DissipationWarning, ImpactError, ImpactSettings, ImpactState, NonsmoothStepper, Scheme,
};
use cosimo_multibody::spatial::Course;
use cosimo_subsystem::{
    Capabilities, Description, Energy, InverseMass, Ledger, MacroStep, Signal, SignalInput, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};

use super::observables::{Observables, StepTaken};
use super::shown::ShownSystem;
use crate::MechanismError;

/// A system with contacts that a [`Scheme`] steps: it has no ports, and its contacts are not the master's.
///
/// Beside what the system shows, quantities are `contact.gap`, `contact.force` (N, at the end of the last step, zero where it was an impact), `contact.status`,
/// `contact.impulse` (N s, of the last step), `contact.active`, slips and impulses of friction of every contact; the largest residuals of the constraints at three levels, `constraints.position`, …;
/// and the works of the last step, `step.impact`, …, see [`StepBalance`](cosimo_impact::StepBalance).
#[derive(Debug)]
pub struct NonsmoothMechanism<S, C> {
    description: Description,
    stepper: NonsmoothStepper<S, C>,
    courses: Vec<Course>,
    observables: Observables,
    response: StepResponse,
    begun: Option<MacroStep>,
    taken: StepTaken,
    statistics: Statistics,
}

/// Name and slips of the contacts, and the signals that drive courses.
pub(super) struct Outside {
    pub(super) contacts: Vec<(String, usize)>,
    pub(super) inputs: Vec<(SignalInput, Course)>,
}

impl<S: ShownSystem, C: Contacts> NonsmoothMechanism<S, C> {
    pub(super) fn new(
        name: &str,
        (system, contacts): (S, C),
        rule: (Scheme, ImpactSettings),
        start: (f64, Vec<f64>, Vec<f64>),
        outside: Outside,
    ) -> Result<Self, MechanismError> {
        let (dimension, constraints) = (contacts.layout().dimension(), system.structure().rows());
        let observables = Observables::new(outside.contacts, dimension, constraints);
        let mut quantities = system.quantities();
        quantities.extend(observables.quantities());
        let (inputs, courses) = outside.inputs.into_iter().unzip();
        let description = Description {
            name: name.to_owned(),
            inputs,
            outputs: system.outputs(),
            quantities,
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine: false,
                can_roll_back: true,
                takes_impulses: false,
                has_variable_step: true,
                ..Capabilities::default()
            },
            ..Description::default()
        };
        description.validate()?;
        let stepper = NonsmoothStepper::with_settings(system, contacts, rule, start).map_err(|source| {
            MechanismError::Nonsmooth { subsystem: name.to_owned(), source: Box::new(source) }
        })?;
        let mut built = Self {
            description,
            stepper,
            courses,
            observables,
            response: StepResponse::zeros(0),
            begun: None,
            taken: StepTaken::default(),
            statistics: Statistics::default(),
        };
        built.look();
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

    fn look(&mut self) {
        self.observables.update(self.stepper.system(), self.stepper.rows(), self.stepper.state());
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
    }
}

impl<S: ShownSystem, C: Contacts> Subsystem for NonsmoothMechanism<S, C> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn energy(&self) -> Energy {
        let found = self.stepper.energy();
        Energy { kinetic: found.kinetic, potential: found.potential }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, self.state().time)?;
        self.give_up();
        self.stepper.solve_trial(step.size).map_err(|error| self.failed(step, &error))?;
        self.begun = Some(step);
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(impulses)?;
        if self.begun.is_none() {
            let subsystem = self.description.name.clone();
            return Err(SubsystemError::NotBegun { subsystem, call: "evaluate".into() });
        }
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<Ledger, SubsystemError> {
        self.description.check_step_loads(loads)?;
        if loads.has_moments {
            let subsystem = self.description.name.clone();
            return Err(SubsystemError::Unsupported {
                subsystem,
                action: "take impulses inside a step".into(),
            });
        }
        let Some(step) = self.begun.take() else {
            let subsystem = self.description.name.clone();
            return Err(SubsystemError::NotBegun { subsystem, call: "commit".into() });
        };
        let (_, before) = self.stepper.effort();
        self.stepper.take_trial(step.time + step.size);
        let (_, after) = self.stepper.effort();
        let iterations = (after.iterations - before.iterations) as f64;
        self.taken = StepTaken { size: step.size, iterations };
        self.statistics.steps += 1;
        self.look();
        let balance = self.stepper.balance_of_step();
        Ok(Ledger {
            energy: self.energy(),
            external_work: balance.external,
            dissipated: -balance.damping,
            inner_contacts: balance.contact + balance.impact + balance.friction,
            numerical: balance.algorithmic,
            ..Ledger::default()
        })
    }

    fn discard(&mut self) {
        self.give_up();
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        for (course, input) in self.courses.iter().zip(inputs) {
            course.set(input.time, input.coefficients);
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
        self.begun = None;
        self.statistics.rollbacks += 1;
        self.look();
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
