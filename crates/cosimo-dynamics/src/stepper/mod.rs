//! One subsystem's time stepping: trial steps, their answer to loads, and the step that is taken.

mod ahead;
mod balance;
mod inside;
mod look_ahead;
mod moves;
mod readings;
mod restart;
mod saved;
mod trial;

use cosimo_linear::StructuredMatrix;
use cosimo_mechanics::{Energy, ImpulseMoments, StepEnergy};

use crate::explicit_parts::ExplicitParts;
use crate::linear::check_vector;
use crate::linear_stage::LinearStage;
use crate::response::Response;
use crate::rows::RowSets;
use crate::rules::StepPlan;
use crate::vectors::RowVector;
use crate::{
    Collocation, CoordinateBlock, CoordinateVector, Coordinates, DynamicsError, LinearSystem, Momenta,
    MotionState, RowMap, StepRule, SystemError, factors,
};
use ahead::Ahead;

/// Values that a saved state begins with: time, and the record of the current factors.
const HEAD: usize = 1 + factors::SAVED;

/// A linear system, the rule that steps it, and the rows through which the outside acts on it.
///
/// Call order for every step: [`begin`](Self::begin), any number of [`evaluate`](Self::evaluate), then
/// [`commit`](Self::commit), or nothing (a step begun and not committed leaves no trace).
/// Rows: those of the ports first, those of the contacts after.
pub struct Stepper {
    system: LinearSystem,
    rule: Box<dyn StepRule>,
    rows: RowSets,
    /// Whether the energy of the system is that of its port and contact loads alone.
    is_passive: bool,
    collocation: Collocation,
    coordinates: Coordinates,
    state: MotionState,
    energy: Energy,
    /// Power dissipated at the present state, once known.
    power: Option<f64>,
    is_restart: bool,
    trial: MotionState,
    plan: StepPlan,
    explicit: ExplicitParts,
    ahead: Ahead,
    start_loads: RowVector,
    /// Impulses that the trial step carries, as the rule makes them: those asked for, less `p̂` of momenta.
    loads: RowVector,
    /// What the rule remembers of momenta; of rules that act by means there is nothing.
    momenta: Option<Box<Momenta>>,
    linear: LinearStage,
    response: Response,
    cold: Box<ColdStorage>,
}

/// What few steps need, out of the way of the others: a system without damping only where its rule begins anew.
struct ColdStorage {
    /// The present state with an acceleration that balances the start loads, where the rule begins anew.
    restart: MotionState,
    /// The linear stage of a step of size zero: the mass matrix and the constraints.
    inertia: LinearStage,
    scratch: Vec<f64>,
    /// The move of the end before the stage, `σ`, and what the stiffness makes of it, `J⁻¹ K σ`.
    displacement: Vec<f64>,
    strain: Vec<f64>,
    /// Whether the move mass is found with the inverse mass.
    reports_moves: bool,
    /// Whether the answer of the rows is to be found anew.
    is_stale: bool,
    /// Velocity at the stage, for the powers of a system that is not passive.
    at_stage: Vec<f64>,
    /// The rows of the stage's time at the positions of start and end; empty where no row moves by itself.
    rows_at_stage: [Vec<f64>; 2],
}

impl Stepper {
    /// Attaches ports and contacts to a system and starts it at `(t, q, v)`.
    ///
    /// # Errors
    /// Wrong lengths, numbers that are not finite, a rule that needs points before its start, or no unique acceleration there.
    pub fn new(
        system: LinearSystem,
        rule: Box<dyn StepRule>,
        rows: (Box<dyn RowMap>, Box<dyn RowMap>),
        (t, q, v): (f64, Vec<f64>, Vec<f64>),
    ) -> Result<Self, SystemError> {
        let n = system.coordinates();
        let rows = RowSets::new(rows.0, rows.1);
        let r = rows.len();
        check_vector("initial position", &q, n)?;
        check_vector("initial velocity", &v, n)?;
        if !rule.passes_momenta() {
            return Err(SystemError::Rule { rule: rule.label() });
        }
        let zero = vec![0.0; n];
        let state = MotionState { time: t, q: q.into(), v: v.into(), a: CoordinateVector::zeros(n) };
        let moving = vec![0.0; if rows.depend_on_time() { r } else { 0 }];
        let is_damped = !matches!(system.damping, StructuredMatrix::Zero(_));
        let mut stepper = Self {
            ahead: Ahead::new(&system, rule.as_ref(), &rows),
            is_passive: system.is_passive(),
            collocation: rule.collocation(),
            coordinates: Coordinates::new([CoordinateBlock::Flat(n)]),
            trial: state.clone(),
            is_restart: false,
            cold: Box::new(ColdStorage {
                restart: state.clone(),
                inertia: LinearStage::default(),
                scratch: zero.clone(),
                displacement: zero.clone(),
                strain: zero.clone(),
                reports_moves: false,
                is_stale: false,
                at_stage: zero,
                rows_at_stage: [moving.clone(), moving],
            }),
            plan: StepPlan::zeros(n),
            explicit: ExplicitParts::zeros(n),
            start_loads: RowVector::zeros(r),
            loads: RowVector::zeros(r),
            momenta: (rule.collocation() == Collocation::End).then(|| Box::new(Momenta::zeros(r))),
            linear: LinearStage::default(),
            response: Response::new(n, &rows, is_damped),
            energy: system.energy(&state.q, &state.v),
            power: None,
            system,
            rule,
            rows,
            state,
        };
        stepper.balance_start()?;
        stepper.take_balanced_start();
        Ok(stepper)
    }

