//! Moreau-Jean time stepping of one system by itself.

use cosimo_dynamics::{DynamicsError, LinearSystem, NoRows, RowMap, Stepper, SystemError, Theta};
use cosimo_mechanics::StepEnergy;
use nalgebra::DMatrix;
use thiserror::Error;

use crate::{
    ContactLaws, ContactMemory, ContactRows, ContactSolution, ImpactResolution, OneStepError, OneStepProblem,
};

/// Why a system cannot be stepped.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MoreauJeanError {
    /// The data contradict each other.
    #[error(transparent)]
    System(#[from] SystemError),
    /// The implicit stage failed.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// The contact problem failed.
    #[error(transparent)]
    Contacts(#[from] OneStepError),
    /// The iteration between the equations of motion and the contact impulses did not converge.
    #[error("contact impulses did not converge in {iterations} iterations: last change {change:e} N s")]
    NotConverged {
        /// Iterations done.
        iterations: usize,
        /// Largest change of an impulse (N s).
        change: f64,
    },
}

/// A system with unilateral contacts, stepped by the θ-method of Moreau and Jean.
///
/// Linear systems take one linear solve and at most one complementarity problem a step, impacts at their own
/// instants included; those whose rows turn iterate the plain problem to convergence.
///
/// ```
/// use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
/// use cosimo_nonsmooth::{ImpactResolution, MoreauJean};
/// use nalgebra::dmatrix;
/// // A ball of 1 kg dropped from 0.801 m.
/// let ball = LinearSystem::new(dmatrix![1.0])?.with_force(vec![-10.0])?;
/// let floor = LinearRows(vec![LinearRow::coordinate(0)]);
/// let start = (0.0, vec![0.801], vec![0.0]);
/// let mut stepper =
///     MoreauJean::new(ball, Theta::default(), (Box::new(floor), vec![0.8]), ImpactResolution::SubStep, start)?;
/// let mut first_impact = None;
/// for _ in 0..500 {
///     stepper.step(1e-3)?;
///     first_impact = first_impact.or(stepper.contacts().changes.first().map(|change| change.time));
/// }
/// assert!((first_impact.unwrap() - 0.400_249_921_923_79).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MoreauJean {
    stepper: Stepper,
    laws: ContactLaws,
    problem: OneStepProblem,
    memory: Vec<ContactMemory>,
    /// Memory of the start of the step.
    start_memory: Vec<ContactMemory>,
    start_loads: Vec<f64>,
    free_gaps: Vec<f64>,
    free_rates: Vec<f64>,
    impulses: Vec<f64>,
    no_damping: DMatrix<f64>,
}

/// Iterations allowed between the equations of motion and the contacts whose rows turn.
const MAX_ITERATIONS: usize = 50;
/// Change of an impulse, as a share of the largest, at which the iteration has converged,
const TOLERANCE: f64 = 1e-12;
/// or rate change it stands for, as a share of the speeds.
const ROUND_OFF: f64 = 1e-14;

