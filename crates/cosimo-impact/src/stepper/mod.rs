//! The stepper of a system with contacts.

mod outer;

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_mechanics::{Energy, StepBalance};

use crate::balance::add_contacts;
use crate::contacts::Contacts;
use crate::error::ImpactError;
use crate::method::Method;
use crate::outer_rows::Outside;
use crate::outside::Outer;
use crate::scheme::{DissipationWarning, Scheme, SmoothConstraints};
use crate::settings::ImpactSettings;
use crate::start::{balance_start, check_sizes, check_start, project_start};
use crate::state::ImpactState;
use crate::state_reader::StateReader;
use crate::step_problem::{ContactStep, StepEffort, StepProblem};

/// What a step took and what it did to the energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Iterations and factorisations.
    pub effort: StepEffort,
    /// Energies of the step.
    pub balance: StepBalance,
}

/// A step that is solved and not taken.
#[derive(Debug, Clone, Copy)]
struct Trial {
    /// Size (s).
    size: f64,
    report: StepReport,
    /// Energy of its end (J).
    end: Energy,
}

/// Steps a constrained system with unilateral contacts by any [`Scheme`].
///
/// ```
/// use cosimo_impact::{LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, Scheme};
/// // A ball of 1 kg dropped from 1 m, restitution 0.9.
/// let ball = MassesAndSprings::new(vec![1.0]).with_force(0, -9.81);
/// let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(0.9)]);
/// let scheme = Scheme::moreau_jean(0.5);
/// let mut stepper = NonsmoothStepper::new(ball, floor, scheme, (0.0, vec![1.0], vec![0.0]))?;
/// let mut lost = 0.0;
/// for _ in 0..1000 {
///     lost -= stepper.step(1e-3)?.balance.impact;
/// }
/// // The speed of 4.43 m/s at the first impact becomes nine tenths of it.
/// assert!((lost - 0.5 * 4.43_f64.powi(2) * (1.0 - 0.81)).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NonsmoothStepper<S, C> {
    system: S,
    contacts: C,
    scheme: Scheme,
    settings: ImpactSettings,
    method: Method,
    state: ImpactState,
    end: ImpactState,
    found: ContactStep,
    trial_found: ContactStep,
    trial: Option<Trial>,
    /// Energy of the present state, where the step that led here gives it.
    present: Option<Energy>,
    last: StepBalance,
    gaps: Vec<f64>,
    rates: Vec<f64>,
    end_rates: Vec<f64>,
    steps: usize,
    effort: StepEffort,
    /// Rows on which others act.
    outer: Option<Box<Outer>>,
    /// Room for positions.
    before: Vec<f64>,
}

