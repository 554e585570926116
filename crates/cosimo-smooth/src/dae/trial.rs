//! Steps that are solved any number of times under different loads before one of them is taken, and jumps between steps.
//!
//! Loads are part of the system: who wants them changed changes the system, see
//! [`system_mut`](DaeSolver::system_mut).

use cosimo_dynamics::{Collocation, ConstrainedSystem, LoadQuadrature, Motion};
use nalgebra::DMatrix;

use super::answer::StepAnswer;
use super::effort::StepEffort;
use super::error::DaeError;
use super::increments::Increments;
use super::kkt::Weights;
use super::names::singular;
use super::problem::StepProblem;
use super::solver::DaeSolver;
use super::solver::plan_step;
use super::state::DaeState;
use super::tangent_product::{Tangent, damped_answer, tangent_product};

impl<S: ConstrainedSystem> DaeSolver<S> {
    /// The system, to change its loads. Coordinates, masses and constraints must stay as they are.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }

    /// Takes the present state as the start of a trial step; where the rule has no past, accelerations and multipliers are
    /// found that balance the present loads. The state stays as it is.
    ///
    /// # Errors
    /// The balance cannot be solved.
    pub fn start_trial(&mut self) -> Result<(), DaeError> {
        self.trial.start.copy(&self.state);
        self.trial.has_first_factors = false;
        if self.rule.needs_acceleration() {
            self.spoil_factors();
            self.closing.balance(&self.system, &mut self.kkt, &mut self.trial.start)?;
        }
        Ok(())
    }

    /// Solves the step of size `h` (s) from the [start](Self::start_trial) under the present loads. Points before the start, which
    /// some methods need, are found by following the motion back under the same loads.
    ///
    /// # Errors
    /// The step cannot be solved.
    pub fn solve_trial(&mut self, h: f64) -> Result<StepEffort, DaeError> {
        self.trial.h = h;
        self.trial.has_first_factors = false;
        self.find_past(h)?;
        let effort = match self.solve_from_start() {
            Err(_) if self.has_other_rows() => {
                self.start_trial()?;
                self.solve_from_start()?
            }
            solved => solved?,
        };
        self.trial.free.copy(self.iteration.increments().1);
        self.trial.free_multipliers.copy_from_slice(&self.end.mu);
        self.trial.has_first_factors = true;
        Ok(effort)
    }

    fn solve_from_start(&mut self) -> Result<StepEffort, DaeError> {
        self.recall_factors()?;
        let coordinates = self.system.structure().coordinates();
        let step = (self.trial.h, &self.trial.start, coordinates);
        plan_step(step, self.rule.as_mut(), (&mut self.plan, &mut self.acceleration));
        self.solve_planned(None)
    }

    /// Whether [`solve_again`](Self::solve_again) has the factors of the first solution at hand. Otherwise the step must
    /// be [solved](Self::solve_trial) once more under the loads of the first solution, so that what comes out depends on
    /// nothing but the loads.
    #[must_use]
    pub fn has_first_factors(&self) -> bool {
        self.trial.has_first_factors
    }

    /// Solves the trial step again, from its first solution and with its factors.
    ///
    /// # Errors
    /// The step cannot be solved.
    pub fn solve_again(&mut self) -> Result<StepEffort, DaeError> {
        let free = std::mem::take(&mut self.trial.free);
        let multipliers = std::mem::take(&mut self.trial.free_multipliers);
        let solved = self.solve_planned(Some((&free, &multipliers)));
        (self.trial.free, self.trial.free_multipliers) = (free, multipliers);
        self.trial.has_first_factors &= matches!(solved, Ok(effort) if effort.factorizations == 0);
        solved
    }

    fn solve_planned(&mut self, guess: Option<(&Increments, &[f64])>) -> Result<StepEffort, DaeError> {
        let problem = StepProblem {
            system: &self.system,
            plan: &self.plan,
            acceleration: &self.acceleration,
            start: &self.trial.start,
            settings: &self.settings,
            guess,
        };
        let factors = (&mut self.kkt, &mut self.is_factorized);
        let solved = self.iteration.solve(&problem, factors, &mut self.end);
        let effort = solved.map_err(|error| self.give_up(error, self.trial.h))?;
        self.count(effort);
        self.check_turns(self.trial.h)?;
        self.check_redundant()?;
        Ok(effort)
    }