impl MoreauJean {
    /// A system with contacts and their laws, from `(t, q, v)`. The rows are the gaps, then the slips of the contacts with
    /// friction, as [`ContactLaws`] counts them; restitutions alone are laws without friction.
    ///
    /// # Errors
    /// Data of the wrong size or not finite, or no unique acceleration.
    pub fn new(
        system: LinearSystem,
        rule: Theta,
        (contacts, laws): (Box<dyn RowMap>, impl Into<ContactLaws>),
        resolution: ImpactResolution,
        start: (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, MoreauJeanError> {
        let (laws, rows) = (laws.into(), contacts.rows());
        if laws.rows() != rows {
            let found = laws.rows();
            return Err(SystemError::Size { quantity: "contact laws", expected: rows, found }.into());
        }
        let count = laws.len();
        let stepper = Stepper::new(system, Box::new(rule), (Box::new(NoRows), contacts), start)?;
        Ok(Self {
            stepper,
            problem: OneStepProblem::with_rows(count, rows, resolution),
            laws,
            memory: vec![ContactMemory::OPEN; count],
            start_memory: vec![ContactMemory::OPEN; count],
            start_loads: vec![0.0; rows],
            free_gaps: vec![0.0; count],
            free_rates: vec![0.0; rows],
            impulses: vec![0.0; rows],
            no_damping: DMatrix::zeros(0, 0),
        })
    }

    /// Takes a step of size `h` (s).
    ///
    /// # Errors
    /// The step failed; the state is then unchanged.
    pub fn step(&mut self, h: f64) -> Result<StepEnergy, MoreauJeanError> {
        self.stepper.begin(h, &self.start_loads)?;
        if self.stepper.is_affine() { self.step_affine(h) } else { self.step_iteratively(h) }
    }

    /// The stepper with the present state.
    #[must_use]
    pub fn stepper(&self) -> &Stepper {
        &self.stepper
    }

    /// Contact impulses and changes of the last step.
    #[must_use]
    pub fn contacts(&self) -> &ContactSolution {
        self.problem.solution()
    }

    fn step_affine(&mut self, h: f64) -> Result<StepEnergy, MoreauJeanError> {
        let Self { stepper, laws, problem, memory, .. } = self;
        let rows = contact_rows(stepper, h, (stepper.end_positions(), stepper.end_velocities()), laws);
        if problem.resolution().is_needed(&rows, memory) {
            problem.solve(&rows, memory)?;
        } else {
            problem.skip([rows.start_rates, rows.end_rates], memory);
        }
        let solution = problem.solution();
        let moments = solution.has_moments.then(|| solution.moments.view());
        Ok(stepper.commit(&solution.sustained, moments)?)
    }

    fn step_iteratively(&mut self, h: f64) -> Result<StepEnergy, MoreauJeanError> {
        self.impulses.fill(0.0);
        self.start_memory.copy_from_slice(&self.memory);
        let mut change = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.linearize();
            let Self { stepper, laws, problem, memory, .. } = self;
            memory.copy_from_slice(&self.start_memory);
            let mut rows = contact_rows(stepper, h, (&self.free_gaps, &self.free_rates), laws);
            rows.damped = &self.no_damping;
            let found = &problem.solve_as(ImpactResolution::Plain, &rows, memory)?.sustained;
            let scale = found.iter().fold(0.0_f64, |m, p| m.max(p.abs()));
            change = found.iter().zip(&self.impulses).fold(0.0, |m, (a, b)| m.max((a - b).abs()));
            self.impulses.copy_from_slice(found);
            if change <= (TOLERANCE * scale).max(self.round_off()) {
                return Ok(self.stepper.commit(&self.impulses, None)?);
            }
            self.stepper.evaluate(&self.impulses);
        }
        Err(MoreauJeanError::NotConverged { iterations: MAX_ITERATIONS, change })
    }

    /// Impulse (N s) that the round-off of the present speeds stands for.
    fn round_off(&self) -> f64 {
        let speed = self.stepper.state().v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let inverse_mass = self.stepper.inverse_mass().iter().fold(f64::MIN_POSITIVE, |m, w| m.max(w.abs()));
        ROUND_OFF * speed / inverse_mass
    }

    /// Contact-free end gaps and rates of the affine model about the present impulses.
    fn linearize(&mut self) {
        let (w, weight) = (self.stepper.inverse_mass(), self.stepper.formula().position_weight());
        for c in 0..self.impulses.len() {
            let moved: f64 = self.impulses.iter().enumerate().map(|(k, p)| w[(c, k)] * p).sum();
            self.free_rates[c] = self.stepper.end_velocities()[c] - moved;
            if let Some(gap) = self.free_gaps.get_mut(c) {
                *gap = self.stepper.end_positions()[c] - weight * moved;
            }
        }
    }
}

fn contact_rows<'a>(
    stepper: &'a Stepper,
    h: f64,
    (end_gaps, end_rates): (&'a [f64], &'a [f64]),
    laws: &'a ContactLaws,
) -> ContactRows<'a> {
    let gaps = laws.len();
    ContactRows {
        time: stepper.state().time,
        step: h,
        macro_step: h,
        damping_weight: stepper.formula().stage_velocity(),
        position_weight: stepper.formula().stage_velocity(),
        load_weight: h,
        start_gaps: &stepper.start_positions()[..gaps],
        start_rates: stepper.start_velocities(),
        lengths: &[],
        speeds: &[],
        end_gaps: &end_gaps[..gaps],
        end_rates,
        laws,
        delassus: stepper.inverse_mass().into(),
        damped: stepper.damped_inverse_mass(),
        impacts: None,
        partings: None,
        impact_lead: None,
    }
}