impl<S: ConstrainedSystem, C: Contacts> NonsmoothStepper<S, C> {
    /// A system with its contacts, from time (s), positions and velocities, given as `(t, q, v)`.
    ///
    /// # Errors
    /// Parameters out of range, contacts that the scheme does not take, a start of the wrong size, that violates a constraint or in
    /// which bodies overlap.
    pub fn new(
        system: S,
        contacts: C,
        scheme: Scheme,
        start: (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, ImpactError> {
        Self::with_settings(system, contacts, (scheme, ImpactSettings::default()), start)
    }

    /// The same with settings.
    ///
    /// # Errors
    /// As [`new`](Self::new); settings out of range.
    pub fn with_settings(
        system: S,
        contacts: C,
        (scheme, settings): (Scheme, ImpactSettings),
        (time, q, v): (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, ImpactError> {
        settings.check()?;
        scheme.check(contacts.layout())?;
        let (n, m) = (system.structure().velocities(), system.structure().rows());
        let (count, rows) = (contacts.layout().contacts().len(), contacts.layout().rows());
        let mut state = ImpactState { time, q, v, a: vec![0.0; n], mu: vec![0.0; m] };
        check_sizes(&system, &state)?;
        let (gaps, rates) = (vec![0.0; count], vec![0.0; rows]);
        if settings.projects_start {
            let written = state.clone();
            let p = problem((&system, &contacts), &settings, &written, 0.0, (&gaps, &rates), None);
            project_start(&p, &mut state)?;
        }
        check_start((&system, &contacts), (&scheme, &settings), &state)?;
        let mut method = Method::new(
            &scheme,
            &problem((&system, &contacts), &settings, &state, 0.0, (&gaps, &rates), None),
        )?;
        start_method(&mut method, &scheme, (&system, &contacts), &settings, &mut state)?;
        Ok(Self {
            end: state.clone(),
            found: ContactStep::zeros(count, rows, m),
            trial_found: ContactStep::zeros(count, rows, m),
            trial: None,
            present: None,
            last: StepBalance::default(),
            end_rates: rates.clone(),
            gaps,
            rates,
            before: state.q.clone(),
            state,
            method,
            settings,
            scheme,
            contacts,
            system,
            steps: 0,
            effort: StepEffort::default(),
            outer: None,
        })
    }

    /// Takes a step of size `h` (s), positive.
    ///
    /// # Errors
    /// The step cannot be solved; the state is then unchanged.
    pub fn step(&mut self, h: f64) -> Result<StepReport, ImpactError> {
        let report = self.solve_trial(h)?;
        self.take_trial(self.end.time);
        Ok(report)
    }

    /// Solves a step of size `h` (s), positive, without taking it.
    ///
    /// # Errors
    /// The step cannot be solved.
    pub fn solve_trial(&mut self, h: f64) -> Result<StepReport, ImpactError> {
        self.solve_trial_under(h, &[])
    }

    fn solve_from(&mut self, h: f64) -> Result<StepReport, ImpactError> {
        self.trial = None;
        if !(h > 0.0 && h.is_finite()) {
            return Err(ImpactError::OutOfRange { quantity: "step size", found: h, rule: "positive" });
        }
        let motion = self.state.motion();
        self.contacts.gaps(motion.t, motion.q, &mut self.gaps);
        self.contacts.rates(motion, &mut self.rates);
        self.end.copy(&self.state);
        let Self {
            system,
            contacts,
            settings,
            state,
            gaps,
            rates,
            method,
            end,
            trial_found: found,
            outer,
            ..
        } = self;
        let p = problem((system, contacts), settings, state, h, (gaps, rates), outer.as_deref());
        let effort = method.solve(&p, end, found)?;
        let end = self.system.energy(self.end.motion());
        let balance = self.balance(h, end);
        let report = StepReport { effort, balance };
        self.trial = Some(Trial { size: h, report, end });
        Ok(report)
    }

    /// Takes the step that was solved last, if it has not been taken; its end is at this time (s).
    pub fn take_trial(&mut self, time: f64) {
        let Some(Trial { size, report, end }) = self.trial.take() else { return };
        self.end.time = time;
        self.method.accept(size, &self.state, &self.end);
        std::mem::swap(&mut self.state, &mut self.end);
        std::mem::swap(&mut self.found, &mut self.trial_found);
        self.system.accept(self.state.motion());
        // What remembers or is driven may store energy elsewhere.
        self.present = self.system.is_linear().then_some(end);
        self.last = report.balance;
        self.steps += 1;
        self.effort.iterations += report.effort.iterations;
        self.effort.factorizations += report.effort.factorizations;
    }

    /// Takes equal steps of at most `h` (s) up to the time `end` (s).
    ///
    /// # Errors
    /// A step cannot be solved; the state is then that before it.
    pub fn advance_to(&mut self, end: f64, h: f64) -> Result<(), ImpactError> {
        let start = self.state.time;
        let count = ((end - start) / h * (1.0 - 1e-12)).ceil().max(0.0) as usize;
        for k in 1..=count {
            let next = start + (end - start) * (k as f64 / count as f64);
            self.solve_trial((end - start) / count as f64)?;
            self.take_trial(next);
        }
        Ok(())
    }

    fn balance(&mut self, h: f64, end_energy: Energy) -> StepBalance {
        let change = end_energy.total() - self.energy().total();
        let Self {
            system,
            contacts,
            settings,
            state,
            gaps,
            rates,
            method,
            end,
            trial_found: found,
            found: last,
            end_rates,
            outer,
            ..
        } = self;
        let mut balance = StepBalance { change, ..StepBalance::default() };
        contacts.rates(end.motion(), end_rates);
        let (start, last_motion) = (state.motion(), end.motion());
        let mean = |of: &dyn Fn(Motion<'_>) -> f64| 0.5 * (of(start) + of(last_motion));
        let external = |motion: Motion<'_>| system.external_power(motion);
        let dissipated = |motion: Motion<'_>| system.dissipated_power(motion);
        let at_stage = match method {
            Method::Staged(staged) => staged.place_of_works(state.time),
            Method::Alpha(_) => None,
        };
        let [put_in, taken_out, driving] = match at_stage {
            // What drives acts by its mean rate, which may jump inside the step, as the velocities do.
            Some(stage) => {
                [external(stage), dissipated(stage), mean(&|motion| system.driving_power(motion, &end.mu))]
            }
            None => {
                let [before, after] = [(start, &state.mu), (last_motion, &end.mu)]
                    .map(|(motion, mu)| system.driving_power(motion, mu));
                [mean(&external), mean(&dissipated), 0.5 * (before + after)]
            }
        };
        (balance.external, balance.damping) = (h * (put_in + driving), -h * taken_out);
        let p = problem((system, contacts), settings, state, h, (gaps, rates), outer.as_deref());
        balance.outside = outer.as_ref().map_or(0.0, |_| method.work_from_outside(&state.v, &end.v));
        let [now, before] = match method {
            Method::Staged(staged) => staged.rule.shares_of_impulses(h),
            Method::Alpha(_) => [1.0, 0.0],
        };
        let impulses = found.impulses.iter().zip(&last.impulses).map(|(own, last)| now * own + before * last);
        add_contacts(&mut balance, &p, impulses, end_rates);
        if let Method::Staged(staged) = method {
            staged.book_corrections(&p, found, &mut balance);
        }
        balance.close();
        balance
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &ImpactState {
        &self.state
    }

    /// The acceleration that the rule integrates (m/s² and rad/s²): of the generalized-α family that which follows the smooth
    /// motion's, of others the latter.
    #[must_use]
    pub fn algorithmic_acceleration(&self) -> Vec<f64> {
        self.method.algorithmic(&self.state.a)
    }

    /// What the last step has done to contacts and constraints.
    #[must_use]
    pub fn contacts(&self) -> &ContactStep {
        &self.found
    }

    /// Energies of the last step.
    #[must_use]
    pub fn balance_of_step(&self) -> &StepBalance {
        &self.last
    }

    /// Everything that influences the future, and what the last step has done.
    #[must_use]
    pub fn save(&self) -> Vec<f64> {
        let ImpactState { time, q, v, a, mu } = &self.state;
        let ContactStep { impulses, constraint_impulses, is_active, forces } = &self.found;
        let mut out = vec![*time];
        for own in [q, v, a, mu, impulses, constraint_impulses, forces] {
            out.extend_from_slice(own);
        }
        out.extend(is_active.iter().map(|is| f64::from(u8::from(*is))));
        out.extend_from_slice(&self.last.parts());
        self.method.save(&mut out);
        self.system.save_memory(&mut out);
        out
    }

    /// Takes over what was saved; `None` if it does not fit, after which only another restoration makes the stepper whole.
    pub fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let mut reader = StateReader::new(saved);
        (self.trial, self.present) = (None, None);
        let ImpactState { time, q, v, a, mu } = &mut self.state;
        let ContactStep { impulses, constraint_impulses, is_active, forces } = &mut self.found;
        *time = reader.number()?;
        let mut all = [q, v, a, mu, impulses, constraint_impulses, forces].into_iter();
        all.try_for_each(|own| reader.fill(own))?;
        for is in is_active {
            *is = reader.number()? != 0.0;
        }
        let mut parts = self.last.parts();
        reader.fill(&mut parts)?;
        self.last = StepBalance::of_parts(parts);
        self.method.restore(&mut reader)?;
        let rest = reader.rest();
        (self.system.restore_memory(rest)? == rest.len()).then_some(())
    }

    /// Steps taken, and the work that they took.
    #[must_use]
    pub fn effort(&self) -> (usize, StepEffort) {
        (self.steps, self.effort)
    }

    /// Kinetic and potential energy of the present state (J).
    #[must_use]
    pub fn energy(&self) -> Energy {
        self.present.unwrap_or_else(|| self.system.energy(self.state.motion()))
    }

    /// The rule.
    #[must_use]
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The contacts' gaps and rates.
    #[must_use]
    pub fn rows(&self) -> &C {
        &self.contacts
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Whether impacts may create energy.
    #[must_use]
    pub fn warning(&self) -> Option<DissipationWarning> {
        let contacts = self.contacts.layout().contacts().iter();
        let largest = contacts.fold(0.0_f64, |e, contact| e.max(contact.law.restitution));
        self.scheme.warning(largest)
    }
}

fn problem<'a>(
    (system, contacts): (&'a dyn ConstrainedSystem, &'a dyn Contacts),
    settings: &'a ImpactSettings,
    start: &'a ImpactState,
    h: f64,
    (start_gaps, start_rates): (&'a [f64], &'a [f64]),
    outer: Option<&'a Outer>,
) -> StepProblem<'a> {
    let outside = outer.map(|outer| Outside { rows: &*outer.rows, impulses: &outer.impulses });
    StepProblem { system, contacts, settings, start, h, start_gaps, start_rates, outside }
}

/// Accelerations of the start; those of the PVA method with the forces of contacts that are closed.
fn start_method(
    method: &mut Method,
    scheme: &Scheme,
    (system, contacts): (&dyn ConstrainedSystem, &dyn Contacts),
    settings: &ImpactSettings,
    state: &mut ImpactState,
) -> Result<(), ImpactError> {
    let has_forces =
        matches!(scheme, Scheme::NonsmoothGeneralizedAlpha { smooth: SmoothConstraints::Acceleration, .. });
    match method {
        Method::Alpha(solver) if has_forces => {
            let forces = (solver.forces.start.as_mut_slice(), settings.start_tolerance);
            balance_start(system, contacts, state, Some(forces))?;
            Ok(())
        }
        _ => balance_start(system, contacts, state, None),
    }
}