    /// Whether forces and reactions of the rule are means over a step.
    #[must_use]
    pub fn takes_means(&self) -> bool {
        self.rule.collocation() == Collocation::Mean
    }

    /// Share of the end in the loads of a step: that of the rule where it takes means, else all.
    #[must_use]
    pub fn share_of_end(&self) -> f64 {
        self.rule.formula(1.0).stage.time
    }

    /// Start of the trial step.
    #[must_use]
    pub fn trial_start(&self) -> &DaeState {
        &self.trial.start
    }

    /// Where the forces of the trial step balance: its end, or where the rule takes means, inside it.
    #[must_use]
    pub fn trial_stage(&self) -> Motion<'_> {
        self.iteration.stage(&self.plan, &self.end)
    }

    /// Where in the step that is, as a share of it: 1, or that of a mean.
    #[must_use]
    pub fn trial_share(&self) -> f64 {
        self.plan.formula.stage.time
    }

    /// End of the trial step.
    #[must_use]
    pub fn trial_end(&self) -> &DaeState {
        &self.end
    }

    /// Increment `x` of the trial step, `q₁ = q₀ ∘ exp(x)`.
    #[must_use]
    pub fn trial_increment(&self) -> &[f64] {
        self.iteration.increments().0
    }

    /// Impulses `Λ` (N s, N m s) by which constraints put the velocity of the trial step back, `M W + Φᵀ Λ = 0`: those of a prescribed rate
    /// that jumps, else as small as the error of the rule. None unless the formulation projects velocities.
    #[must_use]
    pub fn trial_impulses(&self) -> Option<&[f64]> {
        let projects = self.settings.formulation.projects_velocities();
        projects.then_some(&self.iteration.increments().1.velocity_multipliers)
    }

    /// Change of the end velocity (s) and of the end position (s²) by a unit of the acceleration at the end.
    #[must_use]
    pub fn trial_weights(&self) -> [f64; 2] {
        [self.plan.formula.end.velocity, self.plan.formula.end.position]
    }

    /// Derives the end of the trial step by generalised forces at its [stage](Self::trial_stage), the columns of `forces`, `n × r`.
    /// Where factors of an earlier iterate do not contract, those of the end do.
    ///
    /// # Errors
    /// The derivative was not found: the equations are near singular.
    pub fn derive_trial(&mut self, forces: &DMatrix<f64>, answer: &mut StepAnswer) -> Result<(), DaeError> {
        let Self { iteration, plan, end, kkt, .. } = self;
        let problem = StepProblem {
            system: &self.system,
            plan,
            acceleration: &self.acceleration,
            start: &self.trial.start,
            settings: &self.settings,
            guess: None,
        };
        let derived = answer.derive(&iteration.solved(&problem, end), kkt, forces);
        let Err(DaeError::NotConverged { .. }) = derived else { return derived };
        self.trial.has_first_factors = false;
        self.is_factorized = false;
        let factorizations = iteration.factorize(&problem, kkt, end)?;
        self.is_factorized = true;
        let derived = answer.derive(&iteration.solved(&problem, end), kkt, forces);
        self.count(StepEffort { factorizations, ..StepEffort::default() });
        derived
    }

    /// Overwrites `out`, `n × r`, by `J⁻¹ C` times the columns of `change`: what the damping of the trial step, gyroscopic
    /// terms included, takes back in a second of changes of the velocity.
    pub fn damp_trial(&mut self, change: &DMatrix<f64>, out: &mut DMatrix<f64>) {
        let stage = self.iteration.stage(&self.plan, &self.end);
        let factors = (&self.system as &dyn ConstrainedSystem, &mut self.kkt);
        let at = (stage, &self.end.a[..], &self.end.mu[..]);
        damped_answer(factors, at, change, (&mut self.columns, out), |_, _| ());
    }

    /// Overwrites `out`, `n × r`, by `K` times the columns of `displacement`: what moves of the positions change the balance of forces of the
    /// trial step by, with the stiffness of loads and reactions.
    pub fn stress_trial(&self, displacement: &DMatrix<f64>, out: &mut DMatrix<f64>) {
        let stage = self.iteration.stage(&self.plan, &self.end);
        let at = (stage, &self.end.a[..], &self.end.mu[..]);
        tangent_product(Tangent::Stiffness, &self.system, at, displacement, out);
    }

    /// Moves what the stage of the trial step starts from by the increment `displacement`, `σ`, and the end, which sees it. With
    /// [`derive_trial`](Self::derive_trial) of [`K σ`](Self::stress_trial), `[δq, δv]`, the end moves by
    ///
    /// ```text
    ///   Δq = σ − c δq        Δv = −c δv        Δu = −c δv/c_v
    /// ```
    ///
    /// where `c` is the share of the step where the stage is. Constraints stay closed to first order, and are closed by the
    /// step that follows. The step is to be taken as it is.
    ///
    /// # Errors
    /// The end is not finite.
    pub fn move_trial(&mut self, displacement: &[f64], strain: Option<[&[f64]; 2]>) -> Result<(), DaeError> {
        let (share, weight) = (self.plan.formula.stage.time, self.plan.formula.end.velocity);
        self.unknowns[..displacement.len()].copy_from_slice(displacement);
        if let Some([position, velocity]) = strain {
            self.unknowns.iter_mut().zip(position).for_each(|(own, strain)| *own -= share * strain);
            for (k, strain) in velocity.iter().enumerate() {
                self.end.v[k] -= share * strain;
                self.end.a[k] -= share * strain / weight;
            }
        }
        let problem = StepProblem {
            system: &self.system,
            plan: &self.plan,
            acceleration: &self.acceleration,
            start: &self.trial.start,
            settings: &self.settings,
            guess: None,
        };
        self.iteration.move_end(&problem, &self.unknowns[..displacement.len()], &mut self.end);
        let DaeState { time, q, v, .. } = &self.end;
        match q.iter().chain(v).all(|x| x.is_finite()) {
            true => Ok(()),
            false => Err(DaeError::NotFinite { quantity: "the end of a step that is moved", time: *time }),
        }
    }

    /// Moves the positions that the rule remembers, those of the step just taken, by the increment `displacement`.
    pub fn move_past(&mut self, displacement: &[f64]) {
        self.rule.move_past(displacement, self.system.structure().coordinates());
    }

    /// How a step of size `h` (s) from the [start](Self::start_trial) passes on momenta.
    #[must_use]
    pub fn quadrature(&self, h: f64) -> LoadQuadrature {
        self.rule.quadrature(h)
    }

    /// Whether the rule has no past: it starts from accelerations that balance the loads.
    #[must_use]
    pub fn is_at_start(&self) -> bool {
        self.rule.needs_acceleration()
    }

    /// Takes the trial step, its time set to `time` (s).
    pub fn take_trial(&mut self, time: f64) {
        self.end.time = time;
        self.rule.accept(self.trial.h, self.trial.start.point(), &self.end.a, false);
        self.lacks_past = false;
        self.keep_factors();
        self.state.copy(&self.end);
        self.watch_rows();
        self.note_step();
    }

    /// Takes the trial step, its time set to `time` (s), its end moved by the increment `displacement` and the change of the
    /// velocity `change`; the rule begins anew.
    ///
    /// # Errors
    /// As [`jump`](Self::jump).
    pub fn take_trial_with_jump(
        &mut self,
        time: f64,
        displacement: &[f64],
        change: &[f64],
    ) -> Result<(), DaeError> {
        self.end.time = time;
        self.trial.moved.copy(&self.end);
        let before = self.kkt.factorizations();
        if self.displace(displacement, change) {
            let Self { system, closing, kkt, trial, .. } = self;
            if !closing.close_with_factors(system, kkt, &mut trial.moved) {
                self.close_moved()?;
            }
        }
        self.take_moved()?;
        self.effort.factorizations += self.kkt.factorizations() - before;
        self.steps += 1;
        Ok(())
    }

    /// Prepares jumps at the present state for steps of size `h` (s): overwrites the columns of `motion`, `n × r`, which
    /// are generalised impulses, with the changes of the velocity by them,
    ///
    /// ```text
    ///   [ M + c_v C + c_q K    Φᵀ ] [ Δv ]   [ p ]
    ///   [ Φ                    0  ] [ Λ  ] = [ 0 ]
    /// ```
    ///
    /// and by `c_v J⁻¹ C Δv` more, with damping and stiffness of the forces at rest. They keep the energy of fast motions that
    /// a step does not resolve out of the jump; of slow ones the answer is that of the mass to the order of `h²`. Without
    /// forces `Δv` is that of rigid bodies and ideal joints. `damped`, `n × r`, is overwritten by `J⁻¹ C Δv`.
    ///
    /// # Errors
    /// The matrix is singular.
    pub fn prepare_jump(
        &mut self,
        h: f64,
        motion: &mut DMatrix<f64>,
        damped: &mut DMatrix<f64>,
    ) -> Result<(), DaeError> {
        self.spoil_factors();
        let Self { system, kkt, state, .. } = self;
        let structure = system.structure();
        self.trial.has_first_factors = false;
        self.plan.make(self.rule.as_mut(), h, state.point(), structure.coordinates());
        let weights = Weights {
            damping: self.plan.formula.end.velocity,
            stiffness: self.plan.formula.end.position,
            ..Weights::MASS
        };
        kkt.begin(weights, |_| None);
        let still = &mut self.trial.moved;
        for part in [&mut still.v, &mut still.a, &mut still.mu] {
            part.fill(0.0);
        }
        let motion_at_rest = Motion { t: state.time, q: &state.q, v: &still.v };
        system.tangents(motion_at_rest, &still.a, &still.mu, kkt);
        system.jacobian(state.time, &state.q, kkt);
        kkt.factorize().map_err(|error| singular(&*system, error))?;
        let (room, driven) = (&mut self.columns, &mut self.trial.driven);
        let present = Motion { t: state.time, q: &state.q, v: &state.v };
        let power = |mu: &[f64]| system.driving_power(present, mu);
        driven.clear();
        kkt.solve_forces(motion, room, |_, multipliers| driven.push(power(multipliers)));
        let at_rest = (motion_at_rest, &still.a[..], &still.mu[..]);
        let factors = (&*system as &dyn ConstrainedSystem, kkt);
        damped_answer(factors, at_rest, motion, (room, damped), |k, multipliers| {
            driven[k] += weights.damping * power(multipliers);
        });
        for (own, taken_back) in motion.iter_mut().zip(damped.iter()) {
            *own += weights.damping * taken_back;
        }
        Ok(())
    }

    /// Work (J) that prescribed motions do in the jump prepared, `Λᵀ ∂φ/∂t`, for every column of
    /// [`prepare_jump`](Self::prepare_jump).
    pub fn driven_work(&self) -> &[f64] {
        &self.trial.driven
    }

    /// Moves the present position by the increment `displacement`, put back on the constraints, and changes the velocity by
    /// `change`; accelerations and multipliers are found anew, unless they are means, and the rule begins anew.
    ///
    /// # Errors
    /// The new state is not finite, or cannot be made consistent; the state is then unchanged.
    pub fn jump(&mut self, displacement: &[f64], change: &[f64]) -> Result<(), DaeError> {
        self.trial.moved.copy(&self.state);
        if self.displace(displacement, change) {
            self.close_moved()?;
        }
        self.take_moved()
    }

    /// Moves `trial.moved`; says whether its position changes.
    fn displace(&mut self, displacement: &[f64], change: &[f64]) -> bool {
        self.spoil_factors();
        self.trial.has_first_factors = false;
        let moved = &mut self.trial.moved;
        moved.v.iter_mut().zip(change).for_each(|(v, d)| *v += d);
        let has_way = displacement.iter().any(|x| *x != 0.0);
        if has_way {
            self.system.structure().coordinates().move_by(&moved.q, displacement, &mut self.end.q);
            std::mem::swap(&mut moved.q, &mut self.end.q);
        }
        has_way
    }

    /// Puts `trial.moved` back on the constraints.
    fn close_moved(&mut self) -> Result<(), DaeError> {
        let Self { system, closing, kkt, trial, .. } = self;
        closing.close_positions(system, kkt, &mut trial.moved)?;
        closing.close_velocities(system, kkt, &mut trial.moved)
    }

    /// Takes `trial.moved` over.
    fn take_moved(&mut self) -> Result<(), DaeError> {
        let (system, moved) = (&self.system, &mut self.trial.moved);
        if moved.q.iter().chain(&moved.v).any(|x| !x.is_finite()) {
            return Err(DaeError::NotFinite { quantity: "the state after a jump", time: moved.time });
        }
        if self.rule.collocation() == Collocation::End {
            self.closing.balance(system, &mut self.kkt, moved)?;
        }
        self.state.copy(&self.trial.moved);
        self.begin_anew();
        Ok(())
    }
}