    /// Begins a trial step of size `h` (s) from the present state. `start_loads` are the finite loads on the rows
    /// at the start (N), zero where unknown; rules that begin anew and the work of end loads use them.
    ///
    /// # Errors
    /// A step size that is not positive, or a singular iteration matrix.
    pub fn begin(&mut self, h: f64, start_loads: &[f64]) -> Result<(), DynamicsError> {
        self.begin_with(h, start_loads, None)
    }

    /// The same where a part of the start loads is known to belong to momenta (N): a rule that begins anew remembers it.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn begin_with(
        &mut self,
        h: f64,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<(), DynamicsError> {
        self.begin_under(h, start_loads, momenta)?;
        if let Some(part) = momenta {
            // What is left are finite loads, whose work is theirs at both ends.
            self.start_loads.iter_mut().zip(part).for_each(|(load, part)| *load -= part);
        }
        Ok(())
    }

    fn begin_under(
        &mut self,
        h: f64,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<(), DynamicsError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(DynamicsError::StepSize { found: h });
        }
        for ((start, load), given) in self.start_loads.iter_mut().zip(&mut self.loads).zip(start_loads) {
            (*start, *load) = (*given, 0.0);
        }
        if self.is_ahead(h) {
            self.catch_up();
            return Ok(());
        }
        self.ahead.forget();
        self.is_restart = self.rule.needs_acceleration();
        if self.is_restart {
            self.balance_start().map_err(into_step_error)?;
            self.rule.restart(&self.coordinates);
            if let Some(own) = &mut self.momenta {
                match momenta {
                    Some(momenta) => own.restart(momenta),
                    None => own.clear(),
                }
            }
        }
        let start = if self.is_restart { &self.cold.restart } else { &self.state };
        self.plan.make_flat(self.rule.as_mut(), h, start.point(), &self.coordinates);
        self.solve_free_step()?;
        if let Some(own) = &mut self.momenta {
            own.begin(self.rule.quadrature(h));
            if let Some(carried) = own.carried() {
                self.loads.iter_mut().zip(carried).for_each(|(load, carried)| *load = -carried);
                self.apply_loads();
            }
        }
        Ok(())
    }

    /// Answers to these impulses `X` on the rows (N s, length `r`) in the trial step.
    pub fn evaluate(&mut self, impulses: &[f64]) {
        let is_free = !is_loaded(&self.loads);
        write_native(self.momenta.as_deref(), impulses, &mut self.loads);
        if !is_free {
            self.free_end();
        }
        self.apply_loads();
    }

    /// Adds what the loads do to the end of the trial step without loads.
    fn apply_loads(&mut self) {
        let MotionState { q, v, .. } = &mut self.trial;
        self.response.motion.apply(&self.loads, (1.0, v), Some((self.plan.formula.position_weight(), q)));
        self.observe_end();
    }

    /// Takes the step with the impulses `X` on the rows, of finite loads, and the impulses inside the step if there are any.
    ///
    /// # Errors
    /// The new state is not finite; the state is then unchanged.
    pub fn commit(
        &mut self,
        impulses: &[f64],
        moments: Option<ImpulseMoments<&[f64]>>,
    ) -> Result<StepEnergy, DynamicsError> {
        self.take(&TakenLoads { impulses, momenta: &[], moves: None, moments })
    }

    /// Takes the step with these loads.
    ///
    /// # Errors
    /// The new state is not finite; the state is then unchanged.
    pub fn take(&mut self, loads: &TakenLoads<'_>) -> Result<StepEnergy, DynamicsError> {
        if !is_native(self.momenta.as_deref(), loads.impulses, &self.loads) {
            self.evaluate(loads.impulses);
        }
        if !is_finite(&self.trial) {
            return Err(DynamicsError::NotFinite { quantity: "the state at the end of the step" });
        }
        if is_loaded(&self.loads) {
            let weight = 1.0 / self.plan.formula.end.velocity;
            self.response.motion.apply(&self.loads, (weight, &mut self.trial.a), None);
        }
        if let Some(moves) = loads.moves {
            self.move_end(moves);
        }
        let mut work = self.smooth_work(loads.momenta);
        if let Some(moments) = loads.moments {
            self.take_impulses(moments, &mut work);
        }
        if let Some(own) = &mut self.momenta {
            own.commit(loads.momenta);
        }
        let start = if self.is_restart { &self.cold.restart } else { &self.state };
        self.rule.accept(self.plan.h, start.point(), &self.trial.a, false);
        if loads.moves.is_some() {
            self.rule.move_past(&self.cold.displacement, &self.coordinates);
        }
        std::mem::swap(&mut self.state, &mut self.trial);
        self.energy = work.energy;
        self.linear.note_step(self.plan.h);
        self.response.advance();
        self.observe_own();
        if loads.moments.is_some() && self.collocation == Collocation::End {
            self.start_anew()?;
        }
        self.look_ahead();
        Ok(work)
    }

    /// Prepares a velocity jump at the present state for steps of size `h` (s): after it
    /// [`inverse_mass`](Self::inverse_mass) is the change of the row velocities for a unit impulse now.
    ///
    /// # Errors
    /// The tangent is singular.
    pub fn prepare_jump(&mut self, h: f64) -> Result<(), DynamicsError> {
        self.ahead.forget();
        (self.plan.h, self.plan.formula) = (h, self.rule.formula(h));
        let is_new = self.linear.prepare(&self.system, &self.plan.formula)?;
        if is_new || !self.rows.are_constant() {
            self.rows.jacobian(self.state.time, &self.state.q, &mut self.response.inverse_masses.jacobian);
            self.answer_motion();
            self.response.fill_inverse_mass();
        }
        Ok(())
    }

    /// Changes the velocity at the present state by the impulses `ξ` (N s) on the rows, as prepared by
    /// [`prepare_jump`](Self::prepare_jump); the rule begins anew.
    ///
    /// # Errors
    /// The new velocity is not finite, or no unique acceleration follows from it.
    pub fn jump(&mut self, impulses: &[f64]) -> Result<(), DynamicsError> {
        self.response.motion.apply(impulses, (1.0, &mut self.state.v), None);
        self.start_anew()
    }

    /// Moves the present position by `J⁻¹ Zᵀ y` (`y` in kg m, one per row): the smallest move, in the metric of the
    /// tangent, for a prescribed change of the rows; as prepared by [`prepare_jump`](Self::prepare_jump).
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    pub fn project_positions(&mut self, weights: &[f64]) -> Result<(), DynamicsError> {
        self.response.motion.apply(weights, (1.0, &mut self.state.q), None);
        self.start_anew()
    }

    /// Sets the time of the present state (s), so that communication points do not accumulate round-off.
    pub fn set_time(&mut self, time: f64) {
        if self.state.time.to_bits() != time.to_bits() {
            self.state.time = time;
            self.power = None;
            if self.rows.depend_on_time() {
                self.observe_start();
            }
        }
    }
}

impl std::fmt::Debug for Stepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper")
            .field("rule", &self.rule.name())
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

fn into_step_error(error: SystemError) -> DynamicsError {
    match error {
        SystemError::NoAcceleration(source) => DynamicsError::Factorization(source),
        _ => DynamicsError::NotFinite { quantity: "the acceleration at the start" },
    }
}

/// The loads that a step is taken with, one entry per row.
#[derive(Debug, Clone, Copy)]
pub struct TakenLoads<'a> {
    /// Impulses `X` over the step (N s).
    pub impulses: &'a [f64],
    /// The part of them that are momenta (N s); none where it is empty.
    pub momenta: &'a [f64],
    /// Moves of the end that close gaps (kg m), if there are any.
    pub moves: Option<&'a [f64]>,
    /// Impulses inside the step, if there are any.
    pub moments: Option<ImpulseMoments<&'a [f64]>>,
}

/// Writes the impulses that a rule makes of these: less `p̂` of momenta.
fn write_native(momenta: Option<&Momenta>, impulses: &[f64], out: &mut [f64]) {
    match momenta.and_then(Momenta::carried) {
        None => out.copy_from_slice(impulses),
        Some(carried) => {
            out.iter_mut().zip(impulses).zip(carried).for_each(|((own, x), carried)| *own = x - carried);
        }
    }
}

/// Whether the rule makes `native` of these impulses.
fn is_native(momenta: Option<&Momenta>, impulses: &[f64], native: &[f64]) -> bool {
    match momenta.and_then(Momenta::carried) {
        None => *native == *impulses,
        Some(carried) => native.iter().zip(impulses).zip(carried).all(|((own, x), p)| *own == x - p),
    }
}

fn is_loaded(loads: &[f64]) -> bool {
    loads.iter().any(|load| *load != 0.0)
}

/// Whether positions and velocities are finite; without branches in the loop.
fn is_finite(state: &MotionState) -> bool {
    state.q.iter().zip(&state.v).fold(true, |finite, (q, v)| finite & q.is_finite() & v.is_finite())
}

/// `out ← first + factor · second`.
fn write_sum(first: &[f64], (factor, second): (f64, &[f64]), out: &mut [f64]) {
    for ((o, a), b) in out.iter_mut().zip(first).zip(second) {
        *o = a + factor * b;
    }
}
